"""Searches in other precincts."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="police_stops",
    title="Searches in other precincts",
    about="Trained in the fifth precinct of Minneapolis, tuned beside the first, judged in the other three, "
    "where stops are other stops and searches more common. The place leaves with the precinct.",
    dataset="police_stops",
    plan=by_value("policePrecinct", source=5, dev_out=1, eval_out=(2, 3, 4)),
)
