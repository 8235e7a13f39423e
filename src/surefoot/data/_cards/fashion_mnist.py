"""Fashion-MNIST: pieces of clothing of 28 by 28 pixels."""

from __future__ import annotations

from surefoot.data._card import TERMS, Card, File, Source
from surefoot.data._images import COLUMNS, read_mnist

card = Card(
    name="fashion_mnist",
    title="Fashion-MNIST, pieces of clothing",
    about="Pictures of clothing from a shop. image holds 784 pixels from 0 to 255, row after row; "
    "official_split says which of the two original parts a row is from (train 60,000, test "
    "10,000).",
    task="classification",
    source=Source(
        "apt",
        "dataset-fashion-mnist",
        "",
        (
            File(
                "usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz",
                "b0564c3eedabfbf835052cff8503ea422014ce006caf5b757f851416ee8300c7",
                26_421_856,
            ),
            File(
                "usr/share/datasets/fashion-mnist/train-labels-idx1-ubyte.gz",
                "0ae29f65d86684f32d1b9c85147786c547b9c6aebcaf235f0400a0cce308b056",
                29_491,
            ),
            File(
                "usr/share/datasets/fashion-mnist/t10k-images-idx3-ubyte.gz",
                "cc1d090a38ace84dfa1aa66e3ada7c336ef481a96936906477e6dd344da56eaa",
                4_422_079,
            ),
            File(
                "usr/share/datasets/fashion-mnist/t10k-labels-idx1-ubyte.gz",
                "8d3605d196f4be44669e46906da9733c8131fef761fdbfec72c424d5222f1a05",
                5_125,
            ),
        ),
    ),
    rows=70_000,
    columns=COLUMNS,
    target="label",
    classes={
        0: "T-shirt",
        1: "trouser",
        2: "pullover",
        3: "dress",
        4: "coat",
        5: "sandal",
        6: "shirt",
        7: "sneaker",
        8: "bag",
        9: "ankle boot",
    },
    splits={},
    extra=("official_split",),
    is_not="Not photographs as people take them: one shop's pictures on one background. T-shirt and "
    "shirt are hardly to be told apart at this size.",
    licence=f"Expat: {TERMS}",
    citation="Xiao, H., Rasul, K. and Vollgraf, R. (2017). Fashion-MNIST: a novel image dataset for "
    "benchmarking machine learning algorithms.",
    read=read_mnist,
    motivation="To replace MNIST by a harder task of the same form.",
    collection="Pictures of articles in the shop Zalando, labelled by its staff.",
    preprocessing="Pictures were trimmed, sharpened, turned grey and negative, and scaled to 28 by 28.",
    uses="Training small image models, and far data for models of digits.",
)
