"""Look up what a page needs from a scorecard."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any

from surefoot.report._figure import column
from surefoot.report._words import readable
from surefoot.scorecard import Score, Scorecard
from surefoot.scorecard._sides import evaluation_set

_NORMAL = 1.959963984540054


class Reader:
    """Scores and curves of the evaluation set; None for what is not there."""

    def __init__(self, card: Scorecard) -> None:
        self.card = card
        self.set = evaluation_set(card.sets)
        self.kind = str(card.info["kind"])
        self.measure = readable(card.uncertainty)
        self._scores = {
            (s.side, s.metric, s.measure): s for s in card.rows if s.set == self.set and s.slice is None
        }

    def __iter__(self) -> Iterator[Score]:
        """Every score of the evaluation set, slices left out."""
        return iter(self._scores.values())

    def get(self, side: str, metric: str, measure: str | None = None) -> Score | None:
        """A score that is a number."""
        found = self._scores.get((side, metric, measure))
        return None if found is None or found.value != found.value else found

    def judged(self, side: str, metric: str) -> Score | None:
        """A score of the default uncertainty."""
        return self.get(side, metric, self.card.uncertainty)

    def curve(self, side: str, name: str) -> Any:
        """A curve with something in it."""
        found = self.card.curves.get(f"{self.set}/{side}/{name}")
        if found is not None and "count" in found and not column(found, "count").sum():
            return None
        return found

    @property
    def sides(self) -> set[str]:
        """Sides with any score."""
        return {side for side, _, _ in self._scores}

    @property
    def primary(self) -> str:
        """The metric that says how good the predictions are: accuracy, or what fits the error."""
        fitting = {"zero_one": "accuracy", "squared": "rmse", "absolute": "mae"}
        return fitting.get(str(self.card.info["error"]), "mean_error")

    @property
    def slices(self) -> list[Score]:
        """The primary metric of every slice of all inputs of the set."""
        return [
            s
            for s in self.card.rows
            if s.slice and (s.set, s.metric, s.side) == (self.set, self.primary, "all") and s.value == s.value
        ]

    @property
    def has_novel(self) -> bool:
        """Whether some inputs are of a class that the model cannot know."""
        return any(s.metric == "novelty_auroc" for s in self)


def wilson(share: float, n: int) -> tuple[float, float]:
    """95 % interval of a share of n (Wilson 1927).

    >>> [round(end, 3) for end in wilson(0.5, 100)]
    [0.404, 0.596]
    """
    z = _NORMAL
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - half, middle + half
