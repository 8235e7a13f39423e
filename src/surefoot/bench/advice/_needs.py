"""What somebody needs, and the words by which rules speak of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from surefoot.errors import InputError

Inputs = Literal["text", "table", "images"]
Tuning = Literal["none", "some", "much"]
Shift = Literal["none", "covariate", "novel"]
Uncertainty = Literal["total", "data", "knowledge"]

INPUTS: tuple[Inputs, ...] = get_args(Inputs)
TUNING: tuple[Tuning, ...] = get_args(Tuning)
SHIFTS: tuple[Shift, ...] = get_args(Shift)
UNCERTAINTIES: tuple[Uncertainty, ...] = get_args(Uncertainty)
BUDGETS = ("memory", "training", "inference")

MANY_CLASSES = 50
"""More are "a large set of unique classes" (Van Landeghem et al. 2022, footnote 2)."""

HIGH_CARDINALITY = 2.0
"""Labels an input: of the paper's two datasets, Reuters has 1.24 and AAPD 2.41, and they lead to different advice."""

FULL = 5
"""Members of a full ensemble (Van Landeghem et al. 2022, appendix B)."""


@dataclass(frozen=True)
class Needs:
    """What is asked of a method.

    Attributes:
        classes: how many classes there are.
        cardinality: labels of an input on average, if one may have several; None: each has exactly one.
        inputs: what the model reads.
        memory: how many models of the size of a single one may be stored; None: no limit.
        training: how many times the training of a single model may be spent; None: no limit.
        inference: how many evaluations of a single model a prediction may take; None: no limit.
        tuning: how much effort hyper-parameters may take.
        shift: what is expected of the data to come: the same, other inputs, or classes that were never seen.
        uncertainty: what it is to speak of: all, the noise in the data, or what the model does not know.
    """

    classes: int
    cardinality: float | None = None
    inputs: Inputs = "text"
    memory: float | None = None
    training: float | None = None
    inference: float | None = None
    tuning: Tuning = "some"
    shift: Shift = "none"
    uncertainty: Uncertainty = "total"

    def __post_init__(self) -> None:
        if self.classes < 2:
            raise InputError(f"classes is {self.classes}; a classification has at least 2")
        if self.cardinality is not None and not 0 < self.cardinality <= self.classes:
            raise InputError(
                f"cardinality is {self.cardinality:g}; give the average number of labels of an input, "
                f"above 0 and at most the {self.classes} classes, or leave it out if each has exactly one"
            )
        for name in BUDGETS:
            value = getattr(self, name)
            if value is not None and not value >= 1:
                raise InputError(
                    f"{name} is {value:g}; it counts single models, and one is the least there is"
                )
        for name, allowed in (
            ("inputs", INPUTS),
            ("tuning", TUNING),
            ("shift", SHIFTS),
            ("uncertainty", UNCERTAINTIES),
        ):
            if getattr(self, name) not in allowed:
                raise InputError(f"{name} is {getattr(self, name)!r}; choose from {', '.join(allowed)}")

    @cached_property
    def words(self) -> Mapping[str, str]:
        """Numbers as words, which rules have as conditions.

        >>> Needs(classes=90, cardinality=1.24, memory=3).words["cardinality"]
        'low'
        """
        several = self.cardinality is not None
        high = several and self.cardinality is not None and self.cardinality >= HIGH_CARDINALITY
        return {
            "inputs": self.inputs,
            "classes": "many" if self.classes > MANY_CLASSES else "few",
            "labels": "several" if several else "one",
            "cardinality": "high" if high else "low" if several else "one",
            "tuning": self.tuning,
            "shift": self.shift,
            "uncertainty": self.uncertainty,
            **{name: _amount(getattr(self, name)) for name in BUDGETS},
        }


def _amount(budget: float | None) -> str:
    """One model, fewer than a full ensemble, or enough for it."""
    if budget is None or budget >= FULL:
        return "ample"
    return "one" if budget < 2 else "short"
