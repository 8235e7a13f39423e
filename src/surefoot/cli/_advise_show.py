"""How `surefoot advise` prints advice and rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console

from surefoot.bench.advice import CONFLICTS, PAPERS, RULES, Advice, Candidate, Measured, Needs, Reason, Rule
from surefoot.bench.advice._rule import Words
from surefoot.cli._console import console
from surefoot.cli._show import show_table
from surefoot.scorecard import Table, number

_SHOWN = 8
"""Candidates in the table; --json has all."""


def show_advice(advice: Advice, scores: Sequence[Measured] | None) -> None:
    """Print the advised set-up with its reasons, then the others; ``scores`` are of somebody's own runs."""
    out, best = console(), advice.best
    _heading(out, f"Advised: {_sized(best)}")
    _line(
        out,
        f"{best.cost} (m: a single model{', l: its last layer' if best.cost.last_layers else ''}; table 4)",
    )
    if best.setup.more:
        _line(out, best.setup.more)
    for sentence in _running(advice):
        _line(out, sentence)
    measure, source = advice.measure
    _line(out, f"read {advice.needs.uncertainty} uncertainty with {measure} ({source})")
    _section(
        out, "These needs contradict each other", (f"! {one.says} ({one.source})" for one in advice.conflicts)
    )
    _section(out, "For it", map(_reason, best.reasons_for))
    _section(out, "Against it", map(_reason, best.reasons_against))
    _section(out, "Evidence", _evidence(best))
    _section(out, "Set it up", (f"{one.name}: {one.value} ({one.source})" for one in best.defaults))
    if advice.unlimited is not None:
        _section(out, "Without limits", [f"it would be {_sized(advice.unlimited)}: {advice.unlimited.cost}"])
    show_table(out, _candidates(advice))
    if advice.left_out:
        beyond = ", ".join(f"{one.name} ({', '.join(one.beyond)})" for one in advice.left_out)
        _section(out, "Beyond the budget even at their smallest", [beyond])
    if scores is not None:
        _own(out, scores)


def show_rules() -> None:
    """Print every rule with its place."""
    out = console()
    for paper in PAPERS:
        rules = [one for one in RULES if one.source.paper == paper]
        _section(out, PAPERS[paper], (line for rule in rules for line in _rule(rule)))
    _section(out, "Needs that contradict each other", (f"{one.says} ({one.source})" for one in CONFLICTS))


def _rule(rule: Rule) -> Iterable[str]:
    """What it says; when and of what; the paper's words and their place."""
    yield f"{rule.weight:+.2f}  {rule.says}"
    yield f"       {_words(rule.when) or 'always'} → {_words(rule.of)}"
    yield f"       “{rule.source.words}” ({rule.source.place})"


def _words(wanted: Words) -> str:
    return ", ".join(f"{name} {' or '.join(allowed)}" for name, allowed in wanted.items())


def _sized(one: Candidate) -> str:
    """The set-up with its numbers."""
    parts = [f"{one.members} members"] if one.setup.ensemble else []
    parts += [f"{one.size} {one.setup.unit}"] if one.setup.unit else []
    parts += [f"{one.passes} passes{' each' if one.setup.ensemble else ''}"] if one.passes > 1 else []
    return ", ".join([one.name, *parts])


def _running(advice: Advice) -> Iterable[str]:
    """Whether it can be run, and what can be if not."""
    best, today = advice.best, advice.today
    if best.preset:
        first = {one.recipe.family: one.name for one in reversed(best.presets)}  # of every family
        others = ", ".join(name for name in reversed(first.values()) if name != best.preset)
        yield f"runs today: preset {best.preset}{f' (also {others})' if others else ''}"
    elif today is None:
        yield f"cannot be run today: no preset is for {_data(advice.needs)} yet; it comes with the torch methods"
    else:
        yield "cannot be run today: it takes a network that comes with the torch methods"
        yield f"the best that runs today is {_sized(today)}: preset {today.preset} ({today.cost})"


def _data(needs: Needs) -> str:
    return needs.inputs if needs.cardinality is None else f"{needs.inputs} with several labels"


def _evidence(one: Candidate) -> Iterable[str]:
    """What the papers counted and timed of it."""
    if one.records:
        counted = "; ".join(f"{what}: {record}" for what, record in one.records.items())
        yield f"pairwise comparisons on texts: {counted}"
    for architecture, times in one.multiples.items():
        yield (
            f"one member, {architecture} on CLINC (tables 5 and 6): training {times['training']:.1f} ×, "
            f"a prediction {times['gpu']:.2g} × on GPU and {times['cpu']:.2g} × on CPU"
        )
    if one.needs.inputs != "text":
        yield f"comparisons and times are of texts and are carried over to inputs of the kind {one.needs.inputs}"


def _candidates(advice: Advice) -> Table:
    rows = tuple(
        (
            _sized(one),
            f"{one.cost.training:g}",
            f"{one.cost.inference:g}",
            f"{one.cost.storage:g}",
            one.preset or "–",
            f"{one.score:.2f}",
        )
        for one in advice.candidates[:_SHOWN]
    )
    more = len(advice.candidates) - len(rows)
    note = "score: comparisons won beyond one half, and the weights of the rules (surefoot advise --rules)"
    return Table(
        "Candidates within the budget",
        ("set-up", "training", "inference", "storage", "preset today", "score"),
        rows,
        f"{note}; {more} more with --json" if more > 0 else note,
    )


def _own(out: Console, scores: Sequence[Measured]) -> None:
    """A row a set-up, method, task and suite; a column a metric."""
    if not scores:
        _section(out, "Your runs", ["have no finished trial of any of these set-ups"])
        return
    metrics = list(dict.fromkeys(one.metric for one in scores))
    said = {(one.setup, one.method, one.task, one.suite, one.metric): _spread(one) for one in scores}
    seeds = {(one.setup, one.method, one.task, one.suite): one.seeds for one in scores}
    rows = tuple(
        (*place, str(count), *(said.get((*place, metric), "") for metric in metrics))
        for place, count in sorted(seeds.items())
    )
    header = ("set-up", "method", "task", "suite", "seeds", *(one.removeprefix("eval.") for one in metrics))
    show_table(
        out, Table("Your runs", header, rows, "mean ± standard deviation over seeds; they move no score")
    )


def _spread(one: Measured) -> str:
    return number(one.mean) if one.std is None else f"{number(one.mean)} ± {number(one.std)}"


def _reason(one: Reason) -> str:
    return f"{'+' if one.weight > 0 else '−'} {one.says} ({one.source})"


def _heading(out: Console, text: str) -> None:
    out.print(text, style="bold", markup=False)


def _line(out: Console, text: str) -> None:
    out.print(f"  {text}", markup=False)


def _section(out: Console, title: str, lines: Iterable[str]) -> None:
    found = list(lines)
    if found:
        out.print()
        _heading(out, title)
        for line in found:
            _line(out, line)
