"""Files written by others, without this package, are evaluated from the command line as they are."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import foreign
from surefoot.cli import main


def scored(path: Path, folder: Path) -> dict[tuple[str, str, str | None], float]:
    with pytest.raises(SystemExit) as stop:
        main(["evaluate", str(path), "--json", str(folder / "card.json")])
    assert stop.value.code == 0
    rows = json.loads((folder / "card.json").read_text())["rows"]
    return {(row["side"], row["metric"], row["measure"]): row["value"] for row in rows}


@pytest.mark.parametrize("name", foreign.CLASSIFICATION)
def test_classification_scores_are_those_of_the_content(name: str, tmp_path: Path) -> None:
    content = foreign.classification()
    mean, target = content["probs"].mean(axis=0), content["target"]
    labelled = target != -2
    card = scored(foreign.CLASSIFICATION[name](tmp_path), tmp_path)
    right = (mean.argmax(axis=1) == target)[labelled]
    assert card["all", "accuracy", None] == pytest.approx(right.mean())
    known = target >= 0
    likelihood = np.log(mean[known, target[known]]).mean()
    assert card["all", "log_likelihood", None] == pytest.approx(likelihood, rel=1e-5)


@pytest.mark.parametrize("name", foreign.REGRESSION)
def test_regression_scores_are_those_of_the_content(name: str, tmp_path: Path) -> None:
    content = foreign.regression()
    squared = (content["mean"].mean(axis=0) - content["target"]) ** 2
    card = scored(foreign.REGRESSION[name](tmp_path), tmp_path)
    assert card["all", "rmse", None] == pytest.approx(np.sqrt(np.nanmean(squared)))


@pytest.mark.parametrize(
    "name", sorted(set(foreign.ALL) - set(foreign.CLASSIFICATION) - set(foreign.REGRESSION))
)
def test_other_files_are_scored_on_both_sides(name: str, tmp_path: Path) -> None:
    card = scored(foreign.ALL[name](tmp_path), tmp_path)
    metric = "rmse" if "regression" in name else "accuracy"
    for side in ("in", "shifted", "all"):
        assert 0 <= card[side, metric, None] <= 1
    assert any(metric == "auroc" for _, metric, _ in card)
