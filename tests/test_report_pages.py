"""Pages in a real browser: silent, offline, readable on a phone, in the dark, by keyboard and by ear."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By

from browser import browser
from cards import card, density, reliability, retention, score
from surefoot import evaluate, report
from surefoot.compare import compare
from surefoot.errors import InputError
from tables import KINDS
from test_cli import run
from test_report_figures import model

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>\"'&amp;${1}"


def scorecard():
    """An ensemble's card with every part that a page can have."""
    city = np.array(["york", "bath", "hull"])[np.arange(900) % 3]
    return evaluate(model("forest", n=900, samples=4, metadata={"city": city}), slices=["city"])


def comparison():
    """Three methods on two datasets."""
    return compare(
        [
            model(name, dataset=dataset, skill=skill, samples=samples, seed=seed)
            for seed, dataset in enumerate(("alpha", "beta"))
            for name, skill, samples in (("one", 1.0, 1), ("two", 1.6, 1), ("ensemble", 1.6, 4))
        ]
    )


PAGES = {"scorecard": scorecard, "comparison": comparison}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Both pages."""
    path = tmp_path_factory.mktemp("pages")
    for name, result in PAGES.items():
        report.save(result(), path / f"{name}.html")
    return path


@pytest.fixture(scope="session")
def chromium():
    with browser() as opened:
        yield opened


pages = pytest.mark.parametrize("name", PAGES)


@pages
def test_one_small_file(name, folder):
    page = (folder / f"{name}.html").read_bytes()
    assert len(page) < 2_000_000
    assert page.startswith(b'<!DOCTYPE html>\n<html lang="en">')
    text = re.sub(r"<script>.*?</script>", "<script></script>", page.decode(), flags=re.DOTALL)
    assert not re.findall(r"""<(?:link|img|iframe|script)[^>]+(?:src|href)=["'](?!data:)""", text)
    # Without any script there are pictures already.
    for figure in re.findall(r"<figure.*?</figure>", text, re.DOTALL):
        assert len(re.findall(r'<path[^>]* d="M', figure)) > 3


@pages
def test_silent_offline_and_drawn(name, folder, chromium):
    page = folder / f"{name}.html"
    chromium.open(page)
    assert chromium.console() == []
    assert chromium.requests() == [page.as_uri()]
    drawn = chromium.run(
        "return [...document.querySelectorAll('figure')].map(f => [f.id, [...f.querySelectorAll('.live path')]"
        ".filter(p => p.getAttribute('d')?.length > 4 && p.getBoundingClientRect().width > 0).length])"
    )
    assert len(drawn) >= 5
    assert all(paths > 3 for _, paths in drawn), drawn


def test_the_published_comparison_is_such_a_page(chromium):
    page = Path(__file__).parents[1] / "docs" / "comparison.html"
    assert page.stat().st_size < 2_000_000
    chromium.open(page)
    assert chromium.console() == []
    assert chromium.requests() == [page.as_uri()]
    assert "on adult the shifted inputs are easier" in chromium.run("return document.body.innerText")
    drawn = chromium.run(
        "return [...document.querySelectorAll('figure')].map(f => f.querySelectorAll('.live path[d]').length)"
    )
    assert len(drawn) > 15
    assert min(drawn) > 3


