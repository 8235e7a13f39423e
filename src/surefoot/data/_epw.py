"""EPW files of weather stations: eight header lines, then a line an hour (EnergyPlus auxiliary programs, chapter 2)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot.data._convert import categorical, read_csv
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

HEADER_LINES = 8

STATION = ("station", "country", "latitude", "longitude", "time_zone", "elevation")
TIME = ("year", "month", "day", "hour")

MISSING: dict[str, float] = {
    "dry_bulb": 99.9,
    "dew_point": 99.9,
    "relative_humidity": 999,
    "pressure": 999_999,
    "extraterrestrial_horizontal_radiation": 9999,
    "extraterrestrial_direct_radiation": 9999,
    "infrared_radiation": 9999,
    "global_horizontal_radiation": 9999,
    "direct_normal_radiation": 9999,
    "diffuse_horizontal_radiation": 9999,
    "global_illuminance": 999_900,
    "direct_illuminance": 999_900,
    "diffuse_illuminance": 999_900,
    "zenith_luminance": 9999,
    "wind_direction": 999,
    "wind_speed": 999,
    "total_sky_cover": 99,
    "opaque_sky_cover": 99,
    "visibility": 9999,
    "ceiling": 99_999,
    "present_weather": 9,
    "present_weather_codes": 999_999_999,
    "precipitable_water": 999,
    "aerosol_depth": 0.999,
    "snow_depth": 999,
    "days_since_snow": 99,
    "albedo": 999,
    "rain_depth": 999,
    "rain_hours": 99,
}
"""The measured columns in order, and the value from which on each counts as missing."""

UNUSABLE = ("present_weather", "present_weather_codes")
"""Columns whose codes differ between makers of files, so that they are left out."""

MEASURED = tuple(name for name in MISSING if name not in UNUSABLE)
COLUMNS = (*STATION, *TIME, *MEASURED)


def read_stations(paths: Sequence[Path]) -> pa.Table:
    """All hours of all stations, one file each."""
    import pyarrow as pa

    return categorical(pa.concat_tables([_station(path) for path in paths]), ("station", "country"))


def _station(path: Path) -> pa.Table:
    """The hours of one station, with its name and place in front."""
    import pyarrow as pa
    import pyarrow.compute as pc

    with path.open(encoding="latin-1") as lines:
        first = lines.readline().strip().split(",")
    if first[0] != "LOCATION" or len(first) != 10:
        raise InputError(f"{path.name} is no EPW file: its first line names no LOCATION")
    place = (first[1].strip(), first[3].strip(), *map(float, first[6:]))
    names = (*TIME, "minute", "flags", *MISSING)
    types = dict.fromkeys(TIME, pa.int64()) | dict.fromkeys(MISSING, pa.float64())
    types |= {"flags": pa.string(), "present_weather_codes": pa.string()}
    table = read_csv(path, names=names, types=types, skip=HEADER_LINES)
    columns: dict[str, Any] = {name: pa.repeat(pa.scalar(value), table.num_rows) for name, value in
                               zip(STATION, place, strict=True)}  # fmt: skip
    columns |= {name: table[name] for name in TIME}
    for name in MEASURED:
        values = table[name]
        columns[name] = pc.if_else(pc.less(values, MISSING[name]), values, None)
    return pa.table(columns)
