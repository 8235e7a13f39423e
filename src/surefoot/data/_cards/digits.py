"""Digits: handwritten digits of 8 by 8 pixels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._convert import only, read_csv, typed

if TYPE_CHECKING:
    import pyarrow as pa


_PIXELS = tuple(f"pixel_{row}_{column}" for row in range(8) for column in range(8))


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``digits.csv.gz``, which has no header."""
    names = (*_PIXELS, "digit")
    return typed(read_csv(only(paths), names=names), integers=names).select(list(card.columns))


card = Card(
    name="digits",
    title="Handwritten digits, 8 by 8",
    about="Handwritten digits, each pixel a number of black points from 0 to 16.",
    task="classification",
    source=Source(
        "pip-wheel",
        "scikit-learn",
        "1.8.0",
        (
            File(
                "sklearn/datasets/data/digits.csv.gz",
                "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22",
                57_523,
            ),
        ),
    ),
    rows=1_797,
    columns=(*_PIXELS, "digit"),
    target="digit",
    classes={digit: str(digit) for digit in range(10)},
    splits={},
    is_not="Not a hard task, and without a natural shift: for tests and examples. Not the training set "
    "of the original, but its test set, of 13 writers.",
    licence=f"BSD-3-Clause: {TERMS}",
    citation="Alpaydin, E. and Kaynak, C. (1998). Optical recognition of handwritten digits. UCI Machine "
    "Learning Repository.",
    read=read,
    motivation="To compare classifiers of handwriting.",
    collection="Forms filled in by 43 persons.",
    preprocessing="Bitmaps of 32 by 32 points were counted in blocks of 4 by 4.",
    uses="Examples and fast tests.",
)
