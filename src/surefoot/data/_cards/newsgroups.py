"""20 Newsgroups, by date."""

from __future__ import annotations

from surefoot.data._card import TERMS, Card
from surefoot.data._documents import COLUMNS, orange_text, read_documents

card = Card(
    name="newsgroups",
    title="20 Newsgroups, by date",
    about="Messages of twenty newsgroups of 1993, and the group. official_split divides them by date "
    "(train 11,293, test 7,528).",
    task="classification",
    source=orange_text(
        (
            "20newsgroups-train.tab",
            "3287f997870c109a5ed8f58087afb95ae3f863c75092d47b07eebf1700d6ef9c",
            16_682_951,
        ),
        (
            "20newsgroups-test.tab",
            "34a4c6261eda98d87f66d8e12a2cccba06918b7877442536ef6a13810a47ba39",
            10_808_779,
        ),
    ),
    rows=18_821,
    columns=COLUMNS,
    target="label",
    classes={
        "alt.atheism": "alt.atheism",
        "comp.graphics": "comp.graphics",
        "comp.os.ms-windows.misc": "comp.os.ms windows.misc",
        "comp.sys.ibm.pc.hardware": "comp.sys.ibm.pc.hardware",
        "comp.sys.mac.hardware": "comp.sys.mac.hardware",
        "comp.windows.x": "comp.windows.x",
        "misc.forsale": "misc.forsale",
        "rec.autos": "rec.autos",
        "rec.motorcycles": "rec.motorcycles",
        "rec.sport.baseball": "rec.sport.baseball",
        "rec.sport.hockey": "rec.sport.hockey",
        "sci.crypt": "sci.crypt",
        "sci.electronics": "sci.electronics",
        "sci.med": "sci.med",
        "sci.space": "sci.space",
        "soc.religion.christian": "soc.religion.christian",
        "talk.politics.guns": "talk.politics.guns",
        "talk.politics.mideast": "talk.politics.mideast",
        "talk.politics.misc": "talk.politics.misc",
        "talk.religion.misc": "talk.religion.misc",
    },
    splits={},
    extra=("official_split",),
    is_not="Not raw: all words are lower case, letters only, without headers' marks. Not single: people "
    "post one message to several groups, and answers quote it, so that a random division leaks; "
    "the division by date is the usual one.",
    licence=f"GPL-3.0: {TERMS}",
    citation="Lang, K. (1995). NewsWeeder: learning to filter netnews. ICML 1995.",
    read=read_documents,
    motivation="To learn which news a reader likes (Lang 1995).",
    collection="Public newsgroups, about 1,000 messages each.",
    preprocessing="Cardoso-Cachopo made all words lower case and replaced everything but letters by spaces; "
    "here nothing is changed.",
    uses="Text models in-domain, with groups held out, and across related groups.",
)
