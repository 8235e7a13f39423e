"""A leaderboard as a folder of pages that work without a server: made anew, and put in its place when it is whole."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from surefoot import report
from surefoot.bench.board._downloads import TrialsCsv, write_json
from surefoot.bench.board._index_page import index_page
from surefoot.bench.board._ranks_page import ranks_page
from surefoot.bench.board._read import Board, runs_of
from surefoot.bench.board._task_page import task_page
from surefoot.bench.board._trial_pages import SCRIPT, STYLE, TrialPages, words
from surefoot.errors import InputError
from surefoot.report import _html
from surefoot.report._page import look_of_figures, page_script, style_sheet

INDEX = "index.html"
_ESTIMATES = "estimates.html"


def write_site(folder: Path, out: Path) -> Path:
    """The pages of the run in a folder; the first of them.

    ``out`` is made, or replaced if it is a site that was made before; a folder of anything else is left alone.
    """
    report.require()
    if out.exists() and not (out.is_dir() and (_is_site(out) or not any(out.iterdir()))):
        raise InputError(f"{out} is no leaderboard that was made before; name a new folder, or an empty one")
    out.absolute().parent.mkdir(parents=True, exist_ok=True)
    new = out.absolute().with_name(f".surefoot-{secrets.token_hex(8)}.tmp")
    from altair.utils.schemapi import debug_mode

    try:
        new.mkdir()
        with debug_mode(False):  # figures are checked by the tests of theirs, and a site has hundreds
            _write(folder, new)
        if out.exists():
            shutil.rmtree(out)
        new.rename(out)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return out / INDEX


def _is_site(out: Path) -> bool:
    return all((out / name).is_file() for name in (INDEX, SCRIPT, STYLE))


def _write(folder: Path, new: Path) -> None:
    plan, runs = runs_of(folder)
    board = Board(plan)
    addresses = _addresses(entry.named.task for entry in plan.entries)
    pages = TrialPages(plan.suite, new, addresses)
    table = TrialsCsv()
    for run in runs:
        board.add(run)
        pages.write(run)
        table.add(run)
    table.write(new)
    write_json(board, new)
    (new / "tasks").mkdir()
    for task in board.tasks:
        (new / addresses[task]).write_text(task_page(board, task, plan.suite), encoding="utf-8")
    further = {}
    if ranked := ranks_page(board, plan.suite):
        (new / "ranks.html").write_text(ranked, encoding="utf-8")
        further["Ranks over tasks, critical differences, wins and losses"] = "ranks.html"
    if _estimates(folder, new):
        further["The experiment on estimators: claims, errors, intervals and all tables"] = _ESTIMATES
    (new / INDEX).write_text(index_page(board, addresses, further), encoding="utf-8")
    (new / STYLE).write_text(f"{style_sheet()}\n{_resource('site.css')}", encoding="utf-8")
    known = _html.inert_json({"charts": pages.charts.specs, "look": look_of_figures(), **words()})
    shared = (report.script(), f"window.surefoot = {known};", _resource("site.js"), page_script())
    script = "\n".join(shared)
    (new / SCRIPT).write_text(script, encoding="utf-8")


def _estimates(folder: Path, new: Path) -> bool:
    """The page of the estimators' experiment, if the run has left any of it."""
    from surefoot.bench._results import compact
    from surefoot.estimators import benchmark

    found = compact(folder).get("batches")
    if found is None:
        return False
    report.save_benchmark(benchmark.read(found), new / _ESTIMATES, script=SCRIPT)
    return True


def _addresses(tasks: Iterable[str]) -> dict[str, str]:
    """A file for every task, whatever its name.

    >>> _addresses(["adult", "a/b", "a b"])
    {'adult': 'tasks/adult.html', 'a/b': 'tasks/a-b.html', 'a b': 'tasks/a-b-2.html'}
    """
    found: dict[str, str] = {}
    for task in dict.fromkeys(tasks):
        plain = re.sub(r"[^\w.]+", "-", task).strip("-.") or "task"
        name, i = plain, 1
        while f"tasks/{name}.html" in found.values():
            i += 1
            name = f"{plain}-{i}"
        found[task] = f"tasks/{name}.html"
    return found


def _resource(name: str) -> str:
    return files("surefoot.bench.board").joinpath(name).read_text(encoding="utf-8")
