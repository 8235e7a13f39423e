"""What the paper claims, beside what the results say of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from surefoot.estimators.benchmark._entrants import OURS, PREDICTOR, PUBLISHED
from surefoot.estimators.benchmark._results import Results
from surefoot.estimators.benchmark._scenarios import NATURAL, NONE, SEVERITY, SHIFT, SUBPOPULATION
from surefoot.estimators.benchmark._tables import (
    SET_WORDS,
    Measure,
    ablation,
    averaged,
    domains,
    kinds,
    number,
    numbers,
    sets,
)
from surefoot.scorecard import Table

HOLDS, MOSTLY = 0.9, 0.6
"""Shares of the cases from which a claim holds, or mostly does."""

ENOUGH = 10
"""Training domains of each kind, of which the paper says that more do not help."""

FOOTNOTE = f"holds: in at least {HOLDS:.0%} of the cases that are counted; mostly: in at least {MOSTLY:.0%}"

Cells = dict[tuple[str, str], float]


@dataclass(frozen=True)
class Claim:
    """A claim, what was found, and the share of cases (or 1 and 0) in which it is so."""

    said: str
    found: str
    share: float

    @property
    def verdict(self) -> str:
        """In a word.

        >>> [Claim("", "", share).verdict for share in (1, 0.7, 0.2)]
        ['holds', 'mostly', 'does not hold']
        """
        return "holds" if self.share >= HOLDS else "mostly" if self.share >= MOSTLY else "does not hold"


def claims_table(results: Results) -> Table:
    """All claims that the results tell something about."""
    rows = tuple((claim.said, claim.found, claim.verdict) for claim in claims(results))
    return Table("The paper's claims", ("the paper", "here", ""), rows, FOOTNOTE)


def claims(results: Results) -> Iterator[Claim]:
    """The claims of sections V to VII and of appendix B."""
    published = results.where(experiment=PUBLISHED)
    if len(published):
        yield from _of_tables(_cells(published, lambda some: some.mae_ci))
        yield _of_intervals(published.where(method=PREDICTOR))
    variants = ablation(results)
    if len(variants.where(experiment=PUBLISHED)):
        yield from _of_variants(_cells(variants, lambda some: some.mae))
    if len(counted := kinds(results)):
        yield _of_kinds(counted)
    if len(counted := domains(results)):
        yield from _of_domains(counted)
    both = results.where(experiment=(PUBLISHED, OURS), method=(PREDICTOR, "Auto"))
    if len(both.there("method")) > 1:
        yield _of_auto(_cells(both, lambda some: some.mae))


def _cells(results: Results, measure: Measure) -> dict[str, Cells]:
    """Of every method a measure by dataset and test set, averaged over seeds."""
    found: dict[str, Cells] = {}
    for (method, dataset, name), some in results.by("method", "dataset", "set"):
        found.setdefault(method, {})[dataset, name] = averaged(some, measure)
    return found


def _better(one: Cells, other: Cells, *only: str) -> tuple[int, int]:
    """In how many of the cells that both have the first is as good or better, and how many there are."""
    cells = [cell for cell in one if cell in other and (not only or cell[1] in only)]
    return sum(one[cell] <= other[cell] + 1e-12 for cell in cells), len(cells)


def _share(pairs: list[tuple[int, int]]) -> float:
    return sum(k for k, _ in pairs) / max(sum(n for _, n in pairs), 1)


def _of(pair: tuple[int, int]) -> str:
    return f"{pair[0]} of {pair[1]}"


def _of_tables(found: dict[str, Cells]) -> Iterator[Claim]:
    mine, atc = found[PREDICTOR], found["ATC"]
    experts = {name: found[name] for name in ("ExpertRF [3]", "ExpertRF [2]")}
    against = {name: _better(mine, cells) for name, cells in experts.items()}
    yield Claim(
        "The error predictor outperforms the expert models in all cases (MAE_CI; VI-C).",
        "as good or better than "
        + " and ".join(f"{name} in {_of(pair)} cells of the tables" for name, pair in against.items()),
        _share(list(against.values())),
    )
    moved = {name: _better(mine, atc, name) for name in (SEVERITY, SHIFT)}
    yield Claim(
        "It beats ATC, especially on synthetic shifts (MAE_CI; VI-C).",
        "; ".join(f"{SET_WORDS[name]}: on {_of(pair)} datasets" for name, pair in moved.items()),
        _share(list(moved.values())),
    )
    excepted = {name: _better(atc, mine, name) for name in (NONE, NATURAL, SUBPOPULATION)}
    yield Claim(
        "Only without shift and on some natural shifts is ATC as good (VI-C); on subpopulations they are alike "
        "(appendix C).",
        "ATC is as good or better: "
        + "; ".join(f"{SET_WORDS[name]} on {_of(pair)} datasets" for name, pair in excepted.items())
        + " (without shift counts)",
        _share([excepted[NONE]]),
    )
    worse = [_better(cells, atc, SEVERITY, SHIFT) for cells in experts.values()]
    yield Claim(
        "ATC is generally worse than the expert models where cells are moved (VI-C).",
        "; ".join(
            f"{name} as good or better in {_of(pair)} cells"
            for name, pair in zip(experts, worse, strict=True)
        ),
        _share(worse),
    )


def _of_intervals(results: Results) -> Claim:
    picp, mpiw = averaged(results, lambda some: some.picp), averaged(results, lambda some: some.mpiw)
    return Claim(
        "The binomial interval of the error predictor covers 0.839 at a mean width of 0.077 (V; Video Games).",
        f"covers {number(picp)} at a mean width of {number(mpiw)}; its nominal level is 0.95",
        float(picp >= 0.839 - 0.05),
    )


def _of_variants(found: dict[str, Cells]) -> Iterator[Claim]:
    mine = found[PREDICTOR]

    def against(name: str) -> tuple[str, tuple[int, int]]:
        pair = _better(mine, found[name])
        means = (number(float(np.mean(list(cells.values())))) for cells in (mine, found[name]))
        return f"{' against '.join(means)} ({name}), as good or better in {_of(pair)} cells", pair

    for said, names in (
        ("Training on shifted data helps (figure 5; VI-D).", ("ErrorPredictorRF_no_shift",)),
        (
            "The forest beats gradient boosting and neighbours (figure 5; VI-E).",
            ("ErrorPredictorGradBoost", "ErrorPredictorKNN"),
        ),
    ):
        parts = [against(name) for name in names if name in found]
        words = "mean absolute error " + "; ".join(words for words, _ in parts)
        yield Claim(said, words, _share([pair for _, pair in parts]))


def _by_number(results: Results, what: str, name: str) -> dict[int, float]:
    some = results.where(set=name)
    counts = numbers(some, what)
    return {
        int(count): averaged(some.take(counts == count), lambda one: one.mae) for count in np.unique(counts)
    }


def _of_kinds(results: Results) -> Claim:
    found = {name: _by_number(results, "kinds", name) for name in sets(results)}
    ends = {name: (line[min(line)], line[max(line)]) for name, line in found.items()}
    words = "; ".join(f"{SET_WORDS[name]} {number(a)} → {number(b)}" for name, (a, b) in ends.items())
    moved = [ends[name] for name in (SEVERITY, SHIFT) if name in ends]
    return Claim(
        "More kinds of shift in training help, mostly on perturbations (figure 6a).",
        f"mean absolute error with 1 kind → with all: {words}",
        float(np.mean([b < a for a, b in moved])) if moved else 0.0,
    )


def _of_domains(results: Results) -> Iterator[Claim]:
    found = {name: _by_number(results, "domains", name) for name in sets(results)}
    most = {name: max(line) for name, line in found.items()}
    if not all(ENOUGH in line and most[name] > ENOUGH for name, line in found.items()):
        return  # there is nothing to hold against each other
    ends = {name: (line[ENOUGH], line[most[name]]) for name, line in found.items()}
    words = "; ".join(f"{SET_WORDS[name]} {number(a)} → {number(b)}" for name, (a, b) in ends.items())
    yield Claim(
        f"More than {ENOUGH} domains of each kind do not help (figure 6b).",
        f"mean absolute error with {ENOUGH} → with {max(most.values())}: {words}",
        float(np.mean([b > 0.95 * a for a, b in ends.values()])),
    )


def _of_auto(found: dict[str, Cells]) -> Claim:
    mine, other = found["Auto"], found[PREDICTOR]
    pair = _better(mine, other)
    means = [number(float(np.mean(list(cells.values())))) for cells in (mine, other)]
    return Claim(
        "Not in the paper: Auto is better than the paper's error predictor.",
        f"mean absolute error {' against '.join(means)}, as good or better in {_of(pair)} cells",
        pair[0] / max(pair[1], 1),
    )
