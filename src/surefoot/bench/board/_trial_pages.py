"""A page for every trial: one template, filled with a little JSON that the site's script draws."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from surefoot.bench.board._charts import Charts
from surefoot.bench.board._read import OF_MEASURES, SIDES, Run, specification
from surefoot.metrics import REGISTRY
from surefoot.report import _html, _words
from surefoot.report._figure import short
from surefoot.report._page import Section, page
from surefoot.report._pieces import fact
from surefoot.report._scorecard_page import QUESTIONS, question
from surefoot.report._style import SIDE_NAMES

SCRIPT, STYLE = "site.js", "site.css"
FOLDER = "trials"

_HOLE = "\ue000{}\ue001"
"""Marks of what a template leaves open: signs of no language, so that no name can be mistaken for one."""
_HOLES = re.compile("\ue000(\\w+)\ue001")


class TrialPages:
    """Writes the pages of trials; the charts that they ask for are in `charts` afterwards."""

    def __init__(self, suite: str, folder: Path, addresses: Mapping[str, str]) -> None:
        self.charts = Charts()
        self._folder = folder / FOLDER
        self._folder.mkdir(parents=True, exist_ok=True)
        self._addresses = addresses
        self._parts = _HOLES.split(_template(suite))

    def write(self, run: Run) -> None:
        """The page of a trial."""
        named = run.entry.named
        filled = {
            "title": _html.text(f"{named.method} on {named.task}"),
            "facts": _html.text(_facts(run)),
            "task": _html.text(named.task),
            "address": _html.text(self._addresses[named.task]),
            "trial": _html.inert_json(self._content(run)),
        }
        parts = [filled[part] if i % 2 else part for i, part in enumerate(self._parts)]
        (self._folder / f"{run.entry.id}.html").write_text("".join(parts), encoding="utf-8")

    def _content(self, run: Run) -> dict[str, Any]:
        content: dict[str, Any] = {
            "told": list(_told(run)),
            "specification": specification(run),
            "environment": [[_words.readable(name), fact(value)] for name, value in _environment(run)],
        }
        if run.card:
            content |= {
                "scores": list(_scores(run)),
                "charts": self.charts.of(run),
                "notes": list(run.card["notes"]),
                "set": run.judged,
            }
        if run.log:
            content["log"] = run.log
        return content


def _template(suite: str) -> str:
    """The page of any trial, open where trials differ."""
    holes = {name: _HOLE.format(name) for name in ("title", "facts", "task", "address", "trial")}
    told = '<div id="told"></div>'
    data = f'<script type="application/json" id="trial">{holes["trial"]}</script>'
    sections = (
        Section("trial-facts", "What was run", told + data, link="Trial"),
        Section("scores", "Scores", '<div id="scores-of-trial" class="stack"></div>'),
        Section("curves", "Curves", '<div id="charts" class="grid"></div>'),
        Section("specification", "Specification", '<div id="spec" class="card"></div>'),
        Section("environment", "Environment", '<div id="where" class="card"></div>'),
    )
    above = {suite: "../index.html", holes["task"]: f"../{holes['address']}"}
    return page(
        holes["title"], "trial", holes["facts"], sections, f"../{SCRIPT}", style=f"../{STYLE}", above=above
    )


def _facts(run: Run) -> str:
    named = run.entry.named
    parts = [f"Seed {named.seed}", run.state]
    if run.submitted:
        parts.append("submitted: its predictions were handed in, and scored here")
    return f"{', '.join(parts)}."


def _told(run: Run) -> Iterator[list[str]]:
    """What it took and what it is, as pairs of words."""
    named, taken, facts = run.entry.named, run.status.get("taken") or {}, run.facts
    yield ["task", named.task]
    yield ["method", named.method]
    yield ["seed", str(named.seed)]
    if reason := run.status.get("reason"):
        yield ["reason", str(reason)]
    for name, value, unit in (
        ("training", facts.get("fit_seconds"), "s"),
        ("prediction", facts.get("predict_seconds"), "s"),
        ("wall time, scoring included", taken.get("wall_seconds"), "s"),
        ("processor time", taken.get("cpu_seconds"), "s"),
        ("peak memory", taken.get("peak_bytes"), "B"),
        ("stored size", facts.get("stored_bytes"), "B"),
    ):
        if value is not None:
            yield [name, said(float(value), unit)]
    for name in ("parameters", "cost", "split_hash", "training_data", "about", "link"):
        if facts.get(name):
            yield [_words.readable(name), fact(facts[name])]
    for name in ("kind", "rows", "samples", "members", "error", "threshold", "uncertainty", "temperature"):
        if run.info.get(name) is not None:
            yield [_words.readable(name), fact(run.info[name])]


def said(value: float, unit: str) -> str:
    """Seconds and bytes as people say them.

    >>> said(0.0123, "s"), said(75.0, "s"), said(2_500_000, "B")
    ('12 ms', '75 s', '2.5 MB')
    """
    if unit == "s":
        return (
            f"{1000 * value:.2g} ms"
            if value < 0.1
            else f"{value:.3g} s"
            if value < 1000
            else f"{value:,.0f} s"
        )
    for power, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= power:
            return f"{value / power:.3g} {name}"
    return f"{value:.0f} B"


def _environment(run: Run) -> Iterator[tuple[str, Any]]:
    """Versions and the machine, but not its name."""
    for name, value in run.environment.items():
        if isinstance(value, Mapping):
            yield from value.items()
        elif value is not None and name != "host":
            yield name, value


def _scores(run: Run) -> Iterator[list[Any]]:
    """Metrics of the evaluation set: name, measure, and a score with its interval for each side."""
    found: dict[tuple[str, str | None], dict[str, Any]] = {}
    usual = run.info.get("uncertainty")
    for row in run.card["rows"]:
        shown = row["measure"] in (None, usual) or (row["side"] == "all" and row["metric"] in OF_MEASURES)
        if shown and row["set"] == run.judged and row["slice"] is None and row["value"] is not None:
            ends = [short(row[end]) for end in ("low", "high") if row[end] is not None]
            place = found.setdefault((row["metric"], row["measure"]), {})
            place[row["side"]] = [short(row["value"]), *ends]
    for (name, measure), sides in found.items():
        yield [name, measure and _words.readable(measure), *(sides.get(side) for side in SIDES)]


def words() -> dict[str, Any]:
    """What the script of the site has to know of metrics, measures, questions and sides."""
    return {
        "questions": list(QUESTIONS),
        "sides": [SIDE_NAMES[side] for side in SIDES],
        "metrics": {
            name: [
                QUESTIONS.index(question(name)),
                _words.readable(name),
                metric.direction,
                metric.not_comparable,
            ]
            for name, metric in REGISTRY.items()
        },
    }
