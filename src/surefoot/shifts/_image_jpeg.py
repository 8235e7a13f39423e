"""JPEG compression and decompression in one step, as arrays: what comes out of the file that is never written."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.shifts._image import Images

# The example tables of the standard (ITU-T T.81, annex K), which every common encoder scales by quality.
_LUMA = np.array(
    [
        [16, 11, 10, 16, 24, 40, 51, 61],
        [12, 12, 14, 19, 26, 58, 60, 55],
        [14, 13, 16, 24, 40, 57, 69, 56],
        [14, 17, 22, 29, 51, 87, 80, 62],
        [18, 22, 37, 56, 68, 109, 103, 77],
        [24, 35, 55, 64, 81, 104, 113, 92],
        [49, 64, 78, 87, 103, 121, 120, 101],
        [72, 92, 95, 98, 112, 100, 103, 99],
    ]
)
_CHROMA = np.full((8, 8), 99)
_CHROMA[:4, :4] = [[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]]

# Brightness, blueness and redness of red, green and blue (JFIF), and back.
_TO_YCC = np.array(
    [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]], dtype=np.float32
)
_TO_RGB = np.array([[1, 0, 1.402], [1, -0.344136, -0.714136], [1, 1.772, 0]], dtype=np.float32)

Planes = NDArray[np.float32]
"""One channel of every image [n, H, W], from −128 to 127."""


def jpeg(images: Images, quality: int) -> Images:
    """The images after JPEG of this quality (1 … 100), chroma at half resolution in both directions.

    Values are rounded to 8 bits on the way, as in the file.

    >>> grey = np.full((1, 8, 8, 1), 0.5, np.float32)
    >>> np.unique(jpeg(grey, 50) * 255).tolist()
    [128.0]
    """
    levels = np.rint(images * 255)
    if images.shape[-1] == 1:
        return _eight_bits(_through(levels[..., 0] - 128, _scaled(_LUMA, quality))[..., None] + 128)
    y, blue, red = np.moveaxis(np.rint(levels @ _TO_YCC.T), -1, 0)
    height, width = y.shape[1:]
    chroma = _scaled(_CHROMA, quality)
    planes = [
        _through(y - 128, _scaled(_LUMA, quality)),
        *(_doubled(_through(_halved(plane), chroma), height, width) for plane in (blue, red)),
    ]
    planes[0] += 128
    return _eight_bits(np.stack(planes, axis=-1) @ _TO_RGB.T)


def _scaled(table: NDArray[Any], quality: int) -> NDArray[np.float32]:
    """The steps of quantisation at a quality, by the rule of the Independent JPEG Group."""
    factor = 5000 // quality if quality < 50 else 200 - 2 * quality
    steps: NDArray[np.float32] = np.clip((table * factor + 50) // 100, 1, 255).astype(np.float32)
    return steps


def _through(planes: Planes, steps: NDArray[np.float32]) -> Planes:
    """What quantisation leaves of the planes, in 8 bits: cosine transform of blocks, rounding to steps, and back."""
    from scipy.fft import dctn, idctn

    n, height, width = planes.shape
    padded = np.pad(planes, ((0, 0), (0, -height % 8), (0, -width % 8)), mode="edge")
    blocks = padded.reshape(n, padded.shape[1] // 8, 8, padded.shape[2] // 8, 8)
    table = steps[:, None, :]
    rounded = np.rint(dctn(blocks, axes=(2, 4), norm="ortho") / table) * table
    out = idctn(rounded, axes=(2, 4), norm="ortho").reshape(padded.shape)[:, :height, :width]
    eight_bits: Planes = np.clip(np.rint(out), -128, 127)
    return eight_bits


def _halved(planes: Planes) -> Planes:
    """Means of 2 × 2 pixels."""
    n, height, width = planes.shape
    even = np.pad(planes, ((0, 0), (0, height % 2), (0, width % 2)), mode="edge")
    means: Planes = np.rint(even.reshape(n, (height + 1) // 2, 2, (width + 1) // 2, 2).mean(axis=(2, 4)))
    return means


def _doubled(planes: Planes, height: int, width: int) -> Planes:
    """Twice the resolution: each new pixel is ¾ of the old one it lies in and ¼ of the next nearest."""
    for axis, size in ((1, height), (2, width)):
        ends = [(0, 0), (0, 0), (0, 0)]
        ends[axis] = (1, 1)
        padded = np.moveaxis(np.pad(planes, ends, mode="edge"), axis, 0)
        near = 0.75 * padded[1:-1]
        both = np.stack([near + 0.25 * padded[:-2], near + 0.25 * padded[2:]], axis=1)
        planes = np.moveaxis(both.reshape(-1, *both.shape[2:])[:size], 0, axis).astype(np.float32)
    return planes


def _eight_bits(levels: Images) -> Images:
    values: Images = np.clip(np.rint(levels), 0, 255).astype(np.float32) / np.float32(255)
    return values
