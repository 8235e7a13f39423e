"""The paper's training domains: the kinds of table II and none, each domain a fresh draw of n rows of the pool.

Appendix A of Maggio et al. 2022: another n rows of the pool are the validation set, on which the model's accuracy is
measured, against which drift is, and which is all that methods know who learn from no shift.

What `fit` rehearses is drawn otherwise: it knows all labelled rows, and every domain comes from one fifth of them, so
that folds can leave out rows, and so with repetition where a fifth has fewer than n rows.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from surefoot.estimators._method import Fold
from surefoot.estimators._rehearsal import FAMILIES, SEVERITY, UNMOVED, Rehearsal
from surefoot.estimators.benchmark._scenarios import Kind
from surefoot.estimators.benchmark._setting import Setting, looked_at

_STREAM = 1
"""Tells the random numbers of training domains from those of everything else that a seed leads to."""


def training(setting: Setting, each: int, seed: int) -> Rehearsal:
    """Draw ``each`` domains of every kind that moves something in this table, and of none."""
    rng = np.random.default_rng([seed, _STREAM])
    pool, labels = setting.pool, setting.world.pool.y
    validation = rng.permutation(len(labels))[: setting.world.n]
    parts, targets, sources, family = [], [], [], []
    families: list[str] = []
    for name, make in FAMILIES.items():
        kind = Kind(make, SEVERITY)
        for _ in range(each):
            rows = rng.permutation(len(labels))[: setting.world.n]
            moved, target, record = kind.drawn(rng).move(pool.take(rows), labels[rows], rng)
            if not record.moved and name != UNMOVED:
                break  # there is nothing here that it moves
            if name not in families:
                families.append(name)
            parts.append(moved)
            targets.append(np.asarray(target))
            sources.append(rows[record.source])
            family.append(families.index(name))
    domains = looked_at(setting.world, setting.schema, parts)
    return Rehearsal(
        rows=setting.labelled.take(validation),
        target=labels[validation],
        weights=np.ones(len(validation)),
        group=np.zeros(len(validation), dtype=np.int64),
        domains=domains,
        domain_target=np.concatenate(targets),
        domain_weights=np.ones(len(domains)),
        source=np.concatenate(sources),
        bounds=np.concatenate([[0], np.cumsum([len(part) for part in parts])]),
        family=np.array(family),
        domain_group=np.full(len(family), -1),  # out of all groups
        families=tuple(families),
        relabelled=(False,) * len(families),
        schema=setting.schema,
    )


def part_of(rehearsal: Rehearsal, families: Collection[str], each: int) -> Fold:
    """All rows of the validation set, and the first domains of some of the families."""
    chosen = np.zeros(len(rehearsal.family), dtype=bool)
    for name in families:
        chosen[np.flatnonzero(rehearsal.family == rehearsal.families.index(name))[:each]] = True
    return Fold(np.ones(len(rehearsal.target), dtype=bool), chosen)
