"""Image shifts: formulas, Pillow as an independent codec and scaler, statistics of the random ones, contracts."""

from __future__ import annotations

import colorsys
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy import ndimage

from surefoot.errors import InputError
from surefoot.shifts import _image_blur as blurs
from surefoot.shifts import _image_colour as colours
from surefoot.shifts import _image_digital as digital
from surefoot.shifts import _image_noise as noises
from surefoot.shifts import _image_weather as weather
from surefoot.shifts._image_geometry import convolve, sample, stretch

KINDS = [
    noises.GaussianPixelNoise,
    noises.ShotNoise,
    noises.ImpulseNoise,
    noises.SpeckleNoise,
    blurs.GaussianBlur,
    blurs.DefocusBlur,
    blurs.GlassBlur,
    blurs.MotionBlur,
    blurs.ZoomBlur,
    colours.Brightness,
    colours.Contrast,
    colours.Saturate,
    weather.Fog,
    weather.Snow,
    weather.Spatter,
    digital.ElasticTransform,
    digital.Pixelate,
    digital.JpegCompression,
]

# Their published constants do not grow in one direction: saturation falls, then rises; spatter turns from water to
# mud; the elastic kind trades large displacements for fine ones; a wider blur hides what glass scatters.
NOT_BY_MEAN_CHANGE = {"saturate", "spatter", "elastic-transform", "glass-blur"}


def photographs(n: int = 24, height: int = 32, width: int = 32, seed: int = 0) -> np.ndarray:
    """Coloured blobs with edges and texture: spectra like photographs', in uint8."""
    rng = np.random.default_rng(seed)
    smooth = ndimage.gaussian_filter(rng.normal(size=(n, height, width, 3)), (0, 3, 3, 0.5), mode="wrap")
    smooth /= smooth.std()
    edges = np.where(
        ndimage.gaussian_filter(rng.normal(size=(n, height, width, 1)), (0, 4, 4, 0)) > 0, 40, -40
    )
    return np.clip(118 + 35 * smooth + edges + rng.normal(0, 6, smooth.shape), 0, 255).astype(np.uint8)


def far(shift, images: np.ndarray, seed: int = 0) -> float:
    return float(np.abs(shift(images, rng=seed)[0].astype(float) - images).mean())


# -- contracts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.float32, np.float64])
def test_keeps_shape_type_range_and_input(kind, dtype):
    images = photographs(5, 20, 33)
    if dtype != np.uint8:
        images = (images / 255).astype(dtype)
    for given_images in (images, images[..., :1], images[..., 0]):
        before = given_images.copy()
        labels = np.arange(5)
        out, y, record = kind(severity=4)(given_images, labels, np.random.default_rng(3))
        assert out.shape == given_images.shape
        assert out.dtype == dtype
        assert out is not given_images
        assert y is labels
        np.testing.assert_array_equal(given_images, before)
        assert out.min() >= 0
        assert out.max() <= (255 if dtype == np.uint8 else 1)
        again, _, _ = kind(severity=4)(given_images, labels, 3)
        np.testing.assert_array_equal(out, again)
        changed = (out != given_images).reshape(5, -1).any(axis=1)
        np.testing.assert_array_equal(record.rows, changed)
        assert record.shift == kind.name
        assert record.details == {"severity": 4}
        np.testing.assert_array_equal(record.source, np.arange(5))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@settings(max_examples=8, deadline=None)
