"""Needs that contradict each other."""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.bench.advice._rule import Words
from surefoot.bench.advice._sources import Source, shifts, text


@dataclass(frozen=True)
class Conflict:
    """Needs that do not go together, and what to ask for instead."""

    name: str
    says: str
    source: Source
    when: Words


CONFLICTS = (
    Conflict(
        "knowledge from one evaluation",
        "knowledge uncertainty is what samples disagree on, but one evaluation a prediction leaves no second sample: "
        "what is left gives it without comparison or badly; allow ten evaluations, or ask for total uncertainty",
        text(
            "section II-C",
            "Model uncertainty can be quantified with Monte Carlo integration or the aggregation of individual models",
        ),
        {"uncertainty": ("knowledge",), "inference": ("one",)},
    ),
    Conflict(
        "combinations without members",
        "with several labels an input the paper recommends ensembles, but the budget allows one model; "
        "two are the least ensemble",
        text(
            "section V",
            "any form of ensembling is valuable in multi-label classification to boost performance",
        ),
        {"labels": ("several",), "memory": ("one",)},
    ),
    Conflict(
        "novelty by noise",
        "data uncertainty speaks of noise in what is known, not of what is new: "
        "to notice a shift, ask for knowledge uncertainty",
        shifts(
            "section 3",
            "uncertainty measures that capture knowledge uncertainty perform best at OOD detection",
        ),
        {"uncertainty": ("data",), "shift": ("covariate", "novel")},
    ),
    Conflict(
        "knowledge without shift",
        "knowledge uncertainty notices a shift, but none is expected: "
        "to find errors in-domain, ask for total uncertainty",
        shifts("section 3", "the measure of total uncertainty performs best for detecting errors"),
        {"uncertainty": ("knowledge",), "shift": ("none",)},
    ),
)
