"""`Predictions`: the one table that everything else is a function of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from surefoot._checks import Array
from surefoot.errors import InputError
from surefoot.predictions import _targets as targets
from surefoot.predictions import _validate as validate
from surefoot.predictions._identifiers import identifiers
from surefoot.predictions._kinds import kind_named
from surefoot.predictions._validate import Info

_BATCH_VALUES = 1 << 20
_BATCH_ROWS = 1 << 16


@dataclass(frozen=True, eq=False, repr=False)
class Predictions:
    """What a model said about N inputs, by S posterior samples, and what was true.

    Make one with `Predictions.classification`, `.multilabel` or `.regression`, which check everything; read
    one with `load`. The fields are not to be changed.

    Attributes:
        kind: "classification", "multilabel" or "regression".
        arrays: the model's outputs by name, samples axis first: `probs[S, N, K]`, `mean[S, N]`, ….
        target: class codes (−1 novel, −2 unlabelled), labels [N, K] or values (NaN unlabelled).
        id: one identifier a row, each once.
        partition: one name a row (train, dev_in, dev_out, eval_in, eval_out, in, shifted, …), or None.
        member: which ensemble member each of the S samples came from.
        classes: class names in column order; empty for regression.
        metadata: further columns, one value a row.
        info: facts of the whole run, such as method, train_set, temperature, passes, seed.
    """

    kind: str
    arrays: Mapping[str, Array]
    target: Array
    id: Array
    partition: Array | None
    member: Array
    classes: tuple[str, ...] = ()
    metadata: Mapping[str, Array] = field(default_factory=dict)
    info: Info = field(default_factory=dict)

    @classmethod
    def classification(
        cls,
        probs: ArrayLike,
        target: ArrayLike | None = None,
        *,
        classes: Sequence[object] | ArrayLike | None = None,
        novel: Sequence[object] = (),
        logits: ArrayLike | None = None,
        data_variance: ArrayLike | None = None,
        member: ArrayLike | None = None,
        id: ArrayLike | None = None,
        partition: ArrayLike | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
        info: Info | None = None,
    ) -> Predictions:
        """Class probabilities [S, N, K], or [N, K] of a single model.

        `target` holds class codes (−1 for a novel class, −2 for unlabelled) or class names; where the classes
        are whole numbers, such as a scikit-learn model's `classes_`, it holds these. Names listed in `novel`
        are classes the model does not know. The columns of a data frame given as `probs` name
        its classes.

        >>> p = Predictions.classification([[0.9, 0.1], [0.3, 0.7]], ["cat", "dog"], classes=["cat", "dog"])
        >>> p
        Predictions(classification, 2 rows, 1 sample, 2 classes)
        >>> p.target
        array([0, 1])
        """
        given = {"probs": probs, "logits": logits, "data_variance": data_variance}
        classes = validate.column_names(probs) if classes is None else classes
        arrays = validate.outputs(kind_named("classification"), given, target)
        _, n, k = arrays["probs"].shape
        names = validate.class_names(classes, k)
        by_number = validate.named_by_number(classes)
        codes = targets.target_codes(target, names, n, novel=novel, named_by_number=by_number)
        return _checked("classification", arrays, codes, names, member, id, partition, metadata, info)

    @classmethod
    def multilabel(
        cls,
        probs: ArrayLike,
        target: ArrayLike | None = None,
        *,
        classes: Sequence[object] | ArrayLike | None = None,
        logits: ArrayLike | None = None,
        data_variance: ArrayLike | None = None,
        member: ArrayLike | None = None,
        id: ArrayLike | None = None,
        partition: ArrayLike | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
        info: Info | None = None,
    ) -> Predictions:
        """Label probabilities [S, N, K], or [N, K] of a single model; `target` is 0/1 of shape [N, K].

        >>> Predictions.multilabel([[0.9, 0.8], [0.3, 0.1]], [[1, 1], [0, 1]])
        Predictions(multilabel, 2 rows, 1 sample, 2 classes)
        """
        given = {"probs": probs, "logits": logits, "data_variance": data_variance}
        classes = validate.column_names(probs) if classes is None else classes
        arrays = validate.outputs(kind_named("multilabel"), given, target)
        _, n, k = arrays["probs"].shape
        names = validate.class_names(classes, k)
        labels = targets.target_labels(target, n, k)
        return _checked("multilabel", arrays, labels, names, member, id, partition, metadata, info)

    @classmethod
    def regression(
        cls,
        mean: ArrayLike,
        variance: ArrayLike,
        target: ArrayLike | None = None,
        *,
        data_variance: ArrayLike | None = None,
        member: ArrayLike | None = None,
        id: ArrayLike | None = None,
        partition: ArrayLike | None = None,
        metadata: Mapping[str, ArrayLike] | None = None,
        info: Info | None = None,
    ) -> Predictions:
        """Predicted means and variances [S, N], or [N] of a single model; `target` is NaN where unlabelled.

        >>> Predictions.regression([[1.0, 2.0], [1.2, 2.4]], [[0.1, 0.1], [0.2, 0.1]], [1.1, float("nan")])
        Predictions(regression, 2 rows, 2 samples)
        """
        given = {"mean": mean, "variance": variance, "data_variance": data_variance}
        arrays = validate.outputs(kind_named("regression"), given, target)
        values = targets.target_values(target, arrays["mean"].shape[1])
        return _checked("regression", arrays, values, (), member, id, partition, metadata, info)

    def __len__(self) -> int:
        """Number of inputs N."""
        return len(self.target)

    def __repr__(self) -> str:
        parts = [self.kind, counted(len(self), "row"), counted(self.samples, "sample")]
        members = len(np.unique(self.member))
        if members < self.samples:
            parts[-1] += f" of {counted(members, 'member')}"
        if self.classes:
            parts.append(f"{len(self.classes)} classes")
        return f"Predictions({', '.join(parts)})"

    @property
    def samples(self) -> int:
        """Number of posterior samples S."""
        return len(self.member)

    @property
    def probs(self) -> Array:
        """Probabilities [S, N, K] of a classifier or multilabel model."""
        return self._array("probs")

    @property
    def mean(self) -> Array:
        """Predicted means [S, N] of a regressor."""
        return self._array("mean")

    @property
    def variance(self) -> Array:
        """Predicted variances [S, N] of a regressor."""
        return self._array("variance")

    @property
    def logits(self) -> Array:
        """Logits [S, N, K], where they were given."""
        return self._array("logits")

    @property
    def data_variance(self) -> Array:
        """Predicted data (aleatoric) variances [S, N], where they were given."""
        return self._array("data_variance")

    def _array(self, name: str) -> Array:
        if name not in self.arrays:
            raise InputError(
                f"these {self.kind} predictions hold no {name}; they hold {', '.join(self.arrays)}"
            )
        return self.arrays[name]

    def members(self) -> list[Predictions]:
        """One `Predictions` a member, in the order of their numbers.

        >>> both = Predictions.regression([[1.0], [2.0]], [[0.1], [0.1]])
        >>> [one.mean.tolist() for one in both.members()]
        [[[1.0]], [[2.0]]]
        """
        return [self.take(samples=np.flatnonzero(self.member == m)) for m in np.unique(self.member)]

    def take(self, *, samples: int | ArrayLike) -> Predictions:
        """The same rows as seen by fewer samples: the first `samples`, or those at the given positions."""
        positions = np.arange(samples) if isinstance(samples, int | np.integer) else np.asarray(samples)
        if positions.ndim != 1 or positions.size == 0 or positions.dtype.kind not in "iu":
            raise InputError("samples must be a number of samples above 0, or a list of their positions")
        beyond = positions[(positions < 0) | (positions >= self.samples)]
        if beyond.size:
            raise InputError(
                f"samples asks for position {beyond[0]}, but there are {self.samples} samples; "
                f"ask for 0 … {self.samples - 1}"
            )
        # A contiguous run stays a view: members of a large table cost nothing.
        run = positions.size == positions[-1] - positions[0] + 1 and bool((np.diff(positions) == 1).all())
        index = slice(positions[0], positions[-1] + 1) if run else positions
        return replace(
            self,
            arrays={name: values[index] for name, values in self.arrays.items()},
            member=self.member[index],
        )

    def select(self, rows: ArrayLike | slice) -> Predictions:
        """The rows of a boolean mask, of a list of positions, or of a slice.

        >>> p = Predictions.classification([[0.9, 0.1], [0.3, 0.7]], [0, 1])
        >>> p.select(p.target == 1).id
        array([1])
        """
        index = rows if isinstance(rows, slice) else _row_index(rows, len(self))
        target = self.target[index]
        if len(target) == 0:
            raise InputError("rows selects nothing; at least one row must stay")
        return replace(
            self,
            arrays={name: values[:, index] for name, values in self.arrays.items()},
            target=target,
            id=self.id[index],
            partition=None if self.partition is None else self.partition[index],
            metadata={name: values[index] for name, values in self.metadata.items()},
        )

    def batches(self, rows: int | None = None) -> Iterator[Predictions]:
        """Consecutive slices of at most `rows` rows (by default about 4 MB), as views."""
        rows = batch_rows(rows, self.samples * max(len(self.classes), 1))
        return (self.select(slice(start, start + rows)) for start in range(0, len(self), rows))

    def save(self, path: str | PathLike[str]) -> None:
        """Write to `.parquet`, `.npz` or `.csv`, completely or not at all."""
        from surefoot.predictions._files import save

        save(self, path)


def _row_index(rows: ArrayLike, n: int) -> Array:
    """Check a mask of rows or a list of positions."""
    index = np.asarray(rows)
    if index.size == 0:
        return np.empty(0, dtype=np.int64)
    if index.ndim != 1 or index.dtype.kind not in "biu":
        raise InputError(
            f"rows is {index.dtype} of shape {index.shape}; give a boolean mask, row positions or a slice"
        )
    if index.dtype == np.bool_ and len(index) != n:
        raise InputError(
            f"rows is a mask of {len(index)} entries, but there are {n} rows; give one entry each"
        )
    if index.dtype != np.bool_ and (index.min() < -n or index.max() >= n):
        raise InputError(f"rows asks for positions beyond the {n} rows; positions are 0 … {n - 1}")
    return index


def counted(n: int, what: str) -> str:
    """A number and what it counts: "1 sample", "2 samples"."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def batch_rows(rows: int | None, values_a_row: int) -> int:
    """How many rows a batch takes: as asked for, or so many that it stays in the processor's cache."""
    if rows is None:
        return max(1, min(_BATCH_ROWS, _BATCH_VALUES // values_a_row))
    if rows < 1:
        raise InputError(f"rows must be a number of rows above 0, not {rows}")
    return rows


def build(kind: str, columns: Mapping[str, Any]) -> Predictions:
    """Hand the columns that a reader found to the constructor of their kind, which has its name."""
    shape = kind_named(kind)
    constructor: Callable[..., Predictions] = getattr(Predictions, shape.name)
    return constructor(**{**dict.fromkeys(shape.required), **columns})


def _checked(
    kind: str,
    arrays: dict[str, Array],
    target: Array,
    classes: tuple[str, ...],
    member: ArrayLike | None,
    id: ArrayLike | None,
    partition: ArrayLike | None,
    metadata: Mapping[str, ArrayLike] | None,
    info: Info | None,
) -> Predictions:
    """Check the columns that every kind has, and put the table together."""
    samples, n = next(iter(arrays.values())).shape[:2]
    ids = identifiers(id, n)
    parts = validate.partitions(partition)
    columns = validate.metadata_columns(metadata)
    validate.one_per_row(n, {"target": target, "id": ids, "partition": parts, **columns})
    return Predictions(
        kind=kind,
        arrays=arrays,
        target=target,
        id=ids,
        partition=parts,
        member=validate.members(member, samples),
        classes=classes,
        metadata=columns,
        info=validate.run_facts(info),
    )
