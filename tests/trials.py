"""Kinds of trials for the tests of the bench: they do little, or what no trial should."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Any

import pyarrow as pa

from surefoot import evaluate
from surefoot.bench import Kind, Named, Outcome
from tables import classification


@dataclass(frozen=True)
class Fields:
    """``do`` says what happens: nothing, sleep, fail, die, predict, load fails, write (megabytes)."""

    seed: int
    do: str = "nothing"
    seconds: float = 0.0
    size: int = 1
    group: int = 0
    witness: str = ""


def _work(what: Fields, data: Any, folder: Path) -> Outcome:
    if what.witness:  # one line for each time that the work is done at all
        with open(what.witness, "a") as file:
            file.write(f"{what.seed} {os.getpid()}\n")
    print(f"trial {what.seed} says hello")
    if what.do == "sleep":
        sleep(what.seconds)
    if what.do == "fail":
        raise ValueError("it was meant\nto fail")
    if what.do == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what.do == "predict":
        predictions = classification(seed=what.seed)
        return Outcome(predictions, evaluate(predictions), facts={"parameters": 7, "stored_bytes": 100})
    numbers = [0.5] if what.do != "write" else list(range(what.size))
    table = pa.table({"seed": [what.seed] * len(numbers), "number": numbers})
    return Outcome(tables={"numbers": table}, facts={"data": repr(data), "python": sys.version})


def _load(what: Fields) -> Any:
    if what.do == "load fails":
        raise ValueError("there are no data")
    return f"data of {os.getpid()}"


KIND = Kind(
    name="trials:KIND",
    fields=Fields,
    work=_work,
    named=lambda what: Named("toy", what.do, what.seed),
    version=lambda what: "1",
    checksum=lambda what: "none",
    together=lambda what: what.group,
    load=_load,
    rescore=lambda what, predictions: evaluate(predictions),
    cost=lambda what: "training m",
)
