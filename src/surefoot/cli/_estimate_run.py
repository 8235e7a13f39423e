"""`surefoot estimate run`: how accurate is the model on these batches, and is it accurate enough?"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

from surefoot import estimators, report
from surefoot._atomic import writable
from surefoot._json import plain, to_json
from surefoot.cli._estimate_junit import write_junit
from surefoot.cli._estimate_show import show_estimates
from surefoot.cli._estimate_tables import fed, read_batch
from surefoot.errors import InputError
from surefoot.estimators import Estimate, Estimator

FORMAT = 1


@click.command("run")
@click.argument("estimator", type=click.Path(path_type=Path))
@click.argument("batches", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--metric", metavar="NAME", help="Score to estimate (default: accuracy, of a regressor rmse).")
@click.option(
    "--min-accuracy",
    type=click.FloatRange(0, 1),
    help="Exit with 1 if the lower bound of a batch's accuracy is under this.",
)
@click.option(
    "--json", "json_path", type=click.Path(path_type=Path), help="Write the estimates to a JSON file."
)
@click.option(
    "--junit", "junit_path", type=click.Path(path_type=Path), help="Write a JUnit file, one test a batch."
)
@click.option(
    "--report", "report_path", type=click.Path(path_type=Path), help="Write what was found as a page (HTML)."
)
@click.option("--ignore", multiple=True, metavar="COLUMN", help="Leave a column out; may be repeated.")
@click.option("--weight", metavar="COLUMN", help="Column of row weights.")
@click.option(
    "--model",
    "spec",
    metavar="MODEL",
    help="Take this model (skops, ONNX or module:attribute), not the file's.",
)
@click.option(
    "--trusted",
    multiple=True,
    metavar="TYPE",
    help="A type that the model in the file may hold beyond scikit-learn's, or where it may be imported from; "
    "may be repeated.",
)
def command(
    estimator: Path,
    batches: tuple[Path, ...],
    metric: str | None,
    min_accuracy: float | None,
    json_path: Path | None,
    junit_path: Path | None,
    report_path: Path | None,
    ignore: tuple[str, ...],
    weight: str | None,
    spec: str | None,
    trusted: tuple[str, ...],
) -> None:
    """Estimate how accurate the model is on BATCHES (.csv or .parquet) without labels.

    Example: surefoot estimate run y.surefoot monday.csv tuesday.csv --min-accuracy 0.8
    """
    if report_path is not None:
        report.require()
    for path in (json_path, junit_path, report_path):
        if path is not None:
            writable(path)
    model = None if spec is None else estimators.load_model(spec, trusted=trusted)
    asked = estimators.load(estimator, model=model, trusted=trusted)
    if min_accuracy is not None and (metric or asked.default_metric) != "accuracy":
        raise InputError(f"--min-accuracy is about the accuracy, not about {metric or asked.default_metric}")
    found = _estimates(asked, batches, metric, ignore, weight)
    failed = [name for name, one in found.items() if min_accuracy is not None and one.low < min_accuracy]
    if json_path is not None:
        each = [{"batch": name, "failed": name in failed, **one.to_dict()} for name, one in found.items()]
        to_json(plain({"format": FORMAT, "min_accuracy": min_accuracy, "batches": each}), json_path)
    if junit_path is not None:
        write_junit(found, min_accuracy, junit_path)
    if report_path is not None:
        report.save_estimates(found, report_path, min_accuracy=min_accuracy)
    show_estimates(found)
    for name in failed:
        click.echo(
            f"Gate failed: the accuracy on {name} may be as low as {found[name].low:.3f}, under {min_accuracy:g}",
            err=True,
        )
    if failed:
        sys.exit(1)


def _estimates(
    asked: Estimator,
    batches: tuple[Path, ...],
    metric: str | None,
    ignore: tuple[str, ...],
    weight: str | None,
) -> dict[str, Estimate]:
    """An estimate a batch, by the name of its file, or where two have the same name by its path."""
    schema = asked.schema
    if schema is None:
        raise InputError(
            "this estimator was fitted on probabilities alone; ask it in Python: estimator.estimate(probs=…)"
        )
    short = len({path.name for path in batches}) == len(set(batches))
    asked = fed(asked)
    screen = Console(stderr=True, quiet=not Console(stderr=True).is_terminal)
    found = {}
    for path in batches:
        with screen.status(f"Looking at {path.name} …"):
            rows = read_batch(path, schema, ignore, weight)
            try:
                one = asked.estimate(rows.X, metric=metric, sample_weight=rows.weights)
            except InputError as error:
                raise InputError(f"{path.name}: {error}") from error
        found[path.name if short else str(path)] = one
    return found
