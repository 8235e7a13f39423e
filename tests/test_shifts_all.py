"""What every shift promises: nothing moves but what its record says, and the table comes back in its own kind."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frames import is_missing, records_of
from surefoot._columns import open_columns
from surefoot.errors import InputError
from surefoot.shifts import LabelSwitch, Mixture, NoShift, Rebalance, find_kind, kind, kinds

NAMES = [one.name for one in kinds()]
TYPES = pa.schema(
    [
        ("f", pa.float64()),
        ("g", pa.float32()),
        ("i", pa.int64()),
        ("u", pa.uint8()),
        ("c", pa.string()),
        ("k", pa.dictionary(pa.int32(), pa.string())),
        ("b", pa.bool_()),
        ("d", pa.date32()),
    ]
)
CELLS = {
    "f": st.floats(-1e6, 1e6) | st.none(),
    "g": st.floats(-1e6, 1e6, width=32) | st.just(float("inf")),
    "i": st.integers(-(10**6), 10**6),
    "u": st.integers(0, 255) | st.none(),
    "c": st.sampled_from(["red", "green", "blue", ""]) | st.none(),
    "k": st.sampled_from(["x", "y"]) | st.none(),
    "b": st.booleans() | st.none(),
    "d": st.dates() | st.none(),
}
LIBRARIES = ("pandas", "nullable", "polars", "pyarrow")


def frame_of(records, library):
    arrow = pa.Table.from_pylist(records, schema=TYPES)
    if library == "pandas":
        return arrow.to_pandas()
    if library == "nullable":
        return arrow.to_pandas(types_mapper=pd.ArrowDtype)
    return pl.from_arrow(arrow) if library == "polars" else arrow


def made(name, samples, features):
    entry = find_kind(name)
    options = {"samples": samples, "features": features}
    return kind(name, **{key: value for key, value in options.items() if key in entry.options})


def plain(frame):
    return [
        [None if is_missing(value) else value for value in record.values()] for record in records_of(frame)
    ]


def types_of(frame):
    return frame.dtypes.tolist() if isinstance(frame, pd.DataFrame) else frame.schema


def holds(record, frame, moved, labels, new_labels):
    """Nothing has changed outside what the record names."""
    before, after, cells = plain(frame), plain(moved), record.cells
    assert len(before) == len(after) == len(record.source)
    for i, source in enumerate(record.source):
        for j, value in enumerate(after[i]):
            assert cells[i, j] or value == before[source][j]
        assert record.labels[i] == (new_labels[i] != labels[source])
        assert record.rows[i] == (source != i or bool(cells[i].any()) or bool(record.labels[i]))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(
    records=st.lists(st.fixed_dictionaries(CELLS), max_size=14),
    library=st.sampled_from(LIBRARIES),
    samples=st.floats(0, 1),
    features=st.floats(0, 1),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
def test_nothing_moves_but_what_the_record_says(name, records, library, samples, features, seed, data):
    frame = frame_of(records, library)
    y = data.draw(
        st.lists(st.sampled_from(["yes", "no", "maybe"]), min_size=len(records), max_size=len(records))
    )
    before = plain(frame), list(y), types_of(frame)
    shift = made(name, samples, features)
    moved, labels, record = shift(frame, y, seed)
    assert (plain(frame), y, types_of(frame)) == before
    assert type(moved) is type(frame)
    holds(record, frame, moved, y, labels)
    if name != "missing-values":  # whole numbers in pandas have no way to say so
        assert types_of(moved) == before[2]
    again, labels_again, record_again = shift(frame, y, seed)
    assert (plain(again), labels_again) == (plain(moved), labels)
    assert record_again.to_dict() == record.to_dict()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8", "bool", "object"])
def test_arrays_come_back_as_arrays(name, dtype):
    rng = np.random.default_rng(0)
    table = (
        (rng.normal(size=(40, 6)) * 10).astype(dtype)
        if dtype != "uint8"
        else rng.integers(0, 9, (40, 6), "u1")
    )
    if dtype == "object":
        table[:, 3:] = rng.choice(list("abc"), (40, 3))
    y, copy = rng.integers(0, 3, 40), table.copy()
    moved, labels, record = made(name, 0.5, 0.5)(table, y, 1)
    np.testing.assert_array_equal(table, copy)
    assert moved is not table
    assert moved.shape == table.shape
    assert labels.dtype == y.dtype
    if not (name == "missing-values" and dtype in ("int64", "uint8", "bool")):
        assert moved.dtype == table.dtype
    kept = ~record.cells
    np.testing.assert_array_equal(moved[kept], table[record.source][kept])


@pytest.mark.parametrize(
    ("samples", "features", "rows", "columns"),
    [(0.5, 0.5, 5, 2), (0.01, 0.01, 1, 1), (1.0, 1.0, 10, 4), (0.25, 0.3, 3, 2), (0.1, 0.75, 1, 3)],
)
@pytest.mark.parametrize(
    "name",
    [
        "scaling",
        "outliers",
        "gaussian",
        "flip",
        "constant-numeric",
        "plus",
        "missing",
        "switch",
        "constant-c",
    ],
)
def test_shares_of_rows_and_columns_are_rounded_up(name, samples, features, rows, columns):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.integers(0, 3, (10, 4)).astype(float), columns=list("abcd"))
    if find_kind(name).needs == ("categorical columns",):
        frame = frame.astype(str)
    _, _, record = kind(name, samples=samples, features=features)(frame, None, 5)
    assert record.cells.any(axis=1).sum() == rows
    assert len(record.columns) == columns
    assert record.cells.sum() == rows * columns


@pytest.mark.parametrize("name", NAMES)
def test_fractions_of_nothing_move_nothing(name):
    if "samples" not in find_kind(name).options:
        return
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "x"]})
    if name in ("joint-subsampling", "subsample-numeric", "subsample-categorical"):
        return  # they draw rows, each as likely as any other
    y = np.array([0, 1, 0])
    moved, labels, record = kind(name, samples=0.0)(frame, y, 0)
    pd.testing.assert_frame_equal(moved, frame)
    assert labels.tolist() == y.tolist()
    assert not record.moved


@pytest.mark.parametrize(
    "name", [one.name for one in kinds() if one.needs[:1] in [("numeric columns",), ("categorical columns",)]]
)
def test_a_table_without_such_columns_stays_and_the_record_says_why(name):
    lacking = find_kind(name).needs[0].split()[0]
    values = {"numeric": ["x", "y"], "categorical": [1.0, 2.0]}[lacking]
    frame = pd.DataFrame({"a": values, "d": pd.to_datetime(["2024-01-01", "2024-01-02"])})
    moved, _, record = kind(name)(frame, [0, 1], 0)
    pd.testing.assert_frame_equal(moved, frame)
    assert not record.moved
    assert record.note.startswith(f"the table has no {lacking}")


@pytest.mark.parametrize("name", [one.name for one in kinds() if "labels" in one.needs])
def test_a_shift_of_labels_needs_labels(name):
    with pytest.raises(InputError, match=f"{name} moves labels: give y"):
        kind(name)(np.ones((3, 1)))


@pytest.mark.parametrize("name", [one.name for one in kinds() if "columns" in one.options])
def test_only_the_columns_named_move(name):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"a": rng.normal(size=30), "b": rng.normal(size=30), "c": rng.choice(list("xyz"), 30)}
    )
    frame["e"] = rng.choice(list("xyz"), 30)
    named = ["b", "a", "e"] if name == "swapped-values" else ["b", "e"]
    _, _, record = (
        kind(name, features=1.0, columns=named)(frame, None, 0)
        if "features" in find_kind(name).options
        else kind(name, columns=named)(frame, rng.integers(0, 2, 30), 0)
    )
    assert set(record.columns) <= set(named)
    assert record.moved
    with pytest.raises(InputError, match="there is no column q; the table has a, b, c, e"):
        kind(name, columns=["q"])(frame, rng.integers(0, 2, 30), 0)


@pytest.mark.parametrize("name", NAMES)
def test_no_rows_at_all(name):
    frame = pd.DataFrame({"a": pd.Series([], dtype="float64"), "b": pd.Series([], dtype="str")})
    moved, labels, record = kind(name)(frame, [], 0)
    pd.testing.assert_frame_equal(moved, frame)
    assert labels == []
    assert not record.moved


def test_a_generator_goes_on_where_a_seed_starts_again():
    table, rng = np.arange(20.0)[:, None], np.random.default_rng(5)
    shift = kind("gaussian", samples=1.0)
    first, second = shift(table, None, rng)[0], shift(table, None, rng)[0]
    assert (first != second).any()
    np.testing.assert_array_equal(first, shift(table, None, 5)[0])


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        np.array,
        pd.Series,
        pl.Series,
        lambda y: pd.Series(y, dtype="category"),
        lambda y: pa.chunked_array([y]),
    ],
)
def test_labels_come_back_in_their_kind(make):
    given_ = ["a", "b", "c", "a", "b", "a"]
    y = make(given_)
    _, labels, record = LabelSwitch(samples=1.0)(np.zeros((6, 1)), y, 0)
    assert type(labels) is type(y)
    listed = labels.to_pylist() if isinstance(labels, pa.ChunkedArray) else list(labels)
    assert all(one != other and one in "abc" for one, other in zip(listed, given_, strict=True))
    assert record.labels.all()
    if isinstance(y, pd.Series):
        assert labels.dtype == y.dtype


def test_a_series_keeps_the_index_of_the_rows():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0]}, index=[7, 8, 9])
    y = pd.Series(["a", "b", "b"], index=frame.index, name="y")
    moved, labels, _ = kind("only-one", label="a")(frame, y, 0)
    assert moved.index.tolist() == labels.index.tolist() == [7, 7, 7]
    assert labels.tolist() == ["a"] * 3
    assert labels.name == "y"
    switched = kind("label-switch", samples=1)(frame, y, 0)[1]
    assert switched.tolist() == ["b", "a", "a"]
    assert switched.index.tolist() == [7, 8, 9]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 2], "y has 2 labels for 3 rows"),
        (np.zeros((3, 1)), r"y has shape \(3, 1\), but one label a row is needed"),
        ("abc", "y is a str; give a list, a NumPy array or a column"),
    ],
)
def test_labels_that_do_not_fit(y, message):
    with pytest.raises(InputError, match=message):
        NoShift()(np.zeros((3, 1)), y)


def test_names_may_be_shortened_and_slips_get_a_hint():
    assert find_kind("missing").name == "missing-values"
    assert find_kind("Flip_Sign").name == "flip-sign"
    with pytest.raises(
        InputError, match="'const' names several kinds of shift; did you mean constant-numeric or"
    ):
        kind("const")
    with pytest.raises(InputError, match="'flop-sign' names no kind of shift; did you mean flip-sign"):
        kind("flop-sign")
    with pytest.raises(InputError, match="names no kind of shift; choose from swapped-values, scaling"):
        kind("")
    with pytest.raises(InputError, match="flip-sign has no option size; it has samples, features, columns"):
        kind("flip", size="large")
    with pytest.raises(InputError, match="no-shift has no option samples; it has none"):
        kind("no-shift", samples=0.5)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("flip", {"samples": 1.5}, "samples is a share between 0 and 1, not 1.5"),
        ("flip", {"features": "half"}, "features is a share between 0 and 1, not 'half'"),
        ("flip", {"samples": True}, "samples is a share between 0 and 1"),
        ("flip", {"samples": float("nan")}, "samples is a share"),
        ("gaussian", {"size": "huge"}, "size must be one of small, medium, large, not 'huge'"),
        ("scaling", {"convention": "mine"}, "convention must be one of paper, published"),
        ("scaling", {"spreads": (3, 1)}, "spreads must be two numbers with 0 ≤ low ≤ high"),
        ("scaling", {"spreads": 3}, "spreads must be two numbers"),
        ("scaling", {"factors": ()}, "factors is empty"),
        ("plus", {"percent": 0}, "percent must be a number above 0"),
        ("plus", {"percent": "ten"}, "plus-minus-percent cannot be made with percent='ten'"),
        ("rebalance", {"concentration": -1}, "concentration must be a number above 0"),
        ("near", {"near": 2}, "near is a share between 0 and 1"),
    ],
)
def test_options_that_make_no_sense(name, options, message):
    with pytest.raises(InputError, match=message):
        kind(name, **options)


@settings(max_examples=30)
@given(
    records=st.lists(st.fixed_dictionaries(CELLS), min_size=1, max_size=12),
    library=st.sampled_from(LIBRARIES),
    names=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
    shares=st.none() | st.lists(st.floats(0, 0.33), min_size=3, max_size=3),
    seed=st.integers(0, 99),
)
def test_mixtures_record_what_their_parts_move(records, library, names, shares, seed):
    frame = frame_of(records, library)
    y = [("yes", "no", "maybe")[i % 3] for i in range(len(records))]
    mixture = Mixture([kind(name) for name in names], None if shares is None else shares[: len(names)])
    moved, labels, record = mixture(frame, y, seed)
    holds(record, frame, moved, y, labels)
    assert len(record.details) == len(names)


def test_a_mixture_by_share_moves_each_part_on_its_own_rows():
    table, y = np.ones((100, 1)), np.arange(100) % 2
    mixture = Mixture(
        [kind("flip", samples=1), kind("missing", samples=1), kind("label-switch", samples=1)],
        [0.2, 0.3, 0.1],
    )
    moved, labels, record = mixture(table, y, 0)
    assert (moved == -1).sum() == 20
    assert np.isnan(moved).sum() == 30
    assert (labels != y).sum() == record.labels.sum() == 10
    assert record.rows.sum() == 60
    assert not (record.cells[:, 0] & record.labels).any()


def test_a_mixture_in_a_row_sees_what_came_before():
    moved, _, record = Mixture([kind("flip", samples=1), kind("flip", samples=1)])(np.ones((3, 1)), None, 0)
    assert (moved == 1).all()
    assert record.cells.all()
    back = Mixture([LabelSwitch(samples=1), LabelSwitch(samples=1)])(np.ones((3, 1)), [0, 1, 0], 0)
    assert back[1] == [0, 1, 0]
    assert not back[2].labels.any()


@pytest.mark.parametrize(
    ("shifts", "shares", "message"),
    [
        ([], None, "a mixture needs at least one shift"),
        ([NoShift()], [0.5, 0.5], "there are 2 shares for 1 shifts"),
        ([NoShift(), NoShift()], [0.9, 0.9], "shares must be ≥ 0 and sum to at most 1"),
        ([NoShift()], [-0.1], "shares must be ≥ 0"),
    ],
)
def test_mixtures_that_make_no_sense(shifts, shares, message):
    with pytest.raises(InputError, match=message):
        Mixture(shifts, shares)


def test_shifts_are_values():
    assert kind("rebalance", concentration=2.0) == Rebalance(concentration=2.0)
    assert len({kind("flip"), kind("flip"), kind("flip", samples=0.1)}) == 2


def test_moving_opened_columns_is_what_calling_does():
    frame = pd.DataFrame({"a": np.arange(9.0), "b": list("xyzxyzxyz")})
    for name in NAMES:
        columns, labels, record = kind(name).move(
            open_columns(frame), np.arange(9) % 2, np.random.default_rng(4)
        )
        moved, labels_too, record_too = kind(name)(frame, np.arange(9) % 2, 4)
        pd.testing.assert_frame_equal(columns.to_native(), moved)
        assert labels.tolist() == labels_too.tolist()
        assert record.to_dict() == record_too.to_dict()
