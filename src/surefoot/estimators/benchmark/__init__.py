"""The experiment of Maggio et al. 2022 on real data with natural shifts."""

from surefoot.estimators.benchmark._claims import Claim, claims, claims_table
from surefoot.estimators.benchmark._entrants import EXPERIMENTS
from surefoot.estimators.benchmark._plan import Profile, full, quick
from surefoot.estimators.benchmark._results import Results, read
from surefoot.estimators.benchmark._runner import (
    RESULTS,
    Ended,
    Tell,
    file_of,
    finished,
    join,
    keep,
    outstanding,
    run_all,
)
from surefoot.estimators.benchmark._scenarios import KINDS, SETS, Scenario, scenarios
from surefoot.estimators.benchmark._tables import tables
from surefoot.estimators.benchmark._trial import Trial, run
from surefoot.estimators.benchmark._worlds import Primary, Rows, World, card_of, names, world

__all__ = [
    "EXPERIMENTS",
    "KINDS",
    "RESULTS",
    "SETS",
    "Claim",
    "Ended",
    "Primary",
    "Profile",
    "Results",
    "Rows",
    "Scenario",
    "Tell",
    "Trial",
    "World",
    "card_of",
    "claims",
    "claims_table",
    "file_of",
    "finished",
    "full",
    "join",
    "keep",
    "names",
    "outstanding",
    "quick",
    "read",
    "run",
    "run_all",
    "scenarios",
    "tables",
    "world",
]
