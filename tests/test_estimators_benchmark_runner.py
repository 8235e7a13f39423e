"""Running trials: what is finished is never done again, whoever was killed; what fails costs nothing else."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pyarrow as pa
import pytest
from pyarrow import parquet

from benchmark_cases import NUMERIC, assert_same, made_up, result
from surefoot.estimators.benchmark import (
    RESULTS,
    Ended,
    Trial,
    file_of,
    finished,
    join,
    keep,
    outstanding,
    read,
    run_all,
)
from surefoot.estimators.benchmark import _runner as runner
from surefoot.estimators.benchmark._clock import Clock
from surefoot.estimators.benchmark._results import SCHEMA

BUNDLE = [Trial(NUMERIC, 0, "domains", batches=1, domains=domains, rows=250) for domains in (2, 3, 4)]
"""Trials of one setting, which one worker does in their order."""

TRIALS = [replace(trial, seed=seed) for trial in BUNDLE for seed in (0, 1)]

RUN = """
import multiprocessing, sys
from pathlib import Path
from surefoot.estimators.benchmark import Trial, run_all

trials = [Trial(*fields) for fields in {fields}]

def tell(ended):
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)

if __name__ == "__main__":
    run_all(trials, Path(sys.argv[1]), workers=2, tell=tell)
"""


@pytest.fixture(scope="module", autouse=True)
def shelf(tmp_path_factory):
    with made_up(tmp_path_factory.mktemp("cache")) as folder:
        yield folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    assert run_all(BUNDLE, folder) == {}
    return parquet.read_table(join(BUNDLE, folder))


@pytest.fixture
def instant(monkeypatch):
    """Trials that take no time, and which of them were run, in their order."""
    done = []

    def run(trial):
        done.append(trial)
        if trial.dataset == "broken":
            raise ValueError("it\n  broke")
        if trial.dataset == "silent":
            raise ZeroDivisionError
        return pa.Table.from_pylist([result(dataset=trial.dataset, seed=trial.seed)], schema=SCHEMA)

    monkeypatch.setattr(runner, "run", run)
    return done


def gone(pid):
    """Whether a process has ended."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


