"""The page of estimates: what it says first, what it shows of one batch and of sixty; a page like the others."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import test_report_pages as pages
from browser import browser
from estimator_cases import fitted, numbers
from surefoot import report
from surefoot.errors import InputError
from surefoot.estimators import DoC, Estimate
from surefoot.report import _style
from surefoot.report._batches import ALIKE, BETTER, CLEARS, MAY_MISS, MISSES, WORSE, Batches, named
from surefoot.report._estimate_figures import MOST_NAMES, agreement, history
from surefoot.report._estimate_page import MOST_BATCHES, MOST_ROWS
from surefoot.report._estimate_verdict import estimate_verdict
from surefoot.report._moved_columns import MOST_COLUMNS, most_moved, moved_in, moved_over
from surefoot.shifts.detectors import ColumnMove

NARROW = "\u202f"
"""The space before a per cent sign."""


def move(name, by=0.0, *, gaps=0.0, change="median 1 → 2", unseen=0.0):
    """A column that moved by this, or did not."""
    far = max(by, gaps)
    p_value = 1e-9 if far else 1.0
    return ColumnMove(
        name, "numeric", far > 0, far, by, p_value, 0.0, gaps, unseen, None, change if far else ""
    )


def estimate(value=0.9, half=0.02, *, drop=0.0, moved=(), warnings=(), apart=0.01, **options):
    """An estimate of an accuracy by three estimators, of six columns, the first ones moved."""
    columns = (*moved, *(move(name) for name in "abcdef"[len(moved) :]))
    members = {"error-predictor": value - apart, "set-right": value, "doc": value + apart}
    made = Estimate(
        "accuracy", value, value - half, value + half, drop, 400, "auto", tuple(warnings), members, columns, 0.05
    )  # fmt: skip
    return replace(made, **options)


def week():
    """Five days: two fine, one with gaps, one that moved hard, one with few rows."""
    return {
        "monday.csv": estimate(0.905, drop=-0.003),
        "tuesday.csv": estimate(0.9, drop=-0.008),
        "wednesday.csv": estimate(
            0.88, 0.06, drop=-0.028, moved=[move("a", gaps=0.4, change="missing 0 → 40 %")]
        ),
        "thursday.csv": estimate(
            0.65,
            0.1,
            drop=-0.258,
            moved=[move("b", 0.8), move("a", 0.5), move("c", 0.2, unseen=0.2)],
            warnings=["values that no labelled row has: b (20% of rows)"],
            apart=0.12,
        ),
        "friday.csv": estimate(0.89, 0.05, drop=-0.018, n=80, warnings=["only 80 rows", "moved unlike any"]),
    }


def many(n=60):
    """So many batches, of which the last ones move further and further."""
    return {
        f"production-{i:03d}.parquet": estimate(
            0.9 - max(0, i - 40) / 100,
            drop=-max(0, i - 40) / 100 - 0.001,
            moved=[move(f"{c}", (i - 40) / (n - 40)) for c in "abc"] if i > 40 else [],
            warnings=[f"values unseen in {i} rows"] if i > 40 else [],
        )
        for i in range(n)
    }


def errors():
    """A regressor's, of which lower is better."""
    one = estimate(2.0, 0.2, drop=0.0, metric="rmse")
    return {"january": one, "february": replace(one, value=5.0, low=4.0, high=6.0, drop=3.0)}


SHOWN = {
    "week": (week, 0.87),
    "one": (lambda: {"thursday.csv": week()["thursday.csv"]}, 0.87),
    "many": (many, None),
    "errors": (errors, None),
}


def render(found, gate=None):
    """A page without its script."""
    return report.render_estimates(found, min_accuracy=gate, script="vega.js")


