"""Trials: what they refuse, and that a table follows from a trial alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from benchmark_cases import NUMERIC, assert_same, made_up
from surefoot.errors import InputError
from surefoot.estimators._auto import Auto
from surefoot.estimators._error_predictor import ErrorPredictor
from surefoot.estimators._rehearsal import FAMILIES
from surefoot.estimators.benchmark import EXPERIMENTS, Trial, run
from surefoot.estimators.benchmark._entrants import METHODS, NUMBERS, entrants, ours
from surefoot.estimators.benchmark._published import Published
from surefoot.estimators.benchmark._results import SCHEMA
from surefoot.estimators.benchmark._setting import setting
from surefoot.metrics import accuracy_interval

SMALL = Trial(NUMERIC, 0, "published", batches=1, domains=2, rows=250)
FIVE = tuple(FAMILIES)


@pytest.fixture(scope="module", autouse=True)
def shelf(tmp_path_factory):
    with made_up(tmp_path_factory.mktemp("cache")) as folder:
        yield folder


@pytest.fixture(scope="module")
def at(shelf):
    """What all of them share."""
    return setting(NUMERIC, 250, 1, 0)


@pytest.fixture(scope="module")
def tables(at):
    """The tables of three experiments on the same test batches."""
    chosen = {name: replace(SMALL, experiment=name) for name in ("published", "ours", "domains")}
    return {name: run(trial) for name, trial in chosen.items()}


def of(table, method):
    """Columns of one method as arrays."""
    rows = table.filter([one == method for one in table["method"].to_pylist()])
    return {name: rows[name].to_numpy() for name in rows.column_names}


class TestFields:
    def test_unknown_experiments_are_refused(self):
        with pytest.raises(InputError, match="experiment must be one of published, ours"):
            Trial(NUMERIC, 0, "guessing")

    def test_sizes_are_the_papers_by_default(self):
        assert (Trial(NUMERIC, 0).batches, Trial(NUMERIC, 0).domains, Trial(NUMERIC, 0).rows) == (
            100,
            100,
            500,
        )


class TestTable:
    def test_follows_from_the_trial_alone_but_for_its_clocks(self, tables):
        setting.cache_clear()
        for name in ("published", "domains"):
            assert_same(run(replace(SMALL, experiment=name)), tables[name])

    def test_differs_with_the_seed(self, tables):
        other = run(replace(SMALL, experiment="domains", seed=1))
        assert other["truth"].to_pylist() != tables["domains"]["truth"].to_pylist()

    def test_holds_a_row_for_each_method_and_batch(self, tables, at):
        for name in ("published", "ours"):
            table = tables[name]
            assert table.schema.equals(SCHEMA)
            assert set(table["experiment"].to_pylist()) == {name}
            counts = Counter(table["method"].to_pylist())
            assert tuple(counts) == METHODS[name]
            assert set(counts.values()) == {len(at.scenarios)}

    def test_experiments_see_the_same_batches(self, tables):
        shared = [
            [of(table, method)[name].tolist() for name in ("batch", "set", "kind", "n", "truth", "reference")]
            for table, method in ((tables["published"], "ATC"), (tables["ours"], "Auto"))
        ]
        assert shared[0] == shared[1]

    def test_truth_and_reference_are_those_of_the_setting(self, tables, at):
        found = of(tables["published"], "no change")
        np.testing.assert_allclose(found["truth"], at.truth)
        np.testing.assert_allclose(found["reference"], at.reference)
        np.testing.assert_allclose(found["error"], found["estimate"] - found["truth"])
        assert len(set(found["estimate"].tolist())) == 1

    def test_published_methods_have_binomial_bounds(self, tables):
        found = of(tables["published"], "ErrorPredictorRF")
        low, high = accuracy_interval(found["estimate"], found["n"], alpha=0.05)
        np.testing.assert_allclose(found["low"], low)
        np.testing.assert_allclose(found["high"], high)

    def test_ours_have_calibrated_ones_inside_of_what_an_accuracy_can_be(self, tables):
        table = tables["ours"]
        for method in METHODS["ours"]:
            found = of(table, method)
            assert (found["low"] <= found["estimate"]).all()
            assert (found["estimate"] <= found["high"]).all()
            assert found["low"].min() >= 0
            assert found["high"].max() <= 1
            assert (found["fit_seconds"] > 0).all()

    def test_tells_what_was_learned_from(self, tables):
        found = of(tables["published"], "ATC")
        assert set(found["training_kinds"]) == {"+".join(FIVE)}
        assert set(found["training_domains"]) == {2}
        assert set(tables["domains"]["training_domains"].to_pylist()) == {1}

    def test_atc_counts_confident_rows_by_a_threshold_of_the_validation_set(self, tables, at):
        found = of(tables["published"], "ATC confidence")
        confidence = at.tests.outputs.max(axis=1)
        for threshold in np.unique(at.labelled.outputs.max(axis=1)):
            shares = [np.mean(confidence[place] >= threshold) for place in at.places()]
            if np.allclose(shares, found["estimate"]):
                break
        else:
            pytest.fail("no confidence of a labelled row is the threshold")

    def test_the_error_predictor_has_learned_something(self, tables):
        worst = of(tables["published"], "no change")
        mine = of(tables["published"], "ErrorPredictorRF")
        moved = worst["set"] == "unseen_severity"
        assert np.abs(mine["error"][moved]).mean() < np.abs(worst["error"][moved]).mean()


class TestEntrants:
    def test_all_methods_learn_from_all_kinds(self):
        for name in ("published", "ablation"):
            found = entrants(name, FIVE, 100)
            assert tuple(one.name for one in found) == METHODS[name]
            assert {(one.kinds, one.domains) for one in found} == {(FIVE, 100)}

    def test_figure_6a_takes_every_combination_of_kinds(self):
        found = entrants("kinds", FIVE, 100)
        expected = [some for k in range(1, 6) for some in combinations(FIVE, k)]
        assert [one.kinds for one in found] == expected
        assert len(found) == 31
        assert {one.domains for one in found} == {20}
        assert [entrants("kinds", FIVE, most)[0].domains for most in (1, 5, 10)] == [1, 3, 5]

    @pytest.mark.parametrize(("most", "fewer"), [(100, NUMBERS), (10, (1, 2, 5)), (2, (1,))])
    def test_figure_6b_takes_fewer_domains_than_there_are(self, most, fewer):
        found = entrants("domains", FIVE, most)
        assert tuple(one.domains for one in found) == fewer
        assert {one.kinds for one in found} == {FIVE}

    def test_figure_5_has_three_learners_with_and_without_shifts(self):
        methods = {one.name: one.method for one in entrants("ablation", FIVE, 1)}
        assert methods["ErrorPredictorRF_no_shift"] == Published(shifted=False)
        assert methods["ErrorPredictorGradBoost"].learner == "boosting"
        assert methods["ErrorPredictorKNN"].learner == "neighbours"
        assert {type(one) for one in methods.values()} == {Published, ErrorPredictor}

    def test_ours_end_with_auto(self):
        assert ours()["Auto"] == Auto()
        assert EXPERIMENTS[:2] == ("published", "ours")

    def test_unknown_learners_are_refused(self):
        with pytest.raises(InputError, match="learner"):
            Published("oracle")
