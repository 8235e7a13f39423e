"""What a verdict is made of: findings, their grades, and the lines between the grades."""

from __future__ import annotations

from dataclasses import dataclass

GOOD, CAUTION, BAD, UNKNOWN = "good", "caution", "bad", "unknown"

LINES = {"fall": 0.05, "same": 0.02, "ranking": 0.6, "detection": 0.8, "overconfidence": 0.1}
"""A fall of accuracy by `fall` and overconfidence by `overconfidence` are grave, changes within `same` are none;
a ranking of errors (rejection ratio) and a detection of shift (AUROC) are good from theirs on. For errors without
a scale, `fall` and `same` are relative to the error in-domain."""


@dataclass(frozen=True)
class Finding:
    """One thing to know about the model, graded, with what to look at next."""

    grade: str
    short: str
    """Ends the sentence "In short: …"."""
    label: str
    claim: str
    detail: str
    advice: str
    about: str
    """What shows it: a figure by name, or a section of the page."""
    by: str = ""
    """A metric; findings that are the same but for it are told together in short."""
