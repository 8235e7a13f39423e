"""Deaths in later crashes."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="crash",
    title="Deaths in later car crashes",
    about="Trained on the crashes of 1997 and 1998, tuned beside 1999, judged on 2000 to 2002. Airbags "
    "become common over these years, and 4.5 % of the occupants died.",
    dataset="crash",
    plan=by_value("yearacc", source=(1997, 1998), dev_out=1999, eval_out=(2000, 2001, 2002)),
)
