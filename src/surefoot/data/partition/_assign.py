"""Following a plan: the part of every row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import rows
from surefoot.data.partition._deal import deal, deal_groups
from surefoot.data.partition._names import FITTED, PARTITIONS
from surefoot.data.partition._plan import Plan, Rule, Span
from surefoot.data.partition._values import arrow_of, chosen, distinct
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

NONE = ""
"""The part of a row that is left out."""


def assign(columns: Mapping[str, object], plan: Plan, seed: int = 0) -> NDArray[np.str_]:
    """Name the part of every row, "" if it is in none.

    ``columns`` holds the plan's columns, of any kind that a dataframe or array gives. The same columns, plan and
    seed give the same parts. A smaller ``most`` keeps rows of what a larger one keeps.
    """
    lacking = [name for name in plan.columns if name not in columns]
    if lacking:
        raise InputError(f"the plan needs the column {', '.join(lacking)}; there are {', '.join(columns)}")
    held = [matches(columns, rule) for rule in plan.rules]
    n = len(held[0])
    _refuse_two_rules(plan, held)
    groups = _groups(columns, plan)
    parts = np.full(n, NONE, dtype=f"<U{max(map(len, PARTITIONS))}")
    dealings = [(mask, rule.parts) for mask, rule in zip(held, plan.rules, strict=True)]
    if plan.rest:
        dealings.append((~np.logical_or.reduce(held) & _known(columns, plan), plan.rest))
    for number, (mask, given) in enumerate(dealings):
        there = np.flatnonzero(mask)
        names, shares = tuple(given), np.array(list(given.values()), dtype=np.float64)
        if groups is None:
            parts[there] = deal(there.size, names, shares, [seed, number])
        elif there.size:
            parts[there] = deal_groups(groups[there], names, shares, [seed, number])
    if groups is not None:
        seen = np.unique(groups[np.isin(parts, FITTED)])
        parts[np.isin(groups, seen) & ~np.isin(parts, FITTED)] = NONE
    return _limited(parts, plan.most, seed)


def matches(columns: Mapping[str, object], rule: Rule) -> NDArray[np.bool_]:
    """Which rows fulfil every condition of a rule."""
    held: NDArray[np.bool_] = np.logical_and.reduce(
        [_holds(name, columns[name], wanted) for name, wanted in rule.where.items()]
    )
    return held


def _known(columns: Mapping[str, object], plan: Plan) -> NDArray[np.bool_]:
    """Rows that miss no column of a rule: nobody knows where others belong."""
    decide = dict.fromkeys(name for rule in plan.rules for name in rule.where)
    known: NDArray[np.bool_] = np.logical_and.reduce(
        [_present(arrow_of(name, columns[name])) for name in decide]
    )
    return known


def _present(arrow: pa.Array) -> NDArray[np.bool_]:
    return np.asarray(arrow.is_valid().to_numpy(zero_copy_only=False), dtype=np.bool_)


def _holds(name: str, values: object, wanted: Any) -> NDArray[np.bool_]:
    """Which rows fulfil one condition; missing values never do."""
    import pyarrow.compute as pc

    arrow = arrow_of(name, values)
    present = _present(arrow)
    held = present.copy()
    if isinstance(wanted, Span):
        for end, compare in ((wanted.low, pc.greater_equal), (wanted.high, pc.less)):
            if end is not None:
                found = compare(arrow, _end(name, end, arrow))
                held &= np.asarray(found.fill_null(False).to_numpy(zero_copy_only=False), dtype=np.bool_)
        return held
    codes, known = distinct(name, arrow.drop_null())
    held[present] = chosen(name, "the rule", wanted, known)[codes]
    return held


def _end(name: str, end: Any, arrow: Any) -> Any:
    """The end of a span in the column's type, so that dates may be written as text."""
    import pyarrow as pa

    try:
        return pa.scalar(end).cast(arrow.type) if isinstance(end, str) else pa.scalar(end)
    except pa.ArrowException:
        raise InputError(f"the span of {name} ends at {end!r}, but the column holds {arrow.type}") from None


def _refuse_two_rules(plan: Plan, held: list[NDArray[np.bool_]]) -> None:
    """No row may be told to go to two places."""
    twice = np.sum(held, axis=0) > 1
    if twice.any():
        both = [
            str(dict(rule.where))
            for rule, mask in zip(plan.rules, held, strict=True)
            if mask[np.argmax(twice)]
        ]
        raise InputError(
            f"more than one rule holds for {rows(twice)}: {' and '.join(both)}; make the rules exclusive"
        )


def _groups(columns: Mapping[str, object], plan: Plan) -> NDArray[np.int64] | None:
    """A code of the group of every row; several columns name it together."""
    if not plan.group:
        return None
    codes = np.stack([distinct(name, columns[name])[0] for name in plan.group])
    return np.unique(codes, axis=1, return_inverse=True)[1].ravel().astype(np.int64)


def _limited(parts: NDArray[np.str_], most: Mapping[str, int], seed: int) -> NDArray[np.str_]:
    """Leave out rows at random where a part has more than it may."""
    for part, limit in most.items():
        there = np.flatnonzero(parts == part)
        order = np.random.default_rng([seed, len(PARTITIONS), PARTITIONS.index(part)]).permutation(there)
        parts[order[limit:]] = NONE
    return parts
