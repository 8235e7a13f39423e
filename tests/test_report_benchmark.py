"""The page of the benchmark: the paper's figures in shape, what it says of them; a page like the others."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

import test_report_pages as pages
from benchmark_cases import everything, result, results
from browser import browser
from surefoot import report
from surefoot.estimators.benchmark import SETS, Results, claims
from surefoot.estimators.benchmark._tables import SET_WORDS, ablation
from surefoot.report import _benchmark_figures as figures
from surefoot.report._benchmark_page import benchmark_page

NAME = "benchmark"


@pytest.fixture(scope="module")
def whole():
    return everything()


@pytest.fixture(scope="module")
def page(whole):
    return benchmark_page(whole, "vega.js")


@pytest.fixture(scope="module")
def folder(whole, tmp_path_factory):
    path = tmp_path_factory.mktemp("benchmark")
    report.save_benchmark(whole, path / f"{NAME}.html")
    return path


@pytest.fixture(scope="module")
def chromium():
    with browser() as opened:
        yield opened


def rows_of(figure):
    """The data of the layer that is drawn last."""
    spec = figure.chart.to_dict()
    named = spec["layer"][-1].get("data") or spec["data"]
    return spec["datasets"][named["name"]]


def titles(page):
    return [html.unescape(one) for one in re.findall(r"<h3[^>]*>(.*?)</h3>", page)]


class TestFigures:
    def test_of_the_paper_are_all_there(self, whole, page):
        fallen = {name: (some["truth"] - some["reference"]).mean() for (name,), some in whole.by("dataset")}
        assert min(fallen, key=fallen.get) == "dataset 1"
        assert titles(page) == [
            "MAE_CI, over all datasets",  # figure 4
            "Mean absolute error, over all datasets",
            "Absolute errors on all datasets",  # 3
            "ErrorPredictorRF on dataset 1",  # 1
            "Auto on dataset 1",
            "True changes of the accuracy, dataset 1",  # 2
            "Variants of the error predictor, dataset 0 and dataset 1",  # 5
            "Kinds of shift in training",  # 6a
            "Training domains of each kind",  # 6b
            "dataset 0",  # 7
            "dataset 1",
        ]

    def test_1_has_intervals_in_the_order_of_the_true_accuracy(self):
        some = results(
            *(
                result(batch=i, truth=truth, estimate=estimate)
                for i, (truth, estimate) in enumerate([(0.9, 0.8), (0.6, 0.64), (0.7, 0.72)])
            )
        )
        figure = figures.intervals(some, "ErrorPredictorRF", "alpha")
        rows = rows_of(figure)
        assert [row["truth"] for row in rows] == [0.6, 0.7, 0.9]
        assert [row["interval"] for row in rows] == ["holds the truth", "holds the truth", "misses it"]
        assert "67\u202f% of the intervals hold it, at a mean width of 0.100" in figure.description

    def test_1_of_many_batches_is_of_some(self):
        some = results(*(result(batch=i, truth=i / 1000) for i in range(1000)))
        rows = rows_of(figures.intervals(some, "ErrorPredictorRF", "alpha"))
        assert len(rows) == figures.MOST_BATCHES
        assert [rows[0]["truth"], rows[-1]["truth"]] == [0, 0.999]

    def test_2_has_the_drop_of_each_kind_and_where_chance_ends(self):
        some = results(
            *(
                result(
                    set=name, kind=kind, batch=i, truth=0.8 + drop + 0.01 * i, reference=0.8, method=method
                )
                for method in ("ATC", "Auto")
                for name, kind, drop in (("unseen_shift", "flip-sign", -0.2), ("no_shift", "no_shift", -0.02))
                for i in range(5)
            )
        )
        figure = figures.drops(some, "alpha")
        rows = rows_of(figure)
        assert [(row["kind"], row["p50"]) for row in rows] == [("flip-sign", -0.18), ("no shift", 0.0)]
        assert figure.numbers.rows == (
            ("flip-sign", "unseen shift", "-0.180"),
            ("no shift", "no shift", "+0.000"),
        )
        ends = sorted(
            row["p10"]
            for data in figure.chart.to_dict()["datasets"].values()
            for row in data
            if len(row) == 1
        )
        half = 1.959964 * (0.8 * 0.2 / 400) ** 0.5
        np.testing.assert_allclose(ends, [-half, 0, half], atol=1e-4)
        assert "The hardest is flip-sign: -0.180 in the median" in figure.description

    def test_3_has_the_spread_of_errors_by_set_and_method(self):
        errors = np.linspace(-0.1, 0.1, 21)
        some = results(
            *(
                result(method=method, set="natural", batch=i, estimate=0.75 + scale * error)
                for method, scale in (("ATC", 1), ("Auto", 0.5), ("mean confidence", 1))
                for i, error in enumerate(errors)
            )
        )
        figure = figures.boxes(some, "Errors")
        rows = {row["method"]: row for row in rows_of(figure)}
        assert set(rows) == {"ATC", "Auto"}
        assert [rows["ATC"][f"p{q}"] for q in (10, 25, 50, 75, 90)] == [0.01, 0.03, 0.05, 0.08, 0.09]
        assert rows["Auto"]["p50"] == 0.025
        assert figure.description.endswith("The lowest mean error is that of Auto, 0.026.")

    def test_4_has_a_line_for_each_method(self, whole):
        figure = figures.lines(whole, lambda some: some.mae_ci, "MAE_CI", "over all")
        rows = rows_of(figure)
        assert {row["method"] for row in rows} == set(figures.SHOWN)
        assert {row["set"] for row in rows} == set(SET_WORDS.values())
        assert len(rows) == len(figures.SHOWN) * len(SETS)
        one = whole.where(experiment="ours", method="DoC", set="natural")
        mean = np.mean([some.mae_ci for _, some in one.by("dataset", "seed")])
        (value,) = [row["value"] for row in rows if (row["method"], row["set"]) == ("DoC", "natural")]
        assert value == pytest.approx(mean, rel=1e-4)
        assert re.search(r"The lowest: \S+ on unseen severity \(0\.\d{3}\), ", figure.description)

    def test_5_tells_variants_apart_by_more_than_colour(self, whole, page):
        figure = figures.boxes(ablation(whole), "Variants", ablation(whole).there("method"))
        shape = figure.chart.to_dict()["layer"][-1]["encoding"]["shape"]["scale"]
        color = figure.chart.to_dict()["layer"][-1]["encoding"]["color"]["scale"]
        looks = list(zip(shape["range"], color["range"], strict=True))
        assert len(set(looks)) == len(looks) == 8
        assert "RF_no_shift" in page

    def test_6_has_numbers_of_kinds_and_domains(self, whole):
        kinds = whole.where(experiment="kinds")
        figure = figures.sensitivity(kinds, "kinds", "Kinds", "kinds")
        assert {row["kinds"] for row in rows_of(figure)} == {1, 2, 3, 4, 5}
        assert figure.numbers.header == ("kinds", *SET_WORDS.values())
        some = results(
            *(
                result(experiment="domains", training_domains=n, estimate=0.75 + error)
                for n, error in ((1, 0.3), (10, 0.1), (100, 0.05))
            )
        )
        figure = figures.sensitivity(some, "domains", "Domains", "domains")
        assert [(row["domains"], row["value"]) for row in rows_of(figure)] == [
            (1, 0.3),
            (10, 0.1),
            (100, 0.05),
        ]
        assert figure.description == "From 1 to 100: no shift 0.300 → 0.050."

    def test_7_is_of_every_dataset(self, whole):
        assert [figure.title for figure in figures.of_datasets(whole)] == ["dataset 0", "dataset 1"]


class TestPage:
    def test_says_first_what_holds(self, whole, page):
        verdicts = [claim.verdict for claim in claims(whole)]
        counts = [verdicts.count(name) for name in ("holds", "mostly", "does not hold")]
        said = "In short: of 10 claims {} hold, {} mostly hold, and {} do not.".format(*counts)
        assert said in page
        assert page.index("In short") < page.index("<figure")
        chips = re.findall(r'class="chip">(.*?)<', page)
        assert chips == verdicts

    def test_says_how_large_the_run_was(self, page):
        assert "Accuracy without labels, on 2 datasets" in page
        said = "2 seeds and up to 100 training domains of each kind, where the paper has 10 and 100."
        assert said in page

    @pytest.mark.parametrize("experiment", ["published", "ours", "ablation", "kinds", "domains"])
    def test_is_there_of_any_one_experiment(self, experiment, whole):
        some = whole.where(experiment=experiment)
        page = benchmark_page(some, "vega.js")
        assert "<figure" in page
        assert not re.search(r">[^<]*\b(nan|None|inf)\b[^<]*<", re.sub(r"<script.*?</script>", "", page))
        assert ('<section id="verdict"' in page) is bool(list(claims(some)))

    def test_of_all_datasets_stays_small(self):
        page = benchmark_page(everything(datasets=figures.MOST_DATASETS + 3, seeds=1, batches=9), "vega.js")
        assert len(page.encode()) + len(report.script().encode()) < 2_000_000
        drawn = [title for title in titles(page) if title.startswith("dataset")]
        assert len(drawn) == figures.MOST_DATASETS
        assert f"of the first {figures.MOST_DATASETS} datasets" in page


class TestInABrowser:
    def test_silent_offline_and_drawn(self, folder, chromium):
        page = folder / f"{NAME}.html"
        chromium.open(page)
        assert chromium.console() == []
        assert chromium.requests() == [page.as_uri()]
        drawn = chromium.run(
            "return [...document.querySelectorAll('figure')].map(f => "
            "f.querySelectorAll('.live :is(.mark-symbol, .mark-rule, .mark-line) :is(path, line)').length)"
        )
        assert len(drawn) == 11
        assert min(drawn) > 3

    @pytest.mark.parametrize("width", [1280, 390])
    def test_no_word_of_a_figure_is_cut_or_covered(self, width, folder, chromium):
        chromium.open(folder / f"{NAME}.html", width=width)
        cut = chromium.run(
            "return [...document.querySelectorAll('.chart')].flatMap(box => [...box.querySelectorAll('.live text')]"
            ".filter(t => t.textContent && (t.getBoundingClientRect().right > box.getBoundingClientRect().right + 14"
            " || t.getBoundingClientRect().left < box.getBoundingClientRect().left - 14)).map(t => t.textContent))"
        )
        assert cut == []
        covered = chromium.run(
            "const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2"
            " && b.top < a.bottom - 2;"
            "return [...document.querySelectorAll('figure')].flatMap(f => {"
            " const words = [...f.querySelectorAll('.live .role-axis-label text')].filter(t => t.textContent"
            "  && getComputedStyle(t).opacity > 0);"
            " return words.flatMap((t, i) => words.slice(i + 1).filter(u =>"
            "  over(t.getBoundingClientRect(), u.getBoundingClientRect())).map(u =>"
            "  `${f.id}: ${t.textContent} / ${u.textContent}`)) })"
        )
        assert covered == []

    @pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
    @pytest.mark.parametrize("check", ["a_phone_never_scrolls_sideways", "contrast_of_text_and_lines"])
    def test_by_day_and_by_night(self, check, dark, folder, chromium):
        getattr(pages, f"test_{check}")(NAME, dark, folder, chromium)

    @pytest.mark.parametrize(
        "check",
        [
            "one_small_file",
            "colours_follow_the_scheme_without_drawing_again",
            "everything_is_reached_by_keyboard",
            "it_can_be_listened_to",
        ],
    )
    def test_like_every_page(self, check, folder, chromium):
        arguments = (folder,) if check == "one_small_file" else (folder, chromium)
        getattr(pages, f"test_{check}")(NAME, *arguments)

    def test_hostile_names_stay_words(self, whole, chromium, tmp_path):
        bad = pages.HOSTILE
        names = {
            **whole.names,
            "dataset": (bad, f"{bad}2"),
            "kind": tuple(bad + kind for kind in whole.names["kind"]),
        }
        page = tmp_path / "page.html"
        report.save_benchmark(Results(whole.columns, names), page)
        assert "<script>window.hacked" not in page.read_text()
        chromium.open(page)
        assert chromium.run("return [window.hacked ?? null, document.images.length]") == [None, 0]
        assert bad in chromium.run("return document.body.innerText")
        assert chromium.console() == []
        assert chromium.requests() == [page.as_uri()]
