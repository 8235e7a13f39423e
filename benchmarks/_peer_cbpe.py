"""NannyML's CBPE on stored probabilities; run by the peer's own Python, which knows nothing of surefoot.

    python _peer_cbpe.py FOLDER      reads FOLDER/*.npz, writes FOLDER/*.cbpe.npy: one estimate a batch

A file holds ``reference`` [N, K] with ``target`` [N], and ``probs`` of all batches below each other with ``sizes``.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")
os.environ["NML_DISABLE_USAGE_LOGGING"] = "1"


def main(folder: Path) -> None:
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as stored:
            np.save(path.with_suffix(".cbpe.npy"), estimates(**stored))


def estimates(reference: np.ndarray, target: np.ndarray, probs: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Estimated accuracy of every batch."""
    import nannyml as nml

    k = reference.shape[1]
    names = [f"p{j}" for j in range(k)]
    binary = k == 2
    estimator = nml.CBPE(
        y_pred="predicted",
        y_pred_proba="p1" if binary else {str(j): name for j, name in enumerate(names)},
        y_true="target",
        problem_type="classification_binary" if binary else "classification_multiclass",
        metrics=["accuracy"],
        chunk_number=10,
    )
    labels = np.arange(k) if binary else np.arange(k).astype(str)
    estimator.fit(_frame(reference, names, labels).assign(target=labels[target]))
    found = []
    for part in np.split(probs, np.cumsum(sizes)[:-1]):
        frame = _frame(part, names, labels)
        estimator.chunker = nml.chunk.CountBasedChunker(chunk_number=1)
        result = estimator.estimate(frame).filter(period="analysis").to_df()
        found.append(float(result[("accuracy", "value")].iloc[0]))
    return np.array(found)


def _frame(probs: np.ndarray, names: list[str], labels: np.ndarray) -> pd.DataFrame:
    frame = pd.DataFrame(probs.astype(np.float64), columns=names)
    return frame.assign(predicted=labels[probs.argmax(axis=1)])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
