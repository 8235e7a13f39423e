"""Fitting an estimator to a model and labelled rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from surefoot._checks import Array, same_length
from surefoot._columns import open_columns
from surefoot.errors import InputError
from surefoot.estimators._auto import Auto
from surefoot.estimators._estimator import Estimator, weights_of
from surefoot.estimators._intervals import (
    BINOMIAL,
    CONFORMAL,
    FEWEST_DOMAINS,
    Width,
    calibrate,
    noise_of,
    reasons,
)
from surefoot.estimators._method import Method, Trials, trials_of
from surefoot.estimators._model import CLASSIFICATION, Model, codes_of, named, targets_of, wrap
from surefoot.estimators._rehearsal import Plan, rehearse
from surefoot.estimators._schema import schema_of
from surefoot.estimators._scores import SCORES, score, truth
from surefoot.shifts import Shift

FEWEST_ROWS = 100
"""Labelled rows below which nothing can be learned."""


def fit(
    model: Any,
    X: Any,
    y: Any,
    *,
    method: Method | None = None,
    probs: Any = None,
    classes: Any = None,
    sample_weight: Any = None,
    categorical: Iterable[str] = (),
    interval: str = CONFORMAL,
    alpha: float = 0.05,
    domains: int = 500,
    rows: int = 500,
    families: Mapping[str, type[Shift]] | None = None,
    seed: int = 0,
) -> Estimator:
    """Learn from labelled rows that the model was not trained on how good it will be on rows without labels.

    ``model`` is anything with `predict_proba` (or, for a regressor, `predict`); ``X`` any table with numbers, texts,
    categories, booleans and gaps, given to the model as it is; ``y`` its labels. With ``model=None`` the outputs are
    given as ``probs``, here and for every batch, and only methods that need no model work. ``categorical`` names
    columns whose numbers are only names, ``classes`` the labels of a model that does not say (`classes_`).

    ``domains`` shifted copies of ``rows`` rows each are made from ``families`` (by default those of paper 002) and the
    model predicts them all in one call. ``interval`` is ``"conformal"``, calibrated on domains of families the method
    has not seen, or ``"binomial"``, the paper's, for accuracy alone.
    """
    chosen = Auto() if method is None else method
    if not isinstance(chosen, Method):
        raise InputError(f"method must be one of surefoot.estimators' methods, such as DoC(), not {method!r}")
    known = Model(None, CLASSIFICATION, named(classes)) if model is None else wrap(model, classes)
    names = (categorical,) if isinstance(categorical, str) else tuple(categorical)
    if interval not in (CONFORMAL, BINOMIAL):
        raise InputError(f"interval must be {CONFORMAL} or {BINOMIAL}, not {interval!r}")
    if interval == BINOMIAL and known.kind != CLASSIFICATION:
        raise InputError(
            'the binomial interval is for the accuracy of a classifier; use interval="conformal"'
        )
    if not 0 < alpha < 1:
        raise InputError(f"alpha must be between 0 and 1, not {alpha}")
    if model is None:
        if X is not None:
            raise InputError("without a model only probs are read, not X; give the model, or None for X")
        if probs is None:
            raise InputError("give a model, or the probabilities it gave: fit(None, None, y, probs=…)")
        outputs = known.checked(probs)
        table = open_columns(outputs)
    else:
        table = open_columns(X, categorical=names)
        _refuse_few(len(table))
        outputs = known(table.to_native()) if probs is None else known.checked(probs, len(table))
    chosen.check(known.kind, has_features=model is not None)
    _refuse_few(len(outputs))
    if known.kind == CLASSIFICATION:
        target, labels = codes_of(y, known, outputs.shape[1])
        known = Model(known.native, known.kind, labels)
    else:
        target = targets_of(y)
    same_length(X=outputs, y=target)
    weights = weights_of(sample_weight, len(target))
    if not weights.all():
        counting = np.flatnonzero(weights)  # the others tell nothing, and a domain of them alone has no score
        table, outputs, target = table.take(counting), outputs[counting], target[counting]
        weights = weights_of(weights[counting], len(counting))
        _refuse_few(len(counting))
    _refuse_hopeless(outputs, target)
    schema = None if model is None else schema_of(table, names)
    plan = Plan(domains, min(rows, len(target)), families, seed)
    rehearsal = rehearse(known, table, schema, outputs, target, weights, plan)
    scores = [score(name, known.kind) for name, one in SCORES.items() if one.kind == known.kind]
    trials = trials_of(rehearsal, scores)
    learned, guesses = chosen.train(trials)
    belief = truth(outputs, target)
    references = {one.name: one.of(outputs, belief, weights) for one in scores}
    noise = {one.name: noise_of(one, outputs, belief, weights, seed) for one in scores}
    widths = widths_of(trials, guesses, references, noise, alpha) if interval == CONFORMAL else {}
    return Estimator(
        model=known,
        method=chosen.name,
        learned=learned,
        schema=schema,
        references=references,
        movement=trials.reference,
        widths=widths,
        alpha=alpha,
        labelled=len(target),
        notes=rehearsal.notes,
    )


def widths_of(
    trials: Trials,
    guesses: Array,
    references: Mapping[str, float],
    noise: Mapping[str, float],
    alpha: float,
) -> dict[str, Width]:
    """The calibrated width of every score that the method guesses.

    One that few domains have, as an area under a curve where most are of one class, is left out if another is there.
    """
    widths: dict[str, Width] = {}
    for s, one in enumerate(trials.scores):
        good = np.isfinite(guesses[:, s]) & np.isfinite(trials.truth[:, s])
        if good.any() and (good.sum() >= FEWEST_DOMAINS or not widths):
            known = [
                reasons(movement, guess - references[one.name])
                for movement, guess in zip(trials.movements, guesses[:, s], strict=True)
            ]
            error = (guesses - trials.truth)[good, s]
            widths[one.name] = calibrate(
                error, trials.sizes[good], np.array(known)[good], noise[one.name], alpha
            )
    return widths


def _refuse_few(n: int) -> None:
    if n < FEWEST_ROWS:
        raise InputError(
            f"{n} labelled rows are too few to learn from; give at least {FEWEST_ROWS} (1,000 or more are better)"
        )


def _refuse_hopeless(outputs: Array, target: Array) -> None:
    """Labels or predictions that are all the same tell nothing about errors."""
    if (target == target[0]).all():
        raise InputError(
            "the labels are all the same, so nothing can be learned about errors; give labelled rows of several classes"
            if outputs.ndim == 2
            else "the target is the same in every row, so nothing can be learned about errors; give other labelled rows"
        )
    if np.ptp(outputs, axis=0).max() == 0:
        raise InputError(
            "the model predicts the same for every labelled row, so nothing can be learned about its errors; "
            "check that it is fitted and gets the columns it was trained on"
        )
