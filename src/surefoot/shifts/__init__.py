"""How data moves: generators of shifts, and detectors of them.

>>> import numpy as np
>>> from surefoot import shifts
>>> X, y, record = shifts.FlipSign(samples=0.5, features=1.0)(np.ones((4, 1)), rng=0)
>>> int((X == -1).sum()), int(record.cells.sum())
(2, 2)
"""

from surefoot.shifts._categorical import ConstantCategorical, SwitchCategorical
from surefoot.shifts._combine import Mixture, NoShift
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

__all__ = [
    "Block",
    "CellShift",
    "ConstantCategorical",
    "ConstantNumeric",
    "FlipSign",
    "GaussianNoise",
    "JointSubsampling",
    "KnockOut",
    "LabelSwitch",
    "MissingValues",
    "Mixture",
    "NearestNeighbours",
    "NoShift",
    "OnlyOne",
    "Outliers",
    "OverSample",
    "PlusMinusPercent",
    "Rebalance",
    "Record",
    "Scaling",
    "Shift",
    "ShiftKind",
    "SubsampleCategorical",
    "SubsampleNumeric",
    "SwappedValues",
    "SwitchCategorical",
    "UnderSample",
    "find_kind",
    "kind",
    "kinds",
]
