"""Tables of three libraries, compared as a user would compare them."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa


def same(one, other):
    """Equal, types and missing values included."""
    assert type(one) is type(other)
    if isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, other)
    elif isinstance(one, pl.DataFrame):
        assert one.schema == other.schema
        assert one.equals(other)
    elif isinstance(one, pa.Table):
        assert one.schema == other.schema
        assert one.to_pylist() == other.to_pylist()
    else:
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def rows_of(frame, rows):
    if isinstance(frame, pd.DataFrame):
        return frame.take(rows)
    if isinstance(frame, pl.DataFrame):
        return frame[rows]
    records = frame.to_pylist()
    return pa.Table.from_pylist([records[i] for i in rows], schema=frame.schema)


def records_of(frame):
    if isinstance(frame, pd.DataFrame):
        return frame.to_dict("records")
    return frame.to_dicts() if isinstance(frame, pl.DataFrame) else frame.to_pylist()


def cells(frame):
    return [record["x"] for record in records_of(frame)]


def is_missing(value):
    return value is None or value is pd.NA or value is pd.NaT or value != value
