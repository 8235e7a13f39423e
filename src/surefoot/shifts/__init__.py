"""How data moves: generators of shifts, and detectors of them.

>>> import numpy as np
>>> from surefoot import shifts
>>> X, y, record = shifts.FlipSign(samples=0.5, features=1.0)(np.ones((4, 1)), rng=0)
>>> int((X == -1).sum()), int(record.cells.sum())
(2, 2)

Kinds for tables are listed by `kinds`; those for images and texts have severities from 1 to 5.

>>> shifts.Casing(severity=5, style="upper")(["spam"])[0]
['SPAM']
"""

from surefoot.shifts._categorical import ConstantCategorical, SwitchCategorical
from surefoot.shifts._combine import Mixture, NoShift
from surefoot.shifts._image import ImageShift
from surefoot.shifts._image_blur import DefocusBlur, GaussianBlur, GlassBlur, MotionBlur, ZoomBlur
from surefoot.shifts._image_colour import Brightness, Contrast, Saturate
from surefoot.shifts._image_digital import ElasticTransform, JpegCompression, Pixelate
from surefoot.shifts._image_noise import GaussianPixelNoise, ImpulseNoise, ShotNoise, SpeckleNoise
from surefoot.shifts._image_weather import Fog, Snow, Spatter
from surefoot.shifts._labels import KnockOut, LabelSwitch, OnlyOne, Rebalance
from surefoot.shifts._missing import MissingValues
from surefoot.shifts._neighbours import NearestNeighbours, OverSample, UnderSample
from surefoot.shifts._numeric import (
    ConstantNumeric,
    FlipSign,
    GaussianNoise,
    Outliers,
    PlusMinusPercent,
    Scaling,
    SwappedValues,
)
from surefoot.shifts._record import Block, Record
from surefoot.shifts._registry import ShiftKind, find_kind, kind, kinds
from surefoot.shifts._shift import CellShift, Shift
from surefoot.shifts._subsample import JointSubsampling, SubsampleCategorical, SubsampleNumeric
from surefoot.shifts._text import TextShift
from surefoot.shifts._text_abbreviations import Abbreviations
from surefoot.shifts._text_typos import Typos
from surefoot.shifts._text_words import Casing, DroppedWords, Punctuation, Spacing

__all__ = [
    "Abbreviations",
    "Block",
    "Brightness",
    "Casing",
    "CellShift",
    "ConstantCategorical",
    "ConstantNumeric",
    "Contrast",
    "DefocusBlur",
    "DroppedWords",
    "ElasticTransform",
    "FlipSign",
    "Fog",
    "GaussianBlur",
    "GaussianNoise",
    "GaussianPixelNoise",
    "GlassBlur",
    "ImageShift",
    "ImpulseNoise",
    "JointSubsampling",
    "JpegCompression",
    "KnockOut",
    "LabelSwitch",
    "MissingValues",
    "Mixture",
    "MotionBlur",
    "NearestNeighbours",
    "NoShift",
    "OnlyOne",
    "Outliers",
    "OverSample",
    "Pixelate",
    "PlusMinusPercent",
    "Punctuation",
    "Rebalance",
    "Record",
    "Saturate",
    "Scaling",
    "Shift",
    "ShiftKind",
    "ShotNoise",
    "Snow",
    "Spacing",
    "Spatter",
    "SpeckleNoise",
    "SubsampleCategorical",
    "SubsampleNumeric",
    "SwappedValues",
    "SwitchCategorical",
    "TextShift",
    "Typos",
    "UnderSample",
    "ZoomBlur",
    "find_kind",
    "kind",
    "kinds",
]
