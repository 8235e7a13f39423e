"""The leaderboard: what its numbers say, and its pages in a real browser, without a server."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from browser import Browser, browser
from surefoot import evaluate
from surefoot.bench import Entry, Limits, Named, Outcome, Place, Plan
from surefoot.bench.board import write_site
from surefoot.bench.board._read import Board, Spot, runs_of
from surefoot.bench.board._values import Values, apart, better, standing, wins_over
from surefoot.errors import InputError
from surefoot.predictions import Predictions
from tables import classification, regression
from test_bench_cli import bench, written

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
METHODS = ("plain", "sharp", "group", HOSTILE)
TASKS = ("alpha", "beta", "gamma", "numbers")


def predicted(task: str, method: str, seed: int) -> Predictions:
    """An ensemble for "group", single models for the others; "sharp" is clearly the best of these."""
    samples = 4 if method == "group" else 1
    number = 100 * TASKS.index(task) + 10 * METHODS.index(method) + seed
    if task == "numbers":
        return regression(n=240, samples=samples, seed=number)
    made = classification(n=320, samples=samples, seed=number)
    if method == "sharp":
        right = np.eye(4, dtype=np.float32)[made.target]
        probs = 0.35 * made.probs + 0.65 * right * np.random.default_rng(number).uniform(0.3, 1, (320, 1))
        return Predictions.classification(
            probs / probs.sum(axis=-1, keepdims=True),
            made.target,
            partition=made.partition,
            classes=made.classes,
        )
    return made


def stored(home: Path, tasks: tuple[str, ...] = TASKS, seeds: int = 3) -> Path:
    """The folder of a run whose trials are made up, one of them failed and one submitted."""
    entries = []
    for task in tasks:
        for method in METHODS:
            for seed in range(seeds):
                named = Named(task, method, seed)
                entry = Entry(f"{len(entries):016x}", named, {"kind": "trials:KIND", "seed": len(entries)})
                entries.append(entry)
                place = Place(home / entry.id)
                given = predicted(task, method, seed)
                with place.claim(1):
                    files = place.keep(Outcome(given, evaluate(given)))
                size = 1 + METHODS.index(method)
                facts = {
                    "fit_seconds": 0.5 * size,
                    "predict_seconds": 0.01 * size,
                    "stored_bytes": 10_000 * size,
                }
                facts |= {"parameters": 7, "cost": "training m"}
                taken = {"wall_seconds": 1.5, "cpu_seconds": 1.2, "peak_bytes": 10_000_000}
                place.write(
                    "status.json", {"state": "finished", "files": files, "facts": facts, "taken": taken}
                )
                place.write(
                    "environment.json",
                    {"surefoot": "0", "host": "secret-machine", "packages": {"numpy": "2"}},
                )
    failed = Entry("f" * 16, Named(tasks[0], "plain", 9), {"kind": "trials:KIND", "seed": 9})
    Place(home / failed.id).folder.mkdir()
    Place(home / failed.id).write("status.json", {"state": "failed", "reason": f"it broke {HOSTILE}"})
    (home / failed.id / "log.txt").write_text(f"Traceback\nValueError: {HOSTILE}\n")
    Plan("made-up", "small", (*entries, failed), Limits()).write(home)
    return home


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stored(tmp_path_factory.mktemp("runs") / "made-up")


@pytest.fixture(scope="module")
def site(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(folder, tmp_path_factory.mktemp("site") / "board").parent


@pytest.fixture(scope="module")
def board(folder: Path) -> Board:
    plan, runs = runs_of(folder)
    found = Board(plan)
    for run in runs:
        found.add(run)
    return found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


PAGES = ("index.html", "ranks.html", "tasks/alpha.html", "tasks/numbers.html", "trials/0000000000000006.html")
pages = pytest.mark.parametrize("name", PAGES)


def test_noise_over_seeds_is_welchs_interval():
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(0)
    first, second = rng.normal(0.8, 0.02, 4), rng.normal(0.7, 0.05, 6)
    found = apart(Values(tuple(first)), Values(tuple(second)))
    theirs = ttest_ind(first, second, equal_var=False)
    interval = theirs.confidence_interval(0.95)
    assert found[1:4] == pytest.approx((interval.low, interval.high, theirs.pvalue))
    assert found.over == "seeds"


def test_a_single_trial_has_the_noise_of_its_inputs():
    far = apart(Values((0.9,), 0.88, 0.92), Values((0.8,), 0.78, 0.82))
    assert (far.over, better(far, True), better(far, False)) == ("inputs", 1, -1)
    assert far.high - far.low == pytest.approx(np.hypot(0.04, 0.04))
    unknown = apart(Values((0.9,)), Values((0.8,)))
    assert (unknown.over, better(unknown, True)) == ("nothing", 0)
    same_each_time = apart(Values((0.9, 0.9), 0.88, 0.92), Values((0.8, 0.8), 0.78, 0.82))
    assert same_each_time.over == "inputs"


def test_wins_count_clear_differences_only():
    clear = {"a": Values((0.9, 0.91, 0.9)), "b": Values((0.5, 0.51, 0.5))}
    noise = {"a": Values((0.5, 0.9)), "b": Values((0.6, 0.7))}
    counts = wins_over([clear, noise], ["a", "b"], True)
    assert counts.totals.tolist() == [[1, 1, 0], [0, 1, 1]]
    assert standing(clear, True) == {"a": "best", "b": "behind"}
    assert standing(noise, True) == {"a": "first", "b": "near"}
    assert standing(clear, None) == {}


def test_the_board_holds_what_scorecards_say(board):
    cards = [evaluate(predicted("alpha", "group", seed)) for seed in range(3)]
    found = board.values("alpha", Spot("eval", "shifted", "accuracy"))["group"]
    each = [card["shifted.accuracy"] for card in cards]
    assert found.mean == pytest.approx(np.mean(each))
    assert found.std == pytest.approx(np.std(each, ddof=1))
    named = board.values("alpha", Spot("eval", "all", "f1_auc", "entropy"))
    assert named["group"].mean == pytest.approx(np.mean([card["f1_auc@entropy"] for card in cards]))
    pooled = np.concatenate(
        [
            [evaluate(one)["shifted.accuracy"] for one in predicted("alpha", "group", seed).members()]
            for seed in range(3)
        ]
    )
    members = board.members("alpha", Spot("eval", "shifted", "accuracy"))["group"]
    assert members == pytest.approx((pooled.mean(), pooled.std(ddof=1)))
    assert board.ensembles == {(task, "group") for task in TASKS}


def test_downloads_hold_the_same_numbers(site, board):
    with (site / "results.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(TASKS) * len(METHODS) * 3 * 3
    values = [
        float(row["accuracy"])
        for row in rows
        if (row["task"], row["method"], row["side"]) == ("beta", "sharp", "in")
    ]
    found = board.values("beta", Spot("eval", "in", "accuracy"))["sharp"]
    assert values == pytest.approx(found.each, rel=1e-5)
    summed = json.loads((site / "results.json").read_text())["results"]
    assert summed["beta"]["sharp"]["in"]["accuracy"] == pytest.approx([found.mean, found.std, 3], rel=1e-3)


def test_tables_have_the_papers_shapes(site):
    page = (site / "tasks" / "alpha.html").read_text()
    heads = re.findall(r"<th scope=\"col\">(.*?)</th>", page)
    for side in ("in-domain", "shifted", "all inputs"):
        for part in ("single", "ensemble"):
            assert f"{side}<small>{part}</small>" in heads
    for name in ("R-AUC", "F1-AUC"):
        assert any(head.startswith(name) and "ensemble" in head for head in heads)
    assert "Uncertainty measures, all inputs" in page
    for caption in ("Evaluation set", "Development set"):
        assert f">{caption}</th>" in page
    assert "✓" in page
    assert "no ranking: ECE" in page


def test_raw_rankings_stand_beside_the_calibrated_ones_and_are_marked(site):
    page = (site / "ranks.html").read_text()
    figures = dict(re.findall(r'<figure id="figure-([\w-]+)".*?<h3[^>]*>(.*?)</h3>', page))
    for name in ("log-likelihood-all", "brier-all", "ece-all"):
        assert figures[name].endswith("(as papers print it)")
    assert not figures["calibrated-log-likelihood-all"].endswith("it)")
    assert page.count('class="badge">no ranking') == 3
    assert page.count("scores that are the same to three digits draw") == 3


@pages
def test_silent_offline_and_drawn(name, site, chromium):
    chromium.open(site / name)
    assert chromium.console() == []
    wanted = [(site / one).as_uri() for one in (name, "site.css", "site.js")]
    assert sorted(chromium.requests()) == sorted(wanted)
    drawn = chromium.run(
        "return [...document.querySelectorAll('figure')].map(f => [f.id, [...f.querySelectorAll('.live path')]"
        ".filter(p => p.getAttribute('d')?.length > 4 && p.getBoundingClientRect().width > 0).length])"
    )
    assert all(paths > 3 for _, paths in drawn), drawn
    assert len(drawn) >= {"index.html": 0, "trials/0000000000000006.html": 4}.get(name, 6)
    assert chromium.run("return [window.hacked ?? null, document.images.length]") == [None, 0]


@pages
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_phone_never_scrolls_sideways(name, dark, site, chromium):
    chromium.open(site / name, width=390, dark=dark)
    chromium.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    width = chromium.run("return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
    assert width <= 390


@pages
def test_tables_and_figures_are_named(name, site, chromium):
    chromium.open(site / name)
    silent = chromium.run(
        """
        const said = (e, name) => (e.getAttribute(name) ?? '').split(' ')
          .map(id => document.getElementById(id)?.textContent ?? '').join('').trim();
        const out = [];
        for (const e of document.querySelectorAll('[role=img]:not(span)'))
          if (said(e, 'aria-labelledby').length < 8 || !said(e, 'aria-describedby')) out.push(['no words', e.id]);
        for (const e of document.querySelectorAll('section, [role=region]'))
          if (!said(e, 'aria-labelledby')) out.push(['no name', e.outerHTML.slice(0, 90)]);
        for (const e of document.querySelectorAll('th')) if (!e.scope) out.push(['no scope', e.outerHTML]);
        const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        ids.filter((id, i) => ids.indexOf(id) !== i).forEach(id => out.push(['twice', id]));
        return out;
        """
    )
    assert silent == []


def test_every_link_leads_somewhere(site):
    seen = 0
    for page in site.rglob("*.html"):
        for url in re.findall(r'<a href="([^"#]+)"', page.read_text()):
            seen += 1
            assert (page.parent / url).resolve().is_file(), (page, url)
    assert seen > 60


def rows(chromium: Browser) -> list[list[str]]:
    return chromium.run(
        "return [...document.querySelectorAll('#filtered tbody tr:not(.group)')]"
        ".map(r => [...r.cells].map(c => c.innerText.trim()))"
    )


def choose(chromium: Browser, name: str, value: str) -> None:
    """Choose an option by the keyboard alone: type the beginning of its words."""
    select = chromium.driver.find_element(By.ID, f"filter-{name}")
    chromium.run("arguments[0].focus()", select)
    words = chromium.run(
        "return [...arguments[0].options].find(o => o.value === arguments[1]).text", select, value
    )
    select.send_keys(words)
    assert select.get_property("value") == value


def test_filters_work_by_keyboard_and_keep_their_choice_in_the_address(site, board, chromium):
    chromium.open(site / "index.html")
    assert len(rows(chromium)) == len(TASKS) * len(
        METHODS
    )  # mean error on shifted inputs, which all tasks have
    choose(chromium, "task", "beta")
    assert len(rows(chromium)) == len(METHODS)
    choose(chromium, "metric", "accuracy")
    choose(chromium, "side", "in")
    found = rows(chromium)
    assert found[0][0] == "sharp"
    values = board.values("beta", Spot("eval", "in", "accuracy"))
    assert found[0][1].startswith(f"{values['sharp'].mean:.4f}")
    said = {
        "best": "clearly better than",
        "first": "best mean",
        "near": "within noise",
        "behind": "clearly worse",
    }
    wanted = standing(values, True)
    assert all(said[wanted[row[0]]] in row[2] for row in found)
    choose(chromium, "method", "group")
    assert [row[0] for row in rows(chromium)] == ["group"]
    address = chromium.run("return location.hash")
    assert address == "#task=beta&method=group&side=in&metric=accuracy"
    choose(chromium, "metric", "ece")
    note = chromium.run("return document.getElementById('filter-note').textContent")
    assert note.startswith("Shown as papers print it, and no ranking")
    assert rows(chromium)[0][2] == ""
    chromium.driver.find_element(By.ID, "filter-reset").send_keys(Keys.ENTER)
    assert len(rows(chromium)) == len(TASKS) * len(METHODS)
    chromium.driver.get("about:blank")
    chromium.driver.get((site / "index.html").as_uri() + address)
    assert [row[0] for row in rows(chromium)] == ["group"]
    assert chromium.console() == []


def test_everything_is_reached_by_the_tabulator(site, chromium):
    chromium.open(site / "index.html")
    body = chromium.driver.find_element(By.TAG_NAME, "body")
    reached = set()
    for _ in range(24):
        body = chromium.driver.switch_to.active_element
        body.send_keys(Keys.TAB)
        reached.add(chromium.run("return document.activeElement.id"))
    assert {"filter-task", "filter-method", "filter-side", "filter-metric", "filter-reset"} <= reached


def test_a_trial_shows_scores_curves_and_specification(site, board, chromium):
    trial = next(one for one in board.trials if (one.task, one.method, one.seed) == ("alpha", "group", 0))
    chromium.open(site / "trials" / f"{trial.id}.html")
    text = chromium.run("return document.body.innerText")
    accuracy = evaluate(predicted("alpha", "group", 0)).find("accuracy")
    assert f"{accuracy.value:.3f}" in text
    assert '"kind": "trials:KIND"' in text
    assert "secret-machine" not in (site / "trials" / f"{trial.id}.html").read_text()
    titles = chromium.run("return [...document.querySelectorAll('figure h3')].map(h => h.textContent)")
    assert len(titles) == 4
    assert titles[2] == "How often the model is right, by how sure it is"


def test_a_failed_trial_tells_why(site, chromium):
    page = site / "trials" / f"{'f' * 16}.html"
    chromium.open(page)
    text = chromium.run("return document.body.innerText")
    assert f"it broke {HOSTILE}" in text
    assert f"ValueError: {HOSTILE}" in text
    assert chromium.console() == []
    assert chromium.run("return window.hacked ?? null") is None
    assert "<script>window.hacked" not in page.read_text()
    assert f"{'f' * 16}.html" in (site / "index.html").read_text()


def test_two_hundred_trials_stay_small(folder, site, tmp_path):
    sizes = {path: path.stat().st_size for path in site.rglob("*") if path.is_file()}
    trials = [size for path, size in sizes.items() if path.parent.name == "trials"]
    others = sum(sizes.values()) - sum(trials)
    assert others + 200 * np.mean(trials) < 5_000_000
    assert [path.name for path in sizes if path.suffix == ".js"] == ["site.js"]


def test_a_site_is_replaced_and_nothing_else_is(folder, site, tmp_path):
    out = tmp_path / "board"
    write_site(folder, out)
    (out / "old.txt").write_text("of an older site")
    write_site(folder, out)
    assert not (out / "old.txt").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="is no leaderboard that was made before"):
        write_site(folder, mine)
    assert (mine / "thesis.tex").read_text() == "years of work"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board", "mine"]


def test_runs_without_scores_have_a_page_too(tmp_path, capsys):
    suite: dict[str, Any] = {"kind": "trials:KIND", "matrix": {"do": ["fail", "nothing"], "seed": 1}}
    assert bench("run", written(tmp_path, suite), "--runs", tmp_path / "runs") == 3
    capsys.readouterr()
    assert bench("report", "mine", "--runs", tmp_path / "runs", "-o", tmp_path / "site") == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "site" / "index.html")
    assert "it was meant to fail" in (tmp_path / "site" / "index.html").read_text()
    assert bench("report", "none", "--runs", tmp_path / "runs", "-o", tmp_path / "other") == 2
    assert "nothing was run in" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
