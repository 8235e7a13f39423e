"""What a page says of batches: each estimate in numbers and words, against the labelled rows and the gate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from surefoot.errors import InputError
from surefoot.estimators import Estimate
from surefoot.report import _style, _words
from surefoot.report._finding import BAD, CAUTION, GOOD, LINES, UNKNOWN

_NAMED = 3
"""Batches that a sentence names."""


@dataclass(frozen=True)
class Standing:
    """How an estimate stands, in words, and how it is marked so that colour is not needed."""

    said: str
    mark: str
    grade: str
    ink: _style.Ink
    shape: str


CLEARS = Standing("clears the gate", "✓", GOOD, _style.OPTIMAL, "circle")
MAY_MISS = Standing("may miss the gate", "?", CAUTION, _style.AMBER, "diamond")
MISSES = Standing("misses the gate", "✗", BAD, _style.WRONG, "square")
BETTER = Standing("clearly better", "✓", GOOD, _style.OPTIMAL, "triangle-up")
ALIKE = Standing("no clear change", "·", GOOD, _style.INK, "circle")
WORSE = Standing("clearly worse", "✗", BAD, _style.WRONG, "square")
STANDINGS = (CLEARS, MAY_MISS, MISSES, BETTER, ALIKE, WORSE)


@dataclass(frozen=True)
class Batches:
    """Estimates of one score by the name of their batch, in the order given; the gate is the least accuracy."""

    found: Mapping[str, Estimate]
    gate: float | None = None

    def __post_init__(self) -> None:
        metrics = list(dict.fromkeys(one.metric for one in self.found.values()))
        if not metrics:
            raise InputError("there is no estimate to report; give one or more, by the name of their batch")
        if len(metrics) > 1:
            raise InputError(f"a report is of one score, not of {_words.joined(metrics)}; make one for each")
        if self.gate is not None and metrics != ["accuracy"]:
            raise InputError(f"min_accuracy is about the accuracy, not about {metrics[0]}")

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[tuple[str, Estimate]]:
        return iter(self.found.items())

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the batches."""
        return tuple(self.found)

    @cached_property
    def any(self) -> Estimate:
        """One of them, for what all have in common."""
        return self.found[self.names[0]]

    @cached_property
    def last(self) -> str:
        """The batch given last."""
        return self.names[-1]

    @cached_property
    def worst(self) -> str:
        """The batch with the worst estimate."""
        return min(self.names, key=lambda name: self.turn * self.found[name].value)

    @property
    def turn(self) -> int:
        """1 where higher is better, −1 where lower is."""
        return 1 if self.any.higher_is_better else -1

    @property
    def place(self) -> str:
        """Where on the page the numbers are."""
        return "batches" if len(self) > 1 else "estimate"

    @property
    def is_share(self) -> bool:
        """Whether numbers are told in per cent."""
        return self.any.metric == "accuracy"

    @property
    def spoken(self) -> str:
        """The score in words."""
        return _words.readable(self.any.metric)

    @property
    def axis(self) -> str:
        """The score and which way is better."""
        return f"{self.spoken} ({'higher' if self.turn > 0 else 'lower'} is better)"

    @property
    def format(self) -> str:
        """How a chart writes it."""
        return ".1%" if self.is_share else f".{self.digits}f"

    @cached_property
    def digits(self) -> int:
        """Digits after the point: the middle of what the intervals leave meaning in."""
        each = sorted(_words.decimals(one.low, one.high) for one in self.found.values())
        return each[len(each) // 2]

    @cached_property
    def reference(self) -> float | None:
        """The score on the labelled rows; None where the batches do not share it."""
        every = [one.reference for one in self.found.values()]
        return every[0] if max(every) - min(every) <= 1e-9 * max(map(abs, every)) else None

    @cached_property
    def level(self) -> str:
        """How the intervals are called."""
        levels = {one.alpha for one in self.found.values()}
        alpha = levels.pop() if len(levels) == 1 else None
        return "interval" if alpha is None else f"{100 * (1 - alpha):g}\u202f% interval"

    def number(self, value: float) -> str:
        """The score as a page writes it."""
        return _words.percent(value) if self.is_share else _words.number(value, self.digits)

    def bounds(self, one: Estimate) -> str:
        """Both ends of the interval."""
        if self.is_share:
            return f"{_words.number(100 * one.low, 1)} to {_words.number(100 * one.high, 1)}"
        return f"{_words.number(one.low, self.digits)} to {_words.number(one.high, self.digits)}"

    def told(self, one: Estimate) -> str:
        """The estimate with its interval."""
        return f"{self.number(one.value)} ({self.level} {self.bounds(one)})"

    def amount(self, change: float) -> str:
        """A difference without its sign."""
        return _words.points(change) if self.is_share else _words.number(abs(change), self.digits)

    def change(self, change: float) -> str:
        """A difference with its sign, for tables."""
        signed = _words.number(100 * change if self.is_share else change, 1 if self.is_share else self.digits)
        return signed if signed.startswith("−") else f"+{signed}"

    def standing(self, one: Estimate) -> Standing:
        """Against the gate if there is one, else against the labelled rows."""
        if self.gate is not None:
            return CLEARS if one.low >= self.gate else MAY_MISS if one.high >= self.gate else MISSES
        worst, best = self.gains(one)
        return WORSE if best < 0 else BETTER if worst > 0 else ALIKE

    def gains(self, one: Estimate) -> tuple[float, float]:
        """How much better than on the labelled rows it is at worst and at best."""
        worst, best = sorted(self.turn * (end - one.reference) for end in (one.low, one.high))
        return worst, best

    def grade(self, one: Estimate) -> str:
        """Bad after a large fall that is certain, good where none is possible, else by the estimate itself."""
        worst, best = self.gains(one)
        gain, scale = self.turn * one.drop, self._scale(one)
        if best < 0:
            return BAD if gain <= -LINES["fall"] * scale else CAUTION
        if worst > -LINES["fall"] * scale:
            return GOOD
        return UNKNOWN if gain >= -LINES["same"] * scale else CAUTION

    def _scale(self, one: Estimate) -> float:
        """What a change is large against: 1 for scores between 0 and 1, else the score on the labelled rows."""
        return 1.0 if one.metric not in ("rmse", "mae", "log_likelihood") else abs(one.reference)


def named(names: Sequence[str]) -> str:
    """Names of batches in a sentence, the first few of many.

    >>> named(["a"]), named(["a", "b", "c"]), named(list("abcdef"))
    ('a', 'a, b and c', 'a, b, c and 3 more')
    """
    if len(names) <= _NAMED + 1:
        return _words.joined(list(names))
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"
