"""Text shifts: kinds of sequences kept, shares as promised, what each kind may and may not change, bad input."""

from __future__ import annotations

import re
import string
from difflib import SequenceMatcher

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.errors import InputError
from surefoot.shifts._text import _CHUNK
from surefoot.shifts._text_abbreviations import Abbreviations, _lexicon
from surefoot.shifts._text_page import Page
from surefoot.shifts._text_typos import Typos, _layout
from surefoot.shifts._text_words import Casing, DroppedWords, Punctuation, Spacing

KINDS = [Typos, Casing, DroppedWords, Abbreviations, Spacing, Punctuation]

WORDS = re.findall(
    r"\S+",
    "the of and to you are tomorrow because please people going Government, before between definitely (really) "
    "something; information meeting running with? keyboard's window letters morning Washington. quickly!",
)


def documents(n: int = 60, words: int = 80, seed: int = 0) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, words)) for _ in range(n)]


# -- contracts --------------------------------------------------------------------------------------------

ANY = [
    list,
    tuple,
    lambda texts: np.array(texts, dtype=object),
    lambda texts: np.array([text or "" for text in texts]),
    lambda texts: pd.Series(texts, name="body", index=range(10, 10 + len(texts))),
    lambda texts: pd.Series(texts, dtype="string"),
    lambda texts: pd.Series([np.nan if text is None else text for text in texts], dtype=object),
    lambda texts: pl.Series("body", texts),
    lambda texts: pa.chunked_array([texts]),
]
NAMES = ["list", "tuple", "objects", "U", "pandas", "pandas string", "pandas NaN", "polars", "arrow"]


def as_list(values) -> list:
    values = values.to_pylist() if isinstance(values, pa.ChunkedArray) else list(values)
    return [value if isinstance(value, str) and value else None for value in values]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("build", ANY, ids=NAMES)
def test_every_kind_of_sequence_comes_back_as_it_was(kind, build):
    plain = [*documents(6), None, "", " ", "x"]
    given_texts = build(plain)
    out, y, record = kind(severity=5)(given_texts, list(range(10)), np.random.default_rng(1))
    assert type(out) is type(given_texts)
    assert y == list(range(10))
    assert as_list(given_texts) == [text or None for text in plain]
    changed = np.array([a != b for a, b in zip(as_list(given_texts), as_list(out), strict=True)])
    np.testing.assert_array_equal(record.rows, changed)
    assert changed[:6].all()
    assert as_list(out)[6] is None
    assert as_list(kind(severity=5)(plain, rng=1)[0]) == as_list(out)
    assert record.shift == kind.name
    if isinstance(out, pd.Series):
        assert out.dtype == given_texts.dtype
        assert out.index.equals(given_texts.index)
        assert out.name == given_texts.name
    if isinstance(out, pl.Series):
        assert (out.dtype, out.name) == (given_texts.dtype, given_texts.name)
    if isinstance(out, np.ndarray):
        assert out.dtype.kind == given_texts.dtype.kind


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@settings(max_examples=40, deadline=None)
@given(
    texts=st.lists(st.none() | st.text(max_size=30), min_size=1, max_size=6),
    severity=st.integers(1, 5),
    seed=st.integers(0, 9),
)
def test_any_text_at_all(kind, texts, severity, seed):
    before = list(texts)
    out, _, record = kind(severity=severity)(texts, rng=seed)
    assert texts == before
    assert [text is None for text in out] == [text is None for text in texts]
    assert [a != b for a, b in zip(texts, out, strict=True)] == record.rows.tolist()
    assert kind(severity=severity)(texts, rng=seed)[0] == out


@given(st.lists(st.text(min_size=1), min_size=1))
def test_a_page_holds_texts_and_words_as_python_sees_them(texts):
    page = Page.of(texts)
    assert page.texts() == texts
    words = page.words()
    parts = [
        "".join(map(chr, page.characters[a:b])).rstrip()
        for a, b in zip(words.starts, words.ends, strict=True)
    ]
    assert parts == [word for text in texts for word in text.split()]
    assert words.texts.tolist() == [i for i, text in enumerate(texts) for _ in text.split()]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_more_severity_changes_more(kind):
    texts = documents()

    def change(severity):
        out = kind(severity=severity)(texts, rng=0)[0]
        pairs = (SequenceMatcher(None, a, b, autojunk=False) for a, b in zip(texts, out, strict=True))
        return np.mean([1 - pair.quick_ratio() for pair in pairs])

    if (
        kind is Spacing
    ):  # equal numbers of spaces go and come, which the comparison of letter counts overlooks
        levels = [
            np.mean([len(set(a.split()) ^ set(b.split())) for a, b in zip(texts, out, strict=True)])
            for out in (kind(severity=severity)(texts, rng=0)[0] for severity in range(1, 6))
        ]
    else:
        levels = [change(severity) for severity in range(1, 6)]
    assert levels[0] > 0
    assert (np.diff(levels) > 0).all()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_share_of_samples(kind):
    texts = documents(40)
    out, _, record = kind(severity=5, samples=0.25)(texts, rng=0)
    assert record.rows.sum() == 10
    assert all(out[i] == texts[i] for i in np.flatnonzero(~record.rows))
    same, _, none = kind(samples=0.0)(texts)
    assert same == texts
    assert none.note == "no text came out other than it was"


