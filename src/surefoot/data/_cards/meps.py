"""MEPS: whether a person uses much medical care, United States 2015."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import only, read_csv, typed

if TYPE_CHECKING:
    import pyarrow as pa

_VISITS = ("OBTOTV15", "OPTOTV15", "ERTOT15", "IPNGTD15", "HHTOTD15")
MANY_VISITS = 10

_CODES = (
    *("REGION53", "AGE53X", "SEX", "RACETHX", "MARRY53X", "FTSTU53X", "ACTDTY53", "HONRDC53", "RTHLTH53"),
    *("MNHLTH53", "HIBPDX", "CHDDX", "ANGIDX", "MIDX", "OHRTDX", "STRKDX", "EMPHDX", "CHBRON53", "CHOLDX"),
    *("CANCERDX", "DIABDX", "JTPAIN53", "ARTHDX", "ARTHTYPE", "ASTHDX", "ADHDADDX", "PREGNT53"),
    *("WLKLIM53", "ACTLIM53", "SOCLIM53", "COGLIM53", "DFHEAR42", "DFSEE42", "ADSMOK42", "K6SUM42"),
    *("PHQ242", "EMPST53", "POVCAT15", "INSCOV15"),
)
_SCORES = ("PCS42", "MCS42")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``h181.csv``, the full-year file of 2015, and add up visits and days."""
    import pyarrow as pa
    from pyarrow import compute

    table = read_csv(only(paths))
    table = typed(table, integers=(*_CODES, "PANEL", *_VISITS), numbers=(*_SCORES, "PERWT15F"))
    visits = table[_VISITS[0]]
    for name in _VISITS[1:]:
        visits = compute.add(visits, table[name])
    many = compute.greater_equal(visits, MANY_VISITS).cast(pa.int64())
    return table.append_column("utilization", many).select(list(card.columns))


card = Card(
    name="meps",
    title="Medical expenditure panel survey, 2015",
    about="Persons of the medical expenditure panel survey of 2015 (full-year file HC-181), and whether visits "
    "to doctors, outpatient departments and emergency rooms, nights in hospital and days of home care add up "
    "to ten or more in the year. Columns carry the survey's names; negative codes say why there is no answer "
    "(−1 does not apply).",
    task="classification",
    source=Source(
        client="pip-sdist",
        package="aif360",
        version="0.2.0",
        files=(
            File(
                "aif360/data/raw/meps/h181.csv",
                "a6b1621b21561c0eb7924c7c199f0c6222e1ef76715e344cb537a4309bc56ac4",
                151_150_879,
            ),
        ),
    ),
    rows=35_427,
    columns=(*_CODES, *_SCORES, "PANEL", "PERWT15F", "utilization"),
    target="utilization",
    classes={0: "fewer than ten visits and days", 1: "ten or more"},
    splits={"RACETHX": (), "REGION53": (), "SEX": (), "INSCOV15": (), "POVCAT15": (), "PANEL": ()},
    natural=Split("RACETHX", (2,)),
    extra=("PANEL", "PERWT15F"),
    is_not="Not what publications on fairness use of it: they leave out persons with missing answers and "
    "other panels. Not a random sample: PERWT15F says how many persons a row stands for (0 for those outside "
    "of the survey's scope). RACETHX is coded 1 Hispanic, 2 White, 3 Black, 4 Asian, 5 other.",
    licence=f"Apache-2.0: {TERMS} (users of the survey agree not to identify anybody)",
    citation="Agency for Healthcare Research and Quality (2017). MEPS HC-181: 2015 full year consolidated data "
    "file.",
    motivation="To know what medical care people in the United States use and pay.",
    collection="Five interviews over two years with a sample of households, and their doctors and employers.",
    preprocessing="The agency edited and filled in answers; here visits and days are added up and cut at 10.",
    uses="Studies of fairness and shift between groups; never decisions about people.",
    read=read,
)
