"""What to take for given needs: every candidate with the reasons for and against it, the best first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from surefoot.bench.advice._conflicts import CONFLICTS, Conflict
from surefoot.bench.advice._defaults import DEFAULTS, MEASURES, Default
from surefoot.bench.advice._needs import Needs
from surefoot.bench.advice._record import CALIBRATION, NOVELTY, PROPER, Record, compared, multiples
from surefoot.bench.advice._rule import Reason, Rule, fits
from surefoot.bench.advice._rules import RULES
from surefoot.bench.advice._setups import FAMILIES, SETUPS, Setup, exceeded
from surefoot.bench.advice._sources import Source
from surefoot.posteriors import Cost, Preset, cost, family, presets


@dataclass(frozen=True)
class Candidate:
    """A set-up as large as the budget allows, or as small as it can be where that allows none.

    Attributes:
        setup: its parts.
        size: members, or snapshots, or cycles.
        needs: what it was judged by.
        reasons: what it won in comparisons, and the findings that hold for it.
        beyond: budgets that even its smallest form is beyond.
    """

    setup: Setup
    size: int
    needs: Needs
    reasons: tuple[Reason, ...]
    beyond: tuple[str, ...]

    @property
    def name(self) -> str:
        """The set-up's name."""
        return self.setup.name

    @property
    def members(self) -> int:
        """Independent members."""
        return self.size if self.setup.ensemble else 1

    @property
    def passes(self) -> int:
        """Monte-Carlo passes through each."""
        return self.setup.passes

    @property
    def cost(self) -> Cost:
        """Training, one prediction and storage in multiples of a single model (table 4)."""
        return cost(self.setup.recipe(self.size))

    @property
    def score(self) -> float:
        """All reasons weighed up."""
        return sum(reason.weight for reason in self.reasons)

    @property
    def reasons_for(self) -> tuple[Reason, ...]:
        """What speaks for it, the loudest first."""
        return tuple(sorted((one for one in self.reasons if one.weight > 0), key=lambda one: -one.weight))

    @property
    def reasons_against(self) -> tuple[Reason, ...]:
        """What speaks against it, the loudest first."""
        return tuple(sorted((one for one in self.reasons if one.weight < 0), key=lambda one: one.weight))

    @property
    def records(self) -> Mapping[str, Record]:
        """Pairwise comparisons of Van Landeghem et al. 2022 that it was part of, by what was compared."""
        tables = {
            "table 3, proper scores": PROPER,
            "table 3, calibration": CALIBRATION,
            "table 9, novel classes": NOVELTY,
        }
        return {what: table[self.name] for what, table in tables.items() if self.name in table}

    @property
    def multiples(self) -> Mapping[str, Mapping[str, float]]:
        """What one member was measured to take in multiples of a single network (tables 5 and 6)."""
        return multiples(self.name)

    @cached_property
    def presets(self) -> tuple[Preset, ...]:
        """Presets of today that are made of these parts, for these inputs and labels; the best evidence first."""
        order = FAMILIES[self.needs.inputs]
        kind = "classification" if self.needs.cardinality is None else "multilabel"
        found = [
            preset
            for preset in presets()
            if (recipe := preset.recipe).family in order
            and kind in family(recipe.family).kinds
            and self.setup.is_made_by(recipe)
        ]
        return tuple(sorted(found, key=lambda one: (order.index(one.recipe.family), not _calibrated(one))))

    @property
    def preset(self) -> str | None:
        """The preset to run, if there is one today."""
        return self.presets[0].name if self.presets else None

    @property
    def recipe(self) -> Mapping[str, Any] | None:
        """That preset's recipe at this size, as a suite takes it."""
        if not self.presets:
            return None
        chosen = self.presets[0].recipe
        return chosen.having(members=self.members).to_dict()

    @property
    def defaults(self) -> tuple[Default, ...]:
        """Reasonable values for what it leaves open."""
        return tuple(one for one in DEFAULTS if self._fits(one))

    def _fits(self, one: Rule | Default) -> bool:
        return fits(one.when, self.needs.words) and fits(one.of, self.setup.words(self.size))

    @classmethod
    def of(cls, setup: Setup, needs: Needs) -> Candidate:
        """A set-up, judged by the needs."""
        largest = setup.largest(needs)
        size = setup.sizes[0] if largest is None else largest
        bare = cls(setup, size, needs, (), ())
        found = (Reason(rule.says, rule.weight, rule.source, rule.name) for rule in RULES if bare._fits(rule))
        reasons = (*compared(setup.name, needs), *found)
        return replace(bare, reasons=reasons, beyond=tuple(exceeded(bare.cost, needs)))


def _calibrated(preset: Preset) -> bool:
    return preset.recipe.after.name == "temperature"


@dataclass(frozen=True)
class Advice:
    """What to take.

    Attributes:
        needs: what was asked.
        candidates: set-ups within the budget, the best first; there is always one, a single network.
        left_out: set-ups that even at their smallest are beyond it.
        conflicts: needs that contradict each other.
        unlimited: what would be taken if there were no budget, if that is something else.
    """

    needs: Needs
    candidates: tuple[Candidate, ...]
    left_out: tuple[Candidate, ...]
    conflicts: tuple[Conflict, ...]
    unlimited: Candidate | None

    @property
    def best(self) -> Candidate:
        """The advised one."""
        return self.candidates[0]

    @property
    def today(self) -> Candidate | None:
        """The best that a preset of today runs."""
        return next((one for one in self.candidates if one.preset), None)

    @property
    def measure(self) -> tuple[str, Source]:
        """The measure that speaks of the wanted kind of uncertainty, as surefoot.measures calls it."""
        return MEASURES[self.needs.uncertainty]


def advise(needs: Needs) -> Advice:
    """Judge every set-up by every rule; ties go to the cheaper one, then by name.

    >>> advise(Needs(classes=2, memory=1)).best.name
    'concrete-dropout'
    """
    judged = sorted(_judged(needs), key=_order)
    free = replace(needs, memory=None, training=None, inference=None)
    unlimited = min(_judged(free), key=_order)
    within = tuple(one for one in judged if not one.beyond)
    same = (unlimited.name, unlimited.size) == (within[0].name, within[0].size)
    return Advice(
        needs,
        within,
        tuple(one for one in judged if one.beyond),
        tuple(one for one in CONFLICTS if fits(one.when, needs.words)),
        None if same else unlimited,
    )


def _judged(needs: Needs) -> Iterator[Candidate]:
    return (Candidate.of(setup, needs) for setup in SETUPS if needs.inputs in setup.only)


def _order(one: Candidate) -> tuple[float, float, float, str]:
    # Rounded, because sums of the same weights in another order differ in their last digit.
    return -round(one.score, 9), one.cost.training, one.cost.inference, one.name
