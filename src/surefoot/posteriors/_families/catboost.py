"""Boosted symmetric trees of CatBoost: categories and gaps as they are, and virtual ensembles.

With `RMSEWithUncertainty` a regression has mean and variance (Malinin et al. 2021, Shifts, appendix C.4). A virtual
ensemble is one model sampled by stochastic gradient Langevin boosting, of which truncations are members (Malinin,
Prokhorenkova and Ustimenko 2021, Uncertainty in gradient boosting via ensembles).
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surefoot._columns import MISSING, Columns, open_columns
from surefoot.errors import InputError
from surefoot.estimators._schema import Schema, schema_of
from surefoot.posteriors._family import Family, Fitting, Setting
from surefoot.posteriors._recipe import Recipe

if TYPE_CHECKING:
    import pyarrow as pa

_GAP = "missing"


@dataclass(frozen=True)
class CatBoostMember:
    """A fitted model, the form of its columns, and how many truncations of it are samples (0: the model itself)."""

    schema: Schema
    model: Any
    kind: str
    classes: int
    virtual: int

    def predict(self, table: pa.Table) -> dict[str, NDArray[Any]]:
        """One sample, or one of each truncation."""
        pool = _pool(self.schema, self.schema.open(table))
        if self.virtual:
            return self._virtual(pool)
        if self.kind == "regression":
            found = self.model.predict(pool, thread_count=1)
            return {"mean": found[:, 0][None], "variance": found[:, 1][None]}
        seen = self.model.predict_proba(pool, thread_count=1)
        return {"probs": self._all(seen[None])}

    def _virtual(self, pool: Any) -> dict[str, NDArray[Any]]:
        """Raw outputs [N, count, …] of every truncation: logits, or mean and variance."""
        raw = self.model.virtual_ensembles_predict(
            pool, prediction_type="VirtEnsembles", virtual_ensembles_count=self.virtual, thread_count=1
        )
        raw = np.swapaxes(np.asarray(raw), 0, 1)
        if self.kind == "regression":
            return {"mean": raw[..., 0], "variance": raw[..., 1]}
        weights = np.exp(raw - raw.max(axis=-1, keepdims=True))
        return {"probs": self._all(weights / weights.sum(axis=-1, keepdims=True))}

    def _all(self, probs: NDArray[Any]) -> NDArray[np.float64]:
        """Probabilities of all classes, 0 for those that no row to train on had."""
        full = np.zeros((*probs.shape[:2], self.classes))
        full[..., np.asarray(self.model.classes_, dtype=np.int64)] = probs
        return full

    @property
    def parameters(self) -> int:
        """The value of every leaf, and a feature and a border of every level of a symmetric tree."""
        levels = np.log2(np.asarray(self.model.get_tree_leaf_counts())).sum()
        return int(self.model.get_leaf_values().size + 2 * levels)

    @cached_property
    def stored_bytes(self) -> int:
        """Bytes of the model and its columns' form."""
        return len(pickle.dumps((self.schema, self.model), protocol=5))


def fit(rows: Fitting, recipe: Recipe, seed: int) -> CatBoostMember:
    """Boost; with dev_in, keep the trees up to the best iteration on it."""
    catboost = _catboost()
    virtual = int(recipe.around.settings.get("count", 0))
    columns = open_columns(rows.train.X)
    schema = schema_of(columns)
    options: dict[str, Any] = {
        "iterations": recipe.settings["iterations"],
        "depth": recipe.settings["depth"],
        "learning_rate": recipe.settings["rate"],
        "l2_leaf_reg": recipe.settings["l2"],
        "random_seed": seed,
        "thread_count": 1,
        "verbose": False,
        "allow_writing_files": False,
        "posterior_sampling": virtual > 0,
    }
    train, stop = _pool(schema, columns, rows.train.y), None
    # A virtual ensemble samples from all of its trees, so that none may be cut off.
    if rows.dev_in is not None and not virtual:
        dev = rows.dev_in
        known = np.flatnonzero(dev.y >= 0) if rows.kind == "classification" else np.arange(len(dev.y))
        stop = _pool(schema, schema.open(dev.X.take(known)), dev.y[known])
        options["use_best_model"] = True
    if rows.kind == "classification":
        model = catboost.CatBoostClassifier(loss_function="MultiClass", **options)
    else:
        model = catboost.CatBoostRegressor(loss_function="RMSEWithUncertainty", **options)
    model.fit(train, eval_set=stop)
    return CatBoostMember(schema, model, rows.kind, len(rows.classes), virtual)


def _pool(schema: Schema, columns: Columns, y: NDArray[Any] | None = None) -> Any:
    """Numbers with NaN for gaps, categories as text with a word for gaps."""
    numbers = [j for j, field in enumerate(schema.fields) if field.kind != "categorical"]
    texts = [j for j, field in enumerate(schema.fields) if field.kind == "categorical"]
    values = schema.features(columns)[:, numbers]
    data = _catboost().FeaturesData(
        num_feature_data=np.ascontiguousarray(values, dtype=np.float32) if numbers else None,
        cat_feature_data=np.stack([_texts(columns, j) for j in texts], axis=1) if texts else None,
    )
    return _catboost().Pool(data, label=y, thread_count=1)


def _texts(columns: Columns, j: int) -> NDArray[Any]:
    """The categories of a column as bytes, which is how CatBoost takes text."""
    column = columns.columns[j]
    if column.kind != "categorical":  # a column that holds nothing but gaps in this table
        return np.full(len(columns), _GAP.encode(), dtype=object)
    names = [str(one).encode() for one in column.categories] + [_GAP.encode()]
    codes = np.where(column.values == MISSING, len(names) - 1, column.values)
    return np.array(names, dtype=object)[codes]


def _catboost() -> Any:
    """The library, or a sentence on how to get it."""
    try:
        import catboost
    except ImportError:
        raise InputError("catboost is not installed; run: pip install 'surefoot[tabular]'") from None
    return catboost


family = Family(
    name="catboost",
    title="boosted symmetric trees of CatBoost",
    kinds=("classification", "regression"),
    settings={
        "iterations": Setting(300, 1, about="trees"),
        "depth": Setting(6, 1, 16, about="levels of a tree"),
        "rate": Setting(0.1, 1e-4, 1.0, about="learning rate"),
        "l2": Setting(3.0, 0.0, about="penalty of large leaves"),
    },
    supports={"around": ("point", "virtual-ensemble")},
    extra="tabular",
    fit=fit,
)
