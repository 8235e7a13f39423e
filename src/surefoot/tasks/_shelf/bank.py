"""Telephone calls of a bank in other months."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="bank",
    title="Term deposits in other months",
    about="Trained on the calls of May to August, the shifted parts are November, and the rarer months in "
    "which far more clients subscribe. What the economy did leaves with the month, and the length of "
    "the call, known only after it, is no feature.",
    dataset="bank",
    plan=by_value(
        "month",
        source=("may", "jun", "jul", "aug"),
        dev_out="nov",
        eval_out=("mar", "apr", "sep", "oct", "dec"),
    ),
    annotates=("duration",),
)
