"""Results, and the tables out of them, by hand."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from benchmark_cases import everything, result, results
from surefoot.errors import InputError
from surefoot.estimators.benchmark import read, tables
from surefoot.estimators.benchmark._markdown import END, START, document, markdown, write
from surefoot.estimators.benchmark._results import EMPTY, SCHEMA, of_table
from surefoot.estimators.benchmark._tables import (
    NUMBERS,
    ablation,
    averaged,
    beside_published,
    by_method,
    by_number,
    errors,
    methods,
    overview,
    seconds,
    sets,
)
from surefoot.scorecard import Table

HALF = 1.959964 * (0.75 * 0.25 / 400) ** 0.5
"""Half of the interval of a truth of 0.75 on 400 rows: 0.0424."""


def by_title(found):
    return {table.title: table for table in found}


class TestMeasures:
    def test_are_those_of_the_paper(self):
        found = results(
            result(estimate=0.75), result(estimate=0.78), result(estimate=0.85), result(estimate=0.6, low=0.5, high=0.7)
        )  # fmt: skip
        np.testing.assert_allclose(found["error"], [0, 0.03, 0.1, -0.15], atol=1e-12)
        assert found.mae == pytest.approx(0.28 / 4)
        assert found.mae_ci == pytest.approx((0 + 0 + (0.1 - HALF) + (0.15 - HALF)) / 4, abs=1e-6)
        assert found.acc_ci == 0.5
        assert found.picp == 0.5  # 0.75 is in 0.70 … 0.80 and 0.73 … 0.83
        assert found.mpiw == pytest.approx((3 * 0.1 + 0.2) / 4)

    def test_count_small_batches_by_their_own_chance(self):
        small, large = (results(result(estimate=0.85, n=n)) for n in (25, 10_000))
        assert small.mae_ci == 0
        assert large.mae_ci == pytest.approx(0.1 - 1.959964 * (0.75 * 0.25 / 10_000) ** 0.5, abs=1e-6)


class TestResults:
    @pytest.fixture
    def some(self):
        return results(
            *(
                result(method=method, dataset=dataset, seed=seed, batch=batch)
                for batch in (0, 1)
                for method in ("b", "a")
                for dataset in ("y", "x")
                for seed in (7, 3)
            )
        )

    def test_rows_are_chosen_by_name(self, some):
        assert len(some) == 16
        assert len(some.where(method="a")) == 8
        assert len(some.where(method="a", dataset=("x", "y"))) == 8
        assert len(some.where(method="a", dataset="x")) == 4
        assert len(some.where(method="nobody")) == 0
        assert some.where(method="a").there("method") == ("a",)
        assert some.there("dataset") == ("y", "x")

    def test_groups_hold_every_row_once(self, some):
        groups = list(some.by("method", "seed"))
        assert [key for key, _ in groups] == [("b", 3), ("b", 7), ("a", 3), ("a", 7)]
        assert [len(rows) for _, rows in groups] == [4, 4, 4, 4]
        for (method, seed), rows in groups:
            assert rows.there("method") == (method,)
            assert set(rows["seed"].tolist()) == {seed}
        assert list(some.where(method="nobody").by("seed")) == []

    def test_come_out_of_a_file(self, some, tmp_path):
        table = pa.Table.from_pylist([result(method="ATC", truth=0.5)], schema=SCHEMA)
        parquet.write_table(table, tmp_path / "results.parquet")
        found = read(tmp_path / "results.parquet")
        assert found.there("method") == ("ATC",)
        assert found["truth"].tolist() == [0.5]

    def test_what_is_none_is_refused(self, tmp_path):
        with pytest.raises(
            InputError, match=r"gone\.parquet is no file; give the Parquet file that surefoot"
        ):
            read(tmp_path / "gone.parquet")
        (tmp_path / "words.parquet").write_text("words")
        with pytest.raises(InputError, match="is no Parquet file"):
            read(tmp_path / "words.parquet")
        parquet.write_table(EMPTY.drop_columns(["truth", "n"]), tmp_path / "lacking.parquet")
        with pytest.raises(InputError, match="has no column n, truth; give the results of surefoot estimate"):
            read(tmp_path / "lacking.parquet")
        with pytest.raises(InputError, match="the table holds no results"):
            of_table(EMPTY)


class TestTables:
    def test_mean_and_spread_of_seeds(self):
        """MAE_CI of 0.1 − HALF and 0.2 − HALF by seed, each the mean of two batches."""
        found = results(
            *(
                result(seed=seed, batch=batch, estimate=0.75 + error + 0.02 * batch)
                for seed, error in enumerate((0.09, 0.19))
                for batch in (0, 1)
            ),
            *(result(seed=seed, dataset="beta", estimate=0.75) for seed in (0, 1)),
            result(method="ATC", estimate=0.95),
        )
        table = errors(found, "Errors")
        mean = 0.15 - HALF
        assert table.header == ("dataset", "ATC", "ErrorPredictorRF")
        assert table.rows == (
            ("alpha", f"{0.2 - HALF:.3f}", f"{mean:.3f} ± {0.1 / 2**0.5:.3f}"),
            ("beta", "–", "0.000 ± 0.000"),
            ("mean", f"{0.2 - HALF:.3f}", f"{mean / 2:.3f}"),
        )

    def test_every_dataset_and_seed_counts_the_same_whatever_its_batches(self):
        found = results(
            *(result(dataset="many", batch=i, estimate=0.95) for i in range(10)),
            result(dataset="few", estimate=0.75),
        )
        assert averaged(found, lambda some: some.mae) == pytest.approx(0.1)
        assert found.mae == pytest.approx(10 * 0.2 / 11)
        table = by_method(found, "Errors", lambda some: some.mae)
        assert table.rows == (("ErrorPredictorRF", "0.100", "0.100"),)

    def test_sets_and_methods_are_in_the_papers_order(self):
        found = results(
            result(set="natural", method="Auto", experiment="ours"),
            result(set="unseen_shift", method="homemade"),
            result(set="unseen_severity", method="ATC"),
        )
        assert sets(found) == ["unseen_severity", "unseen_shift", "natural"]
        assert methods(found) == ["ATC", "Auto", "homemade"]
        table = by_method(found, "Errors", lambda some: some.mae)
        assert table.header == ("method", "unseen severity", "unseen shift", "natural", "mean")
        assert table.rows[1] == ("Auto", "–", "–", "0.000", "0.000")

    def test_what_was_run(self):
        found = results(
            *(result(seed=seed, reference=reference) for seed, reference in enumerate((0.7, 0.8, 0.9))),
            result(seed=0, reference=0.7, method="ATC"),
            result(seed=0, reference=0.7, batch=1),
        )
        assert overview(found).rows == (("alpha", "3", "4", "0.800 ± 0.100"),)

    def test_figure_5_takes_the_published_predictor_of_the_same_datasets_and_seeds(self):
        found = results(
            result(dataset="alpha", seed=0), result(dataset="alpha", seed=1), result(dataset="beta", seed=0),
            result(dataset="alpha", seed=0, method="ATC"),
            result(dataset="alpha", seed=0, experiment="ablation", method="ErrorPredictorKNN"),
        )  # fmt: skip
        beside = ablation(found)
        assert sorted(beside.there("method")) == ["ErrorPredictorKNN", "ErrorPredictorRF"]
        assert len(beside) == 2
        assert set(beside["seed"].tolist()) == {0}
        assert len(beside_published(found, "domains")) == 0

    def test_figure_6_counts_kinds_and_domains(self):
        kinds = results(
            result(experiment="kinds", training_kinds="a", estimate=0.75 + 0.1),
            result(experiment="kinds", training_kinds="b", estimate=0.75 + 0.3),
            result(experiment="kinds", training_kinds="a+b", estimate=0.75 - 0.05),
        )
        assert by_number(kinds, "Kinds", "kinds").rows == (("1", "0.200"), ("2", "0.050"))
        domains = results(
            result(experiment="domains", training_domains=2, estimate=0.85),
            result(experiment="published", training_domains=20, estimate=0.8),
        )
        assert by_number(domains, "Domains", "domains").rows == (("2", "0.100"), ("20", "0.050"))

    def test_cost(self):
        found = results(
            result(fit_seconds=1, estimate_seconds=0.002), result(fit_seconds=2, estimate_seconds=0.004)
        )
        assert seconds(found).rows == (("ErrorPredictorRF", "1.5", "3.00"),)

    def test_there_is_one_for_everything_that_was_run(self):
        found = by_title(tables(everything()))
        assert [title for title in found if title.startswith("Table")] == [
            f"Table {roman}: {words}, MAE_CI 0.05"
            for roman, words in zip(
                ("III", "IV", "V", "VI", "VII"),
                ("unseen shift", "natural", "no shift", "unseen severity", "unseen subpopulation"),
                strict=True,
            )
        ]
        assert list(NUMBERS.values()) == ["III", "IV", "V", "VI", "VII"]
        assert all(len(set(map(len, [table.header, *table.rows]))) == 1 for table in found.values())
        parts = [re.split(r"[: ]", title)[0:2] for title in found if title.startswith("Figure")]
        assert parts == [["Figure", "5"], ["Figure", "6a"], ["Figure", "6b"]]

    def test_there_is_none_for_what_was_not(self):
        found = by_title(tables(results(result(experiment="kinds"))))
        assert list(found) == ["What was run", "Figure 6a: kinds of shift in training, mean absolute error"]


class TestMarkdown:
    ONE = Table("Sizes", ("what", "n", "of"), (("rows", "1", "2"),))

    def test_numbers_stand_to_the_right(self):
        assert markdown(self.ONE).splitlines()[3] == "|---|--:|--:|"
        assert markdown(Table("Words", ("a", "b"), (("c", "holds"),))).splitlines()[3] == "|---|---|"

    def test_only_what_is_between_the_marks_is_made_anew(self, tmp_path):
        path = tmp_path / "README.md"
        path.write_text(f"# Title\n\n{START}\nold\n{END}\n\nThe rest.\n")
        for _ in range(2):  # the same twice
            write(document([self.ONE]), path)
            assert path.read_text() == (
                f"# Title\n\n{START}\n\n**Sizes**\n\n| what | n | of |\n|---|--:|--:|\n| rows | 1 | 2 |\n\n{END}"
                "\n\nThe rest.\n"
            )

    @pytest.mark.parametrize("before", [None, "old", f"{START} but no end", f"{END} before {START}"])
    def test_without_both_marks_it_is_the_whole_file(self, before, tmp_path):
        path = tmp_path / "tables.md"
        if before is not None:
            path.write_text(before)
        write("new\n", path)
        assert path.read_text() == "new\n"
