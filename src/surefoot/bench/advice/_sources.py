"""Where a finding is written: the paper and the place in it."""

from __future__ import annotations

from dataclasses import dataclass

PAPERS = {
    "text": "Van Landeghem et al. 2022, Benchmarking Scalable Predictive Uncertainty in Text Classification",
    "shifts": "Malinin et al. 2021, Shifts: a dataset of real distributional shift across multiple large-scale tasks",
    "pitfalls": "Ashukha et al. 2020, Pitfalls of in-domain uncertainty estimation and ensembling in deep learning",
}
"""The papers by the words that rules call them."""

_SHORT = {
    "text": "Van Landeghem et al. 2022",
    "shifts": "Malinin et al. 2021",
    "pitfalls": "Ashukha et al. 2020",
}


@dataclass(frozen=True)
class Source:
    """A place in a paper (a section, an appendix, a table or a figure), and its own words."""

    paper: str
    place: str
    words: str

    def __str__(self) -> str:
        return f"{_SHORT[self.paper]}, {self.place}"


def text(place: str, words: str) -> Source:
    """A place in Van Landeghem et al. 2022."""
    return Source("text", place, words)


def shifts(place: str, words: str) -> Source:
    """A place in Malinin et al. 2021."""
    return Source("shifts", place, words)


def pitfalls(place: str, words: str) -> Source:
    """A place in Ashukha et al. 2020."""
    return Source("pitfalls", place, words)
