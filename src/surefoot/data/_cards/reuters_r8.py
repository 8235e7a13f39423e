"""Reuters-21578 R8."""

from __future__ import annotations

from surefoot.data._card import TERMS, Card
from surefoot.data._documents import COLUMNS, orange_text, read_documents

card = Card(
    name="reuters_r8",
    title="Reuters-21578 R8",
    about="Reports of the agency Reuters of 1987 with one of the eight commonest topics. official_split "
    "is the one of Apte and others (train 5,485, test 2,189).",
    task="classification",
    source=orange_text(
        (
            "reuters-r8-train.tab",
            "a6c7542fabf80a285aa11815d507d65c8971af050554eedf75af3c6946c490bd",
            3_354_455,
        ),
        (
            "reuters-r8-test.tab",
            "8c21d3ca16e720084e9a3e17db5048d214d73df1ffc68094c02d78cf8f366982",
            1_195_292,
        ),
    ),
    rows=7_674,
    columns=COLUMNS,
    target="label",
    classes={
        "acq": "acq",
        "crude": "crude",
        "earn": "earn",
        "grain": "grain",
        "interest": "interest",
        "money-fx": "money fx",
        "ship": "ship",
        "trade": "trade",
    },
    splits={},
    extra=("official_split",),
    is_not="Not the multi-label collection: only reports with one topic. Not balanced: earn and acq are "
    "most of it.",
    licence=f"GPL-3.0: {TERMS}",
    citation="Lewis, D. D. (1997). Reuters-21578 text categorization test collection. R8 by Cardoso- "
    "Cachopo, A. (2007). Improving methods for single-label text categorization.",
    read=read_documents,
    motivation="To try out automatic indexing at Reuters (Carnegie Group).",
    collection="Reports as they went over the wire, indexed by people at Reuters.",
    preprocessing="Cardoso-Cachopo made all words lower case and replaced everything but letters by spaces; "
    "here nothing is changed.",
    uses="Fast experiments with text models.",
)
