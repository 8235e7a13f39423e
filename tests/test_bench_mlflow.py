"""Stored trials in MLflow: what is said without it, what is logged, and a real server that keeps it.

MLflow wants an older Arrow than the tests have, so that the slow test gives it an environment of its own, with Surefoot
installed from this source beside it.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
import yaml

from surefoot.bench import Place, _mlflow, read_plan
from surefoot.cli import main
from surefoot.errors import InputError

ROOT = Path(__file__).parents[1]

SUITE = {
    "kind": "predict",
    "matrix": {
        "task": ["electricity"],
        "method": [
            "logistic",
            {"name": "bushes", "family": "sklearn-forest", "settings": {"trees": 5}, "members": 2},
        ],
        "seed": 1,
    },
    "with": {"most": 200},
}


def bench(*arguments: object) -> int:
    """Exit code of a command run in this process."""
    try:
        main(["bench", *map(str, arguments)])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a suite of two real trials was run."""
    home = tmp_path_factory.mktemp("bench")
    (home / "mine.yaml").write_text(yaml.safe_dump(SUITE))
    assert bench("run", home / "mine.yaml", "--workers", 1, "--runs", home / "runs") == 0
    return home / "runs"


@pytest.fixture
def closed() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_without_mlflow_nothing_is_run_and_a_sentence_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "mlflow.tracking", None)
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({"kind": "trials:KIND", "matrix": {"seed": 1}}))
    assert bench("run", path, "--runs", tmp_path / "runs", "--mlflow", "http://127.0.0.1:5000") == 2
    assert "--mlflow needs MLflow, which is not installed here; pip install mlflow" in capsys.readouterr().err
    assert not list(tmp_path.glob("runs/*/*/status.json"))


def test_a_server_that_does_not_answer_is_told_at_once(closed: int):
    before = time.monotonic()
    with pytest.raises(InputError, match=f"no MLflow server answers at http://127.0.0.1:{closed}"):
        _mlflow._knock(f"http://127.0.0.1:{closed}")
    assert time.monotonic() - before < 5


def test_parameters_are_the_leaves_of_the_specification(runs: Path):
    entry = read_plan(runs / "mine").entries[1]
    found = _mlflow.parameters(entry, Place(runs / "mine" / entry.id))
    assert found["task"] == "electricity"
    assert found["method"] == "bushes"
    assert found["trial.method.settings.trees"] == found["recipe.settings.trees"] == "5"
    assert found["recipe.members"] == "2"
    assert found["code"]
    assert found["data"]


def test_metrics_are_the_scores_of_whole_sides_and_what_the_trial_took(runs: Path):
    entry = read_plan(runs / "mine").entries[1]
    place = Place(runs / "mine" / entry.id)
    found = _mlflow.metrics(place)
    rows = [row for row in place.scorecard()["rows"] if row["slice"] is None and row["value"] is not None]
    assert len([name for name in found if not name.startswith("trial/")]) == len(rows)
    (accuracy,) = [
        row for row in rows if (row["set"], row["side"], row["metric"]) == ("eval", "shifted", "accuracy")
    ]
    assert found["eval/shifted/accuracy"] == accuracy["value"]
    assert "eval/all/r_auc/entropy" in found
    assert found["trial/wall_seconds"] > 0
    assert found["trial/parameters"] > 0
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_/") for name in found)


