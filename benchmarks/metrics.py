"""Speed and memory of the ground, each against a bar measured in the same run.

    python benchmarks/metrics.py [PART …]     parts: retention, measures, calibration, temperature,
                                              intervals, evaluate

Prints one line a measurement, with PASS or FAIL, and exits with 1 if anything failed.
"""

from __future__ import annotations

import sys
from importlib import import_module

PARTS = ("retention", "measures", "calibration", "temperature", "intervals", "evaluate")


def main(chosen: list[str]) -> int:
    failed = False
    for part in chosen or PARTS:
        if part not in PARTS:
            print(f"unknown part {part!r}; parts are {', '.join(PARTS)}", file=sys.stderr)
            return 2
        for line in import_module(f"_{part}").lines():
            print(line, flush=True)
            failed |= not line.passed
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
