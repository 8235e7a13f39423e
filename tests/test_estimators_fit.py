"""From labelled rows to estimates: every table, kind of model, score and method, and every sentence on bad input."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.linear_model import LogisticRegression

from estimator_cases import (
    CENTRES,
    QUICK,
    SCALES,
    mixed,
    mixed_model,
    model,
    numbers,
    pipeline,
    probs_of,
    regressor,
)
from surefoot import estimators
from surefoot.cli._estimate_fit import METHODS
from surefoot.errors import InputError
from surefoot.estimators import Estimate
from surefoot.estimators._scores import SCORES
from surefoot.shifts import SwappedValues

DOC = estimators.DoC()
AUTO = estimators.Auto(QUICK)
TINY = {"domains": 60, "rows": 40}

OPTIONS = {
    estimators.ATC: [{"by": "confidence"}],
    estimators.ErrorPredictor: [
        {"learner": "neighbours", "features": "paper"},
        {"learner": "neighbours", "features": "outputs"},
        {"learner": "neighbours", "shifted": False},
        {"learner": "neighbours", "cross_fitted": False},
        {"learner": "forest"},
    ],
    estimators.Auto: [{"predictor": QUICK}],
}
EXPORTED = [
    one for one in (getattr(estimators, name) for name in estimators.__all__) if one in METHODS.values()
]
EVERY_METHOD = [kind(**options) for kind in EXPORTED for options in ({}, *OPTIONS.get(kind, []))]
FOREST = estimators.ErrorPredictor(learner="forest")
OF_OUTPUTS = [method for method in EVERY_METHOD if not method.needs_features]
OF_REGRESSORS = [method for method in EVERY_METHOD if "regression" in method.kinds]

CLASSIFICATION = [name for name, one in SCORES.items() if one.kind == "classification"]
REGRESSION = [name for name, one in SCORES.items() if one.kind == "regression"]


def named(method):
    """A method for the names of tests."""
    return repr(method).replace("predictor=", "")


@cache
def learned(method, classes=2, labelled=300, **options):
    """An estimator of `model`, fitted in no time."""
    X, y = numbers(labelled, 1, classes)
    return estimators.fit(model(classes), X, y, method=method, **{**TINY, **options})


@cache
def of_mixed(turn=pd.DataFrame, **options):
    """An estimator of mixed frames of some library."""
    frame, labels = mixed(400, 1)
    return estimators.fit(mixed_model(), turn(frame), labels, method=AUTO, **TINY, **options)


@cache
def of_numbers(labelled=400, **options):
    """An estimator of a regressor."""
    X, y = numbers(labelled, 1, 3)
    return estimators.fit(regressor(), X, y, **{"method": AUTO, **TINY, **options})


@cache
def of_outputs(method):
    """An estimator of probabilities alone."""
    X, y = numbers(300, 1, 3)
    return estimators.fit(None, None, y, probs=model(3).predict_proba(X), method=method, **TINY)


def moved(n, seed, by=1.0):
    """Rows whose first column has moved by so many standard deviations."""
    X, y = numbers(n, seed)
    X[:, 0] += by * SCALES[0]
    return X, y


def alike(one: Estimate, other: Estimate, tolerance: float = 1e-9) -> bool:
    """Whether two estimates say the same, but for rounding."""
    close = np.allclose(
        [one.value, one.low, one.high, one.drop],
        [other.value, other.low, other.high, other.drop],
        rtol=0,
        atol=tolerance,
    )
    return bool(close) and (one.n, one.metric, one.warnings) == (other.n, other.metric, other.warnings)


def estimable(method, kind="classification"):
    """The scores that a method estimates."""
    return [name for name in method.scores if SCORES[name].kind == kind]


class TestTables:
    def test_the_same_numbers_from_every_library(self):
        X, _ = moved(200, 7)
        expected = learned(AUTO).estimate(X)
        names = [str(j) for j in range(4)]
        for table in (
            np.asfortranarray(X),
            X.astype(object),
            pd.DataFrame(X),
            pd.DataFrame(X, columns=names, index=np.arange(200)[::-1]),
            pl.DataFrame(X, schema=names),
            pa.table(dict(zip(names, X.T, strict=True))),
        ):
            # given too, because this model was trained on an array and warns of any other table
            found = learned(AUTO).estimate(table, probs=model().predict_proba(X))
            assert alike(found, expected, 1e-6)

    @pytest.mark.parametrize("turn", [pl.from_pandas, pa.Table.from_pandas])
    def test_the_same_mixed_frame_from_every_library(self, turn):
        frame, _ = mixed(200, 7)
        expected = of_mixed().estimate(frame)
        assert alike(of_mixed().estimate(turn(frame)), expected, 1e-6)
        assert alike(of_mixed(turn).estimate(frame), expected, 1e-6)
        assert alike(of_mixed(turn).estimate(turn(frame)), expected, 1e-6)

    def test_categories_are_text(self):
        frame, _ = mixed(200, 7)
        coded = frame.astype({"colour": "category"})
        assert alike(of_mixed().estimate(coded), of_mixed().estimate(frame))

    def test_the_order_of_columns_does_not_matter(self):
        frame, _ = mixed(200, 7)
        assert of_mixed().estimate(frame[frame.columns[::-1]]) == of_mixed().estimate(frame)

    def test_nothing_that_comes_in_is_changed(self):
        (frame, labels), (batch, _) = mixed(400, 1), mixed(100, 2)
        weights = np.linspace(1, 2, 400)
        before = frame.copy(), labels.copy(), weights.copy(), batch.copy()
        estimator = estimators.fit(
            mixed_model(), frame, labels, sample_weight=weights, method=DOC, categorical=["code"], **TINY
        )
        estimator.estimate(batch, sample_weight=weights[:100])
        pd.testing.assert_frame_equal(frame, before[0])
        pd.testing.assert_frame_equal(batch, before[3])
        np.testing.assert_array_equal(labels, before[1])
        np.testing.assert_array_equal(weights, before[2])

    def test_the_model_predicts_all_domains_in_one_call(self):
        calls = []

        class Counting:
            classes_ = np.array([0, 1])

            def predict_proba(self, X):
                calls.append(len(X))
                return model().predict_proba(X)

        X, y = numbers(300, 1)
        estimators.fit(Counting(), X, y, method=DOC, domains=50, rows=100)
        assert calls.count(5000) == 1
        assert sum(calls) < 5000 + 2 * 300 + 500  # the labelled rows, and a few rows of every family


class TestWhatIsEstimated:
    @pytest.mark.parametrize("metric", CLASSIFICATION)
    @pytest.mark.parametrize("classes", [2, 3])
    def test_scores_of_classifiers(self, metric, classes):
        X, y = numbers(1000, 7, classes)
        estimator = learned(AUTO, classes, 1000)
        found = estimator.estimate(X, metric=metric)
        assert found.low <= found.value <= found.high
        assert found.value == pytest.approx(true_score(metric, classes, X, y), abs=0.07)
        assert found.value - found.drop == pytest.approx(estimator.references[metric])
        assert (found.metric, found.n, found.method) == (metric, 1000, "auto")

    @pytest.mark.parametrize("metric", CLASSIFICATION)
    @pytest.mark.parametrize("classes", [2, 3])
    def test_references_are_the_scores_of_the_labelled_rows(self, metric, classes):
        X, y = numbers(1000, 1, classes)
        expected = true_score(metric, classes, X, y)
        assert learned(AUTO, classes, 1000).references[metric] == pytest.approx(expected, abs=1e-5)

    @pytest.mark.parametrize("metric", REGRESSION)
    def test_scores_of_regressors(self, metric):
        (X, y), (seen, labels) = numbers(1000, 7, 3), numbers(400, 1, 3)
        known = {"rmse": metrics.root_mean_squared_error, "mae": metrics.mean_absolute_error}[metric]
        found = of_numbers().estimate(X, metric=metric)
        assert 0 <= found.low <= found.value <= found.high
        assert found.value == pytest.approx(known(y, regressor().predict(X)), rel=0.15)
        assert found.reference == pytest.approx(known(labels, regressor().predict(seen)), rel=1e-5)

    def test_by_default_the_accuracy_and_of_a_regressor_the_rmse(self):
        assert learned(AUTO).estimate(numbers(100, 2)[0]).metric == "accuracy"
        assert of_numbers().estimate(numbers(100, 2)[0]).metric == "rmse"

    def test_an_accuracy_that_falls_is_seen_to_fall(self):
        """Columns that changed places are a shift that was rehearsed."""
        X, y = numbers(1000, 7)
        X, y, _ = SwappedValues(samples=0.9, features=1.0)(X, y, 3)
        truth = (model().predict(X) == y).mean()
        found = learned(estimators.ErrorPredictor(), labelled=1000, domains=60, rows=100).estimate(X)
        assert found.reference - truth > 0.2
        assert found.drop < -0.1

    def test_a_regressor_that_fails_is_seen_to_fail(self):
        X, y = numbers(500, 7, 3)
        X = (X - CENTRES) * 10 + CENTRES
        truth = metrics.root_mean_squared_error(y, regressor().predict(X))
        found = of_numbers().estimate(X)
        assert truth > 2 * found.reference
        assert found.drop > 0.3 * found.reference

    def test_words_and_numbers_as_labels_are_the_same(self):
        X, y = numbers(300, 1)
        batch, _ = moved(100, 2)
        expected = learned(DOC).estimate(batch)
        for classes, turn in (
            (["bad", "good"], pd.Series),
            (["bad", "good"], list),
            ([False, True], pl.Series),
            ([-1.0, 1.0], np.asarray),
        ):
            labels = np.array(classes)
            native = pipeline().fit(numbers(1000, 0)[0], labels[numbers(1000, 0)[1]])
            found = estimators.fit(native, X, turn(labels[y]), method=DOC, **TINY)
            assert found.model.classes == tuple(classes)
            assert alike(found.estimate(batch), expected, 1e-6)

    def test_other_names_for_the_classes(self):
        X, y = numbers(300, 1)
        found = estimators.fit(
            model(), X, np.array(["bad", "good"])[y], classes=["bad", "good"], method=DOC, **TINY
        )
        assert found.model.classes == ("bad", "good")
        assert alike(found.estimate(X[:100]), learned(DOC).estimate(X[:100]))


class TestWeights:
    def test_of_labelled_rows_move_the_reference(self):
        X, y = numbers(300, 1)
        weights = np.random.default_rng(0).uniform(0, 3, 300)
        found = estimators.fit(model(), X, y, sample_weight=weights, method=DOC, **TINY)
        expected = metrics.accuracy_score(y, model().predict(X), sample_weight=weights)
        assert found.references["accuracy"] == pytest.approx(expected)
        again = estimators.fit(model(), X, y, sample_weight=7 * weights, method=DOC, **TINY)
        assert alike(again.estimate(X), found.estimate(X))

    @pytest.mark.parametrize("metric", [name for name in CLASSIFICATION if name != "calibration_error"])
    def test_of_a_batch_count_rows_more_than_once(self, metric):
        """But for the calibration error, part of which is chance, and there is less of it in more rows."""
        X, _ = moved(200, 7)
        times = np.random.default_rng(0).integers(1, 4, 200)
        by_weight = learned(DOC).estimate(X, metric=metric, sample_weight=times)
        repeated = learned(DOC).estimate(np.repeat(X, times, axis=0), metric=metric)
        assert by_weight.value == pytest.approx(repeated.value, abs=1e-6)
        assert by_weight.n == 200

    @pytest.mark.parametrize("method", EVERY_METHOD, ids=named)
    def test_that_are_all_the_same_change_nothing(self, method):
        X, _ = moved(100, 7)
        found = learned(method).estimate(X, sample_weight=pd.Series(np.full(100, 3)))
        assert alike(found, learned(method).estimate(X))

    def test_of_rows_that_do_not_count(self):
        """Rows of weight 0 may say anything: a batch is then the others."""
        X, _ = numbers(200, 7)
        expected = learned(DOC).estimate(X[:100])
        found = learned(DOC).estimate(X, sample_weight=np.arange(200) < 100)
        assert found.value == pytest.approx(expected.value, abs=1e-6)


class TestEveryMethod:
    """One set of promises for all methods that the package exports, and for their options."""

    def test_none_is_left_out(self):
        assert {type(method) for method in EVERY_METHOD} == set(METHODS.values())
        assert len(EXPORTED) == len(METHODS) >= 9

    @pytest.mark.parametrize("method", EVERY_METHOD, ids=named)
    def test_the_same_seed_gives_the_same_estimates(self, method):
        X, _ = moved(100, 7)
        again = learned.__wrapped__(method)
        for metric in estimable(method):
            assert again.estimate(X, metric=metric) == learned(method).estimate(X, metric=metric)

    @pytest.mark.parametrize("method", EVERY_METHOD, ids=named)
    def test_asking_twice_gives_the_same(self, method):
        X, _ = moved(100, 7)
        first = learned(method).estimate(X)
        learned(method).estimate(numbers(150, 8)[0])
        assert learned(method).estimate(X) == first

    @pytest.mark.parametrize("method", EVERY_METHOD, ids=named)
    def test_the_order_of_rows_does_not_matter(self, method):
        X, _ = moved(150, 7)
        turned = np.random.default_rng(0).permutation(150)
        for metric in estimable(method):
            found = learned(method).estimate(X[turned], metric=metric)
            assert alike(found, learned(method).estimate(X, metric=metric), 1e-6)

    @pytest.mark.parametrize("method", EVERY_METHOD, ids=named)
    def test_saving_and_loading_changes_nothing(self, method, tmp_path):
        X, _ = moved(100, 7)
        learned(method).save(tmp_path / "one.surefoot")
        again = estimators.load(tmp_path / "one.surefoot")
        for metric in estimable(method):
            assert again.estimate(X, metric=metric) == learned(method).estimate(X, metric=metric)

    @pytest.mark.parametrize("method", EVERY_METHOD, ids=named)
    def test_looking_at_a_few_rows_at_a_time_changes_nothing(self, method, monkeypatch):
        X, _ = moved(100, 7)
        expected = learned(method).estimate(X)
        for chunk in (33, 99):
            monkeypatch.setattr("surefoot.estimators._estimator.CHUNK", chunk)
            assert alike(learned(method).estimate(X), expected, 1e-6)

    @pytest.mark.parametrize("method", EVERY_METHOD, ids=named)
    def test_values_lie_between_their_bounds(self, method):
        extreme = np.where(numbers(60, 9)[0] > CENTRES, 1e6, -1e6)
        estimator = learned(method)
        for X in (numbers(200, 7)[0], moved(200, 7, 5)[0], numbers(12, 8)[0], extreme):
            for metric in estimable(method):
                found = estimator.estimate(X, metric=metric)
                low, high = SCORES[metric].bounds
                assert low <= found.low <= found.value <= found.high <= high
                assert found.low < found.high
                assert all(low <= said <= high for said in found.members.values())

    @pytest.mark.parametrize("method", EVERY_METHOD, ids=named)
    def test_where_nothing_moved_it_is_near_the_truth(self, method):
        X, y = numbers(1000, 7)
        truth = (model().predict(X) == y).mean()
        # 300 labelled rows are known to within 5 points, and three methods learn from 40 numbers or none
        assert learned(method).estimate(X).value == pytest.approx(truth, abs=0.13)

    @pytest.mark.parametrize("method", [one for one in OF_OUTPUTS if one != FOREST], ids=named)
    def test_outputs_alone_do(self, method):
        X, y = numbers(1000, 7, 3)
        found = of_outputs(method).estimate(probs=model(3).predict_proba(X))
        truth = (model(3).predict(X) == y).mean()
        assert found.low <= found.value <= found.high
        assert found.value == pytest.approx(truth, abs=0.13)

    @pytest.mark.parametrize("method", [one for one in OF_REGRESSORS if one != FOREST], ids=named)
    def test_regressors(self, method):
        X, y = numbers(500, 7, 3)
        estimator = of_numbers(method=method)
        for metric, known in (
            ("rmse", metrics.root_mean_squared_error),
            ("mae", metrics.mean_absolute_error),
        ):
            found = estimator.estimate(X, metric=metric)
            assert 0 <= found.low <= found.value <= found.high
            # outputs alone do not tell a row from its shifted copies, which are predicted worse
            assert found.value == pytest.approx(known(y, regressor().predict(X)), rel=0.5)

    @pytest.mark.parametrize("method", EVERY_METHOD, ids=named)
    def test_what_it_does_not_serve_is_refused_by_name(self, method):
        for metric in CLASSIFICATION:
            if metric not in method.scores:
                with pytest.raises(InputError, match=f"{method.name} does not estimate {metric}; use auto"):
                    learned(method).estimate(numbers(100, 2)[0], metric=metric)
        X, y = numbers(300, 1, 3)
        if method not in OF_REGRESSORS:
            with pytest.raises(InputError, match=f"{method.name} serves classification, not regression; use"):
                estimators.fit(regressor(), X, y, method=method)
        if method not in OF_OUTPUTS:
            with pytest.raises(InputError, match=f"{method.name} learns from features, and only prob"):
                estimators.fit(None, None, y, probs=model(3).predict_proba(X), method=method)


class TestChunks:
    def test_a_large_batch_reaches_the_model_in_pieces(self, monkeypatch):
        lengths = []

        class Watched:
            classes_ = np.array([0, 1])

            def predict_proba(self, X):
                lengths.append(len(X))
                return model().predict_proba(X)

        X, y = numbers(300, 1)
        estimator = estimators.fit(Watched(), X, y, method=DOC, **TINY)
        lengths.clear()
        monkeypatch.setattr("surefoot.estimators._estimator.CHUNK", 1000)
        batch = np.tile(X, (12, 1))
        assert estimator.estimate(batch).value == pytest.approx(learned(DOC).estimate(X).value, abs=1e-6)
        assert lengths == [1000, 1000, 1000, 600]

    @pytest.mark.parametrize("turn", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
    def test_frames_in_pieces(self, turn, monkeypatch):
        frame, _ = mixed(150, 7)
        expected = of_mixed().estimate(frame)
        monkeypatch.setattr("surefoot.estimators._estimator.CHUNK", 40)
        assert alike(of_mixed().estimate(turn(frame)), expected, 1e-6)

    def test_more_rows_than_are_sampled(self):
        """What is asked of the batch as a whole is asked of 10,000 of its rows."""
        X, _ = moved(25_000, 7)
        for method in (estimators.ImportanceWeighted(), AUTO):
            whole, part = (learned(method).estimate(rows).value for rows in (X, X[:5000]))
            assert whole == pytest.approx(part, abs=0.02)


class TestWarnings:
    def test_none_where_nothing_is_strange(self):
        assert learned(DOC).estimate(numbers(300, 7)[0]).warnings == ()

    def test_few_rows(self):
        found = learned(DOC).estimate(numbers(30, 7)[0])
        assert found.warnings == ("only 30 rows: chance alone moves the score of so few; gather 100 or more",)

    def test_unseen_categories_are_a_warning_and_no_error(self):
        frame, _ = mixed(200, 7)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = of_mixed().estimate(frame.assign(colour=np.where(frame.index < 50, "violet", "red")))
        assert any(
            said.startswith("values that no labelled row has: colour (25% of rows)")
            for said in found.warnings
        )

    def test_numbers_out_of_range_and_gaps_where_none_were(self):
        frame, _ = mixed(200, 7)
        found = of_mixed().estimate(frame.assign(b=1e6, c=np.nan))
        said = next(said for said in found.warnings if said.startswith("values that no labelled row has"))
        assert "b (100% of rows)" in said
        assert "c (100% of rows)" in said
        assert "colour" not in said

    def test_a_few_strange_rows_are_none(self):
        frame, _ = mixed(200, 7)
        frame.loc[:3, "colour"] = "violet"
        assert not any("no labelled row has" in said for said in of_mixed().estimate(frame).warnings)

    def test_a_shift_that_the_model_refuses_is_told(self):
        native = LogisticRegression(max_iter=1000).fit(*numbers(1000, 0))
        X, y = numbers(300, 1)
        estimator = estimators.fit(native, X, y, method=DOC, **TINY)
        (note,) = estimator.notes
        assert "refuses missing-values (Input X contains NaN" in note
        assert note in estimator.estimate(numbers(200, 7)[0]).warnings


NATIVE = model()
LABELLED, LABELS = numbers(300, 1)
OUTPUTS = NATIVE.predict_proba(LABELLED)


class Constant:
    """Says the same of every row."""

    classes_ = np.array([0, 1])

    def predict_proba(self, X):
        return np.tile([0.3, 0.7], (len(X), 1))


class Broken:
    """Gives what no classifier gives."""

    classes_ = np.array([0, 1])

    def __init__(self, outputs):
        self.outputs = outputs

    def predict_proba(self, X):
        return self.outputs(len(X))


def fit(native=NATIVE, X=LABELLED, y=LABELS, **options):
    """Fit, or say what is wrong."""
    return estimators.fit(native, X, y, **{"method": DOC, **TINY, **options})


def ask(X=LABELLED, **options):
    """Ask about a batch, or say what is wrong."""
    return learned(DOC).estimate(X, **options)


def frame_without(column):
    """A batch of the mixed estimator without one of its columns."""
    return mixed(100, 2)[0].drop(columns=column)


BAD_INPUT = {
    # the labelled rows
    "no table": (lambda: fit(X=None), "NoneType is no table; give a pandas, polars or pyarrow table"),
    "a list": (lambda: fit(X=LABELLED.tolist()), "a list is no table; give a pandas"),
    "a lazy frame": (lambda: fit(X=pl.DataFrame(LABELLED).lazy()), "collect a lazy frame first"),
    "one column": (lambda: fit(X=LABELLED[:, 0]), r"shape \(300,\), but \[rows, columns\] .*; reshape it"),
    "twice a name": (lambda: fit(X=pd.DataFrame(LABELLED, columns=list("aabb"))), "a, b"),
    "too few": (lambda: fit(X=LABELLED[:99], y=LABELS[:99]), "99 labelled rows are too few .* at least 100"),
    "none": (lambda: fit(X=LABELLED[:0], y=LABELS[:0]), "0 labelled rows are too few .* give at least 100"),
    "few outputs": (
        lambda: fit(None, None, LABELS[:50], probs=OUTPUTS[:50]),
        "50 labelled rows are too few .* give at least 100",
    ),
    "no such category": (lambda: fit(categorical=["q"]), "categorical names q, but the columns are 0, 1, 2"),
    # the labels
    "no labels": (lambda: fit(y=None), r"the labels has shape \(\), but one value a row is needed"),
    "labels of other rows": (lambda: fit(y=LABELS[:-1]), "X 300, y 299; give one entry per row in each"),
    "one-hot labels": (lambda: fit(y=np.eye(2)[LABELS]), r"shape \(300, 2\), but one value a row is needed"),
    "missing labels": (lambda: fit(y=np.where(LABELS == 1, 1, np.nan)), "missing in rows .* leave these row"),
    "another class": (
        lambda: fit(y=np.where(LABELLED[:, 0] > 1, 2, LABELS)),
        "the labels hold 2, but the model's classes are 0, 1; give labels of these classes, or leave such rows",
    ),
    "other classes": (
        lambda: fit(y=np.array(["no", "yes"])[LABELS]),
        "the labels hold no, yes, but the model's classes are 0, 1; give labels of these classes",
    ),
    "labels as text": (
        lambda: fit(y=LABELS.astype(str)),
        "the labels hold 0, 1, which the model has as int, not as str; convert them",
    ),
    "classes without names": (
        lambda: fit(None, None, np.array(["no", "yes"])[LABELS], probs=OUTPUTS),
        r"the model does not name its 2 classes; name them .*classes=…, on the command line --class",
    ),
    "a name too many": (
        lambda: fit(classes=["a", "b", "c"]),
        "the probabilities have 2 columns for 3 classes; give one column a class",
    ),
    "a name twice": (lambda: fit(classes=["a", "a"]), "classes a, a name one twice; give every class once"),
    "one class only": (
        lambda: fit(y=np.ones(300, dtype=int)),
        "labels are all the same, so nothing can be learned .*; give labelled rows of several classes",
    ),
    "one target only": (
        lambda: fit(regressor(), y=np.full(300, 2.5), method=AUTO),
        "the target is the same in every row, .* give other labelled rows",
    ),
    "a target with gaps": (
        lambda: fit(regressor(), y=np.full(300, np.nan), method=AUTO),
        "the target has NaN or infinite values in rows 0, 1, 2, 3, 4 and 295 more",
    ),
    "targets in words": (lambda: fit(regressor(), y=["a"] * 300, method=AUTO), "target has dtype .*convert"),
    # the model
    "constant predictions": (
        lambda: fit(Constant()),
        "the model predicts the same for every labelled row, .*; check that it is fitted and gets the columns",
    ),
    "no model": (lambda: fit("model"), "a str is no model: it has neither predict_proba nor predict"),
    "a class": (
        lambda: fit(LogisticRegression),
        "is a class of models, not a model; give one that is fitted",
    ),
    "an unfitted one": (
        lambda: fit(LogisticRegression()),
        r"model refuses these rows \(This LogisticRegress",
    ),
    "other columns": (
        lambda: fit(X=LABELLED[:, :3]),
        r"refuses these rows \(X has 3 features, but .* expecti",
    ),
    "logits": (
        lambda: fit(Broken(lambda n: np.tile([-1.0, 2.0], (n, 1)))),
        "negative values .*apply a softmax first",
    ),
    "no rows back": (
        lambda: fit(Broken(lambda n: np.tile([0.5, 0.5], (3, 1)))),
        "gave 3 predictions for 300",
    ),
    "NaN": (lambda: fit(Broken(lambda n: np.full((n, 2), np.nan))), "NaN or infinite values in rows 0, 1, 2"),
    # outputs alone
    "neither": (
        lambda: fit(None, None),
        r"give a model, or the probabilities it gave: fit\(None, None, y, pr",
    ),
    "both": (lambda: fit(None, probs=OUTPUTS), "without a model only probs are read, not X; give the model"),
    "outputs of a regressor": (lambda: fit(None, None, probs=OUTPUTS[:, 0]), r"\[N, K\] is needed"),
    "shares": (lambda: fit(None, None, probs=2 * OUTPUTS), "does not sum to 1 in rows .*normalise with"),
    # options
    "alpha": (lambda: fit(alpha=1), "alpha must be between 0 and 1, not 1"),
    "interval": (lambda: fit(interval="exact"), "interval must be conformal or binomial, not 'exact'"),
    "binomial of a regressor": (
        lambda: fit(regressor(), y=LABELS, interval="binomial", method=AUTO),
        'binomial interval is for the accuracy of a classifier; use interval="conformal"',
    ),
    "domains": (lambda: fit(domains=3), "domains must be a whole number of at least 20, not 3"),
    "method": (
        lambda: fit(method="doc"),
        "method must be one of surefoot.estimators' methods, such as DoC()",
    ),
    "rows": (lambda: fit(rows=0), "rows must be a whole number of at least 1, not 0"),
    "families": (
        lambda: fit(families={"mine": "flip"}),
        "families maps names to kinds of shifts, but mine is",
    ),
    "learner": (lambda: estimators.ErrorPredictor("boost"), "learner must be one of boosting, forest, neigh"),
    "by": (lambda: estimators.ATC("max"), "by must be one of entropy, confidence, not 'max'"),
    "negative weights": (
        lambda: fit(sample_weight=-np.ones(300)),
        "negative in rows 0, .*; weights are 0 or",
    ),
    "weights of other rows": (lambda: fit(sample_weight=[1, 2]), "2 entries for 300 rows; give one a row"),
    "no weight at all": (lambda: fit(sample_weight=np.zeros(300)), "0 in every row; give some rows a weight"),
    "weights with gaps": (
        lambda: fit(sample_weight=np.full(300, np.nan)),
        "sample_weight has NaN or infinite",
    ),
    # the batch
    "no batch": (lambda: ask(None), "give the rows of the batch: this estimator reads their columns"),
    "an empty batch": (lambda: ask(LABELLED[:0]), "the batch is empty; give at least one row"),
    "an empty frame": (lambda: of_mixed().estimate(mixed(9, 2)[0][:0]), "the batch is empty; give at least"),
    "no outputs": (
        lambda: of_outputs(DOC).estimate(LABELLED),
        "this estimator was fitted without a model; give the batch's probs",
    ),
    "empty outputs": (
        lambda: of_outputs(DOC).estimate(probs=probs_of(9, 3, 0)[:0]),
        "is empty .*; give at least one row",
    ),
    "a batch of one column": (lambda: ask(LABELLED[:, 0]), r"\[rows, columns\] is needed; reshape it"),
    "a missing column": (
        lambda: of_mixed().estimate(frame_without(["b", "colour"])),
        "the batch has no column b, colour; give the columns of the labelled rows",
    ),
    "a renamed column": (
        lambda: of_mixed().estimate(mixed(100, 2)[0].rename(columns={"b": "beta"})),
        "the batch has no column b; it has beta instead; give the columns of the labelled rows",
    ),
    "an extra column": (
        lambda: of_mixed().estimate(mixed(100, 2)[0].assign(y=1)),
        "columns that the labelled rows had not: y; leave them out",
    ),
    "text for numbers": (
        lambda: of_mixed().estimate(mixed(100, 2)[0].assign(b="one")),
        "column b holds text in the batch and numbers in the labelled rows; convert it",
    ),
    "numbers for text": (
        lambda: of_mixed().estimate(mixed(100, 2)[0].assign(colour=1.5)),
        "column colour holds numbers in the batch and text in the labelled rows; convert it",
    ),
    "dates for numbers": (
        lambda: of_mixed().estimate(mixed(100, 2)[0].assign(b=pd.Timestamp("2024-01-01"))),
        "column b holds dates in the batch and numbers in the labelled rows; convert it",
    ),
    "rows that the model refuses": (
        lambda: ask(np.where(LABELLED > 50, np.inf, LABELLED)),
        r"the model refuses these rows \(Input X contains infinity .*; give rows it can predict",
    ),
    "outputs of other rows": (
        lambda: ask(probs=OUTPUTS[:3]),
        "probs has 3 rows and X has 300; give the same",
    ),
    "outputs of other classes": (
        lambda: ask(probs=probs_of(300, 3, 0)),
        "the probabilities have 3 columns for 2 classes; give one column a class",
    ),
    "an unknown score": (lambda: ask(metric="auc"), "metric must be one of accuracy, .*, not 'auc'"),
    "a score of regressors": (
        lambda: ask(metric="rmse"),
        "one of accuracy, .* for classification, not 'rmse'",
    ),
    "a score without an interval": (
        lambda: learned(DOC, interval="binomial").estimate(LABELLED, metric="macro_f1"),
        'the binomial interval is for the accuracy, not macro_f1; fit with interval="conformal"',
    ),
    "batch weights": (lambda: ask(sample_weight=[1.0]), "1 entries for 300 rows; give one a row"),
}


@pytest.mark.parametrize("what", BAD_INPUT)
def test_bad_input_is_told_with_what_and_remedy(what):
    act, sentence = BAD_INPUT[what]
    with pytest.raises(InputError, match=sentence) as told:
        act()
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 300


@settings(max_examples=25)
@given(
    n=st.integers(1, 120),
    by=st.floats(-1e3, 1e3),
    gaps=st.floats(0, 1),
    metric=st.sampled_from(CLASSIFICATION),
    seed=st.integers(0, 2**16),
)
def test_any_batch_of_numbers_has_an_estimate_between_bounds(n, by, gaps, metric, seed):
    rng = np.random.default_rng(seed)
    X = numbers(n, seed)[0] + by * rng.normal(size=4)
    X[rng.random(X.shape) < gaps] = np.nan
    found = learned(AUTO, 3).estimate(X, metric=metric)
    assert SCORES[metric].bounds[0] <= found.low <= found.value <= found.high <= SCORES[metric].bounds[1]
    assert np.isfinite([found.value, found.low, found.high, found.drop]).all()
    assert found.n == n


def true_score(metric, classes, X, y):
    """The score itself, by scikit-learn where it has it."""
    probs, said = model(classes).predict_proba(X), model(classes).predict(X)
    if metric == "roc_auc":
        return metrics.roc_auc_score(y, probs[:, 1] if classes == 2 else probs, multi_class="ovr")
    if metric == "log_likelihood":
        return -metrics.log_loss(y, probs)
    if metric == "calibration_error":
        from surefoot.metrics import ece

        return ece(probs, y, bins=15)
    known = {
        "accuracy": metrics.accuracy_score,
        "balanced_accuracy": metrics.balanced_accuracy_score,
        "macro_f1": lambda y, said: metrics.f1_score(y, said, average="macro"),
    }
    return known[metric](y, said)
