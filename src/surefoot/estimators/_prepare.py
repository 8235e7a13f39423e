"""Numbers and codes with gaps, brought into the form that a kind of scikit-learn model can learn from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

RARE = 20
"""Rows below which a category shares its indicator with other rare ones."""


def filled(is_code: NDArray[np.bool_]) -> Any:
    """For trees: categories stay codes, with one of their own for gaps; missing numbers become the median."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer

    return make_column_transformer(
        (SimpleImputer(strategy="constant", fill_value=-1), is_code),
        (SimpleImputer(strategy="median", keep_empty_features=True), ~is_code),
    )


def spread_out(is_code: NDArray[np.bool_]) -> Any:
    """For what adds and multiplies: an indicator for each common category, numbers standardised, gaps marked."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    codes = make_pipeline(
        SimpleImputer(strategy="constant", fill_value=-1),
        OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=RARE, sparse_output=False),
    )
    numbers = make_pipeline(
        SimpleImputer(strategy="median", keep_empty_features=True, add_indicator=True), StandardScaler()
    )
    return make_column_transformer((codes, is_code), (numbers, ~is_code))
