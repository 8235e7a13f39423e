"""`surefoot bench`: suites of trials, run, resumed, scored and exported; one file a command."""

from __future__ import annotations

from surefoot.cli._lazy import LazyGroup

command = LazyGroup(
    "bench",
    "surefoot.cli._bench_{}",
    ("list", "validate", "run", "resume", "status", "rescore", "export", "report", "submit"),
    help="Run suites of trials, tasks × methods × seeds, and keep what comes out of each.",
)
