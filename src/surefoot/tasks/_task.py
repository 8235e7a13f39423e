"""A task: a dataset, how it is cut into parts, and by what a model of it is judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from surefoot import data
from surefoot.data.partition import Plan
from surefoot.tasks._data import TaskData, task_data

if TYPE_CHECKING:
    import pyarrow as pa

ERRORS = {"classification": "zero_one", "regression": "squared"}
UNCERTAINTIES = {
    "classification": ("negative_confidence", "entropy"),
    "regression": ("total_variance", "total_variance"),
}
MOST = {"train": 20_000, "dev_in": 5_000, "dev_out": 5_000, "eval_in": 10_000, "eval_out": 10_000}
"""The most rows of each part, unless a task says otherwise: enough to tell methods apart, in minutes on a laptop."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """A dataset's card, a plan of its parts, and the rules of judging.

    Attributes:
        name: the task's own name, which is that of its file.
        title: a few words.
        about: what shifts, and what is known to be peculiar.
        dataset: the name of the card.
        plan: which rows are in which part; its columns annotate the shift and are no features.
        annotates: further columns for analysis that no model sees, beside the card's own ``extra`` ones.
        threshold: the error up to which a prediction is acceptable.
        method: the preset of `surefoot.posteriors` to begin with.
        version: of the parts; a change of the plan raises it.
    """

    name: str
    title: str
    about: str
    dataset: str
    plan: Plan
    annotates: tuple[str, ...] = ()
    threshold: float = 0.0
    method: str = "boosting-ensemble"
    version: str = "1"

    @property
    def card(self) -> data.Card:
        """What is known about the data."""
        return data.card(self.dataset)

    @property
    def kind(self) -> str:
        """``"classification"`` or ``"regression"``."""
        return self.card.task

    @property
    def error(self) -> str:
        """The error of a row that retention curves are about."""
        return ERRORS[self.kind]

    @property
    def uncertainty(self) -> str:
        """The measure by which a single model's predictions are ranked by default."""
        return UNCERTAINTIES[self.kind][0]

    @property
    def ensemble_uncertainty(self) -> str:
        """The measure by which an ensemble's predictions are ranked by default."""
        return UNCERTAINTIES[self.kind][1]

    @property
    def licence(self) -> str:
        """Whose the data are, from the card."""
        return self.card.licence

    @property
    def citation(self) -> str:
        """Where the data come from, from the card."""
        return self.card.citation

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that the plan has; the papers' tasks on texts and images lack some."""
        return self.plan.parts

    @property
    def annotations(self) -> tuple[str, ...]:
        """The columns that annotate the shift: for analysis only."""
        named = {*self.plan.columns, *self.annotates, *self.card.extra} - {self.card.target}
        return tuple(name for name in self.card.columns if name in named)

    @property
    def features(self) -> tuple[str, ...]:
        """The columns that a model sees: no annotation is among them, nor a column that tells the same as one."""
        return self._without(self.annotations)

    def _without(self, annotations: Iterable[str]) -> tuple[str, ...]:
        """The card's features that neither annotate nor tell the same as what annotates."""
        card, gone = self.card, set(annotations)
        gone |= {same for name in annotations for same in card.splits.get(name, ())}
        return tuple(name for name in card.features if name not in gone)

    def load(
        self,
        seed: int = 0,
        *,
        plan: Plan | None = None,
        most: Mapping[str, int] | None = None,
        download: bool = False,
    ) -> TaskData:
        """The task's rows in their parts.

        ``seed`` divides the in-domain rows; 0 is the published division, by which results can be compared: the
        seeds of methods are another matter. ``plan`` takes a partition of one's own, and ``most`` other limits
        of rows than the task's. Nothing is downloaded unless ``download`` says so.
        """
        own = plan.columns if plan else ()
        needed = dict.fromkeys((*self.features, self.card.target, *self.annotations, *own))
        table = data.load(self.dataset, columns=list(needed), download=download)
        return self.of(table, seed, plan=plan, most=most)

    def of(
        self,
        table: pa.Table,
        seed: int = 0,
        *,
        plan: Plan | None = None,
        most: Mapping[str, int] | None = None,
    ) -> TaskData:
        """The same from a table with the card's columns."""
        own = self.plan if plan is None else plan
        limits = most if most is not None else own.most or MOST
        target = self.card.target
        shown = [name for name in dict.fromkeys((*self.annotations, *own.columns)) if name != target]
        return task_data(
            self.name,
            self.kind,
            table,
            target=target,
            features=self._without(shown),
            annotations=shown,
            plan=own,
            most=limits,
            seed=seed,
        )
