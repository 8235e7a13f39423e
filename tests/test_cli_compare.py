"""`surefoot compare` and `surefoot threshold` as a user meets them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from surefoot.cli import main
from surefoot.compare import compare
from tables import classification, regression


def run(*arguments):
    """Exit code of a command run in this process."""
    try:
        main([str(a) for a in arguments])
    except SystemExit as stop:
        return stop.code or 0
    return 0


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A single model and an ensemble on two datasets."""
    folder = tmp_path_factory.mktemp("predictions")
    paths = []
    for data in range(2):
        ensemble = classification(n=500, seed=data, info={"dataset": f"d{data}", "train_set": f"t{data}"})
        for method, predictions in (("ensemble", ensemble), ("single", ensemble.take(samples=1))):
            paths.append(folder / f"d{data}-{method}.parquet")
            replace(predictions, info={**predictions.info, "method": method}).save(paths[-1])
    return paths


def test_compare_prints_and_writes_the_comparison(files, tmp_path, capsys):
    assert run("compare", *files, "--json", tmp_path / "c.json", "--seed", 3) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    for expected in (
        "2 methods (ensemble, single) on 2 datasets", "d0: scores (eval set)", "d1: ensemble − single",
        "Mean ranks over 2 datasets ↓", "Wins–draws–losses", "Equivalent ensembles", "log_likelihood ↑ *",
        "accuracy ↑", " ◀", "0.9", "Note: With 2 datasets no two of 2 methods can differ",
    ):  # fmt: skip
        assert expected in captured.out
    stored = json.loads((tmp_path / "c.json").read_text())
    assert stored == json.loads(compare(files, seed=3).to_json())
    assert stored["methods"] == ["ensemble", "single"]


def test_the_best_is_marked_only_where_it_is_significant(files, capsys):
    found = compare(files[:2])
    assert run("compare", *files[:2]) == 0
    shown = capsys.readouterr().out
    table = shown[: shown.index("ensemble − single")]
    for key in ("accuracy", "calibrated_log_likelihood", "f1_auc"):
        (line,) = re.findall(rf"^  {key} .*$", table, flags=re.MULTILINE)
        assert ("✓" in line) == (found.best(key, "d0") is not None)
    assert "accuracy ✓" not in table


def test_names_metrics_reference_and_sides_are_options(files, tmp_path, capsys):
    arguments = ["--name", "many", "--name", "one", "--metric", "r_auc@entropy", "--metric", "accuracy"]
    assert run("compare", *files[:2], *arguments, "--reference", "one") == 0
    shown = capsys.readouterr().out
    assert "d0: one − many" in shown
    assert "in.r_auc@entropy ↓" in shown
    assert "f1_auc" not in shown
    cities = np.array(["york", "bath"])[np.arange(400) % 2]
    for seed in range(2):
        classification(samples=1, partition=cities, metadata={"harm": np.arange(400.0)}).save(
            tmp_path / f"{seed}.npz"
        )
    both = [tmp_path / "0.npz", tmp_path / "1.npz"]
    assert run("compare", *both) == 2
    assert run("compare", *both, "--in", "york", "--shifted", "bath", "--error", "harm", "--threshold", "99",
               "--uncertainty", "variation_ratio") == 2  # fmt: skip
    assert (
        run("compare", *both, "--in", "york", "--shifted", "bath", "--error", "harm", "--threshold", "99")
        == 0
    )


def test_many_methods_share_one_table_of_differences(tmp_path, capsys):
    paths = []
    for seed in range(4):
        paths.append(tmp_path / f"m{seed}.npz")
        p = regression(n=200, samples=1)
        replace(p, arrays={"mean": p.mean + 0.1 * seed, "variance": p.variance}).save(paths[-1])
    assert run("compare", *paths) == 0
    shown = capsys.readouterr().out
    assert "data: differences, all rows" in shown
    assert re.search(r"m0 − m3 .*\[", shown)


def test_what_is_not_comparable_exits_with_2_and_the_reason(files, capsys):
    assert run("compare", *files[:2], "--metric", "ece") == 2
    captured = capsys.readouterr()
    assert re.fullmatch(
        r"Error: ece may not be compared across models: it is a biased [^\n]+\n", captured.err
    )
    assert captured.out == ""
    assert run("compare", *files[:2], "--metric", "ece", "--force") == 0
    captured = capsys.readouterr()
    assert re.fullmatch(r"Warning: ece may not be compared [^\n]+\n", captured.err)
    assert "ece ↓ *" in captured.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (lambda files: files[:1], "must list at least two"),
        (lambda files: [*files[:2], "--name", "a"], "names has 1 entries for 2 predictions"),
        (lambda files: [*files[:2], "--metric", "nonsense"], "there is no metric 'nonsense'"),
        (lambda files: [files[0], "none.parquet"], "is not a file"),
        (lambda files: [files[0], files[0]], "is there more than once on dataset 'd0'"),
    ],
)
def test_bad_usage_exits_with_2_and_a_sentence(arguments, sentence, files, capsys):
    assert run("compare", *arguments(files)) == 2
    assert re.fullmatch(rf"Error: [^\n]*({sentence})[^\n]*\n", capsys.readouterr().err)


