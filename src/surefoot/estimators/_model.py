"""Anything that predicts, held to one form: outputs of a classifier are [n, K] probabilities, of a regressor [n]."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array, as_array, finite, probabilities, rows
from surefoot.errors import InputError

CLASSIFICATION, REGRESSION = "classification", "regression"


@dataclass(frozen=True)
class Model:
    """A model, whether it classifies, and the labels of its classes in the order of its probabilities."""

    native: Any
    kind: str
    classes: tuple[Any, ...] = ()

    def __call__(self, table: Any) -> Array:
        """Outputs for the rows of a table, checked."""
        if self.native is None:
            raise InputError("no model was given, so a batch needs its probabilities: estimate(probs=…)")
        try:
            outputs = self.method(table)
        except Exception as error:  # a model may raise anything
            raise InputError(
                f"the model refuses these rows ({reason(error)}); give rows it can predict"
            ) from error
        return self.checked(outputs, len(table))

    @property
    def method(self) -> Callable[[Any], Any]:
        """The model's own method."""
        method: Callable[[Any], Any] = getattr(
            self.native, "predict_proba" if self.kind == CLASSIFICATION else "predict"
        )
        return method

    def checked(self, outputs: Any, n: int | None = None) -> Array:
        """Outputs as an array of the right form, or what is wrong with them."""
        if self.kind == REGRESSION:
            out = finite("the predictions", np.ravel(as_array("the predictions", outputs)))
        else:
            out = probabilities("the predicted probabilities", outputs, 2)
            if self.classes and out.shape[1] != len(self.classes):
                raise InputError(
                    f"the probabilities have {out.shape[1]} columns for {len(self.classes)} classes; give one "
                    "column a class, in the order of the classes"
                )
        if n is not None and len(out) != n:
            raise InputError(f"the model gave {len(out)} predictions for {n} rows")
        return out.astype(np.float32)


def wrap(model: Any, classes: Any = None) -> Model:
    """Recognise a classifier by `predict_proba` and a regressor by `predict`."""
    if isinstance(model, type):
        raise InputError(f"{model.__name__} is a class of models, not a model; give one that is fitted")
    name = type(getattr(model, "native", model)).__name__
    if hasattr(model, "predict_proba"):
        known = classes if classes is not None else getattr(model, "classes_", None)
        if isinstance(known, list) and known and isinstance(known[0], np.ndarray):
            raise InputError("the model predicts several targets at once; give one for each target")
        return Model(model, CLASSIFICATION, named(known))
    if getattr(model, "_estimator_type", None) == "classifier" or hasattr(model, "classes_"):
        raise InputError(
            f"{name} has no predict_proba; wrap it, for instance in scikit-learn's "
            "CalibratedClassifierCV, or give its probabilities"
        )
    if hasattr(model, "predict"):
        return Model(model, REGRESSION)
    raise InputError(f"a {name} is no model: it has neither predict_proba nor predict")


def named(classes: Any) -> tuple[Any, ...]:
    """Labels of classes as Python's own values, none if nobody named them."""
    labels = () if classes is None else tuple(_listed_labels(classes))
    if len({_key(label) for label in labels}) < len(labels):
        raise InputError(f"the classes {_some(map(str, labels), 20)} name one twice; give every class once")
    return labels


def codes_of(labels: Any, model: Model, columns: int) -> tuple[NDArray[np.int64], tuple[Any, ...]]:
    """Codes of the labels in the order of the model's probabilities, and the classes.

    A model that does not name its classes has the codes 0 … K − 1 as labels.
    """
    values = _listed_labels(labels)
    classes = model.classes or tuple(range(columns))
    place = {_key(name): code for code, name in enumerate(classes)}
    absent = np.array([_is_missing(value) for value in values], dtype=bool)
    if absent.any():
        raise InputError(f"the labels are missing in {rows(absent)}; leave these rows out")
    codes = np.array([place.get(_key(value), -1) for value in values], dtype=np.int64)
    if (codes < 0).any():
        strange = sorted({str(value) for value, code in zip(values, codes, strict=True) if code < 0})
        if not model.classes:
            raise InputError(
                f"the labels hold {_some(strange)}, and the model does not name its {columns} classes; name them in "
                "the order of its probabilities (classes=…, on the command line --class LABEL for each)"
            )
        if set(strange) <= {str(name) for name in classes}:
            raise InputError(
                f"the labels hold {_some(strange)}, which the model has as {_kinds(classes)}, not as {_kinds(values)}; "
                "convert them"
            )
        raise InputError(
            f"the labels hold {_some(strange)}, but the model's classes are {_some(map(str, classes), 20)}; give "
            "labels of these classes, or leave such rows out"
        )
    return codes, classes


def targets_of(values: Any) -> Array:
    """The true values of a regression as float64."""
    import narwhals as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    plain = series.to_numpy() if isinstance(series, nw.Series) else series
    return finite("the target", _one_a_row("the target", plain)).astype(np.float64)


def _some(names: Iterable[str], limit: int = 5) -> str:
    listed = list(names)
    more = f" and {len(listed) - limit} more" if len(listed) > limit else ""
    return ", ".join(listed[:limit]) + more


def _listed_labels(labels: Any) -> list[Any]:
    import narwhals as nw

    series = nw.from_native(labels, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return series.to_list()
    if hasattr(labels, "to_pylist"):
        listed: list[Any] = labels.to_pylist()
        return listed
    values: list[Any] = _one_a_row("the labels", labels).tolist()
    return values


def _one_a_row(name: str, values: Any) -> Array:
    """A vector; a table of one column is one."""
    out = as_array(name, values)
    if out.ndim == 0 or out.size != len(out):
        raise InputError(f"{name} has shape {out.shape}, but one value a row is needed")
    return np.ravel(out)


def _is_missing(value: Any) -> bool:
    """Whether a label is None, NaN or pandas' NA, which does not even say that it differs from itself."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def reason(error: Exception) -> str:
    """What an exception says, its first line, or what it is called where it says nothing.

    >>> reason(ValueError("Input X contains NaN.\\nUse an imputer.")), reason(KeyError())
    ('Input X contains NaN', 'KeyError')
    """
    return str(error).partition("\n")[0].rstrip(".:") or type(error).__name__


def _kinds(labels: Iterable[Any]) -> str:
    """The types of labels, in the words of the language."""
    return " and ".join(sorted({type(label).__name__ for label in labels}))


def _key(value: Any) -> Any:
    """Labels that are equal as numbers are the same label: 1, 1.0 and True."""
    return float(value) if isinstance(value, bool | int | float | np.number) else str(value)
