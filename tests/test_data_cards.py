"""Cards are complete, and readers understand the original files, the packaged ones and their quirks."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from surefoot import data
from surefoot.errors import InputError

NAMES = (
    *("abortion_attitudes", "acs_employment", "adult", "arrests", "artificial_characters", "bank"),
    *("bank_deposit", "bng_ionosphere", "bng_zoo", "census_income", "churn", "compas", "covertype", "crash"),
    *("credit_default", "electricity", "flights", "german_credit", "heart", "hotel_rates", "jsbach_chorals"),
    *("lending_club", "meps", "police_stops", "sdss", "storms", "trump_vote", "video_games", "wages"),
    *("airport_weather", "cifar10", "daily_weather", "digits", "fashion_mnist", "mnist", "newsgroups"),
    *("reuters_r52", "reuters_r8", "sentiment", "weather_france", "weather_stations", "weather_stations_us"),
)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shelf():
    assert set(NAMES) <= {card.name for card in data.cards()}


@pytest.mark.parametrize("card", data.cards(), ids=lambda card: card.name)
def test_cards_are_complete(card: data.Card):
    assert card.target in card.columns
    assert len(set(card.columns)) == len(card.columns)
    assert set(card.extra) <= set(card.columns) - {card.target}
    assert {*card.splits, *(same for group in card.splits.values() for same in group)} <= set(card.columns)
    assert {*card.features, *card.extra, card.target} == set(card.columns)
    assert all(re.fullmatch("[0-9a-f]{64}", file.sha256) and file.size > 0 for file in card.files)
    assert len({file.name for file in card.files}) == len(card.files)
    assert bool(card.files) != bool(card.original)
    assert "terms of its own" in card.licence or card.source is None
    assert card.natural is None or (card.natural.column in card.splits and card.natural.source)
    assert card.is_not.startswith("Not ")
    assert re.search(r"\((19|20)\d\d\)", card.citation)
    assert card.rows > 0
    assert data.card(card.name.upper().replace("_", "-")) is card
    described = json.loads(json.dumps(card.to_dict()))
    if card.source:
        assert described["source"]["files"][0]["sha256"] == card.files[0].sha256
    assert "read" not in described


QUESTIONS = (
    "motivation",
    "composition",
    "collection",
    "preprocessing",
    "uses",
    "distribution",
    "maintenance",
)


@pytest.mark.parametrize("card", data.cards(), ids=lambda card: card.name)
def test_every_question_of_a_datasheet_has_an_answer(card: data.Card):
    assert tuple(card.datasheet) == QUESTIONS
    assert card.to_dict()["datasheet"] == card.datasheet
    for question, answer in card.datasheet.items():
        assert answer == "unknown" or re.search(r"[.!]$", answer), question
        assert "  " not in answer
    assert card.is_not in card.datasheet["uses"]
    assert f"{card.rows:,} rows" in card.datasheet["composition"]
    assert card.licence in card.datasheet["distribution"]
    assert f"version {card.version}" in card.datasheet["maintenance"]


def test_features_leave_with_the_split_variable():
    card = data.card("covertype")
    left = card.features_without("wilderness_area")
    assert set(card.features) - set(left) == {f"Wilderness_Area{i}" for i in range(1, 5)}
    assert "race" not in data.card("adult").features_without("race")
    with pytest.raises(KeyError):
        card.features_without("Elevation")


def test_cards_name_no_hosts():
    for card in data.cards():
        assert "://" not in json.dumps(card.to_dict()), card.name


def test_importing_the_room_is_light():
    code = "import surefoot.data, sys; surefoot.data.cards(); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"pyarrow", "sklearn", "scipy", "pandas", "polars", "narwhals", "torch"} & set(loaded)


def covertype_row(area: int, cover: int) -> str:
    indicators = [int(i == area) for i in range(4)] + [1] + [0] * 39
    return ",".join(map(str, [2596, 51, 3, 258, -6, 510, 221, 232, 148, 6279, *indicators, cover]))


def test_covertype_with_header_without_and_gzipped(tmp_path: Path):
    card = data.card("covertype")
    rows = "\n".join(covertype_row(area, cover) for area, cover in ((0, 5), (3, 4), (2, 1), (1, 7))) + "\n"
    header = ",".join(column for column in card.columns if column != "wilderness_area") + "\n"
    packaged = card.read([write(tmp_path / "covtype.csv", header + rows)])
    original = card.read([write(tmp_path / "covtype.data", rows)])
    (tmp_path / "covtype.data.gz").write_bytes(gzip.compress(rows.encode()))
    assert packaged.equals(original)
    assert packaged.equals(card.read([tmp_path / "covtype.data.gz"]))
    assert packaged["wilderness_area"].to_pylist() == ["Rawah", "Cache la Poudre", "Comanche Peak", "Neota"]
    assert packaged["Cover_Type"].to_pylist() == [5, 4, 1, 7]
    assert packaged["Vertical_Distance_To_Hydrology"].to_pylist() == [-6] * 4
    nowhere = rows.replace(",1,0,0,0,", ",0,0,0,0,", 1)
    with pytest.raises(InputError, match="exactly one of Wilderness_Area1"):
        card.read([write(tmp_path / "covtype.data", nowhere)])


ADULT = """\
39, State-gov, 77516, Bachelors, 13, Never-married, ?, Not-in-family, White, Male, 2174, 0, 40, United-States, <=50K
50, ?, 83311, HS-grad, 9, Divorced, Sales, Husband, Black, Female, 0, 0, 13, ?, >50K

