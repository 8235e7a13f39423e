"""`surefoot estimate fit` and `run` as a user meets them."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from skl2onnx import to_onnx
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from skops import io as skops

from estimator_cases import mixed, numbers, pipeline
from surefoot import estimators
from surefoot.cli import main, surefoot

QUICK = ("--method", "doc", "--domains", 40, "--rows", 60)
SUMMARY = re.compile(
    r"accuracy (0\.\d{3}) \[(0\.\d{3}), (0\.\d{3})\] on ([\d,]+) rows \(([+-]0\.\d{3}) against"
)


class Homemade(ClassifierMixin, BaseEstimator):
    """A classifier of one's own."""

    classes_ = np.array(["no", "yes"])

    def predict_proba(self, frame):
        up = 1 / (1 + np.exp(-frame["b"].to_numpy() / 20 + 2.5))
        return np.stack([1 - up, up], axis=1)


def run(*arguments):
    """Exit code of a command run in this process."""
    try:
        main([str(a) for a in arguments])
    except SystemExit as stop:
        return stop.code or 0
    return 0


def encoder():
    """A classifier of frames as scikit-learn's users build it."""
    return make_pipeline(
        make_column_transformer(
            (OneHotEncoder(handle_unknown="ignore"), ["colour"]),
            (make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b", "c", "d"]),
        ),
        LogisticRegression(),
    )


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A folder with a model, labelled rows, batches, and an estimator that the command line fitted."""
    folder = tmp_path_factory.mktemp("shop")
    frame, labels = mixed(600, 0)
    (folder / "model.skops").write_bytes(skops.dumps(encoder().fit(frame, labels)))
    (folder / "homemade.skops").write_bytes(skops.dumps(Homemade()))
    frame, labels = mixed(600, 1)
    labelled = frame.assign(weight=np.linspace(1, 2, 600), number=np.arange(600), y=labels)
    labelled.to_csv(folder / "labelled.csv", index=False)
    labelled.to_parquet(folder / "labelled.parquet")
    monday, _ = mixed(200, 2)
    monday.to_csv(folder / "monday.csv", index=False)
    monday.set_index(np.random.default_rng(0).permutation(200)).to_parquet(folder / "monday.parquet")
    mixed(150, 3)[0].to_csv(folder / "tuesday.csv", index=False)
    monday.assign(a=0.0, b=50.0, c=5.0, d=-9.0).to_csv(folder / "broken.csv", index=False)
    assert fit(folder, "-o", folder / "y.surefoot") == 0
    return folder


def fit(folder, *arguments, model="model.skops", data="labelled.csv", columns=("weight", "number")):
    """Fit on the labelled rows of a folder, without the columns that the model does not know."""
    ignored = [word for name in columns for word in ("--ignore", name)]
    model = folder / model if isinstance(model, str) and ":" not in model else model
    shared = ("--model", model, "--data", folder / data, "--target", "y", *ignored)
    return run("estimate", "fit", *shared, *QUICK, *arguments)


def asked(folder, *batches, estimator="y.surefoot"):
    """What the command line writes into JSON about batches."""
    out = folder / "asked.json"
    assert run("estimate", "run", folder / estimator, *(folder / one for one in batches), "--json", out) == 0
    return json.loads(out.read_text())["batches"]


class TestFit:
    def test_says_how_good_the_model_is_and_where_it_went(self, shop, tmp_path, capsys):
        out = tmp_path / "new.surefoot"
        assert fit(shop, "-o", out) == 0
        shown = capsys.readouterr()
        assert re.fullmatch(rf"doc: accuracy 0\.8\d\d on 600 labelled rows → {out}\n", shown.out)
        assert shown.err == ""
        assert estimators.load(out).labelled == 600

    @pytest.mark.parametrize("data", ["labelled.csv", "labelled.parquet"])
    def test_does_what_python_does(self, data, shop, tmp_path):
        assert fit(shop, "-o", tmp_path / "new.surefoot", data=data) == 0
        frame, labels = mixed(600, 1)
        native = estimators.load_model(shop / "model.skops")
        expected = estimators.fit(native, frame, labels, method=estimators.DoC(), domains=40, rows=60)
        found = estimators.load(tmp_path / "new.surefoot")
        batch, _ = mixed(200, 2)
        assert found.estimate(batch).value == pytest.approx(expected.estimate(batch).value, abs=1e-6)
        assert found.estimate(batch).low == pytest.approx(expected.estimate(batch).low, abs=1e-3)

    def test_weights_and_columns_that_are_left_out(self, shop, tmp_path):
        out = tmp_path / "new.surefoot"
        assert fit(shop, "-o", out, "--weight", "weight", columns=("number",)) == 0
        found = estimators.load(out)
        assert {"weight", "number", "y"}.isdisjoint(found.schema.names)
        frame, labels = mixed(600, 1)
        right = estimators.load_model(shop / "model.skops").predict(frame) == labels
        assert found.references["accuracy"] == pytest.approx(
            np.average(right, weights=np.linspace(1, 2, 600)), abs=1e-6
        )

    def test_categories_of_numbers(self, shop, tmp_path):
        out = tmp_path / "new.surefoot"
        assert fit(shop, "-o", out, "--categorical", "code") == 0
        assert estimators.load(out).schema.categorical == ("code",)

    def test_options_reach_the_estimator(self, shop, tmp_path):
        out = tmp_path / "new.surefoot"
        given = ("--interval", "binomial", "--alpha", 0.2, "--seed", 3, "--method", "mean-confidence")
        assert fit(shop, *given, "-o", out) == 0
        found = estimators.load(out)
        assert (found.method, found.alpha, found.widths) == ("mean-confidence", 0.2, {})

    def test_a_module_is_imported_from_the_current_folder(self, shop, tmp_path, monkeypatch, capsys):
        (tmp_path / "models_of_the_shop.py").write_text(
            "from surefoot.estimators import load_model\n"
            f"def make(): return load_model({str(shop / 'model.skops')!r})\n"
        )
        monkeypatch.chdir(tmp_path)
        assert fit(shop, "-o", tmp_path / "new.surefoot", model="models_of_the_shop:make") == 0
        batch = shop / "monday.csv"
        assert run("estimate", "run", "new.surefoot", batch) == 2
        said = capsys.readouterr().err
        assert "--model models_of_the_shop:make" in said
        for trust in ("--model", "--trusted"):
            assert run("estimate", "run", "new.surefoot", batch, trust, "models_of_the_shop:make") == 0
        first, second = capsys.readouterr().out.split("accuracy")[1:]
        assert first[:30] == second[:30]
        monkeypatch.delitem(sys.modules, "models_of_the_shop")

    def test_types_of_ones_own(self, shop, tmp_path, capsys):
        out = tmp_path / "new.surefoot"
        assert fit(shop, "-o", out, model="homemade.skops") == 2
        assert "Homemade" in (said := capsys.readouterr().err)
        assert "--trusted TYPE" in said
        kind = "test_estimators_cli.Homemade"
        assert fit(shop, "-o", out, "--trusted", kind, model="homemade.skops") == 0
        assert run("estimate", "run", out, shop / "monday.csv") == 2
        assert run("estimate", "run", out, shop / "monday.csv", "--trusted", kind) == 0

    def test_onnx_with_names_for_its_classes(self, tmp_path, capsys):
        """Of a network without labels the user says what its outputs are; CSV and Parquet have them as they like."""
        X, y = numbers(500, 0)
        native = LogisticRegression().fit(X.astype(np.float32), y)
        graph = to_onnx(native, X[:1].astype(np.float32), options={id(native): {"zipmap": False}})
        (tmp_path / "model.onnx").write_bytes(graph.SerializeToString())
        X, y = numbers(300, 1)
        frame = pd.DataFrame(X, columns=list("abcd"))
        frame.to_csv(tmp_path / "batch.csv", index=False)
        for name, labels, classes in (
            ("words.csv", np.array(["bad", "good"])[y], ("bad", "good")),
            ("numbers.csv", y + 1, ("1", "2")),
            ("numbers.parquet", y + 1, ("1", "2")),
            ("own.parquet", y, ()),
        ):
            labelled = frame.assign(y=labels)
            write = labelled.to_parquet if name.endswith("parquet") else labelled.to_csv
            write(tmp_path / name, index=False)
            named = [word for label in classes for word in ("--class", label)]
            out = tmp_path / "new.surefoot"
            assert fit(tmp_path, *named, "-o", out, model="model.onnx", data=name, columns=()) == 0
            assert estimators.load(out).model.classes == (classes or (0, 1))
            assert run("estimate", "run", out, tmp_path / "batch.csv") == 0
            assert "accuracy 0.7" in capsys.readouterr().out
            assert (
                run("estimate", "run", out, tmp_path / "batch.csv", "--model", tmp_path / "model.onnx") == 0
            )
            capsys.readouterr()

    def test_a_model_trained_on_an_array_gets_one(self, tmp_path, capsys):
        """Its warning about names of columns would be an error here."""
        (tmp_path / "model.skops").write_bytes(skops.dumps(pipeline().fit(*numbers(500, 0))))
        X, y = numbers(300, 1)
        pd.DataFrame(X, columns=list("abcd")).assign(y=y).to_csv(tmp_path / "labelled.csv", index=False)
        assert fit(tmp_path, "-o", tmp_path / "new.surefoot", columns=()) == 0
        pd.DataFrame(X, columns=list("abcd"))[list("dcba")].to_csv(tmp_path / "batch.csv", index=False)
        assert run("estimate", "run", tmp_path / "new.surefoot", tmp_path / "batch.csv") == 0
        found = SUMMARY.search(capsys.readouterr().out)
        assert found[5] == "+0.000"

    def test_a_regressor(self, tmp_path, capsys):
        X, y = numbers(500, 0, 3)
        native = make_pipeline(SimpleImputer(), LinearRegression()).fit(X, y)
        (tmp_path / "model.skops").write_bytes(skops.dumps(native))
        X, y = numbers(300, 1, 3)
        pd.DataFrame(X, columns=list("abcd")).assign(y=y).to_csv(tmp_path / "labelled.csv", index=False)
        out = tmp_path / "new.surefoot"
        assert fit(tmp_path, "--method", "dummy", "-o", out, columns=()) == 0
        assert capsys.readouterr().out.startswith("dummy: rmse 0.")
        batch = tmp_path / "labelled.csv"
        assert run("estimate", "run", out, batch, "--ignore", "y", "--metric", "mae") == 0
        assert "mae 0." in capsys.readouterr().out
        assert run("estimate", "run", out, batch, "--ignore", "y", "--min-accuracy", "0.5") == 2
        assert "--min-accuracy is about the accuracy, not about rmse" in capsys.readouterr().err

    def test_shifts_that_the_model_refuses_are_noted(self, tmp_path, capsys):
        native = LogisticRegression().fit(*numbers(500, 0))
        (tmp_path / "model.skops").write_bytes(skops.dumps(native))
        X, y = numbers(300, 1)
        pd.DataFrame(X, columns=list("abcd")).assign(y=y).to_csv(tmp_path / "labelled.csv", index=False)
        assert fit(tmp_path, "-o", tmp_path / "new.surefoot", columns=()) == 0
        assert "Note: the model refuses missing-values (Input X contains NaN" in capsys.readouterr().out

    def test_every_method_has_its_name(self):
        shown = CliRunner().invoke(surefoot, ["estimate", "fit", "--help"])
        assert shown.exit_code == 0
        for name in estimators.__all__:
            one = getattr(estimators, name)
            if isinstance(one, type) and issubclass(one, estimators.Method) and one is not estimators.Method:
                assert one.name in shown.output


class TestRun:
    def test_says_number_and_bounds(self, shop, capsys):
        assert run("estimate", "run", shop / "y.surefoot", shop / "monday.csv") == 0
        shown = capsys.readouterr()
        value, low, high, n, drop = SUMMARY.match(shown.out).groups()
        expected = estimators.load(shop / "y.surefoot").estimate(mixed(200, 2)[0])
        assert float(value) == pytest.approx(expected.value, abs=6e-4)
        assert float(low) < float(value) < float(high)
        assert (n, float(drop)) == ("200", pytest.approx(expected.drop, abs=6e-4))
        assert shown.err == ""

    def test_csv_and_parquet_say_the_same(self, shop):
        csv, parquet = asked(shop, "monday.csv", "monday.parquet")
        assert csv["value"] == pytest.approx(parquet["value"], abs=1e-6)
        assert (csv["batch"], parquet["batch"]) == ("monday.csv", "monday.parquet")

    def test_several_batches_are_named(self, shop, capsys):
        batches = [shop / name for name in ("monday.csv", "tuesday.csv", "broken.csv")]
        assert run("estimate", "run", shop / "y.surefoot", *batches) == 0
        shown = capsys.readouterr().out
        for batch, rows in zip(batches, (200, 150, 200), strict=True):
            assert re.search(rf"^{batch.name}: accuracy .* on {rows} rows", shown, re.MULTILINE)

    def test_batches_of_one_name_are_told_apart(self, shop, tmp_path):
        (tmp_path / "monday.csv").write_bytes((shop / "tuesday.csv").read_bytes())
        out = tmp_path / "out.json"
        batches = (shop / "monday.csv", tmp_path / "monday.csv")
        assert run("estimate", "run", shop / "y.surefoot", *batches, "--json", out) == 0
        found = json.loads(out.read_text())["batches"]
        assert [(one["batch"], one["n"]) for one in found] == [
            (str(batches[0]), 200),
            (str(batches[1]), 150),
        ]

    def test_the_gate_holds_the_lower_bound(self, shop, capsys):
        """A value above the gate is not enough."""
        (one,) = asked(shop, "monday.csv")
        capsys.readouterr()
        between = (one["low"] + one["value"]) / 2
        shared = ("estimate", "run", shop / "y.surefoot", shop / "monday.csv", "--min-accuracy")
        assert run(*shared, one["low"] - 1e-6) == 0
        assert capsys.readouterr().err == ""
        assert run(*shared, one["low"]) == 0
        capsys.readouterr()
        assert run(*shared, between) == 1
        shown = capsys.readouterr()
        said = (
            f"Gate failed: the accuracy on monday.csv may be as low as {one['low']:.3f}, under {between:g}\n"
        )
        assert shown.err == said
        assert SUMMARY.match(shown.out)

    def test_one_bad_batch_is_enough_and_all_are_looked_at(self, shop, tmp_path, capsys):
        """Files are written although the gate fails, and say which batch it was."""
        names = ("monday.csv", "broken.csv", "tuesday.csv")
        lows = {one["batch"]: one["low"] for one in asked(shop, *names)}
        assert lows["broken.csv"] < min(lows["monday.csv"], lows["tuesday.csv"])
        gate = (lows["broken.csv"] + min(lows["monday.csv"], lows["tuesday.csv"])) / 2
        capsys.readouterr()
        files = ("--json", tmp_path / "out.json", "--junit", tmp_path / "out.xml")
        batches = [shop / name for name in names]
        assert run("estimate", "run", shop / "y.surefoot", *batches, "--min-accuracy", gate, *files) == 1
        assert capsys.readouterr().err.count("Gate failed: the accuracy on broken.csv") == 1
        stored = json.loads((tmp_path / "out.json").read_text())
        assert [one["failed"] for one in stored["batches"]] == [False, True, False]
        assert stored["min_accuracy"] == gate
        suite = ElementTree.parse(tmp_path / "out.xml").getroot().find("testsuite")
        assert suite.attrib == {
            "name": "surefoot estimate",
            "tests": "3",
            "failures": "1",
            "errors": "0",
            "skipped": "0",
        }
        cases = suite.findall("testcase")
        assert [case.get("name") for case in cases] == list(names)
        assert {case.get("classname") for case in cases} == {"surefoot.accuracy"}
        assert [case.find("failure") is not None for case in cases] == [False, True, False]
        failure = cases[1].find("failure")
        assert f"as low as {lows['broken.csv']:.3f}, under {gate:g}" in failure.get("message")
        assert all("accuracy 0." in case.find("system-out").text for case in cases)

    def test_junit_without_a_gate_fails_nothing(self, shop, tmp_path):
        out = tmp_path / "out.xml"
        assert run("estimate", "run", shop / "y.surefoot", shop / "broken.csv", "--junit", out) == 0
        suite = ElementTree.parse(out).getroot().find("testsuite")
        assert (suite.get("tests"), suite.get("failures")) == ("1", "0")

    def test_junit_of_names_that_xml_cannot_hold(self, shop, tmp_path):
        odd = tmp_path / "a<b>&\"c\x01'ü.csv"
        odd.write_bytes((shop / "monday.csv").read_bytes())
        out = tmp_path / "out.xml"
        assert run("estimate", "run", shop / "y.surefoot", odd, "--junit", out, "--min-accuracy", 1) == 1
        case = ElementTree.parse(out).getroot().find("testsuite/testcase")
        assert case.get("name") == "a<b>&\"c�'ü.csv"

    def test_json_holds_the_estimate(self, shop):
        (one,) = asked(shop, "monday.csv")
        expected = estimators.load(shop / "y.surefoot").estimate(mixed(200, 2)[0])
        assert one["failed"] is False
        assert one["value"] == pytest.approx(expected.value)
        for name in ("metric", "low", "high", "drop", "reference", "n", "method", "warnings", "members"):
            assert name in one
        assert one["metric"] == "accuracy"

    def test_another_score(self, shop, capsys):
        given = ("--metric", "macro_f1")
        assert run("estimate", "run", shop / "y.surefoot", shop / "monday.csv", *given) == 0
        assert capsys.readouterr().out.startswith("macro_f1 0.")

    def test_columns_that_are_left_out_and_weights(self, shop, tmp_path):
        batch = mixed(200, 2)[0].assign(y="?", weight=np.arange(200) < 100)
        batch.astype({"weight": float}).to_csv(tmp_path / "batch.csv", index=False)
        out = tmp_path / "out.json"
        shared = ("estimate", "run", shop / "y.surefoot", tmp_path / "batch.csv", "--json", out)
        assert run(*shared, "--ignore", "y", "--weight", "weight") == 0
        expected = estimators.load(shop / "y.surefoot").estimate(mixed(200, 2)[0][:100])
        assert json.loads(out.read_text())["batches"][0]["value"] == pytest.approx(expected.value, abs=1e-6)

    def test_columns_of_nothing_but_gaps(self, shop, tmp_path, capsys):
        """In a CSV they are of no type."""
        batch = mixed(200, 2)[0].assign(colour=None, b=np.nan, old=None)
        batch.to_csv(tmp_path / "batch.csv", index=False)
        assert run("estimate", "run", shop / "y.surefoot", tmp_path / "batch.csv") == 0
        shown = capsys.readouterr().out
        assert "values that no labelled row has" in shown
        assert "b (100% of rows)" in shown

    def test_text_that_looks_like_numbers_stays_text(self, shop, tmp_path, capsys):
        mixed(200, 2)[0].assign(colour="007").to_csv(tmp_path / "batch.csv", index=False)
        assert run("estimate", "run", shop / "y.surefoot", tmp_path / "batch.csv") == 0
        assert "colour (100% of rows)" in capsys.readouterr().out

    def test_warnings_are_shown(self, shop, tmp_path, capsys):
        mixed(20, 2)[0].to_csv(tmp_path / "batch.csv", index=False)
        assert run("estimate", "run", shop / "y.surefoot", tmp_path / "batch.csv") == 0
        assert "Warning: only 20 rows" in capsys.readouterr().out

    def test_a_file_without_its_model(self, shop, tmp_path, capsys):
        path = tmp_path / "bare.surefoot"
        estimators.load(shop / "y.surefoot").save(path, with_model=False)
        assert run("estimate", "run", path, shop / "monday.csv") == 2
        assert "was saved without its model; give it with --model MODEL" in capsys.readouterr().err
        given = ("--model", shop / "model.skops")
        assert run("estimate", "run", path, shop / "monday.csv", *given) == 0

    def test_an_estimator_of_outputs_alone(self, shop, tmp_path, capsys):
        probs = np.random.default_rng(0).dirichlet([1, 1], 300)
        labels = (np.random.default_rng(1).random(300) < probs[:, 1]).astype(int)
        found = estimators.fit(None, None, labels, probs=probs, method=estimators.DoC(), domains=40, rows=60)
        found.save(tmp_path / "outputs.surefoot")
        assert run("estimate", "run", tmp_path / "outputs.surefoot", shop / "monday.csv") == 2
        assert "fitted on probabilities alone; ask it in Python" in capsys.readouterr().err


class TestSlips:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--target", "nope"], "there is no column nope; labelled.csv has a, b, c, d, colour"),
            (["--weight", "nope"], "there is no column nope; labelled.csv has a, b"),
            (["--ignore", "nope"], "there is no column nope; labelled.csv has a, b"),
            (["--categorical", "nope"], "categorical names nope, but the columns are a, b"),
            (["--data", "gone.csv"], "gone.csv is no file; give a Parquet or CSV file"),
            (
                ["--model", "gone.skops"],
                "gone.skops is no file; give model.skops, model.onnx or module:attrib",
            ),
            (["--model", "model.pkl"], "model.pkl is a pickle, which runs"),
            (["--model", "nowhere_at_all:m"], "nowhere_at_all:m cannot be imported"),
            (["--method", "oracle"], "'oracle' is not one of"),
            (["--interval", "exact"], "'exact' is not one of"),
            (["--alpha", "1.5"], "alpha must be between 0 and 1, not 1.5"),
            (["--domains", "5"], "domains must be a whole number of at least 20, not 5"),
            (["--domains", "0"], "0 is not in the range"),
            (["--class", "a", "--class", "b"], "labels hold no, yes, but the model's classes are a, b"),
            (["--class", "no"], "the probabilities have 2 columns for 1 classes"),
            (["--class", "no", "--class", "no"], "name one twice"),
            (["-o", "nowhere/new.surefoot"], "the folder does not exist"),
            (["-o", "."], "is a folder"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_in_fit_get_a_sentence_and_leave_no_file(self, arguments, message, shop, monkeypatch, capsys):
        monkeypatch.chdir(shop)
        before = sorted(path.name for path in shop.iterdir())
        given = {
            "--model": "model.skops",
            "--data": "labelled.csv",
            "--target": "y",
            "-o": "new.surefoot",
        }
        shared = [word for name, value in given.items() if name not in arguments for word in (name, value)]
        columns = ["--ignore", "weight", "--ignore", "number"]
        assert run("estimate", "fit", *shared, *columns, *QUICK, *arguments) == 2
        sentence(capsys, message)
        assert sorted(path.name for path in shop.iterdir()) == before

    @pytest.mark.parametrize("lacking", ["--model", "--data", "--target", "-o"])
    def test_what_fit_needs(self, lacking, capsys):
        given = {"--model": "m.skops", "--data": "d.csv", "--target": "y", "-o": "o"}
        words = [word for name, value in given.items() if name != lacking for word in (name, value)]
        assert run("estimate", "fit", *words) == 2
        assert "Missing option" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["gone.surefoot", "monday.csv"], "gone.surefoot is no file; give one that"),
            (["model.skops", "monday.csv"], "model.skops is no estimator: there is no estimator.json in it"),
            (["monday.csv", "monday.csv"], "monday.csv is no estimator, or it is damaged"),
            (["y.surefoot"], "Missing argument 'BATCHES"),
            (["y.surefoot", "gone.csv"], "gone.csv is no file; give a Parquet or CSV file"),
            (["y.surefoot", "model.skops"], "model.skops must end in .parquet or .csv"),
            (
                ["y.surefoot", "labelled.csv"],
                "labelled.csv: the batch has columns that .* had not: weight, numb",
            ),
            (["y.surefoot", "monday.csv", "--ignore", "b"], "monday.csv: the batch has no column b"),
            (["y.surefoot", "monday.csv", "--ignore", "q"], "there is no column q; monday.csv has a, b"),
            (["y.surefoot", "monday.csv", "--weight", "q"], "there is no column q; monday.csv has a, b"),
            (["y.surefoot", "monday.csv", "--weight", "d"], "sample_weight is negative in rows"),
            (["y.surefoot", "monday.csv", "--metric", "auc"], "metric must be one of accuracy, .* not 'auc'"),
            (["y.surefoot", "monday.csv", "--min-accuracy", "1.5"], "1.5 is not in the range 0<=x<=1"),
            (
                ["y.surefoot", "monday.csv", "--metric", "macro_f1", "--min-accuracy", "0.5"],
                "--min-accuracy is about the accuracy, not about macro_f1",
            ),
            (["y.surefoot", "monday.csv", "--json", "nowhere/out.json"], "the folder does not exist"),
            (["y.surefoot", "monday.csv", "--junit", "."], "is a folder"),
            (["y.surefoot", "monday.csv", "--model", "gone.onnx"], "gone.onnx is no file; give model.skops"),
            (
                ["y.surefoot", "monday.csv", "--model", "homemade.skops"],
                "types that are not known to be safe",
            ),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_in_run_get_a_sentence(self, arguments, message, shop, monkeypatch, capsys):
        monkeypatch.chdir(shop)
        assert run("estimate", "run", *arguments) == 2
        sentence(capsys, message)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("a,b,c,d,colour,old,code\n", "batch.csv: the batch is empty; give at least one row"),
            ("", "batch.csv is not a CSV file, or it is damaged"),
            ("a,b\n1\n", "batch.csv is not a CSV file, or it is damaged"),
            ("a,a,b,c,d,colour,old,code\n1,1,1,1,1,red,true,1\n", "batch.csv has several columns called a"),
            (
                "a,b,c,d,colour,old,code\n1,x,1,1,red,true,1\n",
                "column b holds text in the batch and numbers in",
            ),
            (
                "a,b,c,d,colour,old,code\n1,1,1,1,red,5,1\n",
                "column old holds numbers .* and true and false in",
            ),
            ("a;b\n1;1\n", "the batch has no column a, b, c, d, colour, old, code; it has a;b instead"),
            (b"PAR1\0\0", "batch.csv is a Parquet file, not delimited text"),
        ],
    )
    def test_batches_that_cannot_be_used(self, content, message, shop, tmp_path, capsys):
        path = tmp_path / "batch.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        assert run("estimate", "run", shop / "y.surefoot", path) == 2
        sentence(capsys, message)

    def test_labels_that_are_missing_or_unknown(self, shop, tmp_path, capsys):
        frame = pd.read_csv(shop / "labelled.csv")
        for value, message in ((None, "the labels are missing in row 7"), ("maybe", "the labels hold maybe")):
            frame.assign(y=frame["y"].where(frame.index != 7, value)).to_csv(
                tmp_path / "labelled.csv", index=False
            )
            given = ("--data", tmp_path / "labelled.csv", "-o", tmp_path / "new.surefoot")
            assert fit(shop, *given) == 2
            sentence(capsys, message)

    def test_too_few_rows_and_one_class(self, shop, tmp_path, capsys):
        frame = pd.read_csv(shop / "labelled.csv")
        for rows, message in (
            (frame[:50], "50 labelled rows are too few to learn from; give at least 100"),
            (frame[frame["y"] == "no"], "the labels are all the same"),
        ):
            rows.to_csv(tmp_path / "labelled.csv", index=False)
            assert fit(shop, "--data", tmp_path / "labelled.csv", "-o", tmp_path / "new") == 2
            sentence(capsys, message)

    def test_a_pickle_is_never_opened(self, tmp_path, capsys):
        class Evil:
            def __reduce__(self):
                return (tmp_path / "mark").touch, ()

        (tmp_path / "model.pkl").write_bytes(pickle.dumps(Evil()))
        (tmp_path / "y.surefoot").write_bytes(pickle.dumps(Evil()))
        (tmp_path / "batch.csv").write_text("a\n1\n")
        given = ("--data", tmp_path / "batch.csv", "--target", "a", "-o", tmp_path / "out")
        assert run("estimate", "fit", "--model", tmp_path / "model.pkl", *given) == 2
        assert run("estimate", "run", tmp_path / "y.surefoot", tmp_path / "batch.csv") == 2
        assert not (tmp_path / "mark").exists()
        assert "pickle" in capsys.readouterr().err


class TestProcesses:
    def test_run_loads_no_torch_and_says_the_same(self, shop):
        script = (
            "import sys; from surefoot.cli import main\n"
            "try: main(['estimate', 'run', 'y.surefoot', 'monday.csv', '--min-accuracy', '0.999'])\n"
            "except SystemExit as stop: code = stop.code\n"
            "heavy = [name for name in ('torch', 'catboost', 'polars', 'altair') if name in sys.modules]\n"
            "assert not heavy, heavy\n"
            "sys.exit(code)"
        )
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", script],
            cwd=shop,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        (one,) = asked(shop, "monday.csv")
        assert f"accuracy {one['value']:.3f} [{one['low']:.3f}, {one['high']:.3f}] on 200 rows" in done.stdout
        assert done.stderr.startswith("Gate failed: the accuracy on monday.csv")

    def test_a_slip_shows_no_traceback(self, shop):
        command = [sys.executable, "-m", "surefoot", "estimate", "run", "y.surefoot", "labelled.csv"]
        done = subprocess.run(command, cwd=shop, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith("Error: labelled.csv: the batch has columns")
        assert "Traceback" not in done.stderr


def sentence(capsys, message):
    """One sentence on stderr and no traceback."""
    said = capsys.readouterr()
    assert re.search(message if ".*" in message else re.escape(message), said.err), said.err
    assert "Traceback" not in said.err
    assert said.out == ""


def test_the_commands_are_in_the_help_of_the_group():
    shown = CliRunner().invoke(surefoot, ["estimate", "--help"])
    assert shown.exit_code == 0, shown.exception
    assert {"fit", "run", "benchmark"} <= set(shown.output.split())


def test_parquet_of_pandas_has_an_index_that_is_no_column(shop):
    assert "__index_level_0__" in pq.read_schema(shop / "monday.parquet").names
    assert asked(shop, "monday.parquet")[0]["n"] == 200
