"""The part of a comparison's verdict that is about the shift: where it costs, and where it makes things easier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from surefoot.compare import Change, Comparison
from surefoot.compare._change import on_most
from surefoot.report import _words
from surefoot.report._finding import BAD, CAUTION, LINES, UNKNOWN, Finding
from surefoot.report._keys import Key, primary
from surefoot.report._reader import Reader
from surefoot.scorecard import Score

_CHANCE = 0.5
"""AUROC of an uncertainty that knows nothing of the shift."""

_ByDataset = Mapping[str, Sequence[Change]]


def shift_findings(result: Comparison) -> Iterator[Finding]:
    """What the shift does to most methods, by how good their predictions are; nothing where that was not scored."""
    key = primary(result.scores)
    own = {d: [c for c in result.changes if (c.dataset, c.metric) == (d, key)] for d in result.datasets}
    known = {dataset: changes for dataset, changes in own.items() if changes}
    if key is None or not known:
        return
    what, several = Key.parse(key).words, len(result.datasets) > 1
    harder = {dataset: changes for dataset, changes in known.items() if on_most(changes) == "in"}
    easier = {dataset: changes for dataset, changes in known.items() if on_most(changes) == "shifted"}
    if harder:
        yield _costs(harder, what, f"{len(harder)} of {len(known)} datasets" if several else "")
    if easier:
        yield _is_easier(easier, what, _words.joined(list(easier)) if several else "")
    if not harder and not easier:
        yield Finding(
            UNKNOWN, "what the shift does is not settled", "Not settled",
            f"These inputs do not tell whether {what} is worse on the shifted side for most methods.",
            "", "Label more inputs, or compare on a harder shift.", "scores",
        )  # fmt: skip


def _costs(harder: _ByDataset, what: str, where: str) -> Finding:
    """Most methods are significantly worse on the shifted side."""
    middle = {dataset: float(np.median(list(map(_gain, changes)))) for dataset, changes in harder.items()}
    worst = min(middle, key=lambda dataset: middle[dataset])
    least = max(harder[worst], key=_gain)
    most_on, there = (f"; most on {worst}", f"On {worst} ") if where else ("", "There ")
    return Finding(
        BAD if middle[worst] <= -LINES["fall"] else CAUTION,
        f"the shift costs {_who(harder)}{where and ' on ' + where}",
        "The shift costs",
        f"{_words.capital(what)} is significantly worse on the shifted side{where and ' of ' + where} for "
        f"{_who(harder)}{most_on}: {_from_to(harder[worst])} for the middle method.",
        f"{there}{least.method} loses least: {_from_to([least])}.",
        "Compare the scores in-domain and shifted.",
        "scores",
    )


def _is_easier(easier: _ByDataset, what: str, places: str) -> Finding:
    """Most methods are significantly better on the shifted side: no evidence of robustness."""
    return Finding(
        CAUTION,
        f"{f'on {places} ' if places else ''}the shifted inputs are easier",
        "Easier there",
        f"{_words.capital(what)} is significantly better on the shifted side{places and ' of ' + places} for "
        f"{_who(easier)}: {_words.joined(list(map(_from_to, easier.values())))} for the middle method.",
        "These shifted inputs are easier, which says nothing about robustness.",
        "Judge robustness on a shift that costs something.",
        "scores",
    )


def unnoticed(result: Comparison) -> Iterator[Finding]:
    """Datasets on which no method is certainly less sure about shifted inputs than about in-domain ones."""
    best: dict[str, Score] = {}
    for one in result.entrants:
        auroc = Reader(one.card).judged("all", "auroc")
        if auroc is not None and (one.dataset not in best or _low(auroc) > _low(best[one.dataset])):
            best[one.dataset] = auroc
    blind = [dataset for dataset, auroc in best.items() if _low(auroc) <= _CHANCE]
    if blind:
        several = len(result.datasets) > 1
        places = f" on {_words.joined(blind)}" if several else ""
        yield Finding(
            BAD if len(blind) == len(best) else CAUTION, f"no method notices the shift{places}", "Not noticed",
            f"{_words.capital(f'{places} no method'.strip())} is certainly less sure about shifted inputs than about "
            f"in-domain ones (best AUROC "
            f"{_words.joined([_words.number(best[dataset].value, 2) for dataset in blind])}; chance is 0.5).",
            "", "Watch the inputs themselves for shift: these uncertainties will not tell.", "scores",
        )  # fmt: skip


def _low(score: Score) -> float:
    return score.value if score.low is None else score.low


def _gain(change: Change) -> float:
    """How much better on the shifted side, in points of a share; errors have no scale but that in-domain."""
    return change.gain if change.metric == "accuracy" else change.gain / (abs(change.inside) or 1)


def _who(found: _ByDataset) -> str:
    alike = len({change.better for changes in found.values() for change in changes}) == 1
    return "every method" if alike else "most methods"


def _from_to(changes: Sequence[Change]) -> str:
    inside, shifted = (
        float(np.median([getattr(c, side) for c in changes])) for side in ("inside", "shifted")
    )
    return f"from {_words.number(inside, 3)} to {_words.number(shifted, 3)}"
