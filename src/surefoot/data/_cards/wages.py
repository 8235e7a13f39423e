"""Wages: what men in the United States earned a week, 1988."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import typed
from surefoot.data._rdatasets import LICENCE, rdataset, read_rdataset

if TYPE_CHECKING:
    import pyarrow as pa

_TEXTS = ("ethnicity", "smsa", "region", "parttime")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``CPS1988``, pickled or as CSV."""
    table = read_rdataset(paths)
    table = typed(table, integers=("education", "experience"), numbers=["wage"], texts=_TEXTS)
    return table.select(list(card.columns))


card = Card(
    name="wages",
    title="Weekly wages, 1988",
    about="Men of 18 to 70 years of the current population survey of March 1988 and their weekly wage in "
    "dollars of 1992. education and experience are in years, smsa says whether they live in a city.",
    task="regression",
    source=rdataset(
        "AER/CPS1988", "9207880afd4bae339262abb616da08e5edfdf08578ee93445f9fbe4a296ef1ba", 97_064
    ),
    rows=28_155,
    columns=("education", "experience", "ethnicity", "smsa", "region", "parttime", "wage"),
    target="wage",
    classes={},
    splits={"region": (), "ethnicity": (), "smsa": (), "parttime": ()},
    natural=Split("region", ("south",)),
    is_not="Not everybody: men with an income over 50 dollars who were not self-employed. Not measured "
    "experience but age minus education minus six, which is below 0 for some.",
    licence=LICENCE,
    citation="Bierens, H. J. and Ginther, D. (2001). Integrated conditional moment testing of quantile "
    "regression models. Empirical Economics 26, 307-324. In the R package AER.",
    motivation="To know employment and wages in the United States.",
    collection="The Current Population Survey of March 1988 of the United States Census Bureau.",
    preprocessing="Bierens and Ginther chose men of 18 to 70 years with an income over 50 dollars, at prices of "
    "1992; here only types are settled.",
    uses="Regression under shift between regions.",
    read=read,
)
