"""The page of estimates: the number first, then batch by batch, which columns moved, and who says what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from surefoot import __version__
from surefoot.estimators import Estimate
from surefoot.estimators._moved import moved_most
from surefoot.estimators._moves import ALPHA
from surefoot.report import _words
from surefoot.report._batches import Batches, named
from surefoot.report._estimate_figures import MOST_NAMES, agreement, history, place_of
from surefoot.report._estimate_verdict import estimate_verdict, spread_of
from surefoot.report._html import figure, fold, paragraph, table, tag, text
from surefoot.report._moved_columns import most_moved, moved_in, moved_over
from surefoot.report._page import Section, page
from surefoot.report._pieces import about, findings, in_short, notes, tile
from surefoot.shifts.detectors import ColumnMove

MOST_BATCHES = 100
"""Batches that are drawn and listed, the last ones; the verdict is on all."""

MOST_ROWS = 30
"""Columns that a table lists."""

_MOST_NOTES = 8
"""Reasons for doubt that are seen at once."""

_MOST_BESIDE = 12
"""Batches whose members are drawn beside each other."""


def estimate_page(found: Mapping[str, Estimate], gate: float | None, script: str) -> str:
    """The whole page."""
    batches = Batches(found, gate)
    rows = _words.count(sum(one.n for _, one in batches), "row")
    several = f"{len(batches)} batches, {batches.names[0]} to {batches.last}"
    title = several if len(batches) > 1 else batches.last
    facts = f"{_words.capital(batches.spoken)} of {rows} without labels, estimated by {batches.any.method}."
    return page(title, "estimate", facts, _sections(batches), script)


def _sections(batches: Batches) -> Iterator[Section]:
    several = len(batches) > 1
    shown = batches.names[-MOST_BATCHES:]
    parts = {
        "batches": _batches(batches, shown) if several else "",
        "columns": _columns(batches, shown),
        "agreement": _agreement(batches, shown),
        "doubts": _doubts(batches),
    }
    links = {name: f"#{name}" for name, inside in parts.items() if inside}
    links["estimate"] = "#agreement"
    judged = estimate_verdict(batches)
    yield Section("verdict", "Verdict", in_short(judged) + _tiles(batches) + findings(judged, links))
    left_out = len(batches) - len(shown)
    yield Section(
        "batches", "Batch by batch", parts["batches"],
        f"In the order given, each with its {batches.level}: the bounds of what labels of these very rows would give."
        + (f" The first {left_out} batches are left out here." if left_out else ""),
        "Batches",
    )  # fmt: skip
    yield Section(
        "columns", "Which columns moved", parts["columns"],
        "Every column is tested against the labelled rows; in a batch that did not move the chance that any is named "
        f"falsely is at most {_words.percent(ALPHA, 0)}.",
        "Columns",
    )  # fmt: skip
    beside = _beside(batches, shown)
    some = (
        f" Shown are the {len(beside)} batches on which they differ most." if len(beside) < len(shown) else ""
    )
    yield Section(
        "agreement",
        "Do the estimators agree?" if _members(batches) else "The estimate",
        parts["agreement"],
        f"Several ways to estimate the same, and the bar is the {batches.level} of all combined.{some}"
        if _members(batches)
        else "",
        "Agreement" if _members(batches) else "Estimate",
    )
    yield Section(
        "doubts", "Reasons for doubt", parts["doubts"],
        "What the interval does not know of. Where there are reasons, label some rows before relying on a number.",
        "Doubts",
    )  # fmt: skip
    yield Section("about", "Data, settings and versions", about(_facts(batches)), link="About")


def _tiles(batches: Batches) -> str:
    """The number that matters most, and what it is to be held against."""
    last = batches.found[batches.last]
    tiles = [_tile(batches, batches.last, "last batch, " if len(batches) > 1 else "")]
    if len(batches) > 1 and batches.worst != batches.last:
        tiles.append(_tile(batches, batches.worst, "worst batch, "))
    tiles.append(
        tile(
            f"{batches.spoken} on the labelled rows",
            batches.number(last.reference),
            f"{'the last batch' if len(batches) > 1 else 'this batch'}: {batches.change(last.drop)}",
            "tone-in",
        )
    )
    if batches.gate is not None:
        clear = sum(one.low >= batches.gate for _, one in batches)
        small = (
            f"{clear} of {len(batches)} batches clear it" if len(batches) > 1 else batches.standing(last).said
        )
        tiles.append(tile("gate, for the lower bound", batches.number(batches.gate), small, "tone-all"))
    return tag("dl", "".join(tiles), class_="tiles")


def _tile(batches: Batches, name: str, which: str) -> str:
    one = batches.found[name]
    label = f"estimated {batches.spoken}, {which}{name}" if which else f"estimated {batches.spoken}"
    small = f"{batches.level} {batches.bounds(one)}; n\u00a0=\u00a0{one.n:,}"
    return tile(label, batches.number(one.value), small, batches.grade(one))


def _batches(batches: Batches, shown: Sequence[str]) -> str:
    """All batches as a figure and as a table."""
    header = [
        "batch",
        f"{text(batches.spoken)}<small>{text(batches.level)}</small>",
        "against labelled rows",
        *(["gate"] if batches.gate is not None else []),
        "rows",
        *(["columns moved"] if any(one.columns for _, one in batches) else []),
        "doubts",
    ]
    rows = []
    for name in shown:
        one = batches.found[name]
        standing = batches.standing(one)
        number = f"{place_of(batches, name)}. " if len(shown) > MOST_NAMES else ""
        cells = [
            text(number + name),
            text(batches.number(one.value)) + tag("small", text(batches.bounds(one))),
            text(batches.change(one.drop)),
        ]
        if batches.gate is not None:
            cells.append(
                tag(
                    "span",
                    text(f"{standing.mark} {standing.said.split(' the ')[0]}"),
                    class_=f"count {standing.grade}",
                )
            )
        cells.append(f"{one.n:,}")
        if any(one.columns for _, one in batches):
            cells.append(str(len(one.moved)) if one.columns else "–")
        rows.append([*cells, str(len(one.warnings))])
    unit = "points" if batches.is_share else "the score itself"
    foot = paragraph(f"Against labelled rows in {unit}; doubts: how many reasons are listed below.")
    drawn = figure(history(batches, shown), "figure-history")
    listed = table("Batches", header, rows, footnote=foot, name="batches-table")
    if len(shown) > MOST_NAMES:
        listed = fold(f"All {len(shown)} in numbers", listed)
    return tag("div", drawn + listed, class_="stack")


def _columns(batches: Batches, shown: Sequence[str]) -> str:
    """Figures and a table of the columns that moved."""
    every = {column.name for _, one in batches for column in one.columns}
    if not every:
        return ""
    most = most_moved(batches)
    if most is None:
        return paragraph(f"None of {_words.count(len(every), 'column')} moved beyond chance.")
    drawn = []
    if len(shown) > 1 and any(batches.found[name].moved for name in shown):
        drawn.append(figure(moved_over(batches, shown), "figure-moves"))
    drawn.append(figure(moved_in(most, batches.found[most]), "figure-moved"))
    grid = tag("div", "".join(drawn), class_="grid")
    return tag("div", grid + _columns_table(batches, len(every)), class_="stack")


def _columns_table(batches: Batches, every: int) -> str:
    """Each column that moved, of several batches where it moved most."""
    moved = moved_most(batches.found)
    several = len(batches) > 1
    listed = [one.column for one in moved[:MOST_ROWS]]
    has_gaps = any(column.missing_reference or column.missing_batch for column in listed)
    has_new = any(column.unseen for column in listed)
    header = [
        *("column", "what changed"),
        *(("most in", "batches") if several else ()),
        "moved by",
        *(["missing"] if has_gaps else []),
        *(["new values"] if has_new else []),
        "p",
    ]
    rows = [
        [
            *(text(one.column.name), text(one.column.change or "–")),
            *((text(one.batch), f"{one.batches} of {len(batches)}") if several else ()),
            text(_words.percent(one.column.moved_by)),
            *([text(_gaps(one.column))] if has_gaps else []),
            *([text(_words.percent(one.column.unseen)) if one.column.unseen else "–"] if has_new else []),
            text(_words.chance(one.column.p_value).removeprefix("= ")),
        ]
        for one in moved[:MOST_ROWS]
    ]
    more = len(moved) > MOST_ROWS
    foot = paragraph(
        f"{len(moved)} of {_words.count(every, 'column')} moved{', the others less far' if more else ''}. "
        "Moved by: share of rows by which the values differ from those labelled, or the change in the share of "
        "missing values, whichever is larger; p adjusted for all columns."
    )
    caption, words = "Columns that moved, the furthest first", 3 if several else 2
    return table(caption, header, rows, footnote=foot, name="columns-table", words=words)


def _gaps(column: ColumnMove) -> str:
    """The share of missing values, before and after."""
    shares = (column.missing_reference, column.missing_batch)
    return " → ".join(map(_words.percent, shares)) if any(shares) else "–"


def _agreement(batches: Batches, shown: Sequence[str]) -> str:
    """What each member says; of one batch without members the estimate alone, of several nothing."""
    if not _members(batches) and len(batches) > 1:
        return ""
    return figure(agreement(batches, _beside(batches, shown)), "figure-agreement")


def _beside(batches: Batches, shown: Sequence[str]) -> list[str]:
    """The batches on which the members differ most, in their order."""
    most = sorted(shown, key=lambda name: -spread_of(batches.found[name]))[:_MOST_BESIDE]
    return [name for name in shown if name in most]


def _members(batches: Batches) -> bool:
    return any(one.members for _, one in batches)


def _doubts(batches: Batches) -> str:
    """Every warning once, with the batches it is about."""
    whose: dict[str, list[str]] = {}
    for name, one in batches:
        for warning in one.warnings:
            whose.setdefault(warning, []).append(name)
    if len(batches) == 1:
        return notes([f"{_words.capital(warning)}." for warning in whose])
    listed = [
        f"{'All batches' if len(names) == len(batches) else named(names)}: {warning}."
        for warning, names in whose.items()
    ]
    rest = listed[_MOST_NOTES : _MOST_NOTES + MOST_BATCHES]
    more = fold(f"{_words.count(len(listed) - _MOST_NOTES, 'more reason')}", notes(rest)) if rest else ""
    return notes(listed[:_MOST_NOTES]) + more


def _facts(batches: Batches) -> dict[str, object]:
    """What the page is about."""
    return {
        "score": batches.spoken,
        "better": "higher" if batches.turn > 0 else "lower",
        "method": " and ".join(dict.fromkeys(one.method for _, one in batches)),
        "interval": batches.level,
        "gate": batches.gate,
        "score on the labelled rows": batches.reference,
        "batches": len(batches),
        "rows": sum(one.n for _, one in batches),
        "columns": max(len(one.columns) for _, one in batches) or None,
        "surefoot": __version__,
    }
