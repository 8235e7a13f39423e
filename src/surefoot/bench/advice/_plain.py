"""Advice as plain data, for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from surefoot.bench.advice._advise import Advice, Candidate
from surefoot.bench.advice._measured import Measured
from surefoot.bench.advice._rule import Reason
from surefoot.bench.advice._sources import Source

FORMAT = 1


def plain_advice(advice: Advice, scores: Sequence[Measured] = ()) -> dict[str, Any]:
    """Everything that was judged; ``scores`` are those of somebody's own runs."""
    measure, source = advice.measure
    unlimited, today = advice.unlimited, advice.today
    return {
        "format": FORMAT,
        "needs": asdict(advice.needs),
        "advised": advice.best.name,
        "today": today and today.name,
        "without_limits": unlimited and {"name": unlimited.name, **_cost(unlimited)},
        "measure": {"name": measure, "source": _source(source)},
        "conflicts": [
            {"name": one.name, "says": one.says, "source": _source(one.source)} for one in advice.conflicts
        ],
        "candidates": [_candidate(one, scores) for one in advice.candidates],
        "left_out": [{"name": one.name, **_cost(one), "beyond": list(one.beyond)} for one in advice.left_out],
    }


def _candidate(one: Candidate, scores: Sequence[Measured]) -> dict[str, Any]:
    return {
        "name": one.name,
        "members": one.members,
        "passes": one.passes,
        **_cost(one),
        "runs_today": one.preset is not None,
        "preset": one.preset,
        "presets": [preset.name for preset in one.presets],
        "recipe": one.recipe,
        "score": round(one.score, 6),
        "for": [_reason(reason) for reason in one.reasons_for],
        "against": [_reason(reason) for reason in one.reasons_against],
        "defaults": [
            {"name": default.name, "value": default.value, "source": _source(default.source)}
            for default in one.defaults
        ],
        "comparisons": {what: record._asdict() for what, record in one.records.items()},
        "measured_multiples": one.multiples,
        "own_runs": [asdict(score) for score in scores if score.setup == one.name],
    }


def _cost(one: Candidate) -> dict[str, Any]:
    return {"cost": {**asdict(one.cost), "text": str(one.cost), "more": one.setup.more}}


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "rule": reason.rule,
        "says": reason.says,
        "weight": reason.weight,
        "source": _source(reason.source),
    }


def _source(source: Source) -> dict[str, str]:
    return {"paper": source.paper, "place": source.place, "words": source.words}
