"""Datasets with cards: fetched out of packages or imported, kept as Parquet, split by a column.

>>> from surefoot import data
>>> data.card("covertype").splits
{'wilderness_area': ('Wilderness_Area1', 'Wilderness_Area2', 'Wilderness_Area3', 'Wilderness_Area4')}
"""

from surefoot.data._card import Card, File, Source, Split
from surefoot.data._cards import card, cards
from surefoot.data._fetch import fetch, import_file, load, path
from surefoot.data.partition import (
    PARTITIONS,
    Plan,
    Rule,
    Span,
    partition_by,
    split_by,
)

__all__ = [
    "PARTITIONS",
    "Card",
    "File",
    "Plan",
    "Rule",
    "Source",
    "Span",
    "Split",
    "card",
    "cards",
    "fetch",
    "import_file",
    "load",
    "partition_by",
    "path",
    "split_by",
]
