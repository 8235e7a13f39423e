"""The weather of another city."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="daily_weather",
    title="The weather of another city",
    about="Trained on days in Seattle and shifted to New York, of which a random quarter is the shifted development "
    "part. Small; fog and drizzle are rare in one city and reported otherwise in the other.",
    dataset="daily_weather",
    plan=by_value("location", source="Seattle"),
)
