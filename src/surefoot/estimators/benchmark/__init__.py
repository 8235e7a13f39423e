"""The experiment of Maggio et al. 2022 on real data with natural shifts."""

from surefoot.estimators.benchmark._worlds import Primary, Rows, World, names, world

__all__ = ["Primary", "Rows", "World", "names", "world"]
