"""`surefoot estimate benchmark` as a user meets it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest
from pyarrow import parquet

from benchmark_cases import MIXED, NUMERIC, bank_deposit, everything, heart, imported, made_up
from surefoot import report
from surefoot.bench import Trial, place_of
from surefoot.estimators import benchmark
from surefoot.estimators.benchmark import Profile, full, names, quick, read
from surefoot.estimators.benchmark._results import SCHEMA
from test_estimators_cli import run

SIZES = ("--seeds", 1, "--scenarios", 1, "--domains", 4, "--workers", 1)


@pytest.fixture(scope="module", autouse=True)
def shelf(tmp_path_factory):
    with made_up(tmp_path_factory.mktemp("cache")) as folder:
        yield folder


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Batches of 250 rows."""
    monkeypatch.setattr(benchmark, "full", lambda: Profile(rows=250))


def bench(*arguments):
    """Exit code of the command, run in this process."""
    return run("estimate", "benchmark", *arguments)


class TestEndToEnd:
    @pytest.fixture(scope="class")
    @classmethod
    def home(cls, tmp_path_factory):
        return tmp_path_factory.mktemp("home")

    def test_runs_writes_and_prints(self, home, capsys):
        chosen = [part for name in ("published", "ablation", "domains") for part in ("--experiment", name)]
        arguments = (
            "--dataset",
            "Heart",
            *SIZES,
            *chosen,
            "--out",
            home / "out",
            "--markdown",
            home / "tables.md",
        )
        assert bench(*arguments) == 0
        shown = capsys.readouterr()
        lines = [line for line in shown.err.splitlines() if line.startswith("[")]
        assert [re.sub(r": \d+ s, .* left$", "", line) for line in lines] == [
            f"[{i}/3] heart, {name}, seed 0" for i, name in enumerate(("published", "ablation", "domains"), 1)
        ]
        assert lines[-1].endswith("less than a minute left")
        assert f"Results: {home / 'out' / 'batches.parquet'}" in shown.err
        for words in (
            "Table III: unseen shift",
            "Table VII",
            "Figure 5: variants",
            "Figure 6b",
            "PICP: share",
        ):
            assert words in shown.out
        assert "The paper's claims" in shown.out
        assert "does not hold: " in shown.out or "  holds: " in shown.out
        found = read(home / "out" / "batches.parquet")
        assert set(found.there("experiment")) == {"published", "ablation", "domains"}
        assert found.there("dataset") == ("heart",)
        assert "**The paper's claims**" in (home / "tables.md").read_text()

    def test_a_second_time_it_reads_what_is_there(self, home, capsys, monkeypatch):
        monkeypatch.setattr("surefoot.bench.run", None)
        chosen = ("--experiment", "published", "--experiment", "ablation")
        assert bench("--dataset", "heart", *SIZES, *chosen, "--out", home / "out") == 0
        shown = capsys.readouterr()
        assert "[" not in shown.err
        assert "Figure 5: variants" in shown.out
        assert "Figure 6b" not in shown.out  # nobody asked for it this time

    def test_again_does_an_experiment_anew(self, home, capsys):
        trial = Trial("estimate", benchmark.Trial(NUMERIC, 0, "domains", 1, 4, 250))
        file = place_of(trial, home / "out").folder / "status.json"
        before = file.stat().st_mtime_ns
        arguments = ("--dataset", "heart", *SIZES, "--experiment", "domains", "--out", home / "out")
        assert bench(*arguments) == 0
        assert file.stat().st_mtime_ns == before
        assert bench(*arguments, "--again", "domains") == 0
        assert file.stat().st_mtime_ns > before
        capsys.readouterr()


class TestTables:
    @pytest.fixture(scope="class")
    @classmethod
    def path(cls, tmp_path_factory):
        """Results of a whole run that never was."""
        found = everything()
        path = tmp_path_factory.mktemp("results") / "results.parquet"
        columns = {
            name: [found.names[name][code] for code in found[name]] if name in found.names else found[name]
            for name in SCHEMA.names
        }
        parquet.write_table(SCHEMA.empty_table().from_pydict(columns, schema=SCHEMA), path)
        return path

    def test_are_made_of_a_file_without_running_anything(self, path, capsys, tmp_path, monkeypatch):
        monkeypatch.setattr("surefoot.bench.run", None)
        monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "empty"))
        assert bench("--tables", path) == 0
        shown = capsys.readouterr()
        assert "Figure 6a: kinds of shift in training" in shown.out
        assert "Not in the paper: Auto is better" in shown.out
        assert shown.err == ""

    def test_as_markdown_go_to_the_screen_or_between_marks(self, path, capsys, tmp_path):
        readme = tmp_path / "README.md"
        readme.write_text("Before.\n<!-- results -->\n<!-- end of results -->\nAfter.\n")
        assert bench("--tables", path, "--format", "md", "--markdown", readme) == 0
        document = capsys.readouterr().out
        assert document.startswith("**What was run**\n\n| dataset | seeds |")
        assert document.rstrip().endswith("cases that are counted; mostly: in at least 60%")
        assert (
            readme.read_text()
            == f"Before.\n<!-- results -->\n\n{document}\n<!-- end of results -->\nAfter.\n"
        )

    def test_and_a_page(self, path, capsys, tmp_path, monkeypatch):
        seen = []
        monkeypatch.setattr(report, "save_benchmark", lambda results, path: seen.append((len(results), path)))
        assert bench("--tables", path, "--report", tmp_path / "page.html") == 0
        assert seen == [(len(read(path)), tmp_path / "page.html")]
        capsys.readouterr()


