"""Weekly wages in other regions."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="wages",
    title="Wages in other regions",
    about="Regression: trained on men in the south, tuned beside the midwest, judged in the northeast and "
    "the west, where wages are higher. Acceptable is an error of up to 200 dollars.",
    dataset="wages",
    plan=by_value("region", source="south", dev_out="midwest", eval_out=("northeast", "west")),
    threshold=200.0**2,
)
