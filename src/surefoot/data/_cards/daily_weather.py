"""Daily weather: sun, rain, fog, drizzle or snow, Seattle and New York 2012 to 2015."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._convert import only, read_csv, typed

if TYPE_CHECKING:
    import pyarrow as pa


_NUMBERS = ("precipitation", "temp_max", "temp_min", "wind")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``weather.csv`` and take the month out of the date."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = read_csv(only(paths), types={"date": pa.string()})
    table = table.append_column("month", pc.utf8_slice_codeunits(table["date"], 5, 7).cast(pa.int64()))
    table = typed(table, integers=["month"], numbers=_NUMBERS, texts=("location", "date", "weather"))
    return table.select(list(card.columns))


card = Card(
    name="daily_weather",
    title="Daily weather of two cities",
    about="Days of 2012 to 2015 in Seattle and New York, and what the weather was. Temperatures are in "
    "degrees Celsius, precipitation in millimetres, wind in metres a second. month is derived.",
    task="classification",
    source=Source(
        "npm",
        "vega-datasets",
        "3.2.1",
        (
            File(
                "data/weather.csv",
                "27219f1ca8dbd94c9b6f4b9f4f52ab2f1eb33dfdcf719cd9fc6481ed50b74549",
                121_417,
            ),
        ),
    ),
    rows=2_922,
    columns=("location", "date", "month", *_NUMBERS, "weather"),
    target="weather",
    classes={"drizzle": "drizzle", "fog": "fog", "rain": "rain", "snow": "snow", "sun": "none of these"},
    splits={"location": (), "month": ()},
    extra=("date",),
    is_not="Not a forecast: temperatures and precipitation are those of the same day, and rain and snow "
    "are nearly defined by them. Not observed alike: the two cities' stations report fog and "
    "drizzle by rules of their own.",
    licence=f"BSD-3-Clause: {TERMS}",
    citation="Menne, M. J. et al. (2012). An overview of the Global Historical Climatology Network daily "
    "database. Journal of Atmospheric and Oceanic Technology 29, 897-910. In the package vega- "
    "datasets.",
    read=read,
    motivation="To have small real tables for examples of charts.",
    collection="Daily reports of two weather stations to the National Climatic Data Center.",
    preprocessing="The package's makers summed up the reported kinds of weather as one of five; here the month "
    "is derived.",
    uses="Shift between two cities; split variable location and month leave the features.",
)
