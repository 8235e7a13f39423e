"""What trials may cost, before they have run: symbolic cost, and time by what was measured before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from surefoot.bench._clock import spoken
from surefoot.bench._plan import runs_in
from surefoot.bench._store import Place
from surefoot.bench._trial import Trial
from surefoot.scorecard import Table

_Alike = tuple[str, str]


def expected(trials: Sequence[Trial], runs: Path, workers: int) -> Table:
    """A row for each method on a task: how many trials, what each costs, how long each may take.

    Times are of the same method on the same task in any run, in proportion to the size of the trial; where there is
    none, nobody knows.
    """
    per_size = _measured(runs)
    groups: defaultdict[_Alike, list[Trial]] = defaultdict(list)
    for trial in trials:
        groups[trial.alike].append(trial)
    rows, total, unknown = [], 0.0, 0
    for (task, method), alike in groups.items():
        seconds = [per_size[task, method] * one.size for one in alike if (task, method) in per_size]
        total += sum(seconds)
        unknown += len(alike) - len(seconds)
        each = f"{np.mean(seconds):,.0f} s" if seconds else "unknown"
        rows.append((task, method, f"{len(alike):,}", alike[0].cost or "-", each))
    left = "all of them" if unknown == len(trials) else f"{unknown:,} of them"
    footnote = f"{len(trials):,} trials on {workers} processes: {spoken(total / workers)}" if total else ""
    if unknown:
        footnote += f"{'; ' if footnote else ''}nobody has measured {left} yet, at any size"
    return Table(
        "Expected", ("task", "method", "trials", "cost of each", "time of each"), tuple(rows), footnote
    )


def _measured(runs: Path) -> dict[_Alike, float]:
    """Seconds by the size of a trial, the mean over those that are stored."""
    found: defaultdict[_Alike, list[float]] = defaultdict(list)
    for name, plan in runs_in(runs).items():
        for entry in plan.entries:
            taken = Place(runs / name / entry.id).status.get("taken", {})
            if "wall_seconds" in taken:
                size = Trial.of(entry.given).size
                found[entry.named.task, entry.named.method].append(taken["wall_seconds"] / size)
    return {alike: float(np.mean(several)) for alike, several in found.items()}
