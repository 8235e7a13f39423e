"""Artificial characters: which letter a drawing of straight lines shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import only, read_csv, typed

if TYPE_CHECKING:
    import pyarrow as pa

_NUMBERS = tuple(f"V{i}" for i in range(2, 8))


def read(paths: Sequence[Path]) -> pa.Table:
    """Read the CSV file that OpenML gives of it: header line V1 to V7 and Class."""
    table = typed(read_csv(only(paths)), integers=("V1", "Class"), numbers=_NUMBERS)
    return table.select(list(card.columns))


card = Card(
    name="artificial_characters",
    title="Artificial characters",
    about="Lines of drawings that a program made of ten capital letters, and the letter. V1 is the number of "
    "the line within its drawing, V2 to V5 where it starts and ends, V6 its length and V7 the diagonal of the "
    "box around the drawing.",
    task="classification",
    source=None,
    original="artificial-characters (data 1459) of OpenML as CSV",
    rows=10_218,
    columns=("V1", *_NUMBERS, "Class"),
    target="Class",
    classes=dict(enumerate("ACDEFGHLPR", start=1)),
    splits={"V1": ()},
    natural=Split("V1", (0,)),
    is_not="Not real: a program drew the letters from a theory of them. Not a drawing a row but a line of one, "
    "so that a random split puts lines of one drawing on both sides.",
    licence="not stated by its owners",
    citation="Guvenir, H. A., Acar, B. and Muderrisoglu, H. (1992). Artificial characters. UCI Machine "
    "Learning Repository.",
    motivation="To test learners of first-order theories on drawings (Guvenir et al. 1992).",
    collection="A program drew letters from a theory of them.",
    preprocessing="OpenML lists one line of a drawing a row, where the original lists drawings; here types are "
    "settled.",
    uses="Comparison with the literature on accuracy without labels.",
    read=read,
)
