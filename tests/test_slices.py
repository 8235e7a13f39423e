"""Slices: the rows of a value are scored as if they were alone, and small ones say so."""

from __future__ import annotations

import json

import numpy as np
import pytest

from surefoot import InputError, evaluate, load, scan
from surefoot.cli import main
from surefoot.scorecard import tables
from tables import KINDS, classification

N = 1200
CITIES = np.array(["york", "bath", "hull"])


def metadata(n: int = N) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    return {
        "city": CITIES[rng.choice(3, n, p=[0.6, 0.38, 0.02])],
        "night": rng.random(n) < 0.3,
        "lanes": rng.integers(1, 5, n),
        "speed": rng.normal(size=n) * 20,
    }


def sliced(card, name):
    return {(s.side, s.metric, s.measure): s for s in card.rows if s.slice == name}


def names(card):
    return list(dict.fromkeys(s.slice for s in card.rows if s.slice))


@pytest.mark.parametrize("kind", KINDS)
def test_a_slice_is_scored_like_its_rows_alone(kind):
    columns = metadata()
    p = KINDS[kind](n=N, metadata=columns)
    card = evaluate(p, slices=["city", "night"])
    for name, chosen in {"city=york": columns["city"] == "york", "night=true": columns["night"]}.items():
        alone = evaluate(p.select(np.flatnonzero(chosen)), uncertainty=card.uncertainty)
        expected = {
            (s.side, s.metric, s.measure): s
            for s in alone.rows
            if s.set == "eval" and s.measure in (None, card.uncertainty)
        }
        found = sliced(card, name)
        assert found.keys() == expected.keys()
        for key, score in found.items():
            same = (score.value, score.n, score.low, score.high)
            other = expected[key]
            assert same == pytest.approx((other.value, other.n, other.low, other.high), nan_ok=True), key
    assert {s.set for s in card.rows if s.slice} == {"eval"}


def test_slices_of_each_column_share_the_rows_out():
    card = evaluate(classification(n=N, metadata=metadata()), slices=list(metadata()))
    assert names(card)[:5] == ["city=bath", "city=hull", "city=york", "night=false", "night=true"]
    assert names(card)[5:9] == ["lanes=1", "lanes=2", "lanes=3", "lanes=4"]
    total = card.find("eval.accuracy").n
    for column in metadata():
        sizes = [
            sliced(card, name)["all", "accuracy", None].n for name in names(card) if name.startswith(column)
        ]
        assert sum(sizes) == total
    quartiles = [name for name in names(card) if name.startswith("speed=")]
    sizes = [sliced(card, name)["all", "accuracy", None].n for name in quartiles]
    assert len(sizes) == 4
    assert max(sizes) - min(sizes) <= 1
    ends = [[float(end) for end in name.removeprefix("speed=").split(" to ")] for name in quartiles]
    assert np.diff(np.ravel(ends)).min() > 0


def test_small_slices_say_so_and_are_listed():
    card = evaluate(classification(n=N, metadata=metadata()), slices=["city"])
    n = sliced(card, "city=hull")["all", "accuracy", None].n
    assert n < 50
    assert (
        card.notes[-1] == f"Slices with fewer than 50 labelled rows, to be read with care: city=hull ({n})."
    )
    table = list(tables(card))[-1]
    assert table.title == "eval: slices, all rows"
    assert [row[0] for row in table.rows] == ["city=bath", "city=hull", "city=york"]
    assert all("[" in cell for cell in table.rows[2][2:])


def test_whole_scores_are_what_they_were():
    p = classification(n=N, metadata=metadata())
    plain, card = evaluate(p), evaluate(p, slices=["city", "speed"])
    whole = [score for score in card.rows if score.slice is None]
    assert repr(whole) == repr(list(plain.rows))
    assert card["accuracy"] == plain["accuracy"]
    assert [t.title for t in tables(card)][:-1] == [t.title for t in tables(plain)]


def test_missing_values_make_a_slice():
    columns = metadata()
    columns["city"][:100] = ""
    columns["speed"][:100] = np.nan
    whole_numbers = columns["lanes"].astype(float)
    whole_numbers[:100] = np.nan
    columns["lanes"] = whole_numbers
    found = names(evaluate(classification(n=N, metadata=columns), slices=["city", "lanes", "speed"]))
    assert {"city=missing", "lanes=missing", "speed=missing", "lanes=1"} <= set(found)
    assert len(found) == 4 + 5 + 5


def test_ties_leave_fewer_quartiles():
    speed = np.where(np.arange(N) < 1000, 0.5, np.arange(N) / 7)
    found = names(evaluate(classification(n=N, metadata={"speed": speed}), slices=["speed"]))
    assert found[0] == "speed=0.5"
    assert len(found) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_streaming_equals_in_memory(kind, tmp_path, monkeypatch):
    KINDS[kind](n=N, metadata=metadata()).save(tmp_path / "p.parquet")
    chosen = list(metadata())
    expected = evaluate(load(tmp_path / "p.parquet"), slices=chosen)
    source = scan(tmp_path / "p.parquet", metadata=chosen)
    read = source.read
    monkeypatch.setattr(type(source), "batches", lambda self: read(101))
    card = evaluate(source, slices=chosen)
    assert names(card) == names(expected)
    for found, other in zip(card.rows, expected.rows, strict=True):
        assert found.value == pytest.approx(other.value, rel=1e-6, abs=1e-9, nan_ok=True), found


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("town", r"no metadata column 'town' to slice by \(city, night, lanes, speed, plate, when\)"),
        ("plate", "column 'plate' has more than 50 different values"),
        ("when", "column 'when' has dtype datetime64.*; slice by text, booleans or numbers"),
    ],
)
def test_bad_columns_are_explained(column, message):
    columns = metadata() | {
        "plate": np.arange(N).astype(str),
        "when": np.datetime64("2026-01-01") + np.arange(N),
    }
    with pytest.raises(InputError, match=message):
        evaluate(classification(n=N, metadata=columns), slices=[column])


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_the_command_line_slices(suffix, tmp_path, capsys):
    classification(n=N, samples=1, metadata=metadata()).save(tmp_path / f"p{suffix}")
    arguments = ["evaluate", str(tmp_path / f"p{suffix}"), "--slice", "city", "--slice", "lanes"]
    with pytest.raises(SystemExit, match="0"):
        main([*arguments, "--json", str(tmp_path / "card.json")])
    rows = json.loads((tmp_path / "card.json").read_text())["rows"]
    assert {row["slice"] for row in rows} == {
        None, "city=bath", "city=hull", "city=york", "lanes=1", "lanes=2", "lanes=3", "lanes=4",
    }  # fmt: skip
    assert all(row["n"] > 0 for row in rows)
    assert "eval: slices, all rows" in capsys.readouterr().out
