"""The verdict on estimates in words: the number and its interval, the gate, whether to trust it, and why it moved."""

from __future__ import annotations

from surefoot.estimators import Estimate
from surefoot.estimators._moved import moved_most
from surefoot.report import _words
from surefoot.report._batches import CLEARS, MAY_MISS, MISSES, Batches, named
from surefoot.report._finding import BAD, CAUTION, GOOD, UNKNOWN, Finding

_GO_ON = "Go on, and look again at the next batch."


def estimate_verdict(batches: Batches) -> tuple[Finding, ...]:
    """What is known about the batches, the most important first."""
    parts = (_number, _worst, _gate, _trust, _moves, _agreement)
    found = (part(batches) for part in parts)
    return tuple(finding for finding in found if finding is not None)


def _label(batches: Batches) -> str:
    """What to do where an estimate is not enough."""
    enough = (
        ": 400 tell an accuracy to within 5 points" if batches.is_share else ", a few hundred, and score them"
    )
    return f"Label some rows drawn at random{enough}."


def _number(batches: Batches) -> Finding:
    """The estimate against the labelled rows; of several batches the last."""
    last = batches.found[batches.last]
    where = f"on the last batch, {batches.last}, " if len(batches) > 1 else ""
    claim = f"{where}{batches.spoken} is an estimated {batches.told(last)}, {_against(batches, last)}"
    detail = f"On the labelled rows it is {batches.number(last.reference)}. {_open(batches, last)}"
    return _judged(batches, last, claim, detail.strip())


def _worst(batches: Batches) -> Finding | None:
    """The worst of several batches, if it is not the last and not as good as the labelled rows."""
    worst = batches.found[batches.worst]
    if batches.worst == batches.last or batches.grade(worst) in (GOOD, UNKNOWN):
        return None
    claim = f"at its worst, on {batches.worst}, it is {batches.told(worst)}, {_against(batches, worst)}"
    certain = sum(batches.gains(one)[1] < 0 for _, one in batches)
    detail = f"The whole interval is worse than on the labelled rows on {certain} of {len(batches)} batches."
    return _judged(batches, worst, claim, detail)


def _judged(batches: Batches, one: Estimate, claim: str, detail: str) -> Finding:
    """What one estimate means."""
    grade = batches.grade(one)
    slips = "Slips" if batches.gains(one)[1] < 0 else "Not settled"
    label = {BAD: "Gives way", CAUTION: slips, UNKNOWN: "Not settled", GOOD: "Holds"}[grade]
    advice = {GOOD: _GO_ON, BAD: f"See which columns moved. {_label(batches)}"}.get(grade, _label(batches))
    about = "columns" if grade == BAD and one.columns else batches.place
    return Finding(grade, claim, label, f"{_words.capital(claim)}.", detail, advice, about)


def _against(batches: Batches, one: Estimate) -> str:
    """The estimate beside the score on the labelled rows, in a few words."""
    worst, best = batches.gains(one)
    if worst <= 0 <= best:
        return "no clear change from the labelled rows"
    return f"{batches.amount(one.drop)} {'less' if one.drop < 0 else 'more'} than on the labelled rows"


def _open(batches: Batches, one: Estimate) -> str:
    """What an interval around the reference leaves open."""
    worst, best = batches.gains(one)
    if best < 0 or worst > 0:
        return ""
    less, more = ("less", "more") if batches.turn > 0 else ("more", "less")
    return f"It may be anything from {batches.amount(worst)} {less} to {batches.amount(best)} {more}."


def _gate(batches: Batches) -> Finding | None:
    if batches.gate is None:
        return None
    gate = f"the gate of {batches.number(batches.gate)}"
    by = {
        standing: [name for name, one in batches if batches.standing(one) == standing]
        for standing in (CLEARS, MAY_MISS, MISSES)
    }
    grade = BAD if by[MISSES] else CAUTION if by[MAY_MISS] else GOOD
    advice = _GO_ON if grade == GOOD else _label(batches)
    label = {GOOD: "Clears the gate", CAUTION: "May miss the gate", BAD: "Misses the gate"}[grade]
    if len(batches) == 1:
        one = batches.any
        standing = batches.standing(one)
        low, high = (batches.number(end) for end in (one.low, one.high))
        claim = {
            CLEARS: f"Even the lower bound, {low}, reaches {gate}.",
            MAY_MISS: f"The lower bound, {low}, is under {gate}, and the upper one, {high}, is not.",
            MISSES: f"Even the upper bound, {high}, is under {gate}.",
        }[standing]
        detail = "" if standing == CLEARS else "A batch passes when its lower bound does."
        return Finding(grade, f"that {standing.said}", label, claim, detail, advice, batches.place)
    failed = [*by[MISSES], *by[MAY_MISS]]
    if not failed:
        claim = f"All {len(batches)} batches clear {gate}, even by their lower bounds."
        return Finding(grade, f"all batches clear {gate}", label, claim, "", advice, batches.place)
    parts = [
        f"{_words.count(len(by[MISSES]), 'batch misses', 'batches miss')} {gate}: {named(by[MISSES])}"
        if by[MISSES]
        else "",
        f"{_words.count(len(by[MAY_MISS]), 'batch', 'batches')} may miss {gate if not by[MISSES] else 'it'}: "
        f"{named(by[MAY_MISS])}"
        if by[MAY_MISS]
        else "",
    ]
    claim = "; ".join(part for part in parts if part)
    return Finding(
        grade, f"{len(failed)} of {len(batches)} batches fail {gate}", label, f"{claim}.",
        f"{len(by[CLEARS])} of {len(batches)} clear it: a batch passes when its lower bound does.",
        advice, batches.place,
    )  # fmt: skip


