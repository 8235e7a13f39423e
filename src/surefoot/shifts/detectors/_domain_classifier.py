"""Can a classifier tell the batch from the reference? And by which columns?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import choice
from surefoot.errors import InputError
from surefoot.shifts.detectors._encode import comparable, for_kernels, for_trees
from surefoot.shifts.detectors._pair import Pair, open_pair
from surefoot.shifts.detectors._result import ShiftTest

Floats = NDArray[np.float64]

FEWEST_ROWS = 10
"""Rows a side below which there is nothing to learn from."""

_ROWS_FOR_IMPORTANCE = 500


@dataclass(frozen=True)
class DomainClassification(ShiftTest):
    """How well a classifier tells rows of the batch from rows of the reference that it was not trained on.

    ``statistic`` is the AUROC: 0.5 where nothing moved, 1 where every row gives itself away.

    Attributes:
        error: share of rows told wrongly, the mean of both sides' shares; 0.5 is chance.
        error_p_value: that of an error as small.
        names: the columns.
        importance: how much of the AUROC is lost when a column is shuffled, by column.
    """

    error: float
    error_p_value: float
    names: tuple[str, ...]
    importance: Floats


def domain_classifier(
    reference: Any,
    batch: Any,
    *,
    model: str = "boosting",
    ignore: Iterable[str] = (),
    importance: bool = True,
    seed: int = 0,
) -> DomainClassification:
    """Train a classifier to tell the two samples apart, and test it on rows it has not seen.

    Both samples are halved at random; what learns from one pair of halves is tested on the other, and the
    other way round. On each pair the AUROC has the null distribution of Mann and Whitney, ties corrected.
    The two AUROCs depend on each other, so that the usual test on all out-of-fold scores together raises
    false alarms (for linear classifiers it has √2 of the standard deviation it claims); the p-value here takes
    the mean of their two standard scores for one standard score, which is right for any correlation.

    ``model`` is "boosting" (histogram gradient boosting: interactions, missing values and categories as they
    are) or "logistic" (on ranks: small samples, smooth shifts). Lopez-Paz & Oquab 2017; Rabanser et al. 2019.

    >>> rng = np.random.default_rng(0)
    >>> outcome = domain_classifier(rng.normal(size=(300, 2)), rng.normal(size=(300, 2)) + [0, 2])
    >>> outcome.drifted(), bool(outcome.importance[1] > outcome.importance[0])
    (True, True)
    """
    pair = open_pair(reference, batch, ignore=ignore)
    return domain_classifier_of_pair(pair, model=model, importance=importance, seed=seed)


def domain_classifier_of_pair(
    pair: Pair, *, model: str = "boosting", importance: bool = True, seed: int = 0
) -> DomainClassification:
    """The same for tables whose columns are matched."""
    choice("model", model, ("boosting", "logistic"))
    pair = comparable(pair)
    names = pair.reference.names
    n, m = len(pair.reference), len(pair.batch)
    if min(n, m) < FEWEST_ROWS:
        raise InputError(
            f"the domain classifier needs at least {FEWEST_ROWS} rows a side, not {n} and {m}; give more"
        )
    if model == "boosting":
        first, second, is_code = for_trees(pair)
    else:
        first, second = for_kernels(pair)
        is_code = np.zeros(first.shape[1], dtype=bool)
        importance = False  # its columns are not the table's
    rng = np.random.default_rng(seed)
    halves = [_fit_and_judge(half, model, is_code, seed) for half in _crossed(first, second, rng)]
    lost = (
        np.mean([_importance(half, rng) for half in halves], axis=0)
        if importance
        else np.full(len(names), np.nan)
    )
    return DomainClassification(
        statistic=float(np.mean([half.auroc for half in halves])),
        p_value=_p_value([half.auroc_z for half in halves]),
        n_reference=n,
        n_batch=m,
        error=float(np.mean([half.error for half in halves])),
        error_p_value=_p_value([half.error_z for half in halves]),
        names=names,
        importance=lost,
    )


def proxy_a_distance(
    reference: Any, batch: Any, *, model: str = "boosting", ignore: Iterable[str] = (), seed: int = 0
) -> ShiftTest:
    """PAD: how far apart two samples are, by the error ε of a classifier that tells them apart; 0 … 2.

        2 (1 − 2 ε)

    Ben-David et al. 2006, Elsahar & Gallé 2019. The error is that on rows not trained on, the mean of
    both sides' errors, so that samples of unequal size are 0 apart where nothing moved; an error above chance
    counts as chance. See `domain_classifier` for the classifier and its p-value.

    >>> rng = np.random.default_rng(0)
    >>> round(proxy_a_distance(rng.normal(size=(300, 1)), rng.normal(size=(300, 1)) + 9).statistic, 1)
    2.0
    """
    pair = open_pair(reference, batch, ignore=ignore)
    found = domain_classifier_of_pair(pair, model=model, importance=False, seed=seed)
    distance = max(0.0, 2 * (1 - 2 * found.error))
    return ShiftTest(distance, found.error_p_value, found.n_reference, found.n_batch)


class _Halves(NamedTuple):
    """Rows to learn from and rows to be tested on, with which of them are of the batch."""

    seen: Floats
    seen_is_batch: NDArray[np.bool_]
    held_out: Floats
    is_batch: NDArray[np.bool_]


class _Judged(NamedTuple):
    """A classifier on its held-out half; the standard scores are those of chance."""

    classifier: Any
    half: _Halves
    auroc: float
    auroc_z: float
    error: float
    error_z: float


def _crossed(first: Floats, second: Floats, rng: np.random.Generator) -> Iterator[_Halves]:
    a, b = rng.permutation(len(first)), rng.permutation(len(second))
    parts = [
        (np.concatenate([first[i], second[j]]), np.arange(len(i) + len(j)) >= len(i))
        for i, j in zip(np.array_split(a, 2), np.array_split(b, 2), strict=True)
    ]
    yield _Halves(*parts[0], *parts[1])
    yield _Halves(*parts[1], *parts[0])


def _fit_and_judge(half: _Halves, model: str, is_code: NDArray[np.bool_], seed: int) -> _Judged:
    classifier = _classifier(model, is_code, len(half.seen), seed)
    classifier.fit(half.seen, half.seen_is_batch)
    scores = classifier.decision_function(half.held_out)
    area, area_z = _mann_whitney(scores, half.is_batch)
    # The prior odds are the threshold, which weighs both sides alike; weighted fits would bin far slower.
    odds = half.seen_is_batch.sum() / (~half.seen_is_batch).sum()
    error, error_z = _balanced_error(scores > np.log(odds), half.is_batch)
    return _Judged(classifier, half, area, area_z, error, error_z)


def _classifier(model: str, is_code: NDArray[np.bool_], rows: int, seed: int) -> Any:
    if model == "logistic":
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(max_iter=1000)
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=50,
        max_leaf_nodes=15,
        min_samples_leaf=int(np.clip(rows // 20, 2, 20)),
        early_stopping=False,
        categorical_features=is_code if is_code.any() else None,
        random_state=seed,
    )


def _mann_whitney(scores: Floats, is_batch: NDArray[np.bool_]) -> tuple[float, float]:
    """AUROC, and its standard score under the null hypothesis, given the ties."""
    from scipy.stats import rankdata

    m, total = int(is_batch.sum()), len(is_batch)
    n = total - m
    area = float((rankdata(scores)[is_batch].sum() - m * (m + 1) / 2) / (n * m))
    ties = np.unique(scores, return_counts=True)[1].astype(np.float64)
    variance = (total + 1 - (ties**3 - ties).sum() / (total * (total - 1))) / (12 * n * m)
    return area, (area - 0.5) / np.sqrt(variance) if variance > 1e-12 else 0.0


def _balanced_error(called_batch: NDArray[np.bool_], is_batch: NDArray[np.bool_]) -> tuple[float, float]:
    """Mean of both sides' errors, and the standard score of the difference between two shares."""
    caught, false = float(called_batch[is_batch].mean()), float(called_batch[~is_batch].mean())
    m, n, called = int(is_batch.sum()), int((~is_batch).sum()), float(called_batch.mean())
    variance = called * (1 - called) * (1 / n + 1 / m)
    return (1 - caught + false) / 2, (caught - false) / np.sqrt(variance) if variance > 0 else 0.0


def _p_value(standard_scores: list[float]) -> float:
    """Of the mean of standard scores, whose variance is at most 1 however they depend on each other."""
    from scipy.special import ndtr

    return float(ndtr(-np.mean(standard_scores)))


def _importance(judged: _Judged, rng: np.random.Generator) -> Floats:
    """AUROC lost when one column of the held-out rows is shuffled, the others left as they are."""
    half = judged.half
    rows = np.concatenate(
        [np.flatnonzero(half.is_batch == side)[:_ROWS_FOR_IMPORTANCE] for side in (False, True)]
    )
    held_out, is_batch = half.held_out[rows], half.is_batch[rows]
    whole = _mann_whitney(judged.classifier.decision_function(held_out), is_batch)[0]
    lost = np.empty(held_out.shape[1])
    for j in range(len(lost)):
        shuffled = held_out.copy()
        shuffled[:, j] = rng.permutation(shuffled[:, j])
        lost[j] = whole - _mann_whitney(judged.classifier.decision_function(shuffled), is_batch)[0]
    return lost