@given(
    height=st.integers(1, 70),
    width=st.integers(4, 70),
    severity=st.integers(1, 5),
    channels=st.sampled_from([1, 3]),
    level=st.sampled_from([0, 1, 127, 255, None]),
)
def test_any_size_and_any_flat_image(kind, height, width, severity, channels, level):
    rng = np.random.default_rng(height * width)
    images = rng.integers(0, 256, (3, height, width, channels), dtype=np.uint8)
    if level is not None:
        images[:] = level
    out, _, _ = kind(severity=severity)(images, rng=0)
    assert out.shape == images.shape
    assert out.dtype == np.uint8


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_floats_and_bytes_agree(kind):
    images = photographs(6)
    as_bytes = kind(severity=3)(images, rng=1)[0].astype(float)
    as_floats = kind(severity=3)(images / 255, rng=1)[0] * 255
    assert np.abs(as_bytes - as_floats).max() <= 0.5 + 1e-3


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.name not in NOT_BY_MEAN_CHANGE])
def test_more_severity_changes_more(kind):
    images = photographs()
    change = [far(kind(severity=severity), images) for severity in range(1, 6)]
    assert change[0] > 0
    # MotionBlur 3 and 4 differ in a length beyond which nothing is left of the trail.
    assert (np.diff(change) >= 0).all()
    assert change[4] > 1.2 * change[0]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_share_of_samples(kind):
    images = photographs(20)
    out, _, record = kind(severity=5, samples=0.3)(images, rng=2)
    assert record.rows.sum() <= 6
    np.testing.assert_array_equal(out[~record.rows], images[~record.rows])
    assert record.rows.sum() >= 4  # spatter may leave one alone
    _, _, none = kind(samples=0.0)(images)
    assert not none.rows.any()
    assert none.note == "no image came out other than it was"


def test_images_of_one_batch_suffer_independently():
    images = np.repeat(photographs(1), 40, axis=0)
    for kind in (weather.Fog, weather.Snow, blurs.MotionBlur, blurs.GlassBlur, digital.ElasticTransform):
        out = kind(severity=3)(images, rng=0)[0]
        assert len(np.unique(out.reshape(40, -1), axis=0)) > 20  # angles that round alike make equal trails


def test_chunks_leave_no_seams():
    images = photographs(700)  # more values than are handled at once
    out, _, record = colours.Contrast(severity=3)(images)
    np.testing.assert_array_equal(out[690:], colours.Contrast(severity=3)(images[690:])[0])
    assert record.rows.all()


# -- noise ------------------------------------------------------------------------------------------------


def test_noise_has_the_moments_it_should():
    grey = np.full((40, 32, 32, 3), 0.5)
    for severity, deviation in ((1, 0.04), (5, 0.10)):
        noise = noises.GaussianPixelNoise(severity=severity)(grey, rng=0)[0] - 0.5
        assert noise.mean() == pytest.approx(0, abs=0.002)
        assert noise.std() == pytest.approx(deviation, rel=0.02)
    shot = noises.ShotNoise(severity=5)(grey, rng=0)[0]
    assert shot.var() == pytest.approx(0.5 / 50, rel=0.03)  # Poisson: variance = mean / photons
    speckle = noises.SpeckleNoise(severity=2)(grey, rng=0)[0]
    assert speckle.std() == pytest.approx(0.1 * 0.5, rel=0.02)
    impulses = noises.ImpulseNoise(severity=5)(grey, rng=0)[0]
    assert (impulses == 1).mean() == pytest.approx(0.035, rel=0.08)
    assert (impulses == 0).mean() == pytest.approx(0.035, rel=0.08)
    assert ((impulses == 0.5) | (impulses == 0) | (impulses == 1)).all()


# -- blur -------------------------------------------------------------------------------------------------


def test_gaussian_blur_is_ndimage_s():
    images = photographs(3) / 255
    expected = ndimage.gaussian_filter(images, (0, 0.7, 0.7, 0), mode="nearest")
    np.testing.assert_allclose(blurs.GaussianBlur(severity=3)(images)[0], expected, atol=1e-5)


def test_convolution_is_ndimage_s():
    rng = np.random.default_rng(0)
    images = rng.random((4, 9, 14, 3)).astype(np.float32)
    kernels = rng.random((4, 5, 5)).astype(np.float32)
    for edge, mode in (("edge", "nearest"), ("reflect", "mirror")):
        expected = [
            ndimage.correlate(image, kernel[..., None], mode=mode)
            for image, kernel in zip(images, kernels, strict=True)
        ]
        np.testing.assert_allclose(convolve(images, kernels, edge), expected, atol=1e-4)


