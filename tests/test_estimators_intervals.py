"""Bounds of estimates: the paper's formula, and how often calibrated ones hold and how wide they are."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from estimator_cases import QUICK, SCALES, model, numbers, regressor, rehearsed, tried
from surefoot import estimators
from surefoot.errors import InputError
from surefoot.estimators._scores import SCORES
from surefoot.shifts import GaussianNoise, MissingValues, Scaling, SwappedValues

DOC, DUMMY = estimators.DoC(), estimators.Dummy()
ALPHAS = (0.4, 0.2, 0.1, 0.05)
FAMILIES = {
    "swapped-values": SwappedValues,
    "scaling": Scaling,
    "missing-values": MissingValues,
    "gaussian-noise": GaussianNoise,
}
LABELLED, LABELS = numbers(1000, 1)
FIRST = SCALES * [1, 0, 0, 0]
"""A standard deviation of the first column."""

JUDGED = {"families": FAMILIES, "domains": 150, "rows": 100}
"""Domains on which bounds are judged, and by which they were calibrated."""


@cache
def fitted(method, alpha=0.1, **options):
    """An estimator of `model` with many small domains."""
    options = {"domains": 100, "rows": 100, "families": tuple(FAMILIES), **options}
    families = {name: FAMILIES[name] for name in options.pop("families")}
    return estimators.fit(model(), LABELLED, LABELS, method=method, alpha=alpha, families=families, **options)


def width(method, X, alpha=0.1, **options):
    """From bound to bound."""
    found = fitted(method, alpha, **options).estimate(X)
    return found.high - found.low


@cache
def judged(method, alpha, seed, interval="conformal"):
    """Which bounds hold on domains of rows never seen, chosen as those are that an estimator is calibrated on.

    The groups of labelled rows are large beside a domain, so that domains share few rows.
    """
    estimator = estimators.fit(
        model(), *numbers(3000, seed), method=method, alpha=alpha, interval=interval, seed=seed, **JUDGED
    )
    hold = []
    for batch, accuracy in batches(seed + 100):
        found = estimator.estimate(batch.features, probs=batch.outputs)
        hold.append(found.low <= accuracy <= found.high)
    return hold


@cache
def batches(seed):
    """Kept domains of other rows, and the accuracy on each."""
    rehearsal = rehearsed(model(), *numbers(3000, seed), seed=seed, **JUDGED)
    trials, places = tried(rehearsal), list(rehearsal)
    kept = [rehearsal.domains.take(places[d]) for d in trials.domains]
    return list(zip(kept, trials.truth[:, 0], strict=True))


def coverage(method, alpha, seeds=range(4), **options):
    """Share of batches whose true accuracy lies between the bounds, over several estimators."""
    return float(np.mean([judged(method, alpha, seed, **options) for seed in seeds]))


class TestBinomial:
    @settings(max_examples=40)
    @given(
        n=st.integers(1, 500), by=st.floats(-3, 3), alpha=st.sampled_from(ALPHAS), seed=st.integers(0, 999)
    )
    def test_equals_the_formula_of_the_paper(self, n, by, alpha, seed):
        """a ± z √(a (1 − a) / n), within 0 and 1 (section V)."""
        X = numbers(n, seed)[0]
        X[:, 0] += by * SCALES[0]
        found = fitted(DOC, alpha, interval="binomial", domains=20).estimate(X)
        half = norm.ppf(1 - alpha / 2) * np.sqrt(found.value * (1 - found.value) / n)
        assert found.low == pytest.approx(max(0.0, found.value - half), abs=1e-12)
        assert found.high == pytest.approx(min(1.0, found.value + half), abs=1e-12)

    def test_knows_chance_alone(self):
        """However far a batch has moved, the width is that of as many rows of this accuracy."""
        near, far = LABELLED, LABELLED + 50 * SCALES
        binomial = {"interval": "binomial", "domains": 20}
        assert width(DUMMY, far, **binomial) == pytest.approx(width(DUMMY, near, **binomial))
        assert width(DUMMY, far) > 1.5 * width(DUMMY, far, **binomial)


class TestConformal:
    @pytest.mark.parametrize(("method", "alpha"), [(DUMMY, 0.3), (DUMMY, 0.1), (DOC, 0.2), (DOC, 0.05)])
    def test_holds_as_often_as_it_says(self, method, alpha):
        """Of methods that learn nothing from domains, kept ones and others differ only in the rows drawn."""
        assert coverage(method, alpha) == pytest.approx(1 - alpha, abs=0.06)

    def test_holds_at_least_about_as_often_as_it_says(self):
        """More often where the method has seen the family of the batch, which it had not in the kept domains."""
        of_outputs = estimators.ErrorPredictor(learner="neighbours", features="outputs")
        assert coverage(estimators.Auto(of_outputs), 0.2, range(2)) >= 0.74

    def test_binomial_bounds_hold_less_often(self):
        """Chance is only a part of what separates an estimate from the truth."""
        assert coverage(DOC, 0.05, interval="binomial") < 0.75 < 0.88 < coverage(DOC, 0.05)

    @pytest.mark.parametrize("method", [DUMMY, DOC, estimators.Auto(QUICK)], ids=lambda one: one.name)
    def test_is_narrower_for_more_rows(self, method):
        """The labelled rows themselves, a few of them and many times: nothing has moved but for chance."""
        some = np.random.default_rng(0).choice(1000, 40, replace=False)
        widths = [width(method, X) for X in (LABELLED[some], LABELLED, np.tile(LABELLED, (9, 1)))]
        assert widths[0] > widths[1] > widths[2] > 0

    @pytest.mark.parametrize("method", [DUMMY, DOC, estimators.Auto(QUICK)], ids=lambda one: one.name)
    def test_is_wider_where_the_batch_has_moved(self, method):
        still, moved = (width(method, LABELLED + by * FIRST) for by in (0, 3))
        assert moved > 1.2 * still

    def test_grows_with_the_movement(self):
        """Of a method that always says the same, so that only the movement tells."""
        widths = [width(DUMMY, LABELLED + by * FIRST) for by in np.linspace(0, 0.3, 7)]
        assert (np.diff(widths) >= -1e-9).all()
        assert widths[-1] > widths[0]

    @pytest.mark.parametrize("method", [DUMMY, DOC], ids=lambda one: one.name)
    def test_is_wider_the_less_often_it_may_miss(self, method):
        for X in (LABELLED[:200], LABELLED[:200] + 2 * SCALES):
            widths = [width(method, X, alpha) for alpha in ALPHAS]
            assert (np.diff(widths) >= 0).all()
            assert widths[-1] > widths[0]

    def test_every_score_has_its_own(self):
        found = fitted(DOC)
        estimates = {
            name: found.estimate(LABELLED, metric=name)
            for name, one in SCORES.items()
            if one.kind == "classification"
        }
        assert len({round(one.high - one.low, 6) for one in estimates.values()}) == len(estimates)
        for one in estimates.values():
            assert one.low <= one.reference <= one.high

    def test_of_a_regression_is_in_its_unit(self):
        """A target in other units has bounds in other units."""
        X, y = numbers(600, 1, 3)
        found = []
        for factor in (1, 1000):
            native = Scaled(factor)
            estimator = estimators.fit(native, X, y * factor, method=DUMMY, domains=60, rows=60)
            found.append(estimator.estimate(X[:300], metric="mae"))
        small, large = found
        assert large.value == pytest.approx(1000 * small.value, rel=1e-3)
        assert large.high - large.low == pytest.approx(1000 * (small.high - small.low), rel=0.01)
        assert large.low >= 0

    def test_too_few_domains_say_what_to_do(self):
        with pytest.raises(InputError, match=r"too few to calibrate .*domains=….*interval=\"binomial\""):
            fitted(DOC, domains=20)


class Scaled:
    """A regressor in another unit."""

    def __init__(self, factor):
        self.factor = factor

    def predict(self, X):
        return self.factor * regressor().predict(X)
