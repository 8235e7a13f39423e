"""Attitudes decades later."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="abortion_attitudes",
    title="Attitudes to abortion decades later",
    about="Trained on answers of the 1970s and 1980s, tuned beside the 1990s, judged on those after 2000. "
    "Few features and noisy answers: the noise of the data is most of the uncertainty.",
    dataset="abortion_attitudes",
    plan=by_value("decade", source=("1970s", "1980s"), dev_out="1990s", eval_out=("2000s", "2010s")),
)
