"""Prices of hotel rooms a season later."""

from __future__ import annotations

from surefoot.data.partition import Plan, Rule, Span
from surefoot.tasks._task import Task

task = Task(
    name="hotel_rates",
    title="Hotel prices a season later",
    about="Regression: trained on bookings for the second half of 2016, tuned beside the first three months "
    "of 2017, judged on April to August 2017. A day is in one part only. Acceptable is an error of up "
    "to 20 euros.",
    dataset="hotel_rates",
    plan=Plan(
        rules=(
            Rule({"arrival_date": Span(high="2017-01-01")}, {"train": 0.7, "dev_in": 0.1, "eval_in": 0.2}),
            Rule({"arrival_date": Span("2017-01-01", "2017-04-01")}, {"dev_out": 1}),
            Rule({"arrival_date": Span(low="2017-04-01")}, {"eval_out": 1}),
        ),
        group=("arrival_date",),
    ),
    threshold=20.0**2,
)
