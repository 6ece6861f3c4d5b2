"""From nothing to the first applied edit by the lines that the pages show, in a clean folder.

`make test-install` runs this and `make test` does not, for it installs from the registries that pip and npm
are set up with. What a line needs to run at all (pipx, uv, an editor) is brought along; Patchpoint is not.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.demo.project import ANSWER, contents, make_project
from tests.editors.installed import BIN, CACHE, editor, no_test
from tests.install.pages import ROOT, blocks

README, VSCODE, NEOVIM = "README.md", "docs/editors/vscode.md", "docs/editors/neovim.md"

UV, PIPX = "uv tool install '.[grammars]'", "pipx install '.[grammars]'"
UVX = "uvx --from /path/to/patchpoint patchpoint apply answer.md"
TRIED = {
    README: {
        UV,
        PIPX,
        "pipx ensurepath",
        "uv tool update-shell",
        "patchpoint apply answer.md",
        UVX,
        "patchpoint apply --check answer.md",
        "patchpoint restore ID",
        "patchpoint undo",
        "patchpoint demo",
    },
    VSCODE: {"make dist", "code --install-extension dist/patchpoint-*.vsix"},
    NEOVIM: {UV, PIPX},
}
"""The lines that are run below, by the page that shows them."""

MADE = os.environ.get("PATCHPOINT_MADE")
"""A fresh clone in which `make demo` and `make dist` were run, such as CI's; without it they are run here."""

PART = ANSWER.read_text(encoding="utf-8").partition("\nTax is rounded")[0]
"""The part of the demo's answer that can be applied."""


@dataclass(frozen=True)
class Machine:
    """A machine on which nothing of ours is installed: a home, a clone, a project with an answer in it."""

    home: Path
    clone: Path
    project: Path
    path: str

    @property
    def environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PATCHPOINT_", "PIPX_", "PYTHON", "UV_", "VIRTUAL_ENV", "XDG_"))
        }
        return (
            kept
            | registries()
            | {
                "HOME": str(self.home),
                "PATH": self.path,
                "PATCHPOINT_HOOK_STAY": "0",
                "PYTHONIOENCODING": "utf-8",
            }
        )

    def run(self, line: str, folder: Path, status: int = 0) -> str:
        """Run a line of a page as a shell does; answers what it wrote to standard output."""
        line = line.replace("/path/to/patchpoint", str(self.clone))
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=600,
        )
        assert done.returncode == status, f"{line}\n{done.stdout}\n{done.stderr}"
        return done.stdout


