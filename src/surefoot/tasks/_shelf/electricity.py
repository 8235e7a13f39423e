"""Prices after a market grows, in order of time."""

from __future__ import annotations

from surefoot.data.partition import Plan, Rule, Span
from surefoot.tasks._task import Task

task = Task(
    name="electricity",
    title="Electricity prices after two markets join",
    about="In order of time: the half-hours before Victoria joined the market are divided into train, "
    "dev_in and eval_in at two dates, since prices stick for hours and a random division would leak. "
    "The first months after it are the shifted development part, the rest the shifted evaluation.",
    dataset="electricity",
    plan=Plan(
        rules=(
            Rule({"row": Span(high=12_000)}, {"train": 1}),
            Rule({"row": Span(12_000, 13_920)}, {"dev_in": 1}),
            Rule({"row": Span(13_920, 17_424)}, {"eval_in": 1}),
            Rule({"row": Span(17_424, 24_000)}, {"dev_out": 1}),
            Rule({"row": Span(low=24_000)}, {"eval_out": 1}),
        )
    ),
    annotates=("vicprice", "vicdemand", "transfer"),
)
