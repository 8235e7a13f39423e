"""Estimates of accuracy on real datasets, held against DoC, the published error predictor and NannyML's CBPE."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from _estimator_batches import PUBLISHED, Batches, batches_of, joined
from _harness import Line
from surefoot import data
from surefoot.errors import DownloadError
from surefoot.estimators.benchmark import SETS, names

WORKERS = 2
PEER = "CBPE"


def lines(peer: Path, datasets: Sequence[str] = (), seed: int = 0) -> Iterator[Line]:
    """One line a target, after a table of datasets and of sets."""
    found = measured(datasets or names(), seed, peer)
    whole = joined(list(found.values()))
    still = whole.of_set("no_shift")
    print_table({**found, **{name: whole.of_set(name) for name in SETS}, "all": whole})
    error, doc = whole.error("Auto"), whole.error("DoC")
    worst = min(found, key=lambda name: found[name].covered)
    yield Line("datasets lacking of 11", max(0, 11 - len(found)), 0, "")
    yield Line(
        "batches lacking of 200 on the smallest dataset", max(0, 200 - min(map(len, found.values()))), 0, ""
    )
    yield Line("rows lacking of 100 in the smallest batch", max(0, 100 - whole.sizes.min()), 0, "")
    yield Line("Auto, mean absolute error", error, 0.025, "")
    yield Line("Auto, mean absolute error, of DoC's", error / doc, 0.80)
    yield Line(
        "Auto, unmoved batches, mean absolute error, of DoC's", still.error("Auto") / still.error("DoC"), 1.1
    )
    for name in (PEER, PUBLISHED):
        yield Line(f"Auto, mean absolute error, of {name}'s", error / whole.error(name), 1.0)
    yield Line("Auto, 95 % intervals, share missed", 1 - whole.covered, 0.08, "")
    yield Line("Auto, 95 % intervals, share covered", whole.covered, 0.98, "")
    yield Line("Auto, 95 % intervals, mean width", whole.width, 0.15, "")
    yield Line(
        f"Auto, 95 % intervals, share missed on {worst}, the worst", 1 - found[worst].covered, 0.12, ""
    )


def measured(datasets: Sequence[str], seed: int, peer: Path) -> dict[str, Batches]:
    """Test batches of all datasets with what everybody says of them; two processes of one thread each."""
    for name in datasets:
        try:
            data.path(name)
        except DownloadError:
            print(f"fetching {name}", file=sys.stderr, flush=True)
            data.fetch(name)
    os.environ["OMP_NUM_THREADS"] = "1"
    found = {}
    with (
        TemporaryDirectory() as folder,
        ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool,
    ):
        waiting = {name: pool.submit(batches_of, name, seed, Path(folder)) for name in datasets}
        for name, one in waiting.items():
            found[name] = one.result()
            print(f"{name}: {len(found[name])} batches", file=sys.stderr, flush=True)
        subprocess.run([peer, Path(__file__).with_name("_peer_cbpe.py"), folder], check=True)
        for name, one in found.items():
            one.estimates[PEER] = np.load(Path(folder, f"{name}.cbpe.npy"))
    return found


def print_table(rows: dict[str, Batches]) -> None:
    """Mean absolute errors by method, and how Auto's intervals do."""
    methods = list(next(iter(rows.values())).estimates)
    print(
        f"{'mean absolute error':<20}{'batches':>8}"
        + "".join(f"{name:>21}" for name in methods)
        + "   chance  covered  width"
    )
    for name, one in rows.items():
        errors = "".join(f"{one.error(method):21.4f}" for method in methods)
        print(
            f"{name:<20}{len(one):8d}{errors}{one.chance:9.4f}{one.covered:9.3f}{one.width:7.3f}", flush=True
        )
