"""All detectors together, and `surefoot shift detect` as a user meets it."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet
from scipy import stats

from surefoot.cli import main
from surefoot.errors import InputError
from surefoot.shifts.detectors import TESTS, column_tests, detect


def table(seed, n, *, age=40.0, job=(0.5, 0.3, 0.2), gaps=0.0):
    """Three columns and labels."""
    rng = np.random.default_rng(seed)
    income = rng.normal(size=n)
    return pa.table(
        {
            "age": rng.normal(age, 10, n).round(),
            "income": pa.array(income, mask=rng.random(n) < gaps),
            "job": pa.array(rng.choice(["baker", "cook", "none"], n, p=job)),
            "y": rng.integers(0, 2, n),
        }
    )


def probs(seed, n, sure=2.0):
    return np.random.default_rng(seed).dirichlet([sure, 1, 1], n)


class TestDetect:
    def test_names_what_moved_and_nothing_else(self):
        found = detect(table(0, 400), table(1, 300, age=50), target="y")
        assert found.drifted
        assert [column.name for column in found.moved] == ["age"]
        assert found.columns[0].change.startswith("median 40 → 5")
        assert found.verdict.startswith("The batch has moved: 1 of 3 columns, most of all age (median 40 →")
        assert repr(found) == f"Detection({found.verdict})"
        assert [one.name for one in found.tests] == ["columns", "domain_classifier", "mmd", "target"]
        assert found["columns"].drifted
        assert not found["target"].drifted
        assert max(found.columns, key=lambda column: column.importance).name == "age"

    def test_every_test_with_probabilities(self):
        found = detect(
            table(0, 200), table(1, 150), probs_reference=probs(0, 200), probs_batch=probs(1, 150, sure=9)
        )
        assert tuple(one.name for one in found.tests) == TESTS
        assert [one.drifted for one in found.tests] == [False, False, False, True, True, True]
        assert found.drifted
        assert not found.moved
        assert "no single column shows it: found by bbsd_soft (KS 0." in found.verdict
        for one in found.tests:
            assert one.adjusted == min(1, 6 * one.p_value)
            assert one.drifted == (one.adjusted <= 0.05)
            assert (one.n_reference, one.n_batch) == (200, 150)

    def test_columns_are_those_of_the_column_tests(self):
        a, b = table(0, 100), table(1, 80, gaps=0.3)
        found = detect(a, b, tests=["columns"])
        expected = column_tests(a, b)
        p_values = dict(zip(expected.names, expected.p_value, strict=True))
        assert {column.name: column.p_value for column in found.columns} == pytest.approx(p_values)
        assert found.drifted
        assert found.moved[0].name == "income"
        assert found.moved[0].missing_batch == pytest.approx(b["income"].null_count / 80)
        assert found.moved[0].importance is None

    def test_labels_are_a_test_of_their_own(self):
        a, b = table(0, 200), table(1, 200)
        b = b.set_column(3, "y", pa.array(np.ones(200, dtype=int)))
        assert detect(a, b, target="y", tests=["columns"])["target"].drifted
        assert "y" not in [column.name for column in detect(a, b, target="y", tests=["columns"]).columns]
        alone = detect(a, b.drop_columns("y"), target="y", tests=["columns"])
        assert [one.name for one in alone.tests] == ["columns"]
        assert not alone.drifted

    def test_false_alarms_of_everything_together(self):
        alarms = [
            detect(table(i, 50), table(900 + i, 40), tests=["columns", "mmd"], alpha=0.2).drifted
            for i in range(80)
        ]
        assert sum(alarms) <= stats.binom.ppf(1 - 1e-4, 80, 0.2)

    def test_the_order_of_rows_and_columns_does_not_matter(self):
        rng = np.random.default_rng(0)
        a, b = table(0, 90), table(1, 70, job=(0.1, 0.1, 0.8))
        found = detect(a, b, tests=["columns"])
        turned = detect(
            a.take(rng.permutation(90)),
            b.take(rng.permutation(70)).select(b.column_names[::-1]),
            tests=["columns"],
        )
        assert turned.columns == found.columns
        assert turned.tests == found.tests

    def test_notes(self):
        rng = np.random.default_rng(0)
        a = pa.table(
            {"x": rng.normal(size=2_100), "c": ["a"] * 2_100, "t": pa.array(range(2_100), pa.timestamp("s"))}
        )
        b = pa.table(
            {
                "x": rng.normal(size=90),
                "c": ["a"] * 81 + ["b"] * 9,
                "t": pa.array(range(90), pa.timestamp("s")),
            }
        )
        assert detect(a, b, tests=["columns", "mmd"]).notes == (
            "mmd looked at a random 2,000 rows of the reference and 90 of the batch.",
            "Left out, because a batch is always of another time: t.",
            "c: 10.0 % of the batch's rows have a category that the reference never has.",
        )

    def test_a_small_alpha_gets_enough_permutations(self):
        found = detect(table(0, 60), table(1, 60, age=90), tests=["mmd"], alpha=1e-3)
        assert found.drifted

    def test_json(self, tmp_path):
        found = detect(table(0, 50), table(1, 50, gaps=0.5), target="y", ignore=["job"], seed=4)
        stored = json.loads(found.to_json(tmp_path / "d.json"))
        assert stored == found.to_dict() == json.loads((tmp_path / "d.json").read_text())
        assert stored["columns"][0]["name"] == "income"
        assert stored["info"]["ignored"] == ["job"]
        assert (stored["info"]["seed"], stored["info"]["n_reference"]) == (4, 50)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"tests": ["psi"]}, "a test must be one of columns, domain_classifier"),
            ({"tests": []}, "tests is empty"),
            ({"tests": ["bbsd_soft"]}, "bbsd_soft needs class probabilities"),
            ({"probs_batch": [[0.5, 0.5]]}, "probs_reference is missing"),
            ({"alpha": 5}, "alpha must be"),
            ({"target": "z"}, "there is no column z"),
            ({"ignore": ["z"]}, "no column z to ignore"),
        ],
    )
    def test_bad_options(self, options, message):
        with pytest.raises(InputError, match=message):
            detect(table(0, 30), table(1, 30), **options)

    def test_bad_tables(self):
        with pytest.raises(InputError, match="at least 20 rows a side.*reference has 30 and the batch 19"):
            detect(table(0, 30), table(1, 19))
        with pytest.raises(InputError, match="is no table"):
            detect([1, 2, 3], table(1, 30))
        with pytest.raises(InputError, match="no test|'mmd' was not tested"):
            detect(table(0, 30), table(1, 30), tests=["columns"])["mmd"]
        times = pa.table({"t": pa.array(range(30), pa.timestamp("s"))})
        with pytest.raises(InputError, match="all columns hold dates or times"):
            detect(times, times)


def run(*arguments):
    """Exit code of a command run in this process."""
    try:
        main(["shift", "detect", *map(str, arguments)])
    except SystemExit as stop:
        return stop.code or 0
    return 0


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A reference, a batch like it and one that moved, as Parquet and as CSV."""
    folder = tmp_path_factory.mktemp("tables")
    for name, content in {
        "reference": table(0, 200),
        "same": table(1, 150),
        "moved": table(2, 150, age=60),
        "short": table(3, 5),
    }.items():
        parquet.write_table(content, folder / f"{name}.parquet")
        csv.write_csv(content, folder / f"{name}.csv")
    return folder


