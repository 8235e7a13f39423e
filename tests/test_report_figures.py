"""Figures: every kind in every format, one language for all, out of files and what was stored."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest

from cards import card, density, reliability, retention, score
from surefoot import Predictions, evaluate, report
from surefoot.compare import compare
from surefoot.errors import InputError
from surefoot.report import _style
from surefoot.report._comparison_verdict import comparison_verdict
from test_cli import run

SIGNATURES = {".pdf": b"%PDF-", ".svg": b"<svg", ".png": b"\x89PNG\r\n\x1a\n"}


def model(
    method="model",
    *,
    dataset="toy",
    skill=1.5,
    fall=1.0,
    n=600,
    samples=1,
    seed=0,
    noise=None,
    k=3,
    **columns,
):
    """Predictions on the same inputs for every method of a dataset and seed, better the more skilled."""
    shared = np.random.default_rng(seed)
    target, part = shared.integers(0, k, n), np.array(["eval_in", "eval_out"])[shared.integers(0, 2, n)]
    own = np.random.default_rng(abs(hash(skill)) % 1000 + samples if noise is None else noise)
    logits = own.normal(size=(samples, n, k))
    logits[:, np.arange(n), target] += skill - np.where(part == "eval_out", fall, 0)
    probs = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    return Predictions.classification(
        probs.astype(np.float32),
        target,
        partition=part,
        id=np.arange(n),
        info={"method": method, "dataset": dataset, "train_set": dataset},
        **columns,
    )


@pytest.fixture(scope="module")
def single():
    city = np.array(["york", "bath", "hull"])[np.arange(600) % 3]
    return evaluate(model(metadata={"city": city}), slices=["city"])


@pytest.fixture(scope="module")
def several():
    return compare(
        [
            model(name, dataset=dataset, skill=skill, samples=samples, seed=seed)
            for seed, dataset in enumerate(("alpha", "beta"))
            for name, skill, samples in (("one", 1.0, 1), ("two", 1.6, 1), ("ensemble", 1.6, 4))
        ]
    )


def drawn(kind, single, several, **options):
    """The chart of a kind."""
    options = {"dataset": "beta"} | options if kind == "dee" else options
    return report.figure(kind, [single if kind in report.KINDS[:5] else several], **options)


def values(spec, layer):
    """The rows that a layer draws."""
    return spec["datasets"][spec["layer"][layer]["data"]["name"]]


@pytest.mark.parametrize("kind", report.KINDS)
def test_every_kind_in_every_format(kind, single, several, tmp_path):
    chart = drawn(kind, single, several)
    for suffix, signature in SIGNATURES.items():
        report.save_figure(chart, tmp_path / f"figure{suffix}")
        written = (tmp_path / f"figure{suffix}").read_bytes()
        assert written.startswith(signature)
        assert len(written) > 3000
    svg = (tmp_path / "figure.svg").read_text()
    assert len(re.findall(r"<path[^>]* d=\"M[^\"]{8}", svg)) > 3
    assert (tmp_path / "figure.pdf").read_bytes().rstrip().endswith(b"%%EOF")
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]+"', "", svg)


@pytest.mark.parametrize("kind", report.KINDS)
def test_every_figure_says_which_way_is_better(kind, single, several, tmp_path):
    report.save_figure(drawn(kind, single, several), tmp_path / "figure.svg")
    words = re.findall(r"<text[^>]*>([^<]*)</text>", (tmp_path / "figure.svg").read_text())
    assert any(re.search(r"better\)|best\)|is best|best on|best: ", word) for word in words), words


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("differences", ["Accuracy: first minus second"]),
        ("ranks", ["Ranks by accuracy"]),
        ("dee", ["Worth in members of ensemble, beta"]),
        ("slices", ["Accuracy by city"]),
        ("density", ["Where entropy lies for in-domain right, in-domain wrong and", "shifted inputs"]),
    ],
)
def test_a_figure_in_a_file_says_what_it_is_of(kind, words, single, several, tmp_path):
    report.save_figure(drawn(kind, single, several), tmp_path / "figure.svg")
    assert set(words) <= set(re.findall(r"<t[^>]*>([^<]*)</t", (tmp_path / "figure.svg").read_text()))


@pytest.mark.parametrize("kind", report.KINDS)
def test_colours_are_those_of_the_one_language(kind, single, several):
    spec = json.dumps(drawn(kind, single, several).to_dict())
    assert set(re.findall(r"#[0-9a-f]{6}", spec)) <= {ink.light for ink in _style.INKS}


def test_a_side_has_one_colour_everywhere(single):
    colours = {}
    for kind in ("retention", "f1", "reliability", "density"):
        spec = report.figure(kind, [single]).to_dict()
        scale = next(
            scale for layer in spec["layer"] if (scale := layer["encoding"].get("color", {}).get("scale"))
        )
        for name, colour in zip(scale["domain"], scale["range"], strict=True):
            colours.setdefault(name, set()).add(colour)
    assert colours == {
        "all inputs": {_style.INK.light},
        "in-domain": {_style.IN.light},
        "in-domain right": {_style.IN.light},
        "in-domain wrong": {_style.WRONG.light},
        "shifted": {_style.SHIFTED.light},
        "random order": {_style.RANDOM.light},
        "perfect order": {_style.OPTIMAL.light},
    }


def test_rows_are_never_in_a_figure():
    sizes = [
        len(json.dumps(report.figure(kind, [evaluate(model(n=n))]).to_dict()))
        for n in (5000, 40000)
        for kind in ("retention", "f1", "reliability", "density")
    ]
    assert all(large < 1.1 * small for small, large in zip(sizes[:4], sizes[4:], strict=True))


def test_several_models_side_by_side(single):
    other = evaluate(model("other", skill=0.5))
    for kind in ("retention", "f1", "reliability"):
        spec = json.dumps(report.figure(kind, [single, other, other]).to_dict())
        assert all(f'"{name}"' in spec for name in ("model", "other", "other (3)"))


def test_slices_start_with_the_worst():
    parts = [score("all", "accuracy", value, n=n, part=f"city={name}") for name, value, n in (
        ("good", 0.9, 500), ("bad", 0.2, 500), ("tiny", 0.5, 10))]  # fmt: skip
    chart = report.figure("slices", [card(score("all", "accuracy", 0.7), *parts)]).to_dict()
    shown = chart["layer"][1]["encoding"]["y"]["sort"]
    assert shown == ["bad (n = 500)", "tiny (n = 10)", "good (n = 500)"]


def test_ranks_join_methods_that_do_not_differ(several):
    chart = drawn("ranks", None, several).to_dict()
    bars = values(chart, -1)
    groups = several.ranks["accuracy"].groups
    assert [{bar["method"] for bar in bars if bar["group"] == g} for g in range(len(groups))] == [
        {several.methods[i] for i in group} for group in groups
    ]


def test_differences_keep_their_sign(several):
    spec = report.figure("differences", [several], dataset="beta").to_dict()
    rows = values(spec, 2)
    for d in several.differences:
        if (d.dataset, d.side, d.metric) == ("beta", "all", "accuracy"):
            (row,) = [row for row in rows if row["pair"] == f"{d.first} − {d.second}"]
            assert row["value"] == pytest.approx(d.value, rel=1e-4)
            assert row["better"] == ("not clear" if d.better == "neither" else f"{d.better} is better")


def test_many_methods_are_set_against_the_best():
    skills = {"low": 0.6, "mid": 1.2, "good": 1.8, "best": 3.0}
    result = compare([model(name, skill=skill) for name, skill in skills.items()])
    scores = dict(zip(result.methods, result.scores["accuracy"][0], strict=True))
    spec = report.figure("differences", [result]).to_dict()
    rows = values(spec, 2)
    assert [row["pair"] for row in rows] == ["best − good", "best − mid", "best − low"]
    for row in rows:
        first, second = row["pair"].split(" − ")
        assert row["value"] == pytest.approx(scores[first] - scores[second], rel=1e-4)
        assert row["low"] < row["value"] < row["high"]
        assert row["better"] == "first is better"


@pytest.mark.parametrize(
    ("metric", "side"), [("accuracy", "above"), ("r_auc", "below"), ("fpr_at_95", "below")]
)
def test_differences_say_on_which_side_of_zero_the_first_is_better(metric, side, several):
    spec = json.dumps(report.figure("differences", [several], metric=metric).to_dict())
    assert f"difference ({side} 0: first is better)" in spec


def test_what_was_stored_is_drawn_the_same(single, several, tmp_path):
    single.to_json(tmp_path / "card.json")
    several.to_json(tmp_path / "comparison.json")
    again, beside = report.read(tmp_path / "card.json"), report.read(tmp_path / "comparison.json")
    for kind in report.KINDS:
        assert drawn(kind, again, beside).to_dict() == drawn(kind, single, several).to_dict(), kind
    assert comparison_verdict(beside) == comparison_verdict(replace(several, entrants=()))
    assert beside.best("accuracy", "alpha") == several.best("accuracy", "alpha")
    page, first = (report.render(result, script="vega.js") for result in (beside, several))
    assert page.count("mark-best") == first.count("mark-best") > 0


@pytest.mark.parametrize("kind", ["retention", "reliability", "ranks", "dee"])
def test_figures_of_files(kind, tmp_path, capsys):
    files = []
    for name, samples in (("one", 1), ("ensemble", 4)):
        for seed, dataset in enumerate(("alpha", "beta") if kind == "ranks" else ("alpha",)):
            files.append(tmp_path / f"{name}-{dataset}.parquet")
            model(name, dataset=dataset, samples=samples, seed=seed).save(files[-1])
    assert run("figure", kind, *files, "-o", tmp_path / "out.svg") == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "out.svg")
    assert (tmp_path / "out.svg").read_bytes().startswith(b"<svg")


def test_a_figure_of_slices_scores_the_column(tmp_path):
    model(metadata={"city": np.array(["york", "bath"])[np.arange(600) % 2]}).save(tmp_path / "p.parquet")
    arguments = (
        "figure",
        "slices",
        tmp_path / "p.parquet",
        "--slice",
        "city",
        "--metric",
        "shifted.accuracy",
    )
    assert run(*arguments, "-o", tmp_path / "out.svg") == 0
    assert "york" in (tmp_path / "out.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["retention", "p.parquet", "-o", "out.gif"],
            r"out\.gif: a figure is written as \.pdf, \.svg, \.png",
        ),
        (["slices", "p.parquet", "-o", "out.svg"], "name one with --slice COLUMN"),
        (["density", "p.parquet", "p.parquet", "-o", "out.svg"], "of one model; give one file, not 2"),
        (["ranks", "p.parquet", "-o", "out.svg"], "give predictions of at least two"),
        (["ranks", "card.json", "-o", "out.svg"], "not from scorecards"),
        (["retention", "broken.json", "-o", "out.svg"], "cannot be read as JSON"),
        (["retention", "old.json", "-o", "out.svg"], "of format 1; write it again"),
        (["retention", "half.json", "-o", "out.svg"], "no whole scorecard"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_drawn_is_told_in_a_sentence(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    model().save("p.parquet")
    evaluate(model()).to_json("card.json")
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "old.json").write_text('{"format": 0}')
    (tmp_path / "half.json").write_text('{"format": 1, "rows": [{"value": 1}]}')
    assert run("figure", *arguments) == 2
    error = capsys.readouterr().err
    assert re.fullmatch(r"Error: [^\n]+\n", error)
    assert re.search(message, error)
    assert not (tmp_path / "out.svg").exists()


def test_curves_that_are_not_there(several):
    bare = card(score("all", "accuracy", 0.9))
    for kind in ("retention", "f1", "reliability", "density"):
        with pytest.raises(InputError, match="there is no curve"):
            report.figure(kind, [bare])
    with pytest.raises(InputError, match="from scorecards or predictions"):
        report.figure("retention", [several])
    with pytest.raises(InputError, match="there is no brier to draw here; there is: "):
        report.figure("ranks", [several], metric="brier")
    with pytest.raises(InputError, match="name one with --dataset: alpha, beta"):
        report.figure("dee", [several])
    with pytest.raises(InputError, match="did you mean|one of|choose"):
        report.figure("pie", [bare])
    with pytest.raises(InputError, match="nothing to draw"):
        report.figure("retention", [])


def test_a_card_made_by_hand_has_all_its_figures():
    made = card(
        score("all", "accuracy", 0.8),
        curves={
            "eval/all/error_retention": retention(),
            "eval/all/reliability": reliability(0.9, 0.8),
            "eval/all/density": density(),
        },
    )
    for kind in ("retention", "reliability", "density"):
        assert report.figure(kind, [made]).to_dict()["layer"]


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_a_missing_extra_is_told_with_the_command(package, monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, package, None)
    model().save(tmp_path / "p.parquet")
    name = package.replace("vl_convert", "vl-convert-python")
    assert run("figure", "retention", tmp_path / "p.parquet", "-o", tmp_path / "out.svg") == 2
    assert capsys.readouterr().err == (
        f"Error: reports and figures need {name}; install with: pip install 'surefoot[report]'\n"
    )
    with pytest.raises(InputError, match="pip install"):
        report.render(card(score("all", "accuracy", 0.9)))
