"""ONNX models as objects that predict: tables go in column by column or as one matrix, probabilities come out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import Column, Columns, open_columns
from surefoot.errors import InputError
from surefoot.estimators._onnx_graph import classes_of

_NUMBERS = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
}
_TEXT = "tensor(string)"
_MAPS = "seq(map("
_FLOATS = ("tensor(float)", "tensor(double)", "tensor(float16)")


class OnnxModel:
    """A graph in ONNX Runtime; ``content`` are the bytes of its file."""

    def __init__(self, content: bytes, session: Any, name: str) -> None:
        self.content = content
        self.session = session
        self.name = name

    def run(self, table: Any, outputs: list[str]) -> list[Any]:
        """These outputs for the rows of a table."""
        feed = _feed(self.session.get_inputs(), open_columns(table), self.name)
        try:
            results: list[Any] = self.session.run(outputs, feed)
        except Exception as error:  # ONNX Runtime has no common class of its errors
            raise InputError(f"{self.name} cannot predict these rows ({_first_line(error)})") from error
        return results


class OnnxRegressor(OnnxModel):
    """A graph whose first output of floats is the prediction."""

    def predict(self, table: Any) -> NDArray[Any]:
        """Predicted values, [n]."""
        output = next(one.name for one in self.session.get_outputs() if one.type in _FLOATS)
        return np.ravel(self.run(table, [output])[0])


class OnnxClassifier(OnnxModel):
    """A graph with outputs of class probabilities; ``classes_`` are the labels, where it names them."""

    def __init__(self, content: bytes, session: Any, name: str, probabilities: list[Any]) -> None:
        super().__init__(content, session, name)
        self.probabilities = [one.name for one in probabilities]
        self.of_maps = probabilities[0].type.startswith(_MAPS)
        k = len(probabilities) if len(probabilities) > 1 else _last(probabilities[0])
        if self.of_maps or isinstance(k, int):
            labels = classes_of(content, None if self.of_maps else k)
            if labels:
                self.classes_ = np.asarray(labels)

    def predict_proba(self, table: Any) -> NDArray[Any]:
        """Class probabilities, [n, K]."""
        results = self.run(table, self.probabilities)
        if self.of_maps:  # a dictionary a row
            return np.array([[row[label] for label in self.classes_.tolist()] for row in results[0]])
        if len(results) > 1:  # an output a class
            return np.stack([np.ravel(one) for one in results], axis=1)
        return np.asarray(results[0])


def open_onnx(content: bytes, name: str) -> OnnxModel:
    """The model in the bytes of an ONNX file, as a classifier if it gives a probability for each class."""
    try:
        import onnxruntime
    except ImportError:
        raise InputError(
            "ONNX models need onnxruntime; install with: pip install 'surefoot[estimate]'"
        ) from None
    try:
        session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise InputError(f"{name} is not an ONNX model, or it is damaged ({_first_line(error)})") from error
    probabilities = _probabilities(session.get_outputs())
    if probabilities:
        return OnnxClassifier(content, session, name, probabilities)
    outputs = session.get_outputs()
    if not any(one.type in _FLOATS for one in outputs) or any(_is_label(one) for one in outputs):
        raise InputError(
            f"{name} gives {', '.join(f'{one.name} ({one.type})' for one in outputs)}, which is neither a probability "
            "for each class nor a number; export it with its probabilities"
        )
    return OnnxRegressor(content, session, name)


def _probabilities(outputs: list[Any]) -> list[Any]:
    """The outputs that are class probabilities: dictionaries, a matrix, or one vector a class beside the label."""
    maps = [one for one in outputs if one.type.startswith(_MAPS)]
    if maps:
        return maps[:1]
    floats = [one for one in outputs if one.type in _FLOATS]
    labelled = any(_is_label(one) for one in outputs)
    matrices = [
        one
        for one in floats
        if len(one.shape) == 2 and _last(one) != 1 and (labelled or isinstance(_last(one), int))
    ]
    if matrices:
        return sorted(matrices, key=lambda one: "prob" not in one.name.lower())[:1]
    return floats if labelled and len(floats) > 1 else []


def _is_label(output: Any) -> bool:
    return output.type in (_TEXT, "tensor(int64)", "tensor(int32)")


def _last(output: Any) -> Any:
    """Length of the last axis; a name or None where it is open."""
    return output.shape[-1] if output.shape else None


def _feed(inputs: list[Any], columns: Columns, name: str) -> dict[str, NDArray[Any]]:
    """The columns of a table as what the graph takes in."""
    for one in inputs:
        if one.shape and isinstance(one.shape[0], int):
            raise InputError(f"{name} takes {one.shape[0]} rows at a time; export it with an open batch axis")
    names = list(columns.names)
    if len(inputs) == 1 and len(inputs[0].shape) == 2 and (inputs[0].shape[1] != 1 or len(names) == 1):
        matrix, width = inputs[0], inputs[0].shape[1]
        if isinstance(width, int) and width != len(names):
            raise InputError(
                f"{name} takes {width} columns, and the table has {len(names)}: {_listed(names)}"
            )
        side_by_side = [_values(column, matrix.type, name) for column in columns.columns]
        return {matrix.name: np.stack(side_by_side, axis=1)}
    wanted = [one.name for one in inputs]
    if lacking := [one for one in wanted if one not in names]:
        raise InputError(f"{name} takes {_listed(wanted)}, and the table has no {_listed(lacking)}")
    feed = {}
    for one in inputs:
        values = _values(columns.columns[names.index(one.name)], one.type, name)
        feed[one.name] = values[:, None] if len(one.shape) == 2 else values
    return feed


def _values(column: Column, kind: str, name: str) -> NDArray[Any]:
    """A column as the graph's type; missing numbers are NaN, missing texts are empty."""
    if kind == _TEXT:
        texts = ["" if value is None else str(value) for value in column.objects(np.arange(len(column)))]
        return np.array(texts, dtype=object)
    if kind not in _NUMBERS:
        raise InputError(f"{name} takes {kind}, which a column of a table cannot be; export it for tensors")
    if column.kind == "categorical":
        raise InputError(
            f"column {column.name} holds text, and {name} takes numbers there; encode it inside the graph"
        )
    dtype = np.dtype(_NUMBERS[kind])
    if dtype.kind != "f" and column.missing.any():
        raise InputError(f"column {column.name} has missing values, and {name} takes whole numbers there")
    return column.numbers().astype(dtype)


def _listed(names: list[str]) -> str:
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")
