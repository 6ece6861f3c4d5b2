"""Real editors, and a real project for them to work in."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.demo.project import ANSWER, make_project
from tests.editors.helix.screen import Helix
from tests.editors.installed import BIN, ENVIRONMENT, LISP, ROOT, editor, no_test
from tests.editors.reviewed import BEFORE, CHANGED


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The small project of the demo, committed in a repository of its own."""
    return make_project(tmp_path / "project")


@dataclass(frozen=True)
class Editing:
    """An editor at work in the project, with a home folder of its own."""

    project: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """What its programs are run with."""
        return ENVIRONMENT | {"HOME": str(self.home), "XDG_STATE_HOME": str(self.home / "state")}

    def run(self, command: list[str], plugin: str, **variables: str) -> dict[str, Any]:
        """Run the editor to its end, with more variables in its environment; answers what its script saw."""
        seen = self.home / "seen.json"
        result = subprocess.run(
            command,
            cwd=self.project,
            env=self.environment
            | {"SEEN": str(seen), "ANSWER": str(ANSWER), "PLUGIN": str(ROOT / "editors" / plugin)}
            | variables,
            timeout=120,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        answer: dict[str, Any] = json.loads(seen.read_text(encoding="utf-8"))
        return answer


@pytest.fixture
def editing(tmp_path: Path, project: Path) -> Editing:
    """The project, and a home folder with nothing in it."""
    home = tmp_path / "home"
    home.mkdir()
    return Editing(project, home)


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


@pytest.fixture
def neovim(editing: Editing) -> Callable[[str], dict[str, Any]]:
    """Run a script in a Neovim that has our plugin and nothing else."""
    executable = editor("nvim", "`make setup` installs it where there is a wheel for this platform")
    scripts = Path(__file__).parent / "neovim"
    prepare = [
        "lua vim.opt.runtimepath:prepend(vim.env.PLUGIN)",
        f"lua package.path = '{scripts}/?.lua;' .. package.path",
        "lua vim.lsp.enable('patchpoint')",
        "runtime plugin/patchpoint.lua",
    ]
    clean = [executable, "--clean", "--headless", *(word for line in prepare for word in ("--cmd", line))]
    start = f"lua require('acting').run('{scripts}/%s')"
    return lambda script: editing.run([*clean, "-c", start % script], "neovim")


@pytest.fixture
def emacs(editing: Editing) -> Callable[..., dict[str, Any]]:
    """Run a script in an Emacs that has eglot, and lsp-mode too where that is installed."""
    executable = editor("emacs", "install Emacs 29, or Emacs 28 with eglot (Debian: emacs-nox, elpa-eglot)")
    scripts = Path(__file__).parent / "emacs"

    def run(script: str, client: str = "with-eglot") -> dict[str, Any]:
        if client == "with-lsp-mode" and not LISP.exists():
            no_test("There is no lsp-mode here; tests/editors/install.sh fetches it on Debian.")
        command = [executable, "-q", "--batch", "-l", str(scripts / script)]
        return editing.run(command, "emacs", CLIENT=client, LISP=str(LISP))

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
