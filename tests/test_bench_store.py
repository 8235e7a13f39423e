"""The store under what happens to it: processes that are killed, a full disk, two runs on one folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from pyarrow import parquet

from surefoot import load
from surefoot.bench import Job, Limits, Local, Place, Plan, Trial, compact, outstanding, read_results, run
from surefoot.bench._attempt import attempt

HERE = Path(__file__).parent

RUNNER = """
import resource, sys
from pathlib import Path
from surefoot.bench import Limits, Local, Plan, Trial, compact, read_plan, run
folder, largest = Path(sys.argv[1]), int(sys.argv[2])
if largest:
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
executor = Local(2)
for one in run(read_plan(folder).trials(), folder, executor, tell=lambda one: print(one.state, flush=True)):
    pass
executor.close()
compact(folder)
"""


def trials(count: int, witness: Path | None = None, **fields: object) -> list[Trial]:
    told = {"witness": str(witness)} if witness else {}
    return [Trial.of({"kind": "trials:KIND", "seed": seed, **told, **fields}) for seed in range(count)]


def planned(folder: Path, some: list[Trial]) -> None:
    Plan.of("toy", "", some, Limits()).write(folder)


def started(folder: Path, largest: int = 0) -> subprocess.Popen[str]:
    """A run in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", RUNNER, str(folder), str(largest)],
        env={**os.environ, "PYTHONPATH": str(HERE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def done_by(witness: Path) -> Counter[int]:
    """How often the work of each seed was begun."""
    return Counter(int(line.split()[0]) for line in witness.read_text().splitlines())


def workers_of(witness: Path) -> set[int]:
    return {int(line.split()[1]) for line in witness.read_text().splitlines()}


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def whole(place: Place) -> bool:
    """Whether everything that a finished trial promises can be read."""
    for name in place.status["files"]:
        if name == "predictions.parquet":
            load(place.folder / name)
        elif name.endswith(".parquet"):
            parquet.read_table(place.folder / name)
        else:
            json.loads((place.folder / name).read_text())
    return True


def test_a_trial_keeps_what_it_is_where_it_ran_and_what_came_out(tmp_path: Path):
    (trial,) = trials(1, do="predict")
    place = Place(tmp_path / trial.id)
    assert place.state() == "missing"
    job = Job(trial, place.folder)
    assert attempt(job, job.load).state == "finished"
    assert sorted(path.name for path in place.folder.iterdir()) == [
        ".claim",
        "environment.json",
        "log.txt",
        "predictions.parquet",
        "scorecard.json",
        "specification.json",
        "status.json",
    ]
    assert place.specification["trial"] == trial.to_dict()
    assert Trial.of(place.specification["trial"]).id == trial.id == place.specification["id"]
    assert json.loads((place.folder / "environment.json").read_text())["packages"]["numpy"]
    assert "trial 0 says hello" in (place.folder / "log.txt").read_text()
    taken = place.status["taken"]
    assert taken["wall_seconds"] > 0
    assert taken["peak_bytes"] > 1e7
    assert place.status["facts"]["parameters"] == 7
    assert whole(place)
    assert place.state() == "finished"


def test_a_truncated_or_missing_file_makes_a_trial_missing(tmp_path: Path):
    for trial, name in zip(trials(2, do="predict"), ("predictions.parquet", "scorecard.json"), strict=True):
        job = Job(trial, tmp_path / trial.id)
        attempt(job, job.load)
        path = job.folder / name
        if name == "scorecard.json":
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[:-1])
        assert not Place(job.folder).finished
        assert Place(job.folder).state() == "missing"
        assert attempt(job, job.load).state == "finished"
        assert whole(Place(job.folder))


def test_a_finished_trial_is_never_done_again(tmp_path: Path):
    witness = tmp_path / "witness"
    some = trials(3, witness)
    executor = Local(1)
    try:
        assert [one.state for one in run(some, tmp_path / "runs", executor)] == ["finished"] * 3
        assert run(some, tmp_path / "runs", executor) == []
    finally:
        executor.close()
    assert done_by(witness) == Counter(range(3))


def test_a_run_killed_by_force_leaves_nothing_half_and_goes_on(tmp_path: Path):
    witness, folder = tmp_path / "witness", tmp_path / "runs"
    some = trials(6, witness, do="sleep", seconds=2.0)
    planned(folder, some)
    with started(folder) as runner:
        assert runner.stdout is not None
        for _ in range(2):
            assert runner.stdout.readline() == "finished\n"
        time.sleep(0.1)
        runner.kill()
    end = time.monotonic() + 10  # without their parent the workers end by themselves
    while any(alive(pid) for pid in workers_of(witness)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(alive(pid) for pid in workers_of(witness))
    left = {trial.id for trial in outstanding(some, folder)}
    before = [trial for trial in some if trial.id not in left]
    assert 2 <= len(before) < 6
    assert all(whole(Place(folder / trial.id)) for trial in before)
    assert "stopped" in {Place(folder / id).state() for id in left}
    with started(folder) as runner:
        out, err = runner.communicate(timeout=60)
    assert runner.returncode == 0, err
    assert out.split() == ["finished"] * len(left)
    assert not outstanding(some, folder)
    assert all(done_by(witness)[trial.what.seed] == 1 for trial in before)
    assert sorted(read_results(folder, "numbers")["seed"].to_pylist()) == list(range(6))


@pytest.mark.parametrize("moment", [0.01, 0.05, 0.1, 0.2, 0.3])
def test_whenever_a_process_is_killed_what_is_believed_is_whole(moment: float, tmp_path: Path):
    some = trials(200, do="predict")
    planned(tmp_path, some)
    with started(tmp_path) as runner:
        assert runner.stdout is not None
        runner.stdout.readline()
        time.sleep(moment)
        runner.kill()
    believed = [place for trial in some if (place := Place(tmp_path / trial.id)).finished]
    assert believed
    assert len(believed) < 200
    assert all(whole(place) for place in believed)


def test_two_runs_on_one_folder_do_each_trial_once(tmp_path: Path):
    witness, folder = tmp_path / "witness", tmp_path / "runs"
    some = trials(16, witness, do="sleep", seconds=0.1)
    planned(folder, some)
    runners = [started(folder) for _ in range(2)]
    said = []
    for runner in runners:
        out, err = runner.communicate(timeout=120)
        assert runner.returncode == 0, err
        said += out.split()
    assert not outstanding(some, folder)
    assert done_by(witness) == Counter(range(16))
    assert set(said) <= {"finished", "elsewhere"}
    rows = parquet.read_table(folder / "trials.parquet")
    assert rows["state"].to_pylist() == ["finished"] * 16
    assert sorted(parquet.read_table(folder / "numbers.parquet")["seed"].to_pylist()) == list(range(16))


def test_a_trial_that_another_run_is_at_is_left_to_it(tmp_path: Path):
    (trial,) = trials(1)
    place = Place(tmp_path / trial.id)
    job = Job(trial, place.folder)
    with place.claim(0):
        assert place.state() == "running"
        assert attempt(job, job.load, patience=0.1).state == "elsewhere"
    assert attempt(job, job.load, patience=0.1).state == "finished"


def test_a_full_disk_ends_the_run_and_loses_nothing(tmp_path: Path):
    witness = tmp_path / "witness"
    small, large = trials(2, witness), trials(4, witness, do="write", size=200_000)[2:]
    planned(tmp_path / "runs", [*small, *large])
    with started(tmp_path / "runs", largest=100_000) as runner:
        _, err = runner.communicate(timeout=60)
    assert runner.returncode == 1
    assert "could not be written" in err
    assert "make room, then resume" in err
    assert {trial.id for trial in outstanding([*small, *large], tmp_path / "runs")} == {
        trial.id for trial in large
    }
    with started(tmp_path / "runs") as runner:
        _, err = runner.communicate(timeout=60)
    assert runner.returncode == 0, err
    assert not outstanding([*small, *large], tmp_path / "runs")
    counts = done_by(witness)
    assert counts[0] == counts[1] == 1
    assert not list((tmp_path / "runs").glob("*/.surefoot-*"))


def test_joined_results_replace_each_other_whole(tmp_path: Path):
    some = trials(3, do="predict")
    planned(tmp_path, some)
    for trial in some[:2]:
        job = Job(trial, tmp_path / trial.id)
        attempt(job, job.load)
    assert set(compact(tmp_path)) == {"results", "members", "trials"}
    first = read_results(tmp_path)
    assert set(first["trial"].to_pylist()) == {trial.id for trial in some[:2]}
    assert dict(Counter(read_results(tmp_path, "trials")["state"].to_pylist())) == {
        "finished": 2,
        "missing": 1,
    }
    card = Place(tmp_path / some[0].id).scorecard()
    here = [row for row in first.to_pylist() if row["trial"] == some[0].id]
    assert [row["value"] for row in here] == [row["value"] for row in card["rows"]]
    assert [row["n"] for row in here] == [row["n"] for row in card["rows"]]


def test_joining_is_done_anew_when_a_trial_has_changed_and_only_then(tmp_path: Path):
    some = trials(2, do="predict")
    planned(tmp_path, some)

    def joined() -> int:
        return compact(tmp_path)["trials"].stat().st_mtime_ns

    jobs = [Job(trial, tmp_path / trial.id) for trial in some]
    attempt(jobs[0], jobs[0].load)
    first = joined()
    assert joined() == first
    attempt(jobs[1], jobs[1].load)
    second = joined()
    assert second != first
    assert joined() == second
    (tmp_path / "members.parquet").unlink()
    assert joined() != second
    assert (tmp_path / "members.parquet").is_file()
    assert len(set(read_results(tmp_path)["trial"].to_pylist())) == 2
    planned(tmp_path, some[:1])
    assert set(read_results(tmp_path)["trial"].to_pylist()) == {some[0].id}


def test_tables_of_trials_that_left_the_plan_go(tmp_path: Path):
    some = [*trials(1), *trials(1, do="predict")]
    planned(tmp_path, some)
    for trial in some:
        job = Job(trial, tmp_path / trial.id)
        attempt(job, job.load)
    assert "numbers" in compact(tmp_path)
    planned(tmp_path, some[1:])
    assert set(compact(tmp_path)) == {"results", "members", "trials"}


def test_signals_do_not_reach_the_workers_of_an_interrupted_run(tmp_path: Path):
    some = trials(4, do="sleep", seconds=5)
    planned(tmp_path, some)
    with started(tmp_path) as runner:
        deadline = time.monotonic() + 60
        while not any(Place(tmp_path / one.id).status for one in some) and time.monotonic() < deadline:
            time.sleep(0.05)
        runner.send_signal(signal.SIGINT)
        _, err = runner.communicate(timeout=30)
    assert "KeyboardInterrupt" in err
    assert len(outstanding(some, tmp_path)) == 4
    assert {Place(tmp_path / trial.id).state() for trial in some} == {"stopped", "missing"}
