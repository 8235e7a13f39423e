"""`surefoot estimate fit`: learn from labelled rows, and keep what was learned in one file."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from surefoot import estimators
from surefoot._atomic import writable
from surefoot.cli._estimate_tables import Fed, read_labelled, unfed
from surefoot.estimators import Estimator, Method
from surefoot.estimators._intervals import BINOMIAL, CONFORMAL
from surefoot.estimators._model import wrap
from surefoot.estimators._skops import require

METHODS: dict[str, type[Method]] = {
    one.name: one
    for one in (getattr(estimators, name) for name in estimators.__all__)
    if isinstance(one, type) and issubclass(one, Method) and one is not Method
}
"""The methods by their names."""


@click.command("fit")
@click.option(
    "--model",
    "spec",
    required=True,
    metavar="MODEL",
    help="model.skops, model.onnx, or module:attribute to import from the current folder.",
)
@click.option(
    "--data",
    required=True,
    type=click.Path(path_type=Path),
    help="Labelled rows (.csv or .parquet) that the model was not trained on.",
)
@click.option("--target", required=True, metavar="COLUMN", help="Column of labels.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="File to write.")
@click.option(
    "--categorical",
    multiple=True,
    metavar="COLUMN",
    help="Column whose numbers are only names; may be repeated.",
)
@click.option("--ignore", multiple=True, metavar="COLUMN", help="Leave a column out; may be repeated.")
@click.option("--weight", metavar="COLUMN", help="Column of row weights.")
@click.option(
    "--class",
    "classes",
    multiple=True,
    metavar="LABEL",
    help="A class of a model that does not name its own; repeated, in the order of its probabilities.",
)
@click.option("--method", type=click.Choice(sorted(METHODS)), default="auto", show_default=True)
@click.option("--interval", type=click.Choice([CONFORMAL, BINOMIAL]), default=CONFORMAL, show_default=True)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often an interval may miss.")
@click.option(
    "--domains",
    type=click.IntRange(min=1),
    default=500,
    show_default=True,
    help="Shifted copies of labelled rows to learn from.",
)
@click.option("--rows", type=click.IntRange(min=1), default=500, show_default=True, help="Rows of each copy.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--trusted",
    multiple=True,
    metavar="TYPE",
    help="A type that model.skops may hold beyond scikit-learn's; may be repeated.",
)
def command(
    spec: str,
    data: Path,
    target: str,
    out: Path,
    categorical: tuple[str, ...],
    ignore: tuple[str, ...],
    weight: str | None,
    classes: tuple[str, ...],
    method: str,
    interval: str,
    alpha: float,
    domains: int,
    rows: int,
    seed: int,
    trusted: tuple[str, ...],
) -> None:
    """Learn from labelled rows how accurate a model will be on rows without labels.

    Example: surefoot estimate fit --model model.skops --data labelled.csv --target y -o y.surefoot
    """
    writable(out)
    require()
    model = estimators.load_model(spec, trusted=trusted)
    known = wrap(model, classes or None)
    labelled = read_labelled(data, target, ignore, weight, known.classes)
    screen = Console(stderr=True, quiet=not Console(stderr=True).is_terminal)
    with screen.status(f"Learning from {labelled.X.num_rows:,} labelled rows …"):
        estimator = estimators.fit(
            Fed(model),
            labelled.X,
            labelled.target,
            method=METHODS[method](),
            classes=classes or None,
            sample_weight=labelled.weights,
            categorical=categorical,
            interval=interval,
            alpha=alpha,
            domains=domains,
            rows=rows,
            seed=seed,
        )
    unfed(estimator).save(out)
    click.echo(_summary(estimator) + f" → {out}")
    for note in estimator.notes:
        click.echo(f"Note: {note}")


def _summary(estimator: Estimator) -> str:
    """The score on the labelled rows, in one line."""
    name = estimator.default_metric
    return (
        f"{estimator.method}: {name} {estimator.references[name]:.3f} on {estimator.labelled:,} labelled rows"
    )
