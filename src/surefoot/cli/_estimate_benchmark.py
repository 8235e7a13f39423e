"""`surefoot estimate benchmark`: the experiment of the paper on estimators, on real data."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from surefoot import bench, report
from surefoot._atomic import writable
from surefoot.bench import Limits, Plan
from surefoot.bench.kinds.estimate import BATCHES
from surefoot.cli._bench_do import SOME_FAILED, do
from surefoot.cli._console import console
from surefoot.cli._show import show_table
from surefoot.errors import InputError
from surefoot.estimators import benchmark
from surefoot.estimators.benchmark import Profile, _markdown

SUITE = "estimators"

RESULTS = f"{BATCHES}.parquet"
"""All finished trials of a run in one file."""


@click.command("benchmark")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("estimate-benchmark"),
    show_default=True,
    help="Folder that results are kept in, and a later run goes on from.",
)
@click.option("--quick", is_flag=True, help="Some datasets, one seed and few scenarios: minutes, not hours.")
@click.option(
    "--dataset", "datasets", multiple=True, metavar="NAME", help="Only this dataset; may be repeated."
)
@click.option("--seeds", type=click.IntRange(1), help="Repetitions (default: 10, the paper's; quick: 1).")
@click.option(
    "--scenarios",
    type=click.IntRange(1),
    help="Test batches of each kind (default: 100, the paper's; quick: 10).",
)
@click.option(
    "--domains",
    type=click.IntRange(4),
    help="Training domains of each kind (default: 100, the paper's; quick: 10).",
)
@click.option(
    "--experiment",
    "experiments",
    multiple=True,
    type=click.Choice(benchmark.EXPERIMENTS),
    help="Only this experiment; may be repeated.",
)
@click.option(
    "--again",
    multiple=True,
    type=click.Choice(benchmark.EXPERIMENTS),
    help="Do this experiment anew, though it is finished; may be repeated.",
)
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True, help="Processes.")
@click.option("--offline", is_flag=True, help="Take only datasets that are in the cache; fetch none.")
@click.option(
    "--tables",
    "results_path",
    metavar="RESULTS",
    type=click.Path(path_type=Path),
    help="Run nothing; read the results in this Parquet file.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md"]),
    default="text",
    show_default=True,
    help="Of the tables.",
)
@click.option(
    "--markdown",
    "markdown_path",
    type=click.Path(path_type=Path),
    help="Write the tables to a Markdown file; if it has the marks, between them.",
)
@click.option(
    "--report", "report_path", type=click.Path(path_type=Path), help="Write a page with all figures (HTML)."
)
def command(
    out: Path,
    quick: bool,
    datasets: tuple[str, ...],
    seeds: int | None,
    scenarios: int | None,
    domains: int | None,
    experiments: tuple[str, ...],
    again: tuple[str, ...],
    workers: int,
    offline: bool,
    results_path: Path | None,
    form: str,
    markdown_path: Path | None,
    report_path: Path | None,
) -> None:
    """Repeat the experiment of Maggio et al. 2022 on real datasets, fetching those that are not in the cache.

    It may be stopped at any time; the same command goes on where it was.

    Example: surefoot estimate benchmark --quick --report benchmark.html
    """
    if report_path is not None:
        report.require()
    for path in (markdown_path, report_path):
        if path is not None:
            writable(path)
    failed = 0
    if results_path is None:
        profile = _profile(quick, datasets, experiments, seeds=seeds, batches=scenarios, domains=domains)
        failed = _run(profile, out, again, workers, offline)
        results_path = out / RESULTS
    results = benchmark.read(results_path)
    found, claims = list(benchmark.tables(results)), list(benchmark.claims(results))
    document = _markdown.document([*found, *([benchmark.claims_table(results)] if claims else [])])
    if markdown_path is not None:
        _markdown.write(document, markdown_path)
    if report_path is not None:
        report.save_benchmark(results, report_path)
    if form == "md":
        click.echo(document, nl=False)
    else:
        screen = console()
        for table in found:
            show_table(screen, table)
        if claims:
            screen.print("\nThe paper's claims", style="bold")
        for claim in claims:
            screen.print(f"  {claim.verdict}: {claim.said}\n    {claim.found}", markup=False)
    if failed:
        sys.exit(SOME_FAILED)


def _profile(
    quick: bool, datasets: tuple[str, ...], experiments: tuple[str, ...], **sizes: int | None
) -> Profile:
    """The quick or the full profile, but for what was asked for otherwise."""
    profile = benchmark.quick() if quick else benchmark.full()
    wanted: dict[str, Any] = {name: size for name, size in sizes.items() if size is not None}
    if datasets:
        wanted["datasets"] = tuple(dict.fromkeys(benchmark.card_of(name).name for name in datasets))
    if experiments:
        wanted["experiments"] = tuple(name for name in benchmark.EXPERIMENTS if name in experiments)
    return replace(profile, **wanted)


def _run(profile: Profile, out: Path, again: Iterable[str], workers: int, offline: bool) -> int:
    """Run what is not finished, join all results, and say how many trials failed."""
    trials = [bench.Trial("estimate", trial) for trial in profile.trials()]
    for trial in trials:
        if trial.what.experiment in again:
            bench.forget(trial, out)
    plan = Plan.of(SUITE, "", trials, Limits())
    done = do(plan, trials, out, workers=workers, offline=offline)
    done.tell()
    if not (out / RESULTS).is_file():
        raise InputError("no trial has come to its end, so there are no results; the reasons are above")
    click.echo(f"Results: {out / RESULTS}", err=True)
    return len(done.failed)
