"""What each kind of shift does to values, rows and labels, and what the published generators did."""

import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from golden import FOLDER
from surefoot.errors import InputError
from surefoot.shifts import kind

STORED = json.loads((FOLDER / "pp_perturbations.json").read_text())
PUBLISHED = {case["name"]: case for case in STORED["cases"]}
NUMBERS = np.array(STORED["inputs"]["X_numeric"])
CATEGORIES = np.array(STORED["inputs"]["X_categorical"], dtype=object)
LABELS = np.array(STORED["inputs"]["y"])

RNG = np.random.default_rng(0)
TABLE = np.round(RNG.normal(5, 3, size=(400, 6)), 3)
Y = RNG.choice(["a", "b", "c"], size=400, p=[0.6, 0.3, 0.1])


def moved_cells(shift, table=TABLE, seed=0):
    """Old and new values of every column that moved, by its position."""
    moved, _, record = shift(table, None, seed)
    rows = record.cells.any(axis=1)
    return {
        j: (table[rows, j], moved[rows, j]) for j in range(table.shape[1]) if record.cells[:, j].any()
    }, record


# -- cells ------------------------------------------------------------------------------------------------


def test_scaling_adds_one_value_to_each_column():
    columns, record = moved_cells(kind("scaling", features=1.0))
    added = {j: np.unique(np.round(new - old, 9)) for j, (old, new) in columns.items()}
    for j, values in added.items():
        assert values.tolist() == [pytest.approx(record.details[str(j)])]
        assert 1 <= abs(values[0]) / TABLE[:, j].std() <= 5
    assert len({values[0] for values in added.values()}) == 6
    assert {np.sign(record.details[str(j)]) for j in range(6)} == {-1, 1}


def test_outliers_have_a_strength_of_their_own_in_every_column():
    table = RNG.normal(size=(20_000, 4)) * [1, 10, 100, 1000]
    columns, record = moved_cells(kind("outliers", features=1.0), table)
    strengths = [record.details[str(j)] / table[:, j].std() for j in range(4)]
    assert len(set(strengths)) == 4
    for j, (old, new) in columns.items():
        assert 1 <= strengths[j] <= 5
        assert (new - old).std() == pytest.approx(record.details[str(j)], rel=0.05)


@pytest.mark.parametrize(
    ("size", "relative", "absolute"), [("small", 0.1, 1), ("medium", 0.3, 10), ("large", 1, 100)]
)
def test_gaussian_noise_is_relative_to_the_spread_or_absolute(size, relative, absolute):
    table = RNG.uniform(0, 1, size=(20_000, 2)) * [1, 1000]
    columns, _ = moved_cells(kind("gaussian", size=size, features=1.0), table)
    for j, (old, new) in columns.items():
        assert (new - old).std() / table[:, j].std() == pytest.approx(relative, rel=0.05)
    wide = RNG.uniform(-1e6, 1e6, size=(20_000, 1))
    columns, _ = moved_cells(kind("gaussian", size=size, features=1.0, convention="published"), wide)
    old, new = columns[0]
    assert (new - old).std() == pytest.approx(absolute, rel=0.05)
    columns, _ = moved_cells(kind("gaussian", size=size, features=1.0, convention="published"), table)
    for j, (_, new) in columns.items():
        assert table[:, j].min() <= new.min() <= new.max() <= table[:, j].max()


def test_published_noise_rounds_whole_numbers_up():
    whole = RNG.integers(-50, 50, size=(20_000, 2)).astype(float)
    columns, _ = moved_cells(kind("gaussian", features=1.0, convention="published"), whole)
    old, new = columns[0]
    assert (new == np.rint(new)).all()
    assert (new - old).mean() == pytest.approx(0.5, abs=0.05)


def test_flip_sign():
    columns, _ = moved_cells(kind("flip"))
    for old, new in columns.values():
        np.testing.assert_array_equal(new, -old)


def test_constant_numeric_is_a_value_of_the_column_or_its_median():
    columns, record = moved_cells(kind("constant-n"))
    for j, (_, new) in columns.items():
        assert set(new) == {record.details[str(j)]}
        assert record.details[str(j)] in TABLE[:, j]
    columns, _ = moved_cells(kind("constant-n", convention="published"))
    for j, (_, new) in columns.items():
        assert set(new) == {np.median(TABLE[:, j])}


