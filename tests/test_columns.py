"""Tables as typed columns and back: nothing that was not replaced changes, whatever library it comes from."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frames import cells, is_missing, records_of, rows_of, same
from surefoot._columns import MISSING, Column, Columns, concatenate, encoded, fitted, open_columns
from surefoot.errors import InputError

DAY = dt.date(2024, 2, 29)
NOON = dt.datetime(2024, 2, 29, 12)
DATES = [DAY, None, DAY + dt.timedelta(days=3), DAY]
MOMENTS = [NOON, None, NOON + dt.timedelta(hours=3), NOON]
WORDS = ["b", "a", None, "b"]

# name: (values, kind of the column)
PANDAS = {
    "float64": (pd.Series([1.5, np.nan, -2.0, 7.0]), "numeric"),
    "float32": (pd.Series([1.5, np.nan, -2.0, 7.0], dtype="float32"), "numeric"),
    "int8": (pd.Series([1, -3, 0, 127], dtype="int8"), "numeric"),
    "uint64": (pd.Series([1, 2**64 - 1, 0, 5], dtype="uint64"), "numeric"),
    "Int64": (pd.Series([1, None, 2**60 + 1, 5], dtype="Int64"), "numeric"),
    "Float32": (pd.Series([1.5, None, -2.0, 5], dtype="Float32"), "numeric"),
    "bool": (pd.Series([True, False, True, True]), "boolean"),
    "boolean": (pd.Series([True, None, False, True], dtype="boolean"), "boolean"),
    "str": (pd.Series(WORDS, dtype="str"), "categorical"),
    "string": (pd.Series(WORDS, dtype="string"), "categorical"),
    "string[python]": (pd.Series(WORDS, dtype=pd.StringDtype("python")), "categorical"),
    "string[pyarrow]": (pd.Series(WORDS, dtype=pd.ArrowDtype(pa.string())), "categorical"),
    "object text": (pd.Series(WORDS, dtype=object), "categorical"),
    "object mixed": (pd.Series([1, "a", None, True], dtype=object), "categorical"),
    "object bool": (pd.Series([True, None, False, True], dtype=object), "boolean"),
    "object int": (pd.Series([4, None, 2**60 + 1, 3], dtype=object), "numeric"),
    "object dates": (pd.Series(DATES, dtype=object), "other"),
    "category": (pd.Series(WORDS, dtype=pd.CategoricalDtype(["c", "b", "a"], ordered=True)), "categorical"),
    "category int": (pd.Series([3, 1, None, 3], dtype=pd.CategoricalDtype([1, 3])), "categorical"),
    "datetime": (pd.Series(pd.to_datetime(MOMENTS)), "other"),
    "datetime tz": (pd.Series(pd.to_datetime(MOMENTS)).dt.tz_localize("Asia/Tokyo"), "other"),
    "timedelta": (pd.Series(pd.to_timedelta([1, None, 3, 1], unit="s")), "other"),
    "period": (pd.Series(pd.PeriodIndex(["2024-01", None, "2024-03", "2024-01"], freq="M")), "other"),
    "interval": (
        pd.Series(pd.IntervalIndex.from_tuples([(0, 1), None, (1, 2), (0, 1)])),
        "categorical",
    ),
    "sparse": (pd.Series(pd.arrays.SparseArray([0.0, 0.0, 1.5, 0.0])), "numeric"),
    "int64[pyarrow]": (pd.Series([1, None, 2**60 + 1, 4], dtype=pd.ArrowDtype(pa.int64())), "numeric"),
    "decimal[pyarrow]": (
        pd.Series(
            [Decimal("1.25"), None, Decimal("-3.50"), Decimal("7.00")],
            dtype=pd.ArrowDtype(pa.decimal128(12, 2)),
        ),
        "numeric",
    ),
    "all missing": (pd.Series([None] * 4, dtype="float64"), "numeric"),
    "all None": (pd.Series([None] * 4, dtype=object), "categorical"),
}

POLARS = {
    "f64 with null and nan": (pl.Series([1.5, None, float("nan"), 7.0]), "numeric"),
    "i16": (pl.Series([1, None, -300, 7], dtype=pl.Int16), "numeric"),
    "i64": (pl.Series([1, None, 2**60 + 1, 7]), "numeric"),
    "u8": (pl.Series([1, 0, 255, 7], dtype=pl.UInt8), "numeric"),
    "bool": (pl.Series([True, None, False, True]), "boolean"),
    "text": (pl.Series(WORDS), "categorical"),
    "categorical": (pl.Series(WORDS, dtype=pl.Categorical), "categorical"),
    "enum": (pl.Series(WORDS, dtype=pl.Enum(["c", "b", "a"])), "categorical"),
    "binary": (pl.Series([b"b", b"a", None, b"b"]), "categorical"),
    "date": (pl.Series(DATES), "other"),
    "moment": (pl.Series(MOMENTS), "other"),
    "zone": (pl.Series(MOMENTS).dt.replace_time_zone("Europe/Zurich"), "other"),
    "time": (pl.Series([dt.time(1), None, dt.time(3), dt.time(1)]), "other"),
    "duration": (pl.Series([dt.timedelta(1), None, dt.timedelta(3), dt.timedelta(1)]), "other"),
    "decimal": (pl.Series([Decimal("1.25"), None, Decimal("-3.50"), Decimal("7.00")]), "numeric"),
    "null": (pl.Series([None] * 4), "categorical"),
    "list": (pl.Series([[1], None, [2, 3], []]), "other"),
}

ARROW = {
    "half": (pa.array([1.5, None, 0.5, 2.0], pa.float16()), "numeric"),
    "int64": (pa.array([1, None, 2**60 + 1, 7]), "numeric"),
    "decimal": (
        pa.array([Decimal("1.00"), None, Decimal("12345678901234567890.25"), Decimal("2.00")]),
        "numeric",
    ),
    "bool": (pa.array([True, None, False, True]), "boolean"),
    "text": (pa.array(WORDS), "categorical"),
    "large": (pa.array(WORDS, pa.large_string()), "categorical"),
    "view": (pa.array(WORDS, pa.string_view()), "categorical"),
    "bytes": (pa.array([b"b", b"a", None, b"b"], pa.binary(1)), "categorical"),
    "dictionary": (pa.array(WORDS).dictionary_encode(), "categorical"),
    "int dictionary": (
        pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 1], pa.int8()), pa.array([10, 20])),
        "categorical",
    ),
    "null": (pa.nulls(4), "categorical"),
    "date64": (pa.array(DATES, pa.date64()), "other"),
    "timestamp": (pa.array(MOMENTS, pa.timestamp("us", "Asia/Tokyo")), "other"),
    "time32": (pa.array([dt.time(1), None, dt.time(3), dt.time(1)], pa.time32("ms")), "other"),
    "struct": (pa.array([{"a": 1}, None, {"a": 2}, {"a": 1}]), "other"),
}


def _frames():
    for name, (values, kind) in PANDAS.items():
        yield pytest.param(pd.DataFrame({"x": values}), kind, id=f"pandas {name}")
    for name, (values, kind) in POLARS.items():
        yield pytest.param(pl.DataFrame({"x": values}), kind, id=f"polars {name}")
    for name, (values, kind) in ARROW.items():
        yield pytest.param(pa.table({"x": values}), kind, id=f"pyarrow {name}")


FRAMES = list(_frames())


@pytest.mark.parametrize(("frame", "kind"), FRAMES)
def test_a_column_opens_with_its_kind_and_closes_as_it_was(frame, kind):
    columns = open_columns(frame)
    (column,) = columns.columns
    assert (column.name, column.kind) == ("x", kind)
    same(columns.to_native(), frame)
    rows = np.array([3, 1, 1, 0, 2])
    same(columns.take(rows).to_native(), rows_of(frame, rows))


@pytest.mark.parametrize(("frame", "kind"), FRAMES)
def test_written_back_unmoved_nothing_changes_not_even_beyond_float64(frame, kind):
    columns = open_columns(frame)
    if kind != "other":
        same(columns.replace({0: columns.columns[0].values.copy()}).to_native(), frame)


@pytest.mark.parametrize(("frame", "kind"), FRAMES)
def test_missing_values_are_seen(frame, kind):
    (column,) = open_columns(frame).columns
    expected = [is_missing(value) for value in cells(frame)]
    if not any(isinstance(value, list | dict) for value in cells(frame)):
        assert column.missing.tolist() == expected
        assert np.isnan(column.numbers()).tolist() == expected


@pytest.mark.parametrize(("frame", "kind"), FRAMES)
def test_one_cell_replaced_changes_one_cell(frame, kind):
    columns = open_columns(frame)
    (column,) = columns.columns
    if kind == "other" or (kind == "categorical" and len(column.categories) < 2):
        return
    values = column.values.copy()
    values[3] = values[0]
    closed = columns.replace({0: values}).to_native()
    before, after = cells(frame), cells(closed)
    assert after[3] == before[0] or (is_missing(after[3]) and is_missing(before[0]))
    for i in range(3):
        assert before[i] == after[i] or (is_missing(before[i]) and is_missing(after[i]))
    if isinstance(frame, pd.DataFrame):
        assert closed.dtypes.tolist() == frame.dtypes.tolist()
    else:
        assert closed.schema == frame.schema


@pytest.mark.parametrize(("frame", "kind"), FRAMES)
def test_a_missing_value_can_be_put_in(frame, kind):
    columns = open_columns(frame)
    (column,) = columns.columns
    if kind == "other":
        return
    values = column.values.astype(np.float64) if kind == "numeric" else column.values.copy()
    values[0] = np.nan if kind == "numeric" else MISSING
    closed = columns.replace({0: values}).to_native()
    after = cells(closed)
    assert is_missing(after[0])
    assert open_columns(closed).columns[0].missing.tolist() == [True, *column.missing[1:].tolist()]
    if isinstance(frame, pd.DataFrame):
        gives_way = {"int8": "float64", "uint64": "float64", "bool": "object"}
        assert str(closed["x"].dtype) == gives_way.get(str(frame["x"].dtype), str(frame["x"].dtype))
    else:
        assert closed.schema == frame.schema


NUMPY = [
    np.array([[1.5, np.nan], [2.0, 3.0]]),
    np.array([[1.5, np.nan], [2.0, 3.0]], dtype=np.float16),
    np.array([[1, 2], [3, 2**62 + 1]]),
    np.array([[True, False], [True, True]]),
    np.array([["a", "b"], ["c", "d"]]),
    np.array([[b"a", b"b"], [b"c", b"d"]]),
    np.array([["2024-01-01", "NaT"], ["2024-01-03", "2024-01-04"]], dtype="M8[D]"),
    np.array([[1, "a", None, 2.5, True], [3, "b", True, None, 1]], dtype=object),
    np.asfortranarray(np.array([[1.0, 2.0], [3.0, 4.0]])),
]


@pytest.mark.parametrize("table", NUMPY, ids=lambda table: str(table.dtype))
def test_arrays_round_trip(table):
    columns = open_columns(table)
    same(columns.to_native(), table)
    assert columns.to_native() is not table
    same(columns.take(np.array([1, 0, 1])).to_native(), table[[1, 0, 1]])
    able = {j: columns.columns[j].values.copy() for j in columns.of_kind("numeric", "categorical", "boolean")}
    same(columns.replace(able).to_native(), table)


def test_an_array_of_objects_has_a_type_in_every_column():
    table = np.array([[1, "a", None, 2.5, True], [3, "b", True, None, 1]], dtype=object)
    columns = open_columns(table).columns
    assert [c.kind for c in columns] == ["numeric", "categorical", "boolean", "numeric", "categorical"]
    assert [c.whole for c in columns] == [True, False, False, False, False]
    assert columns[4].categories == (True, 1)  # equal in Python, but not the same
    closed = open_columns(table).replace({0: np.array([7.4, 3.0]), 1: np.array([1, MISSING])}).to_native()
    assert closed[:, 0].tolist() == [7, 3]
    assert type(closed[0, 0]) is int
    assert closed[:, 1].tolist() == ["b", None]
    assert closed[1, 2] is True
    assert closed[1, 3] is None


@pytest.mark.parametrize(
    ("table", "new", "expected"),
    [
        (np.array([[1, 2]]), np.array([np.nan]), np.array([[np.nan, 2.0]])),
        (np.array([[True, False]]), np.array([MISSING]), np.array([[np.nan, 0.0]])),
        (np.array([["a", "b"]]), np.array([MISSING]), np.array([[None, "b"]], dtype=object)),
    ],
)
def test_an_array_that_cannot_hold_missing_values_gives_way(table, new, expected):
    closed = open_columns(table).replace({0: new}).to_native()
    assert closed.dtype == expected.dtype
    np.testing.assert_array_equal(closed, expected)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "numpy"])
def test_empty_tables(library):
    empty = pd.DataFrame({"n": pd.Series([], dtype="float64"), "c": pd.Series([], dtype="str")})
    table = {
        "pandas": empty,
        "polars": pl.from_pandas(empty),
        "pyarrow": pa.Table.from_pandas(empty),
        "numpy": np.empty((0, 2)),
    }[library]
    columns = open_columns(table)
    assert len(columns) == 0
    assert columns.columns[0].kind == "numeric"
    assert columns.matrix().shape == (0, 2)
    same(columns.replace({0: np.empty(0), 1: columns.columns[1].values}).to_native(), table)


def test_pandas_keeps_index_names_and_attributes():
    frame = pd.DataFrame({"a": [1, 2, 3], ("b", 1): [1.0, 2.0, 3.0]}, index=pd.Index([7, 7, 9], name="id"))
    frame.attrs["source"] = "here"
    columns = open_columns(frame)
    assert columns.names == ("a", "('b', 1)")
    closed = columns.take(np.array([2, 0])).replace({1: np.array([8.0, 9.0])}).to_native()
    assert closed.columns.tolist() == ["a", ("b", 1)]
    assert closed.index.tolist() == [9, 7]
    assert closed.index.name == "id"
    assert closed.attrs == {"source": "here"}
    assert closed[("b", 1)].tolist() == [8.0, 9.0]


def test_chunks_with_dictionaries_of_their_own_are_one_column():
    chunks = pa.chunked_array(
        [pa.array(["a", "b"]).dictionary_encode(), pa.array(["b", "c"]).dictionary_encode()]
    )
    (column,) = open_columns(pa.table({"x": chunks})).columns
    assert [column.categories[code] for code in column.values] == ["a", "b", "b", "c"]


def test_a_dictionary_that_names_a_value_twice_or_holds_a_null():
    twice = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["a", None, "a"]))
    (column,) = open_columns(pa.table({"x": twice})).columns
    assert column.categories == ("a",)
    assert column.values.tolist() == [0, MISSING, 0]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "several columns called a; rename them first"),
        (pd.DataFrame([[1, 2]], columns=["1", 1]), "several columns called 1"),
        (pa.table([[1], [2]], names=["a", "a"]), "several columns called a"),
        (pd.DataFrame(), "the table has no columns"),
        (np.zeros(3), r"shape \(3,\), but \[rows, columns\] is needed"),
        (np.zeros((2, 0)), "is needed"),
        (np.zeros((2, 2), dtype=complex), "column 0 has dtype complex128"),
        (np.ma.array([[1.0]], mask=[[True]]), "masked array; fill it first"),
        (np.array([[{1: 2}, 1], [{1, 2}, 2]], dtype=object), "column 0 holds dict objects|set objects"),
        ([[1, 2]], "a list is no table"),
        (pl.LazyFrame({"a": [1]}), "a LazyFrame is no table"),
    ],
)
def test_what_is_no_table_gets_a_sentence(table, message):
    with pytest.raises(InputError, match=message):
        open_columns(table)


def test_numbers_that_are_names():
    frame = pd.DataFrame({"zip": [8001, 3000, 8001], "x": [1.0, 2.0, np.nan]})
    columns = open_columns(frame, categorical=["zip", "x"])
    assert columns.columns[0].categories == (3000, 8001)
    assert columns.columns[0].values.tolist() == [1, 0, 1]
    assert columns.columns[1].values.tolist() == [0, 1, MISSING]
    moved = columns.replace({0: np.array([0, 0, 1]), 1: np.array([1, MISSING, 0])}).to_native()
    pd.testing.assert_frame_equal(moved, pd.DataFrame({"zip": [3000, 3000, 8001], "x": [2.0, np.nan, 1.0]}))
    again = open_columns(open_columns(frame), categorical="zip")
    assert again.columns[0].kind == "categorical"
    with pytest.raises(InputError, match="categorical names zap, but the columns are zip, x"):
        open_columns(frame, categorical=["zap"])


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table, lambda data: np.array(list(data.values())).T])
def test_numbers_that_are_names_in_other_libraries(make):
    table = make({"0": [5, 3, 5, 9]})
    columns = open_columns(table, categorical=["0"])
    assert columns.columns[0].categories == (3, 5, 9)
    same(columns.replace({0: np.array([0, 0, 2, 2])}).to_native(), make({"0": [3, 3, 9, 9]}))


NUMBERS = st.floats(width=64, allow_nan=True, allow_infinity=True) | st.integers(-(10**6), 10**6).map(float)


@given(st.lists(NUMBERS, min_size=0, max_size=40))
def test_encoding_numbers_is_undone_by_closing(values):
    table = np.array(values, dtype=np.float64)[:, None]
    columns = open_columns(table, categorical=["0"])
    column = columns.columns[0]
    assert list(column.categories) == sorted(set(column.categories))
    np.testing.assert_array_equal(columns.replace({0: column.values}).to_native(), table)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=30))
def test_encoding_large_whole_numbers_is_exact(values):
    column = encoded(Column("x", "numeric", np.array(values), whole=True))
    assert [column.categories[code] for code in column.values] == values
    assert len(column.categories) == len(set(values))


@given(
    st.lists(st.floats(allow_nan=False), min_size=1, max_size=20),
    st.sampled_from(["int8", "uint8", "int32", "int64", "uint64", "float16", "float32", "float64"]),
)
def test_fitted_values_are_the_nearest_of_their_type(values, dtype):
    given_, out = np.array(values), fitted(np.array(values), np.dtype(dtype))
    assert out.dtype == dtype
    if out.dtype.kind in "iu":
        limits = np.iinfo(out.dtype)
        for value, got in zip(given_.tolist(), out.tolist(), strict=True):
            nearest = min(max(round(min(max(value, -1e30), 1e30)), limits.min), limits.max)
            assert abs(got - nearest) <= (1 << 11 if limits.bits == 64 else 0)
    else:
        finite = np.isfinite(given_)
        assert np.isfinite(out[finite]).all()
        assert (out[~finite] == given_[~finite]).all()


CELLS = {
    "n": st.floats(allow_nan=False, width=32) | st.none(),
    "i": st.integers(-(2**62), 2**62) | st.none(),
    "c": st.text(max_size=3) | st.none(),
    "b": st.booleans() | st.none(),
}
TYPES = {"n": pa.float64(), "i": pa.int64(), "c": pa.string(), "b": pa.bool_()}


@given(
    st.lists(st.fixed_dictionaries(CELLS), min_size=1, max_size=15),
    st.sampled_from(["pandas", "nullable", "polars", "pyarrow"]),
    st.data(),
)
def test_rows_and_cells_moved_in_any_library_are_those_moved_in_lists(records, library, data):
    arrow = pa.Table.from_pylist(records, schema=pa.schema(list(TYPES.items())))
    frame = {
        "pandas": lambda: pd.DataFrame(
            {name: pd.Series([r[name] for r in records], dtype=object) for name in TYPES}
        ),
        "nullable": lambda: arrow.to_pandas(types_mapper=pd.ArrowDtype),
        "polars": lambda: pl.from_arrow(arrow),
        "pyarrow": lambda: arrow,
    }[library]()
    n = len(records)
    taken = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=20))
    expected = [dict(records[i]) for i in taken]
    columns = open_columns(frame).take(np.array(taken))
    new = {}
    for j, name in enumerate(TYPES):
        give, get = (data.draw(st.integers(0, len(taken) - 1)) for _ in range(2))
        if expected[give][name] is not None and (name != "i" or library == "pandas"):
            if name == "i" and abs(expected[give][name]) > 2**53:
                continue
            values = columns.columns[j].values.copy()
            values[get] = values[give]
            new[j] = values
            expected[get][name] = expected[give][name]
    closed = columns.replace(new).to_native()
    plain = [{k: None if is_missing(v) else v for k, v in row.items()} for row in records_of(closed)]
    assert plain == expected


def test_parts_below_each_other_are_the_whole():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "x"]})
    columns = open_columns(frame)
    left, right = columns.take(np.array([0, 2])), columns.take(np.array([1]))
    joined = concatenate([left.replace({0: np.array([9.0, 8.0])}), right])
    assert isinstance(joined, Columns)
    expected = pd.DataFrame({"a": [9.0, 8.0, 2.0], "b": ["x", "x", "y"]}, index=[0, 2, 1])
    pd.testing.assert_frame_equal(joined.to_native(), expected)


def test_the_matrix_holds_numbers_and_codes():
    frame = pd.DataFrame({"a": [1.0, np.nan], "b": ["x", None], "c": [True, False]})
    columns = open_columns(frame)
    np.testing.assert_array_equal(columns.matrix(), [[1, 0, 1], [np.nan, np.nan, 0]])
    np.testing.assert_array_equal(columns.matrix([2]), [[1], [0]])


def test_dates_show_in_their_order():
    frame = pl.DataFrame({"d": [DAY, None, DAY - dt.timedelta(days=1)], "t": [dt.time(2), dt.time(1), None]})
    dates, times = open_columns(frame).columns
    assert dates.values[0] - dates.values[2] == 86_400
    assert times.values[:2].tolist() == [7200.0, 3600.0]


def test_opening_leaves_the_table_alone():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": pd.Categorical(["x", "y"])})
    before = frame.copy(deep=True)
    columns = open_columns(frame)
    columns.replace({0: np.array([5.0, 6.0]), 1: np.array([1, 1])}).to_native()
    pd.testing.assert_frame_equal(frame, before)
