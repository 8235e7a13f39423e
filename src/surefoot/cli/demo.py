"""`surefoot demo`: a forest classifier that meets a forest it has not seen, from data to scorecard.

Covertype (US Forest Service, 581,012 patches of Colorado): train an ensemble on two wilderness areas, then
judge it there and in two others. One cover type grows only in the others: a novel class.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import numpy as np

from surefoot import __version__, data, report
from surefoot._checks import NOVEL, Array
from surefoot.cli._show import show_card
from surefoot.errors import InputError
from surefoot.predictions import Predictions
from surefoot.scorecard import evaluate

_SOURCE = ("Rawah", "Comanche Peak")
_SHIFTED = ("Neota", "Cache la Poudre")
_TRAINED_ON = 40_000
_MEMBERS = 10
_SHARE_A_MEMBER = 0.5
_IN_DOMAIN = 40_000


@click.command("demo")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    default=Path("demo"),
    show_default=True,
    help="Folder for the predictions and the scorecard.",
)
@click.option("--seed", type=int, default=0, show_default=True)
def command(out: Path, seed: int) -> None:
    """Train an ensemble on some wilderness areas of Covertype, and evaluate it there and elsewhere."""
    out.mkdir(parents=True, exist_ok=True)
    click.echo("Fetching Covertype (once; later runs take it from the cache) …", err=True)
    table = data.load("covertype", download=True)
    features, cover, area, partition = _prepare(table, seed)
    click.echo(f"Training {_MEMBERS} random forests on {', '.join(_SOURCE)} …", err=True)
    predictions = _predict(features, cover, area, partition, seed)
    predictions.save(out / "predictions.parquet")
    card = evaluate(predictions, slices=["wilderness_area"])
    card.to_json(out / "scorecard.json")
    show_card(card)
    fall = card["in.accuracy"] - card["shifted.accuracy"]
    click.echo(
        f"\nAccuracy falls by {100 * fall:.1f} points, from {100 * card['in.accuracy']:.1f} % where the model was "
        f"trained to {100 * card['shifted.accuracy']:.1f} % in areas it has not seen."
    )
    click.echo(f"Predictions: {out / 'predictions.parquet'}\nScorecard:   {out / 'scorecard.json'}")
    try:
        report.save(card, out / "report.html")
        click.echo(f"Report:      {out / 'report.html'} (open it in a browser)")
    except InputError as missing:
        click.echo(f"No report:   {missing}")
    click.echo(f"Next: surefoot evaluate {out / 'predictions.parquet'} --fail-on 'shifted.accuracy<0.8'")
    if fall < 0.05:
        click.echo(
            "Expected a fall of at least 5 points: the data or the training is not what it was.", err=True
        )
        sys.exit(1)


def _prepare(table: Any, seed: int) -> tuple[Array, Array, Array, Array]:
    """Features without the split variable, cover type codes, area and partition of every patch."""
    area = np.asarray(table["wilderness_area"].to_pylist())
    derived = ("wilderness_area", *data.card("covertype").splits["wilderness_area"])
    columns = [name for name in table.column_names if name not in (*derived, "Cover_Type")]
    features = np.stack([table[name].to_numpy().astype(np.float32) for name in columns], axis=1)
    source = int(np.isin(area, _SOURCE).sum())
    train, held_out = _TRAINED_ON / source, _IN_DOMAIN / source
    partition = data.partition_by(
        area,
        source=_SOURCE,
        eval_out=_SHIFTED,
        fractions=(train, 1 - train - held_out, held_out),
        seed=seed,
    )
    return features, table["Cover_Type"].to_numpy(), area, partition


def _predict(features: Array, cover: Array, area: Array, partition: Array, seed: int) -> Predictions:
    """Predictions of every forest for the held-out patches of both sides."""
    from sklearn.ensemble import RandomForestClassifier

    train = np.flatnonzero(partition == "train")
    judged = np.flatnonzero(np.isin(partition, ("eval_in", "eval_out")))
    rng = np.random.default_rng(seed)
    classes = np.unique(cover[train])
    probs = np.empty((_MEMBERS, len(judged), len(classes)), dtype=np.float32)
    for m in range(_MEMBERS):
        seen = rng.choice(train, size=int(_SHARE_A_MEMBER * len(train)), replace=False)
        forest = RandomForestClassifier(n_estimators=50, min_samples_leaf=2, n_jobs=2, random_state=seed + m)
        forest.fit(features[seen], cover[seen])
        probs[m][:, np.isin(classes, forest.classes_)] = forest.predict_proba(features[judged])
    code = np.searchsorted(classes, cover[judged])
    known = np.isin(cover[judged], classes)
    return Predictions.classification(
        probs,
        np.where(known, code, NOVEL),
        classes=[_COVER_TYPES[c] for c in classes],
        id=judged,
        partition=partition[judged],
        metadata={"cover_type": cover[judged], "wilderness_area": area[judged]},
        info={
            "method": "random forest ensemble",
            "dataset": "covertype",
            "data_sha256": data.card("covertype").files[0].sha256,
            "train_set": f"covertype: {', '.join(_SOURCE)}",
            "seed": seed,
            "surefoot": __version__,
        },
    )


_COVER_TYPES = {
    1: "Spruce/Fir",
    2: "Lodgepole Pine",
    3: "Ponderosa Pine",
    4: "Cottonwood/Willow",
    5: "Aspen",
    6: "Douglas-fir",
    7: "Krummholz",
}
