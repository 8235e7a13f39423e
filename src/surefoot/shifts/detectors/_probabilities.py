"""What a model says about the two samples."""

from __future__ import annotations

from numpy.typing import ArrayLike

from surefoot._checks import Array, probabilities
from surefoot.errors import InputError


def same_classes(probs_reference: ArrayLike, probs_batch: ArrayLike) -> tuple[Array, Array]:
    """Both as valid probabilities [N, K] of the same number of classes."""
    first = probabilities("probs_reference", probs_reference, 2)
    second = probabilities("probs_batch", probs_batch, 2)
    if first.shape[1] != second.shape[1]:
        raise InputError(
            f"probs_reference has {first.shape[1]} classes and probs_batch {second.shape[1]}; "
            "give the same classes in the same order"
        )
    return first, second
