"""BNG ionosphere: good or bad radar echo; a million echoes drawn from a network that learned from 351."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import only, read_csv, typed, unquoted

if TYPE_CHECKING:
    import pyarrow as pa

_COLUMNS = (*(f"a{i:02}" for i in range(1, 35)), "class")


def read(paths: Sequence[Path]) -> pa.Table:
    r"""Read the CSV file that OpenML gives of it: range labels such as '\'B2of3\'' lose their quotes."""
    import pyarrow as pa

    table = read_csv(only(paths), types=dict.fromkeys(_COLUMNS, pa.string()), missing=("", "?"))
    return typed(unquoted(table), texts=_COLUMNS)


card = Card(
    name="bng_ionosphere",
    title="BNG (ionosphere)",
    about="Radar echoes from the ionosphere as 34 values, each one of a few ranges (B1of3 the lowest of "
    "three), and whether the echo is good. A Bayesian network was learned from the 351 echoes of the "
    "ionosphere data, and a million drawn from it.",
    task="classification",
    source=None,
    original="BNG(ionosphere) of OpenML as CSV",
    rows=1_000_000,
    columns=_COLUMNS,
    target="class",
    classes={"g": "good", "b": "bad"},
    splits={"a20": ()},
    natural=Split("a20", ("B2of3",)),
    is_not="Not real: no radar measured these echoes. Not numbers: the original values are lost within their "
    "ranges.",
    licence="not stated by its owners",
    citation="Holmes, G., Pfahringer, B., van Rijn, J. and Vanschoren, J. (2014). BNG(ionosphere). OpenML. "
    "From: Sigillito, V. (1989). Ionosphere. UCI Machine Learning Repository.",
    motivation="To have many rows to test learners on.",
    collection="A Bayesian network, learnt from the 351 radar returns of Ionosphere, generated the rows.",
    preprocessing="Numbers were cut into ranges before the network was learnt; here quotes are removed.",
    uses="Comparison with the literature on accuracy without labels; it says nothing about radar.",
    read=read,
)
