"""Hourly weather of 16 stations in the United States."""

from __future__ import annotations

from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._epw import COLUMNS, STATION, read_stations

card = Card(
    name="weather_stations_us",
    title="Hourly weather of 16 stations in the United States",
    about="Hours of a typical year at 16 stations of the United States, from desert to snow, put "
    "together from months of different years. dry_bulb is the temperature of the air in degrees "
    "Celsius, pressure in pascals, radiation in watt-hours a square metre, sky cover in tenths, "
    "hour from 1 to 24 in local standard time. Missing values are null.",
    task="regression",
    source=Source(
        "pip-wheel",
        "pyenergyplus-lbnl",
        "26.1.0",
        (
            File(
                "pyenergyplus/data/weather/USA_AZ_Phoenix-Sky.Harbor.Intl.AP.722780_TMY3.epw",
                "aa7edb5eb1adb620c703932f8b9457a092ba232a31ec47e185803b132aff2906",
                1_634_911,
            ),
            File(
                "pyenergyplus/data/weather/USA_CA_Fresno.Air.Terminal.723890_TMY3.epw",
                "e2f03d9b9b0de436da92ff2a04faa80ab67d2f81da4e9b6f8335351102e301ce",
                1_625_868,
            ),
            File(
                "pyenergyplus/data/weather/USA_CA_San.Francisco.Intl.AP.724940_TMY3.epw",
                "b69e012e7ff8a5d3e610a19acc1ceb84926feae1f4347192b9388459423bf29c",
                1_619_974,
            ),
            File(
                "pyenergyplus/data/weather/USA_CO_Boulder-Broomfield-Jefferson.County.AP.724699_TMY3.epw",
                "544c9f346f19bb93aa26b9e53184482ca5403fc199d27d8643c091744242c896",
                1_640_233,
            ),
            File(
                "pyenergyplus/data/weather/USA_CO_Colorado.Springs-Peterson.Field.724660_TMY3.epw",
                "098518c9cfbda24ce826c01d8d4e13d5ed4b4b8d2440cac206a577762c120e53",
                1_635_056,
            ),
            File(
                "pyenergyplus/data/weather/USA_CO_Denver-Aurora-Buckley.AFB.724695_TMY3.epw",
                "c7e390b6b3acd4f3e13328115ea81254ac68106bb1503201649eeba4e951f2ee",
                1_620_677,
            ),
            File(
                "pyenergyplus/data/weather/USA_CO_Golden-NREL.724666_TMY3.epw",
                "65041e11615dac66cfac8b2e3f83ea0297f42f20fc90ef3723a8241153a62e0b",
                1_614_738,
            ),
            File(
                "pyenergyplus/data/weather/USA_FL_Miami.Intl.AP.722020_TMY3.epw",
                "e649b1c55f7cf9c849748adcd32bfb5f4fd7c36dac16943b5a6772e3cf0376c8",
                1_641_354,
            ),
            File(
                "pyenergyplus/data/weather/USA_FL_Orlando.Intl.AP.722050_TMY3.epw",
                "c8fd482d3136809b54fa8c637f2d3ffeec83664bede97ec550b9546b65cd8d00",
                1_615_691,
            ),
            File(
                "pyenergyplus/data/weather/USA_FL_Tampa.Intl.AP.722110_TMY3.epw",
                "70bfcdf8a79b9df57f062e0ba94cda9b9316ea53e3c1130a24b6c230eec90c45",
                1_636_475,
            ),
            File(
                "pyenergyplus/data/weather/USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw",
                "3cc3dc0c7bcc93e7203e8d9aab657d384315f5a0c86cdede23f792d437a0309f",
                1_639_985,
            ),
            File(
                "pyenergyplus/data/weather/USA_IL_University.of.Illinois-Willard.AP.725315_TMY3.epw",
                "500d1877537913775cae9d4710a5d098c7155486534111d8e9b48679496578a7",
                1_618_382,
            ),
            File(
                "pyenergyplus/data/weather/USA_NJ_Newark.Intl.AP.725020_TMY3.epw",
                "1fcab9e91ce15c686f86bb64d753f03c4581a2ef9ec9b623d12f9097c432e8af",
                1_632_356,
            ),
            File(
                "pyenergyplus/data/weather/USA_NV_Las.Vegas-McCarran.Intl.AP.723860_TMY3.epw",
                "54eba83988a0320e8c1e586dd6e3c1f3f96917ea58aadffac26854643a006e9a",
                1_637_752,
            ),
            File(
                "pyenergyplus/data/weather/USA_OK_Oklahoma.City-Will.Rogers.World.AP.723530_TMY3.epw",
                "d12a04473f89b53ba51d12a84c1d7d46d51a98aa341f185c29b756706da45cd8",
                1_637_337,
            ),
            File(
                "pyenergyplus/data/weather/USA_VA_Sterling-Washington.Dulles.Intl.AP.724030_TMY3.epw",
                "d7d536f2be36311348bc2f888ff8dafbea40591c2d114463240427776ea1fa56",
                1_640_974,
            ),
        ),
    ),
    rows=140_160,
    columns=COLUMNS,
    target="dry_bulb",
    classes={},
    splits={"station": STATION[1:], "month": ()},
    extra=("year",),
    is_not="Not one year: the months are of different years, which the column year tells, and their ends "
    "are smoothed. Not all measured: most of the radiation and illuminance is modelled. No polar "
    "station. Present-weather codes are left out, since their makers differ.",
    licence=f"BSD-3-Clause: {TERMS}",
    citation="Wilcox, S. and Marion, W. (2008). Users manual for TMY3 data sets. National Renewable Energy "
    "Laboratory, NREL/TP-581-43156.",
    read=read_stations,
    motivation="To simulate the energy that buildings need in a typical year.",
    collection="Stations of the National Weather Service, 1976 to 2005; the laboratory chose for every month "
    "the most typical year (TMY3).",
    preprocessing="Gaps were filled and the ends of months smoothed by the makers; here missing codes become "
    "null and unusable columns are left out.",
    uses="Source of tasks of weather under climate shift; the temperature itself is nearly told by the "
    "dew point and humidity of the same hour.",
)
