"""How accurate a model is on data nobody has labelled, and between which bounds.

>>> import numpy as np
>>> from sklearn.linear_model import LogisticRegression
>>> from surefoot import estimators
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(2000, 3)); y = (X[:, 0] + rng.normal(size=2000) > 0).astype(int)
>>> model = LogisticRegression().fit(X[:1000], y[:1000])
>>> estimator = estimators.fit(model, X[1000:], y[1000:], domains=100)
>>> estimate = estimator.estimate(rng.normal(size=(500, 3)))
>>> estimate.low < estimate.value < estimate.high
True
"""

from surefoot.estimators._auto import Auto
from surefoot.estimators._confidence import ATC, DoC, MeanConfidence
from surefoot.estimators._dummy import Dummy
from surefoot.estimators._error_predictor import ErrorPredictor
from surefoot.estimators._estimate import Estimate
from surefoot.estimators._estimator import Estimator
from surefoot.estimators._expert_detection import ExpertDetection
from surefoot.estimators._expert_percentiles import ExpertPercentiles
from surefoot.estimators._fit import fit
from surefoot.estimators._importance import ImportanceWeighted
from surefoot.estimators._load_model import load_model
from surefoot.estimators._method import Method
from surefoot.estimators._store import load

__all__ = [
    "ATC",
    "Auto",
    "DoC",
    "Dummy",
    "ErrorPredictor",
    "Estimate",
    "Estimator",
    "ExpertDetection",
    "ExpertPercentiles",
    "ImportanceWeighted",
    "MeanConfidence",
    "Method",
    "fit",
    "load",
    "load_model",
]
