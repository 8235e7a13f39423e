"""Keys of a comparison, `[side.]metric[@measure]`: what they name, and which of them come first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from surefoot.metrics import REGISTRY
from surefoot.report import _words
from surefoot.report._style import SIDE_NAMES

PRIMARY = ("accuracy", "rmse", "mae", "mean_error")
"""How good the predictions are: the first of these that there is."""

_FOREMOST = (
    ("calibrated_log_likelihood", "gaussian_nll", "multilabel_log_likelihood"),
    ("r_auc", "f1_auc"),
    ("auroc",),
)


@dataclass(frozen=True)
class Key:
    """A metric on a side, of a measure if one was named."""

    side: str
    metric: str
    measure: str | None

    @classmethod
    def parse(cls, text: str) -> Key:
        """Read a key.

        >>> Key.parse("shifted.r_auc@entropy")
        Key(side='shifted', metric='r_auc', measure='entropy')
        """
        place, _, measure = text.partition("@")
        side, _, metric = place.rpartition(".")
        return cls(side or "all", metric, measure or None)

    def __str__(self) -> str:
        return f"{'' if self.side == 'all' else self.side + '.'}{self.name}"

    @property
    def name(self) -> str:
        """The metric and its measure."""
        return self.metric + (f"@{self.measure}" if self.measure else "")

    @property
    def words(self) -> str:
        """As said in a sentence.

        >>> Key.parse("in.r_auc@entropy").words
        'R-AUC of entropy, in-domain'
        """
        of = f" of {_words.readable(self.measure)}" if self.measure else ""
        return f"{_words.readable(self.metric)}{of}" + (
            f", {SIDE_NAMES[self.side]}" if self.side != "all" else ""
        )

    @property
    def higher_is_better(self) -> bool | None:
        """Which way is better; None if neither."""
        return REGISTRY[self.metric].higher_is_better if self.metric in REGISTRY else None


def primary(keys: Iterable[str]) -> str | None:
    """The key that says how good the predictions are, over all inputs.

    >>> primary(["r_auc", "rmse", "shifted.accuracy"])
    'rmse'
    """
    present = set(keys)
    return next((name for name in PRIMARY if name in present), None)


def foremost(keys: Iterable[str]) -> list[str]:
    """The few keys that a page shows figures for: predictions, probabilities, knowing errors, noticing shift.

    >>> foremost(["auroc", "accuracy", "brier", "r_auc", "f1_auc"])
    ['accuracy', 'r_auc', 'auroc']
    """
    present = list(keys)
    first = primary(present)
    found = [first] if first else []
    for choice in _FOREMOST:
        named = [
            key for wanted in choice for key in present if Key.parse(key).metric == wanted and "." not in key
        ]
        found += named[:1]
    return found or present[:1]
