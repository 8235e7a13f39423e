"""The experiment of Maggio et al. 2022 on real data with natural shifts."""

from surefoot.estimators.benchmark._claims import Claim, claims, claims_table
from surefoot.estimators.benchmark._entrants import EXPERIMENTS
from surefoot.estimators.benchmark._plan import Profile, full, quick
from surefoot.estimators.benchmark._results import Results, read
from surefoot.estimators.benchmark._scenarios import KINDS, SETS, Scenario, scenarios
from surefoot.estimators.benchmark._tables import tables
from surefoot.estimators.benchmark._trial import Trial, run
from surefoot.estimators.benchmark._worlds import Primary, Rows, World, card_of, names, world

__all__ = [
    "EXPERIMENTS",
    "KINDS",
    "SETS",
    "Claim",
    "Primary",
    "Profile",
    "Results",
    "Rows",
    "Scenario",
    "Trial",
    "World",
    "card_of",
    "claims",
    "claims_table",
    "full",
    "names",
    "quick",
    "read",
    "run",
    "scenarios",
    "tables",
    "world",
]
