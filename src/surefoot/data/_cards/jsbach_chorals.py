"""Bach chorales: which chord sounds, from the pitches of an event."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import only, read_csv, starts_with, typed, unquoted

if TYPE_CHECKING:
    import pyarrow as pa

_PITCHES = tuple(f"pitch_{i}" for i in range(1, 13))
_COLUMNS = ("choral_ID", "event_number", *_PITCHES, "bass", "meter", "chord_label")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``jsbach_chorals_harmony.data`` (no header), or a CSV with a header of these names or V1 to V17."""
    path = only(paths)
    headed = starts_with(path, "choral_ID")
    numbered = starts_with(path, "V1")
    table = unquoted(read_csv(path, names=None if headed else _COLUMNS, skip=int(numbered)))
    texts = ("choral_ID", *_PITCHES, "bass", "chord_label")
    return typed(table, integers=("event_number", "meter"), texts=texts).select(list(_COLUMNS))


card = Card(
    name="jsbach_chorals",
    title="Bach choral harmony",
    about="Events of 60 chorales by J. S. Bach, and the chord that a human expert heard. pitch_1 to pitch_12 "
    "say YES or NO of C, C sharp and so on to B; bass is the pitch of the bass, and meter how accented the "
    "event is, from 1 to 5.",
    task="classification",
    source=None,
    original="jsbach_chorals_harmony.data of Bach Choral Harmony (298) of the UCI repository",
    rows=5_665,
    columns=_COLUMNS,
    target="chord_label",
    classes={},
    splits={"meter": ()},
    natural=Split("meter", (3,)),
    extra=("choral_ID", "event_number"),
    is_not="Not few classes: a hundred chord labels, many of them rare; the literature on accuracy without labels "
    "uses a modified file with seven. Not independent rows: events of a chorale follow each other.",
    licence="not stated by its owners",
    citation="Radicioni, D. P. and Esposito, R. (2010). BREVE: an HMPerceptron-based chord recognition "
    "system. Studies in Computational Intelligence 274, 143-164.",
    motivation="To label the chords of chorals by machine (Radicioni and Esposito 2010).",
    collection="Chorals of J. S. Bach, labelled by an expert of music.",
    preprocessing="The authors coded each event of a choral as pitches and an accent; here spaces are trimmed "
    "and types settled.",
    uses="Comparison with the literature on accuracy without labels.",
    read=read,
)
