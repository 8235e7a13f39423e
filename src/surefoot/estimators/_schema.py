"""The columns that a model was labelled on, and every later batch brought into their form.

A batch must have the same columns of the same kinds. What is new inside a column, such as an unseen category, is no
error: it is a shift, and it is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import MISSING, Column, Columns, Kind, open_columns
from surefoot._json import plain
from surefoot.errors import InputError
from surefoot.estimators._spread import NO_ROWS, Spread, spread_of

MOST_CATEGORIES = 254
"""Categories that a feature of the error model tells apart; rarer ones count as missing there."""

_LARGEST = float(np.finfo(np.float32).max)

_WORDS = {"numeric": "numbers", "categorical": "text", "boolean": "true and false", "other": "dates"}


@dataclass(frozen=True)
class Field:
    """One column: its name and kind, its categories with the commonest first, the range and spread of its values.

    In a column that holds nothing but missing values there are no categories, and the range is NaN.
    """

    name: str
    kind: Kind
    categories: tuple[str, ...]
    low: float
    high: float
    missing: bool
    spread: Spread = NO_ROWS

    @property
    def empty(self) -> bool:
        """Whether no labelled row has a value here, so that any value is new and of no known kind."""
        return not self.categories if self.kind == "categorical" else bool(np.isnan(self.low))


@dataclass(frozen=True)
class Schema:
    """The columns in order; ``categorical`` are those whose numbers are only names."""

    fields: tuple[Field, ...]
    categorical: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(field.name for field in self.fields)

    @property
    def is_code(self) -> NDArray[np.bool_]:
        """Which features are codes of categories."""
        return np.array([field.kind == "categorical" for field in self.fields], dtype=bool)

    def open(self, table: Any) -> Columns:
        """Open a batch, its columns in this order; refuse it with a sentence if it is of another form."""
        columns = open_columns(table)
        place = {name: j for j, name in enumerate(columns.names)}
        known = self.names
        lacking = [name for name in known if name not in place]
        strange = sorted(place.keys() - set(known), key=place.__getitem__)
        if lacking:
            more = f"; it has {_listed(strange)} instead" if strange else ""
            raise InputError(
                f"the batch has no column {_listed(lacking)}{more}; give the columns of the labelled rows"
            )
        if strange:
            raise InputError(
                f"the batch has columns that the labelled rows had not: {_listed(strange)}; leave them out "
                "(on the command line, --ignore COLUMN for each)"
            )
        if not len(columns):
            raise InputError("the batch is empty; give at least one row")
        columns = open_columns(columns, categorical=self._codes(columns))
        order = [place[name] for name in known]
        for field, j in zip(self.fields, order, strict=True):
            _refuse_other_kind(field, columns, j)
        if order == list(range(len(order))):
            return columns
        ordered = tuple(columns.columns[j] for j in order)
        return Columns(ordered, _reordered(columns.native, order), columns.rows, frozenset())

    def features(self, columns: Columns) -> NDArray[np.float32]:
        """Numbers and codes side by side, NaN where missing, unseen or too rare to have a code."""
        out = np.empty((len(columns), len(self.fields)), dtype=np.float32)
        for j, (field, column) in enumerate(zip(self.fields, columns.columns, strict=True)):
            if field.empty:
                out[:, j] = np.nan
            elif column.kind == field.kind == "categorical":
                place = {name: float(code) for code, name in enumerate(field.categories[:MOST_CATEGORIES])}
                codes = np.array([*(place.get(_named(one), np.nan) for one in column.categories), np.nan])
                out[:, j] = codes[column.values]
            else:
                out[:, j] = _numbers(column)
        return out

    def outside(self, columns: Columns) -> dict[str, int]:
        """Rows with a value that no labelled row has, by column: other categories or ranges, gaps where none were."""
        found = {}
        for field, column in zip(self.fields, columns.columns, strict=True):
            absent = column.missing
            if field.empty:
                strange = ~absent
            elif column.kind == field.kind == "categorical":
                known = set(field.categories)
                new = np.array([*(_named(one) not in known for one in column.categories), False])
                strange = new[column.values]
            else:
                values = _numbers(column)
                strange = (values < field.low) | (values > field.high)
            found[field.name] = int((strange | (absent & (not field.missing))).sum())
        return found

    def counts(self, columns: Columns, rows: NDArray[np.bool_]) -> dict[str, Counter[str | None]]:
        """How many of some rows are of each category, by column; None counts the gaps of any column."""
        found = {}
        for column in columns.columns:
            counts: Counter[str | None] = Counter({None: int(column.missing[rows].sum())})
            if column.kind == "categorical":
                values = column.values[rows]
                each = np.bincount(values[values != MISSING], minlength=len(column.categories))
                for code in np.flatnonzero(each):
                    counts[_named(column.categories[code])] += int(each[code])
            found[column.name] = counts
        return found

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        content: dict[str, Any] = plain(
            {"categorical": self.categorical, "fields": [asdict(field) for field in self.fields]}
        )
        return content

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Schema:
        """The way back."""
        fields = tuple(
            Field(
                one["name"],
                one["kind"],
                tuple(one["categories"]),
                np.nan if one["low"] is None else one["low"],
                np.nan if one["high"] is None else one["high"],
                one["missing"],
                Spread.from_dict(one["spread"]),
            )
            for one in content["fields"]
        )
        return cls(fields, tuple(content["categorical"]))

    def _codes(self, columns: Columns) -> list[str]:
        """Numeric columns of the batch that were categories in the labelled rows."""
        return [
            column.name
            for column in columns.columns
            if column.name in self.categorical and column.kind == "numeric"
        ]


def schema_of(columns: Columns, categorical: tuple[str, ...] = ()) -> Schema:
    """What the labelled rows look like; a numeric range is that of all values but the outermost thousandths."""
    fields = []
    for column in columns.columns:
        names: tuple[str, ...] = ()
        low = high = float("nan")
        if column.kind == "categorical":
            counts = np.bincount(column.values[column.values != MISSING], minlength=len(column.categories))
            order = [code for code in np.argsort(-counts, kind="stable") if counts[code]]
            names = tuple(dict.fromkeys(_named(column.categories[code]) for code in order))
        elif not column.missing.all():
            outermost = (0, 1) if column.kind == "boolean" else (0.001, 0.999)
            low, high = (float(end) for end in np.nanquantile(_numbers(column), outermost))
        fields.append(Field(column.name, column.kind, names, low, high, bool(column.missing.any())))
    return _with_spreads(Schema(tuple(fields), categorical), columns)


def _with_spreads(schema: Schema, columns: Columns) -> Schema:
    """The same with how the values of every column are spread."""
    features, counts = schema.features(columns), schema.counts(columns, np.ones(len(columns), dtype=bool))
    fields = []
    for j, field in enumerate(schema.fields):
        if field.kind == "categorical":
            of = counts[field.name]
            each = tuple(of[name] for name in field.categories)
            spread = Spread(sum(each), of[None], counts=each)
        else:
            spread = spread_of(features[:, j])
        fields.append(replace(field, spread=spread))
    return replace(schema, fields=tuple(fields))


def _refuse_other_kind(field: Field, columns: Columns, j: int) -> None:
    """A column of another kind is refused, unless it or the labelled one holds nothing but missing values."""
    column = columns.columns[j]
    if column.kind != field.kind and not field.empty and not column.missing.all():
        raise InputError(
            f"column {field.name} holds {_WORDS[column.kind]} in the batch and {_WORDS[field.kind]} in the labelled "
            "rows; convert it"
        )


def _numbers(column: Column) -> NDArray[np.float64]:
    """The numbers of a column, infinite ones as the largest that a feature can hold: trees refuse them."""
    return np.clip(column.numbers(), -_LARGEST, _LARGEST)


def _named(category: Any) -> str:
    """A category as text; 1 and 1.0 are the same, because gaps turn a column of codes into one of floats.

    >>> _named(1.0), _named(1), _named("1.0")
    ('1', '1', '1.0')
    """
    whole = isinstance(category, float) and category.is_integer()
    return str(int(category) if whole else category)


def _reordered(table: Any, order: list[int]) -> Any:
    """The batch's own table with its columns in the model's order."""
    if isinstance(table, np.ndarray):
        return table[:, order]
    import narwhals as nw

    return nw.from_native(table, eager_only=True)[:, order].to_native()


def _listed(names: list[str], limit: int = 10) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
