"""The part of the verdict that is about uncertainty: errors found, shift noticed, confidence kept."""

from __future__ import annotations

from surefoot import measures
from surefoot.report import _words
from surefoot.report._figure import at
from surefoot.report._finding import BAD, CAUTION, GOOD, LINES, Finding
from surefoot.report._reader import Reader, wilson
from surefoot.report._reliability import mean_confidence
from surefoot.scorecard import Score

HANDED_OVER = 0.1
"""Share of the inputs, the least certain ones, whose share of the error is told."""

_PLACES = {"in": "in-domain", "shifted": "on shifted data"}


def ranking(reader: Reader) -> Finding | None:
    """Whether its uncertainty finds its errors."""
    ratio, curve = reader.judged("all", "rejection_ratio"), reader.curve("all", "error_retention")
    full = 0.0 if curve is None else at(curve, "value", 1)
    if ratio is None or full <= 0:
        return None
    share = _words.percent(HANDED_OVER, 0)
    found, chance, most = (
        _words.percent(1 - at(curve, line, 1 - HANDED_OVER) / full, 0)
        for line in ("value", "random", "optimal")
    )
    claim = (
        f"Its {reader.measure} finds {found} of the error in the {share} of inputs it is least certain of; chance "
        f"would find {chance}, the best ranking {most}."
    )
    sides = [score for side in ("in", "shifted") if (score := reader.judged(side, "rejection_ratio"))]
    apart = [f"{_words.percent(s.value, 0)} {_PLACES[s.side]}" for s in sides]
    detail = (
        f"Its ranking of all inputs goes {_words.percent(ratio.value, 0)} of the way from random to perfect"
        f"{_words.between(ratio, per_cent=True)}{'; ' + _words.joined(apart) if len(apart) == 2 else ''}."
    )
    better = _better_measure(reader, ratio, chance=0)
    by_better, advice = "", "See whether another measure ranks errors better."
    if better is not None:
        name = _words.readable(str(better.measure))
        by_better = f" By {name} it would be {_words.percent(better.value, 0)}."
        advice = f"To rank errors, use {name}."
    low, high = _certain(ratio)
    if high < 0:
        return Finding(
            BAD, "its uncertainty misleads about its errors", "Misleads", claim,
            f"{detail}{by_better} It is surer where it errs.",
            "Make sure that the measure is no confidence, which points the other way.", "measures",
        )  # fmt: skip
    if low <= 0:
        return Finding(
            BAD, "its uncertainty does not find its errors", "No better than chance", claim, detail + by_better,
            advice if better else "If no measure does better, try an ensemble.", "measures",
        )  # fmt: skip
    if len(sides) == 2 and all(_certain(score)[0] <= 0 for score in sides):
        return Finding(
            CAUTION, "it tells the sides apart, but not its errors", "Knows sides, not errors", claim,
            f"{detail}{by_better} Within either side that is not certainly better than chance: what it finds is that "
            "shifted inputs have more errors.",
            advice, "measures",
        )  # fmt: skip
    if ratio.value >= LINES["ranking"]:
        return Finding(
            GOOD, "it knows its errors", "Knows its errors", claim, detail,
            "Choose how much to hand over on the retention curve.", "retention",
        )  # fmt: skip
    return Finding(
        CAUTION, "it knows some of its errors", "Knows some errors", claim, detail + by_better, advice, "measures",
    )  # fmt: skip


def noticing(reader: Reader) -> Finding | None:
    """Whether its uncertainty is higher on shifted inputs."""
    auroc = reader.judged("all", "auroc")
    if auroc is None:
        return None
    low, high = _certain(auroc)
    claim = (
        "Of a shifted and an in-domain input it is less certain about the shifted one "
        f"{_words.percent(auroc.value)} of the time{_words.between(auroc, per_cent=True)}; chance is 50\u202f%."
    )
    better = _better_measure(reader, auroc, chance=0.5)
    detail, advice, about = "", "", "density"
    if better is not None:
        name = _words.readable(str(better.measure))
        speaks = measures.describe(str(better.measure), reader.kind).speaks_of
        detail = (
            f"By {name}, which speaks of {speaks} uncertainty, it would be {_words.percent(better.value)}."
        )
        advice, about = f"To watch for shift, use {name}.", "measures"
    watch = advice or "Watch the inputs themselves for shift: this uncertainty will not tell."
    if high < 0.5:
        return Finding(BAD, "it is surer on shifted data than at home", "Fooled", claim, detail, watch, about)
    if low <= 0.5:
        return Finding(BAD, "it does not notice the shift", "Does not notice", claim, detail, watch, about)
    advice = advice or "See how far the densities lie apart before choosing a threshold."
    if auroc.value >= LINES["detection"]:
        return Finding(GOOD, "it notices the shift", "Notices the shift", claim, detail, advice, about)
    return Finding(CAUTION, "it half notices the shift", "Half notices", claim, detail, advice, about)


