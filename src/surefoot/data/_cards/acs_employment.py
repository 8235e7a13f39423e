"""ACS employment: who has a job, Massachusetts 2015 to 2018."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import select
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

_FOLDER = "nannyml/datasets/data"
_REFERENCE, _ANALYSIS, _TARGET = (
    f"employment_MA_{part}.pq" for part in ("reference", "analysis", "analysis_target")
)


def read(paths: Sequence[Path]) -> pa.Table:
    """Read the three files: 2015 with its target, later years, and their target under the same ids."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    tables = {path.name: pq.read_table(path) for path in paths}
    lacking = [name for name in (_REFERENCE, _ANALYSIS, _TARGET) if name not in tables]
    if lacking:
        raise InputError(f"no {', '.join(lacking)} was given; give a folder that holds all three files")
    columns = ("id", *card.columns)
    later = tables[_ANALYSIS].join(tables[_TARGET], keys="id", join_type="inner")
    if later.num_rows != tables[_ANALYSIS].num_rows:
        raise InputError(f"the ids of {_ANALYSIS} and {_TARGET} differ; take both from one package")
    parts = [select(table, columns) for table in (tables[_REFERENCE], later)]
    # The two periods number their categories differently.
    return pa.concat_tables(parts).unify_dictionaries().sort_by("id").drop_columns("id")


card = Card(
    name="acs_employment",
    title="ACS employment, Massachusetts",
    about="Persons of the American Community Survey's public sample of Massachusetts in 2015 to 2018 and "
    "whether they are employed. Columns carry the survey's names: AGEP age, SCHL schooling, MAR marital "
    "status, RELP relationship, DIS, DEAR, DEYE and DREM disabilities, ESP parents' employment, CIT "
    "citizenship, MIG mobility, MIL military service, ANC ancestry, NATIVITY, SEX, RAC1P race.",
    task="classification",
    source=Source(
        client="pip-wheel",
        package="nannyml",
        version="0.13.1",
        files=(
            File(
                f"{_FOLDER}/{_REFERENCE}",
                "21d0e33655666071bde9ed21bf35b24fe14c1476e3dd37a5194b827ad5a570e4",
                1_129_196,
            ),
            File(
                f"{_FOLDER}/{_ANALYSIS}",
                "591328bcf7e46139660f2cc6b1705a6f2f66edf2418ce2a893cf2892be3f66a7",
                3_081_660,
            ),
            File(
                f"{_FOLDER}/{_TARGET}",
                "c306840f0c092bda7608a09e61e7e715ac2b7fb2d17da8062900c3ecd6fdbe30",
                1_144_064,
            ),
        ),
    ),
    rows=277_677,
    columns=(
        *("AGEP", "SCHL", "MAR", "RELP", "DIS", "ESP", "CIT", "MIG", "MIL", "ANC", "NATIVITY"),
        *("DEAR", "DEYE", "DREM", "SEX", "RAC1P", "year", "employed"),
    ),
    target="employed",
    classes={0: "not employed", 1: "employed"},
    splits={"year": (), "SEX": (), "RAC1P": (), "MAR": (), "CIT": ("NATIVITY",)},
    natural=Split("year", (2015,)),
    extra=("year",),
    is_not="Not a hard shift: the four years are alike, which makes this a test that nothing is raised where "
    "nothing happened. Not a panel: every year samples other persons. Not weighted: the survey's person "
    "weights are left out, so shares are those of the sample. Children are included and are not employed.",
    licence=f"Apache-2.0: {TERMS} (United States Census Bureau public-use microdata)",
    citation="Ding, F., Hardt, M., Miller, J. and Schmidt, L. (2021). Retiring Adult: new datasets for fair "
    "machine learning. NeurIPS 34. Data: American Community Survey public use microdata sample.",
    motivation="To replace Adult in the study of fair learning by newer and larger data (the folktables "
    "project).",
    collection="The American Community Survey of the United States Census Bureau, which sends forms to a "
    "sample of addresses every month.",
    preprocessing="The package chose one state and these columns, spelled out the codes and split the years; "
    "here its model's predictions are left out.",
    uses="Watching a deployed model where little changes from year to year.",
    read=read,
)
