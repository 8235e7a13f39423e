"""The questions of `surefoot advise`."""

from __future__ import annotations

from typing import Any

import click

from surefoot.bench.advice import Needs
from surefoot.bench.advice._needs import BUDGETS, INPUTS, SHIFTS, TUNING, UNCERTAINTIES
from surefoot.errors import InputError

_BUDGETS = {
    "memory": "How many models of the size of a single one may be stored? (empty: any number)",
    "training": "How many trainings of a single model may it take? (empty: any number)",
    "inference": "How many evaluations may a prediction take? (empty: any number)",
}

_CHOICES = {
    "tuning": ("How much effort for hyper-parameters is there?", TUNING, "some"),
    "shift": (
        "What may data to come be like: the same, other inputs, or classes never seen?",
        SHIFTS,
        "none",
    ),
    "uncertainty": (
        "What is uncertainty to speak of: everything, noise in the data, or what the model does not know?",
        UNCERTAINTIES,
        "total",
    ),
}


def ask() -> Needs:
    """Ask for all of the needs, one after the other; what does not fit is asked again."""
    answers: dict[str, Any] = {"inputs": _choice("What does the model read?", INPUTS, "text")}
    answers["classes"] = _checked("How many classes are there?", "classes", answers, int)
    if click.confirm("May an input have several labels at once?", default=False):
        answers["cardinality"] = _checked("How many does it have on average?", "cardinality", answers, float)
    for name in BUDGETS:
        answers[name] = _checked(_BUDGETS[name], name, answers, _budget, "")
    for name, (question, allowed, default) in _CHOICES.items():
        answers[name] = _choice(question, allowed, default)
    return Needs(**answers)


def _choice(question: str, allowed: tuple[str, ...], default: str) -> str:
    answer: str = click.prompt(question, type=click.Choice(allowed), default=default)
    return answer


def _checked(question: str, name: str, before: dict[str, Any], kind: Any, default: str | None = None) -> Any:
    """An answer that the needs accept."""

    def accept(text: str) -> Any:
        try:
            value = kind(text)
            Needs(**{"classes": 2, **before, name: value})
        except (InputError, ValueError) as error:
            raise click.UsageError(str(error)) from None
        return value

    return click.prompt(question, value_proc=accept, default=default, show_default=False)


def _budget(text: str) -> float | None:
    return float(text) if text.strip() else None
