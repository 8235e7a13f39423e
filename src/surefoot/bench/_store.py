"""The folder of one trial: what it is, where it ran, how it is, and what came out.

    runs/<suite>/<id>/  specification.json  environment.json  status.json  log.txt
                        predictions.parquet  scorecard.json  <further tables>.parquet

Every file is written beside its place and renamed, the status last: a trial is finished if its status says so and
every file that the status names has the size that it names. Whoever works on a trial holds the lock of its `.claim`,
which the system releases if the process dies.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from surefoot._atomic import renamed
from surefoot._json import plain
from surefoot._lock import Held, locked
from surefoot.bench._kind import Outcome

if TYPE_CHECKING:
    from surefoot.scorecard import Scorecard

PREDICTIONS, SCORECARD = "predictions.parquet", "scorecard.json"
SPECIFICATION, ENVIRONMENT, STATUS, LOG = "specification.json", "environment.json", "status.json", "log.txt"
_CLAIM = ".claim"

State = Literal["missing", "running", "stopped", "failed", "finished"]
"""*stopped*: it was running when its process ended; *missing*: nothing is there, or not what was promised."""

PROBE = 0.0
"""Seconds that a look at a claim waits for it."""


@dataclass(frozen=True)
class Place:
    """The folder of a trial."""

    folder: Path

    @property
    def status(self) -> Mapping[str, Any]:
        """What status.json says; nothing if there is none."""
        return read_json(self.folder / STATUS)

    @cached_property
    def specification(self) -> Mapping[str, Any]:
        """What specification.json says: all that the results depend on."""
        return read_json(self.folder / SPECIFICATION)

    @property
    def finished(self) -> bool:
        """Whether all results are there."""
        return self._whole(self.status)

    def _whole(self, status: Mapping[str, Any]) -> bool:
        if status.get("state") != "finished":
            return False
        files: Mapping[str, int | None] = status["files"]
        return all(_there(self.folder / name, size) for name, size in files.items())

    def state(self) -> State:
        """How the trial is, with a look at who holds its claim."""
        status = self.status
        said = status.get("state")
        if self._whole(status):
            return "finished"
        if self.claimed():
            return "running"
        if said == "running":
            return "stopped"
        return "failed" if said == "failed" else "missing"

    def claimed(self) -> bool:
        """Whether a process is at work here."""
        if not (self.folder / _CLAIM).exists():
            return False
        try:
            with self.claim(PROBE):
                return False
        except Held:
            return True

    @contextmanager
    def claim(self, patience: float) -> Iterator[None]:
        """Have the folder to oneself; `Held` if another process does, for longer than ``patience`` seconds."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder / _CLAIM, patience=patience):
            yield

    def clear(self) -> None:
        """Take away the results and what killed processes left; the claim has to be held.

        Folders stay: a kind of trials may keep in one what it needs to go on from.
        """
        (self.folder / STATUS).unlink(missing_ok=True)  # first: what has no status is believed by nobody
        for path in self.folder.iterdir():
            if path.is_file() and path.name != _CLAIM:
                path.unlink()

    def write(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a JSON file."""
        write_json(self.folder / name, content)

    def keep(self, outcome: Outcome) -> Mapping[str, int | None]:
        """Write what came out of a trial; names and sizes of the files, but of the scorecard, which may change."""
        from pyarrow import parquet

        names: list[str] = []
        if outcome.predictions is not None:
            from surefoot.predictions import _parquet

            with self._file(PREDICTIONS, names) as path:
                _parquet.write(outcome.predictions, path)
        if outcome.scorecard is not None:
            self.replace_scorecard(outcome.scorecard)
        for name, table in outcome.tables.items():
            with self._file(f"{name}.parquet", names) as path:
                parquet.write_table(table, path)
        sizes: dict[str, int | None] = {name: (self.folder / name).stat().st_size for name in names}
        return sizes | ({} if outcome.scorecard is None else {SCORECARD: None})

    @contextmanager
    def _file(self, name: str, names: list[str]) -> Iterator[Path]:
        with renamed(self.folder / name) as path:
            yield path
        names.append(name)

    def replace_scorecard(self, card: Scorecard) -> None:
        """A new scorecard of the predictions that are kept."""
        self.write(SCORECARD, card.to_dict())

    def scorecard(self) -> Mapping[str, Any]:
        """The scorecard as plain data."""
        return read_json(self.folder / SCORECARD)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file whole; a loss of power is out of scope, so the disk is not waited for."""
    text = json.dumps(plain(content), allow_nan=False, ensure_ascii=False)
    with renamed(path) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")


def read_json(path: Path) -> Mapping[str, Any]:
    """Read a JSON file; nothing if it is not there or does not read."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _there(path: Path, size: int | None) -> bool:
    try:
        return size in (None, path.stat().st_size)
    except OSError:
        return False
