"""Reverse classification accuracy: does a model trained on the batch's predictions still know the reference?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot._checks import choice, classes
from surefoot.errors import InputError
from surefoot.shifts.detectors._probabilities import same_classes


@dataclass(frozen=True)
class ReverseAccuracy:
    """Accuracy on the reference of the model itself and of one trained on what it says about the batch.

    There is no p-value: the second model learns from other rows and from predictions instead of labels, and
    is a little worse even where nothing moved. Compare it with that of batches that have not.

    Attributes:
        direct: accuracy of the model.
        reverse: accuracy of the reverse model.
        statistic: what is lost, ``direct - reverse`` (with ``convention="published"`` the negative of it).
    """

    direct: float
    reverse: float
    statistic: float


def reverse_classification_accuracy(
    model: Any,
    reference: Any,
    target: ArrayLike,
    probs_reference: ArrayLike,
    batch: Any,
    probs_batch: ArrayLike,
    *,
    convention: str = "paper",
) -> ReverseAccuracy:
    """RCA: train on the batch with the model's predictions as labels, and see what it knows of the reference.

        accuracy of the model on the reference − accuracy of the reverse model on the reference

    Elsahar & Gallé 2019. ``model`` is a scikit-learn estimator (a fresh clone of it is fitted; of a
    calibrated one, the estimator inside) or a function ``fit(X, y)`` that returns anything with ``predict``.
    ``target`` and predictions are class codes 0 … K−1; ``reference`` and ``batch`` may be whatever the model
    takes. Where the model predicts one class for the whole batch, so does the reverse model. The
    published code of Maggio et al. 2022 gives nothing where any class is missing, fills that in with a mean,
    and has the other sign (``convention="published"`` for the sign).

    >>> from sklearn.linear_model import LogisticRegression
    >>> x, y = np.linspace(-1, 1, 40)[:, None], np.repeat([0, 1], 20)
    >>> model = LogisticRegression().fit(x, y)
    >>> reverse_classification_accuracy(model, x, y, model.predict_proba(x), x, model.predict_proba(x))
    ReverseAccuracy(direct=1.0, reverse=1.0, statistic=0.0)
    """
    choice("convention", convention, ("paper", "published"))
    known, new = same_classes(probs_reference, probs_batch)
    labels = classes("target", target, known.shape[1])
    for name, length in (("target", len(labels)), ("reference", len(reference))):
        if length != len(known):
            raise InputError(f"{name} has {length} rows and probs_reference {len(known)}; give the same rows")
    if len(batch) != len(new):
        raise InputError(f"batch has {len(batch)} rows and probs_batch {len(new)}; give the same rows")
    direct = float((known.argmax(axis=1) == labels).mean())
    pseudo = new.argmax(axis=1)
    if (pseudo == pseudo[0]).all():
        predicted = np.full(len(labels), pseudo[0])
    else:
        predicted = np.asarray(_fitter(model)(batch, pseudo).predict(reference))
    reverse = float((predicted == labels).mean())
    lost = direct - reverse
    return ReverseAccuracy(direct, reverse, lost if convention == "paper" else -lost)


def _fitter(model: Any) -> Callable[[Any, NDArray[np.int64]], Any]:
    """A function that trains a fresh model."""
    if not hasattr(model, "fit"):
        if not callable(model):
            raise InputError(
                f"model is a {type(model).__name__}; give a scikit-learn estimator or a function fit(X, y)"
            )
        return model  # type: ignore[no-any-return]
    from sklearn.base import clone
    from sklearn.calibration import CalibratedClassifierCV

    inside = (
        model.calibrated_classifiers_[0].estimator if isinstance(model, CalibratedClassifierCV) else model
    )
    return lambda x, y: clone(inside).fit(x, y)
