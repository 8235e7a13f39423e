"""Has the data moved? Tests of a batch against a reference, none of which needs labels.

Pure functions over arrays, probabilities or tables (pandas, polars, pyarrow, NumPy), each with a statistic
that says how far and a p-value that holds: where nothing moved, it is at most alpha with probability alpha.
`detect` runs them together and names the columns that moved most.

>>> import numpy as np
>>> rng = np.random.default_rng(0)
>>> reference, batch = rng.normal(size=(500, 3)), rng.normal(size=(200, 3)) + [0, 0, 1]
>>> found = detect(reference, batch)
>>> found.drifted, found.columns[0].name
(True, '2')
"""

from surefoot.shifts.detectors._bbsd import ClassTests, bbsd_hard, bbsd_soft
from surefoot.shifts.detectors._chi_squared import chi_squared
from surefoot.shifts.detectors._column_tests import ColumnTest, ColumnTests, column_tests
from surefoot.shifts.detectors._confidence import confidence_drop
from surefoot.shifts.detectors._detect import TESTS, detect
from surefoot.shifts.detectors._detection import ColumnMove, Detection, NamedTest
from surefoot.shifts.detectors._domain_classifier import (
    DomainClassification,
    domain_classifier,
    proxy_a_distance,
)
from surefoot.shifts.detectors._ks import ks
from surefoot.shifts.detectors._mmd import KernelTest, mmd
from surefoot.shifts.detectors._percentiles import prediction_percentiles
from surefoot.shifts.detectors._result import Outcome, ShiftTest
from surefoot.shifts.detectors._reverse import ReverseAccuracy, reverse_classification_accuracy

__all__ = [
    "TESTS",
    "ClassTests",
    "ColumnMove",
    "ColumnTest",
    "ColumnTests",
    "Detection",
    "DomainClassification",
    "KernelTest",
    "NamedTest",
    "Outcome",
    "ReverseAccuracy",
    "ShiftTest",
    "bbsd_hard",
    "bbsd_soft",
    "chi_squared",
    "column_tests",
    "confidence_drop",
    "detect",
    "domain_classifier",
    "ks",
    "mmd",
    "prediction_percentiles",
    "proxy_a_distance",
    "reverse_classification_accuracy",
]
