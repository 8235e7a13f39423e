"""Gates: conditions such as `f1_auc<0.5` that make a command fail."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from surefoot.errors import InputError
from surefoot.scorecard._card import Scorecard

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_SYNTAX = re.compile(r"\s*(?P<path>[\w.@ -]+?)\s*(?P<op><=|>=|<|>)\s*(?P<bound>\S+)\s*")


@dataclass(frozen=True)
class Gate:
    """A condition `[set.][side.]metric[@measure] OP number` on a scorecard."""

    path: str
    op: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> Gate:
        """Read a gate.

        >>> Gate.parse("eval.shifted.accuracy < 0.8")
        Gate(path='eval.shifted.accuracy', op='<', bound=0.8)
        """
        match = _SYNTAX.fullmatch(text)
        try:
            if match is None or math.isnan(float(match["bound"])):
                raise ValueError
            return cls(match["path"], match["op"], float(match["bound"]))
        except ValueError:
            raise InputError(
                f"gate {text!r} is not of the form [set.][side.]metric[@measure] OP number with OP one of "
                f"{' '.join(_OPERATORS)}, e.g. 'eval.shifted.accuracy<0.8'"
            ) from None

    def holds(self, card: Scorecard) -> bool:
        """Whether the condition is met; a value that is not a number is refused."""
        value = card[self.path]
        if value != value:
            raise InputError(
                f"gate on {self.path!r}: the score is not a number (NaN), so nothing can be said"
            )
        return _OPERATORS[self.op](value, self.bound)

    def __str__(self) -> str:
        return f"{self.path} {self.op} {self.bound:g}"
