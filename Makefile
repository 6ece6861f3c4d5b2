# `make demo` and `make test` work as the first command in a fresh clone: each sets up .venv by itself.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup demo test test-install test-vscode check format docs lock dist clean bench-locate bench-formats bench-checkpoints bench-server

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(READY) ## Make .venv with exactly what constraints.txt names, and Patchpoint in it

$(READY): constraints.txt pyproject.toml
	@echo "Setting up $(VENV) (once, and again when constraints.txt changes)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement constraints.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(READY) ## A drifted answer lands in a small project, and is rolled back
	@$(BIN)/python -m tests.demo

test: $(READY) ## Run every test
	@$(BIN)/python -m pytest

test-vscode: $(READY) ## Try the extension in a real VS Code (installs one below the user's cache the first time)
	@PYTHON=$(CURDIR)/$(BIN)/python tests/editors/vscode/run.sh

test-install: $(READY) ## Walk the pages' way from nothing to the first applied edit, in a clean folder
	@$(BIN)/python -m pytest tests/install/clean_folder.py

check: $(READY) ## Formatter, linter and types
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

format: $(READY) ## Format, and mend what the linter can mend
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

bench-locate bench-formats bench-checkpoints bench-server: bench-%: $(READY)
	@$(BIN)/python -m tests.benchmarks.$*

docs: $(READY) ## Write the tables in the documents anew from the code
	@$(BIN)/python -m tests.documentation
	@$(BIN)/python -m tests.formats.document
	@$(BIN)/python -m tests.editors.vscode.manifest

lock: $(READY) ## Write constraints.txt anew from pyproject.toml
	@.ci/lock

dist: $(READY) ## Build the wheel, the sdist and the VS Code extension (for the platforms in TARGETS)
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist .
	@cd editors/vscode && npm install --silent --no-save
	@$(BIN)/python editors/vscode/scripts/package.py $(TARGETS:%=--target %) --out dist

clean: ## Remove what was built, but not .venv
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
