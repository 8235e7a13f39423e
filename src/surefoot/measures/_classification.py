"""How uncertain an ensemble is about the class of each input, in total and by source."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot import _checks
from surefoot.errors import InputError
from surefoot.measures import _cells

Array = NDArray[Any]


def classification(
    probs: ArrayLike, member: ArrayLike | None = None, *, validate: bool = True
) -> dict[str, Array]:
    r"""How uncertain class probabilities ``probs[S, N, K]`` are: one array ``[N]`` a measure; higher: less certain.

    With p̄ the mean over samples, H the entropy (natural logarithm, 1e-10 added inside), means over samples s:

    - ``negative_confidence`` (total): −max p̄
    - ``entropy`` (total): H(p̄)
    - ``expected_entropy`` (data): mean H(pₛ)
    - ``mutual_information`` (knowledge): H(p̄) − mean H(pₛ) = mean KL(pₛ ‖ p̄)
    - ``reverse_mutual_information`` (knowledge): mean KL(p̄ ‖ pₛ)
    - ``epkl`` (knowledge): mean KL(pᵣ ‖ pₛ) over all pairs = mutual + reverse mutual information
    - ``model_variance`` (knowledge): variance over samples, averaged over classes
    - ``member_mutual_information`` (knowledge), only with ``member``: H(p̄) − mean over members of H(p̄ₘ)

    ``member[S]`` says which ensemble member each sample came from; the last measure counts what members
    disagree on and leaves out the noise between samples of one member. Members weigh as p̄ weighs them, by
    their number of samples, which keeps it between 0 and ``mutual_information``.

    float32 stays float32, values in [−1e-6, 0) are rounding and become 0, and a row's measures do not depend
    on the rows beside it. ``validate=False`` skips the check of probabilities that were checked before.

    Malinin et al. 2021 (Shifts), section 3, table 3; Van Landeghem et al. 2022 (text classification), section
    II-C4. Their published code gives these values, with two exceptions: Shifts returns the confidence without
    the minus, and the text benchmark's "model uncertainty" of an ensemble is the variance over classes, which
    is large for members that agree; ``model_variance`` is their MC-dropout "data uncertainty", K ×
    ``model_variance`` the square of their "model uncertainty".

    >>> agree, differ = [[[0.9, 0.1]], [[0.9, 0.1]]], [[[0.9, 0.1]], [[0.1, 0.9]]]
    >>> [f"{classification(p)['mutual_information'][0]:.3f}" for p in (agree, differ)]
    ['0.000', '0.368']
    """
    table = _checks.array("probs", probs, 3)
    samples, n, _ = table.shape
    groups = None if member is None else member_samples(member, samples)
    dtype = _cells.floating(table)
    out: dict[str, Array] = {}
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in _cells.row_chunks(table.shape):
            p = _cells.load(table, rows, dtype)
            if validate and not _checks.normalised(p):
                _checks.probabilities("probs", table, 3)  # raises, naming the rows of the whole table
            _cells.store(out, _measure(p, groups), rows, n, dtype)
    return out


def _measure(p: Array, groups: list[Array] | None) -> dict[str, Array]:
    samples, _, k = p.shape
    p = _cells.side_by_side(p)
    turned = [_cells.by_class(cells, k) for cells in _cells.over_samples(p)]
    axis = turned[0][1]
    cells = _cells.Cells(*(table for table, _ in turned))
    entropy = -_cells.p_log_p(cells.mean).sum(axis)
    mutual = _cells.at_least_zero(cells.mutual.sum(axis))
    reverse = _cells.at_least_zero(cells.reverse.sum(axis))
    measures = {
        "negative_confidence": -cells.mean.max(axis),
        "entropy": _cells.at_least_zero(entropy),
        "expected_entropy": _cells.at_least_zero(entropy - mutual),
        "mutual_information": mutual,
        "epkl": mutual + reverse,
        "reverse_mutual_information": reverse,
        "model_variance": cells.variance.mean(axis),
    }
    if groups is not None:
        measures["member_mutual_information"] = mutual
        if len(groups) < samples:
            own, _ = _cells.by_class(_p_log_p_of_members(p, groups), k)
            between = (own - _cells.p_log_p(cells.mean)).sum(axis)
            measures["member_mutual_information"] = _cells.at_least_zero(between)
    return measures


def _p_log_p_of_members(p: Array, groups: list[Array]) -> Array:
    """Mean over members of what each cell takes from the entropy of the member's mean."""
    total = np.zeros(p.shape[1])
    for samples in groups:
        total += len(samples) / len(p) * _cells.p_log_p(_cells.sample_mean(p[samples]))
    return total.astype(p.dtype)


def member_samples(member: ArrayLike, samples: int) -> list[Array]:
    """The sample numbers of each member.

    >>> member_samples([0, 0, 1], 3)
    [array([0, 1]), array([2])]
    """
    numbers = _checks.finite("member", member)
    if len(numbers) != samples:
        raise InputError(
            f"member has {len(numbers)} entries for {samples} samples; give one member number a sample"
        )
    _, index, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    return np.split(np.argsort(index, kind="stable"), np.cumsum(counts)[:-1])
