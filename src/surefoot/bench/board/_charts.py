"""The charts of trials: a specification for each shape of chart, made once, and the few numbers that a trial adds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from surefoot.bench.board._read import Run
from surefoot.report import _density, _draw, _html, _reliability, _retention
from surefoot.report._figure import Curve, Figure
from surefoot.report._style import SIDE_NAMES

ROWS = "rows"
"""The dataset of a specification that a trial fills in."""

Spec = dict[str, Any]


class Charts:
    """Specifications by their names, as trials have asked for them."""

    def __init__(self) -> None:
        self.specs: dict[str, Spec] = {}

    def of(self, run: Run) -> list[dict[str, Any]]:
        """The charts of a trial: the name of the specification, title, words and rows of each."""
        return [*self._retentions(run), *self._reliabilities(run), *self._densities(run)]

    def _made(self, name: str, figure: Callable[[], Figure]) -> str:
        if name not in self.specs:
            self.specs[name] = _without_rows(_draw.page_spec(figure().chart))
        return name

    def _retentions(self, run: Run) -> Iterator[dict[str, Any]]:
        measure = str(run.info.get("uncertainty", ""))
        for what, metric in (("error", "r_auc"), ("f1", "f1_auc")):
            curves = _sides(run, f"{what}_retention", ("all", "in", "shifted"))
            if "all" in curves:
                words = _retention.said_by_side(curves, what, measure, _area(run, metric))
                yield {
                    "spec": self._made(
                        f"{what} {' '.join(curves)}",
                        lambda curves=curves, what=what: _retention.by_side(curves, what, measure),  # type: ignore[misc]
                    ),
                    "title": _retention.TEXT[what][0],
                    "words": words,
                    ROWS: _html.packed(_retention.rows_by_side(curves)),
                }

    def _reliabilities(self, run: Run) -> Iterator[dict[str, Any]]:
        curves = _sides(run, "reliability", ("in", "shifted")) or _sides(run, "reliability", ("all",))
        if curves:
            named = {SIDE_NAMES[side]: curve for side, curve in curves.items()}
            yield {
                "spec": self._made(
                    f"reliability {' '.join(curves)}", lambda: _reliability.reliability(curves)
                ),
                "title": _reliability.TITLE,
                "words": _reliability.said(named),
                ROWS: _html.packed(_reliability.rows(named)),
            }

    def _densities(self, run: Run) -> Iterator[dict[str, Any]]:
        curve = _sides(run, "density", ("all",)).get("all")
        if curve:
            measure, kind = str(run.info["uncertainty"]), str(run.info["kind"])
            rows = _density.rows(curve, kind)
            groups = " ".join(dict.fromkeys(str(row["line"]) for row in rows))
            yield {
                "spec": self._made(
                    f"density {measure} {groups}", lambda: _density.density(curve, measure, kind)
                ),
                "title": _density.title(curve, measure, kind),
                "words": _density.said(curve, kind),
                ROWS: _html.packed(rows),
                "domain": [rows[0]["x"], rows[-1]["x"]],
            }


def _without_rows(spec: Spec) -> Spec:
    """The specification with what is drawn in lines left for a trial to fill in."""
    kept, gone = {}, set()
    for name, rows in spec["datasets"].items():
        if any("line" in row for row in rows):
            gone.add(name)
        else:
            kept[name] = rows
    layers = [
        {**layer, "data": {"name": ROWS}} if layer.get("data", {}).get("name") in gone else layer
        for layer in spec["layer"]
    ]
    whole = {"data": {"name": ROWS}} if spec.get("data", {}).get("name") in gone else {}
    return {**spec, **whole, "layer": layers, "datasets": kept}


def _sides(run: Run, name: str, sides: tuple[str, ...]) -> dict[str, Curve]:
    """A curve of the evaluation set by side, those without any input left out."""
    found: Mapping[str, Curve] = run.card.get("curves", {})
    curves = {side: found.get(f"{run.judged}/{side}/{name}") for side in sides}
    return {side: curve for side, curve in curves.items() if curve and any(curve.get("count", (1,)))}


def _area(run: Run, metric: str) -> float | None:
    wanted = (run.judged, "all", metric, run.info.get("uncertainty"), None)
    for row in run.card["rows"]:
        if (row["set"], row["side"], row["metric"], row["measure"], row["slice"]) == wanted:
            return None if row["value"] is None else float(row["value"])
    return None
