"""Covertype: the tree cover of 30 × 30 m forest cells in four wilderness areas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import TERMS, Card, File, Source, Split
from surefoot.data._convert import only, read_csv, select, starts_with
from surefoot.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

AREAS = ("Rawah", "Neota", "Comanche Peak", "Cache la Poudre")
_MEASURED = (
    "Elevation",
    "Aspect",
    "Slope",
    "Horizontal_Distance_To_Hydrology",
    "Vertical_Distance_To_Hydrology",
    "Horizontal_Distance_To_Roadways",
    "Hillshade_9am",
    "Hillshade_Noon",
    "Hillshade_3pm",
    "Horizontal_Distance_To_Fire_Points",
)
_AREA = tuple(f"Wilderness_Area{i}" for i in range(1, 5))
_SOIL = tuple(f"Soil_Type{i}" for i in range(1, 41))


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``covtype.csv`` (header line) or the original ``covtype.data[.gz]`` (no header)."""
    import numpy as np
    import pyarrow as pa

    path = only(paths)
    original = (*_MEASURED, *_AREA, *_SOIL, card.target)
    types = dict.fromkeys(_MEASURED, pa.int32()) | dict.fromkeys((*_AREA, *_SOIL), pa.int8())
    names = None if starts_with(path, _MEASURED[0]) else original
    table = select(read_csv(path, names=names, types={**types, card.target: pa.int64()}), original)
    indicators = np.array([table[column].to_numpy() for column in _AREA])
    if (indicators.sum(axis=0) != 1).any():
        raise InputError(f"every row must lie in exactly one of {', '.join(_AREA)}")
    area = indicators.argmax(axis=0)
    named = pa.DictionaryArray.from_arrays(pa.array(area, pa.int8()), list(AREAS))
    return select(table.append_column("wilderness_area", named), card.columns)


card = Card(
    name="covertype",
    title="Forest cover type (Covertype)",
    about="Cartographic features of 30 × 30 m cells in the Roosevelt National Forest, Colorado, and the kind "
    "of trees that grow there. wilderness_area is derived from the four indicator columns.",
    task="classification",
    source=Source(
        client="pip-sdist",
        package="scikit-multiflow",
        version="0.4.1",
        files=(
            File(
                "src/skmultiflow/data/datasets/covtype.csv",
                "ea35ca6820fcbe0bdc6707e9ed31e11a9de84f07d88da73b511c737383c271a6",
                75_170_064,
            ),
        ),
    ),
    rows=581_012,
    columns=(*_MEASURED, *_AREA, *_SOIL, "wilderness_area", "Cover_Type"),
    target="Cover_Type",
    classes={
        1: "spruce/fir",
        2: "lodgepole pine",
        3: "ponderosa pine",
        4: "cottonwood/willow",
        5: "aspen",
        6: "Douglas fir",
        7: "krummholz",
    },
    splits={"wilderness_area": _AREA},
    natural=Split("wilderness_area", ("Rawah",)),
    extra=("wilderness_area",),
    is_not="Not a random sample of forests: four neighbouring areas, cells next to each other resemble each "
    "other, so a random split flatters every model. Classes do not occur everywhere: 3, 4 and 6 not in Rawah "
    "and Neota, 4 only in Cache la Poudre, where 1, 5 and 7 are missing: moving between areas shifts the "
    "classes too. Not recoded: the target keeps its codes 1 to 7.",
    licence=f"BSD-3-Clause: {TERMS}",
    citation="Blackard, J. A. and Dean, D. J. (1999). Comparative accuracies of artificial neural networks "
    "and discriminant analysis in predicting forest cover types from cartographic variables. Computers and "
    "Electronics in Agriculture 24(3), 131-151.",
    motivation="To map forests without visiting them (Blackard and Dean 1999).",
    collection="Maps of the United States Forest Service and the Geological Survey, a row for each cell of "
    "30 metres.",
    preprocessing="The authors derived distances and shades from maps and coded area and soil by indicators; "
    "here the area's name is derived.",
    uses="Shift between neighbouring regions.",
    read=read,
)
