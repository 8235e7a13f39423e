"""Default of credit card clients of the other sex."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="credit_default",
    title="Default of men",
    about="Trained on women and shifted to men; with two values only, a random quarter of the men is the "
    "shifted development part. A mild shift.",
    dataset="credit_default",
    plan=by_value("SEX", source=2),
)
