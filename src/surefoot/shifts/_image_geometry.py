"""Moving, stretching and smearing whole batches of images: what the image shifts are built from."""

from __future__ import annotations

from math import ceil
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from surefoot.shifts._image import Images

Kernels = NDArray[np.float32]
"""Square kernels of odd side: [n, k, k], one an image, or [1, k, k], one for all."""


def convolve(images: Images, kernels: Kernels, edge: Literal["edge", "reflect"]) -> Images:
    """Weighted sums of the neighbourhood: pixel (y, x) gets Σ kernel[a, b] · image[y + a − r, x + b − r].

    By Fourier transform, so that wide kernels, and other kernels for every image, cost little. ``edge`` says what
    lies beyond the images, in the words of `numpy.pad`.

    >>> row = np.array([1, 2, 4, 8], np.float32).reshape(1, 1, 4, 1)
    >>> left = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0]], np.float32)
    >>> convolve(row, left[None], "edge").ravel().round(3).tolist()
    [1.0, 1.0, 2.0, 4.0]
    """
    from scipy.fft import irfft2, next_fast_len, rfft2

    height, width = images.shape[1:3]
    r = kernels.shape[-1] // 2
    planes = np.pad(images.transpose(0, 3, 1, 2), ((0, 0), (0, 0), (r, r), (r, r)), mode=edge)
    size = [next_fast_len(side, real=True) for side in planes.shape[2:]]
    spectrum = rfft2(planes, s=size) * rfft2(kernels[:, None], s=size).conj()
    out: Images = irfft2(spectrum, s=size)[..., :height, :width].transpose(0, 2, 3, 1)
    return out


def blur(images: NDArray[Any], deviation: float) -> NDArray[Any]:
    """Gaussian blur along axes 1 and 2; the outermost pixels go on beyond the edge."""
    from scipy.ndimage import gaussian_filter1d

    if deviation == 0:
        return images
    for axis in (1, 2):
        images = gaussian_filter1d(images, deviation, axis=axis, mode="nearest")
    return images


def stretch(size: int, zoom: float) -> NDArray[np.float32]:
    """The matrix [size, ceil(size / zoom)] that stretches a vector by linear interpolation, and trims it to size.

    >>> stretch(4, 2.0).round(2)
    array([[1.  , 0.  ],
           [0.67, 0.33],
           [0.33, 0.67],
           [0.  , 1.  ]], dtype=float32)
    """
    before = ceil(size / zoom)
    after = max(round(before * zoom), size)
    at = (np.arange(size) + (after - size) // 2) * (before - 1) / max(after - 1, 1)
    left = np.minimum(np.floor(at).astype(np.int64), max(before - 2, 0))
    out = np.zeros((size, before), dtype=np.float32)
    rows = np.arange(size)
    out[rows, left] = 1 - (at - left)
    if before > 1:
        out[rows, left + 1] = at - left
    return out


def sample(images: Images, y: NDArray[np.float32], x: NDArray[np.float32]) -> Images:
    """The images' values at the places (y, x) [n, H, W], bilinear; beyond the edge they are mirrored.

    >>> row = np.array([0, 1, 2], np.float32).reshape(1, 1, 3, 1)
    >>> sample(row, np.zeros((1, 1, 3)), np.array([[[0.5, 2.0, 3.0]]])).ravel().tolist()
    [0.5, 2.0, 1.0]
    """
    (top, bottom, down), (left, right, across) = _between(y, images.shape[1]), _between(x, images.shape[2])
    down, across = down[..., None], across[..., None]
    upper, lower = pick(images, top, left), pick(images, bottom, left)
    upper += (pick(images, top, right) - upper) * across
    lower += (pick(images, bottom, right) - lower) * across
    upper += (lower - upper) * down
    return upper


def pick(images: Images, y: NDArray[np.integer[Any]], x: NDArray[np.integer[Any]]) -> Images:
    """The images' pixels at whole places (y, x) [n, H, W].

    >>> row = np.array([0, 1, 2], np.float32).reshape(1, 1, 3, 1)
    >>> pick(row, np.zeros((1, 1, 2), int), np.array([[[2, 0]]])).ravel().tolist()
    [2.0, 0.0]
    """
    n, height, width, channels = images.shape
    places = (np.arange(n)[:, None, None] * height + y) * width + x
    picked: Images = np.take(images.reshape(-1, channels), places, axis=0)
    return picked


def combine(down: NDArray[np.float32], images: Images, across: NDArray[np.float32]) -> Images:
    """Weighted sums of rows by a matrix [H′, H], and of columns by one [W′, W]."""
    planes = np.ascontiguousarray(images.transpose(0, 3, 1, 2))
    out: Images = np.matmul(np.matmul(down, planes), across.T).astype(np.float32, copy=False)
    return out.transpose(0, 2, 3, 1)


def _between(at: NDArray[np.float32], size: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The two pixels a place lies between, and how far it is from the first to the second."""
    last = max(size - 1, 1)
    folded = np.minimum(last - np.abs(last - at % (2 * last)), size - 1)
    first = np.floor(folded).astype(np.int32)
    return first, np.minimum(first + 1, size - 1), (folded - first).astype(np.float32)
