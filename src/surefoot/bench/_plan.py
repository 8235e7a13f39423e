"""What the last run of a suite was to do, kept in its folder: status, results and resume need no suite for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from surefoot._lock import locked
from surefoot.bench._fields import made
from surefoot.bench._kind import Named
from surefoot.bench._limits import Limits
from surefoot.bench._store import Place, State, read_json, write_json
from surefoot.bench._trial import Trial
from surefoot.errors import InputError

PLAN, SUBMITTED = "plan.json", "submitted.json"

STATES: tuple[State, ...] = ("finished", "running", "stopped", "failed", "missing")


@dataclass(frozen=True)
class Entry:
    """A trial as the plan has it: its folder's name, its words in the tables, its plain data."""

    id: str
    named: Named
    given: Mapping[str, Any]

    @property
    def submitted(self) -> bool:
        """Whether somebody has handed its predictions in; such trials have a list of their own."""
        return self.given.get("kind") == "submitted"

    def plain(self) -> dict[str, Any]:
        """Plain data, out of which `of` makes the same entry."""
        return {"id": self.id, **asdict(self.named), "trial": self.given}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Entry:
        """An entry out of plain data."""
        return cls(plain["id"], Named(plain["task"], plain["method"], plain["seed"]), plain["trial"])


@dataclass(frozen=True)
class Plan:
    """The trials of a suite, at the size of a profile."""

    suite: str
    profile: str
    entries: tuple[Entry, ...]
    limits: Limits

    @classmethod
    def of(cls, suite: str, profile: str, trials: Iterable[Trial], limits: Limits) -> Plan:
        """The plan of these trials."""
        entries = tuple(Entry(trial.id, trial.named, trial.to_dict()) for trial in trials)
        return cls(suite, profile, entries, limits)

    def trials(self) -> tuple[Trial, ...]:
        """The trials themselves, by the code and the data of today: other ones have other names."""
        return tuple(Trial.of(entry.given) for entry in self.entries)

    def write(self, folder: Path) -> None:
        """Keep it in the folder of its runs."""
        folder.mkdir(parents=True, exist_ok=True)
        content = {
            "suite": self.suite,
            "profile": self.profile,
            "limits": asdict(self.limits),
            "trials": [one.plain() for one in self.entries if not one.submitted],
        }
        write_json(folder / PLAN, content)

    def states(self, folder: Path) -> Mapping[str, State]:
        """How each trial is."""
        return {entry.id: Place(folder / entry.id).state() for entry in self.entries}

    def counted(self, folder: Path) -> Mapping[State, int]:
        """How many trials are how."""
        found = Counter(self.states(folder).values())
        return {state: found[state] for state in STATES}


def read_plan(folder: Path) -> Plan:
    """The plan of the last run in a folder, and what was handed in since."""
    content = read_json(folder / PLAN)
    if not content:
        raise InputError(f"nothing was run in {folder}; run the suite first: surefoot bench run")
    entries = [*map(Entry.of, content["trials"]), *_submitted(folder)]
    limits = made(Limits, content["limits"], "limits")
    return Plan(content["suite"], content["profile"], tuple(entries), limits)


def keep_submitted(folder: Path, entry: Entry) -> None:
    """Add a trial that was handed in, in place of an earlier one of the same words."""
    with locked(folder / ".submitted"):
        others = [one for one in _submitted(folder) if one.named != entry.named]
        write_json(folder / SUBMITTED, {"trials": [one.plain() for one in (*others, entry)]})


def _submitted(folder: Path) -> list[Entry]:
    return [Entry.of(one) for one in read_json(folder / SUBMITTED).get("trials", ())]


def runs_in(root: Path) -> Mapping[str, Plan]:
    """All plans under the folder of the runs, by the names of their folders."""
    return {path.parent.name: read_plan(path.parent) for path in sorted(root.glob(f"*/{PLAN}"))}
