"""Plans of predicates: every row goes where its rule says, groups stay together, and mistakes are named."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.data.partition import (
    FITTED,
    PARTITIONS,
    Plan,
    Rule,
    Span,
    assign,
    by_value,
    canonical,
    cross_counts,
    partition_by,
    split_hash,
    statistics,
)
from surefoot.errors import InputError

IN = {"train": 0.7, "dev_in": 0.1, "eval_in": 0.2}
WEATHER = Plan(
    rules=(
        Rule({"climate": ("tropical", "dry", "mild"), "time": Span("2018-09-01", "2019-04-08")}, IN),
        Rule({"climate": "snow", "time": Span("2019-07-08", "2019-09-01")}, {"dev_out": 1}),
        Rule({"climate": ("snow", "polar"), "time": Span("2019-05-14", "2019-07-08")}, {"eval_out": 1}),
    ),
    most={"dev_out": 50},
)


def weather(n: int = 4000, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    days = np.datetime64("2018-09-01") + rng.integers(0, 365, n)
    return {
        "climate": np.array(["tropical", "dry", "mild", "snow", "polar"])[rng.integers(5, size=n)],
        "time": days,
    }


def test_climate_and_time_as_in_the_paper():
    columns = weather()
    parts = assign(columns, WEATHER)
    climate, day = columns["climate"], columns["time"].astype("datetime64[D]")
    early = day < np.datetime64("2019-04-08")
    inside = np.isin(climate, ["tropical", "dry", "mild"]) & early
    assert (np.isin(parts, ["train", "dev_in", "eval_in"]) == inside).all()
    for part, share in IN.items():
        assert abs((parts == part).sum() - share * inside.sum()) <= 1
    assert (parts == "dev_out").sum() == 50
    late = day[parts == "dev_out"]
    assert late.min() >= np.datetime64("2019-07-08")
    assert set(climate[parts == "dev_out"]) == {"snow"}
    assert set(climate[parts == "eval_out"]) == {"snow", "polar"}
    between = day[parts == "eval_out"]
    assert np.datetime64("2019-05-14") <= between.min() <= between.max() < np.datetime64("2019-07-08")
    assert set(parts[early & (climate == "snow")]) == {""}


@pytest.mark.parametrize(
    "of", [pd.Series, pl.Series, pa.array, pa.chunked_array, list], ids=lambda of: of.__name__
)
def test_columns_of_any_library(of: Any):
    columns = weather(200)

    def column(values):
        return of([values]) if of is pa.chunked_array else of(values)

    given = {"climate": column(columns["climate"].tolist()), "time": column(columns["time"].tolist())}
    assert assign(given, WEATHER, 3).tolist() == assign(columns, WEATHER, 3).tolist()


def test_city_and_precipitation():
    plan = Plan(
        rules=(
            Rule({"city": "Moscow", "rain": "no"}, {"train": 1}),
            Rule({"city": "Oslo", "rain": "yes"}, {"eval_out": 1}),
        ),
        rest={"eval_in": 1},
    )
    columns = {"city": ["Moscow", "Oslo", "Moscow", "Oslo"], "rain": ["no", "yes", "yes", "no"]}
    assert assign(columns, plan).tolist() == ["train", "eval_out", "eval_in", "eval_in"]


def test_missing_values_fulfil_no_condition():
    plan = Plan(rules=(Rule({"a": "x"}, {"train": 1}), Rule({"b": Span(low=0)}, {"eval_out": 1})))
    columns = {"a": ["x", None, None], "b": [None, 1.0, float("nan")]}
    assert assign(columns, plan).tolist() == ["train", "eval_out", ""]


def test_rows_of_an_unknown_value_are_in_no_part():
    parts = assign({"v": ["a", None, "b", "c"]}, by_value("v", source="a", dev_out="b", fractions=(1, 0, 0)))
    assert parts.tolist() == ["train", "", "dev_out", "eval_out"]


def test_a_canonical_partition_is_kept():
    plan = canonical("split", {"train": {"train": 0.5, "dev_in": 0.5}, "test": "eval_in"})
    parts = assign({"split": ["train", "test", "train", "test"]}, plan)
    assert sorted(parts[[0, 2]]) == ["dev_in", "train"]
    assert parts[[1, 3]].tolist() == ["eval_in", "eval_in"]


@given(st.lists(st.integers(0, 3), min_size=5, max_size=60), st.integers(0, 9))
def test_by_value_agrees_with_partition_by(values: list[int], seed: int):
    values = [0, 1, 2, *values]
    parts = assign({"v": values}, by_value("v", source=0, dev_out=1), seed)
    inside = np.array(values) == 0
    assert (parts[~inside] == partition_by(values, source=0, dev_out=1)[~inside]).all()
    assert np.isin(parts[inside], ["train", "dev_in", "eval_in"]).all()


GROUPS = st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=4, max_size=120)


@given(GROUPS, st.integers(0, 5))
def test_a_group_is_never_fitted_and_judged(pairs: list[tuple[int, bool]], seed: int):
    group, early = (list(column) for column in zip(*[*pairs, (99, True), (98, False)], strict=True))
    plan = Plan(rules=(Rule({"early": True}, IN), Rule({"early": False}, {"eval_out": 1})), group=("group",))
    parts = assign({"group": group, "early": early}, plan, seed)
    for one in set(group):
        held = {part for part, own in zip(parts, group, strict=True) if own == one} - {""}
        assert held <= set(FITTED) or not held & set(FITTED)
        inside = {part for part, own, first in zip(parts, group, early, strict=True) if own == one and first}
        assert len(inside) <= 1


def test_several_columns_name_a_group():
    plan = Plan(rules=(Rule({"where": "here"}, {"train": 0.5, "eval_in": 0.5}),), group=("name", "year"))
    columns = {"where": ["here"] * 40, "name": ["a", "b"] * 20, "year": np.repeat(np.arange(5), 8)}
    parts = assign(columns, plan)
    for year in range(5):
        for name in range(2):
            assert len(set(parts[year * 8 + name : (year + 1) * 8 : 2])) == 1
    assert 0.3 <= (parts == "train").mean() <= 0.7


@given(st.integers(0, 5), st.integers(1, 60), st.integers(0, 40))
def test_a_smaller_sample_is_part_of_a_larger(seed: int, few: int, more: int):
    columns = weather(400)
    kept = []
    for most in (few, few + more):
        plan = Plan(rules=WEATHER.rules, most={"train": most, "eval_out": most})
        parts = assign(columns, plan, seed)
        assert (parts == "train").sum() <= most
        kept.append(set(np.flatnonzero(np.isin(parts, ["train", "eval_out"]))))
    assert kept[0] <= kept[1]


def test_seeds_move_in_domain_rows_only():
    columns = weather()
    first, again, other = (assign(columns, WEATHER, seed) for seed in (0, 0, 1))
    assert first.tolist() == again.tolist()
    assert ((first == "eval_out") == (other == "eval_out")).all()
    assert ((first == "train") != (other == "train")).any()


def test_a_plan_survives_json():
    content = json.loads(json.dumps(WEATHER.to_dict()))
    again = Plan.from_dict(content)
    assert again.to_dict() == WEATHER.to_dict()
    assert assign(weather(300), again).tolist() == assign(weather(300), WEATHER).tolist()
    dated = Plan(rules=(Rule({"time": Span(date(2019, 1, 1))}, {"train": 1}),))
    assert Plan.from_dict(dated.to_dict()).rules[0].where == {"time": Span("2019-01-01")}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"rules": []}, "a plan needs at least one rule"),
        ({"rule": []}, "the plan has the field rule; its fields are rules, rest, group, most"),
        ([], "the plan is list; give a mapping with rules, rest, group, most"),
        ({"rules": [{"where": {"a": 1}}]}, r"rules\[0\] has no parts"),
        ({"rules": [{"where": {}, "parts": {"train": 1}}]}, "a rule needs at least one condition"),
        ({"rules": [{"where": {"a": 1}, "parts": {"test": 1}}]}, "parts names 'test'; the parts are train"),
        ({"rules": [{"where": {"a": 1}, "parts": {}}]}, "parts names no part"),
        ({"rules": [{"where": {"a": 1}, "parts": {"train": 0.7}}]}, "shares are above 0 and sum to 1"),
        ({"rules": [{"where": {"a": {"from": 1}}, "parts": {"train": 1}}]}, r"where\.a has the field from"),
        ({"rules": [{"where": {"a": {}}, "parts": {"train": 1}}]}, "a span needs low or high"),
        ({"rules": [{"where": {"a": 1}, "parts": {"train": 1}}], "most": {"train": 0}}, "most.train is 0"),
        ({"rules": [{"where": {"a": 1}, "parts": {"train": 1}}], "most": {"tran": 1}}, "most names 'tran'"),
        ({"rules": [{"where": {"a": 1}, "parts": {"train": 1}}], "rest": {"dev": 1}}, "rest names 'dev'"),
    ],
)  # fmt: skip
def test_mistakes_in_a_plan(content: Any, message: str):
    with pytest.raises(InputError, match=message):
        Plan.from_dict(content)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"b": 1}, "the plan needs the column b; there are a"),
        ({"a": 9}, "the rule names 9, but a holds 1, 2"),
        ({"a": Span("soon")}, "the span of a ends at 'soon', but the column holds int64"),
    ],
)
def test_mistakes_in_a_rule(where: dict[str, Any], message: str):
    with pytest.raises(InputError, match=message):
        assign({"a": [1, 2]}, Plan(rules=(Rule(where, {"train": 1}),)))


def test_rules_that_share_rows_are_refused():
    plan = Plan(rules=(Rule({"a": Span(high=3)}, {"train": 1}), Rule({"a": Span(low=2)}, {"eval_out": 1})))
    with pytest.raises(InputError, match="more than one rule holds for row 1"):
        assign({"a": [1, 2, 3]}, plan)


def test_statistics_of_parts():
    parts = ["train", "train", "eval_out", "eval_out", ""]
    found = statistics(parts, [0, 1, 1, -1, 0], classes=["no", "yes"], id=list("abcde"))
    assert list(found) == ["train", "eval_out"]
    assert (found["eval_out"].rows, found["eval_out"].novel, found["eval_out"].classes) == (
        2,
        1,
        {"no": 0, "yes": 1},
    )
    assert found["train"].sha256 == split_hash(["b", "a"], ["train", "train"], [1, 0])
    numbers = statistics(parts, [1.0, 3.0, 5.0, 5.0, 9.0])["train"]
    assert (numbers.mean, numbers.deviation, numbers.low, numbers.high) == (2, 1, 1, 3)
    assert cross_counts(parts, ["dry", "dry", "snow", "dry", "snow"]) == {
        "train": {"dry": 2},
        "eval_out": {"dry": 1, "snow": 1},
    }
    assert set(found) <= set(PARTITIONS)


@pytest.mark.parametrize(
    "changed",
    [
        ([1, 3], ["train", "eval_in"], [0, 1]),
        ([1, 2], ["train", "eval_out"], [0, 1]),
        ([1, 2], ["train", "eval_in"], [1, 1]),
    ],
)
def test_the_hash_knows_ids_parts_and_targets(changed: Any):
    assert split_hash(*changed) != split_hash([1, 2], ["train", "eval_in"], [0, 1])


def test_targets_of_text_have_no_hash():
    with pytest.raises(InputError, match="have no hash"):
        split_hash([1], ["train"], ["yes"])
