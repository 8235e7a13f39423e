"""Churn: whether a client of a telephone company leaves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import typed
from surefoot.data._rdatasets import LICENCE, rdataset, read_rdataset

if TYPE_CHECKING:
    import pyarrow as pa

_INTEGERS = (
    *("female", "senior_citizen", "partner", "dependents", "tenure", "phone_service", "paperless_billing"),
)
_NUMBERS = ("monthly_charges", "total_charges")
_NET = ("online_security", "online_backup", "device_protection", "tech_support", "streaming_tv")
_TEXTS = (
    *("multiple_lines", "internet_service", *_NET, "streaming_movies", "contract", "payment_method"),
    "churn",
)


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``wa_churn``, pickled or as CSV."""
    table = typed(read_rdataset(paths), integers=_INTEGERS, numbers=_NUMBERS, texts=_TEXTS)
    return table.select(list(card.columns))


card = Card(
    name="churn",
    title="Telephone churn",
    about="Clients of a telephone company, and whether they left within the last month. tenure "
    "is months with the company; charges are in dollars.",
    task="classification",
    source=rdataset(
        "modeldata/wa_churn", "95d0478a84ee4e289f1f3d2dd3ec72293f4e64cc5a2425a8044f4bcc8eba47d7", 65_144
    ),
    rows=7_043,
    columns=(
        *("female", "senior_citizen", "partner", "dependents", "tenure", "phone_service"),
        *("multiple_lines", "internet_service", *_NET, "streaming_movies", "contract"),
        *("paperless_billing", "payment_method", "monthly_charges", "total_charges", "churn"),
    ),
    target="churn",
    classes={"No": "stayed", "Yes": "left"},
    splits={
        "contract": (),
        "internet_service": (*_NET, "streaming_movies"),
        "payment_method": (),
        "senior_citizen": (),
    },
    natural=Split("contract", ("Month-to-month",)),
    is_not="Not real: a company made the clients up to show its software, though they behave like real ones. "
    "Not independent columns: total_charges is about tenure times monthly_charges.",
    licence=LICENCE,
    citation="IBM (2018). Telco customer churn, sample data of Watson Analytics. In the R package modeldata.",
    motivation="To show a company's analysts how to predict who leaves.",
    collection="Made up by IBM.",
    preprocessing="Made up; the R package renamed the columns, and here only types are settled.",
    uses="Teaching only: it is not real.",
    read=read,
)