class TestCommand:
    @pytest.mark.parametrize("kind", ["parquet", "csv"])
    def test_prints_the_verdict_first_and_fails_only_if_asked(self, files, kind, capsys, tmp_path):
        moved = (files / f"reference.{kind}", files / f"moved.{kind}", "--target", "y")
        assert run(*moved, "--json", tmp_path / "d.json") == 0
        out = capsys.readouterr().out
        assert out.startswith("The batch has moved: 1 of 3 columns, most of all age (median ")
        for expected in (
            "domain_classifier",
            "AUROC",
            "target",
            "Columns by how much they moved",
            "income",
            "importance",
        ):
            assert expected in out
        assert json.loads((tmp_path / "d.json").read_text())["drifted"] is True
        assert run(*moved, "--fail-on-drift") == 1

    def test_no_drift_is_fine(self, files, capsys):
        assert run(files / "reference.csv", files / "same.parquet", "--fail-on-drift", "--target", "y") == 0
        assert capsys.readouterr().out.startswith("No drift found: the 4 tests of 3 columns found nothing")

    def test_chosen_tests_and_columns(self, files, capsys):
        arguments = (
            "--test",
            "columns",
            "--ignore",
            "age",
            "--ignore",
            "y",
            "--alpha",
            "0.01",
            "--fail-on-drift",
        )
        assert run(files / "reference.csv", files / "moved.csv", *arguments) == 0
        out = capsys.readouterr().out
        assert "the 1 test of 2 columns found nothing" in out
        assert "(alpha 0.01)" in out
        assert "importance" not in out

    def test_many_columns_are_cut(self, tmp_path, capsys):
        rng = np.random.default_rng(0)
        for name in ("a", "b"):
            many = pa.table({f"x{j}": rng.normal(size=50) for j in range(25)})
            parquet.write_table(many, tmp_path / f"{name}.parquet")
        assert run(tmp_path / "a.parquet", tmp_path / "b.parquet", "--test", "columns") == 0
        assert "(the first 20 of 25)" in capsys.readouterr().out

    def test_text_stays_text_in_the_other_csv(self, tmp_path):
        (tmp_path / "a.csv").write_text("code,x\n" + "A1,1\n7,2\n" * 20)
        (tmp_path / "b.csv").write_text("code,x\n" + "7,1.5\n8,2\n" * 20)
        assert run(tmp_path / "a.csv", tmp_path / "b.csv", "--test", "columns", "--fail-on-drift") == 1

    @pytest.mark.parametrize(
        ("batch", "message"),
        [
            ("short.csv", "at least 20 rows a side"),
            ("none.csv", "is no file"),
            ("extra.csv", "the column z that the reference lacks"),
            ("lacking.csv", "lacks the columns income, job"),
            ("kinds.csv", "column age is numeric in the reference but text in the batch"),
            ("notes.txt", "must end in .parquet or .csv"),
            ("broken.parquet", "is not a Parquet file"),
        ],
    )
    def test_bad_input_is_one_sentence_and_exit_code_2(self, files, batch, message, capsys):
        frame = table(5, 30).to_pandas()
        frame.assign(z=1).to_csv(files / "extra.csv", index=False)
        frame[["age", "y"]].to_csv(files / "lacking.csv", index=False)
        frame.assign(age="old").to_csv(files / "kinds.csv", index=False)
        (files / "notes.txt").write_text("hello")
        (files / "broken.parquet").write_text("hello")
        assert run(files / "reference.csv", files / batch) == 2
        captured = capsys.readouterr()
        assert message in captured.err
        assert captured.err.count("\n") == 1
        assert captured.out == ""

    def test_bad_usage(self, files, capsys):
        assert run(files / "reference.csv", files / "same.csv", "--test", "psi") == 2
        assert run(files / "reference.csv", files / "same.csv", "--json", files) == 2
        assert run(files / "reference.csv", files / "same.csv", "--alpha", "2") == 2
        assert "alpha must be a false-alarm rate between 0 and 1" in capsys.readouterr().err
