"""SDSS: star, galaxy or quasar, from the photographs and spectra of a sky survey."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import only, read_csv, starts_with, typed

if TYPE_CHECKING:
    import pyarrow as pa

_NUMBERS = ("objid", "ra", "dec", "u", "g", "r", "i", "z", "specobjid", "redshift")
_INTEGERS = ("run", "rerun", "camcol", "field", "plate", "mjd", "fiberid")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read what the survey's server returns as CSV, with or without its line "#Table1" on top."""
    table = read_csv(only(paths), skip=int(starts_with(only(paths), "#")))
    return typed(table, integers=_INTEGERS, numbers=_NUMBERS, texts=["class"]).select(list(card.columns))


card = Card(
    name="sdss",
    title="Sloan Digital Sky Survey, 10,000 objects",
    about="Objects of data release 14 of the Sloan Digital Sky Survey, and what they are. ra and dec are the "
    "position; u, g, r, i and z the brightness through five filters; run, rerun, camcol and field say which "
    "photograph, plate, mjd and fiberid which spectrum.",
    task="classification",
    source=None,
    original="Skyserver_SQL2_27_2018 6_51_39 PM.csv of the Kaggle dataset lucidlenn/sloan-digital-sky-survey",
    rows=10_000,
    columns=(
        *("objid", "ra", "dec", "u", "g", "r", "i", "z", "run", "rerun", "camcol", "field", "specobjid"),
        *("redshift", "plate", "mjd", "fiberid", "class"),
    ),
    target="class",
    classes={"STAR": "star", "GALAXY": "galaxy", "QSO": "quasar"},
    splits={"camcol": ()},
    natural=Split("camcol", (4,)),
    extra=("objid", "specobjid"),
    is_not="Not a hard task: redshift alone tells most of the classes. Not a hard shift either: the six camera "
    "columns look at neighbouring strips of sky. objid and specobjid are names, which publications have used "
    "as features.",
    licence="not stated by its owners; the survey's data are public",
    citation="Abolfathi, B. et al. (2018). The fourteenth data release of the Sloan Digital Sky Survey. "
    "Astrophysical Journal Supplement Series 235, 42.",
    motivation="To have a table of a sky survey for beginners.",
    collection="A telescope at Apache Point, New Mexico; a Kaggle user asked the server for 10,000 objects.",
    preprocessing="unknown, beyond the survey's own reduction of pictures and spectra; here only types are "
    "settled.",
    uses="Comparison with the literature on accuracy without labels.",
    read=read,
)
