"""Real editors, and a real project for them to work in."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.demo.project import ANSWER, make_project
from tests.editors.editing import Editing
from tests.editors.helix.screen import Helix
from tests.editors.installed import BIN, ENVIRONMENT, LISP, editor, no_test
from tests.editors.reviewed import BEFORE, CHANGED
from tests.loaded_server import forked

SERVE = "import sys; sys.argv[:] = ['patchpoint']; from patchpoint.cli import main; sys.exit(main())"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The small project of the demo, committed in a repository of its own."""
    return make_project(tmp_path / "project")


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a `patchpoint` whose servers need not load their modules."""
    folder = tmp_path_factory.mktemp("programs")
    program = folder / "patchpoint"
    serve = shlex.join(forked([sys.executable, "-c", SERVE], "patchpoint.lsp.registration"))
    program.write_text(
        f'#!/bin/sh\n[ $# = 0 ] && exec {serve}\nexec {shlex.quote(str(BIN / "patchpoint"))} "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    return folder


@pytest.fixture
def editing(tmp_path: Path, project: Path, programs: Path) -> Editing:
    """The project, and a home folder with nothing in it."""
    home = tmp_path / "home"
    home.mkdir()
    return Editing(project, home, programs)


@pytest.fixture
def reviewed(editing: Editing) -> Path:
    """The project, in which an agent has changed twelve places since a checkpoint."""
    for files in (BEFORE, CHANGED):
        for name, text in files.items():
            (editing.project / name).parent.mkdir(exist_ok=True)
            (editing.project / name).write_text(text, encoding="utf-8")
        if files is BEFORE:
            subprocess.run(
                [str(BIN / "patchpoint"), "checkpoint", "before the agent"],
                cwd=editing.project,
                env=editing.environment,
                check=True,
            )
    return editing.project


NEOVIMS = {
    "nvim": "`make setup` installs it where there is a wheel for this platform",
    "nvim-0.10": "tests/editors/install.sh installs it on Debian",
    "nvim-newest": "tests/editors/install.sh installs it on Debian",
}


@pytest.fixture(params=NEOVIMS)
def neovim_program(request: pytest.FixtureRequest) -> str:
    """Each Neovim that is supported: 0.11, 0.10, and the newest of Debian, which is 0.12."""
    return editor(request.param, NEOVIMS[request.param])


@pytest.fixture
def neovim(editing: Editing, neovim_program: str) -> Callable[..., dict[str, Any]]:
    """Run a script in a Neovim that has our plugin and nothing else."""
    scripts = Path(__file__).parent / "neovim"
    prepare = [
        "lua vim.opt.runtimepath:prepend(vim.env.PLUGIN)",
        f"lua package.path = '{scripts}/?.lua;' .. package.path",
        "lua if vim.lsp.enable then vim.lsp.enable('patchpoint') else require('patchpoint').setup() end",
        "runtime plugin/patchpoint.lua",
    ]
    clean = [neovim_program, "--clean", "--headless", *(word for line in prepare for word in ("--cmd", line))]
    start = f"lua require('acting').run('{scripts}/%s')"
    return lambda script, **variables: editing.run([*clean, "-c", start % script], "neovim", **variables)


@pytest.fixture
def emacs(editing: Editing) -> Callable[..., dict[str, Any]]:
    """Run a script in an Emacs that has eglot, and lsp-mode too where that is installed."""
    executable = editor("emacs", "install Emacs 29, or Emacs 28 with eglot (Debian: emacs-nox, elpa-eglot)")
    scripts = Path(__file__).parent / "emacs"

    def run(script: str, client: str = "with-eglot", **variables: str) -> dict[str, Any]:
        if client == "with-lsp-mode" and not LISP.exists():
            no_test("There is no lsp-mode here; tests/editors/install.sh fetches it on Debian.")
        command = [executable, "-q", "--batch", "-l", str(scripts / script)]
        return editing.run(command, "emacs", CLIENT=client, LISP=str(LISP), **variables)

    return run


@pytest.fixture
def helix(editing: Editing) -> Iterator[Helix]:
    """A Helix that docs/editors/helix.md has set up, in a terminal of its own, with the answer open."""
    executable = editor("hx", "tests/editors/install.sh installs it on Debian")
    tmux = editor("tmux", "install it from the system's packages")
    (editing.project / "answer.md").write_bytes(ANSWER.read_bytes())
    environment = ENVIRONMENT | {"HOME": str(editing.home), "XDG_STATE_HOME": str(editing.home / "state")}
    with Helix.started([executable, "answer.md"], tmux, editing.project, environment) as running:
        yield running
