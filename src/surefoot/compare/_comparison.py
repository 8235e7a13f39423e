"""`Comparison`: methods side by side, to be printed, saved, looked up and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._json import plain, to_json
from surefoot.compare._change import Change
from surefoot.compare._ranks import Ranks
from surefoot.compare._scores import Floats
from surefoot.compare._wins import WinsDrawsLosses
from surefoot.compare._yardstick import Ensemble, Equivalent
from surefoot.errors import InputError
from surefoot.scorecard import Scorecard

FORMAT = 1


@dataclass(frozen=True)
class Entrant:
    """One of the predictions that were compared, scored."""

    method: str
    dataset: str
    card: Scorecard


@dataclass(frozen=True)
class Difference:
    """Score of the first method minus that of the second, on the same inputs.

    Attributes:
        dataset: where.
        set: the set of rows.
        side: its side: in, shifted or all.
        metric: what was scored.
        measure: the uncertainty that was judged ("first's / second's" where these differ), or None.
        first: the one method.
        second: the other.
        value: the difference.
        low: lower end of its 95 % interval.
        high: upper end.
        p_value: chance of a difference at least as large if there were none; not adjusted for there being many.
        n: number of rows.
        calibrated: the metric was taken at the best temperature.
        raw: not for ranking, as the guard says of the metric; it is shown because its calibrated twin is.
        better: "first", "second", or "neither" if the interval contains 0 or there is none.
    """

    dataset: str
    set: str
    side: str
    metric: str
    measure: str | None
    first: str
    second: str
    value: float
    low: float
    high: float
    p_value: float
    n: int
    calibrated: bool
    raw: bool
    better: str


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What `compare` found.

    Attributes:
        methods: names, in the order given.
        datasets: names, in the order given.
        entrants: every scorecard.
        differences: paired differences, for every dataset, set, side and metric.
        changes: what the shift does to each method on each dataset.
        scores: [datasets, methods] by key, NaN where missing, over the evaluation set. The key is a metric,
            "accuracy", a metric on one side, "shifted.accuracy", or of a named measure, "r_auc@entropy".
        beats: [datasets, methods, methods] by key: the row's method is significantly better than the column's.
        wins: by key, how many datasets that is so on; the others on which both methods are, are draws.
        ranks: by key, with at least two datasets on which all methods have a score.
        ensembles: ensembles by their number of members.
        equivalents: what other methods are worth in members of the largest ensemble.
        notes: what to know before reading the numbers, a sentence each.
        info: seed, alpha, version, reference method, and what was asked for.
    """

    methods: tuple[str, ...]
    datasets: tuple[str, ...]
    entrants: tuple[Entrant, ...]
    differences: tuple[Difference, ...]
    changes: tuple[Change, ...]
    scores: Mapping[str, Floats]
    beats: Mapping[str, NDArray[np.bool_]]
    wins: Mapping[str, WinsDrawsLosses]
    ranks: Mapping[str, Ranks]
    ensembles: tuple[Ensemble, ...]
    equivalents: tuple[Equivalent, ...]
    notes: tuple[str, ...]
    info: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"Comparison({', '.join(self.methods)} on {', '.join(self.datasets)})"

    def best(self, key: str, dataset: str) -> str | None:
        """The method that is significantly better than every other one that has a score there, if any is."""
        if key not in self.scores or dataset not in self.datasets:
            raise InputError(
                f"there is no {key!r} on {dataset!r}; there are {', '.join(self.scores)} on {', '.join(self.datasets)}"
            )
        row = self.datasets.index(dataset)
        scored = ~np.isnan(self.scores[key][row])
        if key not in self.beats or scored.sum() < 2:
            return None
        beaten = self.beats[key][row].sum(axis=1)
        winner = int(beaten.argmax())
        return self.methods[winner] if beaten[winner] == scored.sum() - 1 else None

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and lists; NaN and infinite values become None. Scorecards are kept apart."""
        content = {
            "format": FORMAT,
            "info": self.info,
            "methods": self.methods,
            "datasets": self.datasets,
            "entrants": [
                {"method": one.method, "dataset": one.dataset, "info": one.card.info} for one in self.entrants
            ],
            "differences": [asdict(difference) for difference in self.differences],
            "changes": [asdict(change) for change in self.changes],
            "scores": self.scores,
            "beats": self.beats,
            "wins": {key: {"wins": counts.wins, "draws": counts.draws} for key, counts in self.wins.items()},
            "ranks": {key: asdict(ranks) for key, ranks in self.ranks.items()},
            "ensembles": [asdict(ensemble) for ensemble in self.ensembles],
            "equivalents": [asdict(equivalent) for equivalent in self.equivalents],
            "notes": self.notes,
        }
        found: dict[str, Any] = plain(content)
        return found

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """JSON text; with a path it is written there as well, completely or not at all."""
        return to_json(self.to_dict(), path)

    def _repr_html_(self) -> str:
        from surefoot.compare._tables import html

        return html(self)
