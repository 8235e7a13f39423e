"""Ways to get a distribution over models: recipes, their parts, and what comes of them.

>>> from surefoot import posteriors
>>> recipe = posteriors.preset("forest-ensemble")
>>> recipe.family, recipe.members
('sklearn-forest', 5)

`fit(recipe, data, seed)` gives a `Posterior`, whose `predict(table)` gives draws with the samples axis first.
"""

from surefoot.posteriors._cost import Cost, cost
from surefoot.posteriors._families import families, family
from surefoot.posteriors._family import Family, Member, Setting
from surefoot.posteriors._fit import fit
from surefoot.posteriors._posterior import Draws, Posterior
from surefoot.posteriors._presets import Preset, preset, presets
from surefoot.posteriors._recipe import PARTS, Choice, Recipe

__all__ = [
    "PARTS",
    "Choice",
    "Cost",
    "Draws",
    "Family",
    "Member",
    "Posterior",
    "Preset",
    "Recipe",
    "Setting",
    "cost",
    "families",
    "family",
    "fit",
    "preset",
    "presets",
]
