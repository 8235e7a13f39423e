"""The local engine: trials that fail, die or take too long stop no other, and processes are kept warm."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from surefoot.bench import Clock, Ended, Job, Limits, Local, Place, Trial, run
from surefoot.cli._progress import progress


@pytest.fixture(scope="module")
def executor() -> Iterator[Local]:
    local = Local(2)
    yield local
    local.close()


def trial(seed: int, do: str = "nothing", **fields: object) -> Trial:
    return Trial.of({"kind": "trials:KIND", "seed": seed, "do": do, **fields})


def test_trials_that_fail_or_die_stop_no_other(executor: Local, tmp_path: Path):
    some = [trial(0, "fail"), trial(1), trial(2, "die"), trial(3), trial(4, "load fails", group=1), trial(5)]
    ended = {one.job.trial.what.seed: one for one in run(some, tmp_path, executor)}
    assert {seed: one.state for seed, one in ended.items()} == {
        0: "failed", 1: "finished", 2: "failed", 3: "finished", 4: "failed", 5: "finished",
    }  # fmt: skip
    reasons = {seed: one.reason for seed, one in ended.items() if one.reason}
    assert reasons[0] == "it was meant to fail"
    assert reasons[2].startswith("its process died")
    assert reasons[4] == "there are no data"
    for seed, reason in reasons.items():
        place = Place(tmp_path / some[seed].id)
        assert place.state() == "failed"
        assert place.status["reason"] == reason
    assert "ValueError: it was meant" in (tmp_path / some[0].id / "log.txt").read_text()


def test_a_trial_that_overruns_its_time_is_ended_and_the_others_go_on(executor: Local, tmp_path: Path):
    some = [trial(0, "sleep", seconds=60.0), *(trial(seed, "sleep", seconds=0.3) for seed in range(1, 8))]
    ended = run(
        some, tmp_path, executor, limits=lambda one: Limits(timeout=1.5 if one.what.seed == 0 else 30)
    )
    states = {one.job.trial.what.seed: (one.state, one.reason) for one in ended}
    assert states.pop(0) == ("failed", "it took longer than 1.5 s")
    assert set(states.values()) == {("finished", "")}
    assert ended[-1].seconds < 10
    # what had been running beside it was not begun again
    assert all(Place(tmp_path / one.id).finished for one in some[1:])


def test_processes_stay_warm_and_load_shared_data_once(executor: Local, tmp_path: Path):
    some = [trial(seed, group=seed % 2) for seed in range(20)]
    run(some, tmp_path, executor)
    data = {(one.what.group, Place(tmp_path / one.id).status["facts"]["data"]) for one in some}
    pids = {Place(tmp_path / one.id).status["pid"] for one in some}
    assert len(pids) <= 2
    assert len(data) <= 3  # a process that has no more of its group helps with the other
    run([trial(seed) for seed in range(20, 24)], tmp_path, executor)
    assert {Place(tmp_path / trial(seed).id).status["pid"] for seed in range(20, 24)} <= pids


def test_a_run_that_nobody_listens_to_any_more_stops(executor: Local, tmp_path: Path):
    some = [trial(seed, "sleep", seconds=0.2) for seed in range(10)]

    def enough(_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        run(some, tmp_path, executor, tell=enough)
    assert 1 <= sum(Place(tmp_path / one.id).finished for one in some) <= 3
    assert {one.state for one in run(some, tmp_path, executor)} == {"finished"}


def test_a_terminal_gets_a_bar_and_a_file_gets_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    some = [trial(0), trial(1, "fail")]
    ended = [
        Ended(Job(some[0], tmp_path), "finished", 2.0),
        Ended(Job(some[1], tmp_path), "failed", 1.0, "so"),
    ]
    with progress(some, 1) as tell:
        for one in ended:
            tell(one)
    assert capsys.readouterr().err.splitlines() == [
        "[1/2] toy, nothing, seed 0: 2 s, less than a minute left",
        "[2/2] toy, fail, seed 1: failed: so, less than a minute left",
    ]
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    with progress(some, 1) as tell:
        for one in ended:
            tell(one)
    assert "[1/2]" not in capsys.readouterr().err


def test_the_clock_takes_trials_of_one_method_to_last_alike():
    quick, slow = [trial(seed) for seed in range(3)], [trial(seed, "fail") for seed in range(3)]
    clock = Clock([*quick, *slow], workers=2)
    assert clock.left != clock.left  # NaN: nothing is known
    clock.heard(Ended(Job(quick[0], Path()), "finished", 10.0))
    assert clock.left == pytest.approx((2 * 10 + 3 * 10) / 2)
    clock.heard(Ended(Job(slow[0], Path()), "finished", 100.0))
    assert clock.left == pytest.approx((2 * 10 + 2 * 100) / 2)
    clock.heard(Ended(Job(slow[1], Path()), "failed", 1000.0))
    assert clock.left == pytest.approx((2 * 10 + 100) / 2)
    assert clock.done == 3


def test_a_process_that_died_while_it_was_idle_is_made_anew(tmp_path: Path):
    local = Local(1)
    try:
        list(run([trial(0)], tmp_path / "first", local))
        (process,) = local._lanes[0]._pool._processes.values()
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        (ended,) = run([trial(1)], tmp_path / "second", local)
    finally:
        local.close()
    assert ended.state == "finished"
