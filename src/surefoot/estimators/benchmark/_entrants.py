"""Who takes part in which experiment: methods under the names that the tables give them.

- *published*: tables III to VII, methods as the paper has them, which learn from its training domains;
- *ours*: methods of this package with their calibrated intervals, which learn from what `fit` rehearses;
- *ablation*: figure 5, variants of the error predictor;
- *kinds*: figure 6a, the published error predictor on every combination of training kinds;
- *domains*: figure 6b, the same on fewer domains of every kind.

The published error predictor itself, on everything, is only among the *published*: figures 5 and 6b take it from there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from surefoot.estimators._auto import Auto
from surefoot.estimators._confidence import ATC, DoC, MeanConfidence
from surefoot.estimators._dummy import Dummy
from surefoot.estimators._error_predictor import ErrorPredictor
from surefoot.estimators._expert_detection import ExpertDetection
from surefoot.estimators._expert_percentiles import ExpertPercentiles
from surefoot.estimators._importance import ImportanceWeighted
from surefoot.estimators._method import Method
from surefoot.estimators.benchmark._published import Published

PUBLISHED, OURS, ABLATION, KINDS_OF, DOMAINS_OF = EXPERIMENTS = (
    "published",
    "ours",
    "ablation",
    "kinds",
    "domains",
)

PREDICTOR = "ErrorPredictorRF"
"""The paper's own method."""

NUMBERS = (1, 2, 5, 10, 20, 50)
"""Training domains of each kind in figure 6b, beside all that there are."""

WITH_KINDS = 20
"""Training domains of each kind in figure 6a, where 31 combinations are trained on; at most half of all there are."""


@dataclass(frozen=True)
class Entrant:
    """A method, and the training kinds and domains of each that it learns from."""

    name: str
    method: Method
    kinds: tuple[str, ...]
    domains: int


_PUBLISHED: Mapping[str, Method] = {
    "ATC": ATC(),
    "ATC confidence": ATC("confidence"),
    "ExpertRF [3]": ExpertPercentiles(),
    "ExpertRF [2]": ExpertDetection(),
    PREDICTOR: Published(),
    "no change": Dummy(),
}

_OURS: Mapping[str, Method] = {
    "mean confidence": MeanConfidence(),
    "DoC": DoC(),
    "importance-weighted": ImportanceWeighted(),
    "ErrorPredictor": ErrorPredictor(),
    "Auto": Auto(),
}

_ABLATION: Mapping[str, Method] = {
    "ErrorPredictorRF_no_shift": Published(shifted=False),
    "ErrorPredictorGradBoost": Published("boosting"),
    "ErrorPredictorKNN": Published("neighbours"),
    "RF, all probabilities": Published(features="full"),
    "RF, probabilities alone": Published(features="outputs"),
    "our boosting": ErrorPredictor(features="paper", cross_fitted=False),
    "our boosting, no_shift": ErrorPredictor(features="paper", shifted=False, cross_fitted=False),
}

METHODS: Mapping[str, tuple[str, ...]] = {
    PUBLISHED: tuple(_PUBLISHED),
    OURS: tuple(_OURS),
    ABLATION: tuple(_ABLATION),
}
"""Names of the methods that are compared, by experiment, in the order of the tables."""


def ours() -> Mapping[str, Method]:
    """Methods that `fit` trains."""
    return _OURS


def entrants(experiment: str, families: Sequence[str], domains: int) -> list[Entrant]:
    """Who takes part, where these families of shifts have so many training domains each."""
    every = tuple(families)
    if experiment in (PUBLISHED, ABLATION):
        methods = _PUBLISHED if experiment == PUBLISHED else _ABLATION
        return [Entrant(name, method, every, domains) for name, method in methods.items()]
    if experiment == KINDS_OF:
        few = min(WITH_KINDS, (domains + 1) // 2)
        chosen = [some for k in range(1, len(every) + 1) for some in combinations(every, k)]
        return [Entrant(PREDICTOR, Published(), some, few) for some in chosen]
    return [Entrant(PREDICTOR, Published(), every, number) for number in NUMBERS if number < domains]
