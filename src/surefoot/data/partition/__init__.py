"""The one place where a table is split: by a column, or by predicates on several.

>>> plan = Plan(
...     rules=(
...         Rule({"climate": ("dry", "mild"), "day": Span(0, 3)}, {"train": 0.5, "eval_in": 0.5}),
...         Rule({"climate": "snow", "day": Span(low=3)}, {"eval_out": 1}),
...     )
... )
>>> columns = {"climate": ["dry", "mild", "snow", "snow"], "day": [0, 1, 4, 2]}
>>> assign(columns, plan).tolist()
['train', 'eval_in', 'eval_out', '']
"""

from surefoot.data.partition._assign import assign, matches
from surefoot.data.partition._by_column import partition_by, split_by
from surefoot.data.partition._names import FITTED, PARTITIONS
from surefoot.data.partition._plan import Plan, Rule, Span, by_value, canonical
from surefoot.data.partition._statistics import PartStatistics, cross_counts, split_hash, statistics

__all__ = [
    "FITTED",
    "PARTITIONS",
    "PartStatistics",
    "Plan",
    "Rule",
    "Span",
    "assign",
    "by_value",
    "canonical",
    "cross_counts",
    "matches",
    "partition_by",
    "split_by",
    "split_hash",
    "statistics",
]
