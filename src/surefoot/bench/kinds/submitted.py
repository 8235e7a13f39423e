"""Trials that somebody else has run: predictions that were handed in, checked and scored here.

`surefoot.bench.submit` makes them. They cannot be run, only scored anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from surefoot import tasks
from surefoot.bench._kind import Kind, Named, Outcome
from surefoot.bench.kinds import predict
from surefoot.errors import InputError

NAME = "submitted"
VERSION = "1"


@dataclass(frozen=True)
class Fields:
    """What the manifest says, and the SHA-256 of the predictions."""

    task: str
    method: str
    seed: int
    split_hash: str
    training_data: str
    predictions: str
    about: str = ""
    link: str = ""


def _work(what: Fields, _: None, folder: Path) -> Outcome:
    raise InputError(
        "these predictions were handed in for other data or by another version, and cannot be made here; hand in new "
        "ones: surefoot bench submit"
    )


def _check(what: Fields) -> None:
    tasks.task(what.task)


KIND = Kind(
    name=NAME,
    fields=Fields,
    work=_work,
    named=lambda what: Named(what.task, what.method, what.seed),
    version=lambda what: VERSION,
    checksum=predict.KIND.checksum,
    rescore=predict.KIND.rescore,
    check=_check,
)
