"""Adult: whether a person earns over 50,000 dollars a year, from the 1994 census."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import categorical, read_csv, select, starts_with

if TYPE_CHECKING:
    import pyarrow as pa

_FOLDER = "aif360/data/raw/adult"
_NUMBERS = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
_NAMES = (
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
    *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country"),
    "income",
)
_TEXTS = tuple(name for name in _NAMES if name not in _NUMBERS)


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``adult.data`` and ``adult.test`` (or one of them): no header, ", " between, "?" for missing."""
    import pyarrow as pa

    table = pa.concat_tables([_read_part(path) for path in paths])
    return select(categorical(table, (*_TEXTS, "official_split")), card.columns)


def _read_part(path: Path) -> pa.Table:
    """Read one file; the test file starts with a remark and ends its labels with a dot."""
    import pyarrow as pa
    from pyarrow import compute

    types = dict.fromkeys(_NUMBERS, pa.int64()) | dict.fromkeys(_TEXTS, pa.string())
    remark = int(starts_with(path, "|"))
    table = read_csv(path, names=_NAMES, types=types, missing=("?", " ?"), skip=remark)
    for name in _TEXTS:
        table = table.set_column(_NAMES.index(name), name, compute.utf8_trim_whitespace(table[name]))
    labels = table["income"]
    is_test = compute.ends_with(labels, ".")
    table = table.set_column(_NAMES.index("income"), "income", compute.utf8_rtrim(labels, "."))
    return table.append_column("official_split", compute.if_else(is_test, "test", "train"))


card = Card(
    name="adult",
    title="Adult (census income)",
    about="Persons of the 1994 United States census and whether they earn more than 50,000 dollars a year. "
    "official_split says which of the two original files a row is from (train 32,561, test 16,281).",
    task="classification",
    source=Source(
        client="pip-sdist",
        package="aif360",
        version="0.2.0",
        files=(
            File(
                f"{_FOLDER}/adult.data",
                "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
                3_974_305,
            ),
            File(
                f"{_FOLDER}/adult.test",
                "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
                2_003_153,
            ),
        ),
    ),
    rows=48_842,
    columns=(*_NAMES[:-1], "official_split", "income"),
    target="income",
    classes={"<=50K": "at most 50,000 dollars a year", ">50K": "more than 50,000 dollars a year"},
    splits={"race": (), "sex": (), "native-country": (), "education": ("education-num",)},
    natural=Split("race", ("White",)),
    extra=("official_split",),
    is_not="Not a random sample: fnlwgt is a survey weight, not a property of the person. Not complete: "
    "workclass, occupation and native-country are missing in places (null here, ? in the original). Not "
    "current, and not a basis for decisions about people: dollars and occupations are those of 1994.",
    licence=f"Apache-2.0: {TERMS}",
    citation="Kohavi, R. (1996). Scaling up the accuracy of naive-Bayes classifiers: a decision-tree hybrid. "
    "KDD 1996. Donors: R. Kohavi and B. Becker.",
    motivation="To compare classifiers on census data (Kohavi 1996).",
    collection="The Current Population Survey of the United States Census Bureau.",
    preprocessing="The donors drew persons over 16 with an income from the survey's file and cut income at "
    "50,000 dollars; here missing marks become null.",
    uses="Teaching, fairness and shift between groups; never decisions about people.",
    read=read,
)