@pages
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_phone_never_scrolls_sideways(name, dark, folder, chromium):
    chromium.open(folder / f"{name}.html", width=390, dark=dark)
    chromium.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    width = chromium.run("return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
    assert width <= 390
    outside = chromium.run(
        "return [...document.querySelectorAll('main *:not(.scroll *):not(svg *)')].filter(e =>"
        " e.getBoundingClientRect().right > 391 && e.getBoundingClientRect().width > 0)"
        ".map(e => e.outerHTML.slice(0, 90))"
    )
    assert outside == []
    small = chromium.run(
        "return [...document.querySelectorAll('.live svg text, main p, main td')].map(e =>"
        " parseFloat(getComputedStyle(e).fontSize)).filter(size => size < 11)"
    )
    assert small == []


LUMINANCE = """
const channel = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const rgb = c => c.match(/[\\d.]+/g).map(Number);
const light = c => { const [r, g, b] = rgb(c).map(channel); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
const contrast = (a, b) => {
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05) };
const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
  if (!/, 0\\)|transparent/.test(c)) return c } return 'rgb(255, 255, 255)' };
"""


@pages
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_contrast_of_text_and_lines(name, dark, folder, chromium):
    chromium.open(folder / f"{name}.html", dark=dark)
    assert (
        chromium.run(LUMINANCE + "return light(getComputedStyle(document.body).backgroundColor) < 0.1")
        is dark
    )
    faint = chromium.run(
        LUMINANCE
        + """
        const words = [...document.querySelectorAll('body *:not(svg *):not(script):not(style)')]
          .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
          .map(e => [e.outerHTML.slice(0, 60), contrast(getComputedStyle(e).color, ground(e)), 4.5]);
        const labels = [...document.querySelectorAll('.live svg text')].filter(e => e.textContent)
          .map(e => [e.textContent, contrast(getComputedStyle(e).fill, ground(e)), 4.5]);
        const marks = '.live :is(.mark-line, .mark-symbol, .mark-rule).role-mark :is(path, line)';
        const lines = [...document.querySelectorAll(marks)]
          .filter(e => getComputedStyle(e).opacity > 0.9)
          .map(e => [e.outerHTML.slice(0, 160), [getComputedStyle(e).stroke, getComputedStyle(e).fill]
            .filter(c => c.startsWith('rgb') && !/, 0\\)/.test(c)).map(c => contrast(c, ground(e)))[0] ?? 9, 3]);
        return [...words, ...labels, ...lines].filter(([, found, wanted]) => found < wanted);
        """
    )
    assert faint == []
    counted = chromium.run("return document.querySelectorAll('.live svg text').length")
    assert counted > 40


@pages
def test_colours_follow_the_scheme_without_drawing_again(name, folder, chromium):
    def ink():
        return chromium.run("return getComputedStyle(document.querySelector('.live svg text')).fill")

    chromium.open(folder / f"{name}.html")
    day = ink()
    chromium.resize(1280, dark=True)
    assert ink() != day


@pages
def test_everything_is_reached_by_keyboard(name, folder, chromium):
    chromium.open(folder / f"{name}.html")
    keys = ActionChains(chromium.driver)
    keys.send_keys(Keys.TAB).perform()
    assert chromium.run("return document.activeElement.className") == "skip"
    assert chromium.run("return document.activeElement.getBoundingClientRect().left") >= 0
    wanted = chromium.run(
        "return [...document.querySelectorAll('a[href], summary, [tabindex=\"0\"]')]"
        ".filter(e => e.checkVisibility()).length"
    )
    assert wanted > 15
    assert chromium.run("return document.querySelectorAll('.scroll:not([tabindex=\"0\"])').length") == 0
    reached = 1
    while chromium.run("return document.activeElement !== document.body") and reached <= wanted:
        assert chromium.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
        ActionChains(chromium.driver).send_keys(Keys.TAB).perform()
        reached += 1
    assert reached == wanted + 1
    chromium.run("document.querySelector('summary').focus()")
    ActionChains(chromium.driver).send_keys(Keys.ENTER).perform()
    assert chromium.run("return document.querySelector('details').open")


@pages
def test_it_can_be_listened_to(name, folder, chromium):
    chromium.open(folder / f"{name}.html")
    silent = chromium.run(
        """
        const said = (e, name) => (e.getAttribute(name) ?? '').split(' ')
          .map(id => document.getElementById(id)?.textContent ?? '').join('').trim();
        const out = [];
        for (const e of document.querySelectorAll('[role=img]:not(span)')) {
          if (said(e, 'aria-labelledby').length < 8) out.push(['no title', e.id]);
          if (!/\\d/.test(said(e, 'aria-describedby'))) out.push(['no numbers in words', e.outerHTML.slice(0, 90)]);
        }
        for (const e of document.querySelectorAll('table')) {
          if (!e.caption?.textContent) out.push(['no caption', e.outerHTML.slice(0, 90)]);
          if ([...e.querySelectorAll('th')].some(h => !h.scope)) out.push(['no scope', e.caption.textContent]);
        }
        for (const e of document.querySelectorAll('section, [role=region]'))
          if (!said(e, 'aria-labelledby')) out.push(['no name', e.outerHTML.slice(0, 90)]);
        const levels = [...document.querySelectorAll('h1, h2, h3')].map(h => Number(h.tagName[1]));
        levels.forEach((l, i) => { if (l > (levels[i - 1] ?? 0) + 1) out.push(['heading skipped', i]) });
        if (levels.filter(l => l === 1).length !== 1) out.push(['not one h1']);
        const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
        ids.filter((id, i) => ids.indexOf(id) !== i).forEach(id => out.push(['twice', id]));
        for (const a of document.querySelectorAll('a[href^=\\\\#]'))
          if (!document.getElementById(a.hash.slice(1))) out.push(['leads nowhere', a.hash]);
        return out;
        """
    )
    assert silent == []
    assert chromium.run("return document.querySelector('main section h2').textContent") == "Verdict"


def test_a_point_tells_its_numbers(folder, chromium):
    chromium.open(folder / "scorecard.html")
    point = chromium.driver.find_element(
        By.CSS_SELECTOR, "#figure-reliability .live .mark-symbol.role-mark path"
    )
    chromium.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", point)
    ActionChains(chromium.driver).move_to_element(point).perform()
    told = chromium.run("return document.querySelector('#vg-tooltip-element.visible').innerText")
    assert re.search(r"confidence\s+\d+\.\d%", told)


def test_hostile_names_stay_words(chromium, tmp_path):
    made = card(
        score("all", "accuracy", 0.8),
        score("in", "accuracy", 0.9),
        score("shifted", "accuracy", 0.6),
        score("all", "accuracy", 0.5, part=f"{HOSTILE}={HOSTILE}"),
        score("all", "accuracy", 0.7, part=f"{HOSTILE}=other"),
        curves={
            "eval/all/error_retention": retention(),
            "eval/all/reliability": reliability(0.9, 0.8),
            "eval/all/density": density(),
        },
        notes=(HOSTILE,),
        method=HOSTILE,
        train_set=HOSTILE,
        **{HOSTILE: HOSTILE},
    )
    hostile = [model(HOSTILE + name, dataset=HOSTILE + d, samples=4) for name in "ab" for d in "cd"]
    beside = compare(hostile)
    beside = replace(beside, notes=(*beside.notes, HOSTILE))
    for i, result in enumerate((made, beside)):
        page = tmp_path / f"hostile-{i}.html"
        report.save(result, page)
        assert "<script>window.hacked" not in page.read_text()
        chromium.open(page)
        assert chromium.run("return [window.hacked ?? null, document.images.length]") == [None, 0]
        assert HOSTILE in chromium.run("return document.body.innerText")
        assert chromium.console() == []
        assert chromium.requests() == [page.as_uri()]


def test_a_script_that_got_in_would_not_run(chromium, folder, tmp_path):
    page = (folder / "scorecard.html").read_text(encoding="utf-8")
    added = page.replace(
        "<main", "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'><main"
    )
    (tmp_path / "page.html").write_text(added, encoding="utf-8")
    chromium.open(tmp_path / "page.html")
    assert chromium.run("return window.hacked ?? null") is None
    assert any("Content Security Policy" in line for line in chromium.console())


def test_pages_share_a_script(chromium, folder, tmp_path):
    (tmp_path / "vega.js").write_text(report.script(), encoding="utf-8")
    report.save(scorecard(), tmp_path / "page.html", script="vega.js")
    assert (tmp_path / "page.html").stat().st_size < 400_000
    chromium.open(tmp_path / "page.html")
    assert chromium.console() == []
    assert sorted(chromium.requests()) == [(tmp_path / name).as_uri() for name in ("page.html", "vega.js")]
    for script in ("", "javascript:alert(1)"):
        with pytest.raises(InputError, match="URL of a script file"):
            report.render(scorecard(), script=script)


def test_a_large_comparison_stays_small():
    several_methods, several_datasets = 18, 10
    small = compare([model(f"m{i}", skill=1 + i / 10, n=200) for i in range(3)])
    methods = tuple(f"a method with a long name {i}" for i in range(several_methods))
    datasets = tuple(f"dataset {i}" for i in range(several_datasets))
    shape = (several_datasets, several_methods)
    rng = np.random.default_rng(0)
    scores = {key: rng.random(shape) for key in small.scores}
    beats = {key: np.zeros((*shape, several_methods), dtype=bool) for key in small.beats}
    pairs = [
        replace(d, dataset=dataset, first=methods[0], second=method)
        for d in small.differences
        if (d.first, d.second) == ("m0", "m1")
        for dataset in datasets
        for method in methods[1:]
    ]
    entrants = tuple(
        replace(small.entrants[0], method=method, dataset=dataset)
        for dataset in datasets
        for method in methods
    )
    large = replace(
        small, methods=methods, datasets=datasets, entrants=entrants, differences=tuple(pairs), scores=scores,
        beats=beats, info={**small.info, "reference": methods[0]},
    )  # fmt: skip
    assert len(report.render(large).encode()) < 2_000_000


def test_sides_are_headed_by_their_labelled_rows():
    given = KINDS["regression"](n=400)
    target = given.target.copy()
    target[::4] = np.nan
    found = evaluate(replace(given, target=target))
    page = report.render(found, script="vega.js")
    for side, name in (("in", "in-domain"), ("shifted", "shifted"), ("all", "all inputs")):
        assert f"{name}<small>n = {found.find(f'{side}.rmse').n}</small>" in page
    assert found.find("auroc").n > found.find("rmse").n


NOTHING = {"classification": -2, "regression": np.nan, "multilabel": np.nan}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "case",
    ["as it is", "no sides", "one side", "unlabelled", "unlabelled shift", "no intervals", "single", "tiny"],
)
def test_every_card_has_its_page(kind, case):
    columns = {
        "no sides": {"partition": None},
        "one side": {"partition": np.repeat("eval_in", 400)},
        "unlabelled": {"target": np.full((400, 6) if kind == "multilabel" else 400, NOTHING[kind])},
    }.get(case, {})
    given = KINDS[kind](n=12 if case == "tiny" else 400, samples=1 if case == "single" else 5, **columns)
    if case == "unlabelled shift":
        target = given.target.copy()
        target[np.char.endswith(given.partition, "out")] = NOTHING[kind]
        given = replace(given, target=target)
    page = report.render(evaluate(given, intervals=case != "no intervals"), script="vega.js")
    claims = re.findall(r'<p class="claim">(.*?)</p>', page)
    assert len(claims) >= 1
    assert all(claim[0].isupper() and claim[-1] == "." for claim in claims)
    assert not re.search(r">[^<]*\b(nan|None|inf)\b[^<]*<", re.sub(r"<script.*?</script>", "", page))
    assert (page.count("<figure") > 1) is (case != "unlabelled")


def test_evaluate_and_compare_write_their_reports(tmp_path):
    for name, skill in (("one", 1.0), ("two", 2.0)):
        model(name, skill=skill).save(tmp_path / f"{name}.parquet")
    assert run("evaluate", tmp_path / "one.parquet", "--report", tmp_path / "card.html") == 0
    assert (
        run(
            "compare",
            tmp_path / "one.parquet",
            tmp_path / "two.parquet",
            "--report",
            tmp_path / "beside.html",
        )
        == 0
    )
    assert "In short: on shifted data it gives way" in (tmp_path / "card.html").read_text()
    assert "By accuracy, two is best" in (tmp_path / "beside.html").read_text()
