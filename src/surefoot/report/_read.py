"""Scorecards and comparisons out of the JSON that `evaluate` and `compare` wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from surefoot.compare import (
    Change,
    Comparison,
    DeepEnsembleEquivalent,
    Difference,
    Ensemble,
    EnsembleCurve,
    Equivalent,
    FTest,
    Ranks,
    WinsDrawsLosses,
)
from surefoot.errors import InputError
from surefoot.scorecard import MemberScore, Score, Scorecard

FORMAT = 1
_NAN, _INF = float("nan"), float("inf")

T = TypeVar("T")


def read(path: str | PathLike[str]) -> Scorecard | Comparison:
    """A stored scorecard or comparison; the scorecards behind a comparison are not stored with it."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise InputError(f"{path} cannot be read as JSON ({problem})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(
            f"{path} is no scorecard or comparison of format {FORMAT}; write it again with --json"
        )
    try:
        return _comparison(content) if "methods" in content else _scorecard(content)
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise InputError(
            f"{path} is no whole scorecard or comparison ({problem}); write it again with --json"
        ) from None


def _scorecard(content: Mapping[str, Any]) -> Scorecard:
    rows = tuple(_made(Score, row | {"value": _number(row["value"])}) for row in content["rows"])
    members = tuple(
        _made(MemberScore, row | {"mean": _number(row["mean"]), "std": _number(row["std"])})
        for row in content["members"]
    )
    if not rows:
        raise ValueError("no scores")
    return Scorecard(
        info=content["info"],
        rows=rows,
        members=members,
        curves=content["curves"],
        notes=tuple(content["notes"]),
    )


def _comparison(content: Mapping[str, Any]) -> Comparison:
    numbers = ("value", "low", "high", "p_value")
    return Comparison(
        methods=tuple(content["methods"]),
        datasets=tuple(content["datasets"]),
        entrants=(),
        differences=tuple(
            _made(Difference, row | {name: _number(row[name]) for name in numbers})
            for row in content["differences"]
        ),
        changes=tuple(
            _made(Change, row | {name: _number(row[name]) for name in ("low", "high")})
            for row in content["changes"]
        ),
        scores={key: _array(values) for key, values in content["scores"].items()},
        beats={key: np.array(values, dtype=np.bool_) for key, values in content["beats"].items()},
        wins={
            key: WinsDrawsLosses(np.array(counts["wins"]), np.array(counts["draws"]))
            for key, counts in content["wins"].items()
        },
        ranks={key: _ranks(values) for key, values in content["ranks"].items()},
        ensembles=tuple(
            Ensemble(row["dataset"], row["method"], _made(EnsembleCurve, _arrays(row["curve"], _NAN)))
            for row in content["ensembles"]
        ),
        equivalents=tuple(
            _made(
                Equivalent,
                row
                | {
                    "sizes": np.array(row["sizes"]),
                    "found": _made(DeepEnsembleEquivalent, _arrays(row["found"], _INF)),
                },
            )
            for row in content["equivalents"]
        ),
        notes=tuple(content["notes"]),
        info=content["info"],
    )


def _ranks(values: Mapping[str, Any]) -> Ranks:
    f, p_value = values["iman_davenport"]
    arrays = _arrays({name: values[name] for name in ("ranks", "mean_ranks", "p_values")}, _NAN)
    return _made(
        Ranks,
        {
            **values,
            **arrays,
            "iman_davenport": FTest(_INF if f is None else f, p_value),
            "groups": tuple(tuple(group) for group in values["groups"]),
            "notes": tuple(values["notes"]),
        },
    )


def _made(kind: type[T], values: Mapping[str, Any]) -> T:
    """An instance of a dataclass; what it does not know, a later version may."""
    known = signature(kind).parameters
    return kind(**{name: value for name, value in values.items() if name in known})


def _number(value: float | None) -> float:
    return _NAN if value is None else value


def _arrays(values: Mapping[str, Any], missing: float) -> dict[str, Any]:
    return {name: _array(each, missing) for name, each in values.items()}


def _array(values: Any, missing: float = _NAN) -> Any:
    """Numbers in any nesting, with something in place of None."""
    found = np.array(values, dtype=np.float64)
    return np.where(np.isnan(found), missing, found)