def short(page):
    """What a page says in short."""
    return html.unescape(re.search(r"In short: (.*?)\.</p>", page)[1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("estimates")
    for name, (found, gate) in SHOWN.items():
        report.save_estimates(found(), path / f"{name}.html", min_accuracy=gate)
    return path


@pytest.fixture(scope="module")
def chromium():
    with browser() as opened:
        yield opened


class TestVerdict:
    def test_starts_with_the_number_and_its_interval(self):
        page = render({"a.csv": estimate(0.613, 0.09, drop=-0.3)})
        assert short(page).startswith(
            f"accuracy is an estimated 61.3{NARROW}% (95{NARROW}% interval 52.3 to 70.3), "
            "30.0 points less than on the labelled rows; "
        )
        assert page.index("In short") < page.index('class="tiles"') < page.index("<figure")

    def test_of_several_batches_tells_the_last_and_the_worst(self):
        said = short(render(week(), 0.87))
        assert said.startswith(f"on the last batch, friday.csv, accuracy is an estimated 89.0{NARROW}% (95")
        assert f"at its worst, on thursday.csv, it is 65.0{NARROW}% (95" in said
        assert f"3 of 5 batches fail the gate of 87.0{NARROW}%" in said
        assert "there is reason for doubt on 2 of 5 batches" in said
        assert "3 of 6 columns moved in 2 of 5 batches, most of all b" in said
        assert said.endswith("the combined estimators disagree on thursday.csv")

    @pytest.mark.parametrize(
        ("one", "label"),
        [
            (estimate(0.9, 0.02, drop=-0.001), "Holds"),
            (estimate(0.9, 0.02, drop=0.05), "Holds"),
            (estimate(0.9, 0.2, drop=-0.001), "Not settled"),
            (estimate(0.9, 0.2, drop=-0.1), "Not settled"),
            (estimate(0.9, 0.02, drop=-0.04), "Slips"),
            (estimate(0.9, 0.02, drop=-0.06), "Gives way"),
            (estimate(2.0, 0.2, drop=1.0, metric="rmse"), "Gives way"),
            (estimate(2.0, 0.02, drop=0.05, metric="rmse"), "Slips"),
            (estimate(2.0, 0.2, drop=-1.0, metric="rmse"), "Holds"),
            (estimate(0.2, 0.02, drop=0.1, metric="calibration_error"), "Gives way"),
        ],
    )
    def test_calls_nothing_worse_that_the_interval_leaves_open(self, one, label):
        assert estimate_verdict(Batches({"a": one}))[0].label == label

    @pytest.mark.parametrize(
        ("gate", "label", "standing"),
        [
            (0.85, "Clears the gate", CLEARS),
            (0.88, "Clears the gate", CLEARS),
            (0.9, "May miss the gate", MAY_MISS),
            (0.95, "Misses the gate", MISSES),
        ],
    )
    def test_a_gate_is_held_against_the_bounds(self, gate, label, standing):
        one = estimate(0.9, drop=0.0)
        one = replace(one, low=0.88, high=0.92)
        batches = Batches({"a": one}, gate)
        assert estimate_verdict(batches)[1].label == label
        assert batches.standing(one) == standing
        assert f"that {standing.said}" in short(render({"a": one}, gate))

    def test_which_way_is_better_is_the_scores_own(self):
        found = errors()
        batches = Batches(found)
        assert [batches.standing(one) for one in found.values()] == [ALIKE, WORSE]
        assert batches.standing(replace(found["january"], drop=-1.0)) == BETTER
        assert batches.worst == "february"
        assert "3.00 more than on the labelled rows" in short(render(found))
        assert "lower is better" in render(found)

    def test_says_when_nothing_speaks_against_the_number(self):
        labels = [one.label for one in estimate_verdict(Batches({"a": estimate()}))]
        assert labels == ["Holds", "No doubts", "Unmoved", "Agree"]

    def test_the_level_of_the_interval_is_told_if_known(self):
        assert "(90" in short(render({"a": estimate(alpha=0.1)}))
        assert "(interval 88.0 to 92.0)" in short(render({"a": estimate(alpha=None)}))


class TestPage:
    def test_every_warning_is_on_it_once_with_its_batches(self):
        found = week() | {"saturday.csv": estimate(warnings=["only 80 rows"])}
        listed = re.findall(r"<li>([^<]*)</li>", render(found))
        assert "friday.csv and saturday.csv: only 80 rows." in listed
        assert "friday.csv: moved unlike any." in listed
        assert sum("only 80 rows" in line for line in listed) == 1

    def test_failing_batches_are_marked_by_more_than_colour(self):
        page = render(week(), 0.87)
        assert re.findall(r'class="count \w+">(.*?)<', page) == [
            "✓ clears",
            "✓ clears",
            "? may miss",
            "✗ misses",
            "? may miss",
        ]

    def test_the_columns_that_moved_are_those_of_all_batches(self):
        page = render(week())
        rows = re.search(r'id="columns-table".*?<tbody>(.*?)</tbody>', page, re.DOTALL)[1]
        cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows.split("</tr>")[:-1]]
        assert [row[0] for row in cells] == ["b", "a", "c"]
        assert [row[2] for row in cells] == ["thursday.csv"] * 3
        assert [row[3] for row in cells] == ["1 of 5", "2 of 5", "1 of 5"]

    def test_is_there_without_members_columns_reference_or_moves(self):
        bare = estimate(columns=(), members={}, method="doc")
        for found in ({"a": bare}, {"a": bare, "b": bare}, {"a": bare, "b": replace(bare, drop=0.2)}):
            page = render(found)
            assert "<figure" in page
            assert 'id="columns"' not in page
            assert not re.search(r">[^<]*\b(nan|None|inf)\b[^<]*<", re.sub(r"<script.*?</script>", "", page))
        assert "None of 6 columns moved beyond chance." in render({"a": estimate()})

    def test_of_one_batch_needs_no_list_of_batches(self):
        page = render({"thursday.csv": week()["thursday.csv"]}, 0.87)
        assert re.findall(r'<section id="(\w+)"', page) == [
            "verdict",
            "columns",
            "agreement",
            "doubts",
            "about",
        ]
        assert re.findall(r'<figure id="figure-(\w+)"', page) == ["moved", "agreement"]

    def test_of_many_batches_and_columns_is_cut_and_says_so(self):
        wide = estimate(moved=[move(f"column {i}", 0.5) for i in range(MOST_ROWS + 20)])
        page = render({f"batch {i}": wide for i in range(MOST_BATCHES + 7)})
        assert "The first 7 batches are left out here." in page
        assert f"The {MOST_COLUMNS} that moved furthest are shown." in page
        assert f"{MOST_ROWS + 20} of {MOST_ROWS + 20} columns moved, the others less far." in page
        assert f"{MOST_BATCHES + 7} batches, batch 0 to batch {MOST_BATCHES + 6}" in page
        assert len(page) + len(report.script()) < 2_000_000

    def test_what_cannot_be_reported(self):
        one = estimate()
        with pytest.raises(InputError, match="there is no estimate to report"):
            render({})
        with pytest.raises(InputError, match="of one score, not of accuracy and macro_f1"):
            render({"a": one, "b": replace(one, metric="macro_f1")})
        with pytest.raises(InputError, match="min_accuracy is about the accuracy, not about rmse"):
            render(errors(), 0.8)

    def test_the_command_writes_it(self, tmp_path, capsys):
        fitted(DoC()).save(tmp_path / "e.surefoot")
        for name, by in (("still", 0), ("moved", 30)):
            X = pd.DataFrame(numbers(200, 5)[0] + np.array([0, by, 0, 0])).set_axis(list("0123"), axis=1)
            X.to_csv(tmp_path / f"{name}.csv", index=False)
        batches = [tmp_path / "still.csv", tmp_path / "moved.csv"]
        page = tmp_path / "page.html"
        assert pages.run("estimate", "run", tmp_path / "e.surefoot", *batches, "--report", page) == 0
        assert "1 of 4 columns moved in 1 of 2 batches, most of all 1" in short(page.read_text())
        assert "Columns that moved" in capsys.readouterr().out

    def test_names_of_few_batches_are_told(self):
        assert named(list("abcd")) == "a, b, c and d"
        assert named(list("abcde")) == "a, b, c and 2 more"


class TestFigures:
    def figures(self, found, gate=None):
        batches = Batches(found, gate)
        most = most_moved(batches)
        yield history(batches, batches.names)
        yield agreement(batches, batches.names)
        if most is not None:
            yield moved_over(batches, batches.names)
            yield moved_in(most, found[most])

    @pytest.mark.parametrize("name", SHOWN)
    def test_say_which_way_is_better_and_keep_to_the_colours(self, name, tmp_path):
        found, gate = SHOWN[name]
        for i, one in enumerate(self.figures(found(), gate)):
            report.save_figure(one.chart, tmp_path / f"{i}.svg")
            words = re.findall(r"<text[^>]*>([^<]*)</text>", (tmp_path / f"{i}.svg").read_text())
            assert any("is better)" in word for word in words), one.name
            spec = json.dumps(one.chart.to_dict())
            assert set(re.findall(r"#[0-9a-f]{6}", spec)) <= {ink.light for ink in _style.INKS}
            assert re.search(r"\d", one.description)

    def test_history_keeps_the_order_and_the_numbers(self):
        found = week()
        spec = history(Batches(found, 0.87), list(found)).chart.to_dict()
        rows = spec["datasets"][spec["layer"][-1]["data"]["name"]]
        assert [row["batch"] for row in rows] == list(found)
        assert spec["layer"][-1]["encoding"]["x"]["sort"] == list(found)
        for row in rows:
            one = found[row["batch"]]
            assert [row["value"], row["low"], row["high"]] == pytest.approx([one.value, one.low, one.high])
        shapes = spec["layer"][-1]["encoding"]["shape"]["scale"]
        assert dict(zip(shapes["domain"], shapes["range"], strict=True)) == {
            one.said: one.shape for one in (CLEARS, MAY_MISS, MISSES)
        }

    def test_many_batches_are_numbered(self):
        found = many()
        assert len(found) > MOST_NAMES
        spec = history(Batches(found), list(found)[-20:]).chart.to_dict()
        rows = spec["datasets"][spec["layer"][-1]["data"]["name"]]
        assert [row["place"] for row in rows] == list(range(41, 61))
        assert spec["layer"][-1]["encoding"]["x"]["title"] == "batch, in the order given"

    def test_a_mark_stands_for_a_move(self):
        found = week()
        spec = moved_over(Batches(found), list(found)).chart.to_dict()
        rows = spec["datasets"][spec["layer"][-1]["data"]["name"]]
        assert {(row["batch"], row["column"]): row["by"] for row in rows} == {
            ("wednesday.csv", "a"): 0.4,
            ("thursday.csv", "b"): 0.8,
            ("thursday.csv", "a"): 0.5,
            ("thursday.csv", "c"): 0.2,
        }
        assert most_moved(Batches(found)) == "thursday.csv"
        assert most_moved(Batches({"a": estimate()})) is None


class TestInABrowser:
    @pytest.mark.parametrize("name", SHOWN)
    def test_silent_offline_and_drawn(self, name, folder, chromium):
        page = folder / f"{name}.html"
        chromium.open(page)
        assert chromium.console() == []
        assert chromium.requests() == [page.as_uri()]
        drawn = chromium.run(
            "return [...document.querySelectorAll('figure')].map(f => [f.id, "
            "[...f.querySelectorAll('.live :is(.mark-symbol, .mark-rule, .mark-line) :is(path, line)')].length])"
        )
        assert {figure for figure, _ in drawn} >= {"figure-agreement"}
        assert all(paths > 0 for _, paths in drawn), drawn

    @pytest.mark.parametrize("name", SHOWN)
    def test_a_phone_never_scrolls_sideways(self, name, folder, chromium):
        pages.test_a_phone_never_scrolls_sideways(name, True, folder, chromium)
        cut = chromium.run(
            "return [...document.querySelectorAll('.chart')].filter(box =>"
            " [...box.querySelectorAll('.live text')].some(t => t.textContent &&"
            " t.getBoundingClientRect().right > box.getBoundingClientRect().right + 14))"
            ".map(box => box.closest('figure').id)"
        )
        assert cut == []

    @pytest.mark.parametrize("check", ["contrast_of_text_and_lines", "a_phone_never_scrolls_sideways"])
    def test_light(self, check, folder, chromium):
        getattr(pages, f"test_{check}")("week", False, folder, chromium)

    def test_dark(self, folder, chromium):
        pages.test_contrast_of_text_and_lines("week", True, folder, chromium)
        pages.test_colours_follow_the_scheme_without_drawing_again("week", folder, chromium)

    @pytest.mark.parametrize(
        ("check", "name"),
        [
            ("one_small_file", "week"),
            ("one_small_file", "many"),
            ("everything_is_reached_by_keyboard", "week"),
            ("it_can_be_listened_to", "week"),
            ("it_can_be_listened_to", "many"),
            ("it_can_be_listened_to", "one"),
        ],
    )
    def test_like_every_page(self, check, name, folder, chromium):
        arguments = (folder,) if check == "one_small_file" else (folder, chromium)
        getattr(pages, f"test_{check}")(name, *arguments)

    def test_hostile_names_stay_words(self, chromium, tmp_path):
        bad = pages.HOSTILE
        moved = [replace(move(bad, 0.5), change=bad), move(bad + "2", gaps=0.4)]
        one = estimate(0.7, drop=-0.2, moved=moved, warnings=[bad], members={bad: 0.7, "x": 0.72}, method=bad)
        for i, found in enumerate(({bad: one}, {bad + "1": one, bad + "2": one})):
            page = tmp_path / f"{i}.html"
            report.save_estimates(found, page, min_accuracy=0.8)
            assert "<script>window.hacked" not in page.read_text()
            chromium.open(page)
            assert chromium.run("return [window.hacked ?? null, document.images.length]") == [None, 0]
            assert bad in chromium.run("return document.body.innerText")
            assert chromium.console() == []
            assert chromium.requests() == [page.as_uri()]