def test_plus_minus_percent_stays_within_it():
    columns, _ = moved_cells(kind("plus", percent=20))
    for old, new in columns.values():
        assert (np.abs(new - old) <= 0.2 * np.abs(old) + 1e-12).all()
        assert np.unique(np.round((new - old) / old, 9)).size > 100


@pytest.mark.parametrize(("features", "columns"), [(0.01, 2), (0.3, 2), (0.5, 4), (0.67, 6), (1.0, 6)])
def test_swapped_values_come_in_pairs(features, columns):
    moved, _, record = kind("swapped", features=features)(TABLE, None, 0)
    rows, pairs = record.cells.any(axis=1), record.details["pairs"]
    assert len(record.columns) == columns == 2 * len(pairs) == 2 * len({min(pair) for pair in pairs})
    for a, b in pairs:
        np.testing.assert_array_equal(moved[rows][:, [int(a), int(b)]], TABLE[rows][:, [int(b), int(a)]])
    published = kind("swapped", features=features, convention="published")(TABLE, None, 0)[2]
    assert len(published.columns) == 2


def test_swapping_needs_two_columns_and_leaves_missing_values_where_they_are():
    one = kind("swapped")(TABLE[:, :1], None, 0)[2]
    assert not one.moved
    frame = pd.DataFrame({"a": [1.5, np.nan, 3.5], "b": [7, 8, 9]})
    moved = kind("swapped", samples=1.0)(frame, None, 0)[0]
    pd.testing.assert_frame_equal(moved, pd.DataFrame({"a": [7.0, np.nan, 9.0], "b": [2, 8, 4]}))


def test_missing_values_of_every_kind():
    frame = pd.DataFrame(
        {"n": [1.0, 2.0], "c": ["x", "y"], "k": pd.Categorical(["x", "y"]), "b": [True, False]}
    )
    frame["i"], frame["d"] = [1, 2], pd.to_datetime(["2024-01-01", "2024-01-02"])
    moved = kind("missing", samples=1.0, features=1.0)(frame, None, 0)[0]
    assert moved.isna().all().tolist() == [True] * 5 + [False]
    assert moved.dtypes.astype(str).tolist()[2:] == ["category", "object", "float64", frame["d"].dtype]
    indicated = kind("missing", samples=1.0, features=1.0, value=-9999)(frame, None, 0)[0]
    assert indicated["n"].tolist() == [-9999.0] * 2
    assert indicated["i"].tolist() == [-9999] * 2
    assert indicated["i"].dtype == "int64"


def test_whole_numbers_stay_whole_and_within_their_type():
    frame = pd.DataFrame(
        {"i": np.arange(100), "u": np.arange(100, dtype="uint8"), "n": pd.array([1, None] * 50)}
    )
    for name in ("scaling", "outliers", "gaussian", "plus"):
        moved = kind(name, samples=1.0, features=1.0)(frame, None, 1)[0]
        assert moved.dtypes.tolist() == frame.dtypes.tolist()
        assert moved["n"].isna().tolist() == frame["n"].isna().tolist()
    flipped = kind("flip", samples=1.0, features=1.0)(frame, None, 0)[0]
    assert flipped["i"].tolist() == [-i for i in range(100)]
    assert (flipped["u"] == 0).all()
    scaled = kind("scaling", samples=1.0, features=1.0, factors=[1000], convention="published")(
        frame, None, 0
    )[0]
    assert scaled["u"].tolist() == [0] + [255] * 99


@pytest.mark.parametrize("values", [list("abcdabcd"), [True, False] * 4, [1, 2, 3, 4] * 2])
def test_switched_categories_are_others_of_the_column(values):
    frame = pd.DataFrame({"x": values * 50})
    moved = kind("switch", samples=1.0)(
        frame, None, 0, categorical=["x"] if values[0] == 1 and values[1] == 2 else ()
    )[0]
    assert moved["x"].dtype == frame["x"].dtype
    assert (moved["x"] != frame["x"]).all()
    assert set(moved["x"]) == set(values)
    others = Counter(moved["x"][frame["x"] == values[0]])
    assert max(others.values()) < 2 * min(others.values())


def test_constant_categorical_and_a_column_with_one_category():
    frame = pd.DataFrame(
        {"x": list("abc") * 20, "y": pd.Categorical(["only"] * 60, categories=["only", "unused"])}
    )
    moved, _, record = kind("constant-c", features=1.0, samples=1.0)(frame, None, 0)
    assert set(moved["x"]) == {record.details["x"]} <= set("abc")
    assert set(moved["y"]) == {"only"}
    assert set(kind("switch", features=1.0, samples=1.0)(frame, None, 0)[0]["y"]) == {"only"}


