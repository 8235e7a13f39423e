"""From predictions to a scorecard: every metric, per set, side and uncertainty measure."""

from surefoot.scorecard._card import MemberScore, Score, Scorecard
from surefoot.scorecard._errors import error_columns
from surefoot.scorecard._evaluate import evaluate
from surefoot.scorecard._gates import Gate
from surefoot.scorecard._operating import Acceptance, Estimate, OperatingPoint, choose_threshold
from surefoot.scorecard._tables import Table, headline, labelled_rows, number, table_html, tables

__all__ = [
    "Acceptance",
    "Estimate",
    "Gate",
    "MemberScore",
    "OperatingPoint",
    "Score",
    "Scorecard",
    "Table",
    "choose_threshold",
    "error_columns",
    "evaluate",
    "headline",
    "labelled_rows",
    "number",
    "table_html",
    "tables",
]
