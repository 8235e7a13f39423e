"""Splitting by a column: every row finds its place, on any dataframe, and mistakes are named."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.data import PARTITIONS, partition_by, split_by
from surefoot.errors import InputError

COLUMNS = {"area": ["b", "a", "c", "a", "b"], "code": [2, 1, 3, 1, 2], "x": [0.0, 1.0, 2.0, 3.0, 4.0]}

FRAMES = {
    "pandas": pd.DataFrame(COLUMNS),
    "pandas categories": pd.DataFrame(COLUMNS).astype({"area": "category"}),
    "polars": pl.DataFrame(COLUMNS),
    "polars categories": pl.DataFrame(COLUMNS, schema_overrides={"area": pl.Categorical}),
    "pyarrow": pa.table(COLUMNS),
    "pyarrow dictionary": pa.table({**COLUMNS, "area": pa.array(COLUMNS["area"]).dictionary_encode()}),
    "pyarrow chunks": pa.concat_tables([pa.table(COLUMNS).slice(0, 2), pa.table(COLUMNS).slice(2)]),
}

SERIES = {
    "list": COLUMNS["area"],
    "tuple": tuple(COLUMNS["area"]),
    "numpy text": np.array(COLUMNS["area"]),
    "numpy objects": np.array(COLUMNS["area"], dtype=object),
    "pandas": pd.Series(COLUMNS["area"]),
    "pandas categories": pd.Series(COLUMNS["area"], dtype="category"),
    "polars": pl.Series(COLUMNS["area"]),
    "polars categories": pl.Series(COLUMNS["area"], dtype=pl.Categorical),
    "pyarrow": pa.array(COLUMNS["area"]),
    "pyarrow chunks": pa.chunked_array([COLUMNS["area"][:2], COLUMNS["area"][2:]]),
    "pyarrow dictionary": pa.array(COLUMNS["area"]).dictionary_encode(),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_split_keeps_order_type_and_other_columns(frame: Any):
    source, shifted = split_by(frame, "area", source="a", drop=["code"])
    assert type(source) is type(shifted) is type(frame)
    assert list(pd.DataFrame({"x": source["x"]})["x"]) == [1.0, 3.0]
    assert list(pd.DataFrame({"x": shifted["x"]})["x"]) == [0.0, 2.0, 4.0]
    for side in (source, shifted):
        assert list(getattr(side, "column_names", None) or side.columns) == ["x"]


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_split_with_named_shift_leaves_other_rows_out(frame: Any):
    source, shifted = split_by(frame, "area", source=["a", "b"], shifted=["c"])
    assert (len(source), len(shifted)) == (4, 1)
    source, shifted = split_by(frame, "code", source={1}, shifted=3)
    assert (len(source), len(shifted)) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"column": "town", "source": "a"}, "has no column town; it has area, code, x"),
        ({"column": "area", "source": "a", "drop": ["kode"]}, "has no column kode"),
        ({"column": "area", "source": "z"}, r"source names 'z', but area holds 'b', 'a', 'c'"),
        ({"column": "code", "source": "1"}, r"source names '1', but code holds 2, 1, 3"),
        ({"column": "area", "source": []}, "source names nothing, but area holds"),
        (
            {"column": "area", "source": "a", "shifted": ["a", "b"]},
            "'a' of area is in more than one of source, shifted",
        ),
    ],
)
def test_split_mistakes(arguments: dict[str, Any], message: str):
    for frame in FRAMES.values():
        with pytest.raises(InputError, match=message):
            split_by(frame, **arguments)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"area": ["a", None, "b"], "x": 1}),
        pl.DataFrame({"area": ["a", None, "b"], "x": 1}),
        pa.table({"area": ["a", None, "b"], "x": [1, 1, 1]}),
        pd.DataFrame({"area": [1.0, np.nan, 2.0], "x": 1}),
    ],
    ids=["pandas", "polars", "pyarrow", "NaN"],
)
def test_missing_values_of_the_split_column_are_named(frame: Any):
    with pytest.raises(
        InputError, match="area is missing in row 1; fill these values in or leave the rows out"
    ):
        split_by(frame, "area", source="a")


@pytest.mark.parametrize("frame", [pl.DataFrame(COLUMNS).lazy(), COLUMNS, np.zeros((2, 2)), None])
def test_what_is_no_eager_dataframe_is_refused(frame: Any):
    with pytest.raises(InputError, match=r"cannot be split; give a pandas, polars or pyarrow table"):
        split_by(frame, "area", source="a")


@pytest.mark.parametrize("values", SERIES.values(), ids=SERIES)
def test_partition_by_takes_any_column(values: Any):
    parts = partition_by(values, source=["a", "c"], dev_out="b", fractions=(0, 0, 1))
    assert parts.tolist() == ["dev_out", "eval_in", "eval_in", "eval_in", "dev_out"]


def test_partition_sides_by_value():
    years = [2015] * 10 + [2016] * 3 + [2017] * 2
    for named in ({"dev_out": 2016}, {"eval_out": [2017]}, {"dev_out": [2016], "eval_out": [2017]}):
        parts = partition_by(years, source=2015, **named)
        assert Counter(parts.tolist()) == {"train": 7, "dev_in": 1, "eval_in": 2, "dev_out": 3, "eval_out": 2}
        assert parts[10:].tolist() == ["dev_out"] * 3 + ["eval_out"] * 2


def test_partition_without_shift():
    assert set(partition_by(["a"] * 10, source="a").tolist()) == {"train", "dev_in", "eval_in"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"source": "z"}, "source names 'z', but the split column holds 'b', 'a', 'c'"),
        ({"source": "a", "dev_out": ["b", "d"]}, "dev_out names 'd'"),
        ({"source": "a", "dev_out": "a"}, "'a' of the split column is in more than one of source, dev_out"),
        ({"source": "a", "dev_out": "b", "eval_out": "b"}, "'b' of the split column is in more than one of"),
        ({"source": "a", "dev_out": "b", "eval_out": []}, "eval_out names nothing"),
        ({"source": ["a"], "fractions": (0.5, 0.5)}, "fractions must be three numbers"),
        ({"source": ["a"], "fractions": (0.5, 0.6, -0.1)}, "fractions must be three numbers"),
        ({"source": ["a"], "fractions": (0.5, 0.1, 0.1)}, "sum to 1"),
        ({"source": ["a"], "fractions": (1, 0, 0)}, "shifted rows have no place"),
    ],
)
def test_partition_mistakes(arguments: dict[str, Any], message: str):
    with pytest.raises(InputError, match=message):
        partition_by(COLUMNS["area"], **arguments)


def test_partition_wants_every_value_named():
    with pytest.raises(InputError, match=r"also holds 'd', which is in none of source, dev_out and eval_out"):
        partition_by(["a", "b", "c", "d"], source="a", dev_out="b", eval_out="c")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "is empty"),
        (["a", None], "is missing in row 1"),
        ([1.0, float("nan"), 1.0], "is missing in row 1"),
        ([[1, 2], [3, 4]], "cannot be read as one column of values"),
    ],
)
def test_columns_that_split_nothing(values: Any, message: str):
    with pytest.raises(InputError, match=message):
        partition_by(values, source=1)


VALUES = st.lists(st.integers(0, 4), min_size=1, max_size=80)


@given(
    VALUES,
    st.data(),
    st.integers(0, 5),
    st.sampled_from([(0.7, 0.1, 0.2), (1 / 3, 1 / 3, 1 / 3), (0, 0.5, 0.5)]),
)
def test_every_row_has_its_place_and_every_part_its_share(
    values: list[int], draw: st.DataObject, seed: int, fractions: tuple[float, float, float]
):
    known = sorted(set(values))
    source = set(draw.draw(st.lists(st.sampled_from(known), min_size=1, unique=True)))
    parts = partition_by(values, source=source, fractions=fractions, seed=seed)
    assert parts.tolist() == partition_by(values, source=source, fractions=fractions, seed=seed).tolist()
    for value, part in zip(values, parts, strict=True):
        assert part in (("train", "dev_in", "eval_in") if value in source else ("dev_out", "eval_out"))
    inside = sum(value in source for value in values)
    counts = Counter(parts.tolist())
    for part, share in zip(("train", "dev_in", "eval_in"), fractions, strict=True):
        assert abs(counts[part] - share * inside) <= 1
    outside = len(values) - inside
    assert abs(counts["dev_out"] - outside * fractions[1] / (fractions[1] + fractions[2])) <= 1


@given(VALUES, VALUES, st.integers(0, 5))
def test_shifted_rows_do_not_move_in_domain_ones(values: list[int], others: list[int], seed: int):
    inside = [0, *(value % 2 for value in values)]
    shifted = [value + 10 for value in others]
    alone = partition_by(inside, source=set(inside), seed=seed)
    together = partition_by(inside + shifted, source=set(inside), seed=seed)
    assert together[: len(inside)].tolist() == alone.tolist()
    by_value = partition_by(shifted + inside, source=set(inside), dev_out=shifted[0], seed=seed)
    assert by_value[len(shifted) :].tolist() == alone.tolist()


@given(VALUES, st.data())
def test_split_and_partition_agree(values: list[int], draw: st.DataObject):
    source = draw.draw(st.sampled_from(values))
    frame = pa.table({"v": values, "row": range(len(values))})
    inside, outside = split_by(frame, "v", source=source)
    parts = partition_by(values, source=source)
    is_in = np.isin(parts, ["train", "dev_in", "eval_in"])
    assert inside["row"].to_pylist() == np.flatnonzero(is_in).tolist()
    assert outside["row"].to_pylist() == np.flatnonzero(~is_in).tolist()
    assert set(parts.tolist()) <= set(PARTITIONS)