# -- rows -------------------------------------------------------------------------------------------------


def test_joint_subsampling_leaves_far_rows_behind():
    table = RNG.normal(size=(5000, 3)) * [1, 100, 1]
    _, _, record = kind("joint", samples=0.25)(table, None, 0)
    distance = np.sqrt((((table - table.mean(axis=0)) / table.std(axis=0)) ** 2).sum(axis=1))
    np.testing.assert_allclose(record.details["kept"], 0.5 ** (distance / np.quantile(distance, 0.75)))
    assert distance[record.source].mean() < distance.mean()
    share = np.bincount(record.source, minlength=5000) @ (distance > np.quantile(distance, 0.75)) / 5000
    kept = record.details["kept"]
    assert share == pytest.approx(kept[distance > np.quantile(distance, 0.75)].sum() / kept.sum(), abs=0.03)
    raw = kind("joint", samples=0.25, convention="published")(table, None, 0)[2].details["kept"]
    distance = np.sqrt(((table - table.mean(axis=0)) ** 2).sum(axis=1))
    np.testing.assert_allclose(raw, 0.5 ** (distance / np.quantile(distance, 0.75)), rtol=1e-6)


def test_joint_subsampling_of_equal_rows():
    assert kind("joint")(np.full((5, 2), 0.1), None, 0)[2].note == "all rows are the same"
    missing = TABLE.copy()
    missing[::2] = np.nan
    kept = kind("joint")(missing, None, 0)[2].details["kept"]
    assert (kept[::2] == 1).all()


@pytest.mark.parametrize("samples", [0.2, 0.8])
def test_low_rows_go_in_proportion(samples):
    table = RNG.normal(size=(20_000, 2))
    table[:5, 0] = np.nan
    moved, _, record = kind("subsample-n", samples=samples, columns=["0"], features=1.0)(table, None, 0)
    median = np.nanmedian(table[:, 0])
    low = (moved[:, 0] <= median).mean()
    assert low == pytest.approx((1 - samples) / (2 - samples), abs=0.02)
    assert record.details["columns"] == {"0": median}
    published = kind("subsample-n", samples=samples, columns=["0"], convention="published")(table, None, 0)[0]
    assert (published[:, 0] <= median).mean() == pytest.approx(samples / (1 + samples), abs=0.02)
    both = kind("subsample-n", samples=samples, columns=["0"], one_side=False)(table, None, 0)[0]
    assert (both[:, 0] <= median).mean() == pytest.approx(1 - samples, abs=0.02)


def test_a_row_that_is_low_in_several_columns_goes_first():
    kept = kind("subsample-n", samples=0.75, features=1.0)(TABLE, None, 0)[2].details["kept"]
    lows = (np.median(TABLE, axis=0) >= TABLE).sum(axis=1)
    np.testing.assert_allclose(kept, 0.25 ** (lows - lows.min()))
    everything = kind("subsample-n", samples=1.0, features=1.0)(TABLE, None, 0)[2]
    assert (lows[everything.source] == lows.min()).all()


def test_half_of_the_categories_go_in_proportion():
    frame = pd.DataFrame({"x": RNG.choice(list("abcde"), 20_000)})
    frame.loc[:999, "x"] = None
    moved, _, record = kind("subsample-c", samples=0.8)(frame, None, 0)
    half = record.details["columns"]["x"]
    assert len(half) == 3
    inside, present = frame["x"].isin(half).mean(), moved["x"].isin(half).mean()
    assert present == pytest.approx(0.2 * inside / (1 - 0.8 * inside), abs=0.02)
    assert moved["x"].isna().mean() > frame["x"].isna().mean()


@pytest.mark.parametrize(("near", "side"), [(1.0, "near"), (0.0, "far")])
def test_nearest_neighbours_removes_one_side_of_a_row(near, side):
    _, _, record = kind("nearest", samples=0.4, near=near)(TABLE, None, 0)
    scaled = (TABLE - TABLE.mean(axis=0)) / TABLE.std(axis=0)
    distance = np.linalg.norm(scaled - scaled[record.details["centre"]], axis=1)
    left = np.unique(record.source)
    gone = np.setdiff1d(np.arange(400), left)
    assert record.details["removed"] == side
    assert gone.size == 160
    ordered = (
        distance[gone].max() <= distance[left].min()
        if side == "near"
        else distance[gone].min() >= distance[left].max()
    )
    assert ordered
    assert np.unique(kind("nearest", samples=1.0, near=near)(TABLE, None, 0)[2].source).size == 1


