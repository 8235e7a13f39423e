"""The packages themselves: one dataset fetched in every run, all of them in the slow one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from surefoot import data
from surefoot.data import _clients

SHELF = tuple(card.name for card in data.cards() if card.source)


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all real fetches: the user's if SUREFOOT_CACHE names one."""
    return Path(os.environ.get("SUREFOOT_CACHE") or tmp_path_factory.mktemp("cache"))


@pytest.fixture
def fetched(shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], pa.Table]:
    monkeypatch.setenv("SUREFOOT_CACHE", str(shared_cache))
    return lambda name: data.load(name, download=True)


def counts(table: pa.Table, column: str) -> dict[object, int]:
    return {item["values"]: item["counts"] for item in table[column].value_counts().to_pylist()}


def test_electricity(fetched: Callable[[str], pa.Table]):
    table = fetched("electricity")
    assert table.shape == (45_312, 9)
    assert counts(table, "class") == {0: 26_075, 1: 19_237}
    assert counts(table, "market") == {"one state": 17_424, "two states": 27_888}
    half_hour = np.rint(table["period"].to_numpy() * 47).astype(int)
    assert (half_hour == table["row"].to_numpy() % 48).all()
    before = table.slice(0, 17_424)
    assert [len(before[name].unique()) for name in ("vicprice", "vicdemand", "transfer")] == [1, 1, 1]


@pytest.mark.slow
def test_covertype(fetched: Callable[[str], pa.Table]):
    table = fetched("covertype")
    assert table.shape == (581_012, 56)
    assert counts(table, "Cover_Type") == {
        1: 211_840,
        2: 283_301,
        3: 35_754,
        4: 2_747,
        5: 9_493,
        6: 17_367,
        7: 20_510,
    }
    areas = {"Rawah": 260_796, "Neota": 29_884, "Comanche Peak": 253_364, "Cache la Poudre": 36_968}
    assert counts(table, "wilderness_area") == areas
    card = data.card("covertype")
    assert len(card.features) == 54
    drop = card.splits["wilderness_area"]
    source, shifted = data.split_by(table, "wilderness_area", source=["Rawah", "Neota"], drop=drop)
    assert (source.shape, shifted.shape) == ((290_680, 51), (290_332, 51))


@pytest.mark.slow
def test_acs_employment(fetched: Callable[[str], pa.Table]):
    table = fetched("acs_employment")
    assert table.shape == (277_677, 18)
    assert counts(table, "year") == {2015: 68_785, 2016: 69_126, 2017: 69_635, 2018: 70_131}
    assert counts(table, "employed") == {0: 138_478, 1: 139_199}


@pytest.mark.slow
def test_adult(fetched: Callable[[str], pa.Table]):
    table = fetched("adult")
    assert table.shape == (48_842, 16)
    assert counts(table, "official_split") == {"train": 32_561, "test": 16_281}
    assert counts(table, "income") == {"<=50K": 37_155, ">50K": 11_687}
    missing = {name: table[name].null_count for name in table.column_names if table[name].null_count}
    assert missing == {"workclass": 2_799, "occupation": 2_809, "native-country": 857}
    assert len(table["native-country"].unique()) == 42


@pytest.mark.slow
def test_bank(fetched: Callable[[str], pa.Table]):
    table = fetched("bank")
    assert table.shape == (41_188, 21)
    assert counts(table, "y") == {"no": 36_548, "yes": 4_640}
    assert counts(table, "marital") == {"married": 24_928, "single": 11_568, "divorced": 4_612, "unknown": 80}


@pytest.mark.slow
def test_credit_default(fetched: Callable[[str], pa.Table]):
    table = fetched("credit_default")
    assert table.shape == (30_000, 24)
    assert counts(table, "default") == {0: 23_364, 1: 6_636}
    assert counts(table, "SEX") == {2: 18_112, 1: 11_888}
    assert [table[f"BILL_AMT{i}"][0].as_py() for i in range(1, 7)] == [3_913, 3_102, 689, 0, 0, 0]


@pytest.mark.slow
def test_census_income(fetched: Callable[[str], pa.Table]):
    table = fetched("census_income")
    assert table.shape == (299_285, 43)
    assert counts(table, "official_split") == {"train": 199_523, "test": 99_762}
    assert counts(table, "income") == {"-50000": 280_717, "50000+": 18_568}
    assert counts(table, "year") == {94: 149_643, 95: 149_642}
    card = data.card("census_income")
    assert len(card.features) == 39
    later = table.filter(np.asarray(table["year"]) == 95)
    telling = {name for name in card.features if len(later[name].unique()) == 1}
    assert telling == set(card.splits["year"])


@pytest.mark.slow
def test_compas(fetched: Callable[[str], pa.Table]):
    table = fetched("compas")
    assert table.shape == (7_214, 11)
    assert counts(table, "two_year_recid") == {0: 3_963, 1: 3_251}
    assert counts(table, "sex") == {"Male": 5_819, "Female": 1_395}


@pytest.mark.slow
def test_crash(fetched: Callable[[str], pa.Table]):
    table = fetched("crash")
    assert table.shape == (26_217, 15)
    assert counts(table, "dead") == {"alive": 25_037, "dead": 1_180}
    years = {1997: 3_975, 1998: 4_427, 1999: 4_516, 2000: 4_420, 2001: 4_115, 2002: 4_764}
    assert counts(table, "yearacc") == years


@pytest.mark.slow
def test_storms(fetched: Callable[[str], pa.Table]):
    table = fetched("storms")
    assert table.shape == (19_537, 14)
    decades = [932, 2_674, 3_895, 5_000, 5_110, 1_926]
    assert sorted(counts(table, "decade").items()) == [
        (f"{1970 + 10 * i}s", rows) for i, rows in enumerate(decades)
    ]
    assert min(table["wind"].filter(np.asarray(table["status"]) == "hurricane").to_pylist()) >= 64


