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
from surefoot.errors import InputError
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
    footnote = _footnote(len(trials) - unknown, unknown, total, workers)
    return Table(
        "Expected", ("task", "method", "trials", "cost of each", "time of each"), tuple(rows), footnote
    )


def _footnote(known: int, unknown: int, total: float, workers: int) -> str:
    """What is known of the whole.

    >>> _footnote(4, 0, 600.0, 2), _footnote(4, 2, 600.0, 2)
    ('4 trials on 2 processes: about 5 min', '4 trials on 2 processes: about 5 min; nobody has timed the other 2 yet')
    >>> _footnote(0, 3, 0.0, 2)
    'nobody has timed any of the 3 trials yet'
    """
    if not known:
        return f"nobody has timed any of the {unknown:,} trials yet" if unknown else "nothing is left to do"
    others = f"; nobody has timed the other {unknown:,} yet" if unknown else ""
    return f"{known:,} trials on {workers} processes: {spoken(total / workers)}{others}"


def _measured(runs: Path) -> dict[_Alike, float]:
    """Seconds by the size of a trial, the mean over those that are stored."""
    found: defaultdict[_Alike, list[float]] = defaultdict(list)
    for name, plan in runs_in(runs).items():
        for entry in plan.entries:
            status = Place(runs / name / entry.id).status
            if status.get("state") != "finished":
                continue
            try:
                size = Trial.of(entry.given).size
            except InputError:  # of a kind or preset that is no longer there
                continue
            taken = status["taken"]["wall_seconds"]
            found[entry.named.task, entry.named.method].append(taken / size)
    return {alike: float(np.mean(several)) for alike, several in found.items()}
