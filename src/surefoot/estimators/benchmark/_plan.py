"""Which trials make a run: all datasets for the tables, a few for the closer looks of figures 5 and 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from surefoot.estimators.benchmark._entrants import ABLATION, DOMAINS_OF, EXPERIMENTS, KINDS_OF
from surefoot.estimators.benchmark._trial import Trial
from surefoot.estimators.benchmark._worlds import ROWS, names

CLOSER = (ABLATION, KINDS_OF, DOMAINS_OF)
"""Experiments that are run on a few datasets."""

LOOKED_AT = ("adult", "bank", "credit_default")
"""Those: of the paper's ten the two that come in packages, and the bank's larger file with another target."""

QUICK = ("adult", "bank", "compas", "credit_default", "electricity", "heart", "lending_club")
"""Datasets of the quick profile; heart where it has been imported."""


@dataclass(frozen=True)
class Profile:
    """How large a run is. The defaults are the paper's: 10 seeds, 100 batches and 100 training domains of each kind.

    The closer looks take the first ``closer`` of the datasets in `LOOKED_AT`, or of all where none of those is there.
    """

    datasets: tuple[str, ...] = field(default_factory=names)
    seeds: int = 10
    batches: int = 100
    domains: int = 100
    rows: int = ROWS
    experiments: tuple[str, ...] = EXPERIMENTS
    closer: int = len(LOOKED_AT)

    def trials(self) -> Iterator[Trial]:
        """All trials, seed by seed, so that a run that is stopped has something of every dataset."""
        closer = self.looked_at()
        for seed in range(self.seeds):
            for dataset in sorted(self.datasets, key=lambda name: name not in closer):
                for experiment in self.experiments:
                    if experiment not in CLOSER or dataset in closer:
                        yield Trial(dataset, seed, experiment, self.batches, self.domains, self.rows)

    def looked_at(self) -> Sequence[str]:
        """Datasets of the closer looks."""
        preferred = [name for name in LOOKED_AT if name in self.datasets]
        return (preferred or self.datasets)[: self.closer]


def full() -> Profile:
    """The paper's sizes, on every dataset that there is."""
    return Profile()


def quick() -> Profile:
    """Some minutes: one seed, and a tenth of all batches and training domains."""
    there = tuple(name for name in QUICK if name in names())
    return Profile(datasets=there, seeds=1, batches=10, domains=10, closer=1)
