"""Bank deposit: whether a client of a bank has credit in default; the smaller bank marketing file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import delimiter, only, read_csv, typed

if TYPE_CHECKING:
    import pyarrow as pa

_INTEGERS = ("age", "balance", "day", "duration", "campaign", "pdays", "previous")
_COLUMNS = (
    *("age", "job", "marital", "education", "balance", "housing", "loan", "contact", "day", "month"),
    *("duration", "campaign", "pdays", "previous", "poutcome", "deposit", "default"),
)


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``bank.csv``: a header line, commas or semicolons, "unknown" kept as a category."""
    table = read_csv(only(paths), delimiter=delimiter(only(paths)))
    texts = [name for name in _COLUMNS if name not in _INTEGERS]
    return typed(table, integers=_INTEGERS, texts=texts).select(list(_COLUMNS))


card = Card(
    name="bank_deposit",
    title="Bank marketing (deposit), credit in default",
    about="Clients whom a Portuguese bank called from May 2008 to November 2010, chosen so that about half of "
    "them made a deposit, and whether they have credit in default.",
    task="classification",
    source=None,
    original="bank.csv of the Kaggle dataset janiobachmann/bank-marketing-dataset",
    rows=11_162,
    columns=_COLUMNS,
    target="default",
    classes={"no": "no credit in default", "yes": "credit in default"},
    splits={"marital": (), "job": (), "education": (), "month": (), "contact": ()},
    natural=Split("marital", ("married",)),
    is_not="Not balanced: 1.5 % are in default, so that saying no is right for 98.5 %. Not a random sample: "
    "clients with and without a deposit were evened out. pdays −1 means never contacted before.",
    licence="not stated by its owners; made from the bank marketing data of the UCI repository",
    citation="Moro, S., Cortez, P. and Rita, P. (2014). A data-driven approach to predict the success of bank "
    "telemarketing. Decision Support Systems 62, 22-31.",
    motivation="To sell term deposits by fewer calls (Moro et al. 2014).",
    collection="Telephone campaigns of a Portuguese bank; who sampled this file for Kaggle, and how, is "
    "unknown.",
    preprocessing="Somebody balanced the answers; here only types are settled.",
    uses="Comparison with the literature on accuracy without labels, which predicts default on this file.",
    read=read,
)
