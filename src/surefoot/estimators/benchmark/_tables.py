"""The paper's tables III to VII, its metrics of intervals, and figures 5 and 6 as numbers, out of results alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from surefoot.estimators.benchmark._entrants import (
    ABLATION,
    DOMAINS_OF,
    KINDS_OF,
    METHODS,
    OURS,
    PREDICTOR,
    PUBLISHED,
)
from surefoot.estimators.benchmark._results import Results
from surefoot.estimators.benchmark._scenarios import NATURAL, NONE, SETS, SEVERITY, SHIFT, SUBPOPULATION
from surefoot.scorecard import Table

NUMBERS = {SHIFT: "III", NATURAL: "IV", NONE: "V", SEVERITY: "VI", SUBPOPULATION: "VII"}
"""Numbers of the paper's tables by test set."""

SET_WORDS = {
    SEVERITY: "unseen severity",
    SHIFT: "unseen shift",
    SUBPOPULATION: "unseen subpopulation",
    NATURAL: "natural",
    NONE: "no shift",
}
"""Test sets as people call them."""

Measure = Callable[[Results], float]


def tables(results: Results) -> Iterator[Table]:
    """All tables for which there are results."""
    yield overview(results)
    compared = results.where(experiment=(PUBLISHED, OURS))
    if len(compared):
        for name, number in NUMBERS.items():
            if len(some := compared.where(set=name)):
                yield errors(some, f"Table {number}: {SET_WORDS[name]}, MAE_CI 0.05")
        yield by_method(compared, "Mean absolute error", lambda some: some.mae)
        yield by_method(compared, "ACC_CI: share of estimates inside the interval of the truth", _acc_ci)
        yield by_method(compared, "PICP: share of truths inside the interval of the estimate", _picp)
        yield by_method(compared, "MPIW: mean width of the intervals", _mpiw)
        yield seconds(compared)
    if len(variants := ablation(results)):
        yield by_method(variants, "Figure 5: variants of the error predictor, mean absolute error", _mae)
    if len(counted := kinds(results)):
        yield by_number(counted, "Figure 6a: kinds of shift in training, mean absolute error", "kinds")
    if len(counted := domains(results)):
        yield by_number(counted, "Figure 6b: training domains of each kind, mean absolute error", "domains")


def methods(results: Results) -> list[str]:
    """Methods among these results, in the order of the tables."""
    known = [name for several in METHODS.values() for name in several]
    there = results.there("method")
    return sorted(there, key=lambda name: known.index(name) if name in known else len(known))


def sets(results: Results) -> list[str]:
    """Test sets among these results, in the paper's order."""
    return [name for name in SETS if name in results.there("set")]


def ablation(results: Results) -> Results:
    """Figure 5's results: the variants, and the published error predictor on the same test batches."""
    return beside_published(results, ABLATION)


def domains(results: Results) -> Results:
    """Figure 6b's results: fewer domains, and beside them all that there are."""
    return beside_published(results, DOMAINS_OF)


def kinds(results: Results) -> Results:
    """Figure 6a's results."""
    return results.where(experiment=KINDS_OF)


def beside_published(results: Results, experiment: str) -> Results:
    """Results of an experiment, and of the published error predictor on the same datasets and seeds."""
    own = results.where(experiment=experiment)
    pairs = set(zip(own["dataset"].tolist(), own["seed"].tolist(), strict=True))
    mine = results["experiment"] == _code(results, "experiment", experiment)
    published = (results["experiment"] == _code(results, "experiment", PUBLISHED)) & (
        results["method"] == _code(results, "method", PREDICTOR)
    )
    same = [pair in pairs for pair in zip(results["dataset"].tolist(), results["seed"].tolist(), strict=True)]
    return results.take(mine | (published & np.array(same, dtype=bool)))


def _code(results: Results, column: str, name: str) -> int:
    return results.names[column].index(name) if name in results.names[column] else -1


