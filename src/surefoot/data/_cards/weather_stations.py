"""Hourly weather of Beijing, Boston, Philadelphia, Singapore and Toronto."""

from __future__ import annotations

from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._epw import COLUMNS, STATION, read_stations

card = Card(
    name="weather_stations",
    title="Hourly weather of Beijing, Boston, Philadelphia, Singapore and Toronto",
    about="Hours of a typical year at Beijing, Boston, Philadelphia, Singapore and Toronto, put "
    "together from months of different years. dry_bulb is the temperature of the air in degrees "
    "Celsius, pressure in pascals, radiation in watt-hours a square metre, sky cover in tenths, "
    "hour from 1 to 24 in local standard time. Missing values are null.",
    task="regression",
    source=Source(
        "pip-sdist",
        "uwg",
        "5.8.13",
        (
            File(
                "tests/epw/CAN_ON_Toronto.716240_CWEC.epw",
                "caf30b11f1aeb5dfeed0f01cc2a6ee58e4d4cd9b1453637666c30b0c98083a83",
                1_570_499,
            ),
            File(
                "tests/epw/CHN_Beijing.Beijing.545110_IWEC.epw",
                "e7f37f41215d7959267b34f3173397df5bd37b5be280a68a1829ca8e111c512d",
                1_554_273,
            ),
            File(
                "tests/epw/SGP_Singapore.486980_IWEC.epw",
                "24c2fc197f6a2f46eba58c686df32797567cc691ad75f3c71f048fdb1cc914a9",
                1_558_359,
            ),
            File(
                "tests/epw/USA_MA_Boston-Logan.Intl.AP.725090_TMY3.epw",
                "abea6292173978369f3e1135c73987c7492bb40e110f38dc329c10a8291c23a3",
                1_642_801,
            ),
            File(
                "tests/epw/USA_PA_Philadelphia.Intl.AP.724080_TMY3.epw",
                "914c245d5516fd8fc722a7489852378827e93ef7601d9282db2fff5ccf9d8c78",
                1_633_791,
            ),
        ),
    ),
    rows=43_800,
    columns=COLUMNS,
    target="dry_bulb",
    classes={},
    splits={"station": STATION[1:], "country": ("station", *STATION[2:]), "month": ()},
    extra=("year",),
    is_not="Not one year: the months are of different years, which the column year tells, and their ends "
    "are smoothed. Not all measured: most of the radiation and illuminance is modelled. No polar "
    "station. Present-weather codes are left out, since their makers differ.",
    licence=f"GPL-3.0: {TERMS} (the files of Beijing and Singapore are of ASHRAE, all rights reserved)",
    citation="Thevenard, D. and Brunger, A. (2002). The development of typical weather years for "
    "international locations. ASHRAE Transactions 108, 376-383.",
    read=read_stations,
    motivation="To simulate the energy that buildings need in a typical year.",
    collection="Airport stations; ASHRAE (IWEC), Environment Canada (CWEC) and the National Renewable Energy "
    "Laboratory (TMY3) chose for every month the most typical year.",
    preprocessing="Gaps were filled and the ends of months smoothed by the makers; here missing codes become "
    "null and unusable columns are left out.",
    uses="Source of tasks of weather under climate shift; the temperature itself is nearly told by the "
    "dew point and humidity of the same hour.",
)
