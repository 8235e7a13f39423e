"""The results as files to take away."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from surefoot.bench.board._read import SIDES, Board, Run, Spot
from surefoot.metrics import REGISTRY

CSV, JSON = "results.csv", "results.json"

_FACTS = ("trial", "task", "method", "seed", "submitted", "side", "uncertainty")


class TrialsCsv:
    """A row for each trial and side of the evaluation set, a column for each metric that any of them has."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def add(self, run: Run) -> None:
        """The rows of a trial, by its default uncertainty."""
        named, usual = run.entry.named, run.info.get("uncertainty")
        facts = (run.entry.id, named.task, named.method, named.seed, int(run.submitted))
        sides: dict[str, dict[str, Any]] = {}
        for row in run.card.get("rows", ()):
            if row["set"] == run.judged and row["slice"] is None and row["measure"] in (None, usual):
                side = sides.setdefault(
                    row["side"], dict(zip(_FACTS, (*facts, row["side"], usual), strict=True))
                )
                side[row["metric"]] = "" if row["value"] is None else f"{row['value']:.6g}"
        self._rows += sides.values()

    def write(self, folder: Path) -> None:
        """The file."""
        there = {name for row in self._rows for name in row}
        with (folder / CSV).open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, [*_FACTS, *(name for name in REGISTRY if name in there)])
            writer.writeheader()
            writer.writerows(
                {key: value for key, value in row.items() if key in writer.fieldnames} for row in self._rows
            )


def write_json(board: Board, folder: Path) -> None:
    """What the pages show: by task, method, side and metric the mean, standard deviation and number of trials."""
    plan = board.plan
    content = {
        "suite": plan.suite,
        "profile": plan.profile,
        "set": "eval",
        "values": ["mean", "standard deviation", "trials"],
        "not_comparable": {name: one.not_comparable for name, one in REGISTRY.items() if one.not_comparable},
        "results": {task: _summed(board, task) for task in board.tasks},
    }
    text = json.dumps(content, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    (folder / JSON).write_text(text, encoding="utf-8")


def _summed(board: Board, task: str) -> dict[str, dict[str, dict[str, list[Any]]]]:
    found: dict[str, dict[str, dict[str, list[Any]]]] = {}
    for metric in REGISTRY:
        for side in SIDES:
            for method, values in board.values(task, Spot("eval", side, metric)).items():
                std = None if values.std is None else float(f"{values.std:.4g}")
                told = [float(f"{values.mean:.6g}"), std, len(values.each)]
                found.setdefault(method, {}).setdefault(side, {})[metric] = told
    return found
