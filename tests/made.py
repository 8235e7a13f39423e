"""Made-up tables with the columns of a task's card: what the tests of tasks and methods run on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from surefoot.data.partition import Plan, Rule, Span, by_value
from surefoot.tasks import Task, TaskData, task_data


def table_of(task: Task, n: int = 900, seed: int = 0) -> pa.Table:
    """Random rows that fulfil every rule of the task's plan."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {name: rng.normal(size=n) for name in task.card.columns}
    if task.kind == "classification":
        classes = list(task.card.classes)
        columns[task.card.target] = [classes[i] for i in rng.integers(len(classes), size=n)]
    for name in task.plan.columns:
        values = _values(task.plan, name, rng)
        columns[name] = [values[i] for i in rng.integers(len(values), size=n)]
    return pa.table(columns)


def _values(plan: Plan, name: str, rng: np.random.Generator) -> list[Any]:
    wanted = [rule.where[name] for rule in plan.rules if name in rule.where]
    if not wanted:
        return list(range(30))
    ends = sorted({end for one in wanted if isinstance(one, Span) for end in (one.low, one.high) if end})
    if ends and isinstance(ends[0], str):
        return [f"2016-08-{day:02}" for day in range(1, 29)] + ends
    if ends:
        reach = max(2, (ends[-1] - ends[0]) // 2)
        return list(range(ends[0] - reach, ends[-1] + reach))
    named = [value for one in wanted for value in (one if isinstance(one, tuple | list) else [one])]
    return [*named, "elsewhere" if isinstance(named[0], str) else 999] if plan.rest else named


def small(kind: str = "classification", n: int = 400, seed: int = 0, *, plan: Plan | None = None) -> TaskData:
    """A task with numbers, categories and gaps, of which the split variable and a time annotate the shift."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n))
    colour = rng.integers(3, size=n)
    signal = 2 * x + colour - 1
    area = np.where(rng.random(n) < 0.6, "home", np.where(rng.random(n) < 0.4, "near", "far"))
    noisy = signal + rng.normal(size=n) * (0.5 + (z > 0))
    holes = rng.random(n) < 0.1
    target = [("low", "middle", "high")[i] for i in np.digitize(noisy, (-1, 1))]
    table = pa.table(
        {
            "x": pa.array(x, mask=holes),
            "z": z,
            "colour": pa.array([("red", "green", None)[i] for i in colour]).dictionary_encode(),
            "wet": pa.array(rng.random(n) < 0.5),
            "area": area,
            "day": np.arange(n),
            "target": target if kind == "classification" else 10 * noisy,
        }
    )
    own = plan or by_value("area", source="home", dev_out="near", eval_out="far")
    features, shown = ["x", "z", "colour", "wet"], ["area", "day"]
    return task_data("small", kind, table, target="target", features=features, annotations=shown, plan=own)


def held_out(plan_class: str = "high") -> Plan:
    """One class is held out and comes in the shifted evaluation only."""
    others = ("low", "middle")
    return Plan(
        rules=(
            Rule({"target": others}, {"train": 0.6, "dev_in": 0.2, "eval_in": 0.2}),
            Rule({"target": plan_class}, {"eval_out": 1}),
        )
    )