def test_portions_leave_no_seams():
    texts = ["Word " * 1000] * (2 * _CHUNK // 5000 + 3)
    out, _, record = Casing(severity=5, style="upper")(texts)
    assert set(out) == {"WORD " * 1000}
    assert record.rows.all()


# -- typos ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("severity", "share"), [(1, 0.01), (3, 0.04), (5, 0.10)])
def test_typos_hit_the_promised_share_of_letters_in_four_ways(severity, share):
    texts = ["abcdefghij klmnopqrst " * 500] * 4  # no letter beside itself: every slip shows
    (out,) = {tuple(Typos(severity=severity)(texts, rng=5)[0])}
    slips = {"replaced": 0, "swapped": 0, "dropped": 0, "doubled": 0}
    words = [word for text in out for word in text.split()]
    intended = ["abcdefghij", "klmnopqrst"] * 2000
    assert len(words) == len(intended)
    for word, meant in zip(words, intended, strict=True):
        if severity == 1 and word != meant:
            if len(word) < 10:
                slips["dropped"] += 1
            elif len(word) > 10:
                slips["doubled"] += 1
            else:
                slips["swapped" if sorted(word) == sorted(meant) else "replaced"] += 1
    wrong = np.mean([word != meant for word, meant in zip(words, intended, strict=True)])
    assert wrong == pytest.approx(1 - (1 - share) ** 10, rel=0.1)
    if severity == 1:
        assert min(slips.values()) > 0.15 * sum(slips.values())


def test_typos_leave_digits_spaces_and_marks_alone():
    texts = ["12 + 34 = 46; (it was 47!) 🙂 ..."] * 300
    for new in Typos(severity=5)(texts, rng=0)[0]:
        assert re.sub(r"[^\W\d_]", "", new) == re.sub(r"[^\W\d_]", "", texts[0])
        assert len(new.split()) == len(texts[0].split())


def test_neighbours_on_the_keyboard():
    table, counts = _layout()

    def beside(key):
        return {chr(code) for code in table[ord(key), : counts[ord(key)]]}

    assert beside("g") == set("fhtyvb")
    assert beside("a") == set("qwsz")
    assert beside("G") == set("FHTYVB")
    assert beside("п") >= set("ар")
    for key in string.ascii_letters:
        assert all(key in beside(other) for other in beside(key))


def test_scripts_without_a_keyboard_get_doubled_swapped_and_dropped_letters():
    text = "אבגדהוזחט " * 200
    out = Typos(severity=5)([text], rng=0)[0][0]
    assert out != text
    assert set(out) == set(text)


# -- casing, words, spaces, marks -------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["random", "upper", "lower"])
def test_casing_changes_case_and_nothing_else(style):
    texts = [*documents(20), "Straße ΑΣ ﬁn İx"]
    for severity in (1, 5):
        out = Casing(severity=severity, style=style)(texts, rng=0)[0]
        assert [text.casefold() for text in out] == [text.casefold() for text in texts]
    if style == "upper":
        assert out[:20] == [text.upper() for text in texts[:20]]
        assert out[20] == "STRAßE ΑΣ ﬁN İX"
    if style == "lower":
        assert out[:20] == [text.lower() for text in texts[:20]]


def test_casing_hits_the_promised_share_of_words():
    texts = ["word " * 4000]
    for severity, share in enumerate((0.1, 0.25, 0.5, 0.75, 1.0), start=1):
        words = Casing(severity=severity, style="upper")(texts, rng=0)[0][0].split()
        assert np.mean([word == "WORD" for word in words]) == pytest.approx(share, abs=0.03)


@given(st.lists(st.text("ab \n", min_size=1, max_size=12), min_size=1, max_size=8), st.integers(0, 50))
def test_dropped_words_leave_words_in_order_and_never_none(texts, seed):
    out = DroppedWords(severity=5)(texts, rng=seed)[0]
    for old, new in zip(texts, out, strict=True):
        rest = iter(old.split())
        assert all(word in rest for word in new.split())  # a subsequence
        assert bool(new.split()) == bool(old.split())
        assert new[:1].isspace() == old[:1].isspace()
        if not old[-1].isspace():
            assert new == new.rstrip()


def test_dropped_words_are_the_promised_share():
    texts = ["one two three four five " * 800] * 2
    for severity, share in enumerate((0.05, 0.1, 0.2, 0.3, 0.4), start=1):
        left = DroppedWords(severity=severity)(texts, rng=0)[0]
        assert 1 - sum(len(text.split()) for text in left) / 8000 == pytest.approx(share, abs=0.02)


def test_spacing_moves_spaces_only():
    texts = documents(30)
    for severity, share in enumerate((0.02, 0.05, 0.1, 0.15, 0.25), start=1):
        out = Spacing(severity=severity)(texts, rng=0)[0]
        assert ["".join(text.split()) for text in out] == ["".join(text.split()) for text in texts]
        wrong = [word for text in out for word in text.split() if word not in WORDS]
        assert (
            len(wrong) / (30 * 80) > share
        )  # each run-together makes one unknown word, each split up to two


def test_punctuation_changes_marks_only():
    texts = documents(30)
    marks = re.compile(r"[^\w\s]")
    for severity in range(1, 6):
        out = Punctuation(severity=severity)(texts, rng=0)[0]
        assert [marks.sub("", text) for text in out] == [marks.sub("", text) for text in texts]
    assert not any(
        re.search(r"(?<![^\w\s])[^\w\s](?![^\w\s])", text) for text in out
    )  # gone, or more than one
    plain = ["no marks here"]
    assert Punctuation(severity=5)(plain)[0] == plain


# -- abbreviations ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("See you!", "C u!"),
        ("SEE YOU", "C U"),
        ("By the\n way, I don't know", "Btw, idk"),
        ("you’re", "ur"),
        ("I'll be right back", "ill brb"),
        ("be right back", "brb"),
        ("your-self you_ bayou youth", "your-self you_ bayou youth"),
        ("İ see", "İ c"),
    ],
)
def test_short_forms_are_whole_words_and_keep_their_case(text, short):
    found = {Abbreviations(severity=5)([text], rng=seed)[0][0] for seed in range(20)}
    assert short in found


