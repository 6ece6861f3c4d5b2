# `make demo` and `make test` work as the first command in a fresh clone: each sets up .venv by itself.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# What computes and touches nothing: seconds to test, so that it is tested after every change.
PURE_TESTS := tests/text tests/formats tests/locate tests/patching tests/test_architecture.py tests/test_suite.py \
	tests/test_house.py
# Of processor time. On a slow machine they take 93 s alone, and 118 s next to other programs; on others 37 s, and 66 s:
# a processor may be shared, or hot. Twice as much as that is too much anywhere.
FAST_SECONDS := 180

# Node.js is not set up here: without it, its part is left out, but for where everything must hold.
NODE_READY := editors/vscode/node_modules/.ready tools/lua/node_modules/.ready
WITHOUT_NPM = echo "Left out, for there is no npm here: TypeScript, JavaScript and Lua."; test -z "$$PATCHPOINT_REQUIRE_EDITORS"

.PHONY: help setup demo test test-fast test-install test-windows test-vscode test-agents check check-editors house format format-editors weigh docs site lock dist clean bench-locate bench-drift bench-formats bench-checkpoints bench-server bench-hostile bench-hooks bench-preview bench-start bench-turns bench-composed bench-apply

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(READY) ## Make .venv with exactly what constraints.txt names, and Patchpoint in it

# Not compiled: most of it is never imported, and what is, is compiled then.
$(READY): constraints.txt pyproject.toml
	@echo "Setting up $(VENV) (once, and again when constraints.txt changes)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --no-compile --require-hashes --requirement constraints.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Not `npm ci`: it wants every platform's build of a tool to be in the registry, and some are not everywhere.
%/node_modules/.ready: %/package-lock.json
	@echo "Installing the npm packages of $* (once, and again when its lock changes)"
	@cd $* && npm install --silent --no-save
	@touch $@

demo: $(READY) ## Show all of it once, in a folder of its own: `patchpoint demo`
	@$(BIN)/patchpoint demo

test: $(READY) ## Run every test
	@$(BIN)/python -m pytest -n auto

test-fast: $(READY) ## Run the tests of the pure rooms but the slow ones, in seconds, or fail if it takes too many
	@$(BIN)/python -m pytest -n auto --quiet --hypothesis-profile=fast -p no:pytest-lsp -p no:anyio -p no:logging \
		-m 'not slow' --most-cases=8 --most-processor-seconds=$(FAST_SECONDS) $(PURE_TESTS)

test-vscode: $(READY) ## Try the extension in a real VS Code (installs one below the user's cache the first time)
	@PYTHON=$(CURDIR)/$(BIN)/python tests/editors/vscode/run.sh

test-install: $(READY) ## Follow the pages from nothing to the first applied edit, in a clean folder
	@$(BIN)/python -m pytest tests/install/clean_folder.py

test-windows: $(READY) ## Try a CPython for Windows under wine: commands, hooks, servers, the tests of what computes
	@$(BIN)/python -m tests.windows.interpreter
	@$(BIN)/python -m pytest tests/windows/commands.py

test-agents: export PATCHPOINT_AGENTS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/patchpoint/agents
test-agents: $(READY) ## Start real agents with what `patchpoint setup` writes (installs them below the user's cache)
	@tests/agents/install.sh
	@$(BIN)/python -m pytest tests/agents

check: $(READY) ## Check the format, lint and types of Python, TypeScript and Lua
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory check-editors; else $(WITHOUT_NPM); fi

check-editors: $(NODE_READY) ## Run the part of `check` that needs Node.js: TypeScript, JavaScript and Lua
	@cd editors/vscode && npm run --silent check
	@node tools/lua/check.mjs

house: $(READY) ## Print the measures of the layout and the words, and what exceeds them
	@$(BIN)/python -m tools.house

format: $(READY) ## Format, and fix what the linters can fix
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory format-editors; else $(WITHOUT_NPM); fi

format-editors: $(NODE_READY)
	@cd editors/vscode && npm run --silent format
	@node tools/lua/check.mjs --write

bench-locate bench-drift bench-formats bench-checkpoints bench-server bench-hostile bench-hooks bench-preview bench-start: bench-%: $(READY)
	@$(BIN)/python -m tests.benchmarks.$*

weigh: $(READY) ## Print what each guard and each rung saves and costs (options in WEIGH: --seed 1, --off …)
	@$(BIN)/python -m tests.benchmarks.weigh --jobs 0 $(WEIGH)

build/peers/.ready: tests/applying/peers.txt $(READY)
	@echo "Installing the engines that the benchmark compares with into build/peers"
	@rm -rf build/peers
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes --ignore-requires-python --target build/peers \
		--requirement tests/applying/peers.txt
	@touch $@

bench-apply: build/peers/.ready ## Compare engines on edits that models misquote: `patchpoint bench` with all of them (options in BENCH)
	@$(BIN)/patchpoint bench $(BENCH)

bench-turns: $(READY) ## Compare the time of finding a place with another checkout: make bench-turns OTHER=../before
	@$(BIN)/python -m tests.benchmarks.turns $(OTHER)

bench-composed: $(READY) ## Count what becomes of composed answers, and what differs from another checkout: OTHER=../before
	@$(BIN)/python -m tests.benchmarks.composed $(OTHER:%=--vs %) $(COMPOSED)

docs: $(READY) ## Write the generated parts of the documents, the manifest and protocol.ts
	@$(BIN)/python -m tools.documentation
	@$(BIN)/python -m tools.formats_page
	@$(BIN)/python -m tools.library_page
	@$(BIN)/python -m tools.man_page
	@$(BIN)/python -m tools.review_page
	@$(BIN)/python -m tools.recording
	@$(BIN)/python -m tools.agent_plugins
	@$(BIN)/python -m tools.vscode_manifest
	@$(BIN)/python -m tools.protocol_ts
	@$(BIN)/python -m tools.mcp_opening
	@$(BIN)/python -m tools.benchmark_page

build/site-tools/.ready: tools/site/requirements.txt
	@echo "Installing what builds the site into build/site-tools (once, and again when its requirements change)"
	@rm -rf build/site-tools
	@$(PYTHON) -m venv build/site-tools
	@build/site-tools/bin/python -m pip install --quiet --require-hashes --requirement tools/site/requirements.txt
	@touch $@

site: build/site-tools/.ready $(READY) ## Build the documents as a site in build/site/html, and check every link in it
	@$(BIN)/python -m tools.site.pages build/site
	@cd build/site && ../site-tools/bin/zensical build --strict --config-file zensical.toml
	@build/site-tools/bin/lychee --offline --include-fragments --no-progress --root-dir $(CURDIR)/build/site/html build/site/html

lock: $(READY) ## Write constraints.txt from pyproject.toml
	@.ci/lock

dist: $(READY) editors/vscode/node_modules/.ready ## Build the wheel, the sdist and the VS Code extension (for the platforms in TARGETS)
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist .
	@$(BIN)/python editors/vscode/scripts/package.py $(TARGETS:%=--target %) --out dist

clean: ## Remove what was built, but not .venv
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
