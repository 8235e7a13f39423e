"""Images as tables: a row an image, its pixels in one column."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("image", "official_split", "label")
MNIST_FILES = tuple(
    f"{part}-{what}-ubyte" for part in ("train", "t10k") for what in ("images-idx3", "labels-idx1")
)
_UNSIGNED_BYTES = 0x08


def read_idx(path: Path) -> NDArray[np.uint8]:
    """An array in the format of MNIST's files (plain or gzipped): two zeros, type, axes, lengths, then the values."""
    content = path.read_bytes()
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] != _UNSIGNED_BYTES:
        raise InputError(f"{path.name} is no IDX file of bytes")
    axes = content[3]
    shape = tuple(np.frombuffer(content, ">i4", axes, 4).tolist())
    values = np.frombuffer(content, np.uint8, offset=4 + 4 * axes)
    if values.size != int(np.prod(shape)):
        raise InputError(
            f"{path.name} holds {values.size:,} values where its head promises {shape}; fetch it again"
        )
    return values.reshape(shape)


def read_mnist(paths: Sequence[Path]) -> pa.Table:
    """The four files of MNIST and those that take its place."""
    import pyarrow as pa

    found = {path.name.removesuffix(".gz"): path for path in paths}
    if lacking := [name for name in MNIST_FILES if name not in found]:
        raise InputError(f"no {', '.join(lacking)} was given; give a folder that holds all four files")
    arrays = {name: read_idx(found[name]) for name in MNIST_FILES}
    return pa.concat_tables(
        image_table(arrays[f"{part}-images-idx3-ubyte"], arrays[f"{part}-labels-idx1-ubyte"], split)
        for part, split in (("train", "train"), ("t10k", "test"))
    ).unify_dictionaries()


def image_table(images: NDArray[np.uint8], labels: NDArray[np.uint8], split: str) -> pa.Table:
    """Images [N, …] with their labels, as rows of one part of the official split."""
    import pyarrow as pa

    if len(images) != len(labels):
        raise InputError(
            f"there are {len(images):,} images, but {len(labels):,} labels; take both from one package"
        )
    pixels = int(np.prod(images.shape[1:]))
    columns = (
        pa.FixedSizeListArray.from_arrays(pa.array(images.reshape(-1)), pixels),
        pa.repeat(pa.scalar(split), len(labels)).dictionary_encode(),
        pa.array(labels.astype(np.int64)),
    )
    return pa.table(dict(zip(COLUMNS, columns, strict=True)))
