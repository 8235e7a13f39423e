"""Use of hospitals and doctors by persons of other races."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="meps",
    title="Medical visits of persons of other races",
    about="Trained on White persons, the shifted development part are Black persons, the shifted evaluation "
    "everybody else. Those use doctors less.",
    dataset="meps",
    plan=by_value("RACETHX", source=2, dev_out=3, eval_out=(1, 4, 5)),
)
