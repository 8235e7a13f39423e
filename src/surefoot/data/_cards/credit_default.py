"""Default of credit card clients: who does not pay next month, Taiwan 2005."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import only, read_csv, select

if TYPE_CHECKING:
    import pyarrow as pa

_NAMES = (
    *("LIMIT_BAL", "SEX", "EDUCATION", "MARRIAGE", "AGE"),
    *("PAY_0", "PAY_2", "PAY_3", "PAY_4", "PAY_5", "PAY_6"),
    *(f"BILL_AMT{i}" for i in range(1, 7)),
    *(f"PAY_AMT{i}" for i in range(1, 7)),
    "default",
)
# The package names its columns april to september from left to right, but the values are the original's,
# which run from september back to april: so the position counts and not the month in the name.
_MONTHS = ("apr", "may", "jun", "jul", "aug", "sep")
_PACKAGED = (
    *("limit", "sex", "edu", "married", "age"),
    *(f"{month}_{what}" for what in ("delay", "bill", "pay") for month in _MONTHS),
    "default",
)
_RENAMED = dict(zip(_PACKAGED, _NAMES, strict=True)) | {
    "PAY_1": "PAY_0",
    "default payment next month": "default",
    "default.payment.next.month": "default",
}


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``credit.csv``, or the original spreadsheet saved as CSV with its line of names on top."""
    import pyarrow as pa

    table = read_csv(only(paths))
    table = table.rename_columns([_RENAMED.get(name, name) for name in table.column_names])
    return select(table, card.columns).cast(pa.schema([(name, pa.int64()) for name in card.columns]))


card = Card(
    name="credit_default",
    title="Default of credit card clients",
    about="Credit card clients of a bank in Taiwan, their payments from April to September 2005, and whether "
    "they defaulted in October. Columns carry the original names: PAY_0 is the delay in September and PAY_6 "
    "in April, likewise BILL_AMT1 to 6 and PAY_AMT1 to 6. Amounts are in New Taiwan dollars.",
    task="classification",
    source=Source(
        client="pip-sdist",
        package="yellowbrick",
        version="1.5",
        files=(
            File(
                "docs/api/features/data/credit/credit.csv",
                "53c6b24c189b2d059218509e78b8390aa28b75116fa27c70b47a4d8606987943",
                2_698_293,
            ),
        ),
    ),
    rows=30_000,
    columns=_NAMES,
    target="default",
    classes={0: "paid", 1: "defaulted"},
    splits={"SEX": (), "EDUCATION": (), "MARRIAGE": ()},
    natural=Split("SEX", (2,)),
    is_not="Not named as in its package, whose month names run the wrong way round. Not clean: EDUCATION has "
    "the undocumented codes 0, 5 and 6, MARRIAGE 0, and the delays −2 and 0, all kept. Sex is coded 1 male, "
    "2 female; education 1 graduate school, 2 university, 3 high school, 4 others; marriage 1 married, "
    "2 single, 3 others.",
    licence=f"Apache-2.0: {TERMS}",
    citation="Yeh, I.-C. and Lien, C.-H. (2009). The comparisons of data mining techniques for the predictive "
    "accuracy of probability of default of credit card clients. Expert Systems with Applications 36(2), "
    "2473-2480.",
    motivation="To compare methods that predict default (Yeh and Lien 2009).",
    collection="Clients of a bank in Taiwan, April to September 2005.",
    preprocessing="Removed names; codes that the documentation lacks (education 0, 5, 6) are as they were; here "
    "columns get the original names.",
    uses="Shift between groups; never decisions about people.",
    read=read,
)
