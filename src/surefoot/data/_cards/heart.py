"""Heart: whether a person has a cardiovascular disease, from a medical examination."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import delimiter, only, read_csv, typed

if TYPE_CHECKING:
    import pyarrow as pa

_COLUMNS = (
    *("id", "age", "gender", "height", "weight", "ap_hi", "ap_lo", "cholesterol", "gluc", "smoke", "alco"),
    *("active", "cardio"),
)


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``cardio_train.csv``: a header line, semicolons or (as ``heart.csv``) commas."""
    table = read_csv(only(paths), delimiter=delimiter(only(paths)))
    whole = [name for name in _COLUMNS if name != "weight"]
    return typed(table, integers=whole, numbers=["weight"]).select(list(_COLUMNS))


card = Card(
    name="heart",
    title="Cardiovascular disease",
    about="Persons at a medical examination, and whether they have a cardiovascular disease. age is in days, "
    "gender 1 woman and 2 man, ap_hi and ap_lo the systolic and diastolic blood pressure, cholesterol and "
    "gluc 1 normal, 2 above and 3 well above; smoke, alco and active are what the person said.",
    task="classification",
    source=None,
    original="cardio_train.csv of the Kaggle dataset sulianova/cardiovascular-disease-dataset",
    rows=70_000,
    columns=_COLUMNS,
    target="cardio",
    classes={0: "no cardiovascular disease", 1: "cardiovascular disease"},
    splits={"gender": (), "cholesterol": (), "smoke": (), "active": ()},
    natural=Split("gender", (1,)),
    extra=("id",),
    is_not="Not clean: blood pressures below 0 and above 10,000 and heights of 55 cm are in it. Not described: "
    "where, when and how the persons were chosen is not known, and half of them have the disease.",
    licence="not stated by its owners",
    citation="Ulianova, S. (2019). Cardiovascular disease dataset. Kaggle.",
    motivation="unknown",
    collection="Said to be from medical examinations; by whom and where is unknown.",
    preprocessing="unknown; here only types are settled.",
    uses="Comparison with the literature on accuracy without labels; no medical conclusion.",
    read=read,
)
