"""How uncertain is a prediction? Measures over the samples of a posterior; higher always means less certain.

Each takes arrays with the samples first and returns a dictionary of arrays, one value a row. Every measure
speaks of the total uncertainty, of the noise in the data, or of what the model does not know:
``describe(name).speaks_of``.
"""

from surefoot.measures._classification import classification
from surefoot.measures._multilabel import multilabel, predicted_labels
from surefoot.measures._registry import MEASURES, Measure, describe, names
from surefoot.measures._regression import regression

__all__ = [
    "MEASURES",
    "Measure",
    "classification",
    "describe",
    "multilabel",
    "names",
    "predicted_labels",
    "regression",
]