@pytest.mark.parametrize("command", ["compare", "threshold", "figure", "evaluate"])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(command, tmp_path, capsys):
    missing = tmp_path / "missing" / "out"
    arguments = {
        "compare": ["a.npz", "b.npz", "--report", f"{missing}.html"],
        "evaluate": ["a.npz", "--report", f"{missing}.html"],
        "threshold": ["a.npz", "--max-rejected", "0.1", "--json", f"{missing}.json"],
        "figure": ["ranks", "a.npz", "b.npz", "-o", f"{missing}.svg"],
    }[command]
    assert run(command, *arguments) == 2  # the predictions are not there either, and were not asked for
    assert "the folder does not exist; make it first" in capsys.readouterr().err


def test_methods_that_meet_on_no_dataset_are_shown_but_not_ranked(files, capsys):
    assert run("compare", files[0], files[3]) == 0
    shown = capsys.readouterr().out
    assert "Not ranked over datasets, since there is no single on d0, ensemble on d1." in shown
    assert "−" not in shown


def test_threshold_prints_and_writes_the_operating_point(files, tmp_path, capsys):
    assert run("threshold", files[0], "--max-rejected", "0.05", "--json", tmp_path / "t.json") == 0
    shown = capsys.readouterr().out
    assert "(max rejected 0.05)" in shown
    assert "Chosen on dev, all" in shown
    assert "Judged on eval" in shown
    assert "Note:" not in shown
    stored = json.loads((tmp_path / "t.json").read_text())
    assert stored["format"] == 1
    assert [one["side"] for one in stored["judged_on"]] == ["in", "shifted", "all"]
    assert stored["chosen_on"]["coverage"]["value"] >= 0.95
    assert stored["judged_on"][0]["accuracy"]["low"] < stored["judged_on"][0]["accuracy"]["value"]


def test_threshold_can_be_chosen_and_judged_elsewhere(files, capsys):
    assert (
        run(
            "threshold",
            files[0],
            "--min-accuracy",
            "0.9",
            "--on",
            "eval",
            "--side",
            "in",
            "--report-on",
            "dev",
        )
        == 0
    )
    assert "Chosen on eval, in" in (shown := capsys.readouterr().out)
    assert "Judged on dev" in shown
    assert run("threshold", files[0], "--max-error", "0.2", "--apply", files[2]) == 0
    assert f"Judged on eval of {files[2]}" in " ".join(capsys.readouterr().out.split())
    assert run("threshold", files[0], "--max-error", "0.2", "--report-on", "dev") == 0
    assert "judged on the rows it was chosen on" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "give one goal, max_rejected, max_error, min_accuracy; 0 were given"),
        (["--max-error", "-1"], "is not reachable: the lowest mean error is"),
        (["--max-rejected", "0.1", "--on", "test"], r"name one with set= \(--on on the command line\)"),
        (["--max-rejected", "0.1", "--report-on", "test"], "there is no set 'test'"),
    ],
)
def test_threshold_refuses_what_cannot_be(arguments, sentence, files, capsys):
    assert run("threshold", files[0], *arguments) == 2
    assert re.fullmatch(rf"Error: [^\n]*{sentence}[^\n]*\n", capsys.readouterr().err)


@pytest.mark.parametrize("command", ["compare", "threshold"])
def test_help_and_no_heavy_imports(command, files, capsys):
    assert run(command, "--help") == 0
    assert f"Usage: surefoot {command}" in capsys.readouterr().out
    arguments = {"compare": files[:2], "threshold": [files[0], "--max-rejected", "0.1"]}[command]
    script = (
        "import sys; from surefoot.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit as stop: assert not stop.code, stop.code\n"
        "loaded = [name for name in ('torch', 'catboost', 'polars', 'altair', 'sklearn') if name in sys.modules]\n"
        "assert not loaded, loaded"
    )
    subprocess.run(
        [sys.executable, "-c", script, command, *map(str, arguments)], check=True, capture_output=True
    )
