"""Models out of skops and ONNX files and out of modules: what they say is what they said, and what is none says so."""

from __future__ import annotations

import pickle
import sys
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from onnx import TensorProto, helper
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier, TweedieRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    QuantileTransformer,
    StandardScaler,
)
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier
from skops import io as skops

from estimator_cases import mixed, model, numbers, pipeline
from surefoot.errors import InputError
from surefoot.estimators import load_model
from surefoot.estimators._load_model import is_reference
from surefoot.estimators._model import CLASSIFICATION, REGRESSION, wrap

EXECUTED: list[str] = []


class Evil:
    """A pickle of it leaves a mark where it is unpacked."""

    def __reduce__(self):
        return EXECUTED.append, ("pickle",)


class Homemade(ClassifierMixin, BaseEstimator):
    """A classifier of one's own."""

    classes_ = np.array([0, 1])

    def predict_proba(self, X):
        return np.tile([0.25, 0.75], (len(X), 1))


CLASSIFIERS = [
    pipeline(),
    RandomForestClassifier(5, random_state=0),
    ExtraTreesClassifier(5, random_state=0),
    DecisionTreeClassifier(max_depth=3),
    HistGradientBoostingClassifier(max_iter=3),
    GradientBoostingClassifier(n_estimators=3),
    AdaBoostClassifier(n_estimators=3),
    BaggingClassifier(DecisionTreeClassifier(max_depth=2), 3, random_state=0),
    KNeighborsClassifier(algorithm="kd_tree"),
    KNeighborsClassifier(algorithm="ball_tree"),
    GaussianNB(),
    MLPClassifier((4,), max_iter=300, tol=0.1, random_state=0),
    SGDClassifier(loss="log_loss", random_state=0),
    GaussianProcessClassifier(max_iter_predict=5),
    CalibratedClassifierCV(SVC(), method="sigmoid", ensemble=False, cv=2),
    CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=2),
    VotingClassifier([("a", GaussianNB()), ("b", LogisticRegression())], voting="soft"),
    StackingClassifier([("a", GaussianNB()), ("b", LogisticRegression())], cv=2),
    make_pipeline(StandardScaler(), SelectKBest(k=2), PolynomialFeatures(), LogisticRegression()),
    make_pipeline(FunctionTransformer(np.arctan), QuantileTransformer(n_quantiles=10), LogisticRegression()),
]
REGRESSORS = [
    LinearRegression(),
    RandomForestRegressor(5, random_state=0),
    HistGradientBoostingRegressor(max_iter=3),
    KNeighborsRegressor(),
    SVR(),
    TweedieRegressor(),
    make_pipeline(SelectKBest(f_regression, k=2), LinearRegression()),
]


def name_of(one):
    """A model by what is last in it, for the names of tests."""
    return "-".join(type(step).__name__ for _, step in getattr(one, "steps", [("", one)]))


def plain(n, seed, classes=2):
    """Standardised columns and labels."""
    X, y = numbers(n, seed, classes)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def single(n, seed, classes=2):
    """The same in the numbers of ONNX models."""
    X, y = plain(n, seed, classes)
    return X.astype(np.float32), y


@cache
def graph(kind):
    """The bytes of an ONNX model of each form that converters write, and the model it was made from."""
    if kind == "regression":
        native = LinearRegression().fit(*single(200, 0, 3))
        return converted(native), native
    if kind == "forest-of-3":
        native = RandomForestClassifier(5, random_state=0).fit(*single(200, 0, 3))
        return converted(native), native
    X, y = single(200, 0)
    labels = np.array(["no", "yes"])[y] if kind.endswith("words") else y
    native = LogisticRegression().fit(X, labels)
    zipmap = {"columns": "columns", "matrix": False, "matrix-words": False}.get(kind, True)
    return converted(native, options={id(native): {"zipmap": zipmap}}), native


def converted(native, **options):
    """An ONNX model of one matrix."""
    options.setdefault("initial_types", [("X", FloatTensorType([None, 4]))])
    return to_onnx(native, **options).SerializeToString()


