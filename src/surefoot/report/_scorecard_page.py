"""The page of a scorecard: verdict, scores, curves, slices, measures, members, and what it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from surefoot import measures
from surefoot.metrics import REGISTRY
from surefoot.report import _density, _reliability, _retention, _slices, _words
from surefoot.report._figure import Figure
from surefoot.report._html import figure, paragraph, table, tag, text
from surefoot.report._page import Section, page
from surefoot.report._pieces import about, arrow, cell, digits_for, findings, in_short, notes, star, tile
from surefoot.report._reader import Reader
from surefoot.report._style import SIDE_NAMES
from surefoot.report._verdict import verdict
from surefoot.scorecard import Score, Scorecard, headline, labelled_rows

_SIDES = ("in", "shifted", "all")

_PREDICTIONS = (
    "accuracy", "mean_error", "macro_f1", "rmse", "mae", "multilabel_macro_f1", "multilabel_micro_f1",
)  # fmt: skip
QUESTIONS = (
    "How good are the predictions?",
    "How good are the probabilities?",
    "Does the model know when it is wrong?",
    "Does it notice that the data has moved?",
)
_OF_MEASURES = (
    "rejection_ratio", "r_auc", "f1_auc", "auroc", "aupr", "fpr_at_95", "novelty_auroc", "misclassification_auroc",
)  # fmt: skip


def scorecard_page(card: Scorecard, script: str) -> str:
    """The whole page."""
    reader = Reader(card)
    title = str(card.info.get("method", "Scorecard"))
    return page(title, "scorecard", f"Set {reader.set}: {headline(card)}", _sections(reader), script)


def _sections(reader: Reader) -> Iterator[Section]:
    card = reader.card
    figures = dict(_figures(reader))
    found = verdict(card)
    shown = {name: f"#figure-{name}" for name in figures} | {
        n: f"#{n}" for n in ("scores", "measures", "slices")
    }
    yield Section("verdict", "Verdict", in_short(found) + _tiles(reader) + findings(found, shown))
    yield Section(
        "scores",
        "Scores",
        tag(
            "div",
            "".join(_scores(card, name, reader) for name in _ordered(card.sets, reader.set)),
            class_="stack",
        ),
        "Every number with its 95\u202f% interval where it has one; arrows point to better.",
    )
    yield Section(
        "retention",
        "When the least certain inputs are handed over",
        _grid(figures, ("retention", "f1")),
        f"Inputs are kept in the order of {reader.measure}, the most certain first; the rest goes to someone who "
        "knows the answer. A good uncertainty keeps close to the perfect order, a useless one to the random order.",
        "Retention",
    )
    yield Section(
        "confidence", "Does it mean what it says, and notice what is new?",
        _grid(figures, ("reliability", "density")),
        "Among inputs where a model is 80\u202f% sure it should be right 80\u202f% of the time, and its uncertainty "
        "should lie apart for what it gets right, what it gets wrong, and what has shifted.",
        "Confidence",
    )  # fmt: skip
    yield Section(
        "slices", "Slices", _grid(figures, [name for name in figures if name.startswith("slices")]),
        "Parts of the inputs by a column, each with its interval; a short bar stands for many inputs.",
    )  # fmt: skip
    yield Section(
        "measures", "Measures of uncertainty", _measures(reader),
        "One prediction, several ways to say how uncertain it is; over all inputs of the set.",
        "Measures",
    )  # fmt: skip
    yield Section(
        "members", "One member alone, and all together", _members(reader),
        "Single members as mean ± standard deviation over members, each judged by its own uncertainty.",
        "Members",
    )  # fmt: skip
    yield Section("notes", "Notes", notes(card.notes))
    yield Section("about", "Data, settings and versions", about(card.info), link="About")


def _ordered(sets: Sequence[str], first: str) -> list[str]:
    return [first, *(name for name in sets if name != first)]


def _tiles(reader: Reader) -> str:
    """The score that matters most, a tile a side."""
    scores = [score for side in _SIDES if (score := reader.get(side, reader.primary)) is not None]
    if len(scores) < 2:
        scores = scores[:1]
    if {score.side for score in scores} >= {"in", "shifted"}:
        scores = scores[:2]
    detection = reader.judged("all", "auroc")
    tiles = [_tile(score, f"{_words.readable(score.metric)}, {SIDE_NAMES[score.side]}") for score in scores]
    if detection is not None:
        tiles.append(_tile(detection, "shift noticed by uncertainty (AUROC)", plain=True))
    return tag("dl", "".join(tiles), class_="tiles") if tiles else ""


def _tile(score: Score, name: str, *, plain: bool = False) -> str:
    per_cent = score.metric == "accuracy"
    big = _words.percent(score.value) if per_cent else _words.number(score.value, 3)
    ends = _words.between(score, per_cent=per_cent).strip(" ()")
    rows = f"n\u00a0=\u00a0{score.n:,}"
    small = f"{ends}; {rows}" if ends else rows
    return tile(name, big, small, f"tone-{'all' if plain else score.side}")


def _scores(card: Scorecard, set_name: str, reader: Reader) -> str:
    """Metrics down by question, sides across."""
    mine = [
        s
        for s in card.rows
        if s.set == set_name and s.slice is None and s.measure in (None, card.uncertainty)
    ]
    sides = [side for side in _SIDES if any(score.side == side for score in mine)]
    found = {(score.metric, score.side): score for score in mine}
    names = list(dict.fromkeys(score.metric for score in mine))
    stars = [name for name in names if not REGISTRY[name].comparable]
    rows: dict[str, list[list[str]]] = {}
    for name in sorted(names, key=lambda name: QUESTIONS.index(question(name))):
        head = f"{text(_words.readable(name))}{arrow(name)}{star(name, set_name)}"
        head += tag("small", text(REGISTRY[name].meaning), class_="meaning")
        scores = [found.get((name, side)) for side in sides]
        cells = [head, *(cell(score, digits_for(scores)) for score in scores)]
        rows.setdefault(question(name), []).append(cells)
    header = [
        "metric",
        *(f"{text(SIDE_NAMES[side])}<small>n = {n:,}</small>" for side, n in labelled_rows(mine).items()),
    ]
    reasons: dict[str, list[str]] = {}
    for name in stars:
        reasons.setdefault(REGISTRY[name].not_comparable, []).append(_words.readable(name))
    listed = "".join(
        tag("li", f"{'each of ' if len(who) > 1 else ''}{text(_words.joined(who))}: {text(why)}.")
        for why, who in reasons.items()
    )
    foot = (
        paragraph("* Not to be compared across models:", id=f"{set_name}-star") + tag("ul", listed)
        if stars
        else ""
    )
    caption = f"Scores of the set {set_name}"
    return tag("div", table(caption, header, rows, footnote=foot, name=f"scores-{set_name}"))


def question(name: str) -> str:
    """Which of the questions a metric answers."""
    metric = REGISTRY[name]
    if name in _PREDICTIONS:
        return QUESTIONS[0]
    if {"detection", "novelty"} & set(metric.needs):
        return QUESTIONS[3]
    return QUESTIONS[2] if metric.per_measure else QUESTIONS[1]


def _figures(reader: Reader) -> Iterator[tuple[str, Figure]]:
    measure = reader.card.uncertainty
    for what, name, metric in (("error", "retention", "r_auc"), ("f1", "f1", "f1_auc")):
        of = {s: c for s in ("all", "in", "shifted") if (c := reader.curve(s, f"{what}_retention"))}
        if "all" in of:
            area = reader.judged("all", metric)
            yield name, _retention.by_side(of, what, measure, None if area is None else area.value)
    of = {s: c for s in ("in", "shifted") if (c := reader.curve(s, "reliability"))}
    of = of or {s: c for s in ("all",) if (c := reader.curve(s, "reliability"))}
    if of:
        yield "reliability", _reliability.reliability(of)
    if spread := reader.curve("all", "density"):
        yield "density", _density.density(spread, measure, reader.kind)
    yield from _slice_figures(reader)


def _slice_figures(reader: Reader) -> Iterator[tuple[str, Figure]]:
    whole = reader.get("all", reader.primary)
    mine = reader.slices
    if whole is None:
        return
    for i, name in enumerate(dict.fromkeys(str(score.slice).partition("=")[0] for score in mine)):
        part = [score for score in mine if str(score.slice).partition("=")[0] == name]
        yield f"slices-{i}", _slices.slices(part, whole, name)


def _grid(figures: dict[str, Figure], names: Sequence[str]) -> str:
    drawn = [figure(figures[name], f"figure-{name}") for name in names if name in figures]
    return tag("div", "".join(drawn), class_="grid") if drawn else ""


def _measures(reader: Reader) -> str:
    found = {(s.measure, s.metric): s for s in reader if s.side == "all" and s.measure is not None}
    columns = [name for name in _OF_MEASURES if any(metric == name for _, metric in found)]
    names = list(dict.fromkeys(str(measure) for measure, _ in found))
    if not columns or not names:
        return ""
    digits = {m: digits_for([found.get((name, m)) for name in names]) for m in columns}
    rows = []
    for name in names:
        kind = measures.describe(name, reader.kind)
        default = " (default)" if name == reader.card.uncertainty else ""
        head = text(_words.readable(name) + default) + tag("small", text(kind.summary))
        rows.append([head, text(kind.speaks_of), *(cell(found.get((name, m)), digits[m]) for m in columns)])
    header = ["measure", "speaks of", *(f"{text(_words.readable(m))}{arrow(m)}" for m in columns)]
    return table("Uncertainty measures, all inputs", header, rows, name="measures-table", words=2)


def _members(reader: Reader) -> str:
    singles = [m for m in reader.card.members if m.set == reader.set]
    whole = {(s.metric, s.side): s for s in reader if s.measure in (None, reader.card.uncertainty)}
    sides = [side for side in _SIDES if any(m.side == side for m in singles)]
    rows = []
    for name in dict.fromkeys(m.metric for m in singles):
        cells = [f"{text(_words.readable(name))}{arrow(name)}"]
        for side in sides:
            one = next((m for m in singles if (m.metric, m.side) == (name, side)), None)
            together = whole.get((name, side))
            cells.append(
                "" if one is None else f"{_words.number(one.mean)}<small>± {_words.number(one.std)}</small>"
            )
            cells.append(cell(together, digits_for([together])))
        rows.append(cells)
    if not rows:
        return ""
    header = [
        "metric",
        *(f"{SIDE_NAMES[side]}, {who}" for side in sides for who in ("one member", "all together")),
    ]
    return table(f"{singles[0].members} members", header, rows, name="members-table")
