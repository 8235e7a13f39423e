"""The Ray engine on a real cluster of two nodes on this machine, one of which is killed while trials run."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from surefoot.bench import Ended, Limits, Place, Plan, Ray, Trial, outstanding, read_results, run
from surefoot.errors import InputError
from test_bench_cli import bench

HERE = Path(__file__).parent
NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        before = os.environ.get("PYTHONPATH")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(HERE), before])))
        made = Cluster(
            initialize_head=True, head_node_args={**NODE, "num_gpus": 1, "include_dashboard": False}
        )
        try:
            patch.setenv("RAY_ADDRESS", made.address)
            yield made
        finally:
            made.shutdown()


@pytest.fixture(scope="module")
def executor(cluster: Any) -> Iterator[Ray]:
    ray = Ray()
    yield ray
    ray.close()


def trial(seed: int, do: str = "nothing", **fields: object) -> Trial:
    return Trial.of({"kind": "trials:KIND", "seed": seed, "do": do, **fields})


def test_when_a_node_is_lost_all_trials_finish_and_none_is_twice_in_the_results(
    cluster: Any, executor: Ray, tmp_path: Path
):
    witness, folder = tmp_path / "witness", tmp_path / "runs"
    node = cluster.add_node(**NODE)
    some = [trial(seed, "sleep", seconds=0.5, witness=str(witness)) for seed in range(24)]
    Plan.of("toy", "", some, Limits()).write(folder)
    nodes: set[str] = set()
    told: list[Ended] = []

    def tell(ended: Ended) -> None:
        told.append(ended)
        nodes.add(str(Place(ended.job.folder).status["node"]))
        if len(nodes) == 2 and len(cluster.worker_nodes) == 1:
            cluster.remove_node(node, allow_graceful=False)

    ended = run(some, folder, executor, tell=tell)
    assert len(nodes) == 2
    assert not cluster.worker_nodes
    assert len(ended) == 24
    assert {one.state for one in ended} == {"finished"}
    assert not outstanding(some, folder)
    assert sorted(read_results(folder, "numbers")["seed"].to_pylist()) == list(range(24))
    assert len(set(read_results(folder, "trials")["trial"].to_pylist())) == 24
    again = Counter(line.split()[0] for line in witness.read_text().splitlines())
    assert sum(count - 1 for count in again.values()) <= 1  # at most the one that the lost node was at


def test_failing_trials_are_not_tried_again_and_stop_no_other(executor: Ray, tmp_path: Path):
    witness = tmp_path / "witness"
    told = {"witness": str(witness)}
    some = [trial(0, "fail", **told), trial(1, **told), trial(2, "die", **told), trial(3, **told)]
    ended = {one.job.trial.what.seed: one for one in run(some, tmp_path / "runs", executor)}
    assert {seed: one.state for seed, one in ended.items()} == {
        0: "failed", 1: "finished", 2: "failed", 3: "finished",
    }  # fmt: skip
    assert ended[0].reason == "it was meant to fail"
    assert ended[2].reason.startswith("its process died")
    assert Counter(line.split()[0] for line in witness.read_text().splitlines()) == Counter("0123")


def test_a_trial_that_overruns_its_time_is_ended(executor: Ray, tmp_path: Path):
    some = [trial(0, "sleep", seconds=60.0), trial(1), trial(2)]
    limits = Limits(timeout=12)
    ended = {one.job.trial.what.seed: one for one in run(some, tmp_path, executor, limits=limits)}
    assert (ended[0].state, ended[0].reason) == ("failed", "it took longer than 12 s")
    assert ended[0].seconds < 50
    assert {ended[1].state, ended[2].state} == {"finished"}
    assert Place(tmp_path / some[0].id).state() == "failed"


def test_shared_data_are_loaded_once_by_the_driver(executor: Ray, tmp_path: Path):
    some = [trial(seed, group=seed % 2) for seed in range(10)]
    run(some, tmp_path, executor)
    data = {Place(tmp_path / one.id).status["facts"]["data"] for one in some}
    assert data == {repr(f"data of {os.getpid()}")}


def test_shares_of_processors_gpus_and_memory_are_set_aside(executor: Ray, tmp_path: Path):
    limits = Limits(cpus=0.5, gpus=0.25, memory=50e6)
    some = [trial(seed) for seed in range(3)]
    assert [one.state for one in run(some, tmp_path, executor, limits=limits)] == ["finished"] * 3


def test_what_no_node_has_is_refused_before_anything_waits_for_it(executor: Ray, tmp_path: Path):
    for limits, message in (
        (Limits(gpus=2), "limits ask for 2 of GPU, and no node of the cluster has more than 1"),
        (Limits(memory=1e15), "limits ask for 1e\\+15 of memory"),
    ):
        with pytest.raises(InputError, match=message):
            run([trial(0)], tmp_path, executor, limits=limits)


def test_the_command_runs_on_the_cluster(executor: Ray, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "mine.yaml"
    path.write_text("kind: trials:KIND\nmatrix: {do: [nothing, predict], seed: 3}\n")
    assert bench("run", path, "--engine", "ray", "--runs", tmp_path / "runs") == 0
    assert "[6/6] toy, " in capsys.readouterr().err
    states = read_results(tmp_path / "runs" / "mine", "trials")["state"].to_pylist()
    assert states == ["finished"] * 6


def test_without_ray_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"pip install 'surefoot\[ray\]'"):
        Ray()
