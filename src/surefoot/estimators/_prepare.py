"""Numbers and codes with gaps, brought into the form that a kind of scikit-learn model can learn from."""

from __future__ import annotations

from typing import Any

from surefoot.estimators._schema import Schema

RARE = 20
"""Rows below which a category shares its indicator with other rare ones."""


def filled(schema: Schema) -> Any:
    """For trees: categories stay codes, with one of their own for gaps; missing numbers become the median."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer

    return make_column_transformer(
        (SimpleImputer(strategy="constant", fill_value=-1), schema.is_code),
        (SimpleImputer(strategy="median", keep_empty_features=True), ~schema.is_code),
    )


def spread_out(schema: Schema) -> Any:
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
    return make_column_transformer((codes, schema.is_code), (numbers, ~schema.is_code))
