"""`Scorecard`: every score of one set of predictions, to be printed, saved, looked up and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any

from surefoot._json import plain, to_json
from surefoot.errors import InputError
from surefoot.predictions._validate import Info
from surefoot.scorecard._sides import SIDES, evaluation_set

FORMAT = 1


@dataclass(frozen=True)
class Score:
    """One number: a metric, of a measure where it judges one, over the rows of a set, side and slice.

    `low` and `high` are its 95 % interval; None where nothing can be said about it (under 20 rows, or rows
    that do not differ), and where none was asked for.
    """

    set: str
    side: str
    metric: str
    measure: str | None
    value: float
    n: int
    slice: str | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class MemberScore:
    """The same number for single ensemble members: mean and sample standard deviation over them."""

    set: str
    side: str
    metric: str
    measure: str | None
    mean: float
    std: float
    members: int


@dataclass(frozen=True, repr=False)
class Scorecard:
    """What `evaluate` found.

    Attributes:
        info: facts of the run: kind, rows, samples, members, error, threshold, uncertainty, and those that
            travel with the predictions.
        rows: every score.
        members: single members beside the ensemble.
        curves: downsampled curves by name, e.g. "test/all/error_retention".
        notes: what was left out and why, a sentence each.
    """

    info: Info
    rows: tuple[Score, ...]
    members: tuple[MemberScore, ...]
    curves: Mapping[str, Mapping[str, Any]]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Scorecard({self.info['kind']}, {len(self.rows)} scores, sets {', '.join(self.sets)})"

    @property
    def sets(self) -> tuple[str, ...]:
        """Names of the sets scored."""
        return tuple(dict.fromkeys(score.set for score in self.rows))

    @property
    def uncertainty(self) -> str:
        """The measure that stands for the model's uncertainty unless another one is named."""
        return str(self.info["uncertainty"])

    def find(self, path: str) -> Score:
        """The score that a path `[set.][side.]metric[@measure]` names.

        Left out, the set is the evaluation set, the side is all and the measure is the default uncertainty.
        """
        wanted_set, side, metric, measure = self._resolve(path)
        fitting = (measure,) if "@" in path else (None, measure)
        for score in self.rows:
            where = (score.set, score.side, score.slice, score.metric)
            if where == (wanted_set, side, None, metric) and score.measure in fitting:
                return score
        raise InputError(
            f"there is no score {path!r} (set {wanted_set}, side {side}, metric {metric}, measure {measure}); "
            f"{self._available(wanted_set, side, metric)}{''.join(f'. {note}' for note in self._about(wanted_set))}"
        )

    def _about(self, set_name: str) -> list[str]:
        """Notes that tell why a set lacks scores."""
        return [note for note in self.notes if note.startswith(f"Set {set_name} ")]

    def __getitem__(self, path: str) -> float:
        """The value that a path names, e.g. `card["eval.shifted.f1_auc@entropy"]`."""
        return self.find(path).value

    def _resolve(self, path: str) -> tuple[str, str, str, str]:
        place, _, measure = path.partition("@")
        *where, metric = place.strip().split(".")
        sets = [part for part in where if part in self.sets]
        sides = [part for part in where if part in SIDES]
        if len(where) != len(sets) + len(sides) or len(sets) > 1 or len(sides) > 1:
            raise InputError(
                f"{path!r} is not of the form [set.][side.]metric[@measure]; sets here are "
                f"{', '.join(self.sets)}, sides {', '.join(SIDES)}"
            )
        return (
            sets[0] if sets else evaluation_set(self.sets),
            sides[0] if sides else "all",
            metric,
            measure.strip() or self.uncertainty,
        )

    def _available(self, wanted_set: str, side: str, metric: str) -> str:
        here = [
            score for score in self.rows if (score.set, score.side, score.slice) == (wanted_set, side, None)
        ]
        measures = list(
            dict.fromkeys(score.measure for score in here if score.metric == metric and score.measure)
        )
        if measures:
            return f"{metric} is there for the measures {', '.join(measures)}"
        return f"there are {', '.join(dict.fromkeys(score.metric for score in here)) or 'none'}"

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and lists; NaN and infinite values become None."""
        return {
            "format": FORMAT,
            "info": dict(self.info),
            "rows": [plain(asdict(score)) for score in self.rows],
            "members": [plain(asdict(score)) for score in self.members],
            "curves": plain(self.curves),
            "notes": list(self.notes),
        }

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """JSON text; with a path it is written there as well, completely or not at all."""
        return to_json(self.to_dict(), path)

    def _repr_html_(self) -> str:
        from surefoot.scorecard._tables import html

        return html(self)
