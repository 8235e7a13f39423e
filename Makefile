# make demo         the main job on real data, in an environment of its own
# make test         style, types, import contract and all tests but the slow ones, likewise
# make test-slow    tests that take more than a minute or download much
# make benchmark    speed and memory against their bars
# make benchmark-estimators   errors and costs of accuracy estimates against theirs, beside a peer in an environment apart
# make comparison   six methods on six real datasets with a shift: docs/comparison.html
# make pictures     the README's pictures, of the demonstration's and the comparison's pages

PYTHON ?= python3
export OMP_NUM_THREADS ?= 1
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo test test-slow benchmark benchmark-estimators comparison pictures browser format clean

demo: .venv-demo/ready
	.venv-demo/bin/surefoot demo --out demo

test: .venv-test/ready browser
	.venv-test/bin/ruff check .
	.venv-test/bin/ruff format --check .
	.venv-test/bin/mypy
	.venv-test/bin/lint-imports
	.venv-test/bin/pytest -n 2 -m "not slow"

test-slow: .venv-test/ready
	.venv-test/bin/pytest -m slow

benchmark: .venv-test/ready
	.venv-test/bin/python benchmarks/metrics.py
	.venv-test/bin/python benchmarks/shifts.py
	.venv-test/bin/python benchmarks/shifts_media.py
	.venv-test/bin/python benchmarks/bench.py

benchmark-estimators: .venv-test/ready .venv-peer/ready
	.venv-test/bin/python benchmarks/estimators.py

comparison: .venv-test/ready
	.venv-test/bin/python scripts/comparison.py comparison
	.venv-test/bin/surefoot compare comparison/*.parquet --yardstick mlp-ensemble --json comparison/comparison.json --report docs/comparison.html

pictures: demo .venv-test/ready browser
	.venv-test/bin/python scripts/pictures.py demo/report.html docs/comparison.html

browser:
	sh scripts/browser.sh

format: .venv-test/ready
	.venv-test/bin/ruff check --fix .
	.venv-test/bin/ruff format .

.venv-demo/ready: pyproject.toml constraints.txt $(shell find src -type f -not -name '*.pyc')
	$(PYTHON) -m venv .venv-demo
	.venv-demo/bin/python -m pip install --quiet --constraint constraints.txt '.[report]'
	touch $@

.venv-test/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-test
	.venv-test/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[test]'
	touch $@

# What the benchmark of estimators is held against; it does not say that it needs statsmodels.
.venv-peer/ready:
	$(PYTHON) -m venv .venv-peer
	.venv-peer/bin/python -m pip install --quiet nannyml==0.13.1 statsmodels
	touch $@

clean:
	rm -rf .venv-demo .venv-test .venv-peer demo comparison
