"""What Van Landeghem et al. 2022 counted and timed, as their tables have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from surefoot.bench.advice._needs import Needs
from surefoot.bench.advice._rule import Reason
from surefoot.bench.advice._sources import text


class Record(NamedTuple):
    """Pairwise comparisons against the other set-ups over five datasets."""

    wins: int
    draws: int
    losses: int

    @property
    def share(self) -> float:
        """Comparisons that were won, a draw being half a win.

        >>> Record(1, 2, 1).share
        0.5
        """
        return (self.wins + self.draws / 2) / sum(self)

    def __str__(self) -> str:
        return f"won {self.wins} of {sum(self)}"


class Timing(NamedTuple):
    """Of single models on CLINC: seconds of a whole training, and samples a second on GPU and CPU."""

    training: float
    gpu: float
    cpu: float


_N = "unregularized"

PROPER: Mapping[str, Record] = {
    "deep-ensemble": Record(142, 0, 28),
    "concrete-dropout-ensemble": Record(135, 1, 34),
    "heteroscedastic-concrete-dropout-ensemble": Record(130, 4, 36),
    "mc-heteroscedastic-ensemble": Record(114, 2, 54),
    "mc-heteroscedastic-concrete-dropout-ensemble": Record(114, 2, 54),
    "mc-ensemble": Record(111, 3, 56),
    "mc-concrete-dropout-ensemble": Record(102, 0, 68),
    "deep-ensemble-regularized": Record(90, 1, 79),
    "heteroscedastic-ensemble": Record(82, 2, 86),
    "unregularized": Record(79, 4, 87),
    "concrete-dropout": Record(77, 1, 92),
    "heteroscedastic-concrete-dropout": Record(70, 3, 97),
    "mc-heteroscedastic-concrete-dropout": Record(65, 2, 103),
    "mc-concrete-dropout": Record(58, 0, 112),
    "mc-heteroscedastic": Record(40, 5, 125),
    "mc-dropout": Record(39, 6, 125),
    "regularized": Record(34, 0, 136),
    "heteroscedastic": Record(30, 0, 140),
}
"""Table 3, left: Brier score and likelihood in-domain."""

CALIBRATION: Mapping[str, Record] = {
    "concrete-dropout": Record(68, 1, 16),
    "concrete-dropout-ensemble": Record(58, 1, 26),
    "mc-heteroscedastic": Record(52, 1, 32),
    "mc-heteroscedastic-concrete-dropout": Record(52, 0, 33),
    "mc-dropout": Record(49, 2, 34),
    "mc-heteroscedastic-ensemble": Record(48, 1, 36),
    "heteroscedastic-concrete-dropout-ensemble": Record(48, 0, 37),
    "heteroscedastic-concrete-dropout": Record(46, 0, 39),
    "deep-ensemble": Record(45, 1, 39),
    "unregularized": Record(40, 2, 43),
    "mc-concrete-dropout": Record(40, 0, 45),
    "mc-ensemble": Record(38, 2, 45),
    "mc-heteroscedastic-concrete-dropout-ensemble": Record(37, 1, 47),
    "regularized": Record(32, 0, 53),
    "heteroscedastic": Record(29, 2, 54),
    "heteroscedastic-ensemble": Record(27, 2, 56),
    "deep-ensemble-regularized": Record(24, 2, 59),
    "mc-concrete-dropout-ensemble": Record(23, 0, 62),
}
"""Table 3, right: calibration error in-domain, which ranks nothing here (Ashukha et al. 2020) and is only shown."""

NOVELTY: Mapping[str, Record] = {
    "mc-concrete-dropout-ensemble": Record(121, 1, 48),
    "heteroscedastic-ensemble": Record(119, 1, 50),
    "mc-concrete-dropout": Record(109, 1, 60),
    "mc-heteroscedastic-ensemble": Record(102, 0, 68),
    "deep-ensemble-regularized": Record(100, 0, 70),
    "concrete-dropout": Record(90, 1, 79),
    "mc-heteroscedastic-concrete-dropout-ensemble": Record(89, 2, 79),
    "mc-heteroscedastic-concrete-dropout": Record(86, 1, 83),
    "concrete-dropout-ensemble": Record(83, 0, 87),
    "regularized": Record(81, 1, 88),
    "heteroscedastic": Record(80, 0, 90),
    "deep-ensemble": Record(80, 0, 90),
    "heteroscedastic-concrete-dropout-ensemble": Record(75, 2, 93),
    "mc-heteroscedastic": Record(75, 0, 95),
    "mc-ensemble": Record(71, 2, 97),
    "unregularized": Record(69, 0, 101),
    "heteroscedastic-concrete-dropout": Record(47, 1, 122),
    "mc-dropout": Record(46, 1, 123),
}
"""The table of figure 9, which the text calls table 9: detection of novel classes."""

_TRAINING = {
    "TextCNN": (256, 896, 1003, 420, 580),
    "BERT": (2100, 7601, 11360, 6111, 11312),
}
_TRAINED = (
    "unregularized",
    "regularized",
    "heteroscedastic",
    "concrete-dropout",
    "heteroscedastic-concrete-dropout",
)
_SPEED = {
    "TextCNN": {
        "unregularized": (1891, 2043),
        "regularized": (2134, 1922),
        "mc-dropout": (1708, 1050),
        "heteroscedastic": (22176, 15444),
        "mc-heteroscedastic": (1525, 1216),
        "concrete-dropout": (2130, 1293),
        "mc-concrete-dropout": (1541, 827),
        "heteroscedastic-concrete-dropout": (24205, 10197),
        "mc-heteroscedastic-concrete-dropout": (1561, 874),
    },
    "BERT": {
        "unregularized": (223, 25),
        "regularized": (306, 26),
        "mc-dropout": (28, 2),
        "heteroscedastic": (325, 26),
        "mc-heteroscedastic": (31, 2),
        "concrete-dropout": (245, 27),
        "mc-concrete-dropout": (30, 2),
        "heteroscedastic-concrete-dropout": (218, 27),
        "mc-heteroscedastic-concrete-dropout": (30, 2),
    },
}


def _trained_as(name: str) -> str:
    """The training of table 5 that a set-up of table 6 is evaluated after: passes come after training."""
    return "regularized" if name == "mc-dropout" else name.removeprefix("mc-")


TIMINGS: Mapping[str, Mapping[str, Timing]] = {
    architecture: {
        name: Timing(
            dict(zip(_TRAINED, seconds, strict=True))[_trained_as(name)], *_SPEED[architecture][name]
        )
        for name in _SPEED[architecture]
    }
    for architecture, seconds in _TRAINING.items()
}
"""Tables 5 and 6, by architecture and set-up."""


def multiples(name: str) -> Mapping[str, Mapping[str, float]]:
    """What one member of a set-up was measured to take in multiples of a single network without noise.

    >>> multiples("mc-concrete-dropout")["TextCNN"]["training"]
    1.640625
    """
    alone = _member_of(name)
    return {
        architecture: {
            "training": times[alone].training / times[_N].training,
            "gpu": times[_N].gpu / times[alone].gpu,
            "cpu": times[_N].cpu / times[alone].cpu,
        }
        for architecture, times in TIMINGS.items()
        if alone in times
    }


def _member_of(name: str) -> str:
    """The single set-up that the members of an ensemble are."""
    special = {
        "deep-ensemble": _N,
        "deep-ensemble-regularized": "regularized",
        "mc-ensemble": "mc-dropout",
    }
    return special.get(name, name.removesuffix("-ensemble"))


def compared(name: str, needs: Needs) -> tuple[Reason, ...]:
    """What the comparisons say of a set-up, where the data do as they are expected to; half of them won weighs nothing.

    In-domain table 3; novel classes table 9; other inputs half and half, as "cross-domain generalization results are
    similar to in-domain, whereas out-of-domain detection follows novelty detection results" (section V). Set-ups that
    are in neither table are taken for a single network without noise.
    """
    counted = (
        ("likelihood and Brier score in-domain", PROPER, text("table 3", "In-domain")),
        ("novel classes", NOVELTY, text("table 9", "Novelty detection")),
    )
    halves = {"none": (1.0, 0.0), "covariate": (0.5, 0.5), "novel": (0.0, 1.0)}[needs.shift]
    return tuple(
        Reason(
            _said(name, what, table), half * (table.get(name, table[_N]).share - 0.5), source, "comparisons"
        )
        for (what, table, source), half in zip(counted, halves, strict=True)
        if half
    )


def _said(name: str, what: str, table: Mapping[str, Record]) -> str:
    if name in table:
        return f"{what}: {table[name]} comparisons on texts"
    return f"{what}: not among the set-ups compared on texts, so taken for a single network without noise"
