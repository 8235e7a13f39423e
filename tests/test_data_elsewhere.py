"""Datasets that no package carries: fetching says where they are, and the user's copy is imported."""

from __future__ import annotations

import re
import warnings
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner

from surefoot import data
from surefoot.cli.data import command
from surefoot.data import _cache
from surefoot.errors import DownloadError, InputError

ELSEWHERE = [card for card in data.cards() if card.source is None]

HEART = """\
id,age,gender,height,weight,ap_hi,ap_lo,cholesterol,gluc,smoke,alco,active,cardio
0,18393,2,168,62.0,110,80,1,1,0,0,1,0
1,20228,1,156,85.5,140,90,3,1,0,0,1,1
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "cache"))


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def read(name: str, path: Path) -> pa.Table:
    """Import a small file, which differs from the original in its number of rows and nothing else."""
    with pytest.warns(UserWarning, match="rows on its card") as said:
        data.import_file(name, path)
    assert len(said) == 1
    return data.load(name)


@pytest.mark.parametrize("card", ELSEWHERE, ids=lambda card: card.name)
def test_fetching_says_where_it_is_and_how_to_import_it(card: data.Card):
    sentence = (
        f"no package carries {card.name}: get {card.original}, and run: surefoot data import {card.name} PATH"
    )
    for act in (data.fetch, data.path, data.load):
        with pytest.raises(DownloadError, match=re.escape(sentence)):
            act(card.name)
    shown = CliRunner().invoke(command, ["show", card.name]).stdout
    assert "no package; import" in shown
    assert CliRunner().invoke(command, ["list"]).exit_code == 0


def test_an_imported_copy_needs_no_checksum(tmp_path: Path):
    table = read("heart", write(tmp_path / "heart.csv", HEART))
    assert table["weight"].to_pylist() == [62.0, 85.5]
    stored = _cache.provenance(data.card("heart"))
    assert stored is not None
    assert stored["origin"] == "imported"
    assert data.fetch("heart") == data.path("heart")


def test_a_file_of_the_right_size_is_imported_without_a_word(tmp_path: Path):
    full = HEART.splitlines()[1] + "\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data.import_file("heart", write(tmp_path / "heart.csv", HEART.splitlines()[0] + "\n" + full * 70_000))


def test_folders_and_archives_are_refused_with_the_name_of_the_file(tmp_path: Path):
    given = write(tmp_path / "heart.csv", HEART)
    with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
        archive.write(given, "cardio_train.csv")
    for path in (tmp_path, tmp_path / "archive.zip"):
        with pytest.raises(
            InputError, match="folder or an archive; give the file itself: cardio_train.csv of"
        ):
            data.import_file("heart", path)


def test_heart_with_semicolons_or_commas(tmp_path: Path):
    commas = read("heart", write(tmp_path / "heart.csv", HEART))
    assert commas.equals(read("heart", write(tmp_path / "cardio_train.csv", HEART.replace(",", ";"))))
    with pytest.raises(InputError, match="columns cardio are missing"):
        data.import_file("heart", write(tmp_path / "heart.csv", HEART.replace("cardio", "target")))


def test_bank_deposit_predicts_default(tmp_path: Path):
    header = "age,job,marital,education,default,balance,housing,loan,contact,day,month,duration,campaign,"
    header += "pdays,previous,poutcome,deposit\n"
    row = "59,admin.,married,secondary,no,2343,yes,no,unknown,5,may,1042,1,-1,0,unknown,yes\n"
    table = read("bank_deposit", write(tmp_path / "bank.csv", header + row))
    assert table["default"].to_pylist() == ["no"]
    assert table["deposit"].to_pylist() == ["yes"]
    assert len(data.card("bank_deposit").features) == 16


VIDEO_GAMES = """\
Name,Platform,Year_of_Release,Genre,Publisher,NA_Sales,Global_Sales,Critic_Score,Critic_Count,User_Score,User_Count,Developer,Rating
A,Wii,2006,Sports,Nintendo,41.36,82.53,76,51,8,322,Nintendo,E
B,NES,N/A,Action,Nintendo,29.08,0.17,,,,,,
C,PC,2010,Action,N/A,0,0.02,60,5,tbd,,X,T
D,PC,2010,,X,0,9.02,60,5,5.1,3,X,T
"""


def test_video_games_sell_above_or_below_the_median(tmp_path: Path):
    table = read("video_games", write(tmp_path / "video.csv", VIDEO_GAMES))
    assert table["Global_Sales"].to_pylist() == ["high", "low", "low"]
    assert table["User_Score"].to_pylist() == [8.0, None, None]
    assert table["Publisher"].to_pylist() == ["Nintendo", "Nintendo", None]
    named = (
        VIDEO_GAMES.replace("82.53", "high")
        .replace("0.17", "low")
        .replace("0.02", "low")
        .replace("9.02", "low")
    )
    assert read("video_games", write(tmp_path / "video.csv", named)).equals(table)
    with pytest.raises(InputError, match="columns Critic_Score are missing"):
        data.import_file(
            "video_games", write(tmp_path / "v.csv", VIDEO_GAMES.replace("Critic_Score", "Score"))
        )


SDSS = """\
objid,ra,dec,u,g,r,i,z,run,rerun,camcol,field,specobjid,class,redshift,plate,mjd,fiberid
1.23765E+18,183.53,0.08,19.47,17.04,15.94,15.50,15.22,752,301,4,267,3.72236E+18,STAR,-8.96E-06,3306,54922,491
1.23765E+18,183.59,0.13,18.66,17.21,16.67,16.48,16.39,752,301,2,267,3.63814E+17,QSO,1.2,323,51615,541
"""


def test_sdss_with_the_line_of_the_server_or_without(tmp_path: Path):
    table = read("sdss", write(tmp_path / "sky.csv", SDSS))
    assert table.equals(read("sdss", write(tmp_path / "sky.csv", "#Table1\n" + SDSS)))
    assert table["camcol"].to_pylist() == [4, 2]
    assert table["class"].to_pylist() == ["STAR", "QSO"]
    with pytest.raises(InputError, match="'COMET' in class, but the classes of sdss are 'STAR', 'GALAXY'"):
        data.import_file("sdss", write(tmp_path / "sky.csv", SDSS.replace("QSO", "COMET")))


def test_artificial_characters(tmp_path: Path):
    rows = "V1,V2,V3,V4,V5,V6,V7,Class\n0,0,0,0,12,12,31.89,1\n1,0,12,22,17,22.56,31.89,10\n"
    table = read("artificial_characters", write(tmp_path / "artificial.csv", rows))
    assert table["Class"].to_pylist() == [1, 10]
    assert table["V6"].to_pylist() == [12.0, 22.56]
    assert data.card("artificial_characters").classes[10] == "R"


def test_bng_zoo_keeps_truth_values_as_words_and_loses_quotes(tmp_path: Path):
    names = data.card("bng_zoo").columns
    row = ["aardvark", *["false"] * 12, "4", "true", "false", "false", "mammal"]
    plain = ",".join(names) + "\n" + ",".join(row) + "\n"
    quoted = ",".join(f"'{name}'" for name in names) + "\n" + ",".join(row) + "\n"
    table = read("bng_zoo", write(tmp_path / "zoo.csv", plain))
    assert table.to_pylist() == [dict(zip(names, row, strict=True))]
    assert table.equals(read("bng_zoo", write(tmp_path / "zoo.csv", quoted)))


def test_bng_ionosphere_labels_lose_their_quotes(tmp_path: Path):
    names = data.card("bng_ionosphere").columns
    bins = [f"B{1 + i % 3}of3" for i in range(34)]
    for before, after in (("", ""), ("'", "'"), ("'\\'", "\\''")):
        cells = [f"{before}{label}{after}" for label in bins]
        rows = ",".join(names) + "\n" + ",".join([*cells, "g"]) + "\n"
        table = read("bng_ionosphere", write(tmp_path / "ion.csv", rows))
        assert table.to_pylist() == [dict(zip(names, [*bins, "g"], strict=True))]


def test_jsbach_with_names_with_numbers_and_bare(tmp_path: Path):
    names = data.card("jsbach_chorals").columns
    row = "000106b_,1,YES, NO, NO,NO,NO,YES,NO,NO,NO,YES,NO,NO,F,3, F_M\n"
    bare = read("jsbach_chorals", write(tmp_path / "jsbach_chorals_harmony.data", row))
    assert bare.column_names == list(names)
    assert bare["chord_label"].to_pylist() == ["F_M"]
    assert bare["pitch_2"].to_pylist() == ["NO"]
    assert bare["meter"].to_pylist() == [3]
    for header in (",".join(names), ",".join(f"V{i}" for i in range(1, 18))):
        assert bare.equals(read("jsbach_chorals", write(tmp_path / "bach.csv", f"{header}\n{row}")))
