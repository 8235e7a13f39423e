"""The decision guide: its rules, their sources, what it advises where the papers say so, and how budgets move it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot import measures, posteriors
from surefoot.bench.advice import CONFLICTS, DEFAULTS, RULES, SETUPS, Advice, Needs, advise
from surefoot.bench.advice._defaults import MEASURES
from surefoot.bench.advice._needs import INPUTS, SHIFTS, TUNING, UNCERTAINTIES
from surefoot.bench.advice._record import CALIBRATION, NOVELTY, PROPER, TIMINGS, multiples
from surefoot.bench.advice._setups import FAMILIES, exceeded
from surefoot.errors import InputError

PLACES = {
    "text": {
        *(f"section {name}" for name in ("I", "II", "III", "IV", "V", "VI", "VII")),
        *(f"section I-{letter}" for letter in "A"),
        *(f"section II-{letter}" for letter in "ABCDE"),
        *(f"section III-{letter}" for letter in "ABCDE"),
        *(f"section IV-{letter}" for letter in "ABCD"),
        *(f"appendix {letter}" for letter in "ABCD"),
        *(f"table {number}" for number in range(1, 18)),
    },
    "shifts": {
        *(f"section {number}" for number in range(1, 7)),
        *(f"appendix C.{number}" for number in range(1, 6)),
        *(f"table {number}" for number in range(1, 21)),
    },
    "pitfalls": {
        *(f"section {number}" for number in range(1, 6)),
        *(f"section 3.{number}" for number in range(1, 6)),
        *(f"section 4.{number}" for number in range(1, 4)),
    },
}
"""The sections, appendices and tables that the papers have."""

BUDGET = st.none() | st.integers(1, 60)

NEEDS = st.builds(
    Needs,
    classes=st.integers(5, 300),
    cardinality=st.none() | st.floats(0.5, 5),
    inputs=st.sampled_from(INPUTS),
    memory=BUDGET,
    training=BUDGET,
    inference=BUDGET,
    tuning=st.sampled_from(TUNING),
    shift=st.sampled_from(SHIFTS),
    uncertainty=st.sampled_from(UNCERTAINTIES),
)


@pytest.fixture(scope="module")
def corners() -> list[Advice]:
    """Advice for the extremes of all needs that words speak of."""
    every = product((10, 150), (None, 1.24, 2.41), INPUTS, (None, 1), (None, 1), SHIFTS, UNCERTAINTIES)
    return [
        advise(Needs(classes, cardinality, inputs, memory, None, inference, "some", shift, uncertainty))
        for classes, cardinality, inputs, memory, inference, shift, uncertainty in every
    ]


def rules_of(advice: Advice) -> set[str]:
    judged = (*advice.candidates, *advice.left_out)
    return {reason.rule for one in judged for reason in one.reasons}


def test_every_rule_conflict_and_default_holds_for_somebody(corners: list[Advice]):
    found = [*corners, advise(Needs(10, memory=3))]
    assert {rule.name for rule in RULES} <= set().union(*map(rules_of, found))
    assert {one.name for advice in found for one in advice.conflicts} == {one.name for one in CONFLICTS}
    judged = [one for advice in found for one in (*advice.candidates, *advice.left_out)]
    places = {DEFAULTS.index(default) for one in judged for default in one.defaults}
    assert places == set(range(len(DEFAULTS)))


def test_no_two_rules_have_a_name_in_common():
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert len({setup.name for setup in SETUPS}) == len(SETUPS)


def test_conditions_speak_words_that_needs_and_set_ups_have():
    needs = Needs(10).words
    for one in (*RULES, *DEFAULTS):
        assert set(one.when) <= set(needs)
        for setup in SETUPS:
            assert set(one.of) <= set(setup.words(setup.sizes[0]))
        if "name" in one.of:
            assert set(one.of["name"]) <= {setup.name for setup in SETUPS}
    assert all(set(one.when) <= set(needs) for one in CONFLICTS)


def test_sources_name_places_that_the_papers_have_and_quote_them():
    sources = [one.source for one in (*RULES, *CONFLICTS, *DEFAULTS)]
    sources += [source for _, source in MEASURES.values()]
    sources += [reason.source for reason in advise(Needs(10, shift="covariate")).best.reasons]
    for source in sources:
        assert source.place in PLACES[source.paper], source
        assert len(source.words) >= 9


@pytest.mark.parametrize(
    ("needs", "best"),
    [
        (Needs(20), "deep-ensemble"),
        (Needs(2, shift="covariate"), "deep-ensemble"),
        (Needs(20, memory=1), "concrete-dropout"),
        (Needs(20, memory=1, shift="novel"), "mc-concrete-dropout"),
        (Needs(150), "heteroscedastic-concrete-dropout-ensemble"),
        (Needs(90, cardinality=1.24), "mc-concrete-dropout-ensemble"),
        (Needs(54, cardinality=2.41), "deep-ensemble"),
        (Needs(20, shift="novel"), "mc-concrete-dropout-ensemble"),
        (Needs(150, shift="novel"), "mc-concrete-dropout-ensemble"),
    ],
    ids=str,
)
def test_section_v_of_the_paper_is_followed(needs: Needs, best: str):
    assert advise(needs).best.name == best


def test_images_and_tables_follow_their_own_papers():
    assert advise(Needs(10, inputs="images", training=1, memory=5)).best.name == "snapshots"
    for shift in SHIFTS:
        advice = advise(Needs(10, inputs="table", shift=shift))
        assert advice.best.name == "deep-ensemble"
        assert advice.best.preset == "catboost-ensemble-calibrated"
    one = advise(Needs(10, inputs="table", inference=1, uncertainty="knowledge"))
    assert one.best.preset == "catboost-virtual-calibrated"


@given(NEEDS)
def test_there_is_always_an_answer_with_reasons_within_the_budget(needs: Needs):
    advice = advise(needs)
    assert advice.best.reasons
    assert not exceeded(advice.best.cost, needs)
    scores = [one.score for one in advice.candidates]
    assert all(earlier >= later - 1e-9 for earlier, later in pairwise(scores))
    assert len(advice.candidates) + len(advice.left_out) == len(
        [one for one in SETUPS if needs.inputs in one.only]
    )
    assert all(one.beyond for one in advice.left_out)
    assert not any(one.beyond for one in advice.candidates)


@given(NEEDS, st.integers(1, 60), st.integers(1, 60))
def test_less_memory_never_advises_a_larger_ensemble(needs: Needs, one: int, other: int):
    less, more = (advise(replace(needs, memory=memory)).best for memory in sorted((one, other)))
    assert less.cost.storage <= more.cost.storage
    assert less.members <= more.members


@given(NEEDS)
def test_without_limits_something_else_is_taken_only_if_a_limit_forbids_it(needs: Needs):
    advice = advise(needs)
    free = advise(replace(needs, memory=None, training=None, inference=None)).best
    if advice.unlimited is None:
        assert (free.name, free.size) == (advice.best.name, advice.best.size)
    else:
        assert (advice.unlimited.name, advice.unlimited.size) == (free.name, free.size)
        assert exceeded(free.cost, needs) or needs.words["memory"] != "ample"


def test_the_wanted_kind_of_uncertainty_is_given(corners: list[Advice]):
    for advice in corners:
        assert advice.needs.uncertainty in advice.best.setup.gives


def test_the_18_set_ups_are_those_of_table_3_and_each_table_counts_every_comparison_once():
    names = [setup.name for setup in SETUPS[:18]]
    for table in (PROPER, CALIBRATION, NOVELTY):
        assert sorted(table) == sorted(names)
        assert len({sum(record) for record in table.values()}) == 1
    assert {sum(record) for record in PROPER.values()} == {17 * 5 * 2}  # two scores on five datasets
    assert {sum(record) for record in CALIBRATION.values()} == {17 * 5}


def test_single_set_ups_have_times_and_ensembles_those_of_their_members():
    assert all(set(times) == {one.name for one in SETUPS[:9]} for times in TIMINGS.values())
    assert multiples("mc-ensemble") == multiples("mc-dropout")
    assert multiples("heteroscedastic-ensemble") == multiples("heteroscedastic")
    assert multiples("deep-ensemble")["BERT"] == {"training": 1, "gpu": 1, "cpu": 1}
    assert multiples("snapshots") == {}


def test_costs_are_those_of_table_4():
    judged = {one.name: one.cost for one in advise(Needs(10)).candidates}
    assert str(judged["deep-ensemble"]) == "training 5 m, inference 5 m, storage 5 m"
    assert str(judged["unregularized"]) == "training m, inference m, storage m"
    assert str(judged["mc-concrete-dropout"]) == "training m, inference 10 m, storage m"
    assert str(judged["heteroscedastic"]) == "training m, inference m + 9 l, storage m"
    assert judged["mc-heteroscedastic-ensemble"].inference == 50
    assert str(judged["cyclical-sgld"]) == "training m, inference 12 m, storage 12 m"


def test_presets_are_found_by_their_parts():
    advice = advise(Needs(10, inputs="table"))
    found = {one.name: [preset.name for preset in one.presets] for one in advice.candidates}
    assert {"catboost", "forest", "mlp-calibrated"} <= set(found["unregularized"])
    assert {"catboost-ensemble", "forest-ensemble"} <= set(found["deep-ensemble"])
    assert found["virtual-ensemble"] == ["catboost-virtual-calibrated", "catboost-virtual"]
    assert found["mc-concrete-dropout-ensemble"] == []
    assert advise(Needs(10)).today is None
    assert advise(Needs(10, cardinality=2, inputs="table")).today is None  # no family does several labels


def test_the_recipe_has_as_many_members_as_the_budget():
    best = advise(Needs(10, inputs="table", memory=3)).best
    assert best.recipe is not None
    assert posteriors.Recipe.from_dict(best.recipe).members == best.members == 3


def test_every_family_of_models_has_its_inputs():
    known = {name for families in FAMILIES.values() for name in families}
    assert {one.name for one in posteriors.families()} - {"majority"} == known


def test_measures_speak_of_the_wanted_uncertainty():
    for wanted, (name, _) in MEASURES.items():
        for kind in ("classification", "multilabel"):
            (found,) = [one for one in measures.MEASURES if one.name == name and one.kind == kind]
            assert found.speaks_of == wanted


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"classes": 1}, "classes is 1; a classification has at least 2"),
        ({"classes": 3, "cardinality": 4}, "cardinality is 4; give the average number of labels"),
        ({"classes": 3, "memory": 0.5}, "memory is 0.5; it counts single models"),
        ({"classes": 3, "inference": float("nan")}, "inference is nan"),
        ({"classes": 3, "shift": "some"}, "shift is 'some'; choose from none, covariate, novel"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_needs_that_cannot_be_are_refused(wrong: dict[str, object], message: str):
    with pytest.raises(InputError, match=message):
        Needs(**wrong)  # type: ignore[arg-type]
