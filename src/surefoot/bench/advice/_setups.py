"""The candidates: the papers' set-ups as parts of a recipe, and how large each can be within a budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from surefoot.bench.advice._needs import FULL, Needs
from surefoot.posteriors import Choice, Cost, Recipe, cost

PASSES = 10
"""Monte-Carlo passes, and draws of a heteroscedastic loss (Van Landeghem et al. 2022, appendix B)."""

_CYCLES, _A_CYCLE = 4, 3
"""Cycles of cyclical SGLD and the samples of each (Ashukha et al. 2020, section 4.2, take three a cycle)."""


@dataclass(frozen=True)
class Setup:
    """Parts that make a way to get uncertainty; how many members it has follows from the budget.

    ``more`` is what it costs beyond multiples of a model and of its last layer; ``only`` are the inputs it is for.
    """

    name: str
    noise: str = "none"
    head: str = "likelihood"
    around: str = "point"
    passes: int = 1
    ensemble: bool = False
    more: str = ""
    only: tuple[str, ...] = ("text", "table", "images")

    @property
    def unit(self) -> str:
        """What its size counts, if it has one and is no ensemble."""
        return {"snapshots": "snapshots", "cyclical-sgld": f"cycles of {_A_CYCLE} samples"}.get(
            self.around, ""
        )

    @property
    def gives(self) -> tuple[str, ...]:
        """The kinds of uncertainty that its samples, or its head, tell apart."""
        several = self.ensemble or self.passes > 1 or self.around != "point"
        data = several or self.head == "heteroscedastic"
        knowledge = several or self.head == "random-feature-gp"
        return ("total", *(["data"] if data else []), *(["knowledge"] if knowledge else []))

    def recipe(self, size: int) -> Recipe:
        """With so many members, or snapshots."""
        members = size if self.ensemble else 1
        around = {
            "snapshots": Choice("snapshots", {"cycles": size}),
            "cyclical-sgld": Choice("cyclical-sgld", {"cycles": size, "draws": _A_CYCLE}),
        }.get(self.around, Choice(self.around))
        return Recipe(
            family="any",
            noise=Choice(self.noise),
            head=Choice(self.head, {"draws": PASSES} if self.head == "heteroscedastic" else {}),
            around=around,
            at_test=Choice("monte-carlo", {"passes": self.passes}) if self.passes > 1 else Choice("one-pass"),
            members=members,
        )

    @property
    def sizes(self) -> range:
        """Numbers of members, or of snapshots, from the smallest up."""
        if self.ensemble or self.around == "snapshots":
            return range(2, FULL + 1)
        return range(1, _CYCLES + 1) if self.around == "cyclical-sgld" else range(1, 2)

    def largest(self, needs: Needs) -> int | None:
        """The most members within the budget; None: not even the fewest are."""
        fitting = [size for size in self.sizes if not exceeded(cost(self.recipe(size)), needs)]
        return fitting[-1] if fitting else None

    def is_made_by(self, recipe: Recipe) -> bool:
        """Whether a recipe has the same parts, whatever the family and the numbers in it."""
        parts = (recipe.noise.name, recipe.head.name, recipe.around.name, recipe.members > 1)
        passes = "monte-carlo" if self.passes > 1 else "one-pass"
        return (*parts, recipe.at_test.name) == (self.noise, self.head, self.around, self.ensemble, passes)

    def words(self, size: int) -> Mapping[str, str]:
        """The words by which rules speak of it."""
        return {
            "name": self.name,
            "noise": self.noise,
            "head": self.head,
            "around": self.around,
            "passes": "many" if self.passes > 1 else "one",
            "ensemble": "yes" if self.ensemble else "no",
            "size": "full" if size == self.sizes[-1] else "small",
            "knowledge": "yes" if "knowledge" in self.gives else "no",
            "data": "yes" if "data" in self.gives else "no",
        }


def exceeded(needed: Cost, needs: Needs) -> list[str]:
    """The budgets that a cost is beyond."""
    takes = {"memory": needed.storage, "training": needed.training, "inference": needed.inference}
    limits = {name: getattr(needs, name) for name in takes}
    return [name for name, limit in limits.items() if limit is not None and takes[name] > limit]


_HET, _CONCRETE = "heteroscedastic", "concrete-dropout"

SETUPS = (
    Setup("unregularized"),
    Setup("regularized", "dropout"),
    Setup("mc-dropout", "dropout", passes=PASSES),
    Setup("heteroscedastic", "dropout", _HET),
    Setup("mc-heteroscedastic", "dropout", _HET, passes=PASSES),
    Setup("concrete-dropout", _CONCRETE),
    Setup("mc-concrete-dropout", _CONCRETE, passes=PASSES),
    Setup("heteroscedastic-concrete-dropout", _CONCRETE, _HET),
    Setup("mc-heteroscedastic-concrete-dropout", _CONCRETE, _HET, passes=PASSES),
    Setup("deep-ensemble", ensemble=True),
    Setup("deep-ensemble-regularized", "dropout", ensemble=True),
    Setup("mc-ensemble", "dropout", passes=PASSES, ensemble=True),
    Setup("concrete-dropout-ensemble", _CONCRETE, ensemble=True),
    Setup("mc-concrete-dropout-ensemble", _CONCRETE, passes=PASSES, ensemble=True),
    Setup("heteroscedastic-ensemble", "dropout", _HET, ensemble=True),
    Setup("mc-heteroscedastic-ensemble", "dropout", _HET, passes=PASSES, ensemble=True),
    Setup("heteroscedastic-concrete-dropout-ensemble", _CONCRETE, _HET, ensemble=True),
    Setup("mc-heteroscedastic-concrete-dropout-ensemble", _CONCRETE, _HET, passes=PASSES, ensemble=True),
    Setup("sngp", head="random-feature-gp", more="inference also ι² for ι inducing points"),
    Setup("cyclical-sgld", around="cyclical-sgld"),
    Setup("snapshots", around="snapshots"),
    Setup("virtual-ensemble", around="virtual-ensemble", only=("table",)),
)
"""The 18 set-ups in the numbering of table 3 (Van Landeghem et al. 2022), the two of their appendix C, the best single
run of Ashukha et al. 2020, and what boosting offers."""

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "text": (),
    "table": ("catboost", "sklearn-mlp", "sklearn-boosting", "sklearn-forest", "sklearn-logistic"),
    "images": (),
}
"""Families of models by what they read, the best evidence first; a new one of surefoot.posteriors joins here."""