def _distance_to_the_rarest():
    scaled = (TABLE - TABLE.mean(axis=0)) / TABLE.std(axis=0)
    return np.linalg.norm(scaled - scaled[Y == "c"].mean(axis=0), axis=1)


def test_under_sampling_keeps_the_rows_near_the_rarest_class():
    _, labels, record = kind("under", samples=0.5)(TABLE, Y, 0)
    distance = _distance_to_the_rarest()
    left = np.unique(record.source)
    for one in "abc":
        inside = np.flatnonzero(one == Y)
        stay = np.intersect1d(inside, left)
        assert len(stay) == len(inside) - np.ceil(len(inside) / 2)
        assert distance[stay].max() <= distance[np.setdiff1d(inside, left)].min() + 1e-5
    assert record.cells.sum() == 0
    np.testing.assert_array_equal(labels, Y[record.source])


def test_over_sampling_fills_in_between_rows_of_the_class():
    moved, labels, record = kind("over", samples=0.5)(TABLE, Y, 0)
    np.testing.assert_array_equal(labels, Y)
    made = record.cells[:, 0]
    here, there = TABLE[record.source[made]], TABLE[record.details["neighbour"][made]]
    assert (Y[record.source] == Y).all()
    assert (Y[record.details["neighbour"]] == Y).all()
    assert (record.details["neighbour"][made] != record.source[made]).all()
    step = (moved[made] - here) / np.where(there == here, np.nan, there - here)
    np.testing.assert_allclose(np.nanmax(step, axis=1), np.nanmin(step, axis=1), atol=1e-6)
    assert np.nanmin(step) >= 0
    assert np.nanmax(step) <= 1
    near = np.linalg.norm((here - there) / TABLE.std(axis=0), axis=1).mean()
    random = np.linalg.norm((here - RNG.permutation(there)) / TABLE.std(axis=0), axis=1).mean()
    assert near < 0.8 * random


def test_over_sampling_leaves_missing_cells_missing_and_categories_those_of_the_row():
    frame = pd.DataFrame({"n": [1.0, 2.0, np.nan, 4.0] * 5, "i": range(20), "c": list("abcd") * 5})
    moved, _, record = kind("over", samples=0.5)(frame, [0, 1] * 10, 0)
    assert moved["c"].tolist() == frame["c"].iloc[record.source].tolist()
    assert moved["n"].isna().tolist() == frame["n"].iloc[record.source].isna().tolist()
    assert moved["i"].dtype == "int64"


# -- labels -----------------------------------------------------------------------------------------------


def test_knock_out_removes_rows_of_the_majority_and_nothing_else():
    _, labels, record = kind("knock", samples=0.5)(TABLE, Y, 0)
    replaced = record.source != np.arange(400)
    assert record.details["label"] == "a"
    assert replaced.sum() == np.ceil((Y == "a").sum() / 2)
    assert set(Y[replaced]) == {"a"}
    assert set(labels[replaced]) == {"b", "c"}
    _, labels, _ = kind("knock", samples=1.0, label="c")(TABLE, Y, 0)
    assert set(labels) == {"a", "b"}


def test_a_published_knock_out_takes_the_first_rows_up_to_an_even_number():
    y = np.array([1, 0, 1, 0, 1, 0, 1, 0, 1, 0])
    _, labels, record = kind("knock", samples=0.5, label=1, convention="published")(
        np.arange(10.0)[:, None], y, 0
    )
    assert (labels == 1).sum() == 1
    assert record.source[labels == 1].tolist() == [8]


def test_labels_may_be_named_as_texts():
    y = np.array([0, 1, 1, 2])
    assert kind("knock", samples=1, label="1")(np.zeros((4, 1)), y, 0)[2].details["label"] == 1
    assert set(kind("only", label="2")(np.zeros((4, 1)), y, 0)[1]) == {2}
    with pytest.raises(InputError, match="label 7 does not occur in y, which holds 0, 1, 2"):
        kind("only", label=7)(np.zeros((4, 1)), y, 0)


