"""The folder of fetched data: one Parquet file and one page of provenance a dataset.

``<cache>/data/<name>/<name>.parquet`` and ``<name>.json``. The JSON is written last and names the size and
SHA-256 of the Parquet file, so that a dataset is either complete or not there, whatever was killed when.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot import __version__
from surefoot._lock import locked
from surefoot.data._card import Card
from surefoot.errors import DownloadError, SurefootError

if TYPE_CHECKING:
    import pyarrow as pa


def root() -> Path:
    """The cache folder: ``SUREFOOT_CACHE``, else ``surefoot`` under ``XDG_CACHE_HOME`` or ``~/.cache``."""
    chosen = os.environ.get("SUREFOOT_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "surefoot"


def folder(card: Card) -> Path:
    """Where one dataset lives."""
    return root() / "data" / card.name


def parquet(card: Card) -> Path:
    """The dataset's file, whether it is there yet or not."""
    return folder(card) / f"{card.name}.parquet"


def sha256(path: Path) -> str:
    """Checksum of a file."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def damaged(card: Card, reason: str) -> DownloadError:
    """The error of a cache file that cannot be trusted, with its remedy."""
    return DownloadError(
        f"the cached copy of {card.name} is damaged ({reason}); run: surefoot data fetch {card.name} --force"
    )


def provenance(card: Card) -> dict[str, Any] | None:
    """What the cache says about a dataset; None if it is absent or made for another edition of its card."""
    page = parquet(card).with_suffix(".json")
    try:
        stored = json.loads(page.read_text(encoding="utf-8"))
        fits = stored["columns"] == list(card.columns)
        promised = {file.path: file.sha256 for file in card.files}
        if not fits or (stored["origin"] == "fetched" and stored["files"] != promised):
            return None
        size = int(stored["parquet"]["size"])
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise damaged(card, f"{page.name} does not read: {error}") from None
    if not parquet(card).is_file():
        raise damaged(card, f"{parquet(card).name} is gone")
    if (actual := parquet(card).stat().st_size) != size:
        raise damaged(card, f"{parquet(card).name} has {actual:,} bytes where {size:,} were written")
    assert isinstance(stored, dict)
    return stored


def find(card: Card) -> Path | None:
    """The dataset's file if it is in the cache and its size is right."""
    return parquet(card) if provenance(card) else None


def store(card: Card, table: pa.Table, workspace: Path, origin: dict[str, Any]) -> Path:
    """Put a table and its provenance into the cache; either both are visible afterwards or neither."""
    from pyarrow import parquet as pq

    target = parquet(card)
    fresh = workspace / target.name
    pq.write_table(table, fresh, compression="zstd", row_group_size=1 << 16, write_page_checksum=True)
    page = {
        "format": 1,
        "name": card.name,
        **origin,
        "rows": table.num_rows,
        "columns": table.column_names,
        "parquet": {"sha256": sha256(fresh), "size": fresh.stat().st_size},
        "licence": card.licence,
        "citation": card.citation,
        "stored": datetime.now(UTC).isoformat(timespec="seconds"),
        "surefoot": __version__,
    }
    written = fresh.with_suffix(".json")
    written.write_text(json.dumps(page, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for path in (fresh, written):
        _sync(path)
    target.with_suffix(".json").unlink(missing_ok=True)
    os.replace(fresh, target)
    os.replace(written, target.with_suffix(".json"))
    if os.name == "posix":
        _sync(target.parent)
    return target


def _sync(path: Path) -> None:
    """Have the system write a file (or a folder's entries) to disk."""
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def workspace(card: Card, waiting: Callable[[], None]) -> Iterator[Path]:
    """A scratch folder inside the dataset's, held by one process at a time and gone afterwards.

    Scratch folders of killed processes are cleared away on entry. ``waiting`` is called once if another
    process is at work.
    """
    home = folder(card)
    try:
        home.mkdir(parents=True, exist_ok=True)
        with locked(home.with_name(f".{card.name}.lock"), waiting=waiting):
            for left in home.glob(".work-*"):
                shutil.rmtree(left, ignore_errors=True)
            with tempfile.TemporaryDirectory(prefix=".work-", dir=home, ignore_cleanup_errors=True) as room:
                yield Path(room)
    except SurefootError:
        raise
    except OSError as error:
        raise DownloadError(
            f"{card.name} could not be stored in {home} ({error.strerror or error}); make room there, "
            "or set SUREFOOT_CACHE to a folder that can be written to"
        ) from error
