"""Speed of the shifts of tables, each against one copy of the table in the same run.

    python benchmarks/shifts.py [KIND …]

100,000 rows x 50 columns of float64, samples = features = 0.5, from the table that comes in to the one that goes
out. Categorical kinds take the same size in whole numbers that are names and in pandas categories. Then a batch as
estimators move them, 500 rows x 20 opened columns. Prints one line a measurement, with PASS or FAIL, and exits with
1 if anything failed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from _harness import Line, ratio, seconds
from surefoot._columns import open_columns
from surefoot.shifts import ShiftKind, kinds

ROWS, COLUMNS = 100_000, 50
BAR = 20.0
BATCH_ROWS, BATCH_COLUMNS = 500, 20
BATCH_BAR = 2.0


def lines(chosen: list[str]) -> Iterator[Line]:
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(ROWS, COLUMNS))
    codes = rng.integers(0, 8, (ROWS, COLUMNS)).astype(np.float64)
    names = [str(j) for j in range(COLUMNS)]
    frame = pd.DataFrame(
        {
            name: pd.Categorical.from_codes(codes[:, j].astype(int), list("abcdefgh"))
            for j, name in enumerate(names)
        }
    )
    y = rng.integers(0, 4, ROWS)
    for kind in kinds():
        if chosen and kind.name not in chosen:
            continue
        if "categorical columns" in kind.needs:
            call = partial(_call, kind, codes, y, categorical=names)
            yield Line(
                f"{kind.name}, whole numbers that are names, of one copy", ratio(call, codes.copy), BAR
            )
            call = partial(_call, kind, frame, y)
            yield Line(f"{kind.name}, pandas categories, of one copy", ratio(call, codes.copy), BAR)
        else:
            yield Line(
                f"{kind.name}, of one copy", ratio(partial(_call, kind, numbers, y), numbers.copy), BAR
            )
    for kind in kinds():
        if chosen and kind.name not in chosen:
            continue
        table = codes if "categorical columns" in kind.needs else numbers
        batch = open_columns(
            table[:BATCH_ROWS, :BATCH_COLUMNS], categorical=names[:BATCH_COLUMNS] if table is codes else ()
        )
        shift, labels = _made(kind), y[:BATCH_ROWS]
        move = partial(shift.move, batch, labels, rng)
        yield Line(
            f"{kind.name}, {BATCH_ROWS} x {BATCH_COLUMNS} opened",
            1e3 * min(seconds(move) for _ in range(20)),
            BATCH_BAR,
            "ms",
        )


def _made(kind: ShiftKind) -> Any:
    halves = {
        name: 0.5 for name in ("samples", "features") if name in {field.name for field in fields(kind.make)}
    }
    return kind.make(**halves)


def _call(kind: ShiftKind, table: Any, y: np.ndarray, **options: Any) -> Any:
    return _made(kind)(table, y, 0, **options)


def main(chosen: list[str]) -> int:
    known = [kind.name for kind in kinds()]
    if strange := [name for name in chosen if name not in known]:
        print(f"unknown kind {', '.join(strange)}; kinds are {', '.join(known)}", file=sys.stderr)
        return 2
    failed = False
    for line in lines(chosen):
        print(line, flush=True)
        failed |= not line.passed
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