def _trust(batches: Batches) -> Finding:
    """Whether the numbers can be trusted, by what the estimator warned of."""
    doubted = [name for name, one in batches if one.warnings]
    whose = "this number" if len(batches) == 1 else "these numbers"
    if not doubted:
        return Finding(
            GOOD, f"nothing found speaks against {whose}", "No doubts",
            f"Nothing was found that speaks against {whose}.",
            "There are rows enough, and nothing that was looked at is unlike what the estimator was fitted on. "
            "A change in what the labels mean cannot be seen without labels.",
            "Label a few rows now and then all the same.", batches.place,
        )  # fmt: skip
    first = batches.found[doubted[0]].warnings
    if len(batches) == 1:
        claim = _words.capital(first[0])
        more = len(first) - 1
        detail = f"There {'is' if more == 1 else 'are'} {_words.count(more, 'more reason')}." if more else ""
        short = f"there {'is' if len(first) == 1 else 'are'} {_words.count(len(first), 'reason')} for doubt"
    else:
        claim = f"There is reason for doubt on {len(doubted)} of {len(batches)} batches: {named(doubted)}"
        detail = f"{doubted[0]}: {first[0]}."
        short = f"there is reason for doubt on {len(doubted)} of {len(batches)} batches"
    return Finding(CAUTION, short, "With care", f"{claim}.", detail, _label(batches), "doubts")


def _moves(batches: Batches) -> Finding | None:
    """Which columns moved."""
    columns = {column.name for _, one in batches for column in one.columns}
    if not columns:
        return None
    moved = moved_most(batches.found)
    if not moved:
        return Finding(
            GOOD, "no column moved", "Unmoved",
            f"None of {_words.count(len(columns), 'column')} moved beyond chance.",
            "", "Nothing needs doing.", "columns",
        )  # fmt: skip
    first = moved[0]
    how = f" ({first.column.change})" if first.column.change else ""
    if len(batches) == 1:
        where, most = "", f"most of all {first.column.name}{how}"
    else:
        those = [name for name, one in batches if one.moved]
        where, most = (
            f" in {len(those)} of {len(batches)} batches",
            f"most of all {first.column.name} in {first.batch}{how}",
        )
    share = f"{len(moved)} of {_words.count(len(columns), 'column')}"
    return Finding(
        CAUTION, f"{share} moved{where}, most of all {first.column.name}", "Moved", f"{share} moved{where}, {most}.",
        "A column that moved says where to look; it does not make an estimate wrong.",
        "Ask where these columns come from, and whether they still mean the same.", "columns",
    )  # fmt: skip


def _agreement(batches: Batches) -> Finding | None:
    """Whether the combined estimators say the same."""
    combined = {name: one for name, one in batches if len(one.members) > 1}
    if not combined:
        return None
    apart = {name: spread_of(one) for name, one in combined.items()}
    wide = [name for name, one in combined.items() if apart[name] > one.high - one.low]
    most = max(apart, key=lambda name: apart[name])
    where = f", on {most}" if len(batches) > 1 else ""
    claim = (
        f"The {len(combined[most].members)} combined estimators differ by at most {batches.amount(apart[most])}"
        f"{where}; the interval is {batches.amount(combined[most].high - combined[most].low)} wide."
    )
    if not wide:
        return Finding(
            GOOD, "the combined estimators agree", "Agree", claim, "", "Nothing needs doing.", "agreement"
        )
    where = f" on {named(wide)}" if len(batches) > 1 else ""
    return Finding(
        CAUTION, f"the combined estimators disagree{where}", "Disagree", claim,
        f"They differ by more than the interval is wide{where}.", _label(batches), "agreement",
    )  # fmt: skip


def spread_of(one: Estimate) -> float:
    """How far apart the members are."""
    return max(one.members.values()) - min(one.members.values()) if one.members else 0.0
