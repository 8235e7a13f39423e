"""The experiment on estimators as trials of the bench."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest
from pyarrow import parquet

from benchmark_cases import MIXED, NUMERIC, assert_same, made_up
from surefoot.bench import Job, Limits, Local, Place, Plan, Trial, compact, run
from surefoot.errors import InputError
from surefoot.estimators import benchmark

SMALL = benchmark.Trial(NUMERIC, 0, "domains", batches=1, domains=2, rows=250)


@pytest.fixture(scope="module", autouse=True)
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with made_up(tmp_path_factory.mktemp("cache")) as folder:
        yield folder


def trial(**changes: object) -> Trial:
    return Trial("estimate", replace(SMALL, **changes))


def test_the_engine_keeps_what_the_experiment_gives(tmp_path: Path):
    some = [trial(domains=domains, seed=seed) for seed in (0, 1) for domains in (2, 3)]
    Plan.of("estimators", "", some, Limits()).write(tmp_path)
    executor = Local(1)
    try:
        ended = run(some, tmp_path, executor)
    finally:
        executor.close()
    assert [one.state for one in ended] == ["finished"] * 4
    path = compact(tmp_path)["batches"]
    found = parquet.read_table(path)
    rows = 0
    for one in some:
        mine = found.filter([id == one.id for id in found["trial"].to_pylist()]).drop_columns("trial")
        assert_same(mine, benchmark.run(one.what))
        rows += len(mine)
    assert rows == len(found) == len(benchmark.read(path))


def test_its_name_differs_with_every_field_and_with_the_format(monkeypatch: pytest.MonkeyPatch):
    other = {"dataset": MIXED, "seed": 1, "experiment": "ours", "batches": 2, "domains": 3, "rows": 300}
    assert set(other) == {field.name for field in fields(benchmark.Trial)}
    ids = [trial().id, *(trial(**{field: value}).id for field, value in other.items())]
    assert trial().id == ids[0]
    monkeypatch.setattr("surefoot.bench.kinds.estimate.FORMAT", 99)
    assert len({*ids, trial().id}) == len(ids) + 1


def test_trials_of_one_setting_go_together():
    def together(**changes: object) -> object:
        return Job(trial(**changes), Path()).together

    assert together() == together(experiment="ours", domains=9)
    assert len({together(), together(seed=1), together(batches=2), together(rows=300)}) == 4


def test_plain_data_are_checked():
    assert Trial.of({"kind": "estimate", "dataset": NUMERIC, "seed": 0}).what == benchmark.Trial(NUMERIC, 0)
    for changes, message in (
        ({"dataset": "wages"}, "wages is no dataset to classify with a natural split"),
        ({"dataset": "hart"}, "did you mean heart"),
        ({"experiment": "guess"}, "trial: experiment must be one of published, ours"),
        ({"batches": "ten"}, "trial: batches must be a whole number, not 'ten'"),
    ):
        with pytest.raises(InputError) as said:
            Trial.of({"kind": "estimate", "dataset": NUMERIC, "seed": 0, **changes})
        assert message in str(said.value)


def test_data_that_cannot_be_had_are_told():
    missing = trial(dataset="sdss")
    assert "is not in the cache" in missing.fetch(download=False)
    assert missing.fetch(download=True).startswith("no package carries sdss")
    assert trial().fetch(download=False) == ""
    assert Place(Path("nowhere")).state() == "missing"
