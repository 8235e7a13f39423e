"""Methods side by side: paired differences against closed forms and resampling, ranks, wins, equivalents."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from surefoot import InputError, Predictions, evaluate, load, scan
from surefoot.compare import compare, deep_ensemble_equivalent, ranks
from surefoot.compare._entrants import Candidate, reduced
from surefoot.compare._one_dataset import wanted_metrics
from surefoot.compare._paired import Pulled, better_of, paired_interval, pulled
from surefoot.metrics import REGISTRY, describe
from surefoot.scorecard._sides import Sides
from surefoot.scorecard._views import views
from tables import KINDS, PARTS


def rival(
    skill: float, seed: int, *, n=600, k=4, samples=1, data=0, partition=True, **columns
) -> Predictions:
    """A model of its own for the inputs of dataset number `data`; what is hard is hard for all."""
    common = np.random.default_rng([7, data])
    target, part = common.integers(0, k, n), PARTS[common.integers(0, 4, n)]
    hard = common.normal(size=(n, k))
    rng = np.random.default_rng([seed, data])
    logits = (hard + rng.normal(size=(n, k)) + 0.7 * rng.normal(size=(samples, n, k))) / 1.3
    logits[:, np.arange(n), target] += np.where(np.char.endswith(part, "out"), 0.5, 1.0) * skill
    probs = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    given = {"partition": part if partition else None} | columns
    return Predictions.classification(probs, given.pop("target", target), **given)


def named(method, predictions, **facts):
    return replace(predictions, info={"method": method, **facts})


def of(found, metric, **where):
    """The only difference that fits."""
    where = {"set": "eval", "side": "all", "metric": metric} | where
    (one,) = [d for d in found.differences if all(getattr(d, k) == v for k, v in where.items())]
    return one


def table_of(predictions):
    return reduced(Candidate("m", "d", predictions), None, None, None, Sides.naming())


def evaluation(rows):
    """The view of the evaluation set, all sides."""
    return next(
        view for name, side, view in views(rows.table, rows.rule.threshold) if (name, side) == ("eval", "all")
    )


# Paired differences


@pytest.mark.parametrize("kind", KINDS)
def test_swapping_the_methods_negates_every_difference(kind):
    a, b = KINDS[kind](seed=1), KINDS[kind](seed=1, samples=3)
    blurred = {
        name: 0.8 * values + 0.2 * values.mean(axis=-1, keepdims=True) for name, values in b.arrays.items()
    }
    b = replace(b, arrays=blurred, target=a.target, partition=a.partition)
    there = compare([a, b], names=["a", "b"]).differences
    back = compare([b, a], names=["b", "a"]).differences
    assert len(there) == len(back) > 20
    turned = {"first": "second", "second": "first", "neither": "neither"}
    for one, other in zip(there, back, strict=True):
        assert (one.metric, one.set, one.side, one.n) == (other.metric, other.set, other.side, other.n)
        ends = [-other.value, -other.high, -other.low, other.p_value]
        np.testing.assert_array_equal([one.value, one.low, one.high, one.p_value], ends)
        assert one.better == turned[other.better]


def test_a_model_does_not_differ_from_itself():
    one = rival(1.5, 1, samples=5)
    found = compare([one, one], names=["a", "b"])
    assert {d.metric for d in found.differences} > {"r_auc", "calibrated_brier", "macro_f1", "auroc"}
    for d in found.differences:
        assert (d.value, d.low, d.high, d.p_value, d.better) == (0, 0, 0, 1, "neither")
    assert found.best("accuracy", "data") is None
    assert found.wins["accuracy"].draws.tolist() == [[0, 1], [1, 0]]


def test_the_order_of_rows_and_classes_does_not_matter():
    a, b = rival(1.5, 1), rival(1.0, 2)
    shuffled = b.select(np.random.default_rng(0).permutation(len(b)))
    turned = replace(
        shuffled,
        arrays={"probs": shuffled.probs[:, :, ::-1]},
        classes=shuffled.classes[::-1],
        target=3 - shuffled.target,
    )
    expected = compare([a, b], names=["a", "b"])
    for other in (shuffled, turned):
        found = compare([a, other], names=["a", "b"])
        for one, same in zip(expected.differences, found.differences, strict=True):
            assert [one.value, one.low, one.high] == pytest.approx(
                [same.value, same.low, same.high], rel=1e-9
            )
    assert (
        compare([a.select(np.argsort(-a.id)), shuffled], names=["a", "b"]).differences == expected.differences
    )


def test_differences_are_those_of_the_scorecards():
    a, b = rival(1.5, 1), rival(1.0, 2, samples=5)
    found = compare([a, b], names=["a", "b"])
    first, second = (one.card for one in found.entrants)
    assert (first["accuracy"], second["r_auc"]) == (evaluate(a)["accuracy"], evaluate(b)["r_auc"])
    checked = 0
    for d in found.differences:
        where = f"{d.set}.{d.side}.{d.metric}"
        assert d.value == pytest.approx(first[where] - second[where], abs=1e-9)
        assert d.n == first.find(where).n
        if d.set == "eval":
            key = d.metric if d.side == "all" else f"{d.side}.{d.metric}"
            assert found.scores[key][0].tolist() == pytest.approx([first[where], second[where]], abs=1e-9)
            checked += 1
    assert checked > 30
    assert of(found, "r_auc").measure == "entropy / negative_confidence"
    assert of(compare([a, b], names=["a", "b"], uncertainty="entropy"), "r_auc").measure == "entropy"


def test_means_over_rows_have_the_paired_t_test():
    a, b = rival(1.4, 1, partition=False), rival(1.2, 2, partition=False)
    found = compare([a, b], names=["a", "b"])
    rows = np.arange(len(a))
    losses = {
        "accuracy": [p.probs[0].argmax(axis=1) == p.target for p in (a, b)],
        "log_likelihood": [np.log(p.probs[0, rows, p.target] + 1e-10) for p in (a, b)],
    }
    for metric, (first, second) in losses.items():
        test = stats.ttest_rel(first.astype(float), second.astype(float))
        d = of(found, metric, set="test")
        ends = test.confidence_interval(0.95)
        assert [d.value, d.low, d.high] == pytest.approx(
            [np.subtract(first, second, dtype=float).mean(), *ends]
        )
        assert d.p_value == pytest.approx(test.pvalue)


def _deviations(kind, metrics, *, n, repeats):
    """Standard errors of paired differences, by influence and by resampling rows of both models together."""
    if kind == "classification":
        pair = rival(1.5, 1, n=n), rival(1.2, 2, n=n, samples=3)
    else:
        a = KINDS[kind](seed=0, n=n)
        noise = np.random.default_rng(1).normal(size=a.mean.shape) * 0.8
        pair = a, replace(a, arrays={"mean": a.mean + noise, "variance": a.variance * 1.3})
    rows = [table_of(p) for p in pair]
    kept = rows[0].table.columns["set"] == 2
    rows = [one.select(kept) for one in rows]

    def scores(tables):
        for name in metrics:
            metric = describe(name)
            both = [
                pulled(evaluation(t), metric, t.uncertainty if metric.per_measure else None) for t in tables
            ]
            yield paired_interval(*both)

    one_pass = [(i.high - i.low) / 2 / stats.t.ppf(0.975, kept.sum() - 1) for i in scores(rows)]
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(repeats):
        again = np.repeat(np.arange(kept.sum()), rng.poisson(size=kept.sum()))
        drawn.append([i.value for i in scores([one.select(again) for one in rows])])
    return one_pass, np.std(drawn, axis=0, ddof=1)


@pytest.mark.parametrize(
    ("kind", "metrics", "n", "repeats", "tolerance"),
    [
        (
            "classification",
            ["macro_f1", "r_auc", "f1_auc", "f1_at_95", "au_arc", "auroc", "aupr"],
            2000, 250, 0.12,
        ),
        ("classification", ["calibrated_log_likelihood", "calibrated_brier"], 1200, 80, 0.2),
        ("regression", ["rmse", "mae", "crps_gaussian", "gaussian_nll", "f1_auc", "r_auc"], 1200, 150, 0.15),
    ],
    ids=["rankings", "calibrated", "regression"],
)  # fmt: skip
def test_intervals_agree_with_resampling(kind, metrics, n, repeats, tolerance):
    one_pass, resampled = _deviations(kind, metrics, n=n, repeats=repeats)
    assert np.log(np.array(one_pass) / resampled) == pytest.approx(np.zeros(len(metrics)), abs=tolerance)


def test_equal_models_differ_by_chance_one_time_in_twenty():
    metrics = [describe(name) for name in ("accuracy", "r_auc", "f1_auc", "au_arc", "auroc")]
    found = np.zeros((300, len(metrics)))
    for i in range(len(found)):
        pair = [evaluation(table_of(rival(1.2, seed, n=500, data=i))) for seed in (1, 2)]
        for j, metric in enumerate(metrics):
            measure = "entropy" if metric.per_measure else None
            found[i, j] = paired_interval(*[pulled(view, metric, measure) for view in pair]).p_value
    assert ((found < 0.05).mean(axis=0) > 0.02).all()
    assert ((found < 0.05).mean(axis=0) < 0.085).all()
    assert (found < 0.5).mean() == pytest.approx(0.5, abs=0.06)


@given(st.lists(st.tuples(st.integers(-8, 8), st.integers(-8, 8)), min_size=20, max_size=60))
def test_an_interval_turns_with_its_methods(pulls):
    first, second = (Pulled(float(np.mean(p)), np.array(p)) for p in zip(*pulls, strict=True))
    there, back = paired_interval(first, second), paired_interval(second, first)
    assert (there.value, there.low, there.high) == (-back.value, -back.high, -back.low)
    assert there.low <= there.value <= there.high
    assert 0 <= there.p_value <= 1
    for higher in (True, False):
        assert better_of(there, higher) == -better_of(back, higher) == -better_of(there, not higher)
    assert (better_of(there, True) != 0) == (there.p_value < 0.05)


def test_nothing_is_said_about_fewer_than_20_rows():
    few, more = ([rival(skill, 1, partition=False).select(slice(n)) for skill in (9, 0)] for n in (19, 20))
    d = of(compare(few, names=["a", "b"]), "accuracy", set="test")
    assert d.value > 0.2
    assert np.isnan([d.low, d.high, d.p_value]).all()
    assert d.better == "neither"
    found = compare(more, names=["a", "b"])
    assert of(found, "accuracy", set="test").better == "first"
    assert any("only large differences can show" in note for note in found.notes)


def test_raw_scores_are_shown_beside_calibrated_ones_and_not_ranked():
    sharp = rival(1.5, 1)
    logits = 3 * np.log(sharp.probs)
    sharper = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    found = compare([sharp, replace(sharp, arrays={"probs": sharper})], names=["a", "b"])
    raw, calibrated = of(found, "log_likelihood"), of(found, "calibrated_log_likelihood")
    assert (raw.raw, raw.calibrated, calibrated.raw, calibrated.calibrated) == (True, False, False, True)
    assert raw.better == "first"
    assert calibrated.better == "neither"  # the same model at another temperature
    assert {"log_likelihood", "brier"} <= found.scores.keys() - found.beats.keys()
    assert "calibrated_brier" in found.beats
    assert {name for name in found.scores if "ece" in name or "misclassification" in name} == set()


def test_what_is_compared_by_default_has_an_influence():
    for each in wanted_metrics(None):
        assert each.metric.influence is not None
    named_ones = {each.metric.name for each in wanted_metrics(None)}
    assert named_ones >= {
        name for name, m in REGISTRY.items() if m.comparable and m.higher_is_better is not None
    }


# Several datasets


@pytest.fixture(scope="module")
def grid():
    """Three methods on four datasets, one clearly worse."""
    entries = [
        named(method, rival(skill, seed, n=400, data=data), dataset=f"d{data}")
        for data in range(4)
        for method, skill, seed in (("good", 2.0, 1), ("alike", 1.9, 2), ("bad", 0.6, 3))
    ]
    return entries, compare(entries)


def test_scores_ranks_and_wins_over_datasets(grid):
    _, found = grid
    assert (found.methods, found.datasets) == (("good", "alike", "bad"), ("d0", "d1", "d2", "d3"))
    assert [(one.method, one.dataset) for one in found.entrants[:4]] == [
        ("good", "d0"), ("alike", "d0"), ("bad", "d0"), ("good", "d1"),
    ]  # fmt: skip
    for key, higher in (("accuracy", True), ("shifted.r_auc", False), ("in.calibrated_brier", False)):
        assert found.scores[key].shape == (4, 3)
        expected = ranks(found.scores[key], higher)
        assert found.ranks[key].mean_ranks.tolist() == expected.mean_ranks.tolist()
        assert found.beats[key].shape == (4, 3, 3)
        assert found.wins[key].wins.tolist() == found.beats[key].sum(axis=0).tolist()
        totals = found.wins[key].wins + found.wins[key].draws + found.wins[key].losses
        assert totals.tolist() == (4 * (1 - np.eye(3))).tolist()
    assert found.ranks["accuracy"].mean_ranks[2] == 3
    assert found.wins["accuracy"].wins[0, 2] == 4
    assert found.best("accuracy", "d0") is None  # the two good ones are alike
    assert found.ranks.keys() == found.beats.keys()
    for d in found.differences:
        if d.set == "eval" and d.side == "all" and not d.raw:
            first, second = found.methods.index(d.first), found.methods.index(d.second)
            beats = found.beats[d.metric][found.datasets.index(d.dataset)]
            assert beats[first, second] == (d.better == "first")
            assert beats[second, first] == (d.better == "second")


def test_a_missing_cell_leaves_ranks_out_and_says_so(grid):
    entries, _ = grid
    found = compare(entries[:-1])
    assert np.isnan(found.scores["accuracy"][3, 2])
    assert found.ranks == {}
    assert found.wins["accuracy"].wins[0, 2] == 3
    assert found.wins["accuracy"].draws[0, 2] == 0
    assert "Not ranked over datasets, since there is no bad on d3." in found.notes


def test_many_methods_are_compared_with_the_best_ranked_one():
    models = [rival(skill, i, n=300) for i, skill in enumerate((0.2, 0.4, 3.0, 0.6, 0.8, 1.0, 1.2))]
    names = list("abcdefg")
    found = compare(models, names=names)
    assert found.info["reference"] == "c"
    pairs = {(d.first, d.second) for d in found.differences}
    assert pairs == {("c", other) for other in names if other != "c"}
    assert found.best("accuracy", "data") == "c"
    asked = compare(models[:3], names=names[:3], reference="b")
    assert {(d.first, d.second) for d in asked.differences} == {("b", "a"), ("b", "c")}
    every = compare(models[:3], names=names[:3])
    assert of(asked, "r_auc", second="a").value == -of(every, "r_auc", first="a", second="b").value
    assert {(d.first, d.second) for d in every.differences} == {("a", "b"), ("a", "c"), ("b", "c")}


# Equivalent ensembles


def test_a_smaller_ensemble_of_the_same_kind_is_worth_its_size():
    # Members that err on their own: two ensembles of them are alike.
    pool, other = (rival(2.0, seed, n=3000, samples=10) for seed in (1, 1))
    fresh = rival(2.0, 1, n=3000, samples=13)
    three = fresh.take(samples=[10, 11, 12])
    found = compare([named("pool", pool), named("three", three), named("one", fresh.take(samples=[12]))])
    (ensemble,) = found.ensembles
    assert (ensemble.dataset, ensemble.method) == ("data", "pool")
    assert ensemble.curve.sizes.tolist() == [1, 2, 3, 4, 6, 8, 10]
    assert [(one.ensemble, one.method) for one in found.equivalents] == [("pool", "three"), ("pool", "one")]
    for one in found.equivalents:
        np.testing.assert_allclose(one.found.value, one.sizes, rtol=0.25)
    assert found.equivalents[0].sizes.tolist() == [1, 2, 3]
    curve = ensemble.curve
    own = deep_ensemble_equivalent(curve.sizes, curve.mean, curve.mean, curve.std)
    np.testing.assert_allclose(own.value, curve.sizes)
    assert any("equivalents count members of pool" in note for note in found.notes)
    again = compare([named("pool", other), named("three", three)]).equivalents
    assert again[0].found.value.tolist() == found.equivalents[0].found.value.tolist()


def test_the_yardstick_is_the_largest_ensemble_and_needs_four_members():
    a, b, c = rival(1.5, 1, samples=4), rival(1.5, 2, samples=6), rival(1.5, 3, samples=12)
    found = compare([a, b, replace(c, member=np.zeros(12, int))], names=["four", "six", "passes"])
    assert [one.method for one in found.ensembles] == ["four", "six"]
    assert {one.ensemble for one in found.equivalents} == {"six"}
    assert found.equivalents[1].sizes.tolist() == [1, 2, 3, 4, 6, 8, 12]
    named = compare([a, b], names=["four", "six"], yardstick="four").equivalents
    assert [(one.ensemble, one.method) for one in named] == [("four", "six")]
    assert compare([a.take(samples=3), c.take(samples=1)], names=["a", "b"]).ensembles == ()
    assert compare([KINDS["regression"](), KINDS["regression"]()], names=["a", "b"]).ensembles == ()


# Notes, files, names, arguments


def test_an_easier_shifted_side_is_pointed_out():
    models = [rival(1.5, seed) for seed in (1, 2)]
    assert not [note for note in compare(models, names=["a", "b"]).notes if "rises" in note]
    other_side = {"dev_in": "dev_out", "dev_out": "dev_in", "eval_in": "eval_out", "eval_out": "eval_in"}
    turned = [replace(p, partition=np.array([other_side[part] for part in p.partition])) for p in models]
    found = compare(turned, names=["a", "b"])
    (note,) = [note for note in found.notes if "rises" in note]
    assert note.startswith("On data the accuracy of every method rises on the shifted side (a 0.")
    for change in found.changes:
        card = next(one.card for one in found.entrants if one.method == change.method)
        assert (change.inside, change.shifted) == (
            card[f"in.{change.metric}"],
            card[f"shifted.{change.metric}"],
        )
    # Equally hard sides differ by chance, which is not worth a note.
    by_chance = [replace(p, partition=np.where(np.arange(600) % 3, "eval_in", "eval_out")) for p in models]
    found = compare(by_chance, names=["a", "b"])
    assert any(change.gain > 0 for change in found.changes if change.metric == "accuracy")
    assert not [note for note in found.notes if "rises" in note]


def test_changes_agree_with_resampling_each_side():
    p = rival(1.5, 1, n=3000)
    found = compare([p, rival(1.0, 2, n=3000)], names=["a", "b"]).changes
    mine = [change for change in found if change.method == "a"]
    assert {"accuracy", "mean_error", "macro_f1", "calibrated_brier"} <= {change.metric for change in mine}
    sides = [p.select(np.flatnonzero(p.partition == part)) for part in ("eval_in", "eval_out")]
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(40):
        cards = [side.select(rng.integers(0, len(side), len(side))) for side in sides]
        inside, shifted = (evaluate(replace(one, id=np.arange(len(one))), intervals=False) for one in cards)
        drawn.append([shifted[f"shifted.{change.metric}"] - inside[f"in.{change.metric}"] for change in mine])
    for change, error in zip(mine, np.std(drawn, axis=0, ddof=1), strict=True):
        assert (change.high - change.low) / 2 == pytest.approx(1.96 * error, rel=0.35), change.metric
        assert (change.better, change.gain < 0) == ("in", True)


def test_files_scans_and_tables_are_the_same(tmp_path):
    a, b = named("first", rival(1.5, 1, samples=2)), rival(1.0, 2)
    paths = [tmp_path / "a.parquet", tmp_path / "b.npz"]
    a.save(paths[0])
    b.save(paths[1])
    found = compare(paths)
    assert found.methods == ("first", "b")
    opened = compare([scan(paths[0]), load(paths[1])], names=["first", "b"])
    assert opened.differences == found.differences
    text = replace(b, id=b.id.astype(str))
    assert compare([paths[0], text], names=["first", "b"]).differences[0].n == found.differences[0].n
    a.save(tmp_path / "again.parquet")
    assert compare([paths[0], tmp_path / "again.parquet"]).methods == ("a", "again")  # one name for both


def test_the_comparison_can_be_saved_and_shown(grid, tmp_path):
    _, found = grid
    text = found.to_json(tmp_path / "c.json")
    stored = json.loads((tmp_path / "c.json").read_text())
    assert stored == json.loads(text)
    assert stored["format"] == 1
    assert stored["scores"]["accuracy"] == found.scores["accuracy"].tolist()
    assert stored["ranks"]["accuracy"]["mean_ranks"] == found.ranks["accuracy"].mean_ranks.tolist()
    assert len(stored["differences"]) == len(found.differences)
    shown = found._repr_html_()
    assert "Mean ranks over 4 datasets" in shown
    assert shown.count("<table>") == shown.count("</table>") == 4 + 4 * 3 + 2
    assert repr(found) == "Comparison(good, alike, bad on d0, d1, d2, d3)"


@pytest.mark.parametrize("kind", ["regression", "multilabel"])
def test_other_kinds(kind):
    a = KINDS[kind](samples=4)
    found = compare([a, a.take(samples=1)], names=["ensemble", "single"])
    main = {"regression": "crps_gaussian", "multilabel": "multilabel_micro_f1"}[kind]
    assert of(found, main).better == "first"
    assert len(found._repr_html_()) > 1000
    json.loads(found.to_json())


def test_metrics_and_measures_can_be_chosen():
    a, b = rival(1.5, 1, samples=3), rival(1.0, 2)
    found = compare([a, b], names=["a", "b"], metrics=["r_auc@entropy", "accuracy", "r_auc", "accuracy"])
    keys = ["r_auc@entropy", "accuracy", "r_auc"]
    assert list(found.scores) == [*keys, *(f"in.{k}" for k in keys), *(f"shifted.{k}" for k in keys)]
    assert (
        of(found, "r_auc", measure="entropy").value
        != of(found, "r_auc", measure="negative_confidence / entropy").value
    )
    harm = np.random.default_rng(0).random(len(a))
    both = [replace(p, metadata={"harm": harm}) for p in (a, b)]
    found = compare(both, names=["a", "b"], error="harm", threshold=0.5)
    assert of(found, "mean_error").value == 0
    assert found.entrants[0].card.info["threshold"] == 0.5


SAME = rival(1.5, 1, n=100)
BAD = {
    "one table": (lambda: compare([SAME]), "at least two files or tables"),
    "a single path": (lambda: compare("x.parquet"), "at least two files or tables"),
    "too few names": (lambda: compare([SAME, SAME], names=["a"]), "names has 1 entries for 2"),
    "one name twice": (lambda: compare([SAME, SAME], names=["a", "a"]), "'a' is there more than once on"),
    "one method": (
        lambda: compare([named("a", SAME, dataset="x"), named("a", SAME, dataset="y")]),
        "all predictions are of the method 'a'",
    ),
    "no dataset": (
        lambda: compare([named("a", SAME, dataset="x"), named("b", SAME, dataset="y"), SAME]),
        "predictions number 3 do not say their dataset, but others are of x, y",
    ),
    "errors of rows": (lambda: compare([SAME, SAME], error=np.zeros(100)), "put it into a metadata column"),
    "no such reference": (lambda: compare([SAME, SAME], names=["a", "b"], reference="c"), "must be one of a, b"),
    "no such yardstick": (lambda: compare([SAME, SAME], names=["a", "b"], yardstick="c"), "must be one of a, b"),
    "a yardstick of one": (
        lambda: compare([SAME, SAME], names=["a", "b"], yardstick="b"),
        r"yardstick 'b' is no ensemble of 4 or more on dataset 'data' \(members: 1\); name a larger one",
    ),
    "no metrics": (lambda: compare([SAME, SAME], metrics="accuracy"), "metrics must list names"),
    "an unknown metric": (lambda: compare([SAME, SAME], metrics=["acc"]), "there is no metric 'acc'; did you mean"),
    "an unknown measure": (lambda: compare([SAME, SAME], metrics=["r_auc@doubt"]), "uncertainty must be one of"),
    "a measure of none": (lambda: compare([SAME, SAME], metrics=["accuracy@entropy"]), "judges no uncertainty measure"),
    "not computable": (lambda: compare([SAME, SAME], metrics=["rmse"]), "rmse cannot be computed from these"),
    "unknown uncertainty": (lambda: compare([SAME, SAME], uncertainty="doubt"), "uncertainty must be one of"),
    "an absent side": (lambda: compare([SAME, SAME], shifted=["york"]), "no row has the partition 'york'"),
    "cost matrices in two orders": (
        lambda: compare([SAME, replace(SAME, classes=SAME.classes[::-1])], error=1 - np.eye(4)),
        "classes in different orders",
    ),
    "no such score": (lambda: compare([SAME, SAME]).best("acc", "data"), "there is no 'acc' on 'data'"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments(case):
    act, pattern = BAD[case]
    with pytest.raises(InputError, match=pattern):
        act()
