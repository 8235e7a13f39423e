"""Any table as typed NumPy columns, and back: what shifts, detectors and estimators compute on.

A table (pandas, polars, pyarrow or any other eager frame that narwhals knows, or a 2-D NumPy array) is opened
once. Rows are taken and columns replaced on plain arrays; `Columns.to_native` gives back a table of the kind
that came in, in which whatever was not replaced is exactly as it was.
"""

from surefoot._columns._array import column_of_array
from surefoot._columns._column import MISSING, Column, Kind, encoded, fitted
from surefoot._columns._columns import Columns, concatenate, open_columns

__all__ = [
    "MISSING",
    "Column",
    "Columns",
    "Kind",
    "column_of_array",
    "concatenate",
    "encoded",
    "fitted",
    "open_columns",
]