def overview(results: Results) -> Table:
    """What was run, as table I."""
    rows = []
    for (dataset,), some in results.by("dataset"):
        accuracies = [float(one["reference"][0]) for _, one in some.by("seed")]
        batches = {key for key, _ in some.by("seed", "set", "kind", "batch")}
        rows.append((dataset, str(len(accuracies)), f"{len(batches):,}", spread(accuracies)))
    rows.sort()
    return Table(
        "What was run",
        ("dataset", "seeds", "test batches", "accuracy on labelled rows"),
        tuple(rows),
        "± is the standard deviation over seeds, here and below",
    )


def errors(results: Results, title: str) -> Table:
    """MAE_CI per dataset and method, mean and standard deviation over seeds; below, the mean over datasets."""
    names = methods(results)
    cells = {
        (dataset, method): [one.mae_ci for _, one in some.by("seed")]
        for (dataset, method), some in results.by("dataset", "method")
    }
    datasets = sorted(results.there("dataset"))
    rows = [(dataset, *(spread(cells.get((dataset, name), [])) for name in names)) for dataset in datasets]
    means = [
        [np.mean(cells[dataset, name]) for dataset in datasets if (dataset, name) in cells] for name in names
    ]
    rows.append(("mean", *(number(float(np.mean(mean))) for mean in means)))
    return Table(title, ("dataset", *names), tuple(rows))


def by_method(results: Results, title: str, measure: Measure) -> Table:
    """A measure per method and test set, of every dataset and seed by itself, then averaged over them."""
    there = sets(results)
    rows = []
    for name in methods(results):
        mine = results.where(method=name)
        each = [averaged(mine.where(set=one), measure) for one in there]
        rows.append((name, *(number(value) for value in each), number(float(np.nanmean(each)))))
    return Table(title, ("method", *(SET_WORDS[name] for name in there), "mean"), tuple(rows))


def by_number(results: Results, title: str, what: str) -> Table:
    """The mean absolute error by number of training kinds, or of training domains of each."""
    there = sets(results)
    counts = numbers(results, what)
    rows = []
    for count in np.unique(counts):
        mine = results.take(counts == count)
        rows.append((str(count), *(number(averaged(mine.where(set=one), _mae)) for one in there)))
    return Table(title, (what, *(SET_WORDS[name] for name in there)), tuple(rows))


def numbers(results: Results, what: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Of every row how many kinds of shift were trained on, or how many domains of each."""
    if what == "domains":
        return np.asarray(results["training_domains"])
    count = np.array([name.count("+") + 1 for name in results.names["training_kinds"]])
    return np.asarray(count[results["training_kinds"]])


def seconds(results: Results) -> Table:
    """What the methods cost."""
    rows = []
    for name in methods(results):
        mine = results.where(method=name)
        fit, estimate = float(mine["fit_seconds"].mean()), 1000 * float(mine["estimate_seconds"].mean())
        rows.append((name, f"{fit:.1f}", f"{estimate:.2f}"))
    header = ("method", "seconds to learn", "milliseconds a batch")
    return Table("Cost", header, tuple(rows), "beside the model's own predictions of the test batches")


def averaged(results: Results, measure: Measure) -> float:
    """A measure of every dataset and seed, averaged; NaN where there is nothing."""
    each = [measure(some) for _, some in results.by("dataset", "seed")]
    return float(np.mean(each)) if each else float("nan")


def spread(values: Sequence[float]) -> str:
    """Mean ± standard deviation of seeds; of one seed there is none.

    >>> spread([0.01, 0.03]), spread([0.01]), spread([])
    ('0.020 ± 0.014', '0.010', '–')
    """
    if not values:
        return "–"
    mean = number(float(np.mean(values)))
    return f"{mean} ± {number(float(np.std(values, ddof=1)))}" if len(values) > 1 else mean


def number(value: float) -> str:
    """Three digits, as in the paper.

    >>> number(0.0314), number(float("nan"))
    ('0.031', '–')
    """
    return "–" if np.isnan(value) else f"{value:.3f}"


def _mae(results: Results) -> float:
    return results.mae


def _acc_ci(results: Results) -> float:
    return results.acc_ci


def _picp(results: Results) -> float:
    return results.picp


def _mpiw(results: Results) -> float:
    return results.mpiw