"""


def test_adult_marks_the_official_split_and_cleans_labels(tmp_path: Path):
    card = data.card("adult")
    train = write(tmp_path / "adult.data", ADULT)
    test = write(tmp_path / "adult.test", "|1x3 Cross validator\n" + ADULT.replace("50K\n", "50K.\n"))
    table = card.read([train, test])
    assert table.column_names == list(card.columns)
    assert table["income"].to_pylist() == ["<=50K", ">50K"] * 2
    assert table["official_split"].to_pylist() == ["train", "train", "test", "test"]
    assert table["occupation"].to_pylist() == [None, "Sales"] * 2
    assert table["workclass"].to_pylist() == ["State-gov", None] * 2
    assert table["native-country"].null_count == 2
    assert table["education-num"].to_pylist() == [13, 9] * 2
    assert pa.types.is_dictionary(table.schema.field("race").type)
    assert card.read([train]).num_rows == 2


def test_bank_is_separated_by_semicolons_and_keeps_unknown(tmp_path: Path):
    card = data.card("bank")
    values = ["56", *["unknown"] * 6, "cellular", "may", "mon", "261", "1", "999", "0", "failure"]
    values += ["1.1", "93.994", "-36.4", "4.857", "5191", "yes"]
    header = ";".join(f'"{name}"' for name in card.columns)
    row = ";".join(value if value[-1].isdigit() else f'"{value}"' for value in values)
    table = card.read([write(tmp_path / "bank.csv", f"{header}\r\n{row}\r\n")])
    assert table.to_pylist()[0] == {
        name: value if not value[-1].isdigit() else float(value)
        for name, value in zip(card.columns, values, strict=True)
    }
    assert table.schema.field("nr.employed").type == pa.float64()


def test_credit_default_is_named_by_position_since_the_package_reverses_the_months(tmp_path: Path):
    card = data.card("credit_default")
    values = ",".join(map(str, range(24)))
    months = ("apr", "may", "jun", "jul", "aug", "sep")
    packaged = ["limit", "sex", "edu", "married", "age"]
    packaged += [f"{month}_{what}" for what in ("delay", "bill", "pay") for month in months]
    official = [*card.columns[:-1], "default payment next month"]
    first = card.read([write(tmp_path / "credit.csv", ",".join([*packaged, "default"]) + f"\n{values}\n")])
    second = card.read([write(tmp_path / "uci.csv", ",".join(["ID", *official]) + f"\n1,{values}\n")])
    assert first.equals(second)
    assert [first[name].to_pylist() for name in ("PAY_0", "PAY_6", "BILL_AMT1", "PAY_AMT6", "default")] == [
        [5],
        [10],
        [11],
        [22],
        [23],
    ]


def test_electricity_counts_rows_and_sees_victoria_join(tmp_path: Path):
    card = data.card("electricity")
    rows = [
        (0, 0.1, 0.2, 0.3, 0.4, 0.5),
        (0.1, 0.1, 0.2, 0.3, 0.4, 0.5),
        (0.2, 0, 0, 0.1, 0.6, 0.2),
        (0, 0, 0, 0.3, 0.4, 0.5),
    ]
    labels = [1, 0, 0, 1]
    packaged = "\n".join(",".join(map(str, [*row, label])) for row, label in zip(rows, labels, strict=True))
    original = "\n".join(
        ",".join(["0.0", "2", *map(str, row), "UP" if label else "DOWN"])
        for row, label in zip(rows, labels, strict=True)
    )
    first = card.read(
        [write(tmp_path / "elec.csv", "feat_1,feat_2,feat_3,feat_4,feat_5,feat_6,target\n" + packaged + "\n")]
    )
    header = "date,day,period,nswprice,nswdemand,vicprice,vicdemand,transfer,class\n"
    assert first.equals(card.read([write(tmp_path / "elec2.csv", header + original + "\n")]))
    assert first["row"].to_pylist() == [0, 1, 2, 3]
    assert first["market"].to_pylist() == ["one state", "one state", "two states", "two states"]
    assert first["class"].to_pylist() == labels


def acs_files(folder: Path) -> list[Path]:
    """The package's three files in small: categories numbered differently, targets in another order."""
    texts = [name for name in data.card("acs_employment").columns if name not in ("AGEP", "year", "employed")]

    def part(ids: list[int], year: int, category: list[str]) -> pa.Table:
        columns = {"id": ids, "AGEP": [30.0] * 2}
        columns |= {name: pa.array(category).dictionary_encode() for name in texts}
        return pa.table(
            {**columns, "year": [year] * 2, "prediction": [0] * 2, "predicted_probability": [0.5] * 2}
        )

    reference = part([0, 1], 2015, ["a", "b"]).append_column("employed", pa.array([1, 0]))
    tables = {"reference": reference, "analysis": part([2, 3], 2016, ["c", "a"])}
    tables["analysis_target"] = pa.table({"id": [3, 2], "employed": [1, 0]})
    paths = [folder / f"employment_MA_{name}.pq" for name in tables]
    for path, table in zip(paths, tables.values(), strict=True):
        pq.write_table(table, path)
    return paths


