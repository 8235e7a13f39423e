"""Models out of files and modules: `model.skops`, `model.onnx`, `module:attribute`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from surefoot.errors import InputError
from surefoot.estimators import _skops

_REFERENCE = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*(?:\.[^\W\d]\w*)*)")


class Imported:
    """A model that was imported, and remembers from where; all else is the model's own."""

    def __init__(self, reference: str, native: Any) -> None:
        self.reference = reference
        self.native = native

    def __getattr__(self, name: str) -> Any:
        if name in ("reference", "native"):  # not there yet, as in an object that is being copied
            raise AttributeError(name)
        return getattr(self.native, name)


def load_model(spec: str | PathLike[str], *, trusted: Iterable[str] = ()) -> Any:
    """A model out of `model.skops` or `model.onnx`, or imported as `module:attribute`.

    A skops file may hold types beyond scikit-learn's only if they are in ``trusted``. A module is looked for in the
    current folder first; its attribute is the model, or a function without arguments that makes it. An ONNX model
    takes the columns in their order if it has one matrix as input, else each column by its name.
    """
    text = fspath(spec)
    suffix = Path(text).suffix.lower()
    if suffix == ".skops":
        return _skops.loads(_content(Path(text)), Path(text).name, trusted)
    if suffix == ".onnx":
        from surefoot.estimators._onnx import open_onnx

        return open_onnx(_content(Path(text)), Path(text).name)
    if suffix in (".pkl", ".pickle", ".joblib"):
        raise InputError(
            f"{text} is a pickle, which runs whatever its writer put into it; store the model with "
            "skops.io.dump(model, 'model.skops'), or name it as module:attribute"
        )
    if not is_reference(text):
        raise InputError(f"{text} names no model; give model.skops, model.onnx or module:attribute")
    return imported(text)


def is_reference(text: str) -> bool:
    """Whether a text has the form `module:attribute`.

    >>> is_reference("shop.models:forest"), is_reference("model.bin")
    (True, False)
    """
    return _REFERENCE.fullmatch(text) is not None


def imported(reference: str) -> Imported:
    """The model that `module:attribute` names."""
    module_name, _, attribute = reference.partition(":")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        found: Any = import_module(module_name)
    except ImportError as error:
        raise InputError(
            f"{reference} cannot be imported ({error}); start in the folder of {module_name.partition('.')[0]}"
        ) from error
    except (
        Exception,
        SystemExit,
    ) as error:  # a module may raise anything; scripts end when they are imported
        raise InputError(
            f"{reference} cannot be imported: {module_name} fails with {type(error).__name__} ({error})"
        ) from error
    finally:
        with suppress(ValueError):  # the module may have taken it away itself
            sys.path.remove(here)
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise InputError(f"{reference}: there is no {part} in {module_name}; name one of its objects")
        found = getattr(found, part)
    if not _predicts(found) and callable(found):
        found = _made(found, reference)
    if not _predicts(found):
        raise InputError(
            f"{reference} is a {type(found).__name__}, which is no model: it has neither predict_proba nor predict"
        )
    return Imported(reference, found)


def _made(factory: Any, reference: str) -> Any:
    """What a function without arguments makes."""
    try:
        return factory()
    except (Exception, SystemExit) as error:  # the user's function may raise anything
        raise InputError(
            f"{reference} does not make a model when called without arguments: {type(error).__name__} ({error})"
        ) from error


def _predicts(model: Any) -> bool:
    """Whether it is a model; a class of models is only a way to make one."""
    return not isinstance(model, type) and (hasattr(model, "predict_proba") or hasattr(model, "predict"))


def _content(path: Path) -> bytes:
    if not path.is_file():
        raise InputError(f"{path} is no file; give model.skops, model.onnx or module:attribute")
    return path.read_bytes()
