"""What every method is: a small recipe that learns from the labelled rows and then guesses scores of batches.

A guess is made in two steps. What is said of each row by itself (`Learned.per_row`) is worked out chunk by chunk, so
that a batch may be large; then `Learned.guess` turns outputs and rows' numbers into a score.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot._checks import Array
from surefoot.errors import InputError
from surefoot.estimators._movement import Movement, reference_of
from surefoot.estimators._rehearsal import GROUPS, UNMOVED, Batch, Rehearsal
from surefoot.estimators._scores import SCORES, Score, truth


@dataclass(frozen=True)
class Fold:
    """What may be learned from: labelled rows and domains, as masks; the rest is kept to be tried on."""

    rows: NDArray[np.bool_]
    domains: NDArray[np.bool_]


@dataclass(frozen=True)
class Seen:
    """A batch after its rows were looked at: outputs, what `per_row` said, weights, some rows with features, and how
    they have moved."""

    outputs: Array
    per_row: Array | None
    weights: Array
    sample: Batch
    movement: Movement


class Learned(ABC):
    """A method after learning."""

    def per_row(self, batch: Batch) -> Array | None:
        """One number (or two) for each row, or None where the outputs tell everything."""
        return None

    @abstractmethod
    def guess(self, seen: Seen, score: Score) -> float:
        """What the score of the batch would be."""

    @abstractmethod
    def parts(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """What must be kept to make it again: plain values, and scikit-learn models by name."""

    @classmethod
    @abstractmethod
    def from_parts(cls, values: Mapping[str, Any], models: Mapping[str, Any]) -> Learned:
        """The way back."""


class Method(ABC):
    """A recipe for estimating scores; a frozen dataclass of its options."""

    name: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]] = ("classification",)
    """Kinds of models it serves."""
    scores: ClassVar[tuple[str, ...]] = tuple(SCORES)
    """Scores it can guess."""
    needs_features: ClassVar[bool] = False
    """Whether the outputs alone do not do."""

    @abstractmethod
    def learn(self, rehearsal: Rehearsal, fold: Fold) -> Learned:
        """Learn from the rows and domains of a fold."""

    def train(self, trials: Trials) -> tuple[Learned, Array]:
        """Learn from everything, and guess the kept domains, [domains, scores], without having seen them."""
        learned = [self.learn(trials.rehearsal, fold) for fold in trials.folds]
        return self.learn(trials.rehearsal, everything(trials.rehearsal)), trials.guesses(
            learned, self.scores
        )

    def check(self, kind: str, has_features: bool) -> None:
        """Refuse a kind of model or of input that the method cannot serve."""
        if kind not in self.kinds:
            raise InputError(
                f"{self.name} serves {' and '.join(self.kinds)}, not {kind}; use error-predictor"
            )
        if self.needs_features and not has_features:
            raise InputError(
                f"{self.name} learns from features, and only probabilities were given; give model and X, or use doc"
            )


def everything(rehearsal: Rehearsal) -> Fold:
    """All rows and all domains."""
    return Fold(np.ones(len(rehearsal.target), dtype=bool), np.ones(len(rehearsal.family), dtype=bool))


@dataclass(frozen=True)
class Trials:
    """Domains on which methods are tried out that have learned without them.

    Fold i leaves out the rows of group i and family i of shifts (of more than five, also i + 5 and so on);
    ``kept[i]`` are the domains of both, and those of group i in which nothing moved, of which no method needs to be
    kept ignorant but of their rows. How they have moved is held against the rows of the other groups.
    """

    rehearsal: Rehearsal
    scores: tuple[Score, ...]
    folds: tuple[Fold, ...]
    kept: tuple[NDArray[np.int64], ...]
    movements: tuple[Movement, ...]
    truth: Array

    @property
    def domains(self) -> NDArray[np.int64]:
        """The kept domains in the order of all results."""
        return np.concatenate(self.kept)

    @property
    def unmoved(self) -> NDArray[np.bool_]:
        """Which of them are not shifted."""
        return np.array([self.rehearsal.families[f] == UNMOVED for f in self.rehearsal.family[self.domains]])

    @property
    def sizes(self) -> Array:
        """How many different rows each is worth."""
        return self.rehearsal.sizes[self.domains]

    def guesses(self, learned: Sequence[Learned], allowed: Sequence[str]) -> Array:
        """What was learned from each fold, asked about the domains kept from it; NaN for scores not allowed."""
        out = np.full((len(self.domains), len(self.scores)), np.nan)
        at = 0
        movements = iter(self.movements)
        for one, kept in zip(learned, self.kept, strict=True):
            for seen in self._seen(one, kept, movements):
                for s, score in enumerate(self.scores):
                    if score.name in allowed:
                        out[at, s] = one.guess(seen, score)
                at += 1
        return out

    def _seen(
        self, learned: Learned, kept: NDArray[np.int64], movements: Iterator[Movement]
    ) -> Iterator[Seen]:
        """The kept domains, their rows looked at in one go."""
        places = list(self.rehearsal)
        spans = [np.arange(places[d].start, places[d].stop) for d in kept]
        if not spans:
            return
        batch = self.rehearsal.domains.take(np.concatenate(spans))
        said = learned.per_row(batch)
        start = 0
        for span in spans:
            rows = slice(start, start + len(span))
            yield Seen(
                batch.outputs[rows],
                None if said is None else said[rows],
                self.rehearsal.domain_weights[span],
                batch.take(rows),
                next(movements),
            )
            start += len(span)


def trials_of(rehearsal: Rehearsal, scores: Sequence[Score]) -> Trials:
    """Folds of a rehearsal, and the true scores of the domains kept from them."""
    folds, kept = [], []
    still = np.array([rehearsal.families[f] == UNMOVED for f in rehearsal.family])
    leaves_with = rehearsal.family % GROUPS  # with more families than groups, several leave together
    for i in range(GROUPS):
        without = (rehearsal.domain_group != i) & (leaves_with != i)
        folds.append(Fold(rehearsal.group != i, without))
        kept.append(np.flatnonzero((rehearsal.domain_group == i) & (still | (leaves_with == i))))
    places = list(rehearsal)
    true = [
        [score.of(outputs, belief, rehearsal.domain_weights[place]) for score in scores]
        for place in (places[d] for d in np.concatenate(kept))
        for outputs in (rehearsal.domains.outputs[place],)
        for belief in (truth(outputs, rehearsal.domain_target[place]),)
    ]
    sizes = rehearsal.sizes
    movements = [
        reference.movement(rehearsal.domains.take(places[d]), rehearsal.domain_weights[places[d]], sizes[d])
        for fold, some in zip(folds, kept, strict=True)
        for reference in (
            reference_of(
                rehearsal.rows.take(fold.rows),
                rehearsal.target[fold.rows],
                rehearsal.is_code,
                rehearsal.weights[fold.rows],
            ),
        )
        for d in some
    ]
    return Trials(
        rehearsal,
        tuple(scores),
        tuple(folds),
        tuple(kept),
        tuple(movements),
        np.array(true).reshape(-1, len(scores)),
    )
