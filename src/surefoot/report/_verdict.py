"""The verdict on a scorecard in words: what holds, what gives way, what cannot be said, and what to look at next.

Nothing is called better or worse that its interval leaves open; without intervals it says so.
"""

from __future__ import annotations

from surefoot.compare._change import difference
from surefoot.report import _words
from surefoot.report._finding import BAD, CAUTION, GOOD, LINES, UNKNOWN, Finding
from surefoot.report._reader import Reader
from surefoot.report._verdict_uncertainty import honesty, noticing, ranking
from surefoot.scorecard import Score, Scorecard

_PLACES = {"in": "in-domain", "shifted": "on shifted data"}
_LABEL_SOME = (
    "Label a few hundred inputs of that side, drawn at random: 400 tell an accuracy to within 5 points."
)
_NO_SIDES = "Say which inputs are shifted: by a partition column, or with --in NAME and --shifted NAME."


def verdict(card: Scorecard) -> tuple[Finding, ...]:
    """What a scorecard says about its evaluation set, the most important first."""
    reader = Reader(card)
    found = (_footing(reader), ranking(reader), noticing(reader), honesty(reader))
    return tuple(finding for finding in found if finding is not None)


def _footing(reader: Reader) -> Finding:
    """How good the predictions are in-domain and shifted."""
    inside, shifted, whole = (reader.get(side, reader.primary) for side in ("in", "shifted", "all"))
    if inside and shifted:
        return _change(reader, inside, shifted)
    known = inside or shifted or whole
    if known is None:
        return Finding(
            UNKNOWN, "how often it is right is not known", "Not known",
            "Nobody has labelled these inputs, so how good the predictions are is not known.",
            "Only whether it notices a shift can be scored.", _LABEL_SOME.replace(" of that side", ""), "scores",
        )  # fmt: skip
    missing = "shifted" if known is not shifted else "in-domain"
    unlabelled = ("shifted" if known is not shifted else "in") in reader.sides
    detail = (
        f"Nobody has labelled the {missing} inputs, so what the shift does to this is not known."
        if unlabelled
        else f"There are no {missing} inputs here, so what a shift does to this is not known."
    )
    place = _words.capital(_PLACES[known.side] + " " if known.side in _PLACES else "")
    return Finding(
        UNKNOWN, "what a shift does to it is not known", "Not known",
        _words.capital(f"{place}{_says(known)}."), detail, _LABEL_SOME if unlabelled else _NO_SIDES, "scores",
    )  # fmt: skip


def _change(reader: Reader, inside: Score, shifted: Score) -> Finding:
    """From in-domain to shifted: does it give way, hold, or get better?"""
    is_share = reader.primary == "accuracy"
    turn, scale = (1, 1.0) if is_share else (-1, abs(inside.value))
    gain = turn * (shifted.value - inside.value)
    ends = difference(shifted, inside)
    low, high = sorted(turn * end for end in ends) if ends else (gain, gain)
    amount = _amount(gain, is_share)
    between = (
        f" (95\u202f% interval {_amount(min(low, high, key=abs), is_share, bare=True)} to "
        f"{_amount(max(low, high, key=abs), is_share, bare=True)})"
        if ends
        else ""
    )
    start, beside = f"On shifted data {_says(shifted)}", f"In-domain {_says(inside)}."
    if not ends:
        beside += " Without intervals nothing tells a difference from chance."
    more, less = ("more", "less") if is_share else ("less", "more")
    if max(abs(low), abs(high)) <= LINES["same"] * scale:
        return Finding(
            GOOD, "it holds on shifted data", "Holds", f"{start}, as good as in-domain.", beside,
            "See whether its uncertainty holds as well.", "retention",
        )  # fmt: skip
    if high < 0:
        grave = gain <= -LINES["fall"] * scale
        to_slices = bool(reader.slices)
        return Finding(
            BAD if grave else CAUTION,
            "on shifted data it gives way" if grave else "on shifted data it slips a little",
            "Gives way" if grave else "Slips",
            f"{start}, {amount} {less} than in-domain{between}.",
            beside,
            "See which part of the inputs it is."
            if to_slices
            else "Find the part it is with --slice COLUMN.",
            "slices" if to_slices else "scores",
        )
    if low > 0:
        return Finding(
            CAUTION, "the shifted data are easier for it", "Easier there",
            f"{start}, {amount} {more} than in-domain{between}.",
            f"{beside} The shifted inputs are easier, so this says nothing about a shift that makes them harder.",
            "Judge its robustness on another shift.", "scores",
        )  # fmt: skip
    fewest = min(inside.n, shifted.n)
    return Finding(
        CAUTION, "whether it holds on shifted data is not settled", "Not settled",
        f"{start}; these inputs cannot tell that from in-domain.",
        f"{beside} On shifted data it may be anything from {_amount(low, is_share)} {less} to "
        f"{_amount(high, is_share)} {more}.",
        f"Label more inputs: {_words.count(fewest, 'input')} on the smaller side are too few.", "scores",
    )  # fmt: skip


def _says(score: Score) -> str:
    if score.metric == "accuracy":
        return f"the model is right {_words.percent(score.value)} of the time{_words.between(score, per_cent=True)}"
    return f"its {_words.readable(score.metric)} is {_words.number(score.value)}{_words.between(score)}"


def _amount(change: float, is_share: bool, *, bare: bool = False) -> str:
    """A change without its sign, in points where it is one of shares."""
    if not is_share:
        return _words.number(abs(change))
    return _words.number(abs(100 * change), 1) if bare else _words.points(change)
