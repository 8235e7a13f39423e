"""Income a year later."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="census_income",
    title="Income a year later",
    about="Trained on the survey of 1994 and shifted to that of 1995; with two years only, a random quarter "
    "of 1995 is the shifted development part. A mild shift.",
    dataset="census_income",
    plan=by_value("year", source=94),
)
