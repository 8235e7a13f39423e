"""Which way to get uncertainty, for what is needed and what it may cost: the findings of three papers as rules.

>>> from surefoot.bench.advice import Needs, advise
>>> advice = advise(Needs(classes=20, shift="novel"))
>>> advice.best.name, advice.best.members, str(advice.best.cost)
('mc-concrete-dropout-ensemble', 5, 'training 5 m, inference 50 m, storage 5 m')
>>> advice.best.reasons_for[0].source.place
'section V'

Van Landeghem et al. 2022 (section V and appendix B) say most of it; their evidence is about text. What Malinin et al.
2021 found on tables and Ashukha et al. 2020 on images is added where it applies.
"""

from surefoot.bench.advice._advise import Advice, Candidate, advise
from surefoot.bench.advice._conflicts import CONFLICTS, Conflict
from surefoot.bench.advice._defaults import DEFAULTS, Default
from surefoot.bench.advice._measured import Measured, measured
from surefoot.bench.advice._needs import Needs
from surefoot.bench.advice._plain import plain_advice
from surefoot.bench.advice._rule import Reason, Rule
from surefoot.bench.advice._rules import RULES
from surefoot.bench.advice._setups import SETUPS, Setup
from surefoot.bench.advice._sources import PAPERS, Source

__all__ = [
    "CONFLICTS",
    "DEFAULTS",
    "PAPERS",
    "RULES",
    "SETUPS",
    "Advice",
    "Candidate",
    "Conflict",
    "Default",
    "Measured",
    "Needs",
    "Reason",
    "Rule",
    "Setup",
    "Source",
    "advise",
    "measured",
    "plain_advice",
]
