"""From predictions to a scorecard: every metric, per set, side and uncertainty measure."""

from surefoot.scorecard._card import MemberScore, Score, Scorecard
from surefoot.scorecard._errors import error_columns
from surefoot.scorecard._evaluate import evaluate
from surefoot.scorecard._gates import Gate
from surefoot.scorecard._tables import Table, headline, tables

__all__ = [
    "Gate",
    "MemberScore",
    "Score",
    "Scorecard",
    "Table",
    "error_columns",
    "evaluate",
    "headline",
    "tables",
]
