"""How long the rest of a run will take, from what its trials took so far."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from surefoot.bench._job import Ended
from surefoot.bench._trial import Trial


class Clock:
    """Trials of one method on one task are taken to last alike; of one that nobody has seen yet, as long as others."""

    def __init__(self, trials: Sequence[Trial], workers: int = 1) -> None:
        self.total = len(trials)
        self.done = 0
        self._workers = workers
        self._waiting = Counter(trial.alike for trial in trials)
        self._seconds: defaultdict[tuple[str, str], list[float]] = defaultdict(list)

    def heard(self, ended: Ended) -> None:
        """Take note of a trial that has ended."""
        self.done += 1
        alike = ended.job.trial.alike
        self._waiting[alike] -= 1
        if ended.state == "finished":
            self._seconds[alike].append(ended.seconds)

    @property
    def left(self) -> float:
        """Seconds until the end; NaN as long as nothing is known."""
        known = [one for several in self._seconds.values() for one in several]
        if not known:
            return float("nan") if self.done < self.total else 0.0
        each = {name: float(np.mean(self._seconds.get(name, known))) for name in self._waiting}
        return sum(each[name] * count for name, count in self._waiting.items()) / self._workers


def spoken(seconds: float) -> str:
    """A time as people say it.

    >>> spoken(20), spoken(150), spoken(8000), spoken(float("nan"))
    ('less than a minute', 'about 3 min', 'about 2 h 14 min', 'an unknown time')
    """
    if np.isnan(seconds):
        return "an unknown time"
    minutes = int(np.ceil(seconds / 60))
    if minutes <= 1:
        return "less than a minute" if seconds < 60 else "about 1 min"
    return f"about {minutes} min" if minutes < 60 else f"about {minutes // 60} h {minutes % 60} min"
