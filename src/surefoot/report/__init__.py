"""Pages and figures that people want to open, over scorecards, comparisons and estimates (extra `report`).

One specification of a figure gives the live chart of a page, and SVG, PDF and PNG; nothing is asked of a network.

>>> from surefoot import Predictions, evaluate
>>> p = Predictions.classification([[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]], [0, 1, 1])
>>> "<!DOCTYPE html>" in render(evaluate(p), script="vega.js")
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from surefoot._checks import choice
from surefoot.report._extra import figure_format, require

if TYPE_CHECKING:
    from surefoot.compare import Comparison
    from surefoot.estimators import Estimate
    from surefoot.estimators.benchmark import Results
    from surefoot.report._style import Chart
    from surefoot.scorecard import Scorecard

OF_SCORECARDS = ("retention", "f1", "reliability", "density", "slices")
OF_COMPARISONS = ("ranks", "differences", "dee")
KINDS = (*OF_SCORECARDS, *OF_COMPARISONS)
"""Kinds of figures."""

__all__ = [
    "KINDS",
    "OF_COMPARISONS",
    "OF_SCORECARDS",
    "figure",
    "figure_format",
    "read",
    "render",
    "render_estimates",
    "require",
    "save",
    "save_benchmark",
    "save_estimates",
    "save_figure",
    "script",
]


def render(result: Scorecard | Comparison, script: str = "inline") -> str:
    """One self-contained page, under 2 MB, that works without a network.

    ``script`` says where the 0.9 MB of drawing code are: in the page ("inline"), or in a file at a URL that several
    pages share, whose text `script` gives. Without the code a page still shows every picture.
    """
    require()
    from surefoot.compare import Comparison

    if isinstance(result, Comparison):
        from surefoot.report._comparison_page import comparison_page

        return comparison_page(result, script)
    from surefoot.report._scorecard_page import scorecard_page

    return scorecard_page(result, script)


def save(result: Scorecard | Comparison, path: str | PathLike[str], script: str = "inline") -> None:
    """Write the page of `render` to a file, completely or not at all."""
    _write(render(result, script), path)


def render_estimates(
    found: Mapping[str, Estimate], *, min_accuracy: float | None = None, script: str = "inline"
) -> str:
    """A page such as `render` makes of estimates of one score, by the name of their batch and in their order.

    ``min_accuracy`` is a gate: a batch passes when its lower bound is at least that.
    """
    require()
    from surefoot.report._estimate_page import estimate_page

    return estimate_page(found, min_accuracy, script)


def save_estimates(
    found: Mapping[str, Estimate],
    path: str | PathLike[str],
    *,
    min_accuracy: float | None = None,
    script: str = "inline",
) -> None:
    """Write the page of `render_estimates` to a file, completely or not at all."""
    _write(render_estimates(found, min_accuracy=min_accuracy, script=script), path)


def save_benchmark(results: Results, path: str | PathLike[str], script: str = "inline") -> None:
    """Write the page of `surefoot estimate benchmark`, completely or not at all."""
    require()
    from surefoot.report._benchmark_page import benchmark_page

    _write(benchmark_page(results, script), path)


def script() -> str:
    """Text of the drawing code (Vega, Vega-Lite and Vega-Embed) for a file that several pages share."""
    require()
    from surefoot.report import _draw

    return _draw.script()


def figure(
    kind: str,
    results: Sequence[Scorecard | Comparison],
    *,
    metric: str | None = None,
    dataset: str | None = None,
) -> Chart:
    """A single figure with its title, as an Altair chart (``.properties(title="")`` takes the title off).

    Args:
        kind: one of `KINDS`. "retention" and "f1" are retention curves, by side of one scorecard or of several
            scorecards beside each other, and so is "reliability"; "density" and "slices" are of one scorecard;
            "ranks" (the critical-difference diagram), "differences" and "dee" (deep ensemble equivalents) are of
            one comparison.
        results: what to draw from.
        metric: `[side.]metric[@measure]` for "slices", "ranks" and "differences". Default: accuracy, or what fits
            the error.
        dataset: for "differences" and "dee" of several datasets.
    """
    choice("kind", kind, KINDS)
    require()
    from textwrap import wrap

    from surefoot.report._choose import chosen
    from surefoot.report._style import TITLE_LETTERS

    found = chosen(kind, results, metric, dataset)
    return found.chart.properties(title=wrap(found.title, TITLE_LETTERS))


def save_figure(chart: Chart, path: str | PathLike[str]) -> None:
    """Write a figure on white paper as `.svg`, `.pdf` or `.png`, completely or not at all."""
    require()
    from surefoot.report import _draw

    _draw.save(chart, path)


def read(path: str | PathLike[str]) -> Scorecard | Comparison:
    """A scorecard or comparison out of the JSON that `to_json` wrote (scorecards behind a comparison are not in it)."""
    from surefoot.report import _read

    return _read.read(path)


def _write(page: str, path: str | PathLike[str]) -> None:
    from surefoot._atomic import atomic

    with atomic(path) as temporary:
        temporary.write_text(page, encoding="utf-8")
