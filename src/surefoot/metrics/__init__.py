"""How good are predictions, and how good is their uncertainty? One pure function a metric.

Arrays in, a number (or a curve) out. `describe(name)` says which way is better, between which bounds, and
whether models may be ranked by it.

>>> from surefoot.metrics import describe, f1_auc
>>> round(f1_auc([0.2, 3.0, 0.4], [0.1, 0.9, 0.3], threshold=1.0), 4)
0.6889
>>> describe("f1_auc").higher_is_better
True
"""

from surefoot.metrics._bootstrap import poisson_bootstrap
from surefoot.metrics._calibration import (
    Reliability,
    ace,
    binned_error,
    calibration_error,
    ece,
    reliability,
    reliability_from,
    sce,
    tace,
)
from surefoot.metrics._detection import (
    Detection,
    aupr,
    auroc,
    detection,
    fpr_at,
    misclassification_aupr,
    misclassification_auroc,
)
from surefoot.metrics._estimation import acc_ci, accuracy_interval, interval_coverage, mae_ci
from surefoot.metrics._f1 import macro_f1, macro_f1_from_codes, micro_f1
from surefoot.metrics._intervals import Interval, influence, interval, standard_error
from surefoot.metrics._multilabel import (
    multilabel_brier,
    multilabel_ece,
    multilabel_f1,
    multilabel_log_likelihood,
)
from surefoot.metrics._proper import accuracy, brier, brier_rows, log_likelihood, log_likelihood_rows
from surefoot.metrics._ranking import Ranking, rank
from surefoot.metrics._registry import REGISTRY, Metric, describe
from surefoot.metrics._regression import (
    crps_gaussian,
    crps_gaussian_rows,
    gaussian_interval,
    gaussian_nll,
    gaussian_nll_rows,
    interval_score,
    mae,
    mpiw,
    picp,
    rmse,
)
from surefoot.metrics._rejection import (
    AccuracyConfidence,
    RejectionCurve,
    accuracy_confidence,
    accuracy_rejection,
    au_arc,
    aurc,
    risk_coverage,
)
from surefoot.metrics._retention import (
    ErrorRetention,
    F1Retention,
    Retention,
    error_retention,
    f1_at,
    f1_auc,
    f1_retention,
    r_auc,
    retention,
)
from surefoot.metrics._temperature import Calibrated, apply_temperature, calibrated, fit_temperature

__all__ = [
    "REGISTRY",
    "AccuracyConfidence",
    "Calibrated",
    "Detection",
    "ErrorRetention",
    "F1Retention",
    "Interval",
    "Metric",
    "Ranking",
    "RejectionCurve",
    "Reliability",
    "Retention",
    "acc_ci",
    "accuracy",
    "accuracy_confidence",
    "accuracy_interval",
    "accuracy_rejection",
    "ace",
    "apply_temperature",
    "au_arc",
    "aupr",
    "aurc",
    "auroc",
    "binned_error",
    "brier",
    "brier_rows",
    "calibrated",
    "calibration_error",
    "crps_gaussian",
    "crps_gaussian_rows",
    "describe",
    "detection",
    "ece",
    "error_retention",
    "f1_at",
    "f1_auc",
    "f1_retention",
    "fit_temperature",
    "fpr_at",
    "gaussian_interval",
    "gaussian_nll",
    "gaussian_nll_rows",
    "influence",
    "interval",
    "interval_coverage",
    "interval_score",
    "log_likelihood",
    "log_likelihood_rows",
    "macro_f1",
    "macro_f1_from_codes",
    "mae",
    "mae_ci",
    "micro_f1",
    "misclassification_aupr",
    "misclassification_auroc",
    "mpiw",
    "multilabel_brier",
    "multilabel_ece",
    "multilabel_f1",
    "multilabel_log_likelihood",
    "picp",
    "poisson_bootstrap",
    "r_auc",
    "rank",
    "reliability",
    "reliability_from",
    "retention",
    "risk_coverage",
    "rmse",
    "sce",
    "standard_error",
    "tace",
]