def test_acs_joins_targets_by_id_and_drops_the_predictions(tmp_path: Path):
    card = data.card("acs_employment")
    table = card.read(acs_files(tmp_path))
    assert table.column_names == list(card.columns)
    assert table["employed"].to_pylist() == [1, 0, 0, 1]
    assert table["year"].to_pylist() == [2015, 2015, 2016, 2016]
    assert table["RAC1P"].to_pylist() == ["a", "b", "c", "a"]


def test_acs_wants_all_three_files_of_one_package(tmp_path: Path):
    card, paths = data.card("acs_employment"), acs_files(tmp_path)
    with pytest.raises(InputError, match=r"no employment_MA_analysis_target\.pq was given"):
        card.read(paths[:2])
    pq.write_table(pa.table({"id": [2, 7], "employed": [1, 0]}), paths[2])
    with pytest.raises(InputError, match="ids of .* differ"):
        card.read(paths)


def test_census_income_cleans_labels_and_marks_the_official_split(tmp_path: Path):
    card = data.card("census_income")
    written = [name for name in card.columns if name not in ("official_split", "income")]
    values = dict.fromkeys(written, "?") | {
        "age": "58",
        "wage per hour": "0",
        "capital gains": "0",
        "capital losses": "0",
        "dividends from stocks": "7",
        "num persons worked for employer": "1",
        "weeks worked in year": "52",
        "instance weight": "1053.55",
        "year": "94",
        "hispanic origin": "NA",
        "sex": "Male",
    }
    row = ", ".join(values[name] for name in written)
    train = write(tmp_path / "census_train.csv", f"{row}, - 50000.\n{row}, 50000+.\n")
    test = write(tmp_path / "census-income.test", f"{row}, 50000+.\n")
    table = card.read([train, test])
    assert table.column_names == list(card.columns)
    assert table["income"].to_pylist() == ["-50000", "50000+", "50000+"]
    assert table["official_split"].to_pylist() == ["train", "train", "test"]
    first = table.to_pylist()[0]
    assert (first["age"], first["year"], first["instance weight"]) == (58, 94, 1053.55)
    assert (first["sex"], first["hispanic origin"], first["race"]) == ("Male", "NA", None)