def registries() -> dict[str, str]:
    """Where packages come from on this machine, which a fresh home folder would not say."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, encoding="utf-8", check=True
    )
    chosen = dict(re.findall(r"^global\.([\w-]+)='(.*)'$", listed.stdout, re.MULTILINE))
    said = {f"PIP_{name.upper().replace('-', '_')}": value for name, value in chosen.items()}
    for name, variable in (("index-url", "UV_DEFAULT_INDEX"), ("extra-index-url", "UV_EXTRA_INDEX_URL")):
        if name in chosen:
            said[variable] = chosen[name]
    # As pip does: where the first one lacks a version, the others are asked.
    said["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    npm = Path.home() / ".npmrc"
    return said | ({"npm_config_userconfig": str(npm)} if npm.exists() else {})


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the repository as they are now, without anything that was built from them."""
    folder = tmp_path_factory.mktemp("clone") / "patchpoint"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pipx and uv, of which many a machine has neither."""
    folder = tmp_path_factory.mktemp("tools")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    pip = [str(folder / "venv" / "bin" / "python"), "-m", "pip"]
    subprocess.run([*pip, "install", "--quiet", "--disable-pip-version-check", "pipx", "uv"], check=True)
    (folder / "bin").mkdir()
    for name in ("pipx", "uv", "uvx"):
        (folder / "bin" / name).symlink_to(folder / "venv" / "bin" / name)
    return folder / "bin"


@pytest.fixture
def machine(tmp_path: Path, clone: Path, tools: Path) -> Machine:
    """A machine that a test has for itself."""
    return new_machine(tmp_path, clone, tools)


@pytest.fixture(scope="module")
def with_pipx(tmp_path_factory: pytest.TempPathFactory, clone: Path, tools: Path) -> Machine:
    """A machine on which Patchpoint was installed by pipx, and nothing was set up."""
    machine = new_machine(tmp_path_factory.mktemp("pipx"), clone, tools)
    machine.run(PIPX, machine.clone)
    return machine


@pytest.fixture(scope="module")
def with_uv(tmp_path_factory: pytest.TempPathFactory, clone: Path, tools: Path) -> Machine:
    """A machine on which Patchpoint was installed by uv, and nothing was set up."""
    machine = new_machine(tmp_path_factory.mktemp("uv"), clone, tools)
    machine.run(UV, machine.clone)
    return machine


@pytest.fixture(params=["with_pipx", "with_uv"])
def installed(request: pytest.FixtureRequest) -> Machine:
    """A machine on which Patchpoint was installed, by each program."""
    machine: Machine = request.getfixturevalue(request.param)
    shutil.rmtree(machine.project)
    with_answer(machine.project)
    return machine


def new_machine(above: Path, clone: Path, tools: Path) -> Machine:
    """Return a machine in a folder, on which nothing is installed but pipx and uv."""
    home = above / "home"
    home.mkdir()
    project = with_answer(above / "project")
    own = [folder for folder in os.environ["PATH"].split(os.pathsep) if Path(folder) != BIN]
    path = os.pathsep.join([str(tools), str(home / ".local" / "bin"), *own])
    assert shutil.which("patchpoint", path=path) is None
    return Machine(home, clone, project, path)


def with_answer(folder: Path) -> Path:
    """Return a project with an answer in it."""
    project = make_project(folder)
    (project / "answer.md").write_text(PART, encoding="utf-8")
    return project


def test_the_readme_leads_from_nothing_to_an_applied_edit_and_back(installed: Machine) -> None:
    machine, project = installed, installed.project
    before = contents(project)

    printed = machine.run("patchpoint apply --check answer.md", project)
    assert "3 of 3 edits would be applied" in printed
    assert contents(project) == before

    printed = machine.run("patchpoint apply answer.md", project)
    assert "3 of 3 edits applied" in printed
    basket = (project / "till/basket.py").read_text(encoding="utf-8")
    assert "        if count < 1:\n            raise ValueError(" in basket
    after = contents(project)

    (name,) = re.findall(r"^Go back with: patchpoint restore (\w+)$", printed, re.MULTILINE)
    machine.run("patchpoint restore ID".replace("ID", name), project)
    assert contents(project) == before
    machine.run("patchpoint undo", project)
    assert contents(project) == after
    assert "byte for byte" in machine.run("patchpoint demo", project)
    assert contents(project) == after


def test_the_extra_brings_the_grammars_that_doctor_misses_without_it(machine: Machine) -> None:
    machine.run("uv tool install .", machine.clone)
    assert 'pip install "patchpoint[grammars]"' in machine.run("patchpoint doctor", machine.project)
    machine.run(UV, machine.clone)
    assert "patchpoint[grammars]" not in machine.run("patchpoint doctor", machine.project)


@pytest.mark.parametrize(
    ("machine_name", "line"),
    [("with_pipx", "pipx ensurepath"), ("with_uv", "uv tool update-shell")],
)
def test_a_new_shell_finds_the_program_after_the_line_for_that(
    request: pytest.FixtureRequest, machine_name: str, line: str
) -> None:
    """The machine's own `PATH` has the folder already, as no new machine's has."""
    machine: Machine = request.getfixturevalue(machine_name)
    folder = machine.home / ".local" / "bin"
    bare = replace(machine, path=machine.path.replace(f"{folder}{os.pathsep}", ""))
    bare.run("patchpoint --version", machine.project, status=127)
    bare.run(f"SHELL=/bin/bash {line}", machine.project)
    bare.run("bash --login -c 'patchpoint --version'", machine.project)
    assert (folder.parent / "share" / "man" / "man1" / "patchpoint.1").exists() or "uv" in line


def test_nothing_need_be_installed_to_apply_an_answer(machine: Machine) -> None:
    assert "3 of 3 edits applied" in machine.run(UVX, machine.project)
    assert shutil.which("patchpoint", path=machine.path) is None


def test_the_demo_and_the_extension_are_made_in_a_fresh_clone_and_the_editor_takes_it(
    machine: Machine, tmp_path: Path
) -> None:
    clone = Path(MADE) if MADE else machine.clone
    if not MADE:
        assert "byte for byte" in machine.run("make demo", clone)
    tools = Path(os.environ.get("PATCHPOINT_VSCODE") or CACHE / "patchpoint" / "vscode")
    vscode = tools / "node_modules" / ".bin" / "code-server"
    if not vscode.exists():
        no_test("There is no VS Code here; `make test-vscode` installs one.")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "code").symlink_to(vscode)
    path = os.pathsep.join([str(tmp_path / "bin"), str(tools / "bin"), machine.path])
    able = replace(machine, path=path)

    if not MADE:
        able.run("make dist", clone)
    made = [path.name for path in (clone / "dist").iterdir()]
    assert sorted(name.rpartition(".")[2] for name in made) == ["gz", "vsix", "whl"]
    able.run("code --install-extension dist/patchpoint-*.vsix", clone)
    assert "patchpoint.patchpoint" in able.run("code --list-extensions", clone)


def test_neovim_is_set_up_by_the_lines_of_its_page(with_pipx: Machine) -> None:
    neovim = editor("nvim", "`make setup` installs it where there is a wheel for this platform")
    machine = replace(with_pipx, project=with_answer(with_pipx.home / "another"))
    settings, *_ = blocks(NEOVIM, "lua")
    configuration = machine.home / ".config" / "nvim" / "init.lua"
    configuration.parent.mkdir(parents=True)
    configuration.write_text(settings.replace("/path/to/patchpoint", str(machine.clone)), encoding="utf-8")

    script = ROOT / "tests" / "install" / "first_edit.lua"
    machine.run(f"{neovim} --headless till/basket.py -c 'luafile {script}'", machine.project)
    basket = (machine.project / "till/basket.py").read_text(encoding="utf-8")
    assert "        if count < 1:\n            raise ValueError(" in basket
    assert "%d %B %Y" in (machine.project / "till/receipt.py").read_text(encoding="utf-8")
