"""What a shift does to a score: from in-domain to shifted inputs, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import hypot, isfinite, nan

from surefoot.compare._scores import sign
from surefoot.metrics._registry import REGISTRY
from surefoot.scorecard import Score, Scorecard
from surefoot.scorecard._sides import evaluation_set

_BETTER = {1: "shifted", -1: "in", 0: "neither"}


@dataclass(frozen=True)
class Change:
    """A method's score on shifted inputs beside that in-domain, over the evaluation set.

    Attributes:
        dataset: where.
        method: whose.
        metric: what was scored.
        inside: the score in-domain.
        shifted: the score on shifted inputs.
        low: lower end of the 95 % interval of shifted − inside; NaN where nothing can be said.
        high: upper end.
        better: the side on which the method is significantly better, "in" or "shifted", or "neither".
    """

    dataset: str
    method: str
    metric: str
    inside: float
    shifted: float
    low: float
    high: float
    better: str

    @property
    def gain(self) -> float:
        """How much better the score is on shifted inputs; below 0 it is worse."""
        return (self.shifted - self.inside) * sign(bool(REGISTRY[self.metric].higher_is_better))


def changes(method: str, dataset: str, card: Scorecard) -> Iterator[Change]:
    """How the shift changes every score of predictions and their probabilities; not those of uncertainty measures."""
    judged = evaluation_set(card.sets)
    scores = {(s.metric, s.side): s for s in card.rows if (s.set, s.slice, s.measure) == (judged, None, None)}
    for metric in dict.fromkeys(metric for metric, _ in scores):
        inside, shifted = scores.get((metric, "in")), scores.get((metric, "shifted"))
        if inside is None or shifted is None or not isfinite(shifted.value - inside.value):
            continue
        if REGISTRY[metric].higher_is_better is None or not REGISTRY[metric].comparable:
            continue
        low, high = difference(shifted, inside) or (nan, nan)
        certain = 1 if low > 0 else -1 if high < 0 else 0
        better = _BETTER[certain * sign(bool(REGISTRY[metric].higher_is_better))]
        yield Change(dataset, method, metric, inside.value, shifted.value, low, high, better)


def difference(first: Score, second: Score) -> tuple[float, float] | None:
    """95 % interval of first − second for scores of different inputs, from their own intervals.

    Zou and Donner 2008 (MOVER): each end combines the distances to the two ends that matter for it. None
    where one of the two has no interval.

    >>> a = Score("eval", "shifted", "accuracy", None, 0.5, 100, low=0.4, high=0.6)
    >>> b = Score("eval", "in", "accuracy", None, 0.9, 100, low=0.8, high=0.95)
    >>> [round(end, 3) for end in difference(a, b)]
    [-0.512, -0.259]
    """
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return None
    apart = first.value - second.value
    low = apart - hypot(first.value - first.low, second.high - second.value)
    high = apart + hypot(first.high - first.value, second.value - second.low)
    return (low, high) if isfinite(high - low) else None


def on_most(found: Iterable[Change]) -> str:
    """The side on which more than half of the methods are significantly better, or "neither".

    >>> up, open_ = (Change("d", "m", "accuracy", 0.5, 0.6, 0.0, 0.2, better) for better in ("shifted", "neither"))
    >>> on_most([up, up, open_]), on_most([up, open_])
    ('shifted', 'neither')
    """
    sides = [one.better for one in found]
    return next((side for side in ("in", "shifted") if sides.count(side) > len(sides) / 2), "neither")
