"""Scorecards made anew from the predictions that trials have kept: a new metric needs no retraining."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from surefoot._lock import Held
from surefoot.bench._attempt import PATIENCE
from surefoot.bench._kind import kind_named
from surefoot.bench._plan import Entry, Plan
from surefoot.bench._store import PREDICTIONS, Place
from surefoot.bench._trial import Trial
from surefoot.predictions import scan


def rescorable(plan: Plan, folder: Path) -> list[Entry]:
    """Finished trials that have kept their predictions."""
    places = ((entry, Place(folder / entry.id)) for entry in plan.entries)
    return [entry for entry, place in places if place.finished and PREDICTIONS in place.status["files"]]


def rescore(entries: list[Entry], folder: Path) -> Iterator[tuple[Entry, str]]:
    """Score each anew, and yield it with the reason if that failed (an empty text: it did not)."""
    for entry in entries:
        place = Place(folder / entry.id)
        trial = Trial.of(entry.given)
        score = kind_named(trial.kind).rescore
        if score is None:
            yield entry, f"trials of the kind {trial.kind} cannot be scored anew"
            continue
        try:
            with place.claim(PATIENCE):
                place.replace_scorecard(score(trial.what, scan(place.folder / PREDICTIONS)))
        except Held:
            yield entry, "another process is at it"
        except (OSError, ValueError) as error:
            yield entry, str(error)
        else:
            yield entry, ""
