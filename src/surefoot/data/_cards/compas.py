"""COMPAS: whether a defendant is charged again within two years, Broward County 2013 and 2014."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import only, read_csv, typed

if TYPE_CHECKING:
    import pyarrow as pa

_TEXTS = ("sex", "race", "c_charge_degree", "c_charge_desc")
_INTEGERS = (
    *("age", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count"),
    *("days_b_screening_arrest", "two_year_recid"),
)


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``compas-scores-two-years.csv``, which has some of its columns twice."""
    table = read_csv(only(paths))
    first = [table.column_names.index(name) for name in dict.fromkeys(table.column_names)]
    table = typed(table.select(first), integers=_INTEGERS, texts=_TEXTS)
    return table.select(list(card.columns))


card = Card(
    name="compas",
    title="COMPAS recidivism, two years",
    about="Defendants of Broward County, Florida, who were screened in 2013 and 2014, and whether they were "
    "charged with another crime within two years. days_b_screening_arrest are the days from the arrest to "
    "the screening; counts are of prior and juvenile offences.",
    task="classification",
    source=Source(
        client="pip-sdist",
        package="aif360",
        version="0.2.0",
        files=(
            File(
                "aif360/data/raw/compas/compas-scores-two-years.csv",
                "c451db85908b2f7fef1d83203bedf6b71ecda0d5af468d82ae62178f91d0cc7d",
                2_546_489,
            ),
        ),
    ),
    rows=7_214,
    columns=(
        *("sex", "age", "race", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count"),
        *("days_b_screening_arrest", "c_charge_degree", "c_charge_desc", "two_year_recid"),
    ),
    target="two_year_recid",
    classes={0: "not charged again", 1: "charged again within two years"},
    splits={"race": (), "sex": (), "c_charge_degree": ("c_charge_desc",)},
    natural=Split("race", ("African-American",)),
    is_not="Not a measure of crime but of charges, and so of policing. Not filtered: all 7,214 persons, where "
    "many publications keep the 6,172 with an arrest within 30 days of the screening. Names, dates and the "
    "scores of the COMPAS tool are left out. Not a basis for decisions about people.",
    licence=f"Apache-2.0: {TERMS}",
    citation="Angwin, J., Larson, J., Mattu, S. and Kirchner, L. (2016). Machine bias. ProPublica, 23 May "
    "2016.",
    motivation="To see whether a score used by courts errs more for one race (ProPublica 2016).",
    collection="Public records of Broward County, Florida, matched by name and date of birth.",
    preprocessing="ProPublica matched and filtered the records; here names, dates, scores and what comes after "
    "the charge are left out.",
    uses="Studies of fairness; never decisions about people.",
    read=read,
)
