"""Suites of trials: what to run, where it runs, and where the results are kept.

A *suite* is plain data that crosses tasks, methods and seeds; a *trial* is one of the combinations, a pure function of
its specification; `run` does what is missing of them through an executor, and `compact` joins their results.
"""

from surefoot.bench._clock import Clock, spoken
from surefoot.bench._expected import expected
from surefoot.bench._job import Ended, Executor, Job
from surefoot.bench._kind import Kind, Named, Outcome
from surefoot.bench._limits import Limits
from surefoot.bench._local import Local
from surefoot.bench._plan import STATES, Entry, Plan, read_plan, runs_in
from surefoot.bench._ray import Ray
from surefoot.bench._rescore import rescorable, rescore
from surefoot.bench._results import MEMBERS, RESULTS, TRIALS, compact, read_results
from surefoot.bench._run import StoreFull, Tell, forget, outstanding, place_of, run
from surefoot.bench._sql import open_results
from surefoot.bench._store import Place
from surefoot.bench._submit import submit
from surefoot.bench._suite import Suite, suite, suite_of, suites
from surefoot.bench._summary import summary
from surefoot.bench._trial import Trial

__all__ = [
    "MEMBERS",
    "RESULTS",
    "STATES",
    "TRIALS",
    "Clock",
    "Ended",
    "Entry",
    "Executor",
    "Job",
    "Kind",
    "Limits",
    "Local",
    "Named",
    "Outcome",
    "Place",
    "Plan",
    "Ray",
    "StoreFull",
    "Suite",
    "Tell",
    "Trial",
    "compact",
    "expected",
    "forget",
    "open_results",
    "outstanding",
    "place_of",
    "read_plan",
    "read_results",
    "rescorable",
    "rescore",
    "run",
    "runs_in",
    "spoken",
    "submit",
    "suite",
    "suite_of",
    "suites",
    "summary",
]
