"""The scorecard: what is scored, over which rows, and that neither order nor streaming matters."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sklearn_metrics

from surefoot import InputError, Predictions, evaluate, load, scan
from surefoot.metrics import REGISTRY
from surefoot.predictions import Scan
from surefoot.scorecard import Gate, _rows, headline, tables
from tables import KINDS, classification, multilabel, regression


def values(card):
    return {(s.set, s.side, s.metric, s.measure): s.value for s in card.rows}


def assert_same(left, right, rtol=1e-6):
    a, b = values(left), values(right)
    assert a.keys() == b.keys()
    np.testing.assert_allclose([a[k] for k in a], [b[k] for k in a], rtol=rtol, atol=1e-9)
    assert [(m.metric, m.side, m.members) for m in left.members] == [
        (m.metric, m.side, m.members) for m in right.members
    ]
    np.testing.assert_allclose([m.mean for m in left.members], [m.mean for m in right.members], rtol=rtol)


def test_scores_agree_with_scikit_learn():
    p = classification(samples=1)
    card = evaluate(p)
    probs, target = p.probs[0].astype(float), p.target
    for side, chosen in {
        "in": p.partition == "eval_in",
        "shifted": p.partition == "eval_out",
        "all": np.char.startswith(p.partition, "eval"),
    }.items():
        q, y = probs[chosen], target[chosen]
        assert card[f"{side}.accuracy"] == pytest.approx(sklearn_metrics.accuracy_score(y, q.argmax(1)))
        assert card[f"{side}.macro_f1"] == pytest.approx(
            sklearn_metrics.f1_score(y, q.argmax(1), average="macro")
        )
        assert -card[f"{side}.log_likelihood"] == pytest.approx(
            sklearn_metrics.log_loss(y, q / q.sum(1, keepdims=True)), rel=1e-5
        )
        assert card.find(f"eval.{side}.accuracy").n == chosen.sum()
    entropy = -(probs * np.log(probs)).sum(axis=1)
    on = np.char.startswith(p.partition, "eval")
    expected = sklearn_metrics.roc_auc_score(p.partition[on] == "eval_out", entropy[on])
    assert card["eval.auroc"] == pytest.approx(expected, abs=1e-6)


def test_regression_scores_by_hand():
    p = Predictions.regression([[0.0, 2.0], [2.0, 2.0]], [[1.0, 1.0], [1.0, 3.0]], [1.5, 4.0])
    card = evaluate(p)
    assert card["rmse"] == pytest.approx(np.sqrt((0.25 + 4.0) / 2))
    assert card["mae"] == pytest.approx((0.5 + 2.0) / 2)
    variance = np.array([1.0 + 1.0, 2.0 + 0.0])
    nll = 0.5 * (np.log(2 * np.pi * variance) + np.array([0.25, 4.0]) / variance)
    assert card["gaussian_nll"] == pytest.approx(nll.mean())
    assert card["mean_error"] == pytest.approx(2.125)
    assert card.info["threshold"] == 1.0


def test_multilabel_scores_agree_with_scikit_learn():
    p = multilabel(samples=1, partition=None)
    card = evaluate(p)
    decided = p.probs[0] > 0.5
    none = ~decided.any(axis=1)
    decided[none, p.probs[0][none].argmax(axis=1)] = True
    for average in ("macro", "micro"):
        expected = sklearn_metrics.f1_score(p.target, decided, average=average)
        assert card[f"multilabel_{average}_f1"] == pytest.approx(expected)
    assert card["mean_error"] == pytest.approx(sklearn_metrics.hamming_loss(p.target, decided))
    assert card["accuracy"] == pytest.approx(sklearn_metrics.accuracy_score(p.target, decided))


@pytest.mark.parametrize("kind", KINDS)
def test_streaming_equals_in_memory(kind, tmp_path, monkeypatch):
    p = KINDS[kind](n=500)
    p.save(tmp_path / "p.parquet")
    in_memory = evaluate(load(tmp_path / "p.parquet"))
    streamed = scan(tmp_path / "p.parquet")
    assert_same(evaluate(streamed), in_memory)
    small = streamed.read
    monkeypatch.setattr(type(streamed), "batches", lambda self, rows=37: small(rows))
    assert_same(evaluate(streamed), in_memory)


@pytest.mark.parametrize("kind", KINDS)
def test_members_in_several_passes_equal_members_in_one(kind, monkeypatch):
    p = KINDS[kind](n=300)
    one_pass = evaluate(p)
    monkeypatch.setattr(_rows, "MEMBER_BYTES", 1)
    assert_same(evaluate(p), one_pass)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**16))
def test_the_order_of_rows_does_not_matter(kind, seed):
    p = KINDS[kind](n=120, samples=3)
    order = np.random.default_rng(seed).permutation(len(p))
    left, right = values(evaluate(p)), values(evaluate(p.select(order)))
    assert left.keys() == right.keys()
    for key, value in left.items():
        if key[2] not in ("calibrated_log_likelihood", "calibrated_brier", "temperature"):  # halves are drawn
            assert right[key] == pytest.approx(value, rel=1e-5, abs=1e-7, nan_ok=True), key


@pytest.mark.parametrize("kind", KINDS)
def test_single_members_stand_beside_the_ensemble(kind):
    p = KINDS[kind]()
    card = evaluate(p)
    alone = [evaluate(member) for member in p.members()]
    assert card.members
    for score in card.members:
        each = [one.find(f"{score.set}.{score.side}.{score.metric}").value for one in alone]
        assert score.mean == pytest.approx(np.mean(each), rel=1e-5), score
        assert score.std == pytest.approx(np.std(each, ddof=1), rel=1e-3, abs=1e-7), score
        assert score.members == 5


def test_members_of_several_samples_are_averaged_first():
    p = classification(samples=6, member=[0, 0, 0, 1, 1, 1])
    card = evaluate(p)
    accuracy = [evaluate(member)["eval.accuracy"] for member in p.members()]
    found = next(s for s in card.members if (s.set, s.side, s.metric) == ("eval", "all", "accuracy"))
    assert (found.mean, found.members) == (pytest.approx(np.mean(accuracy)), 2)
    assert "member_mutual_information" in {s.measure for s in card.rows}


@pytest.mark.parametrize("kind", KINDS)
def test_the_only_member_equals_the_whole(kind):
    p = KINDS[kind](samples=1)
    assert_same(evaluate(p), evaluate(p.members()[0]))
    assert evaluate(p).members == ()


def test_defaults_follow_the_papers():
    assert evaluate(classification(samples=1)).uncertainty == "entropy"
    assert evaluate(classification(samples=2)).uncertainty == "negative_confidence"
    assert evaluate(regression()).uncertainty == "total_variance"
    assert evaluate(regression(), uncertainty="epkl").uncertainty == "epkl"
    assert evaluate(classification()).info["threshold"] == 0.0


def test_sets_and_sides():
    sets = {(s.set, s.side) for s in evaluate(classification()).rows}
    assert sets == {(s, side) for s in ("dev", "eval") for side in ("in", "shifted", "all")}
    two = classification(partition=np.where(np.arange(400) % 2, "in", "shifted"))
    assert evaluate(two).sets == ("test",)
    assert evaluate(classification(partition=None)).sets == ("test",)
    cities = classification(partition=np.array(["york", "bath", "hull"])[np.arange(400) % 3])
    with pytest.raises(InputError, match=r"partition 'bath', 'hull', 'york' .*--shifted NAME"):
        evaluate(cities)
    card = evaluate(cities, in_=["york"], shifted=["bath", "hull"])
    assert card.find("in.accuracy").n == np.count_nonzero(cities.partition == "york")
    with pytest.raises(InputError, match="both in-domain and shifted"):
        evaluate(cities, in_=["york"], shifted=["york"])
    with pytest.raises(InputError, match="no row has the partition 'leeds'"):
        evaluate(cities, in_=["york", "bath", "hull"], shifted=["leeds"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_predicted_data_variance_is_a_measure(kind):
    spread = np.random.default_rng(3).random((5, 400))
    card = evaluate(KINDS[kind](data_variance=spread))
    rows = [row for table in tables(card) for row in table.rows if row[0] == "data_variance"]
    assert {row[1] for row in rows} == {"data"}
    assert (
        evaluate(KINDS[kind](data_variance=spread), uncertainty="data_variance").uncertainty
        == "data_variance"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_notices_the_shift(kind):
    card = evaluate(KINDS[kind]())
    assert card["dev.auroc"] > 0.55
    assert card["eval.auroc"] > 0.55
    assert {"r_auc", "f1_auc", "aupr", "fpr_at_95"} <= {score.metric for score in card.rows}


def test_one_side_only_is_scored_and_said():
    card = evaluate(classification(partition=np.full(400, "eval_in")))
    assert not {s.metric for s in card.rows} & {"auroc", "aupr", "fpr_at_95"}
    assert any("no shifted side" in note for note in card.notes)
    with pytest.raises(InputError, match="there is no score 'auroc'"):
        card["auroc"]


def test_unlabelled_rows_only_take_part_in_detection():
    p = classification()
    target = p.target.copy()
    target[::3] = -2
    card = evaluate(classification(target=target))
    labelled = p.select(target != -2)
    everything = values(evaluate(p))
    for key, value in values(evaluate(labelled)).items():
        kept = everything[key] if key[2] in ("auroc", "aupr", "fpr_at_95") else value
        assert values(card)[key] == pytest.approx(kept, rel=1e-5, abs=1e-8, nan_ok=True), key
    assert any("134 of 400 rows are unlabelled" in note for note in card.notes)


def test_wholly_unlabelled_predictions_still_show_the_shift():
    card = evaluate(classification(target=None))
    assert {s.metric for s in card.rows} == {"auroc", "aupr", "fpr_at_95"}
    assert card["eval.auroc"] > 0.5


def test_novel_rows_are_errors_and_positives_of_novelty_detection():
    p = classification()
    target = p.target.copy()
    target[p.target == 3] = -1
    card = evaluate(classification(target=target))
    on = np.char.startswith(p.partition, "eval")
    right = p.probs.mean(axis=0).argmax(axis=1) == target
    assert card["accuracy"] == pytest.approx(right[on].mean())
    assert card.find("log_likelihood").n == np.count_nonzero(on & (target >= 0))
    confidence = -p.probs.mean(axis=0).max(axis=1)
    expected = sklearn_metrics.roc_auc_score(target[on] == -1, confidence[on])
    assert card["novelty_auroc"] == pytest.approx(expected, abs=1e-6)


def test_errors_of_ones_own():
    p = classification()
    on = np.char.startswith(p.partition, "eval")
    predicted = p.probs.mean(axis=0).argmax(axis=1)
    costs = np.arange(16.0).reshape(4, 4) * (1 - np.eye(4))
    card = evaluate(p, error=costs, threshold=5.0)
    assert card["mean_error"] == pytest.approx(costs[p.target, predicted][on].mean())
    own = np.random.default_rng(1).random(400)
    given_array = evaluate(p, error=own)
    assert given_array["mean_error"] == pytest.approx(own[on].mean())
    assert "f1_auc" not in {s.metric for s in given_array.rows}
    assert any("no threshold" in note for note in given_array.notes)
    from_column = evaluate(classification(metadata={"harm": own}), error="harm", threshold=0.5)
    assert from_column["mean_error"] == pytest.approx(own[on].mean())
    assert "f1_auc" in {s.metric for s in from_column.rows}
    assert evaluate(regression(), error="absolute")["mean_error"] == pytest.approx(
        evaluate(regression())["mae"]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"error": "squared"}, "'squared' is for regression; for classification use zero_one"),
        ({"error": "harm"}, "neither one of .* nor a metadata column"),
        ({"error": np.ones((3, 3))}, r"shape \(3, 3\), but there are 4 classes"),
        ({"error": -np.ones((4, 4))}, "negative or not finite in rows 0, 1, 2, 3"),
        ({"error": np.ones(7)}, "7 entries, but the predictions have 400 rows"),
        ({"uncertainty": "doubt"}, "uncertainty must be one of negative_confidence, "),
        ({"threshold": float("nan")}, "threshold must be a finite number"),
    ],
)
def test_bad_arguments_are_explained(arguments, message):
    with pytest.raises(InputError, match=message):
        evaluate(classification(), **arguments)


def test_too_wide_probabilities_are_left_out_and_said(monkeypatch):
    complete = evaluate(classification())
    monkeypatch.setattr(_rows, "WIDE_CELLS", 10)
    card = evaluate(classification())
    missing = {s.metric for s in complete.rows} - {s.metric for s in card.rows}
    assert missing == {"calibrated_log_likelihood", "calibrated_brier", "temperature", "sce", "ace", "tace"}
    assert any("too many to keep" in note for note in card.notes)


@pytest.mark.parametrize("kind", KINDS)
def test_json_follows_the_contract(kind, tmp_path):
    card = evaluate(KINDS[kind](n=3000))
    text = card.to_json(tmp_path / "card.json")
    stored = json.loads((tmp_path / "card.json").read_text())
    assert stored == json.loads(text) == card.to_dict()
    assert stored["format"] == 1
    assert set(stored["rows"][0]) == {
        "set",
        "side",
        "slice",
        "metric",
        "measure",
        "value",
        "low",
        "high",
        "n",
    }
    assert all(
        len(column) <= 512 for c in stored["curves"].values() for column in c.values() if type(column) is list
    )
    curve = stored["curves"]["eval/all/error_retention"]
    assert curve["fraction"][0] == 0
    assert curve["fraction"][-1] == 1
    assert curve["value"][-1] == pytest.approx(card["eval.mean_error"])
    assert all(o <= v + 1e-9 for o, v in zip(curve["optimal"], curve["value"], strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_densities_are_shares_of_right_wrong_and_shifted(kind):
    p = KINDS[kind](n=1500)
    card = evaluate(p)
    density = card.curves["eval/all/density"]
    groups = {"in_correct", "in_wrong", "shifted"} & density.keys()
    assert groups >= {"in_correct", "shifted"}
    assert density["measure"] == card.uncertainty
    assert len(density["edges"]) <= 65
    np.testing.assert_allclose(np.diff(density["edges"], n=2), 0, atol=1e-9)
    for name in groups:
        assert len(density[name]) == len(density["edges"]) - 1
        assert density[name].sum() == pytest.approx(1)
    middle = {name: density[name] @ density["edges"][1:] for name in groups}
    assert middle["shifted"] > middle["in_correct"]
    assert "shifted" not in card.curves["eval/in/density"]
    assert card.curves["eval/shifted/density"].keys() == {"edges", "shifted", "measure"}


def test_densities_by_hand():
    n = 400
    variance = np.arange(n) % 4 + 1.0
    right = np.arange(n) % 8 < 4
    p = Predictions.regression(np.zeros(n), variance, np.where(right, 0.5, 2.0))
    density = evaluate(p).curves["test/all/density"]
    assert (density["edges"][0], density["edges"][-1], len(density["edges"])) == (1, 4, 21)
    for name in ("in_correct", "in_wrong"):
        assert density[name][[0, 6, 13, 19]] == pytest.approx(0.25)
    wider = evaluate(p, threshold=10.0).curves["test/all/density"]
    assert wider.keys() == {"edges", "in_correct", "measure"}
    assert "test/all/density" not in evaluate(p, error=np.ones(n)).curves
    constant = Predictions.regression(np.zeros(n), np.ones(n), np.zeros(n))
    assert "test/all/density" not in evaluate(constant).curves


def test_every_score_is_registered_and_within_its_bounds():
    for make in KINDS.values():
        for score in evaluate(make()).rows:
            low, high = REGISTRY[score.metric].bounds
            assert low <= score.value <= high or np.isnan(score.value), score
            assert (score.measure is not None) == REGISTRY[score.metric].per_measure


def test_paths_name_scores():
    card = evaluate(classification())
    assert card["f1_auc"] == card["eval.all.f1_auc@negative_confidence"]
    assert card["dev.in.accuracy"] == card.find("dev.in.accuracy").value
    for path in ("test.accuracy", "eval.dev.accuracy", "f1_auc@doubt", "nonsense"):
        with pytest.raises(InputError, match=r"there is no score|is not of the form"):
            card[path]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("accuracy<1.1", True),
        ("accuracy > 1", False),
        ("eval.in.accuracy>=0", True),
        ("f1_auc@entropy <= 0", False),
    ],
)
def test_gates(text, holds):
    assert Gate.parse(text).holds(evaluate(classification())) is holds


@pytest.mark.parametrize(
    "text", ["accuracy", "accuracy<", "<0.5", "accuracy<low", "accuracy=1", "a<b<1", "a<nan"]
)
def test_broken_gates_are_explained(text):
    with pytest.raises(InputError, match="is not of the form"):
        Gate.parse(text)


def test_tables_and_html_show_every_metric():
    card = evaluate(classification())
    shown = " ".join(cell for table in tables(card) for row in table.rows for cell in row)
    assert all(score.metric in shown for score in card.rows if score.measure in (None, card.uncertainty))
    html = card._repr_html_()
    assert headline(card) in html
    assert html.count("<table>") == 6
    hostile = evaluate(classification(metadata={"<b>": np.ones(400)}), error="<b>")
    assert "<b>" not in hostile._repr_html_()


def test_gaps_in_a_later_row_group_are_seen_without_statistics(tmp_path):
    n, head = 3000, 1000
    p = classification(n=n, samples=1)
    error = pa.array(np.arange(n) % 5, mask=np.arange(n) > n - 50)
    probs = pa.FixedSizeListArray.from_arrays(pa.array(p.probs[0].ravel()), 4)
    table = pa.table({"probs": probs, "target": p.target, "partition": p.partition, "harm": error})
    pq.write_table(table, tmp_path / "p.parquet", row_group_size=head, write_statistics=False)
    streamed = evaluate(scan(tmp_path / "p.parquet"), error="harm")
    assert_same(streamed, evaluate(load(tmp_path / "p.parquet"), error="harm"))
    assert any("49 labelled rows have no error" in note for note in streamed.notes)


@pytest.mark.parametrize("size", [7, 1000])
def test_messages_count_rows_from_the_first_of_the_file(size, tmp_path, monkeypatch):
    part = np.full(400, "eval_in")
    part[333] = "nowhere"
    harm = np.ones(400)
    harm[321] = np.inf
    classification(partition=part).save(tmp_path / "p.parquet")
    classification(metadata={"harm": harm}).save(tmp_path / "q.parquet")
    batches = Scan.batches
    monkeypatch.setattr(Scan, "batches", lambda self, rows=size: batches(self, rows))
    with pytest.raises(InputError, match=r"partition 'nowhere' \(row 333\)"):
        evaluate(scan(tmp_path / "p.parquet"))
    with pytest.raises(InputError, match="error 'harm' is infinite in row 321"):
        evaluate(scan(tmp_path / "q.parquet"), error="harm")


def test_members_of_unequal_size_are_judged_alike():
    card = evaluate(classification(samples=4, member=[0, 0, 0, 1]))
    assert {score.measure for score in card.members if score.measure} == {"negative_confidence"}
    assert {score.members for score in card.members if score.metric == "accuracy"} == {2}


def test_members_are_judged_by_the_chosen_measure_where_one_model_can_tell_it():
    assert {s.measure for s in evaluate(classification()).members if s.measure} == {"entropy"}
    chosen = evaluate(classification(), uncertainty="negative_confidence")
    assert {s.measure for s in chosen.members if s.measure} == {"negative_confidence"}


def test_a_variance_of_zero_is_said_and_spares_the_rest():
    p = regression()
    variance = p.variance.copy()
    variance[:, 7] = 0
    card = evaluate(Predictions.regression(p.mean, variance, p.target, partition=p.partition))
    assert "epkl" not in {score.measure for score in card.rows}
    assert any("epkl is infinite" in note for note in card.notes)
    part = str(p.partition[7]).removesuffix("_in").removesuffix("_out")
    assert card[f"{part}.r_auc"] == pytest.approx(evaluate(p)[f"{part}.r_auc"], rel=0.1)


def test_nothing_to_score_is_refused():
    with pytest.raises(InputError, match="there is nothing to score: no row has a target"):
        evaluate(classification(target=None, partition=None))


def test_files_and_frames_are_refused_with_the_way_in():
    with pytest.raises(InputError, match=r"evaluate takes Predictions or a Scan, not str; read a file with"):
        evaluate("predictions.npz")


def test_one_side_is_named_by_a_plain_string():
    halves = classification(partition=np.array(["york", "hull"])[np.arange(400) % 2])
    assert evaluate(halves, in_="york", shifted="hull").find("in.accuracy").n == 200
    with pytest.raises(InputError, match=r"no row has the partition 'leeds' that was named as in; there are"):
        evaluate(halves, in_=["york", "leeds"], shifted="hull")


@pytest.mark.parametrize("threshold", [1e-9, 1e9])
def test_a_threshold_off_the_scale_is_said(threshold):
    assert any(
        "F1-retention says little" in note for note in evaluate(regression(), threshold=threshold).notes
    )
    assert not any("F1-retention says little" in note for note in evaluate(regression()).notes)


def test_rows_without_any_label_are_said():
    p = multilabel()
    target = p.target.copy()
    target[:9] = 0
    bare = int((target.sum(axis=1) == 0).sum())
    assert any(
        f"{bare} rows have no label at all" in note for note in evaluate(multilabel(target=target)).notes
    )
