"""`compare`: predictions of several methods → their paired differences, ranks, wins and equivalents."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import __version__
from surefoot._checks import choice
from surefoot.compare import _guard as guard
from surefoot.compare import _notes as notes
from surefoot.compare._change import Change, changes
from surefoot.compare._comparison import Comparison, Entrant
from surefoot.compare._entrants import Candidate, Given, by_dataset, candidates, reduced
from surefoot.compare._one_dataset import Asked, Found, on_one_dataset, wanted_metrics
from surefoot.compare._paired import ALPHA
from surefoot.compare._ranks import Ranks, ranks
from surefoot.compare._same_rows import same_rows
from surefoot.compare._scores import Floats
from surefoot.compare._wins import WinsDrawsLosses
from surefoot.compare._yardstick import Equivalent
from surefoot.errors import InputError
from surefoot.metrics._registry import Metric, describe
from surefoot.scorecard import evaluate
from surefoot.scorecard._sides import Sides

ALL_PAIRS = 6
"""With more methods than this, each is compared with one reference only."""


def compare(
    predictions: Sequence[Given],
    *,
    names: Sequence[str] | None = None,
    error: str | ArrayLike | None = None,
    threshold: float | None = None,
    uncertainty: str | None = None,
    in_: str | Sequence[str] = (),
    shifted: str | Sequence[str] = (),
    reference: str | None = None,
    yardstick: str | None = None,
    metrics: Sequence[str] | None = None,
    force: bool = False,
    seed: int = 0,
) -> Comparison:
    """Put methods side by side on the same inputs, and say which differences mean anything.

    Each of the predictions belongs to a dataset, ``info["dataset"]``, and to a method, ``info["method"]`` (else
    its file's name). On one dataset all methods must have predicted the same ids, with the same targets and
    sides; the order of the rows may differ. Every difference comes with its paired 95 % interval: two methods
    draw where it contains 0. With several datasets methods are ranked over them.

    Args:
        predictions: `Predictions`, `Scan`s, or paths of files.
        names: the method of each of the predictions.
        error: as for `evaluate`, but not one number a row.
        threshold: as for `evaluate`.
        uncertainty: as for `evaluate`; by default each model is judged by the default of its kind.
        in_: further partition names that are in-domain.
        shifted: further partition names that are shifted.
        reference: the method that all others are compared with. Default: all pairs, up to six methods; beyond
            that the method with the best mean rank.
        yardstick: the ensemble, of at least four members, in whose members the equivalents of the others are
            counted. Default: the largest on each dataset, of several the first.
        metrics: names of metrics, with "@measure" for a measure of one's own choice. Default: all that may be
            compared, and log-likelihood and Brier score as they are, marked raw and not ranked.
        force: turn refusals into warnings.
        seed: for the sample of rows, and the orders of members, behind deep ensemble equivalents.

    Raises `NotComparable` where the comparison would mean nothing; see `require_comparable` for when.
    Ashukha et al. 2020 (Pitfalls), sections 3 and 4.1; Demšar 2006 for the ranks.

    >>> from surefoot.predictions import Predictions
    >>> rng = np.random.default_rng(0)
    >>> target = rng.integers(0, 2, 400)
    >>> def model(skill):
    ...     p = 1 / (1 + np.exp(-(skill * (2 * target - 1) + rng.normal(size=400))))
    ...     return Predictions.classification(np.stack([1 - p, p], axis=1), target)
    >>> result = compare([model(2.0), model(0.5)], names=["skilled", "clumsy"])
    >>> result.best("accuracy", "data")
    'skilled'
    """
    everyone = candidates(predictions, names, error)
    methods = tuple(dict.fromkeys(one.method for one in everyone))
    for option, name in (("reference", reference), ("yardstick", yardstick)):
        if name is not None:
            choice(option, name, methods)
    wanted = wanted_metrics(metrics)
    groups = by_dataset(everyone)
    guard.refuse(_reasons(groups, wanted if metrics is not None else ()), force=force, stacklevel=3)
    sides = Sides.naming(in_, shifted)
    entrants: list[Entrant] = []
    found: list[Found] = []
    for group in groups.values():
        rows = [reduced(one, error, threshold, uncertainty, sides) for one in group]
        found.append(on_one_dataset(same_rows(rows, force=force), wanted, seed, yardstick))
        del rows  # the scorecards need the room
        for one in group:
            card = evaluate(one.source, error, threshold, uncertainty, in_=in_, shifted=shifted)
            entrants.append(Entrant(one.method, one.dataset, card))
    if metrics is not None:
        _refuse_absent(wanted, found)
    scores = _scores(found, methods)
    beats = {key: _beats(key, found, methods) for key in scores if _for_ranking(key, found)}
    ranked = {key: result for key in beats if (result := _ranked(key, scores[key]))}
    if reference is None and len(methods) > ALL_PAIRS:
        reference = _best_ranked(scores, beats, methods)
    equivalents = tuple(equivalent for one in found for equivalent in one.equivalents)
    changed = tuple(change for one in entrants for change in changes(one.method, one.dataset, one.card))
    return Comparison(
        methods=methods,
        datasets=tuple(groups),
        entrants=tuple(entrants),
        differences=tuple(difference for one in found for difference in one.against(reference)),
        changes=changed,
        scores=scores,
        beats=beats,
        wins={key: _wins(beats[key], scores[key]) for key in beats},
        ranks=ranked,
        ensembles=tuple(ensemble for one in found for ensemble in one.ensembles),
        equivalents=equivalents,
        notes=tuple(_notes(groups, methods, found, changed, scores, ranked, equivalents)),
        info={"seed": seed, "alpha": ALPHA, "surefoot": __version__, "reference": reference},
    )


def _reasons(groups: Mapping[str, Sequence[Candidate]], asked: Sequence[Asked]) -> dict[str, None]:
    """What speaks against comparing these runs, and against the metrics that were asked for by name."""
    found: dict[str, None] = {}
    for group in groups.values():
        facts = [one.facts for one in group]
        for each in asked:
            found |= dict.fromkeys(guard.metric_reasons(each.metric, facts))
        found |= dict.fromkeys(guard.run_reasons(facts))
    return found


def _refuse_absent(asked: Sequence[Asked], found: Sequence[Found]) -> None:
    """A metric that was asked for must say something about some dataset."""
    for each in asked:
        if not any(each.metric.name == pair.metric for one in found for pair in one.pairs):
            raise InputError(
                f"{each.metric.name} cannot be computed from these predictions: it needs "
                f"{', '.join(each.metric.reads)}; ask for another metric"
            )


def _scores(found: Sequence[Found], methods: Sequence[str]) -> dict[str, Floats]:
    """[datasets, methods] by key, those of all rows first; NaN where a method has no score."""
    keys = sorted(dict.fromkeys(key for one in found for key in one.scores), key=lambda key: "." in key)
    return {
        key: np.array([[one.scores.get(key, {}).get(method, np.nan) for method in methods] for one in found])
        for key in keys
    }


def _beats(key: str, found: Sequence[Found], methods: Sequence[str]) -> NDArray[np.bool_]:
    """[datasets, methods, methods]: the row's method is significantly better than the column's."""
    pairs = [one.beats.get(key, set()) for one in found]
    return np.array([[[(a, b) in better for b in methods] for a in methods] for better in pairs])


def _wins(beats: NDArray[np.bool_], scores: Floats) -> WinsDrawsLosses:
    """On how many datasets each method beats each other; a draw where both have a score and neither does."""
    both = np.isfinite(scores)[:, :, None] & np.isfinite(scores)[:, None, :]
    wins = beats.sum(axis=0)
    draws = both.sum(axis=0) - wins - wins.T
    np.fill_diagonal(draws, 0)
    return WinsDrawsLosses(wins, draws)


def _metric_of(key: str) -> Metric:
    """The metric of a key `[side.]metric[@measure]`."""
    return describe(key.partition("@")[0].rpartition(".")[2])


def _for_ranking(key: str, found: Sequence[Found]) -> bool:
    """Whether methods may be ranked by the scores of a key."""
    return _metric_of(key).higher_is_better is not None and not any(key in one.raw for one in found)


def _ranked(key: str, scores: Floats) -> Ranks | None:
    """Ranks over datasets, if there are several and all methods have a score on each."""
    if len(scores) < 2 or scores.shape[1] < 2 or not np.isfinite(scores).all():
        return None
    return ranks(scores, bool(_metric_of(key).higher_is_better))


def _best_ranked(scores: Mapping[str, Floats], keys: Collection[str], methods: Sequence[str]) -> str:
    """The method with the best mean rank over datasets and rankable scores; the first of several."""
    from scipy.stats import rankdata

    ranked = [
        rankdata(-row if _metric_of(key).higher_is_better else row)
        for key in keys
        for row in scores[key]
        if "." not in key and np.isfinite(row).all()
    ]
    return methods[int(np.mean(ranked, axis=0).argmin())] if ranked else methods[0]


def _notes(
    groups: Mapping[str, Sequence[Candidate]],
    methods: Sequence[str],
    found: Sequence[Found],
    changed: Sequence[Change],
    scores: Mapping[str, Floats],
    ranked: Mapping[str, Ranks],
    equivalents: Sequence[Equivalent],
) -> Iterator[str]:
    datasets = tuple(groups)
    for one in found:
        yield from notes.about_rows(one.dataset, one.rows)
    yield from notes.about_costs(groups)
    yield from notes.about_easier_shift(changed)
    if len(datasets) > 1:
        yield from notes.about_missing(methods, datasets, scores)
    yield from notes.about_ranks(ranked)
    yield from notes.about_equivalents(equivalents)
