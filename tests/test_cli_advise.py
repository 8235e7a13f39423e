"""`surefoot advise` as a user meets it: options, questions, JSON, own runs, exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from surefoot import posteriors
from surefoot.bench.advice import RULES, SETUPS
from surefoot.cli import main
from surefoot.cli._advise_ask import ask
from surefoot.cli.advise import command


def advise(*arguments: object) -> int:
    """Exit code of the command run in this process."""
    try:
        main(["advise", *map(str, arguments)])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    """What --json prints."""
    assert advise(*arguments, "--json") == 0
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    return content


def test_it_says_what_to_take_what_it_costs_and_why(capsys: pytest.CaptureFixture[str]):
    assert advise("--classes", 20, "--shift", "novel", "--memory", 3) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Advised: mc-concrete-dropout-ensemble, 3 members, 10 passes each")
    assert "training 3 m, inference 30 m, storage 3 m" in shown
    assert "cannot be run today: no preset is for text yet; it comes with the torch methods" in shown
    assert "won 121 of 170 comparisons on texts (Van Landeghem et al. 2022, table 9)" in shown
    assert "Without limits" in shown
    assert "Your runs" not in shown


def test_what_can_be_run_today_is_told_by_its_preset(capsys: pytest.CaptureFixture[str]):
    assert advise("--classes", 7, "--inputs", "table") == 0
    shown = capsys.readouterr().out
    assert "runs today: preset catboost-ensemble-calibrated (also mlp-ensemble-calibrated" in shown
    assert "carried over" in shown
    assert advise("--classes", 7, "--inputs", "table", "--training", 1) == 0
    shown = capsys.readouterr().out
    assert "cannot be run today: it takes a network that comes with the torch methods" in shown
    assert "the best that runs today is unregularized: preset catboost-calibrated" in shown


def test_contradictions_are_told(capsys: pytest.CaptureFixture[str]):
    assert advise("--classes", 20, "--uncertainty", "knowledge", "--inference", 1) == 0
    shown = capsys.readouterr().out
    assert "These needs contradict each other" in shown
    assert "one evaluation a prediction leaves no second sample" in shown
    assert "Beyond the budget even at their smallest" in shown


def test_json_has_all_candidates_with_sources(capsys: pytest.CaptureFixture[str]):
    content = told(capsys, "--classes", 7, "--inputs", "table", "--memory", 4)
    assert content["advised"] == content["today"] == content["candidates"][0]["name"] == "deep-ensemble"
    best = content["candidates"][0]
    assert best["runs_today"] is True
    assert posteriors.Recipe.from_dict(best["recipe"]).members == 4
    assert best["cost"]["text"] == "training 4 m, inference 4 m, storage 4 m"
    assert best["against"][0]["source"]["words"]
    names = [one["name"] for one in (*content["candidates"], *content["left_out"])]
    assert sorted(names) == sorted(setup.name for setup in SETUPS)
    assert content["without_limits"] == {
        "name": "deep-ensemble",
        "cost": {
            "training": 5,
            "inference": 5,
            "storage": 5,
            "last_layers": 0,
            "text": "training 5 m, inference 5 m, storage 5 m",
            "more": "",
        },
    }
    beyond = told(capsys, "--classes", 7, "--training", 1, "--inference", 9)["left_out"]
    assert {one["name"]: one["beyond"] for one in beyond}["mc-ensemble"] == ["training", "inference"]


def test_own_runs_are_shown_beside_the_papers(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    suite = {
        "kind": "predict",
        "matrix": {
            "task": ["electricity"],
            "method": ["logistic", {"name": "bushes", "family": "sklearn-forest", "members": 2}],
            "seed": 2,
        },
        "with": {"most": 200},
    }
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(suite))
    with pytest.raises(SystemExit) as stop:
        main(["bench", "run", str(tmp_path / "mine.yaml"), "--runs", str(tmp_path / "runs")])
    assert not stop.value.code
    capsys.readouterr()
    asked = ("--classes", 2, "--inputs", "table", "--runs", tmp_path / "runs")
    content = told(capsys, *asked)
    scores = {one["name"]: one["own_runs"] for one in content["candidates"] if one["own_runs"]}
    assert set(scores) == {"unregularized", "deep-ensemble"}
    (error,) = [one for one in scores["deep-ensemble"] if one["metric"] == "eval.shifted.mean_error"]
    assert (error["method"], error["task"], error["seeds"]) == ("bushes", "electricity", 2)
    cards = [json.loads(path.read_text()) for path in (tmp_path / "runs").glob("mine/*/scorecard.json")]
    values = [
        row["value"]
        for card in cards
        for row in card["rows"]
        if card["info"]["method"] == "bushes"
        and (row["set"], row["side"], row["metric"]) == ("eval", "shifted", "mean_error")
    ]
    assert error["mean"] == pytest.approx(sum(values) / 2)
    assert error["std"] == pytest.approx(abs(values[0] - values[1]) / 2**0.5)
    assert advise(*asked) == 0
    shown = capsys.readouterr().out
    assert "Your runs" in shown
    assert "bushes" in shown
    assert advise("--classes", 2, "--shift", "novel", "--runs", tmp_path) == 2
    assert "there are no runs in" in capsys.readouterr().err


def test_rules_are_printed_with_their_places(capsys: pytest.CaptureFixture[str]):
    assert advise("--rules") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert all(" ".join(rule.says.split()) in shown for rule in RULES)
    assert "classes few, labels one → name deep-ensemble" in shown
    assert "“ensembles significantly outperform single models” (section 3)" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "how many classes are there?"),
        (("--json",), "how many classes are there?"),
        (("--shift", "novel"), "how many classes are there?"),
        (("--classes", 1), "classes is 1; a classification has at least 2"),
        (("--classes", 9, "--memory", 0), "memory is 0; it counts single models"),
        (("--classes", 9, "--shift", "much"), "'much' is not one of 'none', 'covariate', 'novel'"),
    ],
    ids=str,
)
def test_what_cannot_be_answered_is_said(
    arguments: tuple[object, ...], message: str, capsys: pytest.CaptureFixture[str]
):
    assert advise(*arguments) == 2
    assert message in capsys.readouterr().err


def test_questions_are_asked_again_until_answers_fit():
    import click

    @click.command()
    def asking() -> None:
        print(ask())

    answers = "table\n1\n12\ny\n20\n1.5\n0\n3\n\nten\n10\nmuch\nnovel\nknowledge\n"
    done = CliRunner().invoke(asking, input=answers)
    assert done.exit_code == 0, done.output
    assert done.output.count("Error") == 4
    assert done.output.splitlines()[-1] == (
        "Needs(classes=12, cardinality=1.5, inputs='table', memory=3.0, training=None, inference=10.0, "
        "tuning='much', shift='novel', uncertainty='knowledge')"
    )


def test_on_a_terminal_it_asks_if_nothing_was_given():
    ours, theirs = pty.openpty()
    code = "from surefoot.cli import main; main(['advise'])"
    asked = subprocess.Popen([sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)  # so that reading ends with the process, whatever it does
    with open(ours, "r+b", buffering=0) as terminal:
        terminal.write(b"\n20\n\n\n\n\n\nnovel\n\n")
        seen = b""
        while b"Candidates" not in seen:
            seen += terminal.read(4096)
        asked.kill()
        asked.wait()
    assert b"What does the model read?" in seen
    assert b"Advised: mc-concrete-dropout-ensemble, 5 members" in seen


def test_nothing_heavy_is_loaded():
    code = (
        "import sys\nfrom surefoot.cli import main\n"
        "try:\n    main(['advise', '--classes', '7', '--inputs', 'table', '--json'])\n"
        "except SystemExit as stop:\n    assert not stop.code\n"
        "heavy = [name for name in ('torch', 'catboost', 'sklearn', 'ray', 'duckdb') if name in sys.modules]\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_example_of_the_documentation_runs():
    text = (Path(__file__).parents[1] / "docs" / "advise.md").read_text()
    (code,) = re.findall("```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["advice"].best.preset == "catboost-ensemble-calibrated"  # as it says
    assert names["recipe"].members == 3
    for option in re.findall("`(--[a-z]+)", text):
        assert option in {name for one in command.params for name in one.opts}
