"""The page of the benchmark: claims, errors, intervals, true drops, ablation, sensitivity, every dataset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from surefoot.estimators.benchmark import Claim, Results, claims, tables
from surefoot.estimators.benchmark._entrants import OURS, PREDICTOR, PUBLISHED
from surefoot.estimators.benchmark._tables import ablation, domains, kinds, methods, overview
from surefoot.report import _benchmark_figures as figures
from surefoot.report import _words
from surefoot.report._figure import Figure
from surefoot.report._finding import BAD, CAUTION, GOOD
from surefoot.report._html import figure, fold, paragraph, plain_table, tag, text
from surefoot.report._page import Section, page
from surefoot.report._pieces import about

_GRADES = {"holds": GOOD, "mostly": CAUTION, "does not hold": BAD}


def benchmark_page(results: Results, script: str) -> str:
    """The whole page."""
    names = sorted(results.there("dataset"))
    title = f"Accuracy without labels, on {_words.count(len(names), 'dataset')}"
    return page(
        title, "benchmark", f"Datasets: {_words.joined(names)}. {_size(results)}", _sections(results), script
    )


def _size(results: Results) -> str:
    """How large the run was, beside the paper's."""
    seeds, most = len(np.unique(results["seed"])), int(results["training_domains"].max())
    each = _words.count(most, "training domain")
    return f"{_words.count(seeds, 'seed')} and up to {each} of each kind, where the paper has 10 and 100."


def _sections(results: Results) -> Iterator[Section]:
    compared = results.where(experiment=(PUBLISHED, OURS))
    found = list(claims(results))
    yield Section(
        "verdict", "Verdict", _short(found) + _cards(found),
        "What holds of the claims of Maggio et al. 2022, Performance prediction under dataset shift: a claim holds if "
        "it does in nine of ten cases that are counted, and mostly in six of ten.",
    )  # fmt: skip
    if len(compared):
        yield Section(
            "errors", "Errors of the estimates",
            _rows(means=_means(compared), errors=_errors(compared)),
            "How far estimated accuracies are from true ones, over all datasets and seeds. MAE_CI counts an estimate "
            "inside the interval of the truth as right.",
            "Errors",
        )  # fmt: skip
        yield Section(
            "intervals", "Intervals", _grid("intervals", _intervals(compared)),
            "Published methods have the binomial interval, ours the calibrated one; both are meant to hold 95\u202f%.",
        )  # fmt: skip
        dataset = _example(compared)
        drops = [figures.drops(compared.where(dataset=dataset), dataset)]
        yield Section(
            "drops", "What the shifts do", _grid("drops", drops),
            "Without a true fall of the accuracy there is nothing to estimate.",
            "Shifts",
        )  # fmt: skip
    yield Section(
        "closer", "Variants and amounts of training",
        _rows(variants=_variants(results), amounts=_amounts(results)),
        "The paper's error predictor with other learners and features, and trained on fewer kinds of shift or domains.",
        "Variants",
    )  # fmt: skip
    yield Section(
        "datasets", "Every dataset", _grid("datasets", figures.of_datasets(compared)) if len(compared) else "",
        f"Absolute errors by test set{_shown(results)}.",
        "Datasets",
    )  # fmt: skip
    yield Section("tables", "All tables", _tables(results), link="Tables")
    runs = overview(results)
    facts = tag("div", tag("div", plain_table(runs, "runs")) + about({}), class_="stack")
    yield Section("about", "Data and versions", facts, link="About")


def _shown(results: Results) -> str:
    """Which datasets have a figure, if not all."""
    if len(results.there("dataset")) <= figures.MOST_DATASETS:
        return ""
    return f", of the first {figures.MOST_DATASETS} datasets; the tables have all"


def _example(results: Results) -> str:
    """The dataset that figures 1 and 2 show: the one whose accuracy falls farthest in the mean."""
    falls: dict[str, float] = {
        dataset: float((some["truth"] - some["reference"]).mean())
        for (dataset,), some in results.by("dataset")
    }
    return min(falls, key=falls.__getitem__)


def _short(found: Iterable[Claim]) -> str:
    by: dict[str, int] = dict.fromkeys(_GRADES, 0)
    for claim in found:
        by[claim.verdict] += 1
    total = sum(by.values())
    said = (
        f"In short: of {_words.count(total, 'claim')} {by['holds']} hold, {by['mostly']} mostly hold, and "
        f"{by['does not hold']} do not."
    )
    return paragraph(said, class_="short") if total else ""


def _cards(found: Iterable[Claim]) -> str:
    items = "".join(
        tag(
            "li",
            tag("span", text(claim.verdict), class_="chip")
            + paragraph(claim.said, class_="claim")
            + paragraph(f"Here: {claim.found}.", class_="detail"),
            class_=f"card finding {_GRADES[claim.verdict]}",
        )
        for claim in found
    )
    return tag("ul", items, class_="findings") if items else ""


def _means(results: Results) -> Iterator[Figure]:
    yield figures.lines(results, lambda some: some.mae_ci, "MAE_CI", "over all datasets")
    yield figures.lines(results, lambda some: some.mae, "Mean absolute error", "over all datasets")


def _errors(results: Results) -> Iterator[Figure]:
    yield figures.boxes(results, "Absolute errors on all datasets")


def _intervals(results: Results) -> Iterator[Figure]:
    dataset = _example(results)
    seed = min(results["seed"].tolist())
    mine = results.where(dataset=dataset)
    mine = mine.take(mine["seed"] == seed)
    for method in (PREDICTOR, "Auto"):
        if method in mine.there("method"):
            yield figures.intervals(mine, method, dataset)


def _variants(results: Results) -> Iterator[Figure]:
    if len(variants := ablation(results)):
        names = _words.joined(sorted(variants.there("dataset")))
        shown = methods(variants)
        yield figures.boxes(
            _nicknamed(variants), f"Variants of the error predictor, {names}", _nicknames(shown)
        )


def _nicknamed(results: Results) -> Results:
    """The same with names of methods that leave room for many in a legend."""
    methods_ = _nicknames(results.names["method"])
    return replace(results, names={**results.names, "method": methods_})


def _nicknames(methods_: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.removeprefix("ErrorPredictor") or name for name in methods_)


def _amounts(results: Results) -> Iterator[Figure]:
    if len(some := kinds(results)):
        yield figures.sensitivity(
            some, "kinds", "Kinds of shift in training", "kinds of shift, no shift among them"
        )
    if len(some := domains(results)):
        yield figures.sensitivity(
            some, "domains", "Training domains of each kind", "training domains of each kind"
        )


def _grid(name: str, drawn: Iterable[Figure]) -> str:
    inside = "".join(figure(one, f"figure-{name}-{i}") for i, one in enumerate(drawn))
    return tag("div", inside, class_="grid") if inside else ""


def _rows(**drawn: Iterable[Figure]) -> str:
    """Grids below each other: a figure that is alone in its grid takes the whole width."""
    grids = "".join(_grid(name, some) for name, some in drawn.items())
    return tag("div", grids, class_="stack") if grids else ""


def _tables(results: Results) -> str:
    return "".join(fold(one.title, plain_table(one, f"table-{i}")) for i, one in enumerate(tables(results)))
