"""What the bench costs beside the work of its trials.

    python benchmarks/bench.py [local] [ray]

1,000 trivial trials, all of which are kept: on two warm processes, the wall time of a trial less that of its work;
and as tasks of Ray on two processors, over the wall time that Ray takes for a task that does nothing. The two are
taken in turn, the best of several rounds. Prints one line a measurement, with PASS or FAIL, and exits with 1 if
anything failed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from _harness import Line, seconds
from surefoot.bench import Executor, Kind, Local, Named, Outcome, Place, Ray, Trial, run

TRIALS, WORKERS, ROUNDS = 1_000, 2, 3
LOCAL_BAR, RAY_BAR = 2.0, 5.0


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


if __name__ == "__main__":
    found = []
    for line in lines(sys.argv[1:]):
        print(line, flush=True)
        found.append(line)
    sys.exit(0 if all(line.passed for line in found) else 1)
