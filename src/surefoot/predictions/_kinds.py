"""What each kind of prediction consists of: which arrays, over which axes, and which target.

The readers and writers go by the axes (S samples, N inputs, K classes), never by a kind's name. A new kind of
this shape is one entry here and one constructor of the same name in `Predictions`; a ragged one (beams of
hypotheses, sets of trajectories) also brings an axis of its own, which the readers and writers have to learn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from surefoot._checks import choice


@dataclass(frozen=True)
class Kind:
    """The shape of one kind of prediction."""

    name: str
    arrays: Mapping[str, str]
    """Array name → its axes."""
    required: tuple[str, ...]
    """The arrays that must be there; the others follow the shape of the first of them."""
    target_axes: str

    @property
    def has_classes(self) -> bool:
        """Whether there is a class axis, and so class names."""
        return any("K" in axes for axes in self.arrays.values())


_BY_CLASS = {"probs": "SNK", "logits": "SNK", "data_variance": "SN"}

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("classification", _BY_CLASS, required=("probs",), target_axes="N"),
        Kind("multilabel", _BY_CLASS, required=("probs",), target_axes="NK"),
        Kind(
            "regression",
            {"mean": "SN", "variance": "SN", "data_variance": "SN"},
            required=("mean", "variance"),
            target_axes="N",
        ),
    )
}

RESERVED = frozenset(
    {"kind", "target", "id", "partition", "member", "classes", "info"}
    | {name for kind in KINDS.values() for name in kind.arrays}
)
"""Names that metadata columns may not take, because a file holds something else under them."""

NEEDED = ", or ".join(dict.fromkeys(" and ".join(kind.required) for kind in KINDS.values()))
"""What a file must hold, for messages: "probs, or mean and variance"."""


def kind_named(name: str) -> Kind:
    """Look a kind up; an unknown name is refused with the list of kinds.

    >>> kind_named("regression").arrays["mean"]
    'SN'
    """
    return KINDS[choice("kind", name, tuple(KINDS))]


def kind_holding(names: Collection[str], target_axes: str) -> Kind | None:
    """Tell the kind of a file that does not state it, from its arrays and the axes of its target.

    >>> kind_holding({"probs", "target"}, "NK").name
    'multilabel'
    """
    for kind in KINDS.values():
        if kind.target_axes == target_axes and set(kind.required) <= set(names):
            return kind
    return None
