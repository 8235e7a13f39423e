"""What `surefoot estimate` reads: labelled rows and batches as Arrow tables, handed to the model as it wants them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot.cli._tables import index_columns, read_table
from surefoot.errors import InputError
from surefoot.estimators import Estimator
from surefoot.estimators._onnx import OnnxModel
from surefoot.estimators._schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Rows:
    """Rows of a file: what the model sees, and beside it labels and weights."""

    X: pa.Table
    target: Any = None
    weights: Any = None


def read_labelled(
    path: Path, target: str, ignore: Iterable[str], weight: str | None, classes: Iterable[Any]
) -> Rows:
    """Labelled rows; labels are read as text where the model's classes are texts, whatever they look like."""
    import pyarrow as pa

    named = list(classes)
    as_text = bool(named) and all(isinstance(label, str) for label in named)
    table = read_table(path, types={target: pa.string()} if as_text else None)
    rows = _split(table, path, target, ignore, weight)
    if as_text and pa.types.is_integer(rows.target.type):  # a Parquet file has types of its own
        rows = replace(rows, target=rows.target.cast(pa.string()))
    return replace(rows, X=_typed_gaps(rows.X, ()))


def read_batch(path: Path, schema: Schema, ignore: Iterable[str], weight: str | None) -> Rows:
    """A batch; columns that held text in the labelled rows are text again, whatever they look like here."""
    import pyarrow as pa

    texts = [
        field.name
        for field in schema.fields
        if field.kind == "categorical" and field.name not in schema.categorical
    ]
    rows = _split(read_table(path, types=dict.fromkeys(texts, pa.string())), path, None, ignore, weight)
    return replace(rows, X=_typed_gaps(rows.X, texts))


def _typed_gaps(table: pa.Table, texts: Iterable[str]) -> pa.Table:
    """Columns of nothing but gaps, which have no type in a CSV, as numbers."""
    import pyarrow as pa

    for j, field in enumerate(table.schema):
        if pa.types.is_null(field.type) and field.name not in texts:
            table = table.set_column(j, field.name, table.column(j).cast(pa.float64()))
    return table


def _split(
    table: pa.Table, path: Path, target: str | None, ignore: Iterable[str], weight: str | None
) -> Rows:
    """The columns of a table by what they are for."""
    names = table.column_names
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise InputError(f"{path.name} has several columns called {', '.join(twice)}; rename them")
    beside = [name for name in (target, weight) if name is not None]
    ignored = list(ignore)
    for name in [*beside, *ignored]:
        if name not in table.column_names:
            raise InputError(
                f"there is no column {name}; {path.name} has {', '.join(table.column_names[:20])}"
            )
    return Rows(
        table.drop_columns(list(dict.fromkeys([*index_columns(table), *beside, *ignored]))),
        None if target is None else table[target],
        None if weight is None else table[weight],
    )


class Fed:
    """A model that is given Arrow tables, and gets them in the form it was fitted on; see `handed_over`."""

    def __init__(self, native: Any) -> None:
        self.native = native

    def __getattr__(self, name: str) -> Any:
        if name == "native":  # not there yet, as in an object that is being copied
            raise AttributeError(name)
        found = getattr(self.native, name)
        if name not in ("predict", "predict_proba"):
            return found
        return lambda table: found(handed_over(table, self.native))


def fed(estimator: Estimator) -> Estimator:
    """The estimator with its model fed from Arrow tables."""
    if estimator.model.native is None:
        raise InputError("the estimator was saved without its model; give it with --model MODEL")
    return replace(estimator, model=replace(estimator.model, native=Fed(estimator.model.native)))


def unfed(estimator: Estimator) -> Estimator:
    """The way back, for keeping it in a file."""
    return replace(estimator, model=replace(estimator.model, native=estimator.model.native.native))


def handed_over(table: pa.Table, model: Any) -> Any:
    """The table in the form that a model wants.

    ONNX models take any table. A scikit-learn model that was fitted without names of columns gets a float64 array if
    all columns are numbers. Everything else gets a pandas frame, with the columns that the model was fitted on where
    it names them; without pandas an array of numbers, or the Arrow table.
    """
    import pyarrow as pa

    if isinstance(model, OnnxModel):
        return table
    names = getattr(model, "feature_names_in_", None)
    if names is not None and set(names) <= set(table.column_names):
        table = table.select(list(names))
    numeric = all(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
        for kind in table.schema.types
    )
    has_pandas = find_spec("pandas") is not None
    if numeric and (not has_pandas or (names is None and hasattr(model, "n_features_in_"))):
        from surefoot._columns import open_columns

        return open_columns(table).matrix()
    return table.to_pandas() if has_pandas else table
