"""Income of persons of other races."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="adult",
    title="Income of persons of other races",
    about="Trained on persons recorded as White; Black persons make the shifted evaluation, all others the "
    "shifted development part. The survey weight is no property of a person and no feature.",
    dataset="adult",
    plan=by_value(
        "race",
        source="White",
        dev_out=("Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"),
        eval_out="Black",
    ),
    annotates=("fnlwgt",),
)
