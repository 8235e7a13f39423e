"""An estimator as one file: a zip of JSON, skops and ONNX, never pickle.

`estimator.json` holds everything but models. The scikit-learn models of the method are in `learned.skops`; the model
itself is `model.skops` or `model.onnx`, or only named as `module:attribute`, or left out.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np

from surefoot._atomic import atomic
from surefoot.errors import InputError
from surefoot.estimators import _skops
from surefoot.estimators._estimator import Estimator
from surefoot.estimators._intervals import Width
from surefoot.estimators._load_model import Imported, imported, is_reference
from surefoot.estimators._method import Learned
from surefoot.estimators._model import CLASSIFICATION, REGRESSION, Model, wrap
from surefoot.estimators._movement import Reference
from surefoot.estimators._schema import Schema

FORMAT = 1

_CONTENT, _LEARNED = "estimator.json", "learned.skops"
_IN_SKOPS, _IN_ONNX, _NAMED, _LEFT_OUT = "model.skops", "model.onnx", "named", "left out"


def save(estimator: Estimator, path: str | PathLike[str], *, with_model: bool = True) -> None:
    """Write an estimator to one file, completely or not at all.

    Its model goes with it if it is scikit-learn's or of the same interface, ONNX, or imported by `load_model`.
    """
    values, models = estimator.learned.parts()
    kept, model = _kept_model(estimator.model.native) if with_model else (_LEFT_OUT, None)
    content = {
        "format": FORMAT,
        "versions": _versions(),
        "method": estimator.method,
        "model": {
            "kept": kept,
            "reference": getattr(estimator.model.native, "reference", None) if kept == _NAMED else None,
            "kind": estimator.model.kind,
            "classes": [_plain_label(label) for label in estimator.model.classes],
            "own_classes": [_plain_label(label) for label in _own_classes(estimator.model.native)],
        },
        "learned": {"type": type(estimator.learned).__name__, "values": values, "models": sorted(models)},
        "schema": None if estimator.schema is None else estimator.schema.to_dict(),
        "references": dict(estimator.references),
        "movement": estimator.movement.to_dict(),
        "widths": {name: width.to_dict() for name, width in estimator.widths.items()},
        "alpha": estimator.alpha,
        "labelled": estimator.labelled,
        "notes": list(estimator.notes),
    }
    # NaN stays NaN: Python's reader knows it, and no value may change on the way
    text = json.dumps(content, default=_unboxed)
    with (
        atomic(path) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        archive.writestr(_CONTENT, text)
        if models:
            archive.writestr(_LEARNED, _skops.dumps(dict(models)))
        if model is not None:
            archive.writestr(kept, model)


def load(path: str | PathLike[str], *, model: Any = None, trusted: Iterable[str] = ()) -> Estimator:
    """An estimator out of the file that `Estimator.save` wrote.

    ``model`` takes the place of the one in the file, and is needed where that was left out (or give the batches'
    probs). What the file's model is made of beyond scikit-learn, or where it is to be imported from, must be named in
    ``trusted``: such a file can run whatever its writer chose.
    """
    place = Path(path)
    allowed = (trusted,) if isinstance(trusted, str) else tuple(trusted)
    if not place.is_file():
        raise InputError(
            f"{place} is no file; give one that `estimator.save` or `surefoot estimate fit` wrote"
        )
    with place.open("rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                return _read(archive, place.name, model, allowed)
        except InputError:
            raise
        except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, OSError):
            raise InputError(
                f"{place.name} is no estimator, or it is damaged; fit and save it again"
            ) from None
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            raise InputError(
                f"{place.name} is damaged: {type(error).__name__} ({error}) in {_CONTENT}; fit and save it again"
            ) from error


def _read(archive: zipfile.ZipFile, name: str, model: Any, trusted: tuple[str, ...]) -> Estimator:
    """The estimator in an open file; anything may be wrong with it."""
    _skops.refuse_overblown(archive, name)
    if _CONTENT not in archive.namelist():
        raise InputError(f"{name} is no estimator: there is no {_CONTENT} in it")
    content = _content(archive, name)
    about = content["model"]
    if about["kind"] not in (CLASSIFICATION, REGRESSION):
        raise InputError(f"{name} is damaged: it is for models of {about['kind']}; fit and save it again")
    native = _stored(archive, about, name, trusted) if model is None else model
    if native is not None:
        _refuse_other_model(native, about)
    models = {}
    if _LEARNED in archive.namelist():
        models = _skops.loads(archive.read(_LEARNED), f"{name}: {_LEARNED}", trusted)
    if sorted(models) != content["learned"]["models"]:
        raise InputError(
            f"{name} is damaged: {_LEARNED} does not hold what {_CONTENT} says; fit and save it again"
        )
    return _rebuilt(content, models, Model(native, about["kind"], tuple(about["classes"])), name)


def _content(archive: zipfile.ZipFile, name: str) -> Mapping[str, Any]:
    """What the JSON says, of this format."""
    content = json.loads(archive.read(_CONTENT))
    if content["format"] != FORMAT:
        raise InputError(
            f"{name} has format {content['format']}, and this version of Surefoot reads format {FORMAT}; "
            "install the version that wrote it, or fit again"
        )
    found: Mapping[str, Any] = content
    return found


def _rebuilt(content: Mapping[str, Any], models: Mapping[str, Any], model: Model, name: str) -> Estimator:
    """The estimator of what a file holds."""
    learned = content["learned"]
    kinds = {kind.__name__: kind for kind in _descendants(Learned)}
    if learned["type"] not in kinds:
        raise InputError(
            f"{name} holds a {learned['type']}, which this version of Surefoot does not know; install the version "
            "that wrote it"
        )
    schema = content["schema"]
    return Estimator(
        model=model,
        method=str(content["method"]),
        learned=kinds[learned["type"]].from_parts(learned["values"], models),
        schema=None if schema is None else Schema.from_dict(schema),
        references={score: float(value) for score, value in content["references"].items()},
        movement=Reference.from_dict(content["movement"]),
        widths={score: Width.from_dict(width) for score, width in content["widths"].items()},
        alpha=float(content["alpha"]),
        labelled=int(content["labelled"]),
        notes=tuple(content["notes"]),
    )


def _kept_model(native: Any) -> tuple[str, bytes | None]:
    """How a model is kept, and its bytes; refuses a model of a type that cannot be."""
    from surefoot.estimators._onnx import OnnxModel

    if native is None:
        return _LEFT_OUT, None
    if isinstance(native, OnnxModel):
        return _IN_ONNX, native.content
    if isinstance(native, Imported):
        return _NAMED, None
    kind = f"{type(native).__module__}.{type(native).__qualname__}"
    advice = "save it without the model, save(path, with_model=False), and give it again, load(path, model=…)"
    if not hasattr(native, "get_params"):
        raise InputError(f"a model of type {kind} cannot be kept in the file; {advice}")
    try:
        return _IN_SKOPS, _skops.dumps(native)
    except InputError:
        raise
    except Exception as error:  # skops raises whatever the object does when it is taken apart
        reason = str(error).partition("\n")[0].rstrip(".")
        raise InputError(f"a model of type {kind} cannot be kept in the file ({reason}); {advice}") from error


def _stored(archive: zipfile.ZipFile, about: Mapping[str, Any], name: str, trusted: tuple[str, ...]) -> Any:
    """The model in the file, or imported from where it says."""
    kept = about["kept"]
    if kept == _LEFT_OUT:
        return None
    if kept in (_IN_SKOPS, _IN_ONNX) and kept not in archive.namelist():
        raise InputError(f"{name} is damaged: there is no {kept} in it; fit and save it again")
    if kept == _IN_SKOPS:
        return _skops.loads(archive.read(kept), f"{name}: {kept}", trusted)
    if kept == _IN_ONNX:
        from surefoot.estimators._onnx import open_onnx

        return open_onnx(archive.read(kept), f"{name}: {kept}")
    reference = str(about["reference"])
    if kept != _NAMED or not is_reference(reference):
        raise InputError(f"{name} keeps its model in a way that is not known here: {kept} {reference}")
    if reference not in trusted:
        raise InputError(
            f"{name} imports its model as {reference}, which runs that module; if that is meant, say so with "
            f"model=load_model({reference!r}) or, on the command line, --model {reference}"
        )
    return imported(reference)


def _own_classes(native: Any) -> tuple[Any, ...]:
    """What the model itself calls its classes, which whoever fitted the estimator may have named otherwise."""
    return () if native is None else wrap(native).classes


def _refuse_other_model(model: Any, about: Mapping[str, Any]) -> None:
    """Refuse a model that does not predict the same kind of thing as the one of the estimator."""
    known = wrap(model)
    if known.kind != about["kind"]:
        raise InputError(
            f"the model is one of {known.kind}, and the estimator was fitted for {about['kind']}"
        )
    classes = about["own_classes"] or about["classes"]
    if known.classes and list(known.classes) != classes:
        raise InputError(
            f"the model's classes are {', '.join(map(str, known.classes))}, and the estimator was fitted for "
            f"{', '.join(map(str, classes))}; give the model it was fitted with"
        )


def _descendants(kind: Any) -> list[Any]:
    """All classes that derive from this one: whatever a method can have learned."""
    below = kind.__subclasses__()
    return [*below, *(further for one in below for further in _descendants(one))]


def _versions() -> dict[str, str]:
    import sklearn

    from surefoot import __version__

    return {
        "surefoot": __version__,
        "python": python_version(),
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
    }


def _unboxed(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"an estimator cannot keep a {type(value).__name__}")


def _plain_label(label: Any) -> Any:
    if label is None or isinstance(label, str | bool | int | float):
        return label
    raise InputError(f"classes of type {type(label).__name__} cannot be kept in a file; give them as text")
