"""What is said of the paper's claims, of results made so that they hold, or do not."""

from __future__ import annotations

import pytest

from benchmark_cases import everything, result, results
from surefoot.estimators.benchmark import SETS, claims, claims_table

PREDICTOR, ATC, THIRD, SECOND = "ErrorPredictorRF", "ATC", "ExpertRF [3]", "ExpertRF [2]"


def published(**errors):
    """Results of the published methods: the error of each method in each test set, of two datasets."""
    return [
        result(dataset=dataset, method=method, set=name, estimate=0.75 + by_set[name])
        for method, by_set in errors.items()
        for name in SETS
        for dataset in ("alpha", "beta")
    ]


def even(error, **others):
    """The same error in every test set but some."""
    return {name: others.get(name, error) for name in SETS}


def found(rows, start):
    """The claim that starts so."""
    (one,) = [claim for claim in claims(results(*rows)) if claim.said.startswith(start)]
    return one


def compared(predictor=0.1, atc=0.2, third=0.2, second=0.2):
    """Errors of the four methods, each a number or one for each set."""
    given = {PREDICTOR: predictor, ATC: atc, THIRD: third, SECOND: second}
    return published(
        **{name: error if isinstance(error, dict) else even(error) for name, error in given.items()}
    )


class TestTables:
    def test_the_predictor_outperforms_the_experts_or_does_not(self):
        claim = found(compared(), "The error predictor outperforms")
        assert (claim.verdict, claim.share) == ("holds", 1)
        assert claim.found == "as good or better than ExpertRF [3] in 10 of 10 cells of the tables and ExpertRF [2] in 10 of 10 cells of the tables"  # fmt: skip # noqa: E501
        claim = found(compared(third=0.09), "The error predictor outperforms")
        assert (claim.verdict, claim.share) == ("does not hold", 0.5)
        assert "ExpertRF [3] in 0 of 10" in claim.found

    def test_small_errors_are_chance(self):
        """Within the interval of the truth all methods are right, so that none is better."""
        claim = found(compared(predictor=0.04, third=0.0, second=0.0), "The error predictor outperforms")
        assert claim.verdict == "holds"

    def test_it_beats_atc_on_moved_cells(self):
        rows = compared(predictor=even(0.1, unseen_shift=0.3))
        claim = found(rows, "It beats ATC")
        assert (claim.verdict, claim.share) == ("does not hold", 0.5)
        assert claim.found == "unseen severity: on 2 of 2 datasets; unseen shift: on 0 of 2 datasets"
        assert found(compared(predictor=even(0.1, natural=0.3)), "It beats ATC").verdict == "holds"

    def test_atc_is_as_good_without_shift(self):
        rows = compared(atc=even(0.2, no_shift=0.1, natural=0.05))
        claim = found(rows, "Only without shift")
        assert (claim.verdict, claim.share) == ("holds", 1)
        assert claim.found == (
            "ATC is as good or better: no shift on 2 of 2 datasets; natural on 2 of 2 datasets; unseen subpopulation "
            "on 0 of 2 datasets (without shift counts)"
        )
        assert found(compared(), "Only without shift").verdict == "does not hold"

    def test_atc_is_worse_than_experts_on_moved_cells(self):
        assert found(compared(), "ATC is generally worse").verdict == "holds"  # as good counts
        assert found(compared(atc=even(0.15)), "ATC is generally worse").share == 0
        rows = compared(atc=even(0.15, unseen_shift=0.3))
        assert found(rows, "ATC is generally worse").share == 0.5

    def test_the_binomial_interval(self):
        claim = found(compared(predictor=0.04), "The binomial interval")
        assert claim.verdict == "holds"
        assert claim.found == "covers 1.000 at a mean width of 0.100; its nominal level is 0.95"
        assert found(compared(predictor=0.06), "The binomial interval").verdict == "does not hold"

    def test_cells_are_means_of_seeds(self):
        rows = compared(predictor=0.15) + [{**row, "seed": 1} for row in compared(predictor=0.3)]
        assert found(rows, "The error predictor outperforms").share == 0  # 0.225 against 0.2