def test_compas_reads_columns_that_come_twice_and_leaves_names_out(tmp_path: Path):
    card = data.card("compas")
    header = f"name,{','.join(card.columns)},priors_count,decile_score,decile_score\n"
    row = 'a b,Male,69,Other,0,0,0,3,,F,"Assault, w/Firearm",1,9,1,1\n'
    table = card.read([write(tmp_path / "compas.csv", header + row)])
    assert table.to_pylist() == [
        dict(
            zip(
                card.columns,
                ("Male", 69, "Other", 0, 0, 0, 3, None, "F", "Assault, w/Firearm", 1),
                strict=True,
            )
        )
    ]


CRASH = """\
rownames,dvcat,weight,dead,airbag,seatbelt,frontal,sex,ageOFocc,yearacc,yearVeh,abcat,occRole,deploy,injSeverity,caseid
1,25-39,25.069,alive,none,belted,1,f,26,1997,1990,unavail,driver,0,3,2:3:1
2,55+,0,dead,airbag,none,0,m,72,2002,NA,deploy,pass,1,NA,2:3:2
"""


def test_crash_from_csv(tmp_path: Path):
    card = data.card("crash")
    table = card.read([write(tmp_path / "nassCDS.csv", CRASH)])
    assert table.column_names == list(card.columns)
    assert table["yearVeh"].to_pylist() == [1990, None]
    assert table["injSeverity"].to_pylist() == [3, None]
    assert table["dead"].to_pylist() == ["alive", "dead"]
    assert table.schema.field("weight").type == pa.float64()
    assert "rownames" not in table.column_names
    assert {"injSeverity", "caseid", "weight", "dead"}.isdisjoint(card.features)
    with pytest.raises(InputError, match="columns injSeverity are missing"):
        card.read([write(tmp_path / "nassCDS.csv", CRASH.replace("injSeverity", "severity"))])


def test_the_pickled_table_and_the_csv_are_one(tmp_path: Path):
    card = data.card("crash")
    table = card.read([write(tmp_path / "nassCDS.csv", CRASH)])
    frame = pd.read_csv(tmp_path / "nassCDS.csv", dtype_backend="numpy_nullable").astype(object)
    for name in ("weight", "frontal", "ageOFocc", "yearacc", "yearVeh", "deploy", "injSeverity"):
        frame[name] = frame[name].astype("Float64").to_numpy(float, na_value=float("nan"))
    frame.columns = frame.columns.astype(object)
    frame.to_pickle(tmp_path / "nassCDS.pkl.compress", compression="xz")
    assert card.read([tmp_path / "nassCDS.pkl.compress"]).equals(table)


def test_storms_name_the_decade_and_keep_the_wind_from_the_features(tmp_path: Path):
    card = data.card("storms")
    header = "rownames,name,year,month,day,hour,lat,long,status,category,wind,pressure,"
    header += "tropicalstorm_force_diameter,hurricane_force_diameter\n"
    rows = "1,Amy,1975,6,27,0,27.5,-79,tropical depression,NA,25,1013,NA,NA\n"
    rows += "2,Ida,2021,8,29,12,28,-89.6,hurricane,4,130,931,240,70\n"
    table = card.read([write(tmp_path / "storms.csv", header + rows)])
    assert table["decade"].to_pylist() == ["1970s", "2020s"]
    assert table["category"].to_pylist() == [None, 4]
    assert card.features == ("month", "day", "hour", "lat", "long", "pressure")


