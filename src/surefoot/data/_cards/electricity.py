"""Electricity: whether the price in New South Wales goes up or down, half-hourly from 1996 to 1998."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import only, read_csv, select

if TYPE_CHECKING:
    import pyarrow as pa

_FEATURES = ("period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer")
_PACKAGED = {f"feat_{i}": name for i, name in enumerate(_FEATURES, start=1)} | {"target": "class"}


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``elec.csv``, or a CSV with the original column names and the classes UP and DOWN."""
    import numpy as np
    import pyarrow as pa

    table = read_csv(only(paths))
    table = table.rename_columns([_PACKAGED.get(name, name) for name in table.column_names])
    table = select(table, (*_FEATURES, "class"))
    target = table["class"]
    if pa.types.is_string(target.type):
        target = pa.array(np.asarray(target) == "UP")
    # Until Victoria joined the market, its columns hold the same value in every row.
    demand = table["vicdemand"].to_numpy()
    joined = np.cumsum(demand != demand[0]) > 0
    market = pa.DictionaryArray.from_arrays(pa.array(joined, pa.int8()), ["one state", "two states"])
    row = pa.array(np.arange(table.num_rows), pa.int64())
    values = {name: table[name].cast(pa.float64()) for name in _FEATURES}
    return pa.table({"row": row, **values, "market": market, "class": target.cast(pa.int64())})


card = Card(
    name="electricity",
    title="Electricity (New South Wales market)",
    about="The electricity market of New South Wales in half-hours, May 1996 to December 1998, and whether "
    "the price is above its average over the last day. row counts the half-hours; market says whether "
    "Victoria had joined (from row 17,424 on). All values are scaled to [0, 1].",
    task="classification",
    source=Source(
        client="pip-sdist",
        package="scikit-multiflow",
        version="0.4.1",
        files=(
            File(
                "src/skmultiflow/data/datasets/elec.csv",
                "ebdfe5480ae25a43a7d054286135e3a9484697a2850d5158a333b1578c28bb97",
                3_200_575,
            ),
        ),
    ),
    rows=45_312,
    columns=("row", *_FEATURES, "market", "class"),
    target="class",
    classes={0: "price down", 1: "price up"},
    splits={"market": ("vicprice", "vicdemand", "transfer")},
    natural=Split("market", ("one state",)),
    extra=("row", "market"),
    is_not="Not independent rows: the class sticks for hours, so that repeating the last label is right about "
    "85 % of the time and a random split leaks; split by time. Not dated: this copy leaves out the date and "
    "the weekday of the original. Prices in Victoria before it joined the market are a constant, not data.",
    licence=f"BSD-3-Clause: {TERMS}",
    citation="Harries, M. (1999). Splice-2 comparative evaluation: electricity pricing. Technical report, "
    "University of New South Wales.",
    motivation="To show learning from a stream whose concept drifts (Harries 1999).",
    collection="The electricity market of New South Wales, every half-hour.",
    preprocessing="Somebody scaled all values to [0, 1] and left out the date; here the row's number and the "
    "market are derived.",
    uses="Shift over time, with a division in order of time.",
    read=read,
)
