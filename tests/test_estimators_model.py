"""Models and labels of every kind, held to one form."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import SVC

from estimator_cases import model, numbers, regressor
from surefoot.errors import InputError
from surefoot.estimators._model import CLASSIFICATION, REGRESSION, Model, codes_of, targets_of, wrap


def predicting(outputs, **attributes):
    """A model that always gives these outputs."""
    return SimpleNamespace(predict_proba=lambda X: outputs, **attributes)


class TestWrap:
    def test_classifier_with_its_classes(self):
        known = wrap(model())
        assert (known.kind, known.classes) == (CLASSIFICATION, (0, 1))
        X, _ = numbers(10, 5)
        assert known(X).dtype == np.float32
        np.testing.assert_allclose(known(X), model().predict_proba(X), rtol=1e-6)

    def test_classes_given_by_the_user_win(self):
        assert wrap(predicting(None), classes=pd.Series(["no", "yes"])).classes == ("no", "yes")
        assert wrap(predicting(None)).classes == ()

    def test_regressor(self):
        known = wrap(regressor())
        assert (known.kind, known.classes) == (REGRESSION, ())
        assert known(numbers(10, 5)[0]).shape == (10,)

    @pytest.mark.parametrize(
        ("native", "sentence"),
        [
            (
                SVC(),
                "SVC has no predict_proba; wrap it, for instance in scikit-learn's CalibratedClassifierCV",
            ),
            (
                LogisticRegression,
                "LogisticRegression is a class of models, not a model; give one that is fitted",
            ),
            (object(), "a object is no model: it has neither predict_proba nor predict"),
            (predicting(None, classes_=[np.arange(2)] * 2), "several targets at once; give one for each"),
        ],
    )
    def test_what_is_no_model(self, native, sentence):
        if isinstance(native, SVC):
            native.fit(*numbers(50, 0))
        with pytest.raises(InputError, match=sentence):
            wrap(native)


class TestOutputs:
    def test_what_the_model_raises_becomes_a_sentence_and_stays_its_cause(self):
        with pytest.raises(
            InputError, match=r"refuses these rows \(X has 1 features, but .* input\)"
        ) as caught:
            wrap(LogisticRegression().fit(*numbers(50, 0)))(np.zeros((3, 1)))
        assert isinstance(caught.value.__cause__, ValueError)

    @pytest.mark.parametrize(
        ("outputs", "sentence"),
        [
            ([[0.5, 0.5]], "the model gave 1 predictions for 2 rows"),
            ([[2.0, -1.0]] * 2, "predicted probabilities has negative values in rows 0, 1"),
            ([[0.2, 0.2]] * 2, "does not sum to 1"),
            ([0.5, 0.5], r"has shape \(2,\), but \[N, K\] is needed"),
            (
                [[0.2, 0.3, 0.5]] * 2,
                "the probabilities have 3 columns for 2 classes; give one column a class",
            ),
            ([[np.nan, 1]] * 2, "NaN or infinite values in rows 0, 1"),
        ],
    )
    def test_wrong_ones_are_refused(self, outputs, sentence):
        known = wrap(predicting(outputs, classes_=["a", "b"]))
        with pytest.raises(InputError, match=sentence):
            known(np.zeros((2, 1)))

    def test_predictions_that_are_not_finite(self):
        known = wrap(SimpleNamespace(predict=lambda X: [1.0, np.inf]))
        with pytest.raises(InputError, match="the predictions has NaN or infinite values in row 1"):
            known(np.zeros((2, 1)))

    def test_several_targets(self):
        X = np.arange(6.0)[:, None]
        known = wrap(LinearRegression().fit(X, np.c_[X, X]))
        with pytest.raises(InputError, match="12 predictions for 6 rows"):
            known(X)

    def test_no_model(self):
        with pytest.raises(InputError, match=r"no model was given.*estimate\(probs=…\)"):
            Model(None, CLASSIFICATION)(np.zeros((2, 1)))


class TestLabels:
    @pytest.mark.parametrize(
        ("classes", "labels"),
        [
            ((0, 1), [1, 0, 1]),
            ((0, 1), [1.0, 0.0, 1.0]),
            ((0, 1), [True, False, True]),
            ((False, True), [1, 0, 1]),
            ((-1, 1), [1, -1, 1]),
            (("no", "yes"), ["yes", "no", "yes"]),
        ],
    )
    @pytest.mark.parametrize(
        "turn", [list, np.array, pd.Series, pl.Series, pa.array, lambda y: pa.chunked_array([y])]
    )
    def test_codes_are_in_the_order_of_the_classes(self, classes, labels, turn):
        codes, named = codes_of(turn(labels), Model(None, CLASSIFICATION, classes), 2)
        assert codes.tolist() == [1, 0, 1]
        assert named == classes

    def test_categories_of_pandas(self):
        labels = pd.Series(["b", "a"], dtype="category", index=[7, 7])
        assert codes_of(labels, Model(None, CLASSIFICATION, ("b", "a")), 2)[0].tolist() == [0, 1]

    def test_without_names_they_are_codes(self):
        assert codes_of([2, 0], Model(None, CLASSIFICATION), 3)[1] == (0, 1, 2)

    def test_strange_ones_are_named(self):
        with pytest.raises(
            InputError, match="labels hold maybe, but the model's classes are no, yes; give labels"
        ):
            codes_of(["no", "maybe"], Model(None, CLASSIFICATION, ("no", "yes")), 2)

    @pytest.mark.parametrize(
        "labels",
        [
            [0.0, np.nan, 1.0],
            pd.Series(["0", pd.NA, "1"], dtype="string"),
            np.array([0, None, 1]),
            pl.Series([0, None, 1]),
        ],
    )
    def test_missing_ones_are_refused(self, labels):
        with pytest.raises(InputError, match="labels are missing in row 1; leave these rows out"):
            codes_of(labels, Model(None, CLASSIFICATION), 2)

    def test_numbers_of_a_regression(self):
        for values in ([1, 2], pd.Series([1, 2]), pl.Series([1, 2]), np.array([[1.0], [2.0]])):
            assert targets_of(values).tolist() == [1.0, 2.0]
        with pytest.raises(InputError, match="the target has NaN or infinite values in row 1"):
            targets_of([1.0, np.nan])
        with pytest.raises(InputError, match="not numbers"):
            targets_of(["one", "two"])
