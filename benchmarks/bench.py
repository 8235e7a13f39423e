"""What the bench costs beside the work of its trials, and its leaderboard.

    python benchmarks/bench.py [local] [ray] [report]

1,000 trivial trials, all of which are kept: on two warm processes, the wall time of a trial less that of its work;
and as tasks of Ray on two processors, over the wall time that Ray takes for a task that does nothing. The two are
taken in turn, the best of several rounds. The leaderboard is that of 2,000 stored trials, made up: 20 tasks, 20
methods (half of them ensembles) and 5 seeds, with scorecards of real size; and of 200 trials for its size. Prints one
line a measurement, with PASS or FAIL, and exits with 1 if anything failed.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from _harness import Line, seconds
from surefoot import evaluate
from surefoot.bench import Entry, Executor, Kind, Limits, Local, Named, Outcome, Place, Plan, Ray, Trial, run
from surefoot.bench.board import write_site
from surefoot.predictions import Predictions

TRIALS, WORKERS, ROUNDS = 1_000, 2, 3
LOCAL_BAR, RAY_BAR = 2.0, 5.0
REPORT_BAR, SITE_BAR = 30.0, 5.0


@dataclass(frozen=True)
class Fields:
    """A trial that does nothing."""

    seed: int


KIND = Kind(
    name="bench:KIND",
    fields=Fields,
    work=lambda what, data, folder: Outcome(facts={"answer": what.seed}),
    named=lambda what: Named("trivial", "nothing", what.seed),
    version=lambda what: "1",
    checksum=lambda what: "none",
)


def lines(chosen: list[str]) -> Iterator[Line]:
    # Trials name their kind by module, which the workers import: not the one that runs as a script.
    trials = [Trial.of({"kind": "bench:KIND", "seed": seed}) for seed in range(TRIALS)]
    if not chosen or "local" in chosen:
        executor = Local(WORKERS)
        try:
            best = min(overhead(trials, executor) for _ in range(ROUNDS))
        finally:
            executor.close()
        yield Line(f"a trial of {TRIALS:,} beside its work, {WORKERS} warm processes", best, LOCAL_BAR, "ms")
    if not chosen or "ray" in chosen:
        yield Line(
            f"a trial of {TRIALS:,} as a task of Ray, of one that does nothing", on_ray(trials), RAY_BAR
        )
    if not chosen or "report" in chosen:
        with TemporaryDirectory() as folder:
            home = Path(folder)
            made_up(home / "runs", 20, 20, 5)
            taken = seconds(lambda: write_site(home / "runs", home / "site"))
            yield Line("the leaderboard of 2,000 stored trials", taken, REPORT_BAR, "s")
        with TemporaryDirectory() as folder:
            home = Path(folder)
            made_up(home / "runs", 5, 8, 5)
            write_site(home / "runs", home / "site")
            size = sum(path.stat().st_size for path in (home / "site").rglob("*") if path.is_file())
            yield Line("the leaderboard of 200 stored trials", size / 1e6, SITE_BAR, "MB")


def overhead(trials: list[Trial], executor: Executor) -> float:
    """Milliseconds of wall time a trial that are not its work, which is shared by the processes."""
    with TemporaryDirectory() as folder:
        run(trials[: 5 * WORKERS], Path(folder) / "warm", executor)
        home = Path(folder) / "runs"
        taken = seconds(lambda: run(trials, home, executor))
        work = sum(Place(home / one.id).status["taken"]["wall_seconds"] for one in trials) / WORKERS
    return 1e3 * (taken - work) / len(trials)


def on_ray(trials: list[Trial]) -> float:
    """The time of a trial over that of a task of Ray that does nothing."""
    here = str(Path(__file__).parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
    executor = Ray(WORKERS)
    import ray

    nothing = ray.remote(_nothing)

    def bare() -> Any:
        return ray.get([nothing.remote(i) for i in range(len(trials))])

    try:
        bare()
        ours, theirs = [], []
        for _ in range(ROUNDS):
            with TemporaryDirectory() as folder:
                theirs.append(seconds(bare))
                ours.append(seconds(lambda home=Path(folder): run(trials, home, executor)))
    finally:
        executor.close()
    return min(ours) / min(theirs)


def _nothing(_: int) -> None: ...


def made_up(home: Path, tasks: int, methods: int, seeds: int) -> None:
    """Stored trials whose scorecards are those of made-up predictions, with other scores in each."""
    drawn = random.Random(0)
    cards = [_card(samples=1), _card(samples=5)]
    entries = []
    for i in range(tasks * methods * seeds):
        task, method, seed = i // (methods * seeds), i // seeds % methods, i % seeds
        named = Named(f"task-{task}", f"method-{method}{'-ensemble' if method % 2 else ''}", seed)
        entry = Entry(f"{i:016x}", named, {"kind": "bench:KIND", "seed": i})
        entries.append(entry)
        card, curves = cards[method % 2]
        away = 0.002 * method + drawn.gauss(0, 0.002)
        rows = [row | {"value": row["value"] and row["value"] * (1 + away)} for row in card["rows"]]
        place = Place(home / entry.id)
        place.folder.mkdir(parents=True)
        text = json.dumps(card | {"rows": rows}).replace('"CURVES"', curves)
        (place.folder / "scorecard.json").write_text(text)
        facts = {
            "fit_seconds": 1.0 + method,
            "predict_seconds": 0.1,
            "stored_bytes": 1e6,
            "parameters": 1_000,
        }
        taken = {"wall_seconds": 2.0 + method, "cpu_seconds": 2.0, "peak_bytes": 3e8}
        finished = {"state": "finished", "files": {"scorecard.json": None}, "facts": facts, "taken": taken}
        place.write("status.json", finished)
    Plan("made-up", "", tuple(entries), Limits()).write(home)


def _card(samples: int) -> tuple[dict[str, Any], str]:
    """A scorecard without its curves, and these as JSON."""
    rng = np.random.default_rng(0)
    n = 4_000
    part = np.array(["dev_in", "dev_out", "eval_in", "eval_out"])[np.arange(n) % 4]
    target = rng.integers(0, 5, n)
    logits = rng.normal(size=(samples, n, 5))
    logits[:, np.arange(n), target] += np.where(np.char.endswith(part, "out"), 0.8, 2.0)
    probs = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    card = evaluate(Predictions.classification(probs.astype(np.float32), target, partition=part)).to_dict()
    return card | {"curves": "CURVES"}, json.dumps(card["curves"])


if __name__ == "__main__":
    found = []
    for line in lines(sys.argv[1:]):
        print(line, flush=True)
        found.append(line)
    sys.exit(0 if all(line.passed for line in found) else 1)