def test_only_one_class_is_left():
    for seed in range(5):
        _, labels, record = kind("only")(TABLE, Y, seed)
        assert set(labels) == {record.details["label"]}
        inside = record.details["label"] == Y
        np.testing.assert_array_equal(record.source[inside], np.flatnonzero(inside))


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ({"a": 1, "b": 1, "c": 2}, {"a": 100, "b": 100, "c": 200}),
        ([0.1, 0.2, 0.7], {"a": 40, "b": 80, "c": 280}),
        ({"b": 3}, {"b": 400}),
    ],
)
def test_rebalance_gives_the_shares_asked_for(shares, expected):
    _, labels, record = kind("rebalance", shares=shares)(TABLE, Y, 0)
    assert Counter(labels.tolist()) == expected
    for one, wanted in expected.items():
        if wanted >= (one == Y).sum():  # a class that grows loses no row
            assert set(np.flatnonzero(one == Y)) <= set(record.source)


def test_rebalance_draws_shares_from_a_dirichlet_distribution():
    rng = np.random.default_rng(0)
    shift = kind("rebalance", concentration=5.0)
    drawn = np.array([list(shift(TABLE, Y, rng)[2].details["shares"].values()) for _ in range(400)])
    np.testing.assert_allclose(drawn.mean(axis=0), 1 / 3, atol=0.02)
    np.testing.assert_allclose(drawn.var(axis=0), (2 / 9) / 16, rtol=0.25)
    _, labels, record = shift(TABLE, Y, 1)
    for one, share in record.details["shares"].items():
        assert abs((labels == one).sum() - 400 * share) <= 1


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ([1, 2], "shares has 2 numbers for 3 classes"),
        ([0, 0, 0], "shares must be numbers ≥ 0 that are not all 0"),
        ({"a": -1}, "shares must be numbers ≥ 0"),
        ({"z": 1}, "label 'z' does not occur in y"),
    ],
)
def test_shares_that_make_no_sense(shares, message):
    with pytest.raises(InputError, match=message):
        kind("rebalance", shares=shares)(TABLE, Y, 0)


def test_label_switch_moves_labels_only():
    moved, labels, record = kind("label-switch", samples=0.25)(TABLE, Y, 0)
    np.testing.assert_array_equal(moved, TABLE)
    np.testing.assert_array_equal(labels != Y, record.labels)
    assert record.labels.sum() == 100
    from_a = Counter(labels[record.labels & (Y == "a")])
    assert set(from_a) == {"b", "c"}
    assert max(from_a.values()) < 2 * min(from_a.values())


@pytest.mark.parametrize("name", ["knock-out", "only-one", "rebalance", "label-switch"])
def test_one_class_leaves_nothing_to_do(name):
    record = kind(name)(np.zeros((4, 1)), ["a"] * 4, 0)[2]
    assert record.note == "all labels are of one class"


@pytest.mark.parametrize(
    "name", ["knock-out", "only-one", "rebalance", "label-switch", "under-sample", "over-sample"]
)
def test_rows_without_a_label_stay(name):
    y = Y.astype(object)
    y[:40] = None
    _, labels, record = kind(name)(TABLE, y, 0)
    assert (record.source[:40] == np.arange(40)).all()
    assert all(label is None for label in labels[:40])
    assert not any(label is None for label in labels[40:])


# -- the published generators -----------------------------------------------------------------------------


def published(name, shift, table=NUMBERS):
    """Their output, ours, and the input, for one stored case."""
    case = PUBLISHED[name]
    theirs = np.array(case["outputs"]["X_out"], dtype=table.dtype)
    ours, labels, record = shift(table, LABELS, 0)
    return theirs, ours, labels, record, case["properties"]


CELL_CASES = {
    "gaussian_small_0.25_0.25": ("gaussian", {"convention": "published"}),
    "gaussian_medium_0.25_0.25": ("gaussian", {"size": "medium", "convention": "published"}),
    "constant_numeric_0.25_0.25": ("constant-numeric", {"convention": "published"}),
    "flip_sign_0.25_0.25": ("flip", {}),
    "plus_minus_0.25_0.25": ("plus", {}),
    "outliers_0.25_0.25": ("outliers", {}),
    "scaling_0.25_0.25": ("scaling", {"convention": "published"}),
    "missing_numeric_0.25_0.25": ("missing", {}),
    "missing_categorical_0.25_0.25": ("missing", {}),
    "swapped_values_0.25": ("swapped", {"convention": "published"}),
}


