# `make demo` and `make test` work as the first command in a fresh clone: each sets up .venv by itself.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# What computes and touches nothing: seconds to test, so that it is tested after every change.
PURE_TESTS := tests/text tests/formats tests/locate tests/patching tests/test_architecture.py tests/test_suite.py

.PHONY: help setup demo test test-fast test-install test-vscode check format docs lock dist clean bench-locate bench-formats bench-checkpoints bench-server

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(READY) ## Make .venv with exactly what constraints.txt names, and Patchpoint in it

$(READY): constraints.txt pyproject.toml
	@echo "Setting up $(VENV) (once, and again when constraints.txt changes)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement constraints.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Not `npm ci`: it wants every platform's build of a tool to be in the registry, and some are not everywhere.
%/node_modules/.ready: %/package-lock.json
	@echo "Installing the npm packages of $* (once, and again when its lock changes)"
	@cd $* && npm install --silent --no-save
	@touch $@

demo: $(READY) ## Apply a drifted answer in a small project, and roll it back
	@$(BIN)/python -m tests.demo

test: $(READY) ## Run every test
	@$(BIN)/python -m pytest

test-fast: $(READY) ## Run the tests of the pure rooms, in seconds
	@$(BIN)/python -m pytest --quiet --hypothesis-profile=fast $(PURE_TESTS)

test-vscode: $(READY) ## Try the extension in a real VS Code (installs one below the user's cache the first time)
	@PYTHON=$(CURDIR)/$(BIN)/python tests/editors/vscode/run.sh

test-install: $(READY) ## Follow the pages from nothing to the first applied edit, in a clean folder
	@$(BIN)/python -m pytest tests/install/clean_folder.py

check: $(READY) ## Check the format, lint and types
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

format: $(READY) ## Format, and fix what the linter can fix
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

bench-locate bench-formats bench-checkpoints bench-server: bench-%: $(READY)
	@$(BIN)/python -m tests.benchmarks.$*

docs: $(READY) ## Write the generated parts of the documents, the manifest and protocol.ts
	@$(BIN)/python -m tools.documentation
	@$(BIN)/python -m tools.formats_page
	@$(BIN)/python -m tools.vscode_manifest
	@$(BIN)/python -m tools.protocol_ts

lock: $(READY) ## Write constraints.txt from pyproject.toml
	@.ci/lock

dist: $(READY) editors/vscode/node_modules/.ready ## Build the wheel, the sdist and the VS Code extension (for the platforms in TARGETS)
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist .
	@$(BIN)/python editors/vscode/scripts/package.py $(TARGETS:%=--target %) --out dist

clean: ## Remove what was built, but not .venv
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
