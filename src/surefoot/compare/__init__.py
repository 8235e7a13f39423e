"""Which method is better, and does the difference mean anything? Fair comparisons over raw arrays.

>>> from surefoot.compare import ranks
>>> ranks([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.6, 0.5]], higher_is_better=True).mean_ranks
array([1., 2., 3.])
"""

from surefoot.compare._change import Change
from surefoot.compare._compare import compare
from surefoot.compare._comparison import Comparison, Difference, Entrant
from surefoot.compare._correlation import UncertaintyCorrelation, point_biserial, uncertainty_correlation
from surefoot.compare._curve import EnsembleCurve, ensemble_curve
from surefoot.compare._diversity import diversity, diversity_of_members
from surefoot.compare._equivalent import DeepEnsembleEquivalent, deep_ensemble_equivalent
from surefoot.compare._guard import require_comparable
from surefoot.compare._ranks import FTest, Ranks, ranks
from surefoot.compare._wins import WinsDrawsLosses, wins_draws_losses
from surefoot.compare._yardstick import Ensemble, Equivalent
from surefoot.errors import NotComparable, NotComparableWarning

__all__ = [
    "Change",
    "Comparison",
    "DeepEnsembleEquivalent",
    "Difference",
    "Ensemble",
    "EnsembleCurve",
    "Entrant",
    "Equivalent",
    "FTest",
    "NotComparable",
    "NotComparableWarning",
    "Ranks",
    "UncertaintyCorrelation",
    "WinsDrawsLosses",
    "compare",
    "deep_ensemble_equivalent",
    "diversity",
    "diversity_of_members",
    "ensemble_curve",
    "point_biserial",
    "ranks",
    "require_comparable",
    "uncertainty_correlation",
    "wins_draws_losses",
]
