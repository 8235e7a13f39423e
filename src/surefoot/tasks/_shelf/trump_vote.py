"""The vote of others."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="trump_vote",
    title="The vote of others",
    about="Trained on White voters; Hispanic voters are the shifted development part, all others the "
    "shifted evaluation. Black voters voted otherwise whatever their other answers: the relation "
    "itself shifts.",
    dataset="trump_vote",
    plan=by_value(
        "racef",
        source="White",
        dev_out="Hispanic",
        eval_out=("Asian", "Black", "Middle Eastern", "Mixed", "Native American", "Other"),
    ),
)
