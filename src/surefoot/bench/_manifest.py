"""What goes along with predictions that are handed in: who predicted what, trained on which data."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from surefoot.bench._fields import made
from surefoot.errors import InputError

_METHOD = re.compile(r"\w[\w .,+()/-]{0,79}")
_ADDRESS = re.compile(r"\S+@\S+\.\S+")
_LONGEST = 1_000


@dataclass(frozen=True)
class Manifest:
    """What a manifest says.

    Attributes:
        task: the name of the task.
        method: what the tables call the method.
        split_hash: of the task's rows in their parts, `surefoot.tasks.TaskData.split_hash`.
        training_data: what it was trained on, in words; "train" if on the task's own part of that name.
        seed: of the training.
        suite: whose leaderboard it is for; needed where several suites have the task.
        about: what the method is, in a sentence or two.
        link: where more can be read.
        scores: never read; all scores are computed from the predictions.
    """

    task: str
    method: str
    split_hash: str
    training_data: str
    seed: int = 0
    suite: str | None = None
    about: str = ""
    link: str = ""
    scores: Any = None

    def __post_init__(self) -> None:
        from surefoot import tasks

        tasks.task(self.task)
        if not _METHOD.fullmatch(self.method):
            raise InputError(
                f"method must be a name of up to 80 letters, digits, spaces and . , + - ( ) /, not {self.method!r}"
            )
        if not 0 <= self.seed < 2**32:
            raise InputError(f"seed must be a number from 0 to {2**32 - 1}, not {self.seed}")
        if not self.training_data.strip():
            raise InputError('training_data is empty; say what the method was trained on, such as "train"')
        if self.link and not self.link.startswith("https://"):
            raise InputError(f"link must begin with https://, not {self.link!r}")
        for name in ("training_data", "about", "link"):
            value = getattr(self, name)
            if len(value) > _LONGEST:
                raise InputError(f"{name} has {len(value):,} letters; give at most {_LONGEST:,}")
            if found := _ADDRESS.search(value):
                raise InputError(
                    f"{name} holds {found[0]!r}; leave out what people can be reached by: pages are public"
                )


def read_manifest(path: Path) -> Manifest:
    """A manifest out of a JSON file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise InputError(f"{path} cannot be read as JSON ({problem})") from None
    return made(Manifest, content, str(path))
