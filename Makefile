# Needs Python 3.11+ and nothing else: every target installs what it uses into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export OPENBLAS_NUM_THREADS ?= 1
# Where it is set, each of the many processes that tests start would compile all of the package again.
export PYTHONDONTWRITEBYTECODE :=

# What `make quick` takes for changed: whatever differs from this commit.
SINCE ?= HEAD
PYTEST := $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4

.PHONY: demo serve quick test test-all check bench evals conformance format clean
demo: $(VENV)/.demo
	$(BIN)/memoranda demo

serve: $(VENV)/.serve
	$(BIN)/memoranda serve $(ARGS)

quick: check
	$(PYTEST) -m 'not slow' $$($(BIN)/python tests/changed.py $(SINCE))

test: $(VENV)/.dev
	$(PYTEST) -m 'not slow'

test-all: $(VENV)/.dev
	$(PYTEST) --cov --cov-report= --durations=10
	$(BIN)/python -m coverage report --skip-covered --show-missing --fail-under=100

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.dev
	$(BIN)/python -m bench $(ARGS)

evals: $(VENV)/.dev
	$(BIN)/python -m evals $(ARGS)

# Others' suites and clients against our servers; needs npm, which fetches 380 MB into out/conformance the first time.
conformance: $(VENV)/.dev
	$(BIN)/python tests/conformance_js $(ARGS)

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "memoranda needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cli,local]'
	touch $@

$(VENV)/.serve: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cli,local,server]'
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.demo $(VENV)/.serve

clean:
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
