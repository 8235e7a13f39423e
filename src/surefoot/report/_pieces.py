"""What both kinds of page are made of: findings, cells, arrows and stars, notes, facts."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata

from surefoot.metrics import REGISTRY
from surefoot.report import _words
from surefoot.report._finding import Finding
from surefoot.report._html import paragraph, tag, text
from surefoot.scorecard import Score

_PACKAGES = ("numpy", "scipy", "scikit-learn", "altair", "vl-convert-python")


def in_short(found: Sequence[Finding]) -> str:
    """All findings in one sentence."""
    metrics: dict[str, list[str]] = {}
    for finding in found:
        metrics.setdefault(finding.short, []).extend([finding.by] if finding.by else [])
    said = "; ".join(f"{short} by {_words.joined(by)}" if by else short for short, by in metrics.items())
    return paragraph(f"In short: {said}.", class_="short") if found else ""


def findings(found: Sequence[Finding], shown: Mapping[str, str]) -> str:
    """A card each; `shown` says where on the page there is what they are about."""
    items = "".join(
        tag(
            "li",
            tag("span", text(finding.label), class_="chip")
            + paragraph(finding.claim, class_="claim")
            + (paragraph(finding.detail, class_="detail") if finding.detail else "")
            + tag("p", f"Next: {text(finding.advice)} {_see(finding.about, shown)}", class_="next"),
            class_=f"card finding {finding.grade}",
        )
        for finding in found
    )
    return tag("ul", items, class_="findings") if found else ""


def _see(about: str, shown: Mapping[str, str]) -> str:
    if about not in shown:
        return ""
    what = "figure" if shown[about].startswith("#figure") else about
    named = {"dee": "equivalents"}.get(what, what)
    return tag("a", f"To the {named}", href=shown[about])


def tile(name: str, big: str, small: str, tone: str) -> str:
    """A number to be seen at once; all of them go into a `dl` of class tiles."""
    return tag(
        "div",
        tag("dt", text(name))
        + tag("dd", tag("div", text(big), class_="big") + tag("div", text(small), class_="small")),
        class_=f"card tile {tone}",
    )


def cell(score: Score | None, digits: int) -> str:
    """A number with its interval below."""
    if score is None:
        return ""
    ends = _words.bounds(score)
    if ends is None:
        return text(_words.number(score.value, digits))
    low, high = (_words.number(end, digits) for end in ends)
    return text(_words.number(score.value, digits)) + tag("small", f"{low}\u00a0to {high}")


def digits_for(scores: Iterable[Score | None]) -> int:
    """Digits after the point for numbers beside each other: the middle of what their intervals leave meaning in."""
    each = sorted(_words.decimals(*ends) for s in scores if s is not None and (ends := _words.bounds(s)))
    return each[len(each) // 2] if each else 4


def arrow(name: str) -> str:
    """An arrow to better, for eyes and ears, that keeps to the word before it; nothing if neither way is better."""
    way = REGISTRY[name].direction if name in REGISTRY else ""
    better = _words.better(name)
    return "\u00a0" + tag("span", way, role="img", aria_label=better, title=better) if way else ""


def star(name: str, place: str) -> str:
    """A link to why a metric is not to be compared across models; nothing if it may be."""
    why = REGISTRY[name].not_comparable if name in REGISTRY else ""
    if not why:
        return ""
    said = f"not to be compared across models: {why}"
    return " " + tag("a", "*", href=f"#{place}-star", aria_label=said, title=said)


def notes(found: Sequence[str]) -> str:
    """A list of sentences."""
    return tag("ul", "".join(tag("li", text(note)) for note in found), class_="notes") if found else ""


def about(info: Mapping[str, object]) -> str:
    """Facts of the run, and the versions behind the page."""
    facts = {str(name): value for name, value in info.items() if value is not None}
    facts |= {"python": platform.python_version()} | {
        f"{name} (this page)": metadata.version(name) for name in _PACKAGES
    }
    listed = "".join(tag("dt", text(_words.readable(k))) + tag("dd", text(fact(v))) for k, v in facts.items())
    return tag("div", tag("dl", listed, class_="about"), class_="card")


def fact(value: object) -> str:
    """A setting as people write it.

    >>> fact(106852), fact(0.95), fact(True), fact("a")
    ('106,852', '0.95', 'True', 'a')
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"
