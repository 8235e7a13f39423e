"""Bounds of estimates: the paper's formula, and how often calibrated ones hold and how wide they are."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

from estimator_cases import QUICK, SCALES, model, numbers, regressor, rehearsed, tried
from surefoot import estimators
from surefoot.errors import InputError
from surefoot.estimators._intervals import FEWEST_DOMAINS, NEAREST, REASONS, Width, calibrate, reasons
from surefoot.estimators._movement import Movement
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


def coverage(method, alpha, seeds=range(2), **options):
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
        assert coverage(estimators.Auto(of_outputs), 0.2) >= 0.74

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

    def test_of_the_fewest_domains_there_are_some(self):
        assert 0 < width(DOC, LABELLED, domains=FEWEST_DOMAINS) < 1

    def test_too_few_domains_say_what_to_do(self):
        few = FEWEST_DOMAINS - 1
        with pytest.raises(InputError, match=r"too few to calibrate .*domains=….*interval=\"binomial\""):
            calibrate(np.zeros(few), np.full(few, 50), np.ones((few, len(REASONS))), 0.2, 0.1)

    def test_a_score_that_few_domains_have_costs_no_other(self):
        """Of two rows there is an area under a curve only where they are of both classes."""
        options = {"domains": FEWEST_DOMAINS, "rows": 2}
        assert {"roc_auc"} == {*fitted(DOC).widths} - {*fitted(DOC, **options).widths}
        assert width(DOC, LABELLED, **options) > 0
        with pytest.raises(InputError, match="doc does not estimate roc_auc; .* more domains if few of them"):
            fitted(DOC, **options).estimate(LABELLED, metric="roc_auc")


class TestFormula:
    """How the width is made of the reasons to be wrong."""

    @given(st.integers(0, len(REASONS) - 1), st.floats(0, 2), st.integers(1, 10_000))
    def test_no_reason_makes_bounds_narrower(self, which, more, n):
        for score in fitted(DOC).widths.values():
            why = np.full(len(REASONS), 0.1)
            before = score.deviation(n, why)
            why[which] += more
            assert score.deviation(n, why) >= before
            assert score.deviation(n + 1, why) < score.deviation(n, why)

    def test_some_reason_but_the_first_counts(self):
        """A method that always says the same is wrong where something has moved."""
        found = fitted(DUMMY).widths["accuracy"]
        still, moved = np.eye(len(REASONS))[0], np.ones(len(REASONS))
        assert found.deviation(10_000, moved) > 3 * found.deviation(10_000, still)

    @given(moved=st.floats(0, 1), by_shares=st.floats(0, 1), drop=st.floats(-1, 1))
    def test_reasons_of_the_regimes_share_what_has_moved(self, moved, by_shares, drop):
        why = dict(zip(REASONS, reasons(Movement(moved, by_shares, np.zeros(2)), drop), strict=True))
        _, shares, other = Movement(moved, by_shares, np.zeros(2)).regimes
        assert (why["always"], why["shares"]) == (1, shares)
        assert why["other"] == pytest.approx(NEAREST * other)
        assert why["shares_drop"] + why["other_drop"] == pytest.approx(abs(drop) * (shares + other))

    def test_is_found_again_in_errors_that_follow_it(self):
        rng = np.random.default_rng(0)
        n, why = rng.integers(50, 500, 4000), np.zeros((4000, len(REASONS)))
        why[:, 0], why[:, 1] = 1, rng.random(4000) < 0.5
        true = Width(0.2, (0.02, 0.15, *(len(REASONS) - 2) * [0.0]))
        error = true.deviation(n, why) * rng.standard_t(6, 4000)
        found = calibrate(error, n, why, true.noise, 0.1)
        assert found.coefficients[:2] == pytest.approx(true.coefficients[:2], rel=0.25)
        assert np.mean(np.abs(error) <= found.quantile * found.deviation(n, why)) == pytest.approx(
            0.9, abs=2e-3
        )
        assert found.quantile == pytest.approx(t(6).ppf(0.95), rel=0.1)

    def test_holds_whatever_the_errors_are(self):
        """The quantile is that of the errors themselves, so that the coverage does not rest on the formula."""
        rng = np.random.default_rng(0)
        why = np.abs(rng.normal(size=(500, len(REASONS))))
        for error in (rng.standard_cauchy(500), np.zeros(500), rng.exponential(5, 500) + 3):
            for alpha in ALPHAS:
                found = calibrate(error, np.full(500, 100.0), why, 0.2, alpha)
                held = np.abs(error) <= found.quantile * found.deviation(100.0, why)
                assert held.mean() >= 1 - alpha

    def test_comes_back_from_json(self):
        for score in fitted(DOC).widths.values():
            assert Width.from_dict(json.loads(json.dumps(score.to_dict()))) == score

    def test_what_is_stranger_has_wider_bounds(self):
        near, far = (
            reasons(Movement(1.0, 0.0, np.zeros(2), strangeness=strangeness), 0.1) for strangeness in (0.5, 5)
        )
        assert (far - near).nonzero()[0].tolist() == [REASONS.index("other")]
        assert far.sum() > near.sum()

    def test_a_level_that_so_few_domains_cannot_tell_is_refused(self):
        why = np.eye(len(REASONS))[np.zeros(60, dtype=int)]
        error = np.random.default_rng(0).normal(size=60)
        assert calibrate(error, np.full(60, 100.0), why, 0.2, 0.05).quantile > 0
        with pytest.raises(InputError, match=r"tell no bounds that miss so seldom as alpha=0.001; make more"):
            calibrate(error, np.full(60, 100.0), why, 0.2, 0.001)

    def test_a_reason_that_no_domain_had_makes_no_endless_bounds(self):
        why = np.eye(len(REASONS))[np.zeros(100, dtype=int)]
        error = np.random.default_rng(0).normal(0, 0.02, 100)
        found = calibrate(error, np.full(100, 100.0), why, 1e-4, 0.1)
        typical = np.array([1.0, 2.0, 0.0, 1.0, 0.0, 0.1])
        assert found.deviation(100.0, typical) < 0.2

    def test_domains_of_few_rows_count_less(self):
        """Half of the errors are ten times as large, of domains that are worth a hundredth of the rows."""
        rng = np.random.default_rng(0)
        why = np.eye(len(REASONS))[np.zeros(1000, dtype=int)]
        n, error = np.full(1000, 500.0), rng.normal(0, 0.01, 1000)
        error[::2] *= 10
        alike = calibrate(error, n, why, 1e-9, 0.1)
        n[::2] = 5
        less = calibrate(error, n, why, 1e-9, 0.1)
        assert less.quantile * less.deviation(500, why[0]) < 0.8 * alike.quantile * alike.deviation(
            500, why[0]
        )


class Scaled:
    """A regressor in another unit."""

    def __init__(self, factor):
        self.factor = factor

    def predict(self, X):
        return self.factor * regressor().predict(X)
