# Needs make and Python 3.11 or newer. Everything is installed into $(VENV), and again when pyproject.toml or
# constraints.txt change.

PYTHON  ?= python3
VENV    ?= .venv
CONFIG  ?= configs/rummy_2p.yaml
ARGS    ?=
WORKERS ?= 2

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help train test lint format types contracts bench venv clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  Variables: PYTHON=$(PYTHON) VENV=$(VENV) CONFIG=$(CONFIG) WORKERS=$(WORKERS) ARGS='options of the command'"

train: $(VENV)/.train  ## train an agent by self-play and show how it does against the bots
	$(BIN)/python scripts/train.py --config $(CONFIG) $(ARGS)

test: $(VENV)/.dev  ## run the tests
	$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

lint: $(VENV)/.dev  ## check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dev  ## put style and formatting right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.dev  ## check types
	$(BIN)/mypy

contracts: $(VENV)/.dev  ## check which file may import which
	$(BIN)/lint-imports --no-logo

bench: $(VENV)/.bench  ## measure speed, with OpenSpiel and RLCard as yardsticks
	$(BIN)/python scripts/bench.py $(ARGS)

venv: $(VENV)/.dev  ## install everything that development needs

clean:  ## remove what make, the tests and Python left behind; runs/ stays
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is an installation that went through; a later one builds on the earlier.

$(VENV)/.train: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "cardenvs needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo missing)." >&2; \
	    echo "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(BIN)/python || { echo "Making a virtual environment in $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "Installing PyTorch"
	@$(PIP) torch
	@echo "Installing cardenvs and what training needs"
	@$(PIP) -e '.[train]'
	@touch $@

$(VENV)/.dev: $(VENV)/.train
	@echo "Installing the tools for tests and checks"
	@$(PIP) -e '.[test,dev,outside]'
	@touch $@

$(VENV)/.bench: $(VENV)/.train
	@echo "Installing the yardsticks"
	@$(PIP) -e '.[train,bench]'
	@touch $@
