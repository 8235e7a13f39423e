"""Archives: the named file comes out, nothing else does, and nothing leads out of the folder."""

from __future__ import annotations

import io
import lzma
import random
import stat
import tarfile
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from surefoot.data._card import File
from surefoot.data._extract import extract, is_archive
from surefoot.errors import DownloadError
from toy import tar

CONTENT = random.Random(0).randbytes(20_000)
WANTED = File("data/toy.csv", "", len(CONTENT))


def tar_bytes(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for info, content in members:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def deb(path: Path, name: str, data: bytes) -> Path:
    """A Debian package: an ar archive of three files, odd lengths padded."""
    out = b"!<arch>\n"
    for member, content in (("debian-binary", b"2.0\n"), ("control.tar.xz", b"odd"), (name, data)):
        out += f"{member:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode()
        out += content + b"\n" * (len(content) % 2)
    path.write_bytes(out)
    return path


def make_tar(path: Path) -> Path:
    return tar(path, **{"toy-1.0/README": b"hello", "toy-1.0/data/toy.csv": CONTENT})


def make_zip(path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/", b"")
        archive.writestr("data/toy.csv", CONTENT)
    return path


def make_deb_xz(path: Path) -> Path:
    return deb(path, "data.tar.xz", lzma.compress(tar_bytes((tarfile.TarInfo("./data/toy.csv"), CONTENT))))


def make_deb_zst(path: Path) -> Path:
    content = tar_bytes((tarfile.TarInfo("./data/toy.csv"), CONTENT))
    return deb(path, "data.tar.zst", pa.compress(content, codec="zstd", asbytes=True))


@pytest.mark.parametrize("make", [make_tar, make_zip, make_deb_xz, make_deb_zst])
def test_the_named_file_and_nothing_else(tmp_path: Path, make):
    archive = make(tmp_path / "package")
    assert is_archive(archive)
    found = extract(archive, [WANTED], tmp_path / "out")
    assert found == [tmp_path / "out" / "data" / "toy.csv"]
    assert found[0].read_bytes() == CONTENT
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == found


def test_plain_files_are_no_archives(tmp_path: Path):
    for content in (b"", CONTENT, b"PAR1 and so on"):
        (tmp_path / "file").write_bytes(content)
        assert not is_archive(tmp_path / "file")


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/evil", "C:/evil", "..\\evil", "\\evil"])
@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_paths_that_lead_out_are_refused(tmp_path: Path, name: str, kind: str):
    archive = tmp_path / "package"
    if kind == "tar":
        tar(archive, **{name: b"evil", "toy-1.0/data/toy.csv": CONTENT})
    else:
        with zipfile.ZipFile(archive, "w") as opened:
            opened.writestr(name, b"evil")
            opened.writestr("data/toy.csv", CONTENT)
    inside = tmp_path / "deep" / "down"
    with pytest.raises(DownloadError, match=r"holds the unsafe path .* nothing was taken"):
        extract(archive, [WANTED], inside)
    assert not list(tmp_path.rglob("*evil*"))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE]
)
def test_links_and_devices_are_refused(tmp_path: Path, kind: bytes):
    info = tarfile.TarInfo("toy-1.0/data/toy.csv")
    info.type, info.linkname = kind, "/etc/passwd"
    archive = tmp_path / "package"
    archive.write_bytes(tar_bytes((info, b"")))
    with pytest.raises(DownloadError, match="is a link or a device"):
        extract(archive, [WANTED], tmp_path / "out")


def test_links_in_a_zip_are_refused(tmp_path: Path):
    info = zipfile.ZipInfo("data/toy.csv")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "package", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(DownloadError, match="is a link or a device"):
        extract(tmp_path / "package", [WANTED], tmp_path / "out")


def test_links_elsewhere_in_the_package_do_not_matter(tmp_path: Path):
    link = tarfile.TarInfo("toy-1.0/link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    (tmp_path / "package").write_bytes(
        tar_bytes((link, b""), (tarfile.TarInfo("toy-1.0/data/toy.csv"), CONTENT))
    )
    assert extract(tmp_path / "package", [WANTED], tmp_path / "out")[0].read_bytes() == CONTENT


def test_a_bomb_is_stopped(tmp_path: Path):
    archive = tar(tmp_path / "package", **{"toy-1.0/data/toy.csv": bytes(50_000_000)})
    assert archive.stat().st_size < 100_000
    with pytest.raises(DownloadError, match="larger than"):
        extract(archive, [WANTED], tmp_path / "out")
    assert (tmp_path / "out" / "data" / "toy.csv").stat().st_size < 2_000_000


@pytest.mark.parametrize("make", [make_tar, make_zip, make_deb_xz, make_deb_zst])
@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_cut_archives_are_refused(tmp_path: Path, make, cut: float):
    archive = make(tmp_path / "package")
    content = archive.read_bytes()
    archive.write_bytes(content[: int(len(content) * cut)])
    with pytest.raises(DownloadError, match=r"damaged or incomplete|holds no"):
        extract(archive, [WANTED], tmp_path / "out")


def test_by_name_finds_files_in_any_folder_and_leaves_out_what_is_not_there(tmp_path: Path):
    archive = tar(tmp_path / "package", **{"other/place/toy.csv": CONTENT})
    more = File("data/more.csv", "", 10)
    assert len(extract(archive, [WANTED, more], tmp_path / "out", by_name=True)) == 1
    with pytest.raises(DownloadError, match="holds no data/more.csv; another version"):
        extract(archive, [more], tmp_path / "out", by_name=True)


def test_the_disk_is_not_blamed_on_the_archive(tmp_path: Path):
    (tmp_path / "out").touch()
    with pytest.raises(OSError, match="Not a directory|File exists") as caught:
        extract(make_tar(tmp_path / "package"), [WANTED], tmp_path / "out")
    assert not isinstance(caught.value, DownloadError)