@cache
def graph_of_columns():
    """An ONNX model that takes text, whole numbers and numbers by name, and the model it was made from."""
    frame, labels = mixed(400, 0)
    frame = frame.assign(colour=frame["colour"].fillna(""), a=frame["a"].fillna(0))[["colour", "code", "a"]]
    native = make_pipeline(
        make_column_transformer(
            (OneHotEncoder(handle_unknown="ignore"), ["colour"]),
            ("passthrough", ["code"]),
            (StandardScaler(), ["a"]),
        ),
        LogisticRegression(max_iter=1000),
    ).fit(frame.astype({"colour": object}), labels)
    types = [
        ("colour", StringTensorType([None, 1])),
        ("code", Int64TensorType([None, 1])),
        ("a", FloatTensorType([None, 1])),
    ]
    return converted(native, initial_types=types), native


@pytest.fixture
def keep(tmp_path):
    """Write bytes to a file of this name."""

    def write(content, name):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return write


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module of this text in the current folder, forgotten after the test."""
    monkeypatch.chdir(tmp_path)
    made = []

    def write(text, name="models_of_a_test"):
        path = tmp_path / f"{name.replace('.', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        made.append(name)
        return name

    yield write
    for name in made:
        for known in [known for known in sys.modules if known.split(".")[0] == name.split(".")[0]]:
            del sys.modules[known]


class TestSkops:
    @pytest.mark.parametrize("native", CLASSIFIERS, ids=name_of)
    def test_classifiers_of_scikit_learn_need_no_trust(self, native, keep):
        native.fit(*plain(120, 0, 3))
        loaded = load_model(keep(skops.dumps(native), "model.skops"))
        X, _ = plain(50, 1)
        np.testing.assert_array_equal(loaded.predict_proba(X), native.predict_proba(X))
        assert wrap(loaded).classes == (0, 1, 2)

    @pytest.mark.parametrize("native", REGRESSORS, ids=name_of)
    def test_regressors_of_scikit_learn_need_no_trust(self, native, keep):
        native.fit(*plain(120, 0, 3))
        loaded = load_model(keep(skops.dumps(native), "model.skops"))
        X, _ = plain(50, 1)
        np.testing.assert_array_equal(loaded.predict(X), native.predict(X))
        assert wrap(loaded).kind == REGRESSION

    def test_pipelines_of_mixed_frames(self, keep):
        frame, labels = mixed(300, 0)
        native = make_pipeline(
            make_column_transformer(
                (OneHotEncoder(handle_unknown="ignore"), ["colour"]),
                (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), ["code", "old"]),
                (SimpleImputer(add_indicator=True), ["a", "b"]),
            ),
            RandomForestClassifier(5, random_state=0),
        ).fit(frame, labels)
        loaded = load_model(keep(skops.dumps(native), "MODEL.SKOPS"))
        np.testing.assert_array_equal(loaded.predict_proba(frame), native.predict_proba(frame))

    def test_types_of_ones_own_are_refused_by_name_unless_trusted(self, keep):
        path = str(keep(skops.dumps(Homemade()), "model.skops"))
        kind = "test_estimators_load_model.Homemade"
        with pytest.raises(
            InputError, match=rf"^model\.skops holds types .*: {kind}; .* each with --trusted TYPE$"
        ):
            load_model(path)
        with pytest.raises(InputError, match=kind):
            load_model(path, trusted=["test_estimators_load_model.Other"])
        for trusted in (kind, (kind,), iter([kind])):
            assert isinstance(load_model(path, trusted=trusted), Homemade)

    def test_a_type_that_is_gone_says_what_is_needed(self, keep):
        content = skops.dumps(Homemade()).replace(
            b"test_estimators_load_model", b"test_estimators_load_gone!"
        )
        path = keep(_with_checksums(content), "model.skops")
        with pytest.raises(InputError, match=r"model\.skops needs a package that is not here .*install it"):
            load_model(path, trusted=["test_estimators_load_gone!.Homemade"])

    @pytest.mark.parametrize(
        "content", [b"", b"not at all", skops.dumps(model())[:-200], pickle.dumps(Evil())], ids=range(4)
    )
    def test_files_that_are_none(self, content, keep):
        with pytest.raises(InputError, match=r"^model\.skops is not a skops file, or it is damaged \("):
            load_model(keep(content, "model.skops"))
        assert not EXECUTED

    def test_what_is_no_model_is_so_later(self, keep):
        """A file of a dictionary is read; `wrap`, which `fit` calls first, says that it is none."""
        with pytest.raises(InputError, match="a dict is no model"):
            wrap(load_model(keep(skops.dumps({"a": 1}), "model.skops")))


class TestOnnx:
    @pytest.mark.parametrize(
        ("kind", "classes"),
        [
            ("dictionaries", (0, 1)),
            ("dictionaries-words", ("no", "yes")),
            ("matrix", (0, 1)),
            ("matrix-words", ("no", "yes")),
            ("columns", (0, 1)),
            ("forest-of-3", (0, 1, 2)),
        ],
    )
    def test_classifiers_in_every_form_of_output(self, kind, classes, keep):
        content, native = graph(kind)
        loaded = load_model(keep(content, "model.onnx"))
        known = wrap(loaded)
        assert (known.kind, known.classes) == (CLASSIFICATION, classes)
        X, _ = single(100, 1)
        np.testing.assert_allclose(loaded.predict_proba(X), native.predict_proba(X), atol=1e-5)
        assert known(X).shape == (100, len(classes))

    def test_regressors(self, keep):
        content, native = graph("regression")
        loaded = load_model(keep(content, "model.onnx"))
        known = wrap(loaded)
        assert (known.kind, known.classes) == (REGRESSION, ())
        X, _ = single(100, 1)
        assert known(X).shape == (100,)
        np.testing.assert_allclose(loaded.predict(X), native.predict(X), atol=1e-4)

    @pytest.mark.parametrize(
        "turn",
        [
            np.asarray,
            lambda X: np.asarray(X, dtype=np.float64),
            pd.DataFrame,
            lambda X: pl.DataFrame(X, schema=list("abcd")),
            lambda X: pa.table(dict(zip("abcd", X.T, strict=True))),
        ],
        ids=["float32", "float64", "pandas", "polars", "arrow"],
    )
    def test_any_table(self, turn, keep):
        content, native = graph("matrix")
        X, _ = single(30, 1)
        said = load_model(keep(content, "model.onnx")).predict_proba(turn(X))
        np.testing.assert_allclose(said, native.predict_proba(X), atol=1e-5)

    def test_columns_by_their_names_in_any_order(self, keep):
        content, native = graph_of_columns()
        loaded = load_model(keep(content, "model.onnx"))
        frame, _ = mixed(50, 1)
        frame = frame.assign(a=frame["a"].fillna(1.5))
        expected = native.predict_proba(
            frame.assign(colour=frame["colour"].fillna("")).astype({"colour": object})
        )
        assert wrap(loaded).classes == ("no", "yes")
        for turn in (pd.DataFrame, pl.from_pandas, lambda table: table[table.columns[::-1]]):
            np.testing.assert_allclose(loaded.predict_proba(turn(frame)), expected, atol=1e-5)

    def test_one_column_whatever_its_name(self, keep):
        X, y = single(200, 0)
        native = LogisticRegression().fit(X[:, :1], y)
        types = [("X", FloatTensorType([None, 1]))]
        loaded = load_model(keep(converted(native, initial_types=types), "model.onnx"))
        for table in (X[:, :1], pd.DataFrame({"age": X[:, 0]})):
            np.testing.assert_allclose(loaded.predict_proba(table), native.predict_proba(X[:, :1]), atol=1e-5)

    def test_gaps_are_nan(self, keep):
        X, y = single(200, 0)
        X[::3, 1] = np.nan
        native = pipeline().fit(X, y)
        loaded = load_model(keep(converted(native), "model.onnx"))
        frame = pl.DataFrame(X, schema=list("abcd")).with_columns(pl.all().fill_nan(None))
        np.testing.assert_allclose(loaded.predict_proba(frame), native.predict_proba(X), atol=1e-5)

    @pytest.mark.parametrize(
        ("table", "sentence"),
        [
            (np.zeros((3, 2)), r"model\.onnx takes 4 columns, and the table has 2: 0, 1"),
            (pd.DataFrame({"a": ["x"], "b": 1, "c": 1, "d": 1}), "column a holds text, and .* takes numbers"),
        ],
    )
    def test_tables_that_do_not_fit_a_matrix(self, table, sentence, keep):
        loaded = load_model(keep(graph("matrix")[0], "model.onnx"))
        with pytest.raises(InputError, match=sentence):
            loaded.predict_proba(table)

    @pytest.mark.parametrize(
        ("frame", "sentence"),
        [
            ({"colour": ["red"], "a": [1.0]}, "takes colour, code, a, and the table has no code"),
            (
                {"colour": ["red"], "code": pl.Series([None], dtype=int), "a": [1.0]},
                "column code has missing values, and .* whole",
            ),
            (
                {"colour": ["red"], "code": [1], "a": ["b"]},
                "column a holds text, and model.onnx takes numbers",
            ),
        ],
    )
    def test_tables_that_do_not_fit_by_name(self, frame, sentence, keep):
        loaded = load_model(keep(graph_of_columns()[0], "model.onnx"))
        with pytest.raises(InputError, match=sentence):
            loaded.predict_proba(pl.DataFrame(frame))

    @pytest.mark.parametrize(
        "content", [b"", b"not at all", graph("matrix")[0][:-100], pickle.dumps(Evil())], ids=range(4)
    )
    def test_files_that_are_none(self, content, keep):
        with pytest.raises(InputError, match=r"^model\.onnx is not an ONNX model, or it is damaged"):
            load_model(keep(content, "model.onnx"))
        assert not EXECUTED

    def test_a_fixed_number_of_rows_is_refused(self, keep):
        native = graph("matrix")[1]
        content = converted(native, initial_types=[("X", FloatTensorType([1, 4]))])
        loaded = load_model(keep(content, "model.onnx"))
        with pytest.raises(InputError, match="takes 1 rows at a time; export it with an open batch axis"):
            loaded.predict_proba(single(3, 0)[0])

    def test_labels_alone_are_refused(self, keep):
        node = helper.make_node("ArgMax", ["X"], ["label"], axis=1, keepdims=0)
        content = _graph_of(node, helper.make_tensor_value_info("label", TensorProto.INT64, ["n"]))
        with pytest.raises(InputError, match=r"gives label \(tensor\(int64\)\), which is neither .*probabil"):
            load_model(keep(content, "model.onnx"))

    def test_what_names_no_classes_has_none(self, keep):
        node = helper.make_node("Softmax", ["X"], ["probabilities"], axis=1)
        output = helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["n", 4])
        known = wrap(load_model(keep(_graph_of(node, output), "model.onnx")))
        assert (known.kind, known.classes) == (CLASSIFICATION, ())
        np.testing.assert_allclose(known(np.zeros((2, 4))), 0.25)

    def test_without_onnxruntime_it_says_what_to_install(self, keep, monkeypatch):
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
        with pytest.raises(InputError, match=r"need onnxruntime; install with: pip install 'surefoot\[estim"):
            load_model(keep(graph("matrix")[0], "model.onnx"))


class TestModules:
    @pytest.mark.parametrize("attribute", ["ready", "make", "Kind", "inside.ready", "inside.make"])
    def test_a_model_or_what_makes_one(self, attribute, module):
        name = module(
            "import numpy as np\n"
            "class Kind:\n"
            "    classes_ = np.array(['no', 'yes'])\n"
            "    def predict_proba(self, X):\n"
            "        return np.tile([0.25, 0.75], (len(X), 1))\n"
            "ready = Kind()\n"
            "def make(): return Kind()\n"
            "class inside:\n"
            "    ready = ready\n"
            "    make = make\n"
        )
        loaded = load_model(f"{name}:{attribute}")
        assert loaded.reference == f"{name}:{attribute}"
        known = wrap(loaded)
        assert (known.kind, known.classes) == (CLASSIFICATION, ("no", "yes"))
        np.testing.assert_allclose(known(np.zeros((3, 1))), [[0.25, 0.75]] * 3)

    def test_a_regressor_in_a_package(self, module):
        name = module("class R:\n    def predict(self, X): return X[:, 0]\nbest = R()\n", "shop.models")
        known = wrap(load_model(f"{name}:best"))
        assert known.kind == REGRESSION
        np.testing.assert_array_equal(known(np.ones((2, 2))), [1, 1])

    def test_the_current_folder_comes_first_and_the_path_stays(self, module):
        before = list(sys.path)
        name = module("from colorsys import model\n")
        module("class M:\n    def predict(self, X): return X\nmodel = M()\n", "colorsys")
        sys.modules.pop("colorsys", None)
        load_model(f"{name}:model")
        assert sys.path == before

    def test_a_module_may_change_the_path_itself(self, module):
        before = list(sys.path)
        name = module(
            "import sys\nsys.path.pop(0)\nclass M:\n    def predict(self, X): return X\nmodel = M()\n"
        )
        load_model(f"{name}:model")
        assert sys.path == before

    @pytest.mark.parametrize(
        ("text", "attribute", "sentence"),
        [
            (
                "import nowhere_at_all",
                "m",
                r":m cannot be imported \(No module named 'nowhere_at_all'\); start",
            ),
            ("1 / 0", "m", "fails with ZeroDivisionError"),
            ("def", "m", "fails with SyntaxError"),
            ("import sys; sys.exit(1)", "m", "fails with SystemExit"),
            ("", "m", "there is no m in models_of_a_test; name one of its objects"),
            ("class a: pass", "a.b", "there is no b in models_of_a_test"),
            ("m = {}", "m", ":m is a dict, which is no model: it has neither predict_proba nor predict"),
            ("import colorsys as m", "m", "is a module, which is no model"),
            ("def m(): pass", "m", "is a NoneType, which is no model"),
            ("def m(path): pass", "m", "does not make a model when called without arguments: TypeError"),
            ("def m(): raise KeyError('x')", "m", "does not make a model .* KeyError"),
            ("def m(): raise SystemExit(1)", "m", "does not make a model .* SystemExit"),
        ],
    )
    def test_what_is_none_says_why(self, text, attribute, sentence, module):
        with pytest.raises(InputError, match=sentence):
            load_model(f"{module(text)}:{attribute}")

    def test_a_module_that_is_not_there(self, module):
        with pytest.raises(
            InputError, match="nowhere_at_all.deep:m cannot be imported .*folder of nowhere_at"
        ):
            load_model("nowhere_at_all.deep:m")


class TestSpecs:
    @pytest.mark.parametrize("name", ["model.pkl", "model.pickle", "MODEL.JOBLIB"])
    def test_pickles_are_refused_unread(self, name, keep):
        with pytest.raises(
            InputError, match=r"is a pickle, which runs .*skops\.io\.dump\(model, 'model.skops'"
        ):
            load_model(keep(pickle.dumps(Evil()), name))
        assert not EXECUTED

    @pytest.mark.parametrize("name", ["model.skops", "model.onnx", "folder.onnx"])
    def test_files_that_are_not_there(self, name, tmp_path):
        (tmp_path / "folder.onnx").mkdir()
        with pytest.raises(
            InputError, match=rf"{name} is no file; give model\.skops, model\.onnx or module:"
        ):
            load_model(tmp_path / name)

    @pytest.mark.parametrize(
        "spec", ["", "model.bin", "model", ":m", "m:", "a b:c", "1a:b", "a:b:c", "a:b()"]
    )
    def test_what_names_no_model(self, spec):
        assert not is_reference(spec)
        with pytest.raises(
            InputError, match="names no model; give model.skops, model.onnx or module:attribute"
        ):
            load_model(spec)

    @pytest.mark.parametrize("spec", ["a:b", "shop.models:forest", "größe.x1:inner.best_"])
    def test_what_may_name_one(self, spec):
        assert is_reference(spec)


def _with_checksums(content):
    """A zip whose parts were edited in place, with checksums and sizes that fit again."""
    import io
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for info in old.infolist():
            start = info.header_offset + 30 + len(info.filename.encode())
            new.writestr(info.filename, content[start : start + info.file_size])
    return made.getvalue()


def _graph_of(node, output):
    """The bytes of a graph of one node over a matrix of four columns."""
    matrix = helper.make_tensor_value_info("X", TensorProto.FLOAT, ["n", 4])
    made = helper.make_model(
        helper.make_graph([node], "one", [matrix], [output]), opset_imports=[helper.make_opsetid("", 17)]
    )
    made.ir_version = 9
    return made.SerializeToString()
