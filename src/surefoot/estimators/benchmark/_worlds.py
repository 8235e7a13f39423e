"""A deployed model and the data around it: what it was trained on, what is labelled, and where it goes next.

Appendix A of Maggio et al. 2022: one value (or several) of a dataset's split variable is the source domain. n of its
rows train the model, 2n are labelled and make the pool, others are the clean target to which shifts are applied, and
every other value is a natural shift. The split variable and what tells the same leave the features. Where the data
have more rows than that, target and natural shifts keep several times n, so that batches of n rows are not always the
same rows. A natural shift may have fewer than n rows, which the paper leaves out, but not so few that its accuracy
would be a matter of chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surefoot import data
from surefoot._columns import open_columns
from surefoot.errors import DownloadError, InputError
from surefoot.estimators._prepare import filled
from surefoot.estimators._schema import Schema, schema_of

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 500
"""Rows of a sample, where the data have enough."""

FEWEST = 250
"""Rows of a sample below which a dataset is too small."""

FEWEST_OF_ALL = 8 * FEWEST
"""Rows of a dataset below which its source domain may be too small."""

FEWEST_NATURAL = 100
"""Rows below which a value of the split variable is no natural shift."""

RAREST = 0.01
"""Share of the source's rows below which a class is left out: too few of its rows would be in a sample."""

MOST_BATCHES = 10
"""Clean target rows and rows of a natural shift that are kept, in samples of n rows."""

MADE_UP = frozenset({"churn"})
"""Datasets that are no real data."""


@dataclass(frozen=True)
class Rows:
    """Rows with their labels as codes in the order of the model's probabilities."""

    X: pa.Table
    y: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.y)


@dataclass(frozen=True)
class Primary:
    """The primary model: a random forest calibrated by Platt's method, on tables as they are.

    Categories become codes and gaps medians (of categories a code of their own), as in the published code. The
    calibration is cross-fitted on the training rows, where the published code takes the validation rows for it, whose
    accuracy is then the reference.
    """

    schema: Schema
    native: Any
    classes_: NDArray[np.int64]

    def predict_proba(self, table: Any) -> NDArray[np.float64]:
        """Probabilities of the classes, a row each."""
        return self.of_features(self.schema.features(self.schema.open(table)))

    def of_features(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """The same for rows that are numbers and codes already."""
        return np.asarray(self.native.predict_proba(features))


@dataclass(frozen=True)
class World:
    """A model, its labelled pool, the clean target rows, and natural shifts by the value of the split variable.

    ``n`` is the number of rows of a sample; the target may be larger, and a natural shift larger or smaller.
    """

    name: str
    n: int
    model: Primary
    classes: tuple[Any, ...]
    pool: Rows
    target: Rows
    natural: Mapping[str, Rows]


def names() -> tuple[str, ...]:
    """Real datasets to classify with a natural split that packages carry or that are in the cache."""
    return tuple(card.name for card in data.cards() if card.name not in MADE_UP and _usable(card))


def card_of(name: str) -> data.Card:
    """The card of a dataset that worlds are made of, or a sentence that says why it is none."""
    card = data.card(name)
    if card.natural is None or card.task != "classification":
        raise InputError(
            f"{card.name} is no dataset to classify with a natural split; choose from {', '.join(names())}"
        )
    return card


def world(
    name: str, n: int = ROWS, seed: int = 0, *, labelled: int | None = None, download: bool = True
) -> World:
    """Draw a world of a dataset, with samples of n rows or as many as a quarter of the source domain has.

    ``labelled`` rows make the pool, if they leave as many for the clean target; 2n as in the paper if None.
    """
    from sklearn.model_selection import train_test_split

    card = card_of(name)
    assert card.natural is not None
    rng = np.random.default_rng(seed)
    split = card.natural.column
    features = card.features_without(split)
    table = data.load(card.name, columns=[*features, card.target, split], download=download)
    domain, values = _codes(table[split])
    label, labels = _codes(table[card.target])
    inside = np.isin(domain, [code for code, value in enumerate(values) if value in card.natural.source])
    label, classes = _common(label, labels, inside)
    source = rng.permutation(np.flatnonzero(inside & (label >= 0)))
    n = min(n, len(source) // 4)
    if n < FEWEST:
        raise InputError(f"the source domain of {name} has {len(source)} rows; {4 * FEWEST} are needed")
    training, rest = train_test_split(source, train_size=n, stratify=label[source], random_state=seed)
    pool = 2 * n if labelled is None else max(2 * n, min(labelled, len(rest) // 2))
    X = table.select(list(features))

    def rows(places: NDArray[np.int64]) -> Rows:
        return Rows(X.take(places), label[places])

    natural = {}
    for code, value in enumerate(values):
        there = np.flatnonzero((domain == code) & ~inside & (label >= 0))
        if len(there) >= FEWEST_NATURAL:
            natural[str(value)] = rows(rng.permutation(there)[: MOST_BATCHES * n])
    return World(
        name=card.name,
        n=n,
        model=_trained(rows(training), seed),
        classes=classes,
        pool=rows(rest[:pool]),
        target=rows(rest[pool : pool + MOST_BATCHES * n]),
        natural=natural,
    )


def _trained(rows: Rows, seed: int) -> Primary:
    """Fit the primary model."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline

    columns = open_columns(rows.X)
    schema = schema_of(columns)
    forest = make_pipeline(filled(schema.is_code), RandomForestClassifier(random_state=seed))
    folds = int(np.clip(np.bincount(rows.y)[np.unique(rows.y)].min(), 2, 5))
    model = CalibratedClassifierCV(forest, method="sigmoid", cv=folds, ensemble=False)
    model.fit(schema.features(columns), rows.y)
    return Primary(schema, model, model.classes_)


def _codes(column: pa.ChunkedArray) -> tuple[NDArray[np.int64], list[Any]]:
    """Codes of a column's values, −1 where missing, and the values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    encoded = column.combine_chunks().dictionary_encode()
    return pc.fill_null(encoded.indices, -1).to_numpy().astype(np.int64), encoded.dictionary.to_pylist()


def _common(
    label: NDArray[np.int64], labels: list[Any], inside: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], tuple[Any, ...]]:
    """Codes of the classes that are common enough in the source, −1 for others, and these classes."""
    known = label[inside & (label >= 0)]
    share = np.bincount(known, minlength=len(labels)) / max(len(known), 1)
    kept = sorted(np.flatnonzero(share >= RAREST), key=lambda code: str(labels[code]))
    place = np.full(len(labels) + 1, -1)
    place[kept] = np.arange(len(kept))
    return place[label], tuple(labels[code] for code in kept)


def _usable(card: data.Card) -> bool:
    if card.natural is None or card.task != "classification" or card.rows < FEWEST_OF_ALL:
        return False
    if card.source is not None:
        return True
    try:
        data.path(card.name)
    except DownloadError:
        return False
    return True
