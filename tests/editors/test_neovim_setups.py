"""Neovim in a clean home, set up by the lines of its page and nothing else, up to a kept change."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.editors.editing import Editing
from tests.editors.installed import ROOT
from tests.editors.reviewed import LINES
from tools import neovim_mirror

PAGE = ROOT / "docs" / "editors" / "neovim.md"
SCRIPTS = Path(__file__).parent / "neovim"
OLD = "nvim-0.10"

FirstHunk = Callable[[str], dict[str, Any]]


def lines_with(text: str) -> str:
    """The block of Lua on the page that has this text."""
    (found,) = (
        block
        for block in re.findall(r"```lua\n(.*?) *```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        if text in block
    )
    return str(found)


@pytest.fixture
def first_hunk(editing: Editing, reviewed: Path, neovim_program: str) -> FirstHunk:
    """Start Neovim with this configuration in the clean home, and keep a change."""

    def run(configuration: str) -> dict[str, Any]:
        init = editing.home / ".config" / "nvim" / "init.lua"
        init.parent.mkdir(parents=True)
        init.write_text(configuration, encoding="utf-8")
        start = f"lua package.path = '{SCRIPTS}/?.lua;' .. package.path"
        script = f"lua require('acting').run('{SCRIPTS}/first_hunk.lua')"
        return editing.run([neovim_program, "--headless", "--cmd", start, "-c", script], "neovim")

    return run


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """The plugin as a repository of its own."""
    folder = tmp_path / "elsewhere" / "patchpoint.nvim"
    neovim_mirror.write(folder)
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "mirror"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def kept_with_the_plugin(seen: dict[str, Any]) -> bool:
    assert seen["errors"] == ""
    assert seen["with_plugin"]
    return bool(seen["kept"] == 1)


def test_the_first_lines_lead_to_a_kept_change(first_hunk: FirstHunk) -> None:
    lines = lines_with("vim.opt.runtimepath:append").replace("/path/to/patchpoint", str(ROOT))
    seen = first_hunk("\n".join(line.strip() for line in lines.splitlines()))
    assert kept_with_the_plugin(seen)
    assert seen["help"] == ["patchpoint-setup"]


@pytest.mark.parametrize("source", ["dir =", "url ="])
def test_a_plugin_manager_takes_the_folder_and_the_mirror(
    first_hunk: FirstHunk, mirror: Path, source: str, tmp_path: Path
) -> None:
    spec = lines_with(source).strip().rstrip(",")
    spec = spec.replace("/path/to/patchpoint", str(ROOT)).replace(
        "https://git.example.org/you/patchpoint.nvim", mirror.as_uri()
    )
    assert str(tmp_path) in spec or str(ROOT) in spec
    specs = tmp_path / "specs.lua"
    specs.write_text(f"return {spec}\n", encoding="utf-8")
    seen = first_hunk(f"vim.env.SPECS = '{specs}'\ndofile('{SCRIPTS}/specs.lua')\n")
    assert kept_with_the_plugin(seen)


def test_the_mirror_is_a_package_of_neovim(first_hunk: FirstHunk, mirror: Path, editing: Editing) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (place,) = re.findall(r"`~/(\.local/share/nvim/site/pack/[^`]+)`", page)
    package = editing.home / place
    package.parent.mkdir(parents=True)
    mirror.rename(package)
    (line,) = re.findall(r"in\s`init\.lua` this line:\n\n```lua\n(.*?)```", page, re.DOTALL)
    seen = first_hunk(line)
    assert kept_with_the_plugin(seen)
    assert seen["help"] == ["patchpoint-setup"]


def test_the_server_runs_without_the_plugin(first_hunk: FirstHunk, neovim_program: str) -> None:
    if neovim_program.endswith(OLD):
        pytest.skip("vim.lsp.config came with Neovim 0.11, as the page says.")
    seen = first_hunk(lines_with("root_markers"))
    assert not seen["with_plugin"]
    assert seen["kept"] == 1


def test_gitsigns_compares_with_the_checkpoint_of_a_review(
    neovim: Callable[..., dict[str, Any]], reviewed: Path
) -> None:
    bases = neovim("gitsigns.lua", LINES_OF_PAGE=lines_with("gitsigns"))["bases"]
    assert bases[-1] == ["", True]
    (checkpoint, everywhere) = bases[0]
    assert everywhere is True
    show = subprocess.run(
        ["git", "show", f"{checkpoint}:one.txt"], cwd=reviewed, capture_output=True, text=True
    )
    assert show.stdout == LINES


def test_the_mirror_is_the_plugin_at_its_root_and_follows_it(tmp_path: Path) -> None:
    folder = tmp_path / "mirror"
    written = neovim_mirror.write(folder)
    assert {"README.md", "LICENSE", "plugin/patchpoint.lua", "lua/patchpoint/init.lua", "doc/tags"} <= set(
        written
    )
    assert not re.search(r"\]\((?!https:)", (folder / "README.md").read_text(encoding="utf-8"))
    assert neovim_mirror.write(folder) == []

    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("kept\n", encoding="utf-8")
    (folder / "lua/patchpoint/init.lua").write_text("-- an older one\n", encoding="utf-8")
    (folder / "lua/patchpoint/former").mkdir()
    (folder / "lua/patchpoint/former/one.lua").write_text("-- no longer there\n", encoding="utf-8")
    assert neovim_mirror.write(folder) == ["lua/patchpoint/former/one.lua", "lua/patchpoint/init.lua"]
    assert not (folder / "lua/patchpoint/former").exists()
    assert (folder / ".git" / "config").read_text(encoding="utf-8") == "kept\n"


@pytest.mark.parametrize("name", ["precious.txt", "lua/precious/init.lua"])
def test_a_folder_of_somebody_else_is_no_mirror(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine\n", encoding="utf-8")
    with pytest.raises(ValueError, match="holds other files"):
        neovim_mirror.write(tmp_path)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [Path(name).name]


def test_a_file_next_to_the_mirrored_ones_is_not_deleted(tmp_path: Path) -> None:
    neovim_mirror.write(tmp_path)
    (tmp_path / "notes.txt").write_text("mine\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("old\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"notes\.txt is not of the plugin"):
        neovim_mirror.write(tmp_path)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "old\n"
