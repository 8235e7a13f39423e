"""`surefoot data`: results on stdout, progress and remarks on stderr, one sentence for what went wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from surefoot.cli.data import command
from surefoot.errors import SurefootError
from toy import CSV, Toy, toy_dataset


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    with toy_dataset(tmp_path, monkeypatch) as made:
        yield made


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), catch_exceptions=True)


def test_list_says_what_there_is_and_what_is_in_the_cache(toy: Toy):
    before = run("list")
    assert before.exit_code == 0
    (line,) = [line for line in before.stdout.splitlines() if " toy " in line]
    assert line.split() == ["toy", "Toy", "3", "label", "area", "-"]
    assert "581,012" in before.stdout
    assert "wilderness_area" in before.stdout
    run("fetch", "toy")
    (line,) = [line for line in run("list").stdout.splitlines() if " toy " in line]
    assert line.split()[-1] == "fetched"
    (toy.folder / "toy.parquet").write_bytes(b"")
    (line,) = [line for line in run("list").stdout.splitlines() if " toy " in line]
    assert line.split()[-1] == "damaged"


def test_list_as_json(toy: Toy):
    run("fetch", "toy")
    listed = {entry["name"]: entry for entry in json.loads(run("list", "--json").stdout)}
    assert listed["covertype"]["rows"] == 581_012
    assert listed["toy"]["cache"]["state"] == "fetched"
    assert listed["toy"]["cache"]["path"] == str(toy.folder / "toy.parquet")
    assert listed["adult"]["cache"] == {"state": "-", "path": None, "provenance": None}


def test_show_tells_the_whole_card(toy: Toy):
    shown = run("show", "covertype").stdout
    for part in (
        "Forest cover type",
        "scikit-multiflow 0.4.1",
        "ea35ca6820fcbe0b",
        "BSD-3-Clause",
        "terms of its own",
        "Blackard",
        "581,012 rows, 56 columns (54 features)",
        "Not a random sample",
        "wilderness_area (also drop Wilderness_Area1",
        "7 krummholz",
    ):
        assert part in shown
    assert json.loads(run("show", "toy", "--json").stdout)["is_not"] == "Not real."
    run("fetch", "toy")
    assert f"{toy.folder / 'toy.parquet'}" in run("show", "toy").stdout.replace("\n", "").replace(" ", "")


def test_fetch_prints_paths_on_stdout_and_steps_on_stderr(toy: Toy):
    done = run("fetch", "toy")
    assert done.exit_code == 0
    assert done.stdout == f"{toy.folder / 'toy.parquet'}\n"
    assert done.stderr.splitlines() == ["downloading pip-wheel toy 1.0", "checking toy", "converting toy"]
    again = run("fetch", "toy", "toy")
    assert again.stdout == done.stdout * 2
    assert again.stderr == ""
    assert toy.downloads() == 1
    assert run("fetch", "--force", "toy").exit_code == 0
    assert toy.downloads() == 2
    assert run("path", "toy").stdout == done.stdout


def test_import_prints_the_path_and_what_is_odd(toy: Toy):
    toy.original.write_bytes(CSV + b"4,west,no\n")
    done = run("import", "toy", str(toy.original))
    assert done.exit_code == 0
    assert done.stdout == f"{toy.folder / 'toy.parquet'}\n"
    assert "Note: toy has 3 rows on its card, but 4 were imported" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "toyy"), "did you mean toy?"),
        (("path", "toy"), "run: surefoot data fetch toy"),
        (("fetch", "toy", "tyo"), "did you mean toy?"),
        (("import", "toy", "nowhere.csv"), "there is no file or folder nowhere.csv"),
    ],
)
def test_what_goes_wrong_is_a_surefoot_error(toy: Toy, arguments: tuple[str, ...], message: str):
    failed = run(*arguments)
    assert isinstance(failed.exception, SurefootError)
    assert message in str(failed.exception)
    assert failed.stdout == ""
    assert toy.downloads() == 0


@pytest.mark.parametrize("arguments", [("fetch",), ("import", "toy"), ("show",), ("fly",)])
def test_usage_errors(arguments: tuple[str, ...]):
    assert run(*arguments).exit_code == 2
