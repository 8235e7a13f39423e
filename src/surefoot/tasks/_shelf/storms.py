"""Kinds of storms in later decades."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="storms",
    title="Kinds of storms in later decades",
    about="Trained on the storms before 2000, tuned beside the 2000s, judged on the 2010s and 2020s, when "
    "lows, waves and disturbances were first written down. A storm is in one part only.",
    dataset="storms",
    plan=by_value(
        "decade",
        source=("1970s", "1980s", "1990s"),
        dev_out="2000s",
        eval_out=("2010s", "2020s"),
        group=("name", "year"),
    ),
)
