"""Digits of which two kinds are held out."""

from __future__ import annotations

from surefoot.data.partition import Plan, Rule
from surefoot.tasks._task import Task

task = Task(
    name="digits",
    title="Digits that were never seen",
    about="Trained on the digits 0 to 7; 8 and 9 are held out and come as novel classes, a quarter of them in the "
    "shifted development part. Small and quick: for examples, and for the detection of what no model can know.",
    dataset="digits",
    plan=Plan(
        rules=(
            Rule({"digit": tuple(range(8))}, {"train": 0.6, "dev_in": 0.15, "eval_in": 0.25}),
            Rule({"digit": (8, 9)}, {"dev_out": 0.25, "eval_out": 0.75}),
        )
    ),
    method="mlp-ensemble",
)