@pytest.mark.parametrize("name", CELL_CASES)
def test_as_many_cells_move_as_in_the_published_code(name):
    shift, options = CELL_CASES[name]
    table = CATEGORIES if "categorical" in name else NUMBERS
    theirs, ours, _, record, properties = published(
        name, kind(shift, samples=0.25, features=0.25, **options), table
    )
    assert record.cells.sum() == properties["cells_changed"]
    assert record.cells.any(axis=1).sum() == properties["rows_changed"]
    assert len(record.columns) == properties["cols_changed"]
    assert theirs.shape == ours.shape
    assert (record.source == np.arange(40)).all()


def _each(name, shift):
    """Old and new cells of the column that moved, in their output and in ours."""
    theirs, ours, _, _, _ = published(name, shift)
    for moved in (theirs, ours):
        changed = moved != NUMBERS
        column = int(changed.any(axis=0).argmax())
        yield column, NUMBERS[changed[:, column], column], moved[changed[:, column], column]


def test_the_values_put_in_follow_the_published_code():
    quarter = {"samples": 0.25, "features": 0.25}
    for _, old, new in _each("scaling_0.25_0.25", kind("scaling", convention="published", **quarter)):
        ratio = np.unique(np.round(new / old, 9))
        assert ratio.size == 1
        assert ratio[0] in (10, 100, 1000)
    for column, _, new in _each(
        "constant_numeric_0.25_0.25", kind("constant-n", convention="published", **quarter)
    ):
        assert set(new) == {np.median(NUMBERS[:, column])}
    for _, old, new in _each("flip_sign_0.25_0.25", kind("flip", **quarter)):
        np.testing.assert_array_equal(new, -old)
    for _, old, new in _each("plus_minus_0.25_0.25", kind("plus", **quarter)):
        assert (np.abs(new / old - 1) <= 0.1).all()
    for column, _, new in _each(
        "gaussian_medium_0.25_0.25", kind("gaussian", size="medium", convention="published", **quarter)
    ):
        assert NUMBERS[:, column].min() <= new.min() <= new.max() <= NUMBERS[:, column].max()


@pytest.mark.parametrize(
    ("name", "shift", "options", "table"),
    [
        ("subsample_joint_0.25", "joint", {"samples": 0.25, "convention": "published"}, NUMBERS),
        (
            "subsample_numeric_p0.25_f0.5",
            "subsample-n",
            {"samples": 0.25, "features": 0.5, "convention": "published"},
            NUMBERS,
        ),
        (
            "subsample_categorical_p0.25_f0.5",
            "subsample-c",
            {"samples": 0.25, "features": 0.5, "convention": "published"},
            CATEGORIES,
        ),
        ("nearest_neighbors_0.25", "nearest", {"samples": 0.25}, NUMBERS),
    ],
)
def test_rows_are_drawn_from_the_input_as_in_the_published_code(name, shift, options, table):
    theirs, ours, labels, record, properties = published(name, kind(shift, **options), table)
    known = {tuple(row) for row in table.tolist()}
    for moved in (theirs, ours):
        assert len(moved) == properties["shape_out"][0]
        assert {tuple(row) for row in moved.tolist()} <= known
    np.testing.assert_array_equal(labels, LABELS[record.source])
    if shift == "nearest":
        assert len(np.unique(ours, axis=0)) == properties["unique_rows_out"]


def test_a_knock_out_leaves_as_many_rows_as_the_published_code():
    shift = kind("knock", label="yes", samples=0.25, convention="published")
    theirs, ours, labels, _, properties = published("knockout_yes_0.25", shift)
    assert (labels == "yes").sum() == properties["class_counts_out"]["yes"]
    left = {tuple(row) for row in NUMBERS[LABELS == "yes"].tolist()}
    for moved in (theirs, ours):
        assert len({tuple(row) for row in moved.tolist()} & left) == properties["class_counts_out"]["yes"]


def test_label_switch_rounds_as_the_published_code():
    _, _, labels, _, properties = published(
        "label_switch_0.25", kind("label-switch", samples=0.25, convention="published")
    )
    assert (labels != LABELS).sum() == properties["labels_changed"]
    assert (kind("label-switch", samples=0.26)(NUMBERS, LABELS, 0)[1] != LABELS).sum() == 11
    assert (
        kind("label-switch", samples=0.26, convention="published")(NUMBERS, LABELS, 0)[1] != LABELS
    ).sum() == 10