class TestVariants:
    def variants(self, no_shift=0.3, boosting=0.3, neighbours=0.3):
        rows = compared()
        for name, error in (
            ("ErrorPredictorRF_no_shift", no_shift),
            ("ErrorPredictorGradBoost", boosting),
            ("ErrorPredictorKNN", neighbours),
        ):
            rows += [{**row, "experiment": "ablation"} for row in published(**{name: even(error)})]
        return rows

    def test_training_on_shifts_helps_or_does_not(self):
        claim = found(self.variants(), "Training on shifted data")
        assert claim.verdict == "holds"
        assert claim.found == (
            "mean absolute error 0.100 against 0.300 (ErrorPredictorRF_no_shift), as good or better in 10 of 10 cells"
        )
        assert found(self.variants(no_shift=0.05), "Training on shifted data").verdict == "does not hold"

    def test_the_forest_is_held_against_both(self):
        claim = found(self.variants(neighbours=0.05), "The forest beats")
        assert claim.share == 0.5
        assert "0.100 against 0.300 (ErrorPredictorGradBoost), as good or better in 10 of 10" in claim.found
        assert "0.100 against 0.050 (ErrorPredictorKNN), as good or better in 0 of 10" in claim.found


class TestAmounts:
    def of_kinds(self, one, two):
        return [
            result(experiment="kinds", training_kinds=kinds, set=name, estimate=0.75 + error)
            for kinds, error in (("a", one), ("b", one), ("a+b", two))
            for name in ("unseen_severity", "unseen_shift")
        ]

    def test_more_kinds_help_or_do_not(self):
        claim = found(self.of_kinds(0.2, 0.1), "More kinds")
        assert claim.verdict == "holds"
        assert claim.found == (
            "mean absolute error with 1 kind → with all: unseen severity 0.200 → 0.100; unseen shift 0.200 → 0.100"
        )
        assert found(self.of_kinds(0.1, 0.1), "More kinds").verdict == "does not hold"

    def of_domains(self, **errors):
        return [
            result(experiment="domains", training_domains=int(name[1:]), set="natural", estimate=0.75 + error)
            for name, error in errors.items()
        ]

    def test_more_than_ten_domains_help_or_do_not(self):
        claim = found(self.of_domains(_1=0.3, _10=0.1, _100=0.099), "More than 10 domains")
        assert claim.verdict == "holds"
        assert claim.found == "mean absolute error with 10 → with 100: natural 0.100 → 0.099"
        assert found(self.of_domains(_10=0.1, _100=0.05), "More than 10 domains").verdict == "does not hold"

    @pytest.mark.parametrize(
        "errors", [{"_1": 0.3, "_10": 0.1}, {"_2": 0.3, "_5": 0.1}, {"_5": 0.1, "_50": 0.1}]
    )
    def test_without_ten_and_more_nothing_is_claimed(self, errors):
        assert list(claims(results(*self.of_domains(**errors)))) == []


class TestAuto:
    def test_is_held_against_the_predictor_by_mean_absolute_error(self):
        ours = [{**row, "experiment": "ours"} for row in published(Auto=even(0.05, natural=0.5))]
        claim = found(compared() + ours, "Not in the paper")
        assert (claim.verdict, claim.share) == ("mostly", 0.8)
        assert claim.found == "mean absolute error 0.140 against 0.100, as good or better in 8 of 10 cells"

    def test_alone_claims_nothing(self):
        ours = [{**row, "experiment": "ours"} for row in published(Auto=even(0.05))]
        assert list(claims(results(*ours))) == []


def test_the_table_has_all_claims():
    whole = everything()
    table = claims_table(whole)
    assert [row[0] for row in table.rows] == [claim.said for claim in claims(whole)]
    assert len(table.rows) == 10
    assert {row[2] for row in table.rows} <= {"holds", "mostly", "does not hold"}
