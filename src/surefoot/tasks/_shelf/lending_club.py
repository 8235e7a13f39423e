"""Loans that run longer."""

from __future__ import annotations

from surefoot.data.partition import by_value
from surefoot.tasks._task import Task

task = Task(
    name="lending_club",
    title="Loans that run longer",
    about="Trained on loans over 36 months and shifted to those over 60, of which a random quarter is the "
    "shifted development part. Few loans are bad, and more of the longer ones.",
    dataset="lending_club",
    plan=by_value("term", source="term_36"),
)
