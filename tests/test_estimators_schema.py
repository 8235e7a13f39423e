"""Batches brought into the form of the labelled rows, whatever they come in."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from estimator_cases import mixed
from surefoot._columns import open_columns
from surefoot.errors import InputError
from surefoot.estimators._schema import MOST_CATEGORIES, Schema, schema_of

LARGEST = np.finfo(np.float32).max


def known(table, categorical=()):
    return schema_of(open_columns(table, categorical=categorical), tuple(categorical))


def features(schema, batch):
    return schema.features(schema.open(batch))


def outside(schema, batch):
    return schema.outside(schema.open(batch))


@pytest.fixture
def frame():
    return mixed(200, 0)[0]


class TestColumns:
    def test_their_order_is_that_of_the_labelled_rows(self, frame):
        schema, turned = known(frame), frame[frame.columns[::-1]]
        opened = schema.open(turned)
        assert opened.names == schema.names == tuple(frame.columns)
        assert_array_equal(schema.features(opened), features(schema, frame))
        pd.testing.assert_frame_equal(opened.to_native(), frame)

    def test_names_need_not_be_texts(self):
        table = pd.DataFrame(np.arange(6.0).reshape(2, 3))
        opened = known(table).open(table[[2, 0, 1]])
        pd.testing.assert_frame_equal(opened.to_native(), table)

    @pytest.mark.parametrize("turn", [pl.from_pandas, pa.Table.from_pandas])
    def test_order_in_other_frames(self, turn, frame):
        schema = known(turn(frame))
        opened = schema.open(turn(frame).select(list(frame.columns[::-1])))
        assert_array_equal(schema.features(opened), features(schema, frame))
        assert opened.to_native().equals(turn(frame))

    def test_missing_ones_are_named(self, frame):
        batch = frame.drop(columns=["b", "old"])
        with pytest.raises(InputError, match="no column b, old; give the columns of the labelled rows"):
            known(frame).open(batch)
        with pytest.raises(InputError, match="no column b; it has beta instead"):
            known(frame).open(frame.rename(columns={"b": "beta"}))

    def test_extra_ones_are_named(self, frame):
        with pytest.raises(InputError, match="had not: y, z; leave them out"):
            known(frame).open(frame.assign(y=1, z=2))
        many = frame.assign(**{f"x{i}": 0 for i in range(14)})
        with pytest.raises(InputError, match="x9 and 4 more; leave them out"):
            known(frame).open(many)

    @pytest.mark.parametrize(
        ("column", "values", "sentence"),
        [
            ("a", "one", "column a holds text in the batch and numbers in the labelled rows"),
            ("old", 0, "column old holds numbers in the batch and true and false in the labelled rows"),
            ("colour", 3.5, "column colour holds numbers in the batch and text in the labelled rows"),
            ("b", pd.Timestamp("2024-01-01"), "column b holds dates in the batch and numbers in"),
        ],
    )
    def test_those_of_another_kind_are_refused(self, frame, column, values, sentence):
        with pytest.raises(InputError, match=sentence):
            known(frame).open(frame.assign(**{column: values}))

    def test_no_rows(self, frame):
        with pytest.raises(InputError, match="the batch is empty"):
            known(frame).open(frame.iloc[:0])


class TestFeatures:
    @pytest.mark.parametrize("turn", [pl.from_pandas, pa.Table.from_pandas, pd.DataFrame])
    def test_the_same_whatever_the_frame(self, turn, frame):
        schema = known(frame)
        assert_array_equal(features(known(turn(frame)), turn(frame)), features(schema, frame))
        assert_array_equal(features(schema, turn(frame)), features(schema, frame))

    def test_the_same_from_an_array(self):
        table = np.random.default_rng(0).normal(size=(50, 3))
        frame = pd.DataFrame(table, columns=["0", "1", "2"])
        assert_array_equal(features(known(table), table), features(known(frame), frame))

    def test_commonest_category_has_code_0_and_unseen_or_missing_ones_none(self):
        schema = known(pd.DataFrame({"x": ["b", "a", "a", None]}))
        batch = pd.DataFrame({"x": ["a", "b", "c", None]})
        assert_array_equal(features(schema, batch)[:, 0], [0, 1, np.nan, np.nan])
        assert outside(schema, batch) == {"x": 1}
        assert schema.is_code.tolist() == [True]

    def test_order_of_categories_does_not_matter(self):
        schema = known(pd.DataFrame({"x": pd.Categorical(["b", "a", "a"])}))
        batch = pd.DataFrame({"x": pd.Categorical(["a", "b"], categories=["z", "b", "a"])})
        assert features(schema, batch)[:, 0].tolist() == [0, 1]

    @given(st.permutations(range(30)))
    def test_rows_are_looked_at_one_by_one(self, order):
        frame = mixed(30, 1)[0]
        schema = known(frame)
        assert_array_equal(features(schema, frame.iloc[order]), features(schema, frame)[order])

    def test_rare_ones_of_many_categories_count_as_missing(self):
        names = [f"v{i}" for i in range(400)]
        table = pd.DataFrame({"x": names + names[:300]})
        schema = known(table)
        codes = features(schema, table)[:400, 0]
        assert np.nanmax(codes) == MOST_CATEGORIES - 1
        assert np.isnan(codes[300:]).all()
        assert np.isnan(codes).sum() == 400 - MOST_CATEGORIES
        assert outside(schema, table) == {"x": 0}

    def test_infinite_numbers_are_the_largest(self):
        table = pd.DataFrame({"x": [np.inf, -np.inf, 1.0, 1e300]})
        schema = known(table)
        assert features(schema, table)[:, 0].tolist() == [LARGEST, -LARGEST, 1, LARGEST]
        assert outside(schema, table.iloc[2:3]) == {"x": 0}

    def test_a_column_of_infinities_has_a_range(self):
        table = pd.DataFrame({"x": [-np.inf] * 500 + [np.inf] * 500})
        assert outside(known(table), table) == {"x": 0}

    def test_dates_are_numbers_in_their_order(self):
        days = pd.date_range("2024-01-01", periods=1000)
        schema = known(pd.DataFrame({"x": days}))
        batch = pd.DataFrame({"x": [days[10], days[500], pd.NaT, days[-1] + pd.Timedelta("400D")]})
        found = features(schema, batch)[:, 0]
        assert found[0] < found[1] < found[3]
        assert np.isnan(found[2])
        assert outside(schema, batch) == {"x": 2}


class TestCodes:
    """Numbers that are only names."""

    def test_become_categories_in_every_batch(self):
        table = pd.DataFrame({"x": [7, 7, 9, 1], "z": [1.0, 2.0, 3.0, 4.0]})
        schema = known(table, ["x"])
        batch = pd.DataFrame({"x": [9, 8, 7, 7], "z": [1.0, 2.0, 3.0, 4.0]})
        assert features(schema, batch)[2:, 0].tolist() == [0, 0]
        assert np.isnan(features(schema, batch)[1, 0])
        assert outside(schema, batch)["x"] == 1

    def test_keep_their_names_where_gaps_make_them_floats(self):
        schema = known(pd.DataFrame({"x": [7, 7, 9, 1]}), ["x"])
        batch = pd.DataFrame({"x": [7, np.nan, 9, 1]})
        assert_array_equal(features(schema, batch)[:, 0], [0, np.nan, 2, 1])
        assert outside(schema, batch) == {"x": 1}

    def test_name_of_no_column(self):
        with pytest.raises(InputError, match="categorical names zip, but the columns are x"):
            known(pd.DataFrame({"x": [1]}), ["zip"])


class TestOutside:
    def test_counts_rows_beyond_the_range(self):
        schema = known(np.arange(1000.0)[:, None])
        assert outside(schema, np.array([[-5.0], [500.0], [5000.0], [np.inf]])) == {"0": 3}

    def test_few_of_the_labelled_rows_themselves(self, frame):
        assert max(outside(known(frame), frame).values()) <= 2

    def test_gaps_are_strange_only_where_none_were(self):
        schema = known(np.array([[1.0, np.nan], [2.0, 1.0]]))
        assert outside(schema, np.array([[np.nan, np.nan]])) == {"0": 1, "1": 0}

    def test_true_where_all_was_false(self):
        schema = known(pd.DataFrame({"x": [False] * 5}))
        assert outside(schema, pd.DataFrame({"x": [True, False]})) == {"x": 1}
        assert outside(known(pd.DataFrame({"x": [False] * 2000 + [True]})), pd.DataFrame({"x": [True]})) == {
            "x": 0
        }


class TestEmptyColumns:
    @pytest.mark.parametrize("values", [1.5, "red", True, pd.Timestamp("2024-01-01")])
    def test_whatever_a_batch_holds_in_one_is_new(self, values):
        schema = known(pd.DataFrame({"x": [None, None], "z": [1.0, 2.0]}))
        batch = pd.DataFrame({"x": [values, values], "z": [1.0, 2.0]})
        assert np.isnan(features(schema, batch)[:, 0]).all()
        assert outside(schema, batch)["x"] == 2

    @pytest.mark.parametrize("column", ["a", "b", "colour", "old", "code"])
    def test_a_batch_may_have_them_of_any_kind(self, frame, column):
        for nothing in (None, np.nan):
            batch = frame.assign(**{column: nothing})
            found = features(known(frame), batch)
            assert np.isnan(found[:, frame.columns.get_loc(column)]).all()


class TestStored:
    def test_comes_back_through_json(self, frame):
        frame["nothing"] = np.nan
        frame["day"] = pd.date_range("2024-01-01", periods=len(frame))
        schema = known(frame, ["code"])
        back = Schema.from_dict(json.loads(json.dumps(schema.to_dict(), allow_nan=False)))
        assert back.to_dict() == schema.to_dict()
        assert back.is_code.tolist() == schema.is_code.tolist()
        batch = frame.assign(code=9)
        assert_array_equal(features(back, batch), features(schema, batch))
        assert outside(back, batch) == outside(schema, batch)
