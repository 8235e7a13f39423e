"""Worlds of the benchmark: which rows are whose, what is no feature, and where the domains begin and end."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier

from benchmark_cases import MADE, MIXED, NUMERIC, bank_deposit, heart, imported, made_up
from surefoot import data
from surefoot.errors import DownloadError, InputError
from surefoot.estimators.benchmark import _worlds, names, world

ROWS = 300
KEY = {NUMERIC: "weight", MIXED: "balance"}
"""A column that tells rows apart."""


@pytest.fixture(scope="module", autouse=True)
def shelf(tmp_path_factory):
    with made_up(tmp_path_factory.mktemp("cache")) as folder:
        yield folder


def without_model(name, n=ROWS, seed=0, **options):
    """A world that holds, in place of its model, the rows that it would be trained on: that takes no time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_worlds, "_trained", lambda rows, seed: rows)
        return world(name, n, seed, **options)


@cache
def example(name):
    """A whole world."""
    return world(name, ROWS, seed=5)


def frame_of(name):
    """The whole dataset, by the column that tells rows apart."""
    frame = MADE[name]()
    return frame.set_index(KEY[name], drop=False)


def of(rows, name):
    """The whole rows that these are, split variable and label among them."""
    return frame_of(name).loc[rows.X[KEY[name]].to_numpy()]


@pytest.mark.parametrize("name", [NUMERIC, MIXED])
class TestRows:
    def test_nobody_has_the_rows_of_another(self, name):
        made = without_model(name)
        parts = [made.model, made.pool, made.target, *made.natural.values()]
        keys = np.concatenate([rows.X[KEY[name]].to_numpy() for rows in parts])
        assert len(set(keys.tolist())) == len(keys)

    def test_there_are_n_to_train_on_and_two_n_labelled(self, name):
        made = without_model(name)
        assert (made.n, len(made.model), len(made.pool)) == (ROWS, ROWS, 2 * ROWS)
        assert len(made.target) >= ROWS

    def test_labels_are_theirs_as_codes(self, name):
        made = without_model(name)
        target = data.card(name).target
        for rows in (made.model, made.pool, made.target, *made.natural.values()):
            assert_array_equal(np.array(made.classes)[rows.y], of(rows, name)[target].to_numpy())

    def test_the_split_variable_tells_source_from_natural_shifts_and_is_no_feature(self, name):
        made = without_model(name)
        card = data.card(name)
        split = card.natural.column
        for rows in (made.model, made.pool, made.target):
            assert set(of(rows, name)[split]) == set(card.natural.source)
        for value, rows in made.natural.items():
            assert {str(one) for one in of(rows, name)[split]} == {value}
            assert rows.X.column_names == made.pool.X.column_names
        gone = {split, card.target, *card.extra}
        assert set(made.pool.X.column_names) == set(card.columns) - gone

    def test_the_same_seed_draws_the_same_rows(self, name):
        one, other, third = (without_model(name, seed=seed) for seed in (3, 3, 4))
        for part in ("model", "pool", "target"):
            assert getattr(one, part).X.equals(getattr(other, part).X)
            assert not getattr(one, part).X.equals(getattr(third, part).X)


