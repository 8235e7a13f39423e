"""Estimators in files: what comes back is the same to the bit, and nothing in a file runs that nobody named."""

from __future__ import annotations

import datetime
import io
import json
import pickle
import subprocess
import sys
import zipfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skl2onnx import to_onnx
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from skops import io as skops

from estimator_cases import QUICK, SMALL, fitted, mixed, mixed_model, model, numbers, pipeline, regressor
from surefoot import estimators
from surefoot.errors import InputError

DOC = estimators.DoC()
BATCH = numbers(200, 7)[0]

EXECUTED: list[str] = []
"""What pickles that were unpacked have called."""


class Evil:
    """A pickle of it leaves a mark where it is unpacked."""

    def __reduce__(self):
        return EXECUTED.append, ("pickle",)


class Homemade(ClassifierMixin, BaseEstimator):
    """A classifier of one's own, with scikit-learn's interface."""

    def __init__(self, scale=1.0):
        self.scale = scale
        self.classes_ = np.array([0, 1])

    def predict_proba(self, X):
        up = 1 / (1 + np.exp(-self.scale * X[:, 0]))
        return np.stack([1 - up, up], axis=1)


class Plain:
    """A classifier of no known interface."""

    classes_ = np.array([0, 1])

    def predict_proba(self, X):
        return Homemade().predict_proba(X)


@cache
def of(kind):
    """An estimator of each kind of what there is to keep, and a batch for it."""
    if kind == "mixed":
        frame, labels = mixed(600, 1)
        frame["gone"] = np.nan
        frame["when"] = pd.date_range("2024-01-01", periods=600, freq="h")
        weights = np.random.default_rng(0).uniform(0.5, 2, 600)
        estimator = estimators.fit(
            mixed_model(), frame, labels, categorical=["code"], sample_weight=weights, method=QUICK, **SMALL
        )
        return estimator, {"X": frame[::-1].assign(colour="violet")}
    if kind == "regression":
        X, y = numbers(600, 1, 3)
        return estimators.fit(regressor(), X, y, method=estimators.Auto(QUICK), **SMALL), {"X": BATCH}
    if kind == "outputs":
        X, y = numbers(600, 1, 3)
        estimator = estimators.fit(
            None, None, y, probs=model(3).predict_proba(X), method=estimators.Auto(QUICK), **SMALL
        )
        return estimator, {"probs": model(3).predict_proba(BATCH)}
    if kind == "binomial":
        return fitted(DOC, interval="binomial"), {"X": BATCH}
    return fitted(estimators.Auto(QUICK), 3), {"X": BATCH}


@cache
def doc_file():
    """The bytes of an estimator that is quick to load, with its model."""
    with TemporaryDirectory() as folder:
        fitted(DOC).save(Path(folder) / "doc")
        return (Path(folder) / "doc").read_bytes()


@pytest.fixture(scope="module")
def spot(tmp_path_factory):
    """A path that many damaged files are written to in turn."""
    return tmp_path_factory.mktemp("damaged") / "one.surefoot"


@pytest.fixture
def doc(tmp_path):
    """The file of such an estimator."""
    path = tmp_path / "doc.surefoot"
    path.write_bytes(doc_file())
    return path


