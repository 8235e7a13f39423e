"""Speed of the shifts of images and texts, each against a plain pass over the same batch in the same run.

    python benchmarks/shifts_media.py [PART …]     parts: images, memory, texts

Prints one line a measurement, with PASS or FAIL, and exits with 1 if anything failed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.ndimage import gaussian_filter

from _harness import Line, peak_bytes, ratio
from surefoot.shifts._image_blur import DefocusBlur, GaussianBlur, GlassBlur, MotionBlur, ZoomBlur
from surefoot.shifts._image_colour import Brightness, Contrast, Saturate
from surefoot.shifts._image_digital import ElasticTransform, JpegCompression, Pixelate
from surefoot.shifts._image_noise import GaussianPixelNoise, ImpulseNoise, ShotNoise, SpeckleNoise
from surefoot.shifts._image_weather import Fog, Snow, Spatter
from surefoot.shifts._text_abbreviations import Abbreviations
from surefoot.shifts._text_typos import Typos
from surefoot.shifts._text_words import Casing, DroppedWords, Punctuation, Spacing

IMAGES = {
    GaussianPixelNoise: 2.0,
    ShotNoise: 8.0,
    ImpulseNoise: 1.5,
    SpeckleNoise: 2.0,
    GaussianBlur: 2.0,
    DefocusBlur: 3.0,
    GlassBlur: 4.5,
    MotionBlur: 6.0,
    ZoomBlur: 3.0,
    Brightness: 2.0,
    Contrast: 2.0,
    Saturate: 3.0,
    Fog: 2.0,
    Snow: 9.0,
    Spatter: 3.0,
    ElasticTransform: 7.0,
    Pixelate: 1.5,
    JpegCompression: 4.5,
}
"""Bars: times of one Gaussian filter (deviation 1, four deviations wide) of the batch in float32."""

TEXTS = {Typos: 5.0, Casing: 7.0, DroppedWords: 5.0, Spacing: 7.0, Punctuation: 4.0, Abbreviations: 18.0}
"""Bars: times of splitting every text into its words and joining them again."""

MEMORY_BAR = 100.0  # MB beside the result: portions, not the batch


def images() -> Iterator[Line]:
    batch = _batch(2_000)
    floats = batch.astype(np.float32) / 255
    bound = partial(gaussian_filter, floats, (0, 1, 1, 0), mode="nearest")
    for kind, bar in IMAGES.items():
        shift = kind(severity=5)
        shift(batch[:2])  # what is built once for a size of images
        value = ratio(partial(shift, batch), bound, repeats=5)
        yield Line(f"{kind.name}, 2,000 images of 32 x 32, of one Gaussian filter", value, bar)


def memory() -> Iterator[Line]:
    batch = _batch(10_000)
    worst = {kind.name: peak_bytes(partial(kind(severity=5), batch)) - batch.nbytes for kind in IMAGES}
    name = max(worst, key=worst.__getitem__)
    yield Line(f"10,000 images of 32 x 32, worst: {name}, extra memory", worst[name] / 1e6, MEMORY_BAR, "MB")


def texts() -> Iterator[Line]:
    documents = _documents(20_000, 100)
    for kind, bar in TEXTS.items():
        value = ratio(partial(kind(severity=3), documents), partial(_split_and_join, documents), repeats=3)
        yield Line(f"{kind.name}, 20,000 texts of 100 words, of one split and join", value, bar)


def _batch(n: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    noise = gaussian_filter(rng.standard_normal((n, 32, 32, 3), dtype=np.float32), (0, 2, 2, 0))
    return np.clip(128 + 400 * noise, 0, 255).astype(np.uint8)


_COMMON = "the of and to you are be for is it that was on with have this not they at but we before people"


def _documents(n: int, length: int) -> list[str]:
    """Texts of words in the shares of English: a third of them are the commonest few, which have short forms."""
    rng = np.random.default_rng(0)
    common = _COMMON.split()
    letters = np.array(list("etaoinshrdlucmfwypvbgk"))
    rare = ["".join(rng.choice(letters, size)) for size in rng.integers(4, 11, 5_000)]
    words = np.array([*common, *rare, "done.", "yes,", "it's", "(see)"])
    share = 1 / (np.arange(len(words)) + 2.7)
    picked = words[rng.choice(len(words), (n, length), p=share / share.sum())]
    return [" ".join(row) for row in picked.tolist()]


def _split_and_join(documents: list[str]) -> list[str]:
    return [" ".join(document.split()) for document in documents]


PARTS = {"images": images, "memory": memory, "texts": texts}


def main(chosen: list[str]) -> int:
    failed = False
    for part in chosen or PARTS:
        if part not in PARTS:
            print(f"unknown part {part!r}; parts are {', '.join(PARTS)}", file=sys.stderr)
            return 2
        for line in PARTS[part]():
            print(line, flush=True)
            failed |= not line.passed
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
