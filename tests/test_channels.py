"""The files for package collections say what pyproject.toml says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import patchpoint
from tools.channels import channel_files
from tools.platforms import is_grammar, requirements

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
REPOSITORY = "https://git.example.org/somebody/patchpoint"
HASH = "0123456789abcdef" * 4
FILES = {path.as_posix(): text for path, text in channel_files(REPOSITORY, HASH).items()}
NAMES = [Requirement(each).name for each in requirements()]
WITH_DEPENDENCIES = ("nix/package.nix", "aur/PKGBUILD", "conda-forge/recipe.yaml")
OF_THE_VERSION = (
    *WITH_DEPENDENCIES,
    "homebrew/patchpoint.rb",
    "docker/Dockerfile",
    "mason/package.yaml",
    "mcp/server.json",
)


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_left_to_fill_in(name: str) -> None:
    assert not re.search(r"@[A-Z\d]+[@:]", FILES[name])
    assert f"`{name.partition('/')[0]}`" in (ROOT / "tools/packaging/README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", OF_THE_VERSION)
def test_a_file_of_a_version_says_this_one(name: str) -> None:
    assert patchpoint.__version__ in FILES[name]
    assert REPOSITORY in FILES[name]


@pytest.mark.parametrize("name", WITH_DEPENDENCIES)
def test_every_requirement_is_named(name: str) -> None:
    assert HASH in FILES[name]
    for each in NAMES:
        if each != "tomli":
            assert re.search(rf"(?<![\w-])(python-)?{re.escape(each)}(?![\w-])", FILES[name]), each
    assert any(map(is_grammar, NAMES))


def test_the_registry_of_mcp_starts_the_server_of_mcp_with_its_extra() -> None:
    server = json.loads(FILES["mcp/server.json"])
    assert server["name"] == "io.github.somebody/patchpoint"
    assert len(server["description"]) <= 100, "the registry takes no longer one"
    (package,) = server["packages"]
    assert package["version"] == server["version"] == patchpoint.__version__
    assert package["runtimeArguments"][0]["value"] == f"patchpoint[mcp]=={patchpoint.__version__}"
    assert [one["value"] for one in package["packageArguments"]] == ["mcp"]


def test_helix_starts_the_server() -> None:
    assert tomllib.loads(FILES["helix/languages.toml"]) == {
        "language-server": {"patchpoint": {"command": "patchpoint"}}
    }


def test_the_action_installs_this_version() -> None:
    action = (ROOT / ".github/actions/apply/action.yml").read_text(encoding="utf-8")
    assert f'default: "{patchpoint.__version__}"' in action


def test_an_address_that_is_none_is_refused() -> None:
    for address in ("git@git.example.org:a/b", "https://git.example.org/", "https://git.example.org/a/b/c"):
        with pytest.raises(ValueError, match="no https address"):
            channel_files(address, HASH)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_script_for_arch_can_be_read_by_a_shell(tmp_path: Path) -> None:
    (tmp_path / "PKGBUILD").write_text(FILES["aur/PKGBUILD"], encoding="utf-8")
    shown = "source PKGBUILD; echo $pkgname $pkgver ${#depends[@]} ${#optdepends[@]}"
    said = subprocess.check_output(["bash", "-c", shown], cwd=tmp_path, text=True, timeout=20).split()
    grammars = sum(map(is_grammar, NAMES))
    assert said == [
        "patchpoint",
        patchpoint.__version__,
        str(len(NAMES) - grammars),  # python itself, for tomli
        str(grammars),
    ]
