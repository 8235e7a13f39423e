"""BNG zoo: what kind of animal it is; a million animals drawn from a network that learned from 101."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import only, read_csv, typed, unquoted

if TYPE_CHECKING:
    import pyarrow as pa

_TRAITS = (
    *("hair", "feathers", "eggs", "milk", "airborne", "aquatic", "predator", "toothed", "backbone"),
    *("breathes", "venomous", "fins", "legs", "tail", "domestic", "catsize"),
)


def read(paths: Sequence[Path]) -> pa.Table:
    """Read the CSV file that OpenML gives of it; truth values stay the words true and false."""
    import pyarrow as pa

    table = read_csv(only(paths), types=dict.fromkeys(card.columns, pa.string()), missing=("", "?"))
    return typed(unquoted(table), texts=card.columns)


card = Card(
    name="bng_zoo",
    title="BNG (zoo)",
    about="Animals by their traits, and their type: mammal, bird, reptile, fish, amphibian, insect or "
    "invertebrate. A Bayesian network was learned from the 101 animals of the zoo data, and a million drawn "
    "from it.",
    task="classification",
    source=None,
    original="BNG(zoo) of OpenML as CSV",
    rows=1_000_000,
    columns=("animal", *_TRAITS, "type"),
    target="type",
    classes={},
    splits={"catsize": (), "domestic": (), "predator": ()},
    natural=Split("catsize", ("false",)),
    is_not="Not real: animals of impossible traits are among them, and animal, the name, need not fit. The "
    "label is drawn too, so that no model is always right.",
    licence="not stated by its owners",
    citation="Holmes, G., Pfahringer, B., van Rijn, J. and Vanschoren, J. (2014). BNG(zoo). OpenML. From: "
    "Forsyth, R. (1990). Zoo. UCI Machine Learning Repository.",
    motivation="To have many rows to test learners on.",
    collection="A Bayesian network, learnt from the 101 animals of Zoo, generated the rows.",
    preprocessing="Generated; here quotes are removed.",
    uses="Comparison with the literature on accuracy without labels; it says nothing about animals.",
    read=read,
)