@pytest.mark.slow
def test_flights(fetched: Callable[[str], pa.Table]):
    table = fetched("flights")
    assert table.shape == (327_346, 20)
    assert counts(table, "late") == {0: 249_716, 1: 77_630}
    assert counts(table, "origin") == {"EWR": 117_127, "JFK": 109_079, "LGA": 101_140}
    assert table["temp"].null_count == 1_544


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "target", "split"),
    [
        ("abortion_attitudes", {0: 21_560, 1: 15_234}, {"1970s": 2_963, "1980s": 11_237}),
        ("arrests", {"Yes": 4_334, "No": 892}, {"White": 3_938, "Black": 1_288}),
        ("churn", {"No": 5_174, "Yes": 1_869}, {"Month-to-month": 3_875, "Two year": 1_695}),
        ("german_credit", {1: 700, 2: 300}, {"male": 690, "female": 310}),
        ("hotel_rates", {}, {2016: 6_471, 2017: 8_931}),
        ("lending_club", {"good": 9_340, "bad": 517}, {"term_36": 7_047, "term_60": 2_810}),
        ("meps", {0: 29_287, 1: 6_140}, {1: 11_527, 2: 13_147, 3: 6_901, 4: 2_511, 5: 1_341}),
        ("police_stops", {"NO": 38_462, "YES": 5_237}, {1: 5_249, 2: 7_944, 3: 8_345, 4: 10_726, 5: 11_435}),
        ("trump_vote", {0: 26_177, 1: 18_755}, {"White": 34_679, "Black": 4_168, "Hispanic": 2_876}),
        ("wages", {}, {"south": 8_760, "midwest": 6_863, "northeast": 6_441, "west": 6_091}),
    ],
)
def test_counts(
    fetched: Callable[[str], pa.Table], name: str, target: dict[object, int], split: dict[object, int]
):
    table, card = fetched(name), data.card(name)
    assert card.natural is not None
    if target:
        assert counts(table, card.target) == target
    found = counts(table, card.natural.column)
    assert {value: found[value] for value in split} == split


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "target", "other", "column"),
    [
        ("cifar10", dict.fromkeys(range(10), 6_000), {"train": 50_000, "test": 10_000}, "official_split"),
        (
            "fashion_mnist",
            dict.fromkeys(range(10), 7_000),
            {"train": 60_000, "test": 10_000},
            "official_split",
        ),
        ("mnist", {0: 6_903, 1: 7_877, 9: 6_958}, {"train": 60_000, "test": 10_000}, "official_split"),
        ("newsgroups", {"alt.atheism": 799}, {"train": 11_293, "test": 7_528}, "official_split"),
        ("reuters_r52", {"alum": 50}, {"train": 6_532, "test": 2_568}, "official_split"),
        ("reuters_r8", {"earn": 3_923}, {"train": 5_485, "test": 2_189}, "official_split"),
        (
            "sentiment",
            {"negative": 10_849, "neutral": 383},
            {"movies": 10_605, "products": 3_708, "editorials": 5_190, "tweets": 4_200},
            "domain",
        ),
        ("daily_weather", {"sun": 1_466, "rain": 1_087}, {"Seattle": 1_461, "New York": 1_461}, "location"),
        ("airport_weather", {}, {"EWR": 8_703, "JFK": 8_706, "LGA": 8_706}, "origin"),
        ("weather_france", {}, {"1950s": 94_213, "2020s": 40_748}, "decade"),
        ("weather_stations", {}, {"SINGAPORE": 8_760}, "station"),
        ("weather_stations_us", {}, {"Miami Intl Ap": 8_760}, "station"),
    ],
)
def test_images_texts_and_weather(
    fetched: Callable[[str], pa.Table],
    name: str,
    target: dict[object, int],
    other: dict[object, int],
    column: str,
):
    table, card = fetched(name), data.card(name)
    found = counts(table, card.target) if target else {}
    assert {value: found[value] for value in target} == target
    parts = counts(table, column)
    assert {value: parts[value] for value in other} == other


@pytest.mark.slow
@pytest.mark.parametrize("name", SHELF)
def test_every_card_is_true(fetched: Callable[[str], pa.Table], name: str):
    """Rows, columns and checksums were compared on fetching; the classes and the splits are left."""
    table, card = fetched(name), data.card(name)
    if card.classes:
        assert set(counts(table, card.target)) == set(card.classes)
    for column in card.splits:
        assert 1 < len(table[column].unique()) < 60
    if card.natural:
        drop = card.splits[card.natural.column]
        source, shifted = data.split_by(table, card.natural.column, source=card.natural.source, drop=drop)
        assert min(source.num_rows, shifted.num_rows) >= 100
        assert set(card.features_without(card.natural.column)) <= set(source.column_names)
    assert data.fetch(name) == data.path(name)


@pytest.mark.slow
def test_a_source_package_needs_no_build_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A bare environment without setuptools downloads an sdist whose own metadata step wants numpy."""
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", bare], check=True)
    python = bare / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run(
        [python, "-m", "pip", "uninstall", "-y", "-q", "setuptools"], check=True, capture_output=True
    )
    monkeypatch.setattr(_clients, "_pip", lambda: [str(python), "-m", "pip"])
    (tmp_path / "room").mkdir()
    archive = _clients.download(data.card("electricity").source, tmp_path / "room")
    assert archive.name == "scikit-multiflow-0.4.1.tar.gz"