class TestFailures:
    def test_of_some_trials_are_told_and_the_exit_code_says_so(self, tmp_path, capsys):
        (tmp_path / "cache").mkdir()
        few = bank_deposit().head(1200)
        with imported(tmp_path / "cache", **{NUMERIC: heart(), MIXED: few}):
            arguments = ("--dataset", MIXED, "--dataset", "heart", *SIZES, "--experiment", "domains")
            assert bench(*arguments, "--out", tmp_path / "out") == 3
        shown = capsys.readouterr()
        married = (few["marital"] == "married").sum()
        reason = f"the source domain of bank_deposit has {married} rows; 1000 are needed"
        assert f"Failed: bank_deposit, domains, seed 0: {reason}\n" in shown.err
        assert f"bank_deposit, domains, seed 0: failed: {reason}" in shown.err
        assert "What was run" in shown.out
        assert read(tmp_path / "out" / "batches.parquet").there("dataset") == ("heart",)

    def test_of_all_leave_nothing_to_show(self, tmp_path, capsys):
        assert bench("--dataset", "sdss", "--offline", "--out", tmp_path) == 2
        shown = capsys.readouterr()
        assert "Failed: sdss: sdss is not in the cache; no package carries sdss: get " in shown.err
        assert (
            "Error: no trial has come to its end, so there are no results; the reasons are above" in shown.err
        )
        assert not (tmp_path / "batches.parquet").exists()

    def test_a_dataset_that_cannot_be_had_costs_no_other(self, tmp_path, capsys):
        arguments = ("--dataset", "sdss", "--dataset", "heart", *SIZES, "--experiment", "domains")
        assert bench(*arguments, "--out", tmp_path) == 3
        shown = capsys.readouterr()
        assert "Fetching sdss …" in shown.err
        assert "Failed: sdss: no package carries sdss: get " in shown.err
        assert "heart" in shown.out

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("--dataset", "hart"), "there is no dataset named 'hart'; did you mean heart?"),
            (("--dataset", "wages"), "wages is no dataset to classify with a natural split; choose from "),
            (
                ("--tables", "gone.parquet"),
                "gone.parquet is no file; give the Parquet file that surefoot estimate",
            ),
            (("--domains", 3), "Invalid value for '--domains': 3 is not in the range x>=4"),
            (("--seeds", 0), "Invalid value for '--seeds': 0 is not in the range x>=1"),
            (("--experiment", "guess"), "'guess' is not one of 'published', 'ours'"),
            (
                ("--report", "no/such/folder/page.html"),
                "no/such/folder/page.html cannot be written: the folder does",
            ),
            (("--markdown", "."), ". is a folder; give the name of a file in it"),
        ],
    )
    def test_bad_input_is_a_sentence_before_anything_runs(
        self, arguments, sentence, tmp_path, capsys, monkeypatch
    ):
        monkeypatch.setattr("surefoot.bench.run", None)
        monkeypatch.chdir(tmp_path)
        assert bench(*arguments) == 2
        shown = capsys.readouterr()
        assert sentence in shown.err
        assert "Traceback" not in shown.err
        assert shown.out == ""
        assert not (tmp_path / "estimate-benchmark").exists()


def test_ctrl_c_leaves_a_state_that_resumes(tmp_path, capsys):
    arguments = [
        "--dataset",
        "heart",
        "--scenarios",
        "1",
        "--domains",
        "4",
        "--experiment",
        "domains",
        "--seeds",
        "3",
    ]
    command = [sys.executable, "-m", "surefoot", "estimate", "benchmark", *arguments, "--out", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        first = process.stderr.readline()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the command and its workers alike
        said = process.stderr.read()
    assert first.startswith("[1/3] heart, domains, seed ")
    assert process.returncode == 130
    assert "Traceback" not in said
    done = int(
        re.search(r"^([12]) of 3 trials are finished; the same command goes on\.$", said, re.MULTILINE)[1]
    )
    assert said.endswith("Interrupted.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(benchmark, "full", full)  # as the command in its own process
        assert bench(*arguments, "--workers", 1, "--out", tmp_path) == 0
    shown = capsys.readouterr()
    again = re.findall(r"^\[\d/\d\]", shown.err, re.MULTILINE)
    assert len(again) <= 3 - done  # a trial may have ended after they were counted
    assert set(read(tmp_path / "batches.parquet")["seed"].tolist()) == {0, 1, 2}


class TestProfiles:
    def test_the_full_one_has_the_papers_sizes(self):
        profile = full()
        assert (profile.seeds, profile.batches, profile.domains, profile.rows) == (10, 100, 100, 500)
        assert profile.datasets == names()
        assert len(profile.datasets) >= 10
        trials = list(profile.trials())
        assert len(set(trials)) == len(trials) == 10 * (2 * len(profile.datasets) + 3 * 3)

    def test_the_quick_one_is_some_datasets_and_a_tenth(self):
        profile = quick()
        assert (profile.seeds, profile.batches, profile.domains) == (1, 10, 10)
        assert NUMERIC in profile.datasets
        assert set(profile.datasets) < set(names())

    def test_a_run_that_is_stopped_has_something_of_every_dataset(self):
        trials = list(Profile(datasets=("compas", "adult"), seeds=2).trials())
        first = trials[: len(trials) // 2]
        assert {trial.seed for trial in first} == {0}
        assert {trial.dataset for trial in first} == {"adult", "compas"}

    def test_closer_looks_are_at_a_few(self):
        assert full().looked_at() == ["adult", "bank", "credit_default"]
        assert list(Profile(datasets=("compas", "heart"), closer=1).looked_at()) == ["compas"]
        closer = {
            trial.dataset
            for trial in Profile(datasets=("compas", "bank")).trials()
            if trial.experiment == "kinds"
        }
        assert closer == {"bank"}
