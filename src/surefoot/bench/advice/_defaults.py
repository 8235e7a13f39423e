"""Reasonable values for what a set-up leaves open, and where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from surefoot.bench.advice._rule import Words
from surefoot.bench.advice._sources import Source, pitfalls, shifts, text


@dataclass(frozen=True)
class Default:
    """A setting and its value, when the needs and the set-up are such."""

    name: str
    value: str
    source: Source
    when: Words = field(default_factory=dict)
    of: Words = field(default_factory=dict)


DEFAULTS = (
    Default(
        "members",
        "five are plenty, fewer will do where the rate of dropout is learnt",
        text("appendix B", "ensemble models is plenty"),
        {},
        {"ensemble": ("yes",)},
    ),
    Default(
        "members of boosted trees",
        "ten, if there is room",
        shifts("section 3", "an ensemble of ten models is trained"),
        {"inputs": ("table",)},
        {"ensemble": ("yes",), "noise": ("none",)},
    ),
    Default(
        "passes",
        "10; more with very many classes, but less than in proportion",
        Source(
            "text",
            "appendix B",
            "of stochastic samples suffices, if large number of classes, scale sub-linearly with",
        ),
        {},
        {"passes": ("many",)},
    ),
    Default(
        "rate of dropout",
        "0.5 to begin with; better cross-validated layer by layer",
        text("appendix B", "It is best to cross-validate layer-wise dropout probabilities"),
        {},
        {"noise": ("dropout",)},
    ),
    Default(
        "rate of dropout",
        "learnt, layer by layer",
        text("appendix B", "it warrants the low effort of incorporating Concrete Dropout"),
        {},
        {"noise": ("concrete-dropout",)},
    ),
    Default(
        "draws of the loss",
        "10; many more cost training time",
        Source(
            "text",
            "appendix B",
            "also applies to the number of samples drawn to calculate heteroscedastic loss",
        ),
        {},
        {"head": ("heteroscedastic",)},
    ),
    Default(
        "weight decay",
        "1e-6 to 1e-4, tuned; none over all layers where weights are pre-trained",
        text("appendix B", "best to start with small values"),
        {"inputs": ("text", "images")},
    ),
    Default(
        "spectral norm",
        "tried from 1 to 15, with up to 1024 inducing points",
        Source(
            "text", "appendix C", "we follow the recommended tuning procedure to find an appropriate value"
        ),
        {},
        {"name": ("sngp",)},
    ),
    Default(
        "temperature",
        "scaled after training, of ensembles too",
        pitfalls("section 5", "Temperature scaling is a must even for ensembles"),
        {"labels": ("one",)},
    ),
    Default(
        "temperature under shift",
        "not to be relied on: what calibrates in-domain does so less the further the data move",
        Source(
            "text",
            "section II-A",
            "they have been found to be less effective under increasing distribution shift",
        ),
        {"shift": ("covariate", "novel")},
    ),
    Default(
        "augmentation",
        "also at test time, which takes no more training",
        pitfalls("section 5", "Test-time data augmentation is a surprisingly strong baseline"),
        {"inputs": ("images",)},
    ),
    Default(
        "network",
        "a small one: five TextCNNs have 30 M parameters, one BERT 110 M",
        text("section V", "it can be more sensible to rely on a TextCNN ensemble"),
        {"inputs": ("text",), "memory": ("one", "short")},
    ),
    Default(
        "network",
        "a small one: BERT finds novel classes worse than a TextCNN",
        text("section V", "points to a deficiency of BERT for detecting novel class data"),
        {"inputs": ("text",), "shift": ("novel",)},
    ),
)

MEASURES: Mapping[str, tuple[str, Source]] = {
    "total": (
        "entropy",
        text("section IV-C", "superior robustness of predictive entropy as an uncertainty metric"),
    ),
    "data": (
        "expected_entropy",
        text("section II-C", "which is a combination of model and data uncertainty"),
    ),
    "knowledge": (
        "reverse_mutual_information",
        shifts("section 3", "Among them, reverse mutual information performs best"),
    ),
}
"""The measure to read for each kind of uncertainty."""
