"""Models as skops files, which unlike pickles run nothing that is not named and allowed.

skops itself trusts the public estimators of scikit-learn. What these keep inside them it leaves to us: `KNOWN` are
those types of scikit-learn that hold arrays and options, and no code of whoever wrote the file.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from surefoot.errors import InputError

KNOWN = (
    "functools.partial",
    "numpy.dtype",
    "sklearn._loss.loss.HalfTweedieLossIdentity",
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.feature_selection._univariate_selection.chi2",
    "sklearn.feature_selection._univariate_selection.f_classif",
    "sklearn.feature_selection._univariate_selection.f_regression",
    "sklearn.gaussian_process._gpc._BinaryGaussianProcessClassifierLaplace",
    "sklearn.gaussian_process.kernels.ConstantKernel",
    "sklearn.gaussian_process.kernels.Product",
    "sklearn.gaussian_process.kernels.RBF",
    "sklearn.metrics._dist_metrics.EuclideanDistance32",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.multiclass._ConstantPredictor",
    "sklearn.neighbors._ball_tree.BallTree",
    "sklearn.neighbors._kd_tree.KDTree",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
    "sklearn.tree._tree.Tree",
    "sklearn.utils._bunch.Bunch",
    "sklearn.utils.validation.check_array",
)
"""Types that are loaded without being asked for: parts of scikit-learn's own models."""

LARGE, OVERBLOWN = 1 << 30, 100
"""Bytes that a part of a file may always unpack to, and beyond that the most in multiples of what they take up."""


def dumps(model: Any) -> bytes:
    """An object as the bytes of a skops file; raises whatever an object that cannot be one raises."""
    content: bytes = _skops().dumps(model)
    return content


def loads(content: bytes, name: str, trusted: Iterable[str] = ()) -> Any:
    """The object in a skops file; types beyond scikit-learn's must be in ``trusted``."""
    skops = _skops()
    allowed = [*KNOWN, *((trusted,) if isinstance(trusted, str) else trusted)]
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            refuse_overblown(archive, name)
        unknown = sorted(set(skops.get_untrusted_types(data=content)) - set(allowed))
    except InputError:
        raise
    except Exception as error:  # what damaged bytes raise depends on where the damage is
        raise InputError(f"{name} is not a skops file, or it is damaged ({_first_line(error)})") from error
    if unknown:
        raise InputError(
            f"{name} holds types that are not known to be safe: {', '.join(unknown)}; if you trust whoever wrote it, "
            "name them in trusted=(…) or, on the command line, each with --trusted TYPE"
        )
    try:
        return skops.loads(content, trusted=allowed)
    except ImportError as error:
        raise InputError(
            f"{name} needs a package that is not here ({_first_line(error)}); install it first"
        ) from error
    except Exception as error:
        raise InputError(
            f"{name} cannot be loaded ({_first_line(error)}); it is damaged, or of other versions of its packages"
        ) from error


def refuse_overblown(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse a file that unpacks to far more than it is, before it fills the memory, or is packed in other ways."""
    for part in archive.infolist():
        if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InputError(
                f"{name} is damaged, or not what it says: {part.filename} is packed in another way"
            )
        if part.file_size > max(LARGE, OVERBLOWN * part.compress_size):
            raise InputError(
                f"{name} is damaged, or meant to do harm: {part.filename} would unpack to {part.file_size:,} bytes"
            )


def require() -> None:
    """Refuse to go on without skops, before the work whose result it is to keep."""
    _skops()


def _skops() -> Any:
    try:
        from skops import io
    except ImportError:
        raise InputError(
            "models in files need skops; install with: pip install 'surefoot[estimate]'"
        ) from None
    return io


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
