"""Predictions: the table that everything passes on, and its files.

>>> from surefoot.predictions import Predictions
>>> Predictions.classification([[0.2, 0.8]], [1]).probs.shape
(1, 1, 2)
"""

from surefoot._checks import NORMALISATION_TOLERANCE, NOVEL, UNLABELLED
from surefoot.predictions._files import load, save, scan, source_of
from surefoot.predictions._scan import Scan
from surefoot.predictions._table import Predictions

__all__ = [
    "NORMALISATION_TOLERANCE",
    "NOVEL",
    "UNLABELLED",
    "Predictions",
    "Scan",
    "load",
    "save",
    "scan",
    "source_of",
]