class Server:
    """A real MLflow server on this machine, asked through its REST interface."""

    def __init__(self, home: Path, port: int) -> None:
        self.uri = f"http://127.0.0.1:{port}"
        self.log = (home / "server.log").open("w")
        self.process = subprocess.Popen(
            [
                *(home / "venv" / "bin" / "mlflow", "server", "--host", "127.0.0.1", "--port", str(port)),
                *("--workers", "1", "--backend-store-uri", f"sqlite:///{home}/mlflow.db"),
                *("--artifacts-destination", str(home / "artifacts")),
            ],
            stdout=self.log,
            stderr=self.log,
            env=os.environ
            | {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"},
            start_new_session=True,
        )
        until = time.monotonic() + 120
        while not self._answers():
            assert self.process.poll() is None, Path(self.log.name).read_text()
            assert time.monotonic() < until, Path(self.log.name).read_text()
            time.sleep(0.5)

    def _answers(self) -> bool:
        try:
            _mlflow._knock(self.uri)
        except InputError:
            return False
        return True

    def ask(self, path: str, content: dict[str, Any] | None = None) -> Any:
        """What the interface answers, with a POST if there is something to say."""
        data = None if content is None else json.dumps(content).encode()
        request = Request(f"{self.uri}/api/2.0/{path}", data, {"Content-Type": "application/json"})
        with urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def runs(self) -> dict[str, dict[str, Any]]:
        """Runs of the experiment of the suite by the method: parameters, metrics and tags as dictionaries."""
        found = self.ask("mlflow/experiments/get-by-name?experiment_name=mine")
        id = found["experiment"]["experiment_id"]
        answer = self.ask("mlflow/runs/search", {"experiment_ids": [id], "max_results": 100})
        several = [
            {"info": run["info"]}
            | {
                name: {one["key"]: one["value"] for one in run["data"].get(name, ())}
                for name in ("params", "metrics", "tags")
            }
            for run in answer["runs"]
        ]
        assert len({run["params"]["method"] for run in several}) == len(several)
        return {run["params"]["method"]: run for run in several}

    def end(self) -> None:
        """End the server and its worker."""
        os.killpg(self.process.pid, 15)
        self.process.wait(30)
        self.log.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Server]]:
    """A server, and the commands of the environment that it is installed in."""
    home = tmp_path_factory.mktemp("mlflow")
    venv.create(home / "venv")
    python = home / "venv" / "bin" / "python"
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--no-compile",
        "-qq",
        "mlflow>=3",
        ROOT,
    ]
    subprocess.run(install, check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = Server(home, port)
    try:
        yield home / "venv" / "bin", running
    finally:
        running.end()
        shutil.rmtree(home)  # 0.8 GB


@pytest.mark.slow
def test_a_real_server_keeps_parameters_scores_and_files_and_each_trial_once(
    runs: Path, server: tuple[Path, Server]
):
    commands, mlflow = server

    def logged() -> str:
        done = subprocess.run(
            [commands / "surefoot", "bench", "resume", "mine", "--runs", runs, "--mlflow", mlflow.uri],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stderr

    assert "MLflow: 2 trials logged, 0 were there" in logged()
    found = mlflow.runs()
    assert set(found) == {"logistic", "bushes"}
    for entry in read_plan(runs / "mine").entries:
        place, run = Place(runs / "mine" / entry.id), found[entry.named.method]
        assert run["params"] == _mlflow.parameters(entry, place)
        assert run["metrics"] == pytest.approx(_mlflow.metrics(place))
        assert run["tags"]["surefoot.trial"] == entry.id
        assert run["info"]["status"] == "FINISHED"
        assert run["info"]["end_time"] > run["info"]["start_time"]
        listed = mlflow.ask(f"mlflow/artifacts/list?run_id={run['info']['run_id']}")
        assert {"scorecard.json", "specification.json"} <= {one["path"] for one in listed["files"]}
        experiment = run["info"]["experiment_id"]
        card = mlflow.ask(
            f"mlflow-artifacts/artifacts/{experiment}/{run['info']['run_id']}/artifacts/scorecard.json"
        )
        assert card == place.scorecard()

    assert "MLflow: 0 trials logged, 2 were there" in logged()

    entry = read_plan(runs / "mine").entries[0]
    place = Place(runs / "mine" / entry.id)
    card = place.scorecard()
    rows = [row | {"value": 0.125} if row["metric"] == "accuracy" else row for row in card["rows"]]
    place.write("scorecard.json", {**card, "rows": rows})  # as if it were scored anew
    again = found["bushes"]["info"]["run_id"]
    mlflow.ask(
        "mlflow/runs/delete-tag", {"run_id": again, "key": "surefoot.scorecard"}
    )  # as if it were stopped
    assert "MLflow: 2 trials logged, 0 were there" in logged()
    after = mlflow.runs()
    assert set(after) == set(found)  # and no second run of either
    assert after[entry.named.method]["metrics"]["eval/all/accuracy"] == 0.125
    assert "surefoot.scorecard" in after["bushes"]["tags"]