FLIGHTS = """\
year,month,day,dep_time,sched_dep_time,dep_delay,arr_time,sched_arr_time,arr_delay,carrier,flight,tailnum,origin,dest,air_time,distance,hour,minute,time_hour
2013,1,1,517,515,2,830,819,16,UA,1545,N14228,EWR,IAH,227,1400,5,15,2013-01-01T10:00:00Z
2013,1,1,NA,600,NA,NA,901,NA,B6,125,N618JB,JFK,FLL,NA,1069,6,0,2013-01-01T11:00:00Z
2013,1,1,533,529,4,850,830,15,UA,1714,N24211,LGA,IAH,227,1416,5,29,2013-01-01T10:00:00Z
"""
WEATHER = """\
origin,year,month,day,hour,temp,dewp,humid,wind_dir,wind_speed,wind_gust,precip,pressure,visib,time_hour
EWR,2013,1,1,5,39.02,26.06,59.37,270,10.35,NA,0,1012,10,2013-01-01T10:00:00Z
JFK,2013,1,1,6,37.94,28.04,67.21,240,11.50,NA,0,1012.6,10,2013-01-01T11:00:00Z
"""


def test_flights_meet_their_weather_and_lose_what_tells_the_delay(tmp_path: Path):
    card = data.card("flights")
    weather = write(tmp_path / "weather.csv", WEATHER)
    plain = write(tmp_path / "flights.csv", FLIGHTS)
    with zipfile.ZipFile(tmp_path / "flights.csv.zip", "w") as archive:
        archive.write(plain, "flights.csv")
    table = card.read([plain, weather])
    assert table.equals(card.read([tmp_path / "flights.csv.zip", weather]))
    assert table["late"].to_pylist() == [1, 0]
    assert table["origin"].to_pylist() == ["EWR", "LGA"]
    assert table["temp"].to_pylist() == [39.02, None]
    assert {"dep_delay", "arr_delay", "arr_time", "dep_time", "air_time"}.isdisjoint(table.column_names)
    with pytest.raises(
        InputError, match="no weather.csv was given; give a folder that holds flights.csv.zip"
    ):
        card.read([plain])
    write(tmp_path / "weather.csv", WEATHER + WEATHER.splitlines()[1] + "\n")
    with pytest.raises(InputError, match="more than one row for an airport and an hour"):
        card.read([plain, weather])


def test_german_credit_takes_the_sex_out_of_its_code(tmp_path: Path):
    card = data.card("german_credit")
    row = "A11 6 A34 A43 1169 A65 A75 4 A93 A101 4 A121 67 A143 A152 2 A173 1 A192 A201 1\n"
    rows = row + row.replace("A93", "A92").replace("A201 1", "A201 2") + row.replace("A93", "A95")
    table = card.read([write(tmp_path / "german.data", rows)])
    assert table.column_names == list(card.columns)
    assert table["sex"].to_pylist() == ["male", "female", "female"]
    assert table["credit"].to_pylist() == [1, 2, 1]
    assert (table["credit_amount"][0].as_py(), table["status"][0].as_py()) == (1169, "A11")
    assert len(card.features) == 20


def test_meps_adds_up_visits_and_days(tmp_path: Path):
    card = data.card("meps")
    visits = ("OBTOTV15", "OPTOTV15", "ERTOT15", "IPNGTD15", "HHTOTD15")
    written = ("DUPERSID", *(name for name in card.columns if name != "utilization"), *visits)

    def line(*days: int) -> str:
        values = dict.fromkeys(written, "1") | dict(zip(visits, map(str, days), strict=True))
        return ",".join((values | {"RACETHX": "3", "PCS42": "54.84"})[name] for name in written)

    lines = [",".join(written), line(9, 0, 0, 0, 0), line(2, 2, 2, 2, 2), line(0, 0, 0, 0, 300)]
    table = card.read([write(tmp_path / "h181.csv", "\n".join(lines) + "\n")])
    assert table["utilization"].to_pylist() == [0, 1, 1]
    assert table["RACETHX"].to_pylist() == [3, 3, 3]
    assert table["PCS42"].to_pylist() == [54.84] * 3
    assert len(card.features) == 41


