"""How many numbers boosted trees of scikit-learn hold."""

from __future__ import annotations

from typing import Any


def boosted_parameters(model: Any) -> int:
    """A feature and a threshold of every inner node, and the value of every leaf."""
    nodes = [tree.nodes for trees in model._predictors for tree in trees]
    leaves = sum(int(one["is_leaf"].sum()) for one in nodes)
    return 2 * (sum(map(len, nodes)) - leaves) + leaves