class TestSizes:
    def test_natural_shifts_are_all_other_values_with_enough_rows(self):
        counts = bank_deposit()["marital"].value_counts()
        assert counts["widowed"] < _worlds.FEWEST_NATURAL < counts["divorced"] < ROWS
        made = without_model(MIXED, ROWS)
        assert {name: len(rows) for name, rows in made.natural.items()} == {
            "single": counts["single"],
            "divorced": counts["divorced"],
        }
        assert list(without_model(NUMERIC, ROWS).natural) == ["2"]

    def test_n_is_a_quarter_of_the_source_where_there_is_no_more(self):
        women = int((heart()["gender"] == 1).sum())
        made = without_model(NUMERIC, 100_000)
        assert made.n == women // 4
        assert len(made.pool) == 2 * made.n
        assert made.n <= len(made.target) == women - 3 * made.n

    def test_a_large_target_is_cut(self, monkeypatch):
        monkeypatch.setattr(_worlds, "MOST_BATCHES", 2)
        made = without_model(NUMERIC, ROWS)
        assert [len(made.target), len(made.natural["2"])] == [2 * ROWS, 2 * ROWS]

    def test_more_labelled_rows_are_given_as_long_as_the_target_has_as_many(self):
        women = int((heart()["gender"] == 1).sum())
        assert len(without_model(NUMERIC, ROWS, labelled=700).pool) == 700
        assert len(without_model(NUMERIC, ROWS, labelled=10_000).pool) == (women - ROWS) // 2
        assert len(without_model(NUMERIC, ROWS, labelled=10).pool) == 2 * ROWS

    def test_a_source_that_is_too_small_is_refused(self, monkeypatch):
        monkeypatch.setattr(_worlds, "FEWEST", 1000)
        with pytest.raises(InputError, match=r"the source domain of heart has \d+ rows; 4000 are needed"):
            world(NUMERIC)

    def test_classes_that_hardly_occur_leave(self):
        label = np.array([0] * 500 + [1] * 497 + [2] * 3 + [-1] * 5)
        inside = np.ones(len(label), dtype=bool)
        codes, classes = _worlds._common(label, ["no", "maybe", "never"], inside)
        assert classes == ("maybe", "no")  # in the order of their names
        assert_array_equal(codes, [1] * 500 + [0] * 497 + [-1] * 8)


class TestColumns:
    def test_what_tells_the_same_as_the_split_variable_leaves_with_it(self, monkeypatch):
        card = replace(data.card(NUMERIC), splits={"gender": ("height", "ap_lo")})
        monkeypatch.setattr(data, "card", lambda name: card)
        there = set(without_model(NUMERIC, ROWS).pool.X.column_names)
        assert not there & {"gender", "height", "ap_lo", "id", "cardio"}
        assert "ap_hi" in there


class TestModel:
    def test_is_a_random_forest_as_it_comes_with_platts_calibration(self):
        native = example(NUMERIC).model.native
        assert isinstance(native, CalibratedClassifierCV)
        assert (native.method, native.ensemble) == ("sigmoid", False)
        forest = native.estimator[-1]
        assert forest.get_params() == RandomForestClassifier(random_state=5).get_params()

    @pytest.mark.parametrize("name", [NUMERIC, MIXED])
    def test_knows_more_than_chance_and_takes_gaps_and_new_categories(self, name):
        made = example(name)
        probs = made.model.predict_proba(made.target.X)
        assert_allclose(probs.sum(axis=1), 1)
        commonest = np.bincount(made.target.y).max() / len(made.target)
        assert (probs.argmax(axis=1) == made.target.y).mean() > commonest + 0.05
        odd = made.target.X.to_pandas()
        odd.iloc[::2, 0] = np.nan
        if name == MIXED:
            odd["job"] = "astronaut"
            odd.loc[odd.index[::3], "contact"] = None
        said = made.model.predict_proba(pa.Table.from_pandas(odd, preserve_index=False))
        assert np.isfinite(said).all()


class TestNames:
    def test_imported_datasets_are_among_them_only_when_they_are_there(self, tmp_path):
        assert {NUMERIC, MIXED} <= set(names())
        with imported(tmp_path):
            assert not {NUMERIC, MIXED, "sdss"} & set(names())
            assert {"adult", "covertype"} <= set(names())
            with pytest.raises(DownloadError, match="no package carries heart"):
                world(NUMERIC, download=False)

    def test_nothing_made_up_without_split_or_classes_or_too_small_is(self):
        assert not {"churn", "wages", "hotel_rates", "german_credit"} & set(names())

    def test_others_are_refused_with_the_names_that_do(self):
        expected = r"wages is no dataset to classify with a natural split; choose from .*heart"
        with pytest.raises(InputError, match=expected):
            world("wages")

    def test_hyphens_and_capitals_do_not_matter(self):
        assert without_model("Bank-Deposit").name == MIXED
