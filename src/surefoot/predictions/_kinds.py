"""What each kind of prediction consists of: which arrays, over which axes, and which target.

The readers and writers go by the axes (S samples, N inputs, K classes), never by a kind's name. A new kind of
this shape is one entry here and one constructor of the same name in `Predictions`; a ragged one (beams of
hypotheses, sets of trajectories) also brings an axis of its own, which the readers and writers have to learn.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from surefoot._checks import choice
from surefoot.errors import InputError


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

    Where only the target does not fit, it is the constructor's to say so.

    >>> kind_holding({"probs", "target"}, "NK").name
    'multilabel'
    """
    fitting = [kind for kind in KINDS.values() if set(kind.required) <= set(names)]
    return next(
        (kind for kind in fitting if kind.target_axes == target_axes), fitting[0] if fitting else None
    )


_REMEDIES = {
    "probs": "apply a softmax to the logits (a sigmoid if labels are independent) and store the result as probs",
    "variance": "if the model gives none, write its mean squared error on held-out data in every row",
}


def lacking(kind: Kind, name: str) -> InputError:
    """The refusal of predictions without an array that their kind requires."""
    needed = f"{name} [{', '.join(kind.arrays[name])}] is missing; {kind.name} predictions need "
    remedy = f": {_REMEDIES[name]}" if name in _REMEDIES else ""
    return InputError(needed + " and ".join(kind.required) + remedy)


def no_kind(what: str, names: Collection[str], note: str = "") -> InputError:
    """The refusal of a file whose arrays or columns make up no kind.

    >>> print(no_kind("arrays", ["x"]))
    the arrays are x, but probs, or mean and variance are needed; rename them
    """
    for kind in KINDS.values():
        missing = [name for name in kind.required if name not in names]
        if len(missing) < len(kind.required) or ("probs" in missing and "logits" in names):
            return lacking(kind, missing[0])
    listed = ", ".join(names) or "none"
    return InputError(f"the {what} are {listed}, but {NEEDED} are needed{note}; rename them")


_LIKE_A_TARGET = re.compile(
    r"\s*(labels?|y(_true|_test)?|class|true|truth|ground_truth|targets?(_.*)?)\s*", re.I
)


def refuse_misnamed_target(names: Collection[str]) -> None:
    """Refuse a file that has no target, but a column that looks like one.

    >>> refuse_misnamed_target(["probs", "age"])
    """
    alike = [name for name in names if _LIKE_A_TARGET.fullmatch(name)]
    if alike and "target" not in names:
        raise InputError(
            f"there is no target; the column {alike[0]} looks like one: rename it to target "
            "(or drop it to evaluate without labels)"
        )
