"""Test batches and training domains: the kinds of table II, how severe and how large they are, whose rows they hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from benchmark_cases import MIXED, NUMERIC, made_up
from surefoot.estimators._rehearsal import UNMOVED
from surefoot.estimators.benchmark import SETS, Rows, World, scenarios, world
from surefoot.estimators.benchmark._scenarios import KINDS, Kind
from surefoot.estimators.benchmark._setting import setting_of
from surefoot.estimators.benchmark._training import part_of, training

ROWS = 250
EACH = 3
KEY = {NUMERIC: "weight", MIXED: "balance"}

CELLS = {
    "unseen_severity": ["swapped-values", "scaling", "outliers", "missing-values"],
    "unseen_shift": [
        "gaussian-noise small",
        "gaussian-noise medium",
        "flip-sign",
        "constant-numeric",
        "plus-minus-percent",
    ],
}
MIXTURES = ["joint-subsampling", "subsample-numeric", "subsample-categorical", "knock-out"]
SEVERITIES = {
    "unseen_severity": (0.25, 0.74),
    "unseen_shift": (0.25, 0.95),
    "unseen_subpop_shift": (0.25, 0.95),
}


@pytest.fixture(scope="module")
def worlds(tmp_path_factory):
    with made_up(tmp_path_factory.mktemp("cache")):
        return {name: world(name, ROWS) for name in KEY}


@pytest.fixture(scope="module")
def drawn(worlds):
    """Batches of each world."""
    return {name: scenarios(one, dict.fromkeys(SETS, EACH), 0) for name, one in worlds.items()}


@pytest.fixture(scope="module")
def at(worlds):
    """A setting with few test batches."""
    return setting_of(worlds[NUMERIC], {"no_shift": 2, "natural": 1, "unseen_shift": 1}, 0)


@pytest.fixture(scope="module")
def learnt_from(at):
    """Training domains, and the shifts that were drawn for them."""
    shifts = []
    draw = Kind.drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kind, "drawn", lambda self, rng: shifts.append(draw(self, rng)) or shifts[-1])
        return training(at, 4, 0), shifts


def whose(rows, name):
    return set(rows.X[KEY[name]].to_pylist())


class TestBatches:
    def test_are_of_the_kinds_of_table_two_and_so_many_of_each(self, drawn):
        expected = {(name, kind): EACH for name, kinds in CELLS.items() for kind in kinds}
        expected |= {("unseen_subpop_shift", kind): EACH for kind in MIXTURES}
        expected |= {
            ("natural", "single"): EACH,
            ("natural", "divorced"): EACH,
            ("no_shift", "no_shift"): EACH,
        }
        assert Counter((one.set, one.kind) for one in drawn[MIXED]) == expected

    def test_of_a_kind_that_finds_nothing_to_move_there_are_none(self, drawn):
        kinds = {one.kind for one in drawn[NUMERIC]}
        assert kinds == {kind for several in CELLS.values() for kind in several} | set(MIXTURES) - {
            "subsample-categorical"
        } | {"2", "no_shift"}

    def test_are_as_many_as_asked_for_of_every_set(self, worlds):
        found = Counter(one.set for one in scenarios(worlds[MIXED], {"natural": 1, "no_shift": 5}, 0))
        assert found == {"natural": 2, "no_shift": 5}

    @pytest.mark.parametrize("name", [NUMERIC, MIXED])
    def test_have_severities_and_shares_of_columns_in_their_range(self, drawn, name):
        for one in drawn[name]:
            if one.set in SEVERITIES:
                low, high = SEVERITIES[one.set]
                assert low <= one.samples <= high
                assert 0.25 <= one.features <= 0.95 or one.kind in ("joint-subsampling", "knock-out")
            else:
                assert np.isnan([one.samples, one.features]).all()
        assert len({one.samples for one in drawn[name] if one.set in SEVERITIES}) == sum(
            one.set in SEVERITIES for one in drawn[name]
        )

    def test_severities_fill_their_range(self):
        rng = np.random.default_rng(0)
        for kinds in KINDS.values():
            shifts = [kinds[0].drawn(rng) for _ in range(300)]
            low, high = kinds[0].severity
            assert np.ptp([shift.samples for shift in shifts]) > 0.95 * (high - low)

    @pytest.mark.parametrize("name", [NUMERIC, MIXED])
    def test_have_n_rows_where_the_data_have(self, drawn, worlds, name):
        for one in drawn[name]:
            there = len(worlds[name].natural[one.kind]) if one.set == "natural" else ROWS
            assert len(one) == min(ROWS, there) == len(one.rows.X)

    def test_are_of_the_target_or_of_their_natural_shift(self, drawn, worlds):
        one = worlds[NUMERIC]
        for batch in drawn[NUMERIC]:
            if batch.kind in ("no_shift", *MIXTURES):
                assert whose(batch.rows, NUMERIC) <= whose(one.target, NUMERIC)
            if batch.set == "natural":
                assert whose(batch.rows, NUMERIC) <= whose(one.natural["2"], NUMERIC)

    def test_every_one_is_a_fresh_draw(self, drawn):
        unmoved = [whose(one.rows, NUMERIC) for one in drawn[NUMERIC] if one.set == "no_shift"]
        assert len(unmoved) == EACH
        assert all(len(rows) == ROWS for rows in unmoved)  # none twice
        assert len(set.intersection(*unmoved)) < 0.5 * ROWS

    def test_moved_cells_keep_the_labels_of_their_rows(self, worlds):
        target = worlds[NUMERIC].target
        label = dict(zip(target.X["weight"].to_pylist(), target.y.tolist(), strict=True))
        for one in scenarios(worlds[NUMERIC], {"unseen_severity": 1}, 1):
            known = [
                (label[key], y)
                for key, y in zip(one.rows.X["weight"].to_pylist(), one.rows.y.tolist(), strict=True)
                if key in label
            ]
            if one.kind != "swapped-values":  # a swapped column may happen to hold a key
                assert len(known) > 0.2 * ROWS
                assert all(before == after for before, after in known)

    def test_knocking_out_leaves_the_rarer_class(self, worlds):
        target = worlds[MIXED].target
        rare = np.bincount(target.y).argmin()
        for one in scenarios(worlds[MIXED], {"unseen_subpop_shift": 2}, 1):
            if one.kind == "knock-out":
                share = 1 - (target.y == rare).mean()
                assert (one.rows.y != rare).mean() == pytest.approx(share * (1 - one.samples), abs=0.1)

    def test_mixtures_of_a_large_target_hold_few_rows_twice(self, worlds):
        target = worlds[NUMERIC].target
        assert len(target) > 3 * ROWS
        for one in scenarios(worlds[NUMERIC], {"unseen_subpop_shift": 2}, 0):
            if one.kind == "joint-subsampling":
                assert len(whose(one.rows, NUMERIC)) > 0.7 * ROWS

    def test_the_same_seed_draws_the_same(self, worlds):
        count = {"unseen_shift": 1, "no_shift": 1}
        first, again, other = (scenarios(worlds[MIXED], count, seed) for seed in (1, 1, 2))
        assert [one.samples for one in first[:-1]] == [one.samples for one in again[:-1]]
        assert all(a.rows.X.equals(b.rows.X) for a, b in zip(first, again, strict=True))
        assert not first[-1].rows.X.equals(other[-1].rows.X)

    def test_a_world_without_natural_shifts_has_none(self, worlds):
        alone = replace(worlds[NUMERIC], natural={})
        assert {one.set for one in scenarios(alone, dict.fromkeys(SETS, 1), 0)} == set(SETS) - {"natural"}


class TestSetting:
    def test_truth_is_the_accuracy_on_each_batch(self, at):
        model = at.world.model
        for one, truth, place in zip(at.scenarios, at.truth, at.places(), strict=True):
            said = model.predict_proba(one.rows.X)
            np.testing.assert_allclose(at.tests.outputs[place], said, rtol=1e-6)
            assert truth == pytest.approx((said.argmax(axis=1) == one.rows.y).mean())

    def test_the_reference_is_the_accuracy_on_the_pool(self, at):
        said = at.world.model.predict_proba(at.world.pool.X).argmax(axis=1)
        assert at.reference == pytest.approx((said == at.world.pool.y).mean())

    def test_movements_are_held_against_the_pool(self, at):
        still = [
            movement.moved
            for movement, one in zip(at.movements, at.scenarios, strict=True)
            if one.set == "no_shift"
        ]
        flipped = [
            movement.moved
            for movement, one in zip(at.movements, at.scenarios, strict=True)
            if one.kind == "flip-sign"
        ]
        assert max(still) < min(flipped)


class TestTraining:
    def test_are_of_the_four_kinds_and_none_and_so_many_of_each(self, learnt_from):
        rehearsal, _ = learnt_from
        assert set(rehearsal.families) == {*CELLS["unseen_severity"], UNMOVED}
        assert_array_equal(np.bincount(rehearsal.family), [4] * 5)
        assert set(np.diff(rehearsal.bounds)) == {ROWS}

    def test_are_more_severe_than_any_test_batch_of_the_same_kind(self, learnt_from):
        _, shifts = learnt_from
        severe = [shift.samples for shift in shifts if hasattr(shift, "samples")]
        assert len(severe) == 16
        assert 0.75 <= min(severe) < max(severe) <= 0.95
        assert all(0.25 <= shift.features <= 0.95 for shift in shifts if hasattr(shift, "features"))

    def test_every_one_is_a_fresh_draw_of_the_pool(self, learnt_from, at):
        rehearsal, _ = learnt_from
        rows = [rehearsal.source[place] for place in rehearsal]
        assert all(len(set(some.tolist())) == ROWS for some in rows)
        assert max(some.max() for some in rows) < len(at.world.pool)
        assert len({tuple(some.tolist()) for some in rows}) == len(rows)
        still = rehearsal.families.index(UNMOVED)
        for d in np.flatnonzero(rehearsal.family == still):
            place = list(rehearsal)[d]
            assert_array_equal(rehearsal.domains.features[place], at.labelled.features[rows[d]])
            assert_array_equal(rehearsal.domain_target[place], at.world.pool.y[rows[d]])

    def test_the_validation_set_is_n_rows_of_the_pool(self, learnt_from, at):
        rehearsal, _ = learnt_from
        key = at.schema.names.index("weight")
        of_pool = at.labelled.features[:, key].tolist()
        mine = rehearsal.rows.features[:, key].tolist()
        assert len(mine) == len(set(mine)) == ROWS == len(rehearsal.target)
        places = [of_pool.index(one) for one in mine]
        assert_array_equal(rehearsal.target, at.world.pool.y[places])
        assert_array_equal(rehearsal.rows.outputs, at.labelled.outputs[places])

    def test_the_same_seed_draws_the_same(self, at):
        first, again, other = (training(at, 1, seed) for seed in (0, 0, 1))
        assert_array_equal(first.domains.features, again.domains.features)
        assert not np.array_equal(first.source, other.source)

    def test_a_kind_that_moves_nothing_makes_no_domains(self, worlds):
        one = worlds[MIXED]
        words = [
            name for name in one.pool.X.column_names if str(one.pool.X[name].type).startswith("dictionary")
        ]
        assert len(words) > 3

        def only(rows):
            return Rows(rows.X.select(words), rows.y)

        bare = World(one.name, one.n, _Deaf(), one.classes, only(one.pool), only(one.target), {})
        rehearsal = training(setting_of(bare, {"no_shift": 1}, 0), 2, 0)
        assert rehearsal.families == ("missing-values", UNMOVED)
        assert_array_equal(rehearsal.family, [0, 0, 1, 1])

    def test_a_part_holds_the_first_domains_of_some_kinds(self, learnt_from):
        rehearsal, _ = learnt_from
        fold = part_of(rehearsal, ["scaling", UNMOVED], 2)
        assert fold.rows.all()
        assert len(fold.rows) == ROWS
        kept = np.flatnonzero(fold.domains)
        assert Counter(rehearsal.families[f] for f in rehearsal.family[kept]) == {"scaling": 2, UNMOVED: 2}
        first = np.flatnonzero(rehearsal.family == rehearsal.families.index("scaling"))
        assert_array_equal(kept[np.isin(kept, first)], first[:2])


class _Schema:
    """Sees how many rows there are."""

    @staticmethod
    def features(columns):
        return np.zeros((len(columns), 1), dtype=np.float32)


class _Deaf:
    """A model that always says the same, whatever the columns."""

    schema = _Schema()
    classes_ = np.arange(2)

    @staticmethod
    def of_features(features):
        return np.tile([0.3, 0.7], (len(features), 1))