class TestKilled:
    def test_a_run_killed_by_force_resumes_and_gives_the_same_as_one_left_alone(self, whole, tmp_path):
        fields = [tuple(vars(trial).values()) for trial in BUNDLE]
        command = [sys.executable, "-c", RUN.format(fields=fields), str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            worker = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        deadline = time.monotonic() + 60
        while not gone(worker):  # it ends by itself after the trial it was at
            assert time.monotonic() < deadline
            time.sleep(0.05)
        before, left = finished(BUNDLE, tmp_path), outstanding(BUNDLE, tmp_path)
        assert before[0] == BUNDLE[0]
        assert left[-1] == BUNDLE[-1]
        stamps = {trial: file_of(trial, tmp_path).stat().st_mtime_ns for trial in before}

        told = []
        assert run_all(BUNDLE, tmp_path, tell=told.append) == {}
        assert [ended.trial for ended in told] == left
        assert {trial: file_of(trial, tmp_path).stat().st_mtime_ns for trial in before} == stamps
        assert_same(parquet.read_table(join(BUNDLE, tmp_path)), whole)

    def test_a_worker_that_dies_costs_the_trial_it_was_at(self, tmp_path):
        told = []

        def tell(ended):
            told.append(ended.trial)
            if len(told) == 1:
                (worker,) = multiprocessing.active_children()
                os.kill(worker.pid, signal.SIGKILL)

        failures = run_all(BUNDLE, tmp_path, workers=2, tell=tell)
        assert failures == {BUNDLE[1]: "its process ended with code -9"}
        assert told == BUNDLE
        assert finished(BUNDLE, tmp_path) == [BUNDLE[0], BUNDLE[2]]
        assert not multiprocessing.active_children()

    def test_a_trial_whose_writing_is_cut_short_has_no_file(self, instant, tmp_path, monkeypatch):
        def cut(table, path):
            path.write_bytes(b"PAR1 half of it")
            raise KeyboardInterrupt

        monkeypatch.setattr(parquet, "write_table", cut)
        with pytest.raises(KeyboardInterrupt):
            run_all(TRIALS, tmp_path)
        assert list((tmp_path / "trials").iterdir()) == []
        assert outstanding(TRIALS, tmp_path) == TRIALS


class TestLoop:
    def test_runs_what_has_no_results_and_nothing_else(self, instant, tmp_path):
        assert run_all(TRIALS[:2], tmp_path) == {}
        assert run_all(TRIALS, tmp_path) == {}
        assert run_all(TRIALS, tmp_path) == {}
        assert sorted(instant, key=TRIALS.index) == TRIALS
        assert finished(TRIALS, tmp_path) == TRIALS
        assert outstanding(TRIALS, tmp_path) == []

    def test_trials_of_one_setting_go_together(self, instant, tmp_path):
        run_all(TRIALS, tmp_path)
        assert [trial.seed for trial in instant] == [0, 0, 0, 1, 1, 1]

    @pytest.mark.parametrize(("dataset", "reason"), [("broken", "it broke"), ("silent", "ZeroDivisionError")])
    def test_a_trial_that_fails_stops_no_other_and_comes_back_with_the_reason(
        self, dataset, reason, instant, tmp_path
    ):
        bad = Trial(dataset, 0)
        told = []
        assert run_all([bad, TRIALS[0]], tmp_path, tell=told.append) == {bad: reason}
        assert [(ended.trial, ended.error) for ended in told] == [(bad, reason), (TRIALS[0], None)]
        assert outstanding([bad, TRIALS[0]], tmp_path) == [bad]
        run_all([bad], tmp_path)
        assert instant.count(bad) == 2  # it is tried again

    def test_workers_report_failures_too(self, tmp_path):
        missing = Trial("sdss", 0)
        (reason,) = run_all([missing], tmp_path, workers=2).values()
        assert reason.startswith("sdss is not in the cache; no package carries sdss: get ")

    def test_nothing_to_do_starts_no_process(self, tmp_path, monkeypatch):
        monkeypatch.setattr(runner, "_Worker", None)
        assert run_all([], tmp_path, workers=2) == {}

    def test_processes_have_one_thread_each_and_the_parent_as_many_as_before(self, monkeypatch):
        monkeypatch.setenv("OMP_NUM_THREADS", "7")
        monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
        with runner._one_thread_each():
            assert os.environ["OMP_NUM_THREADS"] == os.environ["MKL_NUM_THREADS"] == "1"
        assert os.environ["OMP_NUM_THREADS"] == "7"
        assert "MKL_NUM_THREADS" not in os.environ


class TestFiles:
    def test_all_results_are_joined_in_the_order_of_the_trials(self, tmp_path):
        for trial in (TRIALS[3], TRIALS[0]):
            keep(trial, pa.Table.from_pylist([result(seed=trial.seed)], schema=SCHEMA), tmp_path)
        path = join(TRIALS, tmp_path)
        assert path == tmp_path / RESULTS
        assert read(path)["seed"].tolist() == [0, 1]
        assert read(join(TRIALS[:1], tmp_path))["seed"].tolist() == [0]

    def test_every_trial_has_a_file_of_its_own(self, tmp_path):
        assert len({file_of(trial, tmp_path) for trial in TRIALS}) == len(TRIALS)


class TestClock:
    def test_takes_trials_of_one_experiment_to_last_alike(self):
        published, ours = (
            [Trial(NUMERIC, seed, name) for seed in range(3)] for name in ("published", "ours")
        )
        clock = Clock([*published, *ours], workers=2)
        assert clock.left != clock.left
        clock.heard(Ended(published[0], 10.0))
        assert (clock.done, clock.total) == (1, 6)
        assert clock.left == (2 * 10 + 3 * 10) / 2
        clock.heard(Ended(ours[0], 100.0))
        clock.heard(Ended(ours[1], 0.1, "it broke"))
        assert clock.left == (2 * 10 + 1 * 100) / 2

    def test_of_nothing_left_is_at_its_end(self):
        assert Clock([]).left == 0
