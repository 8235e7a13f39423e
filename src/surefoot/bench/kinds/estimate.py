"""Trials of estimators: one experiment of Maggio et al. 2022 on a dataset with a seed."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path

from surefoot.bench._kind import Kind, Named, Outcome
from surefoot.bench.kinds import _dataset
from surefoot.estimators import benchmark
from surefoot.estimators.benchmark import Trial
from surefoot.estimators.benchmark._trial import FORMAT

BATCHES = "batches"
"""The table that these trials leave: a row a method and test batch."""


def _work(what: Trial, _: None, folder: Path) -> Outcome:
    return Outcome(tables={BATCHES: benchmark.run(what)})


def _together(what: Trial) -> Hashable:
    """Trials of one setting, which a process computes once."""
    return what.dataset, what.seed, what.rows, what.batches


def _check(what: Trial) -> None:
    benchmark.card_of(what.dataset)


KIND = Kind(
    name="estimate",
    fields=Trial,
    work=_work,
    named=lambda what: Named(what.dataset, what.experiment, what.seed),
    version=lambda what: str(FORMAT),
    checksum=lambda what: _dataset.checksum(what.dataset),
    together=_together,
    size=lambda what: (what.batches + what.domains) * what.rows,
    fetch=lambda what, download: _dataset.fetch(what.dataset, download),
    check=_check,
)
