"""Employment in later years."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="acs_employment",
    title="Employment in later years",
    about="Trained on 2015, tuned beside 2016, judged on 2017 and 2018. The years are alike: a method that "
    "sees a large shift here sees too much.",
    dataset="acs_employment",
    plan=by_value("year", source=2015, dev_out=2016, eval_out=(2017, 2018)),
)
