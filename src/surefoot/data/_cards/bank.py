"""Bank marketing: whether a client subscribes to a term deposit after a telephone call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import categorical, only, read_csv, select

if TYPE_CHECKING:
    import pyarrow as pa

_INTEGERS = ("age", "duration", "campaign", "pdays", "previous")
_ECONOMY = ("emp.var.rate", "cons.price.idx", "cons.conf.idx", "euribor3m", "nr.employed")
_TEXTS = (
    *("job", "marital", "education", "default", "housing", "loan"),
    *("contact", "month", "day_of_week", "poutcome", "y"),
)


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``bank-additional-full.csv``: header line, semicolons, "unknown" kept as a category."""
    import pyarrow as pa

    types = dict.fromkeys(_INTEGERS, pa.int64()) | dict.fromkeys(_ECONOMY, pa.float64())
    table = read_csv(only(paths), types=types | dict.fromkeys(_TEXTS, pa.string()), delimiter=";")
    return categorical(select(table, card.columns), _TEXTS)


card = Card(
    name="bank",
    title="Bank marketing (with social and economic context)",
    about="Telephone calls of a Portuguese bank from May 2008 to November 2010, in order of time, and whether "
    "the client then subscribed to a term deposit.",
    task="classification",
    source=Source(
        client="pip-sdist",
        package="aif360",
        version="0.2.0",
        files=(
            File(
                "aif360/data/raw/bank/bank-additional-full.csv",
                "74adfc578bf77a7ff4bb1ba4a9f8709d9e3c6907342959c2c8416847e0afb4d8",
                5_834_924,
            ),
        ),
    ),
    rows=41_188,
    columns=(
        *("age", "job", "marital", "education", "default", "housing", "loan", "contact", "month"),
        *("day_of_week", "duration", "campaign", "pdays", "previous", "poutcome", *_ECONOMY, "y"),
    ),
    target="y",
    classes={"no": "no term deposit", "yes": "subscribed to a term deposit"},
    splits={"marital": (), "month": _ECONOMY, "contact": (), "job": (), "education": ()},
    natural=Split("marital", ("married",)),
    is_not="Not the smaller bank file of 11,162 rows whose column default is predicted in the literature on "
    "accuracy without labels: this one is larger, imbalanced (4,640 yes) and predicts y. Not fair to deploy "
    "with duration, which is known only after the call. Unknown values are the category unknown, not null; "
    "pdays 999 means never contacted before.",
    licence=f"Apache-2.0: {TERMS}",
    citation="Moro, S., Cortez, P. and Rita, P. (2014). A data-driven approach to predict the success of bank "
    "telemarketing. Decision Support Systems 62, 22-31.",
    motivation="To sell term deposits by fewer calls (Moro et al. 2014).",
    collection="Telephone campaigns of a Portuguese bank, joined with figures of the national bank of "
    "Portugal.",
    preprocessing="The authors chose 20 of 150 columns and removed who is who; here nothing is changed.",
    uses="Teaching, and shift between months and groups; the length of a call must not be used to "
    "choose whom to call.",
    read=read,
)
