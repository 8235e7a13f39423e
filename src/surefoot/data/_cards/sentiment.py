"""Sentiment of sentences from four domains, rated by people."""

from __future__ import annotations

import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._convert import categorical
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


_DOMAINS = {
    "movieReviewSnippets": "movies",
    "amazonReviewSnippets": "products",
    "nytEditorialSnippets": "editorials",
    "tweets": "tweets",
}
_END = "_GroundTruth.txt"


def read(paths: Sequence[Path]) -> pa.Table:
    """Read the archive, or the four files that are in it: id, mean rating and text, with tabs between."""
    import pyarrow as pa

    rows = []
    for name, content in _contents(paths).items():
        for line in content.decode("latin-1").splitlines():
            if line.strip():
                _, rating, text = line.split("\t", 2)
                mood = "negative" if float(rating) < 0 else "positive" if float(rating) > 0 else "neutral"
                rows.append((text, _DOMAINS[name.removesuffix(_END)], float(rating), mood))
    columns = dict(zip(card.columns, zip(*rows, strict=True), strict=True))
    return categorical(
        pa.table({name: pa.array(values) for name, values in columns.items()}), ("domain", "sentiment")
    )


def _contents(paths: Sequence[Path]) -> dict[str, bytes]:
    """The four files by their names."""
    found = {path.name: path.read_bytes() for path in paths if path.name.endswith(_END)}
    for path in paths:
        if not path.name.endswith(_END):
            with tarfile.open(path) as archive:
                for member in archive:
                    content = archive.extractfile(member) if member.isreg() else None
                    if content and member.name.endswith(_END):
                        found[Path(member.name).name] = content.read()
    wanted = [f"{name}{_END}" for name in _DOMAINS]
    if lacking := [name for name in wanted if name not in found]:
        raise InputError(
            f"no {', '.join(lacking)} was given; give a folder or an archive that holds all four files"
        )
    return {name: found[name] for name in wanted}


card = Card(
    name="sentiment",
    title="Sentiment in four domains",
    about="Sentences and snippets of film reviews, reviews of products, editorials of the New York "
    "Times, and tweets, with the mean of the ratings of twenty people from -4 to 4. sentiment is "
    "the sign of the rating.",
    task="classification",
    source=Source(
        "pip-sdist",
        "vaderSentiment",
        "3.3.2",
        (
            File(
                "additional_resources/hutto_ICWSM_2014.tar.gz",
                "d5bb07d87474b3eb8d30b4deccbc23f19d742a6c5718fbacc65485b70b95c5fa",
                2_338_514,
            ),
        ),
    ),
    rows=23_703,
    columns=("text", "domain", "rating", "sentiment"),
    target="sentiment",
    classes={
        "negative": "mean rating below 0",
        "neutral": "mean rating of 0",
        "positive": "mean rating above 0",
    },
    splits={"domain": ()},
    extra=("rating",),
    is_not="Not certain labels: twenty raters differ, and a mean near 0 says little about the sign. Not "
    "whole reviews but pieces of them, so that pieces of one review are in a random division on "
    "both sides.",
    licence=f"MIT: {TERMS}",
    citation="Hutto, C. J. and Gilbert, E. (2014). VADER: a parsimonious rule-based model for sentiment "
    "analysis of social media text. ICWSM 2014.",
    read=read,
    motivation="To test a rule-based model of sentiment (Hutto and Gilbert 2014).",
    collection="Twenty workers of Mechanical Turk, trained and checked, rated each piece.",
    preprocessing="Texts were cut into sentences or snippets; here the sign of the mean rating becomes the "
    "class.",
    uses="Shift of a text model from one domain to another; the spread of human ratings as a measure "
    "of the data's own noise.",
)
