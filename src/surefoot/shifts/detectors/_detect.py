"""All detectors on one batch, at one false-alarm rate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from surefoot import __version__
from surefoot._checks import choice
from surefoot.errors import InputError
from surefoot.shifts.detectors._bbsd import bbsd_hard, bbsd_soft
from surefoot.shifts.detectors._column_tests import ColumnTests, column_tests_of_pair
from surefoot.shifts.detectors._confidence import confidence_drop
from surefoot.shifts.detectors._detection import ColumnMove, Detection, NamedTest
from surefoot.shifts.detectors._domain_classifier import DomainClassification, domain_classifier_of_pair
from surefoot.shifts.detectors._encode import comparable, for_kernels
from surefoot.shifts.detectors._mmd import mmd_of_rows
from surefoot.shifts.detectors._pair import Pair, open_pair
from surefoot.shifts.detectors._result import ShiftTest, bonferroni, level

_OF_PROBABILITIES: dict[str, tuple[str, Callable[[Any, Any], ShiftTest]]] = {
    "bbsd_soft": ("KS", bbsd_soft),
    "bbsd_hard": ("χ²", bbsd_hard),
    "confidence_drop": ("drop", confidence_drop),
}
TESTS = ("columns", "domain_classifier", "mmd", *_OF_PROBABILITIES)
"""The tests that `detect` knows; the last three need class probabilities."""

FEWEST_ROWS = 20
"""Rows a side below which `detect` refuses to say anything."""

_MOST_ROWS = {"domain_classifier": 10_000, "mmd": 2_000}


def detect(
    reference: Any,
    batch: Any,
    *,
    probs_reference: ArrayLike | None = None,
    probs_batch: ArrayLike | None = None,
    target: str | None = None,
    ignore: Iterable[str] = (),
    alpha: float = 0.05,
    tests: Sequence[str] | None = None,
    seed: int = 0,
) -> Detection:
    """Has the batch moved away from the reference, and which columns most?

    Every test is held to alpha divided by the number of tests (Bonferroni), so that together they raise a
    false alarm with probability alpha at most. Without ``tests`` all run for which there is data: `columns`,
    `domain_classifier` (on at most 10,000 rows a side) and `mmd` (2,000 rows), and with class probabilities
    `bbsd_soft`, `bbsd_hard` and `confidence_drop`. ``target`` names the column of labels: it is not looked at
    as an input, and where both tables have it, it is a test of its own.

    >>> reference = np.random.default_rng(0).normal(size=(400, 2))
    >>> found = detect(reference[:200], reference[200:] + [0, 1], tests=["columns"])
    >>> print(found.verdict)
    The batch has moved: 1 of 2 columns, most of all 1 (median ... → ...)
    """
    level(alpha)
    ignored = sorted(ignore)
    chosen = _chosen(tests, probs_reference, probs_batch)
    opened, labels = _opened(reference, batch, target, ignored)
    pair = comparable(opened)
    n, m = len(pair.reference), len(pair.batch)
    if min(n, m) < FEWEST_ROWS:
        raise InputError(
            f"at least {FEWEST_ROWS} rows a side are needed to tell a shift from chance; "
            f"the reference has {n} and the batch {m}"
        )
    count = len(chosen) + (labels is not None)
    columns = column_tests_of_pair(pair, seed=seed)
    named: list[NamedTest] = []
    classified = None
    for name in chosen:
        if name == "columns":
            named.append(_of_columns(name, columns, count, alpha))
        elif name == "domain_classifier":
            classified = domain_classifier_of_pair(pair.take(_MOST_ROWS[name], seed), seed=seed)
            named.append(_named(name, "AUROC", classified, count, alpha))
        elif name == "mmd":
            x, y = for_kernels(pair.take(_MOST_ROWS[name], seed))
            found = mmd_of_rows(x, y, permutations=_permutations(alpha / count), seed=seed)
            named.append(_named(name, "MMD²", found, count, alpha))
        else:
            unit, test = _OF_PROBABILITIES[name]
            named.append(_named(name, unit, test(probs_reference, probs_batch), count, alpha))
    if labels is not None:
        named.append(_of_columns("target", column_tests_of_pair(labels, seed=seed), count, alpha))
    return Detection(
        drifted=any(one.drifted for one in named),
        alpha=alpha,
        tests=tuple(named),
        columns=_moves(columns, count, alpha, classified),
        notes=tuple(_notes(opened, columns, named)),
        info={
            "n_reference": n,
            "n_batch": m,
            "target": target,
            "ignored": ignored,
            "seed": seed,
            "version": __version__,
        },
    )


def _chosen(
    tests: Sequence[str] | None, probs_reference: ArrayLike | None, probs_batch: ArrayLike | None
) -> list[str]:
    """The tests to run, in their usual order."""
    if (probs_reference is None) != (probs_batch is None):
        lacking = "probs_reference" if probs_reference is None else "probs_batch"
        raise InputError(f"{lacking} is missing; give the probabilities of both samples or of neither")
    if tests is None:
        return [name for name in TESTS if probs_batch is not None or name not in _OF_PROBABILITIES]
    for name in tests:
        choice("a test", name, TESTS)
        if name in _OF_PROBABILITIES and probs_batch is None:
            raise InputError(f"{name} needs class probabilities; give probs_reference and probs_batch")
    if not tests:
        raise InputError(f"tests is empty; give some of {', '.join(TESTS)}")
    return [name for name in TESTS if name in tests]


def _opened(reference: Any, batch: Any, target: str | None, ignored: list[str]) -> tuple[Pair, Pair | None]:
    """The inputs, and the labels where both tables have them."""
    if target is None:
        return open_pair(reference, batch, ignore=ignored), None
    pair = open_pair(reference, batch, ignore=ignored, optional=target)
    if target not in pair.reference.names:
        return pair, None
    return pair.select(set(pair.reference.names) - {target}), pair.select([target])


def _permutations(alpha: float) -> int:
    """Enough that the smallest p-value is well under alpha."""
    return int(np.clip(np.ceil(2 / alpha), 499, 9_999))


def _named(name: str, unit: str, test: ShiftTest, count: int, alpha: float) -> NamedTest:
    adjusted = bonferroni(test.p_value, count)
    return NamedTest(
        name, unit, test.statistic, test.p_value, adjusted, adjusted <= alpha, test.n_reference, test.n_batch
    )


def _of_columns(name: str, columns: ColumnTests, count: int, alpha: float) -> NamedTest:
    """All columns as one test: its statistic is the move of the column with the smallest p-value."""
    strongest = columns.strongest
    n, m = strongest.missing.n_reference, strongest.missing.n_batch
    together = ShiftTest(strongest.moved_by, float(columns.p_value.min()), n, m)
    return _named(name, "largest move", together, count, alpha)


def _moves(
    columns: ColumnTests, count: int, alpha: float, classified: DomainClassification | None
) -> tuple[ColumnMove, ...]:
    """The columns by how much they moved, those that did so significantly first."""
    importance: dict[str, float] = {}
    if classified is not None:
        importance = dict(zip(classified.names, classified.importance.tolist(), strict=True))
    moves = []
    for column in columns.ranked(alpha / count):
        adjusted = bonferroni(column.p_value, columns.tests * count)
        moves.append(
            ColumnMove(
                name=column.name,
                kind=column.kind,
                moved=adjusted <= alpha,
                moved_by=column.moved_by,
                effect=column.effect,
                p_value=adjusted,
                missing_reference=column.missing_reference,
                missing_batch=column.missing_batch,
                unseen=column.unseen,
                importance=importance.get(column.name),
                change=column.change,
            )
        )
    return tuple(moves)


def _notes(opened: Pair, columns: ColumnTests, named: list[NamedTest]) -> Iterator[str]:
    n, m = len(opened.reference), len(opened.batch)
    for name, most in _MOST_ROWS.items():
        if max(n, m) > most and any(one.name == name for one in named):
            yield f"{name} looked at a random {min(n, most):,} rows of the reference and {min(m, most):,} of the batch."
    if times := [column.name for column in opened.reference.columns if column.kind == "other"]:
        yield f"Left out, because a batch is always of another time: {', '.join(times)}."
    for column in columns.columns:
        if column.unseen:
            yield (
                f"{column.name}: {100 * column.unseen:.1f} % of the batch's rows have a category that the "
                "reference never has."
            )
