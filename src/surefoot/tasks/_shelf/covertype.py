"""Forest cover in another wilderness area."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="covertype",
    title="Forest cover in another wilderness area",
    about="Trained in Rawah; Neota lies beside it, Comanche Peak and Cache la Poudre further away and partly lower. "
    "Three kinds of forest do not grow in Rawah and are novel classes in the shifted evaluation.",
    dataset="covertype",
    plan=by_value(
        "wilderness_area",
        source="Rawah",
        dev_out="Neota",
        eval_out=("Comanche Peak", "Cache la Poudre"),
    ),
)
