"""What a recipe costs, in multiples of a single model.

Van Landeghem et al. 2022 (text classification), appendix B, table 4, after Gal: m is the work of one model, or its
storage, and l that of its last layer.
"""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.posteriors._recipe import Recipe


@dataclass(frozen=True)
class Cost:
    """Training, one prediction and storage in multiples of a single model.

    ``last_layers`` are the passes of the last layer that a prediction takes beyond these.
    """

    training: float
    inference: float
    storage: float
    last_layers: int = 0

    def __str__(self) -> str:
        """As in the table.

        >>> str(Cost(5, 50, 5))
        'training 5 m, inference 50 m, storage 5 m'
        """
        more = f" + {self.last_layers} l" if self.last_layers else ""
        training, inference, storage = (
            "m" if value == 1 else f"{value:g} m" for value in (self.training, self.inference, self.storage)
        )
        return f"training {training}, inference {inference}{more}, storage {storage}"


def cost(recipe: Recipe) -> Cost:
    """The symbolic cost of a recipe.

    >>> from surefoot.posteriors import preset
    >>> str(cost(preset("forest-ensemble")))
    'training 5 m, inference 5 m, storage 5 m'
    """
    training, draws, storage = _around(recipe)
    passes = int(recipe.at_test.settings.get("passes", 1))
    evaluations = recipe.members * draws * passes
    heteroscedastic = recipe.head.name == "heteroscedastic"
    layers = (int(recipe.head.settings["draws"]) - 1) * evaluations if heteroscedastic else 0
    return Cost(recipe.members * training, evaluations, recipe.members * storage, layers)


def _around(recipe: Recipe) -> tuple[float, int, float]:
    """Training, evaluations a prediction, and storage of what surrounds one mode."""
    name, given = recipe.around.name, recipe.around.settings
    draws = int(given.get("draws", 1))
    if name in ("snapshots", "fge"):
        cycles = int(given["cycles"])
        return 1, cycles, cycles
    if name == "cyclical-sgld":
        kept = int(given["cycles"]) * draws
        return 1, kept, kept
    if name == "swag":
        return 1, draws, 2 + int(given["rank"])  # mean, squares, and the deviations
    if name in ("laplace", "mean-field"):
        return 1, draws, 2
    return 1, 1, 1  # a point; a virtual ensemble reads its truncations off one pass through the trees