def parts_of(path):
    """What is in the zip, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rezipped(path, **changes):
    """The same file with other parts; None takes one out."""
    parts = {**parts_of(path), **{name.replace("__", "."): part for name, part in changes.items()}}
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            if part is not None:
                archive.writestr(name, part)


def edited(path, *keys, value):
    """The same file with another value in its JSON; ... takes it out."""
    content = json.loads(parts_of(path)["estimator.json"])
    inner = content
    for key in keys[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[keys[-1]]
    else:
        inner[keys[-1]] = value
    rezipped(path, estimator__json=json.dumps(content))


class TestTheSameAgain:
    @pytest.mark.parametrize("kind", ["classes", "mixed", "regression", "outputs", "binomial"])
    def test_estimates_to_the_bit(self, kind, tmp_path):
        estimator, batch = of(kind)
        path = tmp_path / "one.surefoot"
        estimator.save(path, with_model=kind != "mixed")
        again = estimators.load(path, model=mixed_model() if kind == "mixed" else None)
        for metric in estimator.widths or [None]:
            assert again.estimate(**batch, metric=metric) == estimator.estimate(**batch, metric=metric)

    @pytest.mark.parametrize("kind", ["classes", "mixed", "regression", "outputs", "binomial"])
    def test_everything_it_knows(self, kind, tmp_path):
        estimator, _ = of(kind)
        estimator.save(tmp_path / "one", with_model=False)
        again = estimators.load(str(tmp_path / "one"))
        for name in ("method", "references", "widths", "alpha", "labelled", "notes", "default_metric"):
            assert getattr(again, name) == getattr(estimator, name)
        assert again.model.classes == estimator.model.classes
        assert repr(again.schema) == repr(estimator.schema)  # NaN is not equal to itself

    def test_saved_twice_it_is_still_the_same(self, tmp_path):
        estimator, batch = of("classes")
        estimator.save(tmp_path / "one")
        estimators.load(tmp_path / "one").save(tmp_path / "two")
        assert estimators.load(tmp_path / "two").estimate(**batch) == estimator.estimate(**batch)
        assert parts_of(tmp_path / "one").keys() == parts_of(tmp_path / "two").keys()

    def test_in_another_process(self, tmp_path):
        estimator, batch = of("classes")
        estimator.save(tmp_path / "one.surefoot")
        np.save(tmp_path / "batch.npy", batch["X"])
        script = (
            "import numpy as np; from surefoot import estimators\n"
            "estimator = estimators.load('one.surefoot')\n"
            "print(estimator.estimate(np.load('batch.npy')).to_json())"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        assert json.loads(done.stdout) == estimator.estimate(**batch).to_dict()

    @pytest.mark.parametrize(
        "labels", [("no", "yes"), (False, True), (-1, 1), (1.5, 2.5), np.array(["no", "yes"])], ids=str
    )
    def test_labels_of_every_type(self, labels, tmp_path):
        X, y = numbers(300, 1)
        native = LogisticRegression().fit(*numbers(300, 0))
        estimator = estimators.fit(native, X, np.array(labels)[y], classes=labels, method=DOC, **SMALL)
        estimator.save(tmp_path / "one")
        again = estimators.load(tmp_path / "one").model.classes
        assert again == estimator.model.classes
        assert [type(label) for label in again] == [type(label) for label in estimator.model.classes]

    def test_labels_that_json_has_no_word_for(self, tmp_path):
        estimator = fitted(DOC)
        days = (datetime.date(2024, 1, 1), datetime.date(2024, 1, 2))
        odd = replace(estimator, model=replace(estimator.model, classes=days))
        with pytest.raises(InputError, match="classes of type date cannot be kept in a file; give them as"):
            odd.save(tmp_path / "one")
        assert not list(tmp_path.iterdir())


class TestTheModel:
    def test_goes_with_the_file(self, doc):
        assert set(parts_of(doc)) == {"estimator.json", "model.skops"}
        again = estimators.load(doc)
        assert type(again.model.native) is type(model())
        assert again.estimate(BATCH) == fitted(DOC).estimate(BATCH)

    def test_left_out_it_is_given_again_or_its_outputs_are(self, tmp_path):
        path = tmp_path / "one"
        fitted(DOC).save(path, with_model=False)
        assert set(parts_of(path)) == {"estimator.json"}
        expected = fitted(DOC).estimate(BATCH)
        assert estimators.load(path, model=model()).estimate(BATCH) == expected
        alone = estimators.load(path)
        assert alone.estimate(BATCH, probs=model().predict_proba(BATCH)) == expected
        with pytest.raises(InputError, match=r"no model was given, so a batch needs its probabilities"):
            alone.estimate(BATCH)

    def test_given_it_takes_the_place_of_the_stored_one(self, doc):
        other = pipeline().fit(*numbers(200, 9))
        assert estimators.load(doc, model=other).model.native is other

    def test_named_it_is_imported_again(self, tmp_path, monkeypatch):
        module = "homemade_models_of_a_test"
        (tmp_path / f"{module}.py").write_text(
            "from sklearn.linear_model import LogisticRegression\n"
            "import numpy as np\n"
            "X = np.random.default_rng(0).normal(size=(200, 4))\n"
            "logistic = LogisticRegression().fit(X, (X[:, 0] > 0).astype(int))\n"
        )
        monkeypatch.chdir(tmp_path)
        native = estimators.load_model(f"{module}:logistic")
        X, y = numbers(300, 1)
        estimator = estimators.fit(native, X, y, method=DOC, **SMALL)
        path = tmp_path / "one"
        estimator.save(path)
        assert set(parts_of(path)) == {"estimator.json"}
        monkeypatch.delitem(sys.modules, module)
        with pytest.raises(
            InputError, match=rf"one imports its model as {module}:logistic, .*--model {module}"
        ):
            estimators.load(path)
        assert module not in sys.modules
        assert estimators.load(path, trusted=[f"{module}:logistic"]).estimate(BATCH) == estimator.estimate(
            BATCH
        )
        assert estimators.load(path, trusted=f"{module}:logistic").estimate(BATCH) == estimator.estimate(
            BATCH
        )
        assert estimators.load(path, model=native).estimate(BATCH) == estimator.estimate(BATCH)

    def test_of_onnx_keeps_its_graph(self, tmp_path):
        native = LogisticRegression().fit(*numbers(300, 0))
        (tmp_path / "model.onnx").write_bytes(
            to_onnx(native, BATCH[:1].astype(np.float32)).SerializeToString()
        )
        X, y = numbers(300, 1)
        estimator = estimators.fit(estimators.load_model(tmp_path / "model.onnx"), X, y, method=DOC, **SMALL)
        estimator.save(tmp_path / "one")
        (tmp_path / "model.onnx").unlink()
        assert set(parts_of(tmp_path / "one")) == {"estimator.json", "model.onnx"}
        assert estimators.load(tmp_path / "one").estimate(BATCH) == estimator.estimate(BATCH)

    def test_of_a_type_that_cannot_be_kept_is_refused_by_name(self, tmp_path):
        X, y = numbers(300, 1)
        estimator = estimators.fit(Plain(), X, y, method=DOC, **SMALL)
        path = tmp_path / "one"
        path.write_text("as before")
        with pytest.raises(InputError, match=r"type test_estimators_store\.Plain cannot .*with_model=False"):
            estimator.save(path)
        assert path.read_text() == "as before"
        estimator.save(path, with_model=False)
        assert estimators.load(path, model=Plain()).estimate(BATCH) == estimator.estimate(BATCH)

    def test_that_skops_cannot_take_apart_is_refused_by_name(self, tmp_path):
        X, y = numbers(300, 1)
        odd = Homemade(scale=1.0)
        odd.generator = (number for number in range(3))
        estimator = estimators.fit(odd, X, y, method=DOC, **SMALL)
        with pytest.raises(InputError, match=r"type test_estimators_store\.Homemade cannot be kept in the"):
            estimator.save(tmp_path / "one")
        assert not list(tmp_path.iterdir())

    def test_of_a_type_of_ones_own_needs_trust(self, tmp_path):
        X, y = numbers(300, 1)
        estimator = estimators.fit(Homemade(2.0), X, y, method=DOC, **SMALL)
        path = tmp_path / "one"
        estimator.save(path)
        with pytest.raises(
            InputError,
            match=r"one: model\.skops holds types .* safe: test_estimators_store\.Homemade; .*--trusted TYPE",
        ):
            estimators.load(path)
        kind = "test_estimators_store.Homemade"
        for trusted in (kind, [kind], iter([kind])):
            again = estimators.load(path, trusted=trusted)
            assert again.model.native.scale == 2.0
            assert again.estimate(BATCH) == estimator.estimate(BATCH)

    @pytest.mark.parametrize(
        ("other", "sentence"),
        [
            (
                lambda: model(3),
                "model's classes are 0, 1, 2, and the estimator was fitted for 0, 1; give the",
            ),
            (regressor, "the model is one of regression, and the estimator was fitted for classification"),
            (dict, "a dict is no model: it has neither predict_proba nor predict"),
            (lambda: LogisticRegression, "LogisticRegression is a class of models, not a model"),
        ],
    )
    def test_another_one_is_refused_given_or_stored(self, other, sentence, doc):
        with pytest.raises(InputError, match=sentence):
            estimators.load(doc, model=other())
        if not isinstance(other(), type):
            rezipped(doc, model__skops=skops.dumps(other()))
            with pytest.raises(InputError, match=sentence):
                estimators.load(doc)

    def test_whose_classes_the_user_named_is_known_again(self, tmp_path):
        X, y = numbers(300, 1)
        estimator = estimators.fit(
            model(), X, np.array(["bad", "good"])[y], classes=["bad", "good"], method=DOC, **SMALL
        )
        path = tmp_path / "one"
        estimator.save(path)
        assert estimators.load(path).estimate(BATCH) == estimator.estimate(BATCH)
        assert estimators.load(path, model=model()).estimate(BATCH) == estimator.estimate(BATCH)
        with pytest.raises(InputError, match="fitted for 0, 1; give the model it was fitted with"):
            estimators.load(path, model=model(3))


class TestNoPickle:
    def test_a_file_holds_only_json_arrays_and_onnx(self, tmp_path):
        of("classes")[0].save(tmp_path / "one")
        inner = {}
        for name, part in parts_of(tmp_path / "one").items():
            inner |= parts_of(io.BytesIO(part)) if name.endswith(".skops") else {name: part}
        assert inner.keys() >= {"estimator.json", "schema.json"}
        assert any(name.endswith(".npy") for name in inner)
        for name, part in inner.items():
            if name.endswith(".json"):
                json.loads(part)
            else:
                assert name.endswith(".npy"), name
                np.load(io.BytesIO(part), allow_pickle=False)

    def test_nothing_is_unpickled(self, tmp_path, monkeypatch):
        of("classes")[0].save(tmp_path / "one")

        def refuse(*_, **__):
            raise AssertionError("a pickle is unpacked")

        for name in ("load", "loads", "Unpickler"):
            monkeypatch.setattr(pickle, name, refuse)
        estimators.load(tmp_path / "one").estimate(**of("classes")[1])

    @pytest.mark.parametrize("part", ["estimator__json", "model__skops", "learned__skops"])
    def test_a_pickle_in_the_place_of_a_part_is_refused(self, part, doc):
        rezipped(doc, **{part: pickle.dumps(Evil())})
        with pytest.raises(InputError, match="damaged"):
            estimators.load(doc)
        assert not EXECUTED

    def test_a_pickled_array_inside_a_part_is_refused(self, doc):
        inside = parts_of(io.BytesIO(parts_of(doc)["model.skops"]))
        array = next(name for name in inside if name.endswith(".npy"))
        evil = io.BytesIO()
        np.save(evil, np.array([Evil()], dtype=object), allow_pickle=True)
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            for name, part in inside.items():
                archive.writestr(name, evil.getvalue() if name == array else part)
        rezipped(doc, model__skops=made.getvalue())
        with pytest.raises(InputError, match="model.skops cannot be loaded"):
            estimators.load(doc)
        assert not EXECUTED

    def test_a_whole_file_that_is_a_pickle_is_refused(self, tmp_path):
        (tmp_path / "one.surefoot").write_bytes(pickle.dumps(Evil()))
        with pytest.raises(InputError, match=r"one\.surefoot is no estimator, or it is damaged"):
            estimators.load(tmp_path / "one.surefoot")
        assert not EXECUTED

    def test_types_in_the_learned_part_need_trust_too(self, doc):
        rezipped(doc, learned__skops=skops.dumps({"0-0": Homemade()}))
        with pytest.raises(
            InputError, match=r"learned\.skops holds types .*: test_estimators_store\.Homemade"
        ):
            estimators.load(doc)
        edited(doc, "learned", "models", value=["0-0"])
        estimators.load(doc, trusted="test_estimators_store.Homemade")

    def test_functions_that_do_something_are_refused_by_name(self, doc):
        from functools import partial

        from sklearn.preprocessing import FunctionTransformer

        harmful = pipeline().fit(*numbers(200, 0))
        harmful.steps.insert(0, ("first", FunctionTransformer(partial(subprocess.run, ["true"]))))
        rezipped(doc, model__skops=skops.dumps(harmful))
        with pytest.raises(InputError, match=r"not known to be safe: subprocess\.run;"):
            estimators.load(doc)


class TestBadFiles:
    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"", "is no estimator, or it is damaged"),
            (b"a,b\n1,2\n", "is no estimator, or it is damaged"),
            (b"PK\x03\x04 and more", "is no estimator, or it is damaged"),
            (b"PK\x05\x06" + bytes(18), r"is no estimator: there is no estimator\.json in it"),
            (skops.dumps({}), r"is no estimator: there is no estimator\.json in it"),
        ],
        ids=["nothing", "text", "half-a-zip", "empty-zip", "skops"],
    )
    def test_of_other_kinds(self, content, sentence, tmp_path):
        (tmp_path / "one.surefoot").write_bytes(content)
        with pytest.raises(InputError, match=rf"^one\.surefoot {sentence}"):
            estimators.load(tmp_path / "one.surefoot")

    def test_that_are_not_there(self, tmp_path):
        for path in (tmp_path / "gone", tmp_path):
            with pytest.raises(InputError, match="is no file; give one that `estimator.save`"):
                estimators.load(path)

    @settings(max_examples=60)
    @given(st.data())
    def test_cut_short(self, spot, data):
        content = doc_file()
        refused_or_whole(spot, content[: data.draw(st.integers(0, len(content) - 1))])

    @settings(max_examples=250)
    @given(st.data())
    def test_with_a_byte_that_flipped(self, spot, data):
        """Most of what matters to a zip is at its end."""
        content = bytearray(doc_file())
        where = st.one_of(st.integers(0, len(content) - 1), st.integers(len(content) - 200, len(content) - 1))
        content[data.draw(where)] = data.draw(st.integers(0, 255))
        refused_or_whole(spot, bytes(content))

    @pytest.mark.parametrize("found", [2, "1.5", None])
    def test_of_a_newer_format(self, found, doc):
        edited(doc, "format", value=found)
        with pytest.raises(
            InputError, match=rf"doc\.surefoot has format {found}, .* reads format 1; install the version"
        ):
            estimators.load(doc)

    @pytest.mark.parametrize(
        "keys",
        [
            ("format",),
            ("method",),
            ("model",),
            ("model", "kept"),
            ("model", "kind"),
            ("model", "classes"),
            ("learned",),
            ("learned", "type"),
            ("learned", "values"),
            ("learned", "values", "offsets"),
            ("schema",),
            ("schema", "fields"),
            ("schema", "fields", 0, "low"),
            ("references",),
            ("movement",),
            ("widths",),
            ("alpha",),
            ("labelled",),
            ("notes",),
        ],
        ids=lambda keys: ".".join(map(str, keys)),
    )
    def test_with_a_part_that_is_gone(self, keys, doc):
        edited(doc, *keys, value=...)
        with pytest.raises(InputError, match=r"doc\.surefoot is damaged: KeyError"):
            estimators.load(doc)

    @pytest.mark.parametrize(
        ("keys", "value"),
        [
            (("model",), "model"),
            (("model", "kind"), "clustering"),
            (("model", "classes"), 5),
            (("learned",), [1]),
            (("learned", "type"), [1]),
            (("learned", "values"), None),
            (("schema",), "a, b"),
            (("schema", "fields"), [1]),
            (("references",), [0.5]),
            (("references", "accuracy"), "much"),
            (("movement",), 5),
            (("widths",), [1]),
            (("widths", "accuracy"), 0.1),
            (("alpha",), "five per cent"),
            (("labelled",), None),
            (("notes",), 5),
        ],
        ids=str,
    )
    def test_with_a_part_of_another_type(self, keys, value, doc):
        edited(doc, *keys, value=value)
        with pytest.raises(InputError, match=r"doc\.surefoot is damaged"):
            estimators.load(doc)

    @pytest.mark.parametrize(
        "text", ["", "{", "5", "[]", "[" * 100_000, "1" * 5_000, '{"format": 1}', "\udcff"], ids=range(8)
    )
    def test_with_other_json(self, text, doc):
        rezipped(doc, estimator__json=text.encode("utf-8", "surrogateescape"))
        with pytest.raises(InputError, match=r"^doc\.surefoot is (no estimator, or it is )?damaged"):
            estimators.load(doc)

    @pytest.mark.parametrize("kept", ["skops", "../model.skops", "estimator.json", None])
    def test_with_a_model_kept_in_another_way(self, kept, doc):
        edited(doc, "model", "kept", value=kept)
        with pytest.raises(
            InputError, match=r"doc\.surefoot keeps its model in a way that is not known here"
        ):
            estimators.load(doc)

    @pytest.mark.parametrize("reference", ["os.system", "../evil:model", "os:system('true')", 5, None])
    def test_with_a_reference_that_is_none(self, reference, doc):
        edited(doc, "model", "kept", value="named")
        edited(doc, "model", "reference", value=reference)
        with pytest.raises(
            InputError, match=r"doc\.surefoot keeps its model in a way that is not known here"
        ):
            estimators.load(doc, trusted=[str(reference)])

    @pytest.mark.parametrize("name", ["model.skops", "learned.skops"])
    def test_with_a_part_that_is_missing(self, name, tmp_path):
        path = tmp_path / "one"
        of("classes")[0].save(path)
        rezipped(path, **{name.replace(".", "__"): None})
        with pytest.raises(InputError, match="one is damaged"):
            estimators.load(path)

    def test_of_a_method_from_elsewhere(self, doc):
        edited(doc, "learned", "type", value="Oracle")
        with pytest.raises(
            InputError, match="holds a Oracle, which this version of Surefoot does not know; install"
        ):
            estimators.load(doc)

    def test_that_unpack_to_more_than_a_machine_has(self, doc):
        """The size that a zip declares is all that is ever read, so that is what is looked at."""
        parts = parts_of(doc)
        with zipfile.ZipFile(doc, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, part in parts.items():
                archive.writestr(name, part)
            archive.getinfo("model.skops").file_size = 3 << 30
        with pytest.raises(InputError, match=r"meant to do harm: model\.skops would unpack to 3,221,225,472"):
            estimators.load(doc)

    def test_with_a_model_that_unpacks_to_more_than_a_machine_has(self, doc):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("schema.json", "{}")
            archive.getinfo("schema.json").file_size = 3 << 30
        rezipped(doc, model__skops=made.getvalue())
        with pytest.raises(InputError, match=r"doc\.surefoot: model\.skops .*: schema\.json would unpack to"):
            estimators.load(doc)

    @pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_packed_in_another_way(self, packing, doc):
        parts = parts_of(doc)
        with zipfile.ZipFile(doc, "w", packing) as archive:
            for name, part in parts.items():
                archive.writestr(name, part)
        with pytest.raises(InputError, match=r"estimator\.json is packed in another way"):
            estimators.load(doc)

    def test_names_that_lead_elsewhere_are_not_followed(self, doc, tmp_path):
        rezipped(doc, **{"../evil__txt": b"out", "/tmp/evil__txt": b"out"})
        assert estimators.load(doc).estimate(BATCH) == fitted(DOC).estimate(BATCH)
        assert [path.name for path in tmp_path.iterdir()] == ["doc.surefoot"]
        assert not (tmp_path.parent / "evil.txt").exists()


class TestWriting:
    def test_half_a_file_is_never_seen(self, doc, monkeypatch):
        before, wrote = doc.read_bytes(), zipfile.ZipFile.writestr

        def full(archive, name, content, **options):
            if name == "model.skops":
                raise OSError(28, "No space left on device")
            wrote(archive, name, content, **options)

        monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
        with pytest.raises(OSError, match="No space left"):
            fitted(DOC, 3).save(doc)
        assert doc.read_bytes() == before
        assert [path.name for path in doc.parent.iterdir()] == ["doc.surefoot"]

    def test_what_was_there_is_replaced(self, doc):
        fitted(DOC, 3).save(doc)
        assert estimators.load(doc).model.classes == (0, 1, 2)
        assert [path.name for path in doc.parent.iterdir()] == ["doc.surefoot"]

    @pytest.mark.parametrize(
        ("name", "sentence"), [("", "is a folder"), ("nowhere/one", "the folder does not exist")]
    )
    def test_where_no_file_can_be(self, name, sentence, tmp_path):
        with pytest.raises(InputError, match=sentence):
            fitted(DOC).save(tmp_path / name)

    def test_without_skops_it_says_what_to_install(self, monkeypatch, doc):
        monkeypatch.setitem(sys.modules, "skops", None)
        for act in (lambda: estimators.load(doc), lambda: fitted(DOC).save(doc)):
            with pytest.raises(
                InputError, match=r"need skops; install with: pip install 'surefoot\[estimate"
            ):
                act()

    def test_the_versions_are_written_down(self, doc):
        versions = json.loads(parts_of(doc)["estimator.json"])["versions"]
        assert versions["numpy"] == np.__version__
        assert {"surefoot", "python", "scikit-learn"} <= versions.keys()


def refused_or_whole(path, content):
    """A damaged file is refused with a sentence, unless the damage is where nothing is said."""
    path.write_bytes(content)
    try:
        again = estimators.load(path)
    except InputError as error:
        assert any(word in str(error) for word in ("damaged", "no estimator", "format"))  # noqa: PT017
    else:
        assert again.estimate(BATCH) == fitted(DOC).estimate(BATCH)
