"""Shared by all tests: one thread a process, and hypothesis draws the same examples every time, never by the clock."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before any library asks; small models get slower with more

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fixed")
