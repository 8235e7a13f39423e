"""Importing original files: the same reader, columns held to, other content accepted and said."""

from __future__ import annotations

import json
import shutil
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from surefoot import data
from surefoot.errors import InputError
from toy import CSV, Toy, tar, toy_dataset


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    with toy_dataset(tmp_path, monkeypatch) as made:
        yield made


def page(toy: Toy) -> dict[str, object]:
    read = json.loads((toy.folder / "toy.json").read_text())
    assert isinstance(read, dict)
    return read


def given_as_file(toy: Toy) -> Path:
    return toy.original


def given_as_folder(toy: Toy) -> Path:
    return toy.original.parent


def given_as_package(toy: Toy) -> Path:
    return toy.archive


def given_as_another_archive(toy: Toy) -> Path:
    return tar(toy.home / "toy.tgz", **{"elsewhere/toy.csv": CSV, "README": b""})


@pytest.mark.parametrize(
    "given", [given_as_file, given_as_folder, given_as_package, given_as_another_archive]
)
def test_the_original_is_imported_without_a_word(toy: Toy, given):
    toy.forbid_downloads()
    path = data.import_file("toy", given(toy))
    assert path == data.path("toy")
    assert data.load("toy")["x"].to_pylist() == [1, 2, 3]
    assert page(toy)["origin"] == "imported"
    assert page(toy)["notes"] == []
    assert "package" not in page(toy)
    assert toy.downloads() == 0


def test_other_content_is_accepted_with_a_warning(toy: Toy):
    toy.original.write_bytes(CSV + b"4,west,no\n")
    with pytest.warns(UserWarning, match="toy") as caught:
        data.import_file("toy", str(toy.original))
    said = [str(warning.message) for warning in caught]
    assert len(said) == 2
    assert said[0].startswith("toy.csv is not byte for byte the file of the toy card")
    assert said[1] == "toy has 3 rows on its card, but 4 were imported"
    assert page(toy)["notes"] == said
    assert data.load("toy").num_rows == 4


def test_a_parquet_file_is_refused_without_its_bytes(toy: Toy):
    given = toy.home / "table.parquet"
    given.write_bytes(b"PAR1\x15\x00\x15\xef\xbf\nPAR1")
    with pytest.raises(InputError) as refusal:
        data.import_file("toy", given)
    assert str(refusal.value) == (
        f"{given} does not read as toy: table.parquet is a Parquet file, not delimited text; "
        "give the original file"
    )
    given.write_bytes(b"a,b\n1,\x00\n")
    with pytest.raises(InputError, match=r"table\.parquet is a binary file, not delimited text; give"):
        data.import_file("toy", given)


def test_fetch_leaves_an_imported_dataset_alone_and_says_so(toy: Toy):
    data.import_file("toy", toy.original)
    steps: list[str] = []
    data.fetch("toy", say=steps.append)
    assert steps == ["toy is in the cache as it was imported; --force fetches the one of the card"]
    data.fetch("toy", force=True)
    assert page(toy)["origin"] == "fetched"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x,area\n1,north\n", "columns label are missing; the file has x, area"),
        (b"", "toy.csv does not read as toy: Empty CSV"),
        (b"x,area,label\n1,2\n", "Expected 3 columns, got 2"),
        (
            b"x,area,label\n1,north,maybe\n",
            "has 'maybe' in label, but the classes of toy are 'no', 'yes'; recode",
        ),
    ],
)
def test_files_that_do_not_fit_are_refused(toy: Toy, content: bytes, message: str):
    toy.original.write_bytes(content)
    with pytest.raises(InputError, match=message):
        data.import_file("toy", toy.original)
    assert not list(toy.folder.iterdir())


def test_a_failed_import_keeps_what_was_there(toy: Toy):
    data.fetch("toy")
    toy.original.write_bytes(b"x,area\n1,north\n")
    with pytest.raises(InputError):
        data.import_file("toy", toy.original)
    assert data.load("toy").num_rows == 3


def test_paths_that_hold_nothing_are_refused(toy: Toy):
    with pytest.raises(InputError, match="there is no file or folder .*nowhere"):
        data.import_file("toy", toy.home / "nowhere")
    (toy.home / "empty").mkdir()
    with pytest.raises(InputError, match="the folder holds none of toy.csv"):
        data.import_file("toy", toy.home / "empty")
    foreign = tar(toy.home / "foreign.tar.gz", **{"a/b.csv": b"x"})
    with pytest.raises(InputError, match="holds no data/toy.csv"):
        data.import_file("toy", foreign)
    unsafe = tar(toy.home / "unsafe.tar.gz", **{"../toy.csv": CSV})
    with pytest.raises(InputError, match="unsafe path"):
        data.import_file("toy", unsafe)


def test_the_user_file_is_left_as_it_was(toy: Toy):
    copy = toy.home / "copy.csv"
    shutil.copy(toy.original, copy)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data.import_file("toy", copy)
    assert copy.read_bytes() == CSV


def test_a_file_of_the_card_that_is_an_archive_is_taken_as_it_is(toy: Toy):
    """Some packages hold zipped tables: the reader gets the zip file, not what happens to be in it."""
    zipped = toy.home / "zipped" / "flights.csv.zip"
    zipped.parent.mkdir()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("flights.csv", "origin,time_hour,arr_delay\n")
    with pytest.raises(InputError, match=r"does not read as flights: no weather\.csv was given"):
        data.import_file("flights", zipped)
    with pytest.raises(InputError, match=r"no weather\.csv was given"):
        data.import_file("flights", zipped.parent)
