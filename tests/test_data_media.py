"""Readers of images, texts and stations understand their files, and say what is wrong with others."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image

from surefoot import data
from surefoot.data import _epw
from surefoot.data._images import MNIST_FILES, image_table, read_idx
from surefoot.errors import InputError


def idx(values: np.ndarray) -> bytes:
    head = bytes([0, 0, 8, values.ndim]) + np.array(values.shape, dtype=">i4").tobytes()
    return head + values.astype(np.uint8).tobytes()


def mnist_files(folder: Path, *, zipped: bool) -> list[Path]:
    rng = np.random.default_rng(0)
    paths = []
    for name in MNIST_FILES:
        n = 3 if name.startswith("train") else 2
        values = rng.integers(0, 255, (n, 28, 28)) if "images" in name else np.arange(n)
        content = idx(values)
        paths.append(folder / (f"{name}.gz" if zipped else name))
        paths[-1].write_bytes(gzip.compress(content) if zipped else content)
    return paths


@pytest.mark.parametrize(("name", "zipped"), [("mnist", False), ("fashion_mnist", True)])
def test_images_are_rows(tmp_path: Path, name: str, zipped: bool):
    card, paths = data.card(name), mnist_files(tmp_path, zipped=zipped)
    table = card.read(paths)
    assert table.column_names == list(card.columns)
    assert table["official_split"].to_pylist() == ["train"] * 3 + ["test"] * 2
    assert table["label"].to_pylist() == [0, 1, 2, 0, 1]
    assert table.schema.field("image").type == pa.list_(pa.uint8(), 784)
    assert (np.array(table["image"][0].as_py()) == read_idx(paths[0])[0].ravel()).all()
    assert card.features == ("image",)


def test_images_that_are_not_there_or_damaged(tmp_path: Path):
    card, paths = data.card("mnist"), mnist_files(tmp_path, zipped=False)
    with pytest.raises(
        InputError, match="no t10k-images-idx3-ubyte was given; give a folder that holds all four"
    ):
        card.read([path for path in paths if path.name != "t10k-images-idx3-ubyte"])
    content = paths[0].read_bytes()
    paths[0].write_bytes(content[:-1])
    with pytest.raises(InputError, match=r"holds 2,351 values where its head promises \(3, 28, 28\)"):
        card.read(paths)
    paths[0].write_bytes(b"PNG")
    with pytest.raises(InputError, match="train-images-idx3-ubyte is no IDX file of bytes"):
        card.read(paths)
    with pytest.raises(InputError, match="there are 3 images, but 2 labels"):
        image_table(np.zeros((3, 2, 2), np.uint8), np.zeros(2, np.uint8), "train")


def cifar_files(folder: Path) -> list[Path]:
    rng = np.random.default_rng(0)
    names = [*(f"data_batch_{i}.png" for i in range(1, 6)), "test_batch.png"]
    for name in names:
        Image.fromarray(rng.integers(0, 255, (2, 1024, 3)).astype(np.uint8)).save(folder / name)
    (folder / "train_lables.json").write_text(json.dumps([i % 10 for i in range(10)]))
    (folder / "test_lables.json").write_text("[3, 8]")
    return sorted(folder.iterdir())


def test_photographs_out_of_pictures(tmp_path: Path):
    card, paths = data.card("cifar10"), cifar_files(tmp_path)
    table = card.read(paths)
    assert table.num_rows == 12
    assert table["label"].to_pylist() == [*range(10), 3, 8]
    with Image.open(tmp_path / "data_batch_1.png") as opened:
        assert table["image"][1].as_py() == np.asarray(opened)[1].ravel().tolist()
    with pytest.raises(InputError, match="no test_batch.png was given"):
        card.read([path for path in paths if path.name != "test_batch.png"])
    Image.new("RGB", (32, 32)).save(tmp_path / "test_batch.png")
    with pytest.raises(InputError, match="test_batch.png is 32 points wide"):
        card.read(paths)


def test_digits_have_no_header(tmp_path: Path):
    card = data.card("digits")
    path = tmp_path / "digits.csv.gz"
    path.write_bytes(gzip.compress((",".join(map(str, range(65))) + "\n").encode()))
    table = card.read([path])
    assert (table["pixel_0_0"][0].as_py(), table["pixel_7_7"][0].as_py(), table["digit"][0].as_py()) == (
        0,
        63,
        64,
    )
    assert len(card.features) == 64


DOCUMENTS = 'Category\tText\nd\tstring\nclass\t\n\t\nalt.a\tso "he said\nalt.b\tle m\u00eame\n'


@pytest.mark.parametrize("name", ["newsgroups", "reuters_r52", "reuters_r8"])
def test_documents(tmp_path: Path, name: str):
    card = data.card(name)
    train, test = (tmp_path / file.name for file in card.files)
    train.write_text(DOCUMENTS, encoding="utf-8")
    test.write_text(DOCUMENTS.replace("\n", "\r\n"), encoding="utf-8", newline="")
    table = card.read([train, test])
    assert table["text"].to_pylist() == ['so "he said', "le m\u00eame"] * 2
    assert table["label"].to_pylist() == ["alt.a", "alt.b"] * 2
    assert table["official_split"].to_pylist() == ["train", "train", "test", "test"]
    train.write_text("a\tb\n")
    with pytest.raises(InputError, match="has not the three header lines"):
        card.read([train])
    train.write_text(DOCUMENTS + "no tab\n", encoding="utf-8")
    with pytest.raises(InputError, match="has a line without a tab: 'no tab'"):
        card.read([train])


RATINGS = {
    "movieReviewSnippets": "1\t2.5\tgood\r\n2\t0\tso so\r\n",
    "amazonReviewSnippets": "1_1\t-0.5\tbad\tthing\r\n",
    "nytEditorialSnippets": "1_1\t0.1\tcaf\u00e9\r\n",
    "tweets": "1\t-3\t:(\r\n\r\n",
}


def test_ratings_out_of_an_archive_or_from_files(tmp_path: Path):
    card = data.card("sentiment")
    paths = []
    for name, content in RATINGS.items():
        paths.append(tmp_path / f"{name}_GroundTruth.txt")
        paths[-1].write_bytes(content.encode("latin-1"))
    archive = tmp_path / "hutto_ICWSM_2014.tar.gz"
    with tarfile.open(archive, "w:gz") as opened:
        for path in paths:
            info = tarfile.TarInfo(f"hutto_ICWSM_2014/{path.name}")
            info.size = path.stat().st_size
            opened.addfile(info, io.BytesIO(path.read_bytes()))
    table = card.read([archive])
    assert table.equals(card.read(paths))
    assert table["text"].to_pylist() == ["good", "so so", "bad\tthing", "caf\u00e9", ":("]
    assert table["sentiment"].to_pylist() == ["positive", "neutral", "negative", "positive", "negative"]
    assert table["domain"].to_pylist() == ["movies", "movies", "products", "editorials", "tweets"]
    with pytest.raises(InputError, match="no tweets_GroundTruth.txt was given"):
        card.read(paths[:3])


def epw(station: str, hours: list[dict[str, float]]) -> str:
    head = f"LOCATION,{station},MA,USA,TMY3,725090,42.37,-71.02,-5.0,6.0\n" + "HEAD,1\n" * 7
    lines = []
    for hour, given in enumerate(hours, start=1):
        values = dict.fromkeys(_epw.MISSING, 1.0) | given
        lines.append(f"1988,1,1,{hour},60,C9C9*0,{','.join(map(str, values.values()))}\n")
    return head + "".join(lines)


@pytest.mark.parametrize("name", ["weather_stations", "weather_stations_us"])
def test_stations(tmp_path: Path, name: str):
    card = data.card(name)
    first, second = tmp_path / "a.epw", tmp_path / "b.epw"
    first.write_text(epw("Boston", [{"dry_bulb": -2.4}, {"dry_bulb": 99.9, "ceiling": 99999, "albedo": 0.2}]))
    second.write_text(epw("Toronto", [{"snow_depth": 999, "wind_direction": 360}]))
    table = card.read([first, second])
    assert table.column_names == list(card.columns)
    assert table["station"].to_pylist() == ["Boston", "Boston", "Toronto"]
    assert table["dry_bulb"].to_pylist() == [-2.4, None, 1.0]
    assert table["ceiling"].to_pylist() == [1.0, None, 1.0]
    assert table["snow_depth"].to_pylist() == [1.0, 1.0, None]
    assert table["wind_direction"].to_pylist() == [1.0, 1.0, 360.0]
    assert (table["latitude"][0].as_py(), table["time_zone"][0].as_py(), table["hour"][1].as_py()) == (
        42.37,
        -5.0,
        2,
    )
    assert {"station", "latitude", "longitude", "elevation"}.isdisjoint(card.features_without("station"))
    first.write_text("DATE,x\n")
    with pytest.raises(InputError, match=r"a\.epw is no EPW file"):
        card.read([first])


def test_french_days(tmp_path: Path):
    card = data.card("weather_france")
    names = ["NUM_POSTE", "NOM_USUEL", "AAAAMMJJ"]
    names += [name for name in card.columns if name not in (*names, "year", "month", "day", "decade")]
    names += ["QRR", "HTN"]
    values = dict.fromkeys(names, "") | {
        "NUM_POSTE": "01004001",
        "NOM_USUEL": "ANTRAIN",
        "AAAAMMJJ": "19500131",
    }
    lines = [";".join(names), ";".join(values.values()), ";".join((values | {"TX": "10.5"}).values())]
    path = tmp_path / "Q.csv.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    table = card.read([path])
    assert table.column_names == list(card.columns)
    assert table["TX"].to_pylist() == [None, 10.5]
    first = table.to_pylist()[0]
    assert (first["year"], first["month"], first["day"], first["decade"]) == (1950, 1, 31, "1950s")
    assert first["NUM_POSTE"] == "01004001"
    assert {"TM", "TNTXM", "TAMPLI"}.isdisjoint(card.features)


def test_days_of_two_cities(tmp_path: Path):
    card = data.card("daily_weather")
    path = tmp_path / "weather.csv"
    path.write_text(
        "location,date,precipitation,temp_max,temp_min,wind,weather\nSeattle,2012-11-02,10.9,10.6,2.8,4.5,rain\n"
    )
    assert card.read([path]).to_pylist() == [
        {
            "location": "Seattle", "date": "2012-11-02", "month": 11, "precipitation": 10.9, "temp_max": 10.6,
            "temp_min": 2.8, "wind": 4.5, "weather": "rain",
        }
    ]  # fmt: skip


def test_hours_at_airports(tmp_path: Path):
    card = data.card("airport_weather")
    path = tmp_path / "weather.csv"
    path.write_text(
        "origin,year,month,day,hour,temp,dewp,humid,wind_dir,wind_speed,wind_gust,precip,pressure,visib,time_hour\n"
        "EWR,2013,1,1,1,39.02,26.06,59.37,270,10.35702,NA,0,1012,10,2013-01-01T06:00:00Z\n"
    )
    row = card.read([path]).to_pylist()[0]
    assert (row["temp"], row["wind_gust"], row["time_hour"]) == (39.02, None, "2013-01-01T06:00:00Z")
