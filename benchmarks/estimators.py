"""How well accuracies are estimated on real data, and what that costs, each against its bar.

    python benchmarks/estimators.py [PART …] [--peer PYTHON] [--seed N]     parts: errors, cost

PYTHON is that of an environment with NannyML, the peer (`make benchmark-estimators` makes one). Prints one line a
measurement, with PASS or FAIL, and exits with 1 if anything failed. The paper's own experiment is
`surefoot estimate benchmark`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import _estimator_cost
import _estimator_errors
from _harness import Line

PARTS = ("errors", "cost")


def lines(parts: list[str], peer: Path, seed: int) -> Iterator[Line]:
    if "errors" in parts:
        yield from _estimator_errors.lines(peer, seed=seed)
    if "cost" in parts:
        yield from _estimator_cost.lines()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=PARTS, metavar="PART")
    parser.add_argument("--peer", type=Path, default=Path(".venv-peer/bin/python"), metavar="PYTHON")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    given = parser.parse_args()
    failed = False
    for line in lines(given.parts, given.peer, given.seed):
        print(line, flush=True)
        failed |= not line.passed
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
