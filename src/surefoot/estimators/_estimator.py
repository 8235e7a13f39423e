"""A fitted estimator: it says how good its model is on a batch that nobody has labelled."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array, finite, rows
from surefoot._columns import open_columns
from surefoot.errors import InputError
from surefoot.estimators._auto import Combined, combination
from surefoot.estimators._doubt import doubts
from surefoot.estimators._estimate import Estimate
from surefoot.estimators._intervals import Width, binomial, conformal, reasons
from surefoot.estimators._method import Learned, Seen
from surefoot.estimators._model import CLASSIFICATION, Model
from surefoot.estimators._movement import Reference
from surefoot.estimators._moves import moves
from surefoot.estimators._rehearsal import Batch
from surefoot.estimators._schema import Schema
from surefoot.estimators._scores import Score, score
from surefoot.estimators._worth import worth
from surefoot.shifts.detectors import ColumnMove

CHUNK = 1 << 16
"""Rows of a batch that are looked at together."""

SAMPLE = 10_000
"""Rows of a large batch whose features are kept for what needs the batch as a whole."""


@dataclass(frozen=True)
class Estimator:
    """What `fit` has learned; `estimate` asks it about a batch, `save` keeps it in a file."""

    model: Model
    method: str
    learned: Learned
    schema: Schema | None
    references: Mapping[str, float]
    movement: Reference
    widths: Mapping[str, Width]
    alpha: float
    labelled: int
    notes: tuple[str, ...] = ()

    @property
    def default_metric(self) -> str:
        """The score that is estimated unless another is asked for."""
        return "accuracy" if self.model.kind == CLASSIFICATION else "rmse"

    def estimate(
        self, X: Any = None, *, probs: Any = None, metric: str | None = None, sample_weight: Any = None
    ) -> Estimate:
        """Estimate a score on a batch without labels: by default the accuracy, of a regressor the RMSE.

        ``X`` is a table of the columns that the labelled rows had; with ``probs`` the model is not asked. An
        estimator that was fitted without a model takes only ``probs``.
        """
        wanted = self._estimated(metric)
        seen, outside, columns = self._look(X, probs, sample_weight)
        said = self.learned.members(seen, wanted) if isinstance(self.learned, Combined) else {}
        guess = combination(said, seen.movement) if said else self.learned.guess(seen, wanted)
        value = float(np.clip(guess, *wanted.bounds))
        if np.isnan(value):
            raise InputError(
                f"{wanted.name} is not defined here: the model is certain that all rows are of one class"
            )
        reference = self.references[wanted.name]
        size = float(worth(seen.weights))
        low, high = self._bounds(wanted.name, value, size, reasons(seen.movement, value - reference))
        members = {name: float(np.clip(one, *wanted.bounds)) for name, one in said.items()}
        return Estimate(
            metric=wanted.name,
            value=value,
            low=max(low, wanted.bounds[0]),
            high=min(high, wanted.bounds[1]),
            drop=value - reference,
            n=len(seen.outputs),
            method=self.method,
            warnings=doubts(seen, outside, self.movement, members, (high - low) / 2, self.notes),
            members=members,
            columns=columns,
            alpha=self.alpha,
        )

    def save(self, path: str | PathLike[str], *, with_model: bool = True) -> None:
        """Write it to one file without pickle, completely or not at all; `load` reads it again.

        The model goes with it if it is scikit-learn's or has the same interface, is ONNX, or was imported by
        `load_model`; any other must be left out (``with_model=False``) and given to `load`.
        """
        from surefoot.estimators._store import save

        save(self, path, with_model=with_model)

    def _bounds(self, metric: str, value: float, n: float, why: Array) -> tuple[float, float]:
        if metric in self.widths:
            return conformal(value, n, why, self.widths[metric])
        return binomial(value, n, self.alpha)

    def _estimated(self, metric: str | None) -> Score:
        """The score of this name, if it can be estimated here."""
        wanted = score(self.default_metric if metric is None else metric, self.model.kind)
        if self.widths and wanted.name not in self.widths:
            raise InputError(
                f"{self.method} does not estimate {wanted.name}; use auto or error-predictor, or more domains if "
                "few of them have this score"
            )
        if not self.widths and wanted.name != "accuracy":
            raise InputError(
                f'the binomial interval is for the accuracy, not {wanted.name}; fit with interval="conformal"'
            )
        return wanted

    def _look(
        self, X: Any, probs: Any, sample_weight: Any
    ) -> tuple[Seen, dict[str, float], tuple[ColumnMove, ...]]:
        """Look at the rows of a batch chunk by chunk: what methods need, values never labelled, how columns moved."""
        outputs, said, samples = [], [], []
        strange: Counter[str] = Counter()
        counts: defaultdict[str, Counter[str | None]] = defaultdict(Counter)
        given = None if probs is None else self.model.checked(probs)
        n = self._length(X, given)
        weights = weights_of(sample_weight, n)
        sampled = sample_of(weights)
        for start in range(0, n, CHUNK):
            place = slice(start, min(start + CHUNK, n))
            features = None
            if self.schema is not None:
                columns = self.schema.open(part_of(X, place))
                features = self.schema.features(columns)
                strange.update(self.schema.outside(columns))
                for name, some in self.schema.counts(columns, sampled[place]).items():
                    counts[name].update(some)
            known = given[place] if given is not None else self.model(columns.to_native())
            batch = Batch(features, known)
            outputs.append(known)
            said.append(self.learned.per_row(batch))
            samples.append(batch.take(sampled[place]))
        per_row = None if said[0] is None else np.concatenate([part for part in said if part is not None])
        sample = _joined(samples)
        movement = self.movement.movement(sample, weights[sampled])
        seen = Seen(np.concatenate(outputs), per_row, weights, sample, movement)
        outside = {name: count / n for name, count in strange.items()}
        if self.schema is None or sample.features is None:
            return seen, outside, ()
        return seen, outside, moves(self.schema, sample.features, counts)

    def _length(self, X: Any, given: Array | None) -> int:
        """Rows of a batch, which must come in the form the estimator was fitted with."""
        if self.schema is None:
            if given is None:
                raise InputError("this estimator was fitted without a model; give the batch's probs")
            return len(given)
        if X is None:
            raise InputError("give the rows of the batch: this estimator reads their columns")
        n = rows_of(X)
        if n == 0:
            raise InputError("the batch is empty; give at least one row")
        if given is not None and len(given) != n:
            raise InputError(f"probs has {len(given)} rows and X has {n}; give the same rows")
        return n


def rows_of(table: Any) -> int:
    """Number of rows of a table of any kind."""
    shape = getattr(table, "shape", None)
    return int(shape[0]) if shape else len(open_columns(table))


def sample_of(weights: Array) -> NDArray[np.bool_]:
    """Which of the rows that count are kept as the sample: at random, because rows at even distances may be alike."""
    kept = weights > 0
    if kept.sum() > SAMPLE:
        some = np.random.default_rng(0).choice(np.flatnonzero(kept), SAMPLE, replace=False, shuffle=False)
        kept[:] = False
        kept[some] = True
    return kept


def part_of(table: Any, place: slice) -> Any:
    """Some consecutive rows of a table of any kind."""
    if isinstance(table, np.ndarray) or place.stop - place.start == rows_of(table):
        return table[place] if isinstance(table, np.ndarray) else table
    import narwhals as nw

    return nw.from_native(table, eager_only=True)[place].to_native()


def weights_of(given: Any, n: int) -> Array:
    """Weights of rows, with a mean of 1."""
    if given is None:
        return np.ones(n)
    weights = finite("sample_weight", given).astype(np.float64)
    if len(weights) != n:
        raise InputError(f"sample_weight has {len(weights)} entries for {n} rows; give one a row")
    if (weights < 0).any():
        raise InputError(f"sample_weight is negative in {rows(weights < 0)}; weights are 0 or more")
    if not weights.any():
        raise InputError("sample_weight is 0 in every row; give some rows a weight")
    return np.asarray(weights / weights.mean())


def _joined(parts: list[Batch]) -> Batch:
    features = [part.features for part in parts if part.features is not None]
    return Batch(
        np.concatenate(features) if features else None, np.concatenate([part.outputs for part in parts])
    )
