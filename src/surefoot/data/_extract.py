"""Taking named files out of an archive without trusting anything else that is in it.

Nothing is unpacked wholesale: members are opened one by one and copied to paths that the card chose. A
member name that is absolute or climbs with ``..`` condemns the whole archive; a wanted member must be a
plain file of about the promised size.
"""

from __future__ import annotations

import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Any

from surefoot.data._card import File
from surefoot.errors import DownloadError

_DEB, _ZIP = b"!<arch>\n", b"PK"
_BLOCK = 1 << 20
_UNREADABLE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    RuntimeError,
    ValueError,
)

Member = tuple[str, bool, IO[bytes] | None]
"""Name, whether it is a plain file, and its content if it is one."""


def is_archive(path: Path) -> bool:
    """Whether a file is a zip (wheel), a tar of any compression, or a Debian package."""
    return _starts_with(path, _DEB) or zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def extract(archive: Path, files: Sequence[File], into: Path, *, by_name: bool = False) -> list[Path]:
    """Copy ``files`` out of ``archive`` to ``into``/path and return where they are.

    Paths inside the archive may have one folder wrapped around them, as in sdists. With ``by_name`` the
    folders do not matter and files that are not there are left out, unless none is.
    """
    found: dict[File, Path] = {}
    try:
        with ExitStack() as stack:
            for name, plain, content in _members(archive, stack):
                _refuse_escape(archive, name)
                wanted = next((file for file in files if _matches(name, file, by_name)), None)
                if wanted is None or wanted in found:
                    continue
                if not plain or content is None:
                    raise DownloadError(
                        f"{name} in {archive.name} is a link or a device, not a plain file; nothing was taken"
                    )
                found[wanted] = _copy(content, wanted, into / wanted.path)
    except DownloadError:
        raise
    except (*_UNREADABLE, OSError) as error:
        if isinstance(error, OSError) and error.errno:  # the disk's fault, not the archive's
            raise
        raise DownloadError(f"{archive.name} is damaged or incomplete ({error}); fetch it again") from None
    lacking = [file.path for file in files if file not in found]
    if lacking and not (by_name and found):
        raise DownloadError(
            f"{archive.name} holds no {', '.join(lacking)}; another version of the package may have dropped it"
        )
    return [found[file] for file in files if file in found]


def _starts_with(path: Path, mark: bytes) -> bool:
    with path.open("rb") as handle:
        return handle.read(len(mark)) == mark


def _matches(name: str, file: File, by_name: bool) -> bool:
    path = name.removeprefix("./")
    if by_name:
        return PurePosixPath(path).name == file.name
    return file.path in (path, path.partition("/")[2])


def _refuse_escape(archive: Path, name: str) -> None:
    """Refuse names that would land outside the folder they are unpacked into, on any system."""
    posix, windows = PurePosixPath(name), PureWindowsPath(name)
    if posix.is_absolute() or windows.drive or windows.root or ".." in windows.parts:
        raise DownloadError(
            f"{archive.name} holds the unsafe path {name!r}, which leads out of the archive; nothing was taken"
        )


def _copy(content: IO[bytes], file: File, to: Path) -> Path:
    """Write a member to disk, but not much more than the card promises."""
    limit = 2 * file.size + _BLOCK
    to.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with to.open("wb") as handle:
        while block := content.read(_BLOCK):
            written += len(block)
            if written > limit:
                raise DownloadError(
                    f"{file.path} is larger than {limit:,} bytes where {file.size:,} are promised; stopped there"
                )
            handle.write(block)
    return to


def _members(archive: Path, stack: ExitStack) -> Iterator[Member]:
    """Every member of a zip, tar or deb, in order."""
    if _starts_with(archive, _ZIP):
        yield from _zip_members(stack.enter_context(zipfile.ZipFile(archive)))
    elif _starts_with(archive, _DEB):
        name, content = _deb_data(stack.enter_context(archive.open("rb")))
        if name.endswith(".zst"):
            import pyarrow as pa

            content = stack.enter_context(pa.CompressedInputStream(pa.PythonFile(content, mode="r"), "zstd"))
        yield from _tar_members(content)
    else:
        yield from _tar_members(stack.enter_context(archive.open("rb")))


def _zip_members(opened: zipfile.ZipFile) -> Iterator[Member]:
    for info in opened.infolist():
        kind = stat.S_IFMT(info.external_attr >> 16)
        plain = not info.is_dir() and kind in (0, stat.S_IFREG)
        if plain:
            with opened.open(info) as content:
                yield info.filename, True, content
        else:
            yield info.filename, False, None


def _tar_members(content: IO[bytes]) -> Iterator[Member]:
    with tarfile.open(fileobj=content, mode="r|*") as opened:
        for info in opened:
            yield info.name, info.isreg(), opened.extractfile(info) if info.isreg() else None


class _Window(io.RawIOBase):
    """A read-only view of the next ``size`` bytes of a file."""

    def __init__(self, handle: IO[bytes], size: int) -> None:
        self._handle = handle
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._handle.read(min(len(buffer), self._left))
        self._left -= len(block)
        buffer[: len(block)] = block
        return len(block)


def _deb_data(handle: IO[bytes]) -> tuple[str, IO[bytes]]:
    """The name and content of ``data.tar.*`` inside a Debian package, which is an ``ar`` archive."""
    handle.seek(len(_DEB))
    while header := handle.read(60):
        name, size = header[:16].decode("ascii", "replace").strip().rstrip("/"), int(header[48:58])
        if name.startswith("data.tar"):
            return name, io.BufferedReader(_Window(handle, size))
        handle.seek(size + size % 2, 1)
    raise ValueError("no data.tar in it")
