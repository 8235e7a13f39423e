"""`surefoot advise`: which way to get uncertainty, for what is needed and what it may cost."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from surefoot.bench.advice import Needs, advise, measured, plain_advice
from surefoot.bench.advice._needs import INPUTS, SHIFTS, TUNING, UNCERTAINTIES
from surefoot.cli._advise_ask import ask
from surefoot.cli._advise_show import show_advice, show_rules
from surefoot.errors import InputError


@click.command("advise")
@click.option("--classes", type=int, help="How many classes there are.")
@click.option(
    "--cardinality",
    type=float,
    metavar="LABELS",
    help="Labels of an input on average, if it may have several (default: each has exactly one).",
)
@click.option("--inputs", type=click.Choice(INPUTS), help="What the model reads (default: text).")
@click.option(
    "--memory", type=float, metavar="MODELS", help="How many single models may be stored (default: any)."
)
@click.option(
    "--training", type=float, metavar="MODELS", help="How many trainings of a single model it may take."
)
@click.option("--inference", type=float, metavar="MODELS", help="How many evaluations a prediction may take.")
@click.option(
    "--tuning", type=click.Choice(TUNING), help="Effort for hyper-parameters there is (default: some)."
)
@click.option(
    "--shift",
    type=click.Choice(SHIFTS),
    help="What is expected of data to come: none, other inputs, or classes never seen (default: none).",
)
@click.option(
    "--uncertainty",
    type=click.Choice(UNCERTAINTIES),
    help="What it is to speak of: everything, noise in the data, or what the model does not know "
    "(default: total).",
)
@click.option(
    "--runs",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of your own runs (surefoot bench run): show their scores as well.",
)
@click.option("--rules", is_flag=True, help="Print all rules and where they are written, and judge nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(runs: Path | None, rules: bool, as_json: bool, **given: Any) -> None:
    """Advise a way to get uncertainty, with the reasons for and against it.

    Budgets count single models: with --memory 3, three of them may be stored. On a terminal and without options it
    asks. The rules are findings of three papers, with the place of each.

    Example: surefoot advise --classes 20 --shift novel --memory 3
    """
    if rules:
        show_rules()
        return
    needs = _needs({name: value for name, value in given.items() if value is not None}, runs, as_json)
    advice = advise(needs)
    names = [one.name for one in (*advice.candidates, *advice.left_out)]
    scores = () if runs is None else measured(runs, names)
    if as_json:
        click.echo(json.dumps(plain_advice(advice, scores), indent=2, ensure_ascii=False))
    else:
        show_advice(advice, scores if runs is not None else None)


def _needs(given: dict[str, Any], runs: Path | None, as_json: bool) -> Needs:
    """What was given, or what is answered if nothing was and somebody is there."""
    if not given and runs is None and not as_json and sys.stdin.isatty() and sys.stdout.isatty():
        return ask()
    if "classes" not in given:
        raise InputError(
            "how many classes are there? give --classes (on a terminal, no option at all: it asks)"
        )
    return Needs(**given)
