"""Predictions files as people write them who never install this package: NumPy, pandas, polars, DuckDB, Arrow.

Every writer puts the same predictions into a folder and returns the path; `surefoot` is not imported. The
writers in `CLASSIFICATION`, for example, differ in everything but their content, which is `classification()`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

Writer = Callable[[Path], Path]

SAMPLES, ROWS, CLASSES = 4, 60, ("cat", "dog", "owl")
MEMBER = (0, 0, 1, 1)
INFO = {"method": "mc-dropout-ensemble", "passes": 2, "seed": 7, "temperature": 1.0}


def _common() -> dict[str, Any]:
    """Ids, partition and metadata that every kind has."""
    return {
        "id": np.array([f"row-{i:03d}" for i in range(ROWS)]),
        "partition": np.array(["in"] * (ROWS // 2) + ["shifted"] * (ROWS - ROWS // 2)),
        "region": np.array(["north", "south", "east"])[np.arange(ROWS) % 3],
        "age": np.arange(ROWS) % 40,
    }


def classification() -> dict[str, Any]:
    """`probs` [S, N, K]; `target` holds codes, −1 (novel, row 58) and −2 (unlabelled, row 5)."""
    random = np.random.default_rng(1)
    target = random.integers(0, len(CLASSES), ROWS)
    scores = random.normal(size=(SAMPLES, ROWS, len(CLASSES))) + 2 * np.eye(len(CLASSES))[target]
    probs = np.exp(scores)
    target[58], target[5] = -1, -2
    return {
        **_common(),
        "probs": (probs / probs.sum(-1, keepdims=True)).astype(np.float32),
        "target": target,
    }


def regression() -> dict[str, Any]:
    """`mean` and `variance` [S, N]; `target` is NaN in row 5."""
    random = np.random.default_rng(2)
    target = random.normal(size=ROWS)
    mean = target + random.normal(scale=0.5, size=(SAMPLES, ROWS))
    target[5] = np.nan
    return {
        **_common(),
        "mean": mean,
        "variance": random.gamma(2, 0.1, size=(SAMPLES, ROWS)),
        "target": target,
    }


def multilabel() -> dict[str, Any]:
    """`probs` [S, N, K], each in [0, 1]; `target` [N, K] is NaN in row 5."""
    random = np.random.default_rng(3)
    target = random.integers(0, 2, (ROWS, len(CLASSES))).astype(np.float32)
    scores = random.normal(size=(SAMPLES, ROWS, len(CLASSES))) + 3 * target - 1
    target[5] = np.nan
    return {**_common(), "probs": (1 / (1 + np.exp(-scores))).astype(np.float32), "target": target}


def _names(target: np.ndarray) -> list[str | None]:
    """Class names, None where unlabelled and "-1" where novel."""
    return [CLASSES[code] if code >= 0 else {-1: "-1", -2: None}[code] for code in target.tolist()]


def _codes(target: np.ndarray) -> list[int | None]:
    return [None if code == -2 else code for code in target.tolist()]


def _rows(values: np.ndarray) -> list[list[float]]:
    """[S, N, K] → one flat list an input, sample by sample; [S, N] → one list of S."""
    return np.moveaxis(values, 1, 0).reshape(values.shape[1], -1).tolist()


def _nested(values: np.ndarray) -> list[list[list[float]]]:
    """[S, N, K] → a list of S lists of K, an input."""
    return np.moveaxis(values, 1, 0).tolist()


def _header(kind: str, **facts: Any) -> str:
    return json.dumps(
        {"format": 1, "kind": kind, "samples": SAMPLES, "member": MEMBER, "info": INFO, **facts}
    )


def _flat_frame(data: dict[str, Any]) -> dict[str, Any]:
    """The columns of a Parquet file, arrays as flat lists and the target as codes."""
    lists = {name: _rows(values) for name, values in data.items() if values.ndim > 1 and name != "target"}
    target = data["target"]
    if target.ndim == 2:
        lists["target"] = [None if np.isnan(row).any() else row.tolist() for row in target]
    elif target.dtype.kind == "i":
        lists["target"] = _codes(target)
    else:
        lists["target"] = [None if np.isnan(value) else value for value in target.tolist()]
    return data | lists


# --- classification -------------------------------------------------------------------------------------


def numpy_npz(folder: Path) -> Path:
    path = folder / "numpy.npz"
    data = classification()
    np.savez(path, classes=np.array(CLASSES), member=np.array(MEMBER), info=json.dumps(INFO), **data)
    return path


def numpy_compressed_npz(folder: Path) -> Path:
    path = folder / "numpy-compressed.npz"
    data = classification()
    data["target"] = np.array(["" if name is None else name for name in _names(data["target"])])
    np.savez_compressed(
        path, classes=np.array(CLASSES), member=np.array(MEMBER), info=json.dumps(INFO), **data
    )
    return path


def pandas_nested(folder: Path) -> Path:
    """No header: lists of lists tell samples from classes."""
    path = folder / "pandas-nested.parquet"
    data = classification()
    frame = pd.DataFrame({name: data[name] for name in ("id", "region", "age")})
    frame["partition"] = pd.Categorical(data["partition"])
    frame["target"] = pd.array(_codes(data["target"]), dtype="Int64")
    frame["probs"] = _nested(data["probs"])
    frame.to_parquet(path)
    return path


def pandas_index(folder: Path) -> Path:
    """The id is the index, the target a float with NaN, as pandas makes of missing whole numbers."""
    path = folder / "pandas-index.parquet"
    data = classification()
    frame = pd.DataFrame({name: data[name] for name in ("id", "partition", "region", "age")}).set_index("id")
    frame["target"] = np.where(data["target"] == -2, np.nan, data["target"])
    frame["probs"] = _nested(data["probs"])
    frame.to_parquet(path, row_group_size=25)
    return path


def polars_array(folder: Path) -> Path:
    path = folder / "polars-array.parquet"
    size = SAMPLES * len(CLASSES)
    frame = pl.DataFrame(_flat_frame(classification())).with_columns(
        pl.col("probs").cast(pl.Array(pl.Float32, size)), pl.col("partition").cast(pl.Categorical)
    )
    frame.write_parquet(path, metadata={"surefoot": _header("classification", classes=CLASSES)})
    return path


def polars_nested(folder: Path) -> Path:
    path = folder / "polars-nested.parquet"
    data = classification()
    frame = pl.DataFrame(_flat_frame(data) | {"probs": _nested(data["probs"])})
    frame.with_columns(pl.col("probs").cast(pl.List(pl.List(pl.Float32)))).write_parquet(path)
    return path


def _long(probs: np.ndarray) -> pl.DataFrame:
    """One row a probability: what a database has."""
    sample, row, label = np.indices(probs.shape).reshape(3, -1)
    return pl.DataFrame({"row": row, "sample": sample, "label": label, "p": probs.ravel()})


def _duckdb(path: Path, data: dict[str, Any], probs: str, options: str) -> Path:
    with duckdb.connect() as connection:
        connection.register("long", _long(data["probs"]).to_arrow())
        inputs = {name: data[name] for name in ("id", "partition", "region", "age")}
        frame = pl.DataFrame({"row": np.arange(ROWS), **inputs, "target": _names(data["target"])})
        connection.register("inputs", frame.to_arrow())
        connection.execute(
            f"""
            COPY (
                SELECT inputs.* EXCLUDE (row), {probs} AS probs
                FROM inputs JOIN lists USING (row)
                ORDER BY row
            ) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2048 {options})
            """.replace(
                "lists",
                "(SELECT row, list(p ORDER BY sample, label) AS p FROM long GROUP BY row) AS lists",
            )
        )
    return path


def duckdb_list(folder: Path) -> Path:
    """A target of class names, and a header as KV_METADATA."""
    header = _header("classification", classes=CLASSES)
    metadata = f", KV_METADATA {{surefoot: '{header}'}}"
    return _duckdb(folder / "duckdb-list.parquet", classification(), "p::FLOAT[]", metadata)


def duckdb_array(folder: Path) -> Path:
    """A header that states only what it must, on top of an array of fixed length."""
    header = json.dumps({"format": 1, "kind": "classification", "samples": SAMPLES, "classes": CLASSES})
    metadata = f", KV_METADATA {{surefoot: '{header}'}}"
    size = SAMPLES * len(CLASSES)
    return _duckdb(folder / "duckdb-array.parquet", classification(), f"p::FLOAT[{size}]", metadata)


def _arrow(path: Path, kind: str, data: dict[str, Any], list_type: Callable[[int], pa.DataType]) -> Path:
    flat = _flat_frame(data)
    columns = {
        name: pa.array(values, list_type(len(values[0])))
        if isinstance(values, list) and isinstance(values[0], list)
        else pa.array(values)
        for name, values in flat.items()
    }
    facts = {} if kind == "regression" else {"classes": CLASSES}
    table = pa.table(columns).replace_schema_metadata({"surefoot": _header(kind, **facts)})
    pq.write_table(table, path, row_group_size=17)
    return path


def arrow_fixed_size_list(folder: Path) -> Path:
    path = folder / "arrow-fixed.parquet"
    return _arrow(path, "classification", classification(), lambda size: pa.list_(pa.float32(), size))


def arrow_list(folder: Path) -> Path:
    path = folder / "arrow-list.parquet"
    return _arrow(path, "classification", classification(), lambda size: pa.list_(pa.float32()))


def arrow_large_list(folder: Path) -> Path:
    path = folder / "arrow-large.parquet"
    return _arrow(path, "classification", classification(), lambda size: pa.large_list(pa.float32()))


CLASSIFICATION: dict[str, Writer] = {
    writer.__name__: writer
    for writer in (
        numpy_npz,
        numpy_compressed_npz,
        pandas_nested,
        pandas_index,
        polars_array,
        polars_nested,
        duckdb_list,
        duckdb_array,
        arrow_fixed_size_list,
        arrow_list,
        arrow_large_list,
    )
}
"""All `SAMPLES` samples of `classification()`."""

WITHOUT_CLASSES = {"pandas_nested", "pandas_index", "polars_nested"}
"""Writers that cannot say how the classes are called."""

WITHOUT_MEMBER = WITHOUT_CLASSES | {"duckdb_array"}
"""Writers that leave out which member a sample came from, and the facts of the run."""


# --- one sample -----------------------------------------------------------------------------------------


def _wide(data: dict[str, Any]) -> dict[str, Any]:
    """The columns of a CSV file: the first sample."""
    probs = {f"p_{label}": data["probs"][0, :, k] for k, label in enumerate(CLASSES)}
    target = data["target"]
    if target.ndim == 2:
        labels = {f"target_{label}": target[:, k] for k, label in enumerate(CLASSES)}
    else:
        labels = {"target": _names(target)}
    return _common() | labels | probs


def numpy_csv(folder: Path) -> Path:
    """By hand, with the texts NumPy gives the numbers."""
    path = folder / "numpy.csv"
    columns = _wide(classification())
    cells = [["" if cell is None else str(cell) for cell in column] for column in columns.values()]
    lines = [",".join(columns), *(",".join(row) for row in zip(*cells, strict=True))]
    path.write_text("\n".join(lines) + "\n")
    return path


def pandas_csv(folder: Path) -> Path:
    path = folder / "pandas.csv"
    pd.DataFrame(_wide(classification())).to_csv(path, index=False)
    return path


def polars_csv(folder: Path) -> Path:
    path = folder / "polars.csv"
    pl.DataFrame(_wide(classification())).write_csv(path, include_bom=True)
    return path


def duckdb_csv(folder: Path) -> Path:
    path = folder / "duckdb.csv"
    with duckdb.connect() as connection:
        connection.register("wide", pl.DataFrame(_wide(classification())).to_arrow())
        connection.execute(f"COPY wide TO '{path}' (HEADER)")
    return path


def pandas_single(folder: Path) -> Path:
    """Plain lists without a header are one sample."""
    path = folder / "pandas-single.parquet"
    data = classification()
    frame = pd.DataFrame({name: data[name] for name in ("id", "partition", "region", "age")})
    frame["target"] = pd.array(_codes(data["target"]), dtype="Int64")
    frame["probs"] = list(data["probs"][0])
    frame.to_parquet(path)
    return path


SINGLE: dict[str, Writer] = {
    writer.__name__: writer for writer in (numpy_csv, pandas_csv, polars_csv, duckdb_csv, pandas_single)
}
"""The first sample of `classification()`."""


# --- the other kinds ------------------------------------------------------------------------------------


def numpy_regression(folder: Path) -> Path:
    path = folder / "numpy-regression.npz"
    np.savez(path, **regression())
    return path


def polars_regression(folder: Path) -> Path:
    path = folder / "polars-regression.parquet"
    pl.DataFrame(_flat_frame(regression())).write_parquet(path)
    return path


def pandas_regression(folder: Path) -> Path:
    path = folder / "pandas-regression.parquet"
    pd.DataFrame(_flat_frame(regression())).to_parquet(path)
    return path


def arrow_regression(folder: Path) -> Path:
    path = folder / "arrow-regression.parquet"
    return _arrow(path, "regression", regression(), lambda size: pa.list_(pa.float64(), size))


REGRESSION: dict[str, Writer] = {
    writer.__name__: writer
    for writer in (numpy_regression, polars_regression, pandas_regression, arrow_regression)
}
"""All samples of `regression()`."""


def numpy_multilabel(folder: Path) -> Path:
    path = folder / "numpy-multilabel.npz"
    np.savez(path, **multilabel())
    return path


def polars_multilabel(folder: Path) -> Path:
    path = folder / "polars-multilabel.parquet"
    data = multilabel()
    pl.DataFrame(_flat_frame(data) | {"probs": _nested(data["probs"])}).write_parquet(path)
    return path


def arrow_multilabel(folder: Path) -> Path:
    path = folder / "arrow-multilabel.parquet"
    return _arrow(path, "multilabel", multilabel(), lambda size: pa.list_(pa.float32()))


MULTILABEL: dict[str, Writer] = {
    writer.__name__: writer for writer in (numpy_multilabel, polars_multilabel, arrow_multilabel)
}
"""All samples of `multilabel()`."""


def pandas_multilabel_csv(folder: Path) -> Path:
    """The first sample of `multilabel()`."""
    path = folder / "pandas-multilabel.csv"
    pd.DataFrame(_wide(multilabel())).to_csv(path, index=False)
    return path


def pandas_regression_csv(folder: Path) -> Path:
    """The first sample of `regression()`."""
    path = folder / "pandas-regression.csv"
    data = regression()
    pd.DataFrame(data | {name: data[name][0] for name in ("mean", "variance")}).to_csv(path, index=False)
    return path


ALL: dict[str, Writer] = {
    **CLASSIFICATION,
    **SINGLE,
    **REGRESSION,
    **MULTILABEL,
    "pandas_multilabel_csv": pandas_multilabel_csv,
    "pandas_regression_csv": pandas_regression_csv,
}
