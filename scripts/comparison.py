"""Six methods on six real datasets with a natural shift: predictions for `surefoot compare`.

    python scripts/comparison.py FOLDER        one Parquet file a dataset and method, then the page:
    surefoot compare FOLDER/*.parquet --report page.html

`make comparison` does both. Forests, boosting and neural networks, each alone and as an ensemble of five
members trained on different samples of the training set. Files that are there already are not made again.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two processes of one thread each beat one of two here

import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from surefoot import Predictions, __version__, data

MEMBERS = 5
SHARE_A_MEMBER = 0.8
MOST_TRAINING_ROWS = 20_000
MOST_ROWS_A_SIDE = 10_000


class Task(NamedTuple):
    """A dataset, the column whose values tell the two sides apart, and the values that are trained on."""

    dataset: str
    column: str
    source: tuple[object, ...]


TASKS = (
    Task("covertype", "wilderness_area", ("Rawah", "Comanche Peak")),
    Task("acs_employment", "year", (2015,)),
    Task("adult", "race", ("White",)),
    Task("bank", "month", ("may", "jun", "jul", "aug")),
    Task("credit_default", "SEX", (2,)),
    Task("electricity", "market", ("one state",)),
)


def main(folder: Path) -> None:
    """Make what is missing, two datasets at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    for task in TASKS:
        data.load(task.dataset, download=True)
    with ProcessPoolExecutor(2) as pool:
        for report in pool.map(run, TASKS, [folder] * len(TASKS)):
            print(report, flush=True)


def run(task: Task, folder: Path) -> str:
    """Train every method on a task and write its predictions."""
    start = time.perf_counter()
    table, partition = prepare(task)
    card = data.card(task.dataset)
    numbers, categories = columns(table, [name for name in table.column_names if name != card.target])
    features = np.concatenate([numbers, categories], axis=1)
    labels = np.asarray(table[card.target].cast(pa.string()).to_pylist())
    train = np.flatnonzero(partition == "train")
    judged = np.flatnonzero(partition != "train")
    classes = np.unique(labels[train])
    made = []
    for name, make in METHODS.items():
        files = [folder / f"{task.dataset}-{method}.parquet" for method in (name, f"{name}-ensemble")]
        if all(file.exists() for file in files):
            continue
        probs = np.zeros((MEMBERS, len(judged), len(classes)), dtype=np.float32)
        for m in range(MEMBERS):
            rng = np.random.default_rng([m, len(train)])
            seen = rng.choice(train, size=int(SHARE_A_MEMBER * len(train)), replace=False)
            model = make(numbers.shape[1], categories.shape[1], m)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # the epochs are part of the method
                model.fit(features[seen], labels[seen])
            probs[m][:, np.searchsorted(classes, model.classes_)] = model.predict_proba(features[judged])
        ensemble = Predictions.classification(
            probs,
            labels[judged],
            classes=classes,
            novel=np.setdiff1d(labels[judged], classes),
            id=judged,
            partition=partition[judged],
            info={
                "method": f"{name}-ensemble",
                "dataset": task.dataset,
                "train_set": f"{task.dataset}: {task.column} in {', '.join(map(str, task.source))}",
                "surefoot": __version__,
            },
        )
        replace(ensemble.take(samples=1), info={**ensemble.info, "method": name}).save(files[0])
        ensemble.save(files[1])
        made.append(name)
    seconds = time.perf_counter() - start
    what = f"{len(train):,} rows to train, {len(judged):,} to judge"
    return f"{task.dataset}: {what}; made {', '.join(made) or 'nothing'} in {seconds:.0f} s"


def prepare(task: Task) -> tuple[pa.Table, np.ndarray[Any, Any]]:
    """A sample of the rows without what tells the split, and the partition of each."""
    card = data.card(task.dataset)
    table = data.load(task.dataset)
    partition = data.partition_by(
        table[task.column],
        source=task.source,
        eval_out=[v for v in table[task.column].unique().to_pylist() if v not in task.source],
        fractions=(0.7, 0.0, 0.3),
    )
    most = {"train": MOST_TRAINING_ROWS, "eval_in": MOST_ROWS_A_SIDE, "eval_out": MOST_ROWS_A_SIDE}
    rng = np.random.default_rng(0)
    chosen = [rng.permutation(np.flatnonzero(partition == part))[:limit] for part, limit in most.items()]
    rows = np.sort(np.concatenate(chosen))
    told = {task.column, *card.splits[task.column], *card.extra}
    table = table.drop_columns([name for name in table.column_names if name in told])
    return table.take(pa.array(rows)), partition[rows]


def columns(table: pa.Table, names: list[str]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Numbers (NaN where missing), and categories as codes (−1 where missing)."""
    numbers, categories = [], []
    for name in names:
        column = table[name].combine_chunks()
        if pa.types.is_dictionary(column.type):
            values = np.asarray(column.cast(pa.string()).fill_null("").to_pylist())
            _, codes = np.unique(values, return_inverse=True)
            categories.append(np.where(values == "", -1, codes))
        else:
            numbers.append(column.cast(pa.float64()).to_numpy(zero_copy_only=False))
    rows = table.num_rows
    return (
        np.stack(numbers, axis=1) if numbers else np.empty((rows, 0)),
        np.stack(categories, axis=1).astype(np.float64) if categories else np.empty((rows, 0)),
    )


def _forest(numbers: int, categories: int, seed: int) -> Any:
    return RandomForestClassifier(n_estimators=100, min_samples_leaf=2, random_state=seed)


def _boosting(numbers: int, categories: int, seed: int) -> Any:
    categorical = np.arange(numbers + categories) >= numbers
    return HistGradientBoostingClassifier(
        categorical_features=categorical, early_stopping=True, random_state=seed
    )


def _network(numbers: int, categories: int, seed: int) -> Any:
    parts = [("numbers", make_pipeline(SimpleImputer(), StandardScaler()), slice(0, numbers))]
    if categories:
        encoder = OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=20)
        parts.append(("categories", encoder, slice(numbers, None)))
    network = MLPClassifier((128, 64), early_stopping=True, max_iter=60, random_state=seed)
    return make_pipeline(ColumnTransformer(parts, sparse_threshold=0), network)


METHODS: dict[str, Callable[[int, int, int], Any]] = {
    "forest": _forest,
    "boosting": _boosting,
    "mlp": _network,
}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
