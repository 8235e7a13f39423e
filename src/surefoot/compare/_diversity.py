"""How differently the members of an ensemble predict."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from surefoot import _checks
from surefoot.compare._scores import Floats
from surefoot.measures import _cells
from surefoot.measures._classification import member_samples


def diversity(probs: ArrayLike, member: ArrayLike | None = None) -> float:
    """Mean divergence KL(pₘ ‖ p̄) of the members' ``probs[S, N, K]`` from their mean, in nats; 0: all agree.

    ``member[S]`` says which member each sample came from: members are then averaged over their samples first,
    and weigh as in p̄, by their number of samples. Without it each sample is a member. More diverse members
    are not better in themselves: look at it beside the accuracy.

    Van Landeghem et al. 2022 (text classification), section IV-D1, and their published code. It is the mean
    over rows of `surefoot.measures.classification`'s ``mutual_information``, or of its
    ``member_mutual_information``.

    >>> round(diversity([[[0.9, 0.1]], [[0.1, 0.9]]]), 4)
    0.3681
    >>> diversity([[[0.9, 0.1]], [[0.1, 0.9]]], member=[0, 0])
    0.0
    """
    per_member, weights = _divergences(probs, member)
    return float(weights @ per_member)


def diversity_of_members(probs: ArrayLike, member: ArrayLike | None = None) -> Floats:
    """Each member's mean divergence KL(pₘ ‖ p̄), in ascending order of ``member``; see `diversity`.

    >>> diversity_of_members([[[0.9, 0.1]], [[0.8, 0.2]], [[0.1, 0.9]]]).round(4)
    array([0.2263, 0.0915, 0.5507])
    """
    return _divergences(probs, member)[0]


def _divergences(probs: ArrayLike, member: ArrayLike | None) -> tuple[Floats, Floats]:
    """Each member's divergence from the mean, and its weight in the mean."""
    table = _checks.probabilities("probs", probs, 3)
    samples, n, _ = table.shape
    members = member_samples(np.arange(samples) if member is None else member, samples)
    total = np.zeros(len(members))
    for rows in _cells.row_chunks(table.shape):
        chunk = table[:, rows].astype(np.float64)
        mean = chunk.mean(axis=0) + _checks.EPSILON
        for i, own in enumerate(members):
            p = chunk[own].mean(axis=0)
            total[i] += (p * np.log((p + _checks.EPSILON) / mean)).sum()
    return _cells.at_least_zero(total / n), np.array([len(own) / samples for own in members])
