"""Experts: a random forest that predicts how far the accuracy of a whole batch dropped, from a few numbers about it.

One domain is one training row, and its drop is that of the same domain. (The published code shuffles the domains'
drops and leaves their features in order, so that its experts learn from rows that do not belong together.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array
from surefoot.estimators._method import Fold
from surefoot.estimators._rehearsal import Rehearsal


def reference_accuracy(rehearsal: Rehearsal, fold: Fold) -> float:
    """Accuracy on the labelled rows of the fold."""
    right = rehearsal.rows.outputs.argmax(axis=1) == rehearsal.target
    return float(np.average(right[fold.rows], weights=rehearsal.weights[fold.rows]))


def drops(rehearsal: Rehearsal, fold: Fold) -> tuple[NDArray[np.int64], Array]:
    """The domains of the fold, and each one's accuracy minus the reference; negative where it fell."""
    right = rehearsal.domains.outputs.argmax(axis=1) == rehearsal.domain_target
    weights, of_row = rehearsal.domain_weights, rehearsal.of_row
    accuracy = np.bincount(of_row, weights * right) / np.bincount(of_row, weights)
    chosen = np.flatnonzero(fold.domains)
    return chosen, accuracy[chosen] - reference_accuracy(rehearsal, fold)


def forest(features: Array, target: Array) -> Any:
    """A random-forest regressor as it comes (the paper's choice for both experts)."""
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(random_state=0).fit(features, target)
