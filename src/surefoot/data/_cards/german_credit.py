"""German credit: whether a bank client is a good or a bad credit risk, 1973 to 1975."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import categorical, only, read_csv, typed

if TYPE_CHECKING:
    import pyarrow as pa

_NUMBERS = (
    *("duration", "credit_amount", "installment_rate", "residence_since", "age", "existing_credits"),
    *("people_liable", "credit"),
)
_NAMES = (
    *("status", "duration", "credit_history", "purpose", "credit_amount", "savings", "employment"),
    *("installment_rate", "personal_status", "other_debtors", "residence_since", "property", "age"),
    *("installment_plans", "housing", "existing_credits", "job", "people_liable", "telephone"),
    *("foreign_worker", "credit"),
)
_WOMEN = ("A92", "A95")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``german.data``: no header, blanks between, codes for categories; sex is in personal_status."""
    import pyarrow as pa
    from pyarrow import compute

    texts = [name for name in _NAMES if name not in _NUMBERS]
    table = typed(read_csv(only(paths), names=_NAMES, delimiter=" "), integers=_NUMBERS, texts=texts)
    women = compute.is_in(table["personal_status"].cast(pa.string()), pa.array(_WOMEN))
    table = table.append_column("sex", compute.if_else(women, "female", "male"))
    return categorical(table, ["sex"]).select(list(card.columns))


card = Card(
    name="german_credit",
    title="German credit",
    about="Clients of a bank in southern Germany who were given credit, and whether it went well. Categories "
    "carry the codes of the original documentation (A11 a checking account below 0 DM, and so on). sex is "
    "derived from personal_status.",
    task="classification",
    source=Source(
        client="pip-sdist",
        package="aif360",
        version="0.2.0",
        files=(
            File(
                "aif360/data/raw/german/german.data",
                "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871",
                79_793,
            ),
        ),
    ),
    rows=1_000,
    columns=(*_NAMES[:-1], "sex", "credit"),
    target="credit",
    classes={1: "good risk", 2: "bad risk"},
    splits={"sex": ("personal_status",), "foreign_worker": (), "housing": (), "job": ()},
    natural=Split("sex", ("male",)),
    extra=("sex",),
    is_not="Not large: 1,000 rows, which is too few for narrow intervals. Not a random sample: bad risks are "
    "30 % here and were about 5 % of all. Not reliable in its codes: later work found several of them wrong "
    "(personal_status among them), which are kept as published.",
    licence=f"Apache-2.0: {TERMS}",
    citation="Hofmann, H. (1994). Statlog (German credit data). UCI Machine Learning Repository. Corrections: "
    "Grömping, U. (2019). South German credit data: correcting a widely used data set.",
    motivation="To compare statistical classifiers (Statlog project).",
    collection="Applications for credit at a bank in the south of Germany, 1973 to 1975; some codes are "
    "known to be documented wrongly.",
    preprocessing="Codes are as they were; here the sex is derived from the marital status.",
    uses="Teaching only: 1,000 rows; never decisions about people.",
    read=read,
)