@given(radius=st.floats(0.1, 3), softness=st.floats(0.05, 1), scale=st.floats(1, 8))
@settings(max_examples=40, deadline=None)
def test_a_disk_sums_to_one_and_is_symmetric(radius, softness, scale):
    kernel = blurs.disk(radius, softness, scale)
    assert kernel.sum() == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(kernel, kernel.T, atol=1e-7)
    np.testing.assert_allclose(kernel, kernel[::-1], atol=1e-7)
    assert kernel.max() == pytest.approx(kernel[len(kernel) // 2, len(kernel) // 2])


def test_trails_sum_to_one_and_point_where_they_should():
    kernels = blurs.trails(np.deg2rad([0.0, 90.0, -45.0]), 8, 2.0)
    np.testing.assert_allclose(kernels.sum(axis=(1, 2)), 1, atol=1e-5)
    middle = kernels.shape[1] // 2
    assert (kernels[0, middle, middle:] > 0).all()
    assert (kernels[1, middle:, middle] > 0).all()
    assert kernels[2, middle - 1, middle + 1] > 0
    falling = kernels[0, middle, middle:]
    assert falling[2] / falling[0] == pytest.approx(np.exp(-0.5), rel=1e-5)


def test_zoom_blur_averages_magnifications():
    images = photographs(2, 32, 32) / 255
    total = images.copy()
    zooms = [1, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06]
    for zoom in zooms:
        middle = int(np.ceil(32 / zoom))
        top = (32 - middle) // 2
        crop = images[:, top : top + middle, top : top + middle]
        large = ndimage.zoom(crop, (1, zoom, zoom, 1), order=1)
        trim = (large.shape[1] - 32) // 2
        total += large[:, trim : trim + 32, trim : trim + 32]
    out = blurs.ZoomBlur(severity=1)(images)[0]
    np.testing.assert_allclose(out, total / (len(zooms) + 1), atol=1e-5)


def test_glass_moves_every_pixel_by_at_most_its_reach():
    place = np.arange(32 * 32, dtype=np.float64).reshape(1, 32, 32) / 1024
    seen = np.rint(blurs.GlassBlur(severity=1)(place, rng=0)[0] * 1024).astype(int)
    y, x = np.divmod(seen[0], 32)
    rows, columns = np.mgrid[:32, :32]
    assert set(np.unique(y - rows)) == {-1, 0}
    assert set(np.unique(x - columns)) == {-1, 0}


# -- light and colour -------------------------------------------------------------------------------------


def in_hsv(images, change):
    """Change hue, saturation and value of every pixel, by the standard library."""
    flat = [colorsys.hsv_to_rgb(*change(*colorsys.rgb_to_hsv(*pixel))) for pixel in images.reshape(-1, 3)]
    return np.array(flat).reshape(images.shape)


@pytest.mark.parametrize(("severity", "added"), [(1, 0.05), (5, 0.3)])
def test_brightness_adds_to_the_value(severity, added):
    images = photographs(2, 8, 8) / 255
    images[0, 0, :2] = [[0, 0, 0], [1, 1, 1]]
    expected = in_hsv(images, lambda h, s, v: (h, s, min(v + added, 1)))
    np.testing.assert_allclose(colours.Brightness(severity=severity)(images)[0], expected, atol=1e-5)


@pytest.mark.parametrize(("severity", "factor", "added"), [(1, 0.3, 0), (3, 1.5, 0), (5, 2.5, 0.2)])
def test_saturate_changes_the_saturation(severity, factor, added):
    images = photographs(2, 8, 8) / 255
    images[0, 0, :3] = [[0, 0, 0], [0.5, 0.5, 0.5], [1, 0, 0]]
    expected = in_hsv(images, lambda h, s, v: (h, min(max(s * factor + added, 0), 1), v))
    np.testing.assert_allclose(colours.Saturate(severity=severity)(images)[0], expected, atol=1e-5)


def test_grey_images_have_no_saturation():
    grey = photographs(2)[..., 0]
    out, _, record = colours.Saturate(severity=5)(grey)
    np.testing.assert_array_equal(out, grey)
    assert not record.moved


def test_contrast_shrinks_the_spread_about_the_mean():
    images = photographs(3) / 255
    out = colours.Contrast(severity=4)(images)[0]
    np.testing.assert_allclose(out.mean(axis=(1, 2)), images.mean(axis=(1, 2)), atol=1e-5)
    np.testing.assert_allclose(out.std(axis=(1, 2)), 0.3 * images.std(axis=(1, 2)), atol=1e-5)


# -- weather ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [32, 128])
def test_plasma_is_rough_as_its_decay_says_and_wraps_round(side):
    def roughness(decay):
        clouds = weather.plasma(50, side, decay, np.random.default_rng(0))
        assert (clouds.min(axis=(1, 2)) == 0).all()
        assert (clouds.max(axis=(1, 2)) == 1).all()
        return np.abs(np.diff(clouds, axis=1)).mean(), np.abs(clouds[:, 0] - clouds[:, -1]).mean()

    inner, seam = roughness(3.0)
    assert roughness(1.75)[0] > 1.3 * inner
    assert seam == pytest.approx(inner, rel=0.6)


def test_plasma_midpoints_lie_between_their_neighbours():
    """With displacements that shrink at once, all but the first grid is plain interpolation."""
    clouds = weather.plasma(8, 16, 1e4, np.random.default_rng(1)).astype(float)
    coarse = clouds[:, ::8, ::8]
    middle = (
        coarse + np.roll(coarse, -1, 1) + np.roll(coarse, -1, 2) + np.roll(coarse, (-1, -1), (1, 2))
    ) / 4
    np.testing.assert_allclose(clouds[:, 4::8, 4::8], middle, atol=1e-4)


def test_fog_keeps_the_maximum_and_weakens_contrast():
    images = photographs(30)
    out = weather.Fog(severity=4)(images, rng=0)[0]
    assert (out.max(axis=(1, 2, 3)) <= images.max(axis=(1, 2, 3)).astype(int) + 1).all()
    fine = np.abs(np.diff(images.astype(float), axis=1)).mean()
    assert np.abs(np.diff(out.astype(float), axis=1)).mean() < 0.6 * fine
    colour = images.astype(float).max(-1) - images.min(-1)
    assert (out.astype(float).max(-1) - out.min(-1)).mean() < 0.6 * colour.mean()  # the same in all channels


def test_snow_only_adds_light():
    images = photographs(30)
    out = weather.Snow(severity=2)(images, rng=0)[0].astype(int)
    assert (out >= images.astype(int) - 1).all()
    assert (out == 255).mean() > 0.01


def test_water_brightens_and_mud_is_brown():
    images = np.full((60, 32, 32, 3), 100, np.uint8)
    wet = weather.Spatter(severity=3)(images, rng=0)[0].astype(int)
    assert (wet >= 100).all()
    drops = wet[(wet > 100).any(axis=-1)] - 100
    assert 0.02 < len(drops) / (60 * 32 * 32) < 0.4
    strong = drops[drops[:, 0] > 60]
    np.testing.assert_allclose(strong[:, 0] / strong[:, 1], 175 / 238, atol=0.02)
    muddy = weather.Spatter(severity=5)(images, rng=0)[0].reshape(-1, 3)
    assert muddy.min(axis=0).tolist() == [63, 42, 20]


# -- processing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("severity", "kept"), [(1, 0.95), (3, 0.85), (5, 0.65)])
@pytest.mark.parametrize("shape", [(32, 32), (40, 64)])  # no centre on an edge, which rounding would settle
def test_pixelate_is_pillow_s_box_filter(severity, kept, shape):
    images = photographs(3, *shape)
    small = (int(shape[1] * kept), int(shape[0] * kept))
    expected = [
        np.asarray(
            Image.fromarray(image)
            .resize(small, Image.Resampling.BOX)
            .resize(shape[::-1], Image.Resampling.BOX)
        )
        for image in images
    ]
    out = digital.Pixelate(severity=severity)(images)[0]
    assert np.abs(out.astype(int) - np.array(expected)).max() <= 2


def saved(image: np.ndarray, quality: int) -> np.ndarray:
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", quality=quality)
    return np.asarray(Image.open(file)).astype(float)


@pytest.mark.parametrize(("severity", "quality"), [(1, 80), (2, 65), (3, 58), (4, 50), (5, 40)])
@pytest.mark.parametrize("shape", [(32, 32), (37, 51)])
def test_jpeg_is_close_to_pillow_s(severity, quality, shape):
    images = photographs(12, *shape)
    codec = np.array([saved(image, quality) for image in images])
    out = digital.JpegCompression(severity=severity)(images)[0].astype(float)
    assert np.abs(out - codec).mean() < 1.3
    assert np.abs(out - images).mean() == pytest.approx(np.abs(codec - images).mean(), rel=0.02)
    grey = np.array([saved(image[..., 0], quality) for image in images])
    out = digital.JpegCompression(severity=severity)(images[..., 0])[0].astype(float)
    assert np.abs(out - grey).mean() < 0.4


def test_elastic_moves_pixels_by_a_few_and_shows_only_what_was_there():
    images = photographs(40)
    for severity in (1, 3, 5):
        out = digital.ElasticTransform(severity=severity)(images, rng=0)[0].astype(int)
        assert (out.max(axis=(1, 2)) <= images.max(axis=(1, 2))).all()
        assert (out.min(axis=(1, 2)) >= images.min(axis=(1, 2))).all()
    ramp = np.broadcast_to(np.arange(64) / 64, (50, 64, 64))
    moved = 64 * (digital.ElasticTransform(severity=1)(ramp, rng=0)[0] - ramp)[:, 16:48, 16:48]
    assert 1 < moved.std() < 6  # corners move by up to 2.56 of 32 pixels, that is 5 of these 64
    assert np.abs(np.diff(moved, n=2, axis=2)).max() < 1e-3  # at severity 1 the map is affine


def test_lengths_grow_with_the_image():
    small = photographs(4, 32, 32) / 255
    large = small.repeat(4, axis=1).repeat(4, axis=2)
    for kind in (blurs.GaussianBlur, blurs.DefocusBlur):
        blurred_large = kind(severity=5)(large)[0].reshape(4, 32, 4, 32, 4, 3).mean(axis=(2, 4))
        assert np.abs(blurred_large - kind(severity=5)(small)[0]).mean() < 0.03


# -- geometry ---------------------------------------------------------------------------------------------


@given(size=st.integers(1, 50), zoom=st.floats(1, 8))
def test_stretch_is_a_mean_of_neighbours(size, zoom):
    matrix = stretch(size, zoom)
    np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-5)
    assert (matrix >= 0).all()
    assert ((matrix > 0).sum(axis=1) <= 2).all()


def test_sampling_is_ndimage_s():
    rng = np.random.default_rng(0)
    image = rng.random((7, 9)).astype(np.float32)
    y, x = rng.uniform(-20, 30, (2, 1, 5, 6)).astype(np.float32)
    expected = ndimage.map_coordinates(image, [y[0], x[0]], order=1, mode="mirror")
    np.testing.assert_allclose(sample(image[None, ..., None], y, x)[0, ..., 0], expected, atol=1e-4)


# -- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (np.zeros((32, 32)), r"shape \(32, 32\), but images .* needed; give a single image as image\[None\]"),
        (np.zeros((0, 8, 8)), r"shape \(0, 8, 8\), but images"),
        (np.zeros((32, 32, 3), np.uint8), r"looks like one image \[H, W, C\]; give image\[None\]"),
        (np.zeros((2, 3, 8, 8), np.uint8), r"channels must come last: X.transpose\(0, 2, 3, 1\)"),
        (np.zeros((2, 8, 8, 4), np.uint8), r"drop the fourth channel"),
        (np.zeros((2, 8, 8, 7), np.uint8), r"one or three channels are needed"),
        (
            np.zeros((2, 8, 8, 3), np.int64),
            r"dtype int64; give images as uint8 \(0 … 255\) or floats in \[0, 1\]",
        ),
        (
            np.array([np.zeros((8, 8)), np.full((8, 8), 200.0)]),
            r"outside \[0, 1\] or is NaN in row 1; if it holds",
        ),
        (np.full((1, 8, 8), np.nan), r"is NaN in row 0"),
        ([[[1, 2], [3]]], r"X is not rectangular .*; give images of equal size"),
    ],
)
def test_what_is_no_batch_of_images_is_refused(images, message):
    with pytest.raises(InputError, match=message):
        colours.Contrast()(images)


@pytest.mark.parametrize("severity", [0, 6, 2.5, "3", True, None])
def test_severity_is_one_to_five(severity):
    with pytest.raises(InputError, match="severity is 1, 2, 3, 4 or 5, not"):
        weather.Fog(severity=severity)


def test_other_bad_arguments():
    with pytest.raises(InputError, match="samples is a share between 0 and 1, not 1.5"):
        weather.Fog(samples=1.5)
    with pytest.raises(InputError, match="lengths differ: X 2, y 3"):
        weather.Fog()(np.zeros((2, 8, 8), np.uint8), [0, 1, 0])