def test_police_stops_without_an_answer_are_left_out(tmp_path: Path):
    card = data.card("police_stops")
    header = (
        "rownames,idNum,date,problem,MDC,citationIssued,personSearch,vehicleSearch,preRace,race,gender,lat,"
    )
    header += "long,policePrecinct,neighborhood\n"
    rows = "1,17-1,2017-10-09T23:05:28Z,traffic,MDC,NA,YES,NO,Unknown,Black,Male,44.9,-93.2,5,Whittier\n"
    rows += "2,17-2,2017-01-01T00:00:42Z,suspicious,other,NA,NA,NA,NA,NA,NA,44.9,-93.2,1,Cedar\n"
    table = card.read([write(tmp_path / "MplsStops.csv", header + rows)])
    assert table.to_pylist() == [
        {
            "month": 10, "hour": 23, "problem": "traffic", "preRace": "Unknown", "race": "Black",
            "gender": "Male", "lat": 44.9, "long": -93.2, "policePrecinct": 5, "neighborhood": "Whittier",
            "personSearch": "YES",
        }
    ]  # fmt: skip


def test_abortion_attitudes_without_an_answer_are_left_out(tmp_path: Path):
    card = data.card("abortion_attitudes")
    rows = "id,year,age,race,sex,hispaniccat,educ,partyid,relactiv,abany\n"
    rows += '1,1977,30,White,Female,NA,12,"Ind,Near Dem",NA,1\n2,1978,30,White,Male,NA,12,NA,NA,NA\n'
    rows += "3,2018,51,Black,Male,1,16,Strong Democrat,3,0\n"
    table = card.read([write(tmp_path / "gss_abortion.csv", rows)])
    assert table["decade"].to_pylist() == ["1970s", "2010s"]
    assert table["abany"].to_pylist() == [1, 0]
    assert table["relactiv"].to_pylist() == [None, 3]
    assert card.features_without("decade") == ("age", "race", "sex", "educ", "partyid")


def test_trump_vote_keeps_known_votes(tmp_path: Path):
    card = data.card("trump_vote")
    names = ["uid", *card.columns]
    values = dict.fromkeys(names, "1") | {"state": "Ohio", "racef": "White", "lrelig": "-1.5", "ideo": "NA"}
    lines = [",".join({**values, "votetrump": vote}[name] for name in names) for vote in ("0", "NA", "1")]
    table = card.read([write(tmp_path / "TV16.csv", "\n".join([",".join(names), *lines]) + "\n")])
    assert table["votetrump"].to_pylist() == [0, 1]
    assert table["ideo"].to_pylist() == [None, None]
    assert table["lrelig"].to_pylist() == [-1.5, -1.5]


def test_hotel_rates_take_the_year_out_of_the_date(tmp_path: Path):
    card = data.card("hotel_rates")
    assert (card.task, card.classes) == ("regression", {})
    names = [name for name in card.columns if name != "year"]
    texts = {"meal", "country", "market_segment", "distribution_channel", "reserved_room_type"}
    texts |= {"assigned_room_type", "agent", "company", "customer_type"}
    values = {name: "a" if name in texts else "3" for name in names} | {"avg_price_per_room": "98.5"}
    dates = ["2016-07-02", "2017-08-31"]
    lines = [",".join({**values, "arrival_date": date}[name] for name in names) for date in dates]
    table = card.read([write(tmp_path / "hotel.csv", "\n".join([",".join(names), *lines]) + "\n")])
    assert table["year"].to_pylist() == [2016, 2017]
    assert table["arrival_date"].to_pylist() == dates
    assert {"year", "arrival_date"}.isdisjoint(card.features)


@pytest.mark.parametrize("name", ["arrests", "churn", "lending_club", "wages"])
def test_tables_of_r_have_the_types_of_the_card_whatever_the_file_says(tmp_path: Path, name: str):
    """Ones everywhere could be of any type, and so could missing values; names of rows are dropped."""
    card = data.card(name)
    written = ("rownames", *card.columns)
    lines = [",".join(written), ",".join("1" for _ in written), ",".join("NA" for _ in written)]
    table = card.read([write(tmp_path / "table.csv", "\n".join(lines) + "\n")])
    assert table.column_names == list(card.columns)
    assert table.slice(1).to_pylist() == [dict.fromkeys(card.columns)]
    kinds = {str(table.schema.field(column).type).partition("<")[0] for column in card.columns}
    assert {"dictionary"} < kinds <= {"int64", "double", "dictionary"}
