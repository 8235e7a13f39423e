"""A partitioning as data: which rows, told by predicates on their columns, go to which parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from surefoot.data.partition._names import PARTITIONS
from surefoot.errors import InputError


@dataclass(frozen=True)
class Span:
    """Values from ``low`` up to, but not including, ``high``; None leaves an end open.

    Dates may be given as ISO text.
    """

    low: Any = None
    high: Any = None

    def __post_init__(self) -> None:
        if self.low is None and self.high is None:
            raise InputError("a span needs low or high, or both")


@dataclass(frozen=True)
class Rule:
    """Rows for which every condition holds, and the share of them that each part gets.

    ``where`` maps a column to one value, several values or a `Span`; a row in which the column is missing
    fulfils no condition on it. Rows are dealt to the parts at random.
    """

    where: Mapping[str, Any]
    parts: Mapping[str, float]

    def __post_init__(self) -> None:
        if not self.where:
            raise InputError("a rule needs at least one condition; use rest for all other rows")
        check_shares("parts", self.parts)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Rules that share no row, and what becomes of the rows that no rule is about.

    Attributes:
        rules: each row may fulfil one of them.
        rest: the shares of all other rows but those that miss a column of a rule; empty leaves them out.
        group: columns that together name a group (a person, a storm, a day). A group is dealt as a whole, and
            its rows are left out of the judged parts where other rows of it are fitted on.
        most: the most rows of a part; a random sample of that size is kept.
    """

    rules: tuple[Rule, ...]
    rest: Mapping[str, float] = field(default_factory=dict)
    group: tuple[str, ...] = ()
    most: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.rules:
            raise InputError("a plan needs at least one rule")
        if self.rest:
            check_shares("rest", self.rest)
        check_most(self.most)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that decide where a row goes."""
        named = (name for rule in self.rules for name in rule.where)
        return tuple(dict.fromkeys((*named, *self.group)))

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that rows may go to."""
        named = {name for shares in (*(rule.parts for rule in self.rules), self.rest) for name in shares}
        return tuple(name for name in PARTITIONS if name in named)

    def to_dict(self) -> dict[str, Any]:
        """As JSON and YAML can hold it; what is empty is left out."""
        rules = [{"where": _plain(rule.where), "parts": dict(rule.parts)} for rule in self.rules]
        content = {
            "rules": rules,
            "rest": dict(self.rest),
            "group": list(self.group),
            "most": dict(self.most),
        }
        return {name: value for name, value in content.items() if value}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Plan:
        """The way back; what is wrong is named by its field.

        >>> plan = Plan.from_dict({"rules": [{"where": {"year": {"high": 2015}}, "parts": {"train": 1}}]})
        >>> plan.rules[0].where
        {'year': Span(low=None, high=2015)}
        """
        given = _fields("the plan", content, ("rules", "rest", "group", "most"))
        rules = []
        for number, rule in enumerate(given.get("rules", ())):
            name = f"rules[{number}]"
            fields = _fields(name, rule, ("where", "parts"))
            if lacking := {"where", "parts"} - set(fields):
                raise InputError(f"{name} has no {' and no '.join(sorted(lacking))}")
            where = {
                column: _condition(f"{name}.where.{column}", value)
                for column, value in fields["where"].items()
            }
            rules.append(Rule(where, fields["parts"]))
        group = given.get("group", ())
        return cls(
            rules=tuple(rules),
            rest=given.get("rest", {}),
            group=(group,) if isinstance(group, str) else tuple(group),
            most=given.get("most", {}),
        )


def by_value(
    column: str,
    *,
    source: object,
    dev_out: object = None,
    eval_out: object = None,
    fractions: tuple[float, float, float] = (0.7, 0.1, 0.2),
    group: tuple[str, ...] = (),
) -> Plan:
    """The plan of a split variable: its source values in-domain, others shifted.

    ``fractions`` are the shares of train, dev_in and eval_in. Without ``dev_out`` and ``eval_out`` every other
    value is shifted, a quarter of these rows dev_out; with both named, rows of no named value are left out; with one
    named, the other gets the rest.

    >>> by_value("year", source=2015, dev_out=2016).rest
    {'eval_out': 1}
    """
    inside = {
        name: share for name, share in zip(("train", "dev_in", "eval_in"), fractions, strict=True) if share
    }
    rules = [Rule({column: source}, inside)]
    named = {"dev_out": dev_out, "eval_out": eval_out}
    rules += [Rule({column: values}, {part: 1}) for part, values in named.items() if values is not None]
    left = [part for part, values in named.items() if values is None]
    rest: dict[str, float] = {"dev_out": 0.25, "eval_out": 0.75} if len(left) == 2 else dict.fromkeys(left, 1)
    return Plan(rules=tuple(rules), rest=rest, group=group)


def canonical(column: str, parts: Mapping[object, str | Mapping[str, float]]) -> Plan:
    """The plan of data that come with a partition: which value of the column means which part (or shares of parts).

    >>> plan = canonical("official_split", {"train": {"train": 0.9, "dev_in": 0.1}, "test": "eval_in"})
    >>> plan.parts
    ('train', 'dev_in', 'eval_in')
    """
    return Plan(
        rules=tuple(
            Rule({column: value}, {part: 1} if isinstance(part, str) else part)
            for value, part in parts.items()
        )
    )


def check_shares(name: str, shares: Mapping[str, float]) -> None:
    """Shares are of known parts, above 0, and sum to 1."""
    strange = [part for part in shares if part not in PARTITIONS]
    if strange or not shares:
        named = ", ".join(map(repr, strange)) or "no part"
        raise InputError(f"{name} names {named}; the parts are {', '.join(PARTITIONS)}")
    if min(shares.values()) <= 0 or abs(sum(shares.values()) - 1) > 1e-6:
        raise InputError(f"{name} gives the shares {dict(shares)}; shares are above 0 and sum to 1")


def check_most(most: Mapping[str, int]) -> None:
    """Limits are of known parts and at least one row."""
    for part, limit in most.items():
        if part not in PARTITIONS:
            raise InputError(f"most names {part!r}; the parts are {', '.join(PARTITIONS)}")
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise InputError(f"most.{part} is {limit!r}; give a number of rows of at least 1")


def _condition(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return Span(**_fields(name, value, ("low", "high")))
    return tuple(value) if isinstance(value, list) else value


def _fields(name: str, content: object, known: Sequence[str]) -> dict[str, Any]:
    if not isinstance(content, Mapping):
        raise InputError(f"{name} is {type(content).__name__}; give a mapping with {', '.join(known)}")
    strange = [str(key) for key in content if key not in known]
    if strange:
        raise InputError(f"{name} has the field {', '.join(strange)}; its fields are {', '.join(known)}")
    return dict(content)


def _plain(where: Mapping[str, Any]) -> dict[str, Any]:
    def one(value: Any) -> Any:
        if isinstance(value, Span):
            ends = {"low": one(value.low), "high": one(value.high)}
            return {name: end for name, end in ends.items() if end is not None}
        if isinstance(value, date | datetime):
            return value.isoformat()
        if isinstance(value, Iterable) and not isinstance(value, str):
            return [one(item) for item in value]
        return value

    return {column: one(value) for column, value in where.items()}