def _better_measure(reader: Reader, default: Score, chance: float) -> Score | None:
    """The measure with the best such score, if its interval is clear of the default's and of chance."""
    every = [s for s in reader if (s.side, s.metric) == ("all", default.metric) and s.value == s.value]
    best = max(every, key=lambda s: s.value)
    if _words.bounds(default) is None or _words.bounds(best) is None:
        return None
    return best if _certain(best)[0] > max(_certain(default)[1], chance) else None


def _certain(score: Score) -> tuple[float, float]:
    """The ends of its interval; without one, nothing but the score itself."""
    return _words.bounds(score) or (score.value, score.value)


def honesty(reader: Reader) -> Finding | None:
    """Whether it claims as much as it keeps, on the side that matters most."""
    for side in ("shifted", "all"):
        curve, coverage = reader.curve(side, "reliability"), reader.get(side, "picp")
        if curve is not None:
            return _confidence(reader, side, *mean_confidence(curve))
        if coverage is not None:
            return _coverage(side, coverage)
    return None


def _confidence(reader: Reader, side: str, confidence: float, accuracy: float, n: int) -> Finding:
    low, high = wilson(accuracy, n)
    gap = confidence - accuracy
    where = "On shifted data it" if side == "shifted" else "It"
    left_out = " (novel classes left out)" if reader.has_novel else ""
    said = f"{_words.percent(confidence)} sure on average, right {_words.percent(accuracy)} of the time{left_out}"
    inside = reader.curve("in", "reliability") if side == "shifted" else None
    detail = ""
    if inside is not None:
        at_home, kept, _ = mean_confidence(inside)
        detail = (
            f"In-domain it is {_words.percent(at_home)} sure and right {_words.percent(kept)} of the time."
        )
    there = " there" if side == "shifted" else ""
    if low <= confidence <= high or abs(gap) <= LINES["same"]:
        return Finding(
            GOOD, f"it is honest about how sure it is{there}", "Honest",
            f"{where} is as sure as it should be: {said}.", detail,
            "See whether that holds at every confidence, not only on average.", "reliability",
        )  # fmt: skip
    if gap < 0:
        return Finding(
            CAUTION, f"it is underconfident{there}", "Underconfident", f"{where} is underconfident: {said}.", detail,
            "Scale its temperature on a development set; below 1 makes it surer.", "reliability",
        )  # fmt: skip
    fit = reader.get(side, "temperature")
    heat = f"; here {_words.number(fit.value, 2)} would be best" if fit is not None and fit.value > 1 else ""
    return Finding(
        BAD if gap >= LINES["overconfidence"] else CAUTION,
        f"it is overconfident{there}",
        "Overconfident",
        f"{where} is overconfident: {said}.",
        detail,
        f"Do not act on its probabilities{there}; scale its temperature on data like this{heat}.",
        "reliability",
    )


def _coverage(side: str, coverage: Score) -> Finding:
    """The same for predicted intervals."""
    there = " there" if side == "shifted" else ""
    low, high = _words.bounds(coverage) or wilson(coverage.value, coverage.n)
    claim = (
        f"{'On shifted data its' if there else 'Its'} 95\u202f% intervals hold {_words.percent(coverage.value)} of the "
        f"targets{_words.between(coverage, per_cent=True)}."
    )
    if low <= 0.95 <= high or abs(coverage.value - 0.95) <= LINES["same"]:
        return Finding(
            GOOD, f"its intervals hold what they should{there}", "Honest", claim, "",
            "See the interval score for how wide they are.", "scores",
        )  # fmt: skip
    if coverage.value > 0.95:
        return Finding(
            CAUTION, f"its intervals are too wide{there}", "Underconfident", claim, "They are wider than need be.",
            "Narrow them on a development set.", "scores",
        )  # fmt: skip
    return Finding(
        BAD if coverage.value <= 0.95 - LINES["overconfidence"] else CAUTION,
        f"its intervals are too narrow{there}", "Overconfident", claim, "They are too narrow.",
        "Widen them on data like this before acting on them.", "scores",
    )  # fmt: skip
