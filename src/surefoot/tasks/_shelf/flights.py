"""Late flights later in the year."""

from __future__ import annotations

from surefoot.data.partition import Plan, Rule, Span
from surefoot.tasks._task import Task

task = Task(
    name="flights",
    title="Late flights later in the year",
    about="Trained on the first half of 2013, tuned beside July and August, judged on September to "
    "December. A day is in one part only, since weather and queues are shared; month and day are no "
    "features.",
    dataset="flights",
    plan=Plan(
        rules=(
            Rule({"month": Span(high=7)}, {"train": 0.7, "dev_in": 0.1, "eval_in": 0.2}),
            Rule({"month": Span(7, 9)}, {"dev_out": 1}),
            Rule({"month": Span(low=9)}, {"eval_out": 1}),
        ),
        group=("month", "day"),
    ),
)