def test_all_that_can_be_short_is_at_the_highest_severity_and_a_share_below():
    texts = ["you " * 5000]
    for severity, share in enumerate((0.2, 0.4, 0.6, 0.8, 1.0), start=1):
        words = Abbreviations(severity=severity)(texts, rng=0)[0][0].split()
        assert words.count("u") / 5000 == pytest.approx(share, abs=0.03)


def test_long_words_lose_inner_vowels():
    texts = ["keyboard Owner oboe " * 2000]
    for severity, share in enumerate((0.0, 0.05, 0.1, 0.2, 0.35), start=1):
        words = Abbreviations(severity=severity)(texts, rng=0)[0][0].split()
        assert set(words) <= {"keyboard", "kybrd", "Owner", "Ownr", "oboe"}
        assert words.count("kybrd") / 2000 == pytest.approx(share, abs=0.04)


def test_the_table_of_short_forms_is_sound():
    _, short = _lexicon()
    assert len(short) > 150
    for long, form in short.items():
        assert long == long.strip().lower()
        assert form
        assert len(form) < len(long)
        assert form not in short


# -- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("a text", r"X is one text; give a list of texts, e.g. \[X\]"),
        ([], "X is empty; give at least one text"),
        (["a", 3, 4.5], r"X holds no text in rows 1, 2 \(the first is a int\); turn them into str first"),
        ([b"a"], r"row 0 \(the first is a bytes\); decode them first"),
        (np.array([1.0, 2.0]), r"X holds no text in rows 0, 1 \(the first is a float\)"),
        (np.array([["a"]]), r"shape \(1, 1\), but a vector of texts is needed"),
        (pd.DataFrame({"a": ["b"]}), "X is a DataFrame; give texts as a list, a NumPy vector or one column"),
        (pd.Series(["a"], dtype="category"), "column of type Categorical, which takes no new texts; cast it"),
        (pl.Series([1, 2]), r"X holds no text in rows 0, 1 \(the first is a int\)"),
        (7, "X is a int; give texts"),
    ],
)
def test_what_is_no_sequence_of_texts_is_refused(texts, message):
    with pytest.raises(InputError, match=message):
        Typos()(texts)


@pytest.mark.parametrize("severity", [0, 6, 2.5, "3", True, None])
def test_severity_is_one_to_five(severity):
    with pytest.raises(InputError, match="severity is 1, 2, 3, 4 or 5, not"):
        Typos(severity=severity)


def test_other_bad_arguments():
    with pytest.raises(InputError, match="samples is a share between 0 and 1, not -1"):
        Typos(samples=-1)
    with pytest.raises(InputError, match="lengths differ: X 1, y 2"):
        Typos()(["a"], [0, 1])
    with pytest.raises(InputError, match="style must be one of random, upper, lower, not 'title'"):
        Casing(style="title")
