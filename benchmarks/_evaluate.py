"""`surefoot evaluate` on large Parquet files: 10 samples, 9 classes, float32, as the Shifts weather data."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from _harness import Line

SAMPLES, CLASSES, GROUP = 10, 9, 65_536

RUN = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(status, usage.ru_maxrss)
"""
"""A small process that runs a command and tells its status and peak memory in kilobytes.

Linux counts what a parent held when it started a process as memory of that process, and this one has written
large files.
"""


def lines() -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        seconds, gigabytes = _evaluate(Path(folder) / "million.parquet", 1_137_731)
        yield Line("surefoot evaluate, 1,137,731 rows: time", seconds, 10, "s")
        yield Line("surefoot evaluate, 1,137,731 rows: peak memory", gigabytes, 0.6, "GB")
        _, gigabytes = _evaluate(Path(folder) / "ten_million.parquet", 10_000_000)
        yield Line("surefoot evaluate, 10,000,000 rows: peak memory", gigabytes, 1.5, "GB")


def _evaluate(path: Path, rows: int) -> tuple[float, float]:
    """Wall-clock seconds and peak resident gigabytes of the command on a file of so many rows."""
    _write(path, rows)
    start = time.perf_counter()
    command = [sys.executable, "-c", RUN, sys.executable, "-m", "surefoot", "evaluate", str(path)]
    told = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    seconds = time.perf_counter() - start
    path.unlink()
    status, kilobytes = map(int, told.split())
    if status != 0:
        raise RuntimeError(f"surefoot evaluate ended with status {status}")
    return seconds, kilobytes * 1024 / 1e9


def _write(path: Path, rows: int) -> None:
    """A file as another tool would write it: an ensemble that is surer in-domain than on shifted rows."""
    header = {
        "format": 1,
        "kind": "classification",
        "samples": SAMPLES,
        "classes": [f"class {k}" for k in range(CLASSES)],
        "member": list(range(SAMPLES)),
        "info": {},
    }
    schema = pa.schema(
        {
            "id": pa.int64(),
            "partition": pa.string(),
            "target": pa.int64(),
            "probs": pa.list_(pa.float32(), SAMPLES * CLASSES),
        },
        metadata={"surefoot": json.dumps(header)},
    )
    rng = np.random.default_rng(0)
    with pq.ParquetWriter(path, schema, use_dictionary=["partition"]) as writer:
        for start in range(0, rows, GROUP):
            n = min(GROUP, rows - start)
            target = rng.integers(0, CLASSES, n)
            shifted = rng.random(n) < 0.5
            logits = rng.standard_normal((n, SAMPLES, CLASSES), dtype=np.float32)
            logits[np.arange(n), :, target] += np.where(shifted, 1.0, 2.5)[:, None]
            probs = np.exp(logits)
            probs /= probs.sum(axis=2, keepdims=True)
            values = pa.FixedSizeListArray.from_arrays(pa.array(probs.ravel()), SAMPLES * CLASSES)
            partition = np.where(shifted, "eval_out", "eval_in")
            columns = [np.arange(start, start + n), partition, target, values]
            writer.write_table(pa.table(columns, schema=schema), row_group_size=GROUP)
