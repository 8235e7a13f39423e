"""Which columns of a batch moved: found as by tests on the labelled rows themselves, though these are not kept."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from estimator_cases import SMALL, fitted, mixed, mixed_model, numbers, probs_of
from surefoot import estimators
from surefoot._columns import open_columns
from surefoot._json import plain
from surefoot.cli._estimate_show import columns_table
from surefoot.estimators._estimator import SAMPLE
from surefoot.estimators._moved import moved_most
from surefoot.estimators._moves import moves
from surefoot.estimators._schema import MOST_CATEGORIES, Schema, schema_of
from surefoot.estimators._spread import LEVELS, spread_of
from surefoot.shifts.detectors import column_tests, ks

DOC = estimators.DoC()


def table(n, seed):
    """Columns of all kinds, with gaps, ties, a long tail of categories and nothing that varies."""
    frame, _ = mixed(n, seed)
    rng = np.random.default_rng(seed + 1000)
    frame["tail"] = rng.zipf(1.7, n).clip(max=60).astype(str)
    frame["whole"] = rng.poisson(3, n)
    frame["flag"] = (rng.random(n) < 0.2).astype(float)
    frame["same"] = 7.0
    frame["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(seed, "D")
    return frame


def looked(labelled, batch, through=lambda schema: schema):
    """The moves of a batch, as an estimator finds them."""
    schema = through(schema_of(open_columns(labelled)))
    columns = schema.open(batch)
    return moves(schema, schema.features(columns), schema.counts(columns, np.ones(len(columns), dtype=bool)))


def shifted(name, frame, rng):
    """A copy of the table with one column moved."""
    n = len(frame)
    some = rng.random(n) < 0.5
    new = {
        "b": lambda: frame["b"] + 8,
        "d": lambda: (frame["d"] + 9) * 2.5 - 9,
        "c": lambda: frame["c"].mask(some),
        "a": lambda: frame["a"].fillna(0.0),
        "colour": lambda: np.where(some, "red", frame["colour"]),
        "tail": lambda: np.where(some, "never seen", frame["tail"]),
        "old": lambda: frame["old"] | some,
        "flag": lambda: np.where(some, 1.0, frame["flag"]),
        "whole": lambda: frame["whole"] + rng.poisson(1, n),
        "same": lambda: frame["same"] + some,
    }
    return frame.assign(**{name: new[name]()})


MOVED = ["b", "d", "c", "a", "colour", "tail", "old", "flag", "whole", "same"]


@pytest.fixture(scope="module")
def labelled():
    return table(2000, 1)


@pytest.fixture(scope="module")
def batch():
    return numbers(400, 7)[0] + np.array([0, 30, 0, 0])


class TestFalseAlarms:
    def test_are_as_rare_as_they_are_said_to_be(self):
        draws = 120
        alarms = sum(
            any(one.moved for one in looked(table(400, 2 * i), table(250, 2 * i + 1))) for i in range(draws)
        )
        assert alarms <= stats.binom.ppf(0.9999, draws, 0.05)

    @pytest.mark.parametrize("n", [1, 2, 5, 20])
    def test_nothing_is_said_of_a_handful_of_rows(self, n, labelled):
        assert sum(one.moved for seed in range(30) for one in looked(labelled, table(n, 100 + seed))) <= 3


class TestEffects:
    @pytest.mark.parametrize("name", MOVED)
    def test_the_moved_column_is_first_and_its_move_as_large_as_with_the_rows_at_hand(self, name, labelled):
        batch = shifted(name, table(600, 2), np.random.default_rng(3))
        found = looked(labelled, batch)
        assert [one.name for one in found if one.moved] == [name]
        assert found[0].name == name
        exact = {one.name: one for one in column_tests(labelled, batch).columns}
        assert {one.name for one in found} == set(exact)
        for one in found:
            here = exact[one.name]
            assert here.effect - 1 / (LEVELS - 1) <= one.effect <= here.effect + 1e-9
            assert one.missing_reference == pytest.approx(here.missing_reference)
            assert one.missing_batch == pytest.approx(here.missing_batch)
            assert one.unseen == pytest.approx(here.unseen)
            assert one.moved_by == pytest.approx(here.moved_by, abs=1 / (LEVELS - 1))
            assert one.kind == here.kind

    @pytest.mark.parametrize("name", MOVED)
    def test_what_changed_is_told_in_the_same_words(self, name, labelled):
        batch = shifted(name, table(600, 2), np.random.default_rng(3))
        exact = {one.name: one.change for one in column_tests(labelled, batch).columns}
        for one in looked(labelled, batch):
            if one.kind == "numeric":  # the reference is known at the nearest value in float32
                assert one.change.split()[0] == exact[one.name].split()[0]
            else:
                assert one.change == exact[one.name]

    @given(st.integers(0, 10_000), st.integers(2, 400), st.sampled_from([0, 1, 3]))
    def test_distances_of_numbers_are_never_too_large(self, seed, n, digits):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(300, 1)).round(digits)
        y = (rng.normal(size=(n, 1)) * rng.uniform(0.2, 3) + rng.normal()).round(digits + seed % 2)
        x, y = x.astype(np.float32), y.astype(np.float32)
        (one,) = looked(x, y)
        exact = ks(x[:, 0], y[:, 0]).statistic
        assert exact - 1 / (LEVELS - 1) - 1e-6 <= one.effect <= exact + 1e-6

    def test_few_values_are_known_exactly(self):
        rng = np.random.default_rng(0)
        x, y = rng.poisson(5, (900, 1)), rng.poisson(5.5, (300, 1)) - 0.5
        assert looked(x, y)[0].effect == pytest.approx(ks(x[:, 0], y[:, 0]).statistic)

    def test_categories_are_no_alarm_for_being_rare(self):
        """Neither those that only one side has, nor those that are commonest on one side by chance."""
        rng = np.random.default_rng(0)
        names = np.array([f"c{i}" for i in range(600)])
        draws = 100
        p_values = []
        for _ in range(draws):
            x, y = (pd.DataFrame({"x": names[rng.zipf(1.3, n) % 600]}) for n in (1500, 500))
            p_values.append(looked(x, y)[0].p_value)
        assert np.sum(np.array(p_values) <= 0.05) <= stats.binom.ppf(0.9999, draws, 0.05)

    def test_new_categories_among_many(self):
        rng = np.random.default_rng(0)
        x = pd.DataFrame({"x": rng.integers(0, 600, 5000).astype(str)})
        y = pd.DataFrame(
            {"x": np.where(rng.random(2000) < 0.3, "new", rng.integers(0, 600, 2000).astype(str))}
        )
        (one,) = looked(x, y)
        assert one.moved
        assert one.unseen == (y["x"] == "new").mean()
        assert len(schema_of(open_columns(x)).fields[0].categories) > MOST_CATEGORIES


class TestOddColumns:
    def test_dates_are_left_out(self, labelled):
        assert "day" not in {one.name for one in looked(labelled, table(300, 5))}

    def test_a_column_that_was_always_missing_can_come_to_life(self, labelled):
        empty = labelled.assign(b=np.nan)
        still = {one.name: one for one in looked(empty, table(300, 5).assign(b=np.nan))}["b"]
        assert (still.moved, still.moved_by, still.p_value) == (False, 0, 1)
        alive = looked(empty, table(300, 5))[0]
        assert (alive.name, alive.moved, alive.change) == ("b", True, "missing 100.0 % → 0.0 %")

    def test_a_column_may_lose_all_its_values(self, labelled):
        for name in ("b", "colour", "old"):
            gone = looked(labelled, table(300, 5).assign(**{name: None}))[0]
            assert (gone.name, gone.moved, gone.missing_batch, gone.effect) == (name, True, 1, 0)

    def test_a_boolean_that_was_always_true(self):
        x, y = pd.DataFrame({"x": [True] * 500}), pd.DataFrame({"x": [True, False] * 100})
        assert not looked(x, x)[0].moved
        assert looked(x, y)[0].change == "true 100.0 % → 50.0 %"

    def test_infinite_and_huge_values(self):
        rng = np.random.default_rng(0)
        x = rng.normal(size=(500, 2)) * [1, 1e300]
        y = np.where(rng.random((200, 2)) < 0.5, np.inf, rng.normal(size=(200, 2)))
        assert all(np.isfinite([one.effect, one.p_value]).all() for one in looked(x, y))
        assert looked(x, y)[0].moved


class TestOrder:
    def test_of_rows_does_not_matter(self, labelled):
        batch = shifted("b", table(300, 2), np.random.default_rng(3))
        assert looked(labelled[::-1], batch.sample(frac=1, random_state=0)) == looked(labelled, batch)

    def test_of_columns_does_not_matter(self, labelled):
        batch = shifted("b", table(300, 2), np.random.default_rng(3))
        names = list(labelled.columns[::-1])
        assert looked(labelled[names], batch) == looked(labelled, batch[names]) == looked(labelled, batch)


class TestStored:
    def test_a_spread_comes_back_through_json(self, labelled):
        def stored(schema):
            return Schema.from_dict(json.loads(json.dumps(schema.to_dict(), allow_nan=False)))

        batch = shifted("tail", table(300, 2), np.random.default_rng(3))
        assert looked(labelled, batch, stored) == looked(labelled, batch)

    def test_it_is_small_whatever_the_rows(self):
        rng = np.random.default_rng(0)
        for n in (1000, 50_000):
            spread = spread_of(rng.normal(size=n).astype(np.float32))
            assert len(spread.points) == len(spread.under) == len(spread.up_to) == LEVELS
            assert len(json.dumps(asdict(spread))) < 4000

    def test_an_estimator_says_the_same_after_it_was_saved(self, tmp_path):
        frame, labels = mixed(600, 1)
        estimator = estimators.fit(mixed_model(), frame, labels, method=DOC, **SMALL)
        estimator.save(tmp_path / "e.surefoot", with_model=False)
        again = estimators.load(tmp_path / "e.surefoot", model=mixed_model())
        batch = mixed(300, 2)[0].assign(b=lambda X: X["b"] + 9)
        found = estimator.estimate(batch)
        assert found.moved[0].name == "b"
        assert again.estimate(batch) == found


class TestEstimates:
    def test_name_the_columns_that_moved(self, batch):
        found = fitted(DOC).estimate(batch)
        assert found.columns[0].name == "1"
        assert sorted(one.name for one in found.columns) == ["0", "1", "2", "3"]
        assert [one.name for one in found.moved] == ["1"]
        assert (found.alpha, found.higher_is_better) == (0.05, True)
        content = json.loads(found.to_json())
        assert content["columns"] == plain([asdict(one) for one in found.columns])
        assert content["alpha"] == 0.05

    def test_large_batches_are_looked_at_through_a_sample(self):
        n = 3 * SAMPLE
        X = numbers(n, 8)[0]
        X[: n // 2, 2] = np.nan
        found = fitted(DOC).estimate(X)
        assert [one.name for one in found.moved] == ["2"]
        assert found.moved[0].missing_batch == pytest.approx(0.5, abs=0.02)

    def test_without_features_there_are_none(self):
        probs = probs_of(300, 2, 0)
        labels = (np.random.default_rng(0).random(300) < probs[:, 1]).astype(int)
        estimator = estimators.fit(None, None, labels, probs=probs, method=estimators.DoC(), **SMALL)
        found = estimator.estimate(probs=probs)
        assert (found.columns, found.moved) == ((), ())

    def test_of_several_batches_each_column_is_told_where_it_moved_most(self, batch):
        still, far = numbers(400, 9)[0], batch + np.array([0, 30, 0.3, 0])
        found = {name: fitted(DOC).estimate(X) for name, X in (("a", batch), ("b", still), ("c", far))}
        moved = moved_most(found)
        assert [(one.column.name, one.batch, one.batches) for one in moved] == [("1", "c", 2), ("2", "c", 1)]

    def test_are_printed_with_the_columns_that_moved_most(self, batch):
        found = fitted(DOC).estimate(batch)
        one = columns_table({"a": found})
        assert one.header == ("column", "by", "what")
        assert one.rows == (("1", f"{found.moved[0].moved_by:.3f}", found.moved[0].change),)
        two = columns_table({"a": found, "b": found})
        assert two.rows[0][:3] == ("1", "2 of 2", "a")
