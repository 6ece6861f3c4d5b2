"""Whether a repository of another user is trusted: when git trusts it, and only then."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import UnsupportedRepositoryError
from patchpoint.git import ownership
from patchpoint.git.repository import Repository, configuration_of
from patchpoint.schema.git_settings import settings_of
from patchpoint.schema.settings import Settings
from tests.git.git_judge import WorkingTree

NOBODY = 65534
ME = os.geteuid() if hasattr(os, "geteuid") else -1

needs_users = pytest.mark.skipif(os.name == "nt", reason="files have no user id there")
needs_root = pytest.mark.skipif(ME != 0, reason="only root can give files to another user")
pytestmark = needs_users


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose configuration, and that of the system, git and Patchpoint both read."""
    home = tmp_path / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("SUDO_UID", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(tmp_path / "system"))
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    return home


@pytest.fixture
def tree(tmp_path: Path) -> WorkingTree:
    return WorkingTree.create(tmp_path / "shared" / "repo")


def git_trusts(folder: Path, **variables: str) -> bool:
    """Whether git works in `folder`; fails when it does not for another reason than the owner."""
    done = subprocess.run(
        ["git", "rev-parse", "--git-dir"],
        cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0 or "dubious ownership" in done.stderr, done.stderr
    return done.returncode == 0


def patchpoint_trusts(folder: Path) -> bool:
    try:
        Repository.open(folder)
    except UnsupportedRepositoryError as error:
        if "safe.directory" in str(error):
            return False
        raise
    return True


def give(path: Path, user: int = NOBODY, *, below: bool = False) -> None:
    os.chown(path, user, -1, follow_symlinks=False)
    if below:
        for folder, folders, files in os.walk(path):
            for name in (*folders, *files):
                os.chown(Path(folder) / name, user, -1, follow_symlinks=False)


def linked(tree: WorkingTree) -> Path:
    place = tree.root.parent / "linked"
    tree.git("worktree", "add", "-q", str(place))
    return place


OWNERS: dict[str, tuple[bool, tuple[str, ...]]] = {
    "all is ours": (True, ()),
    "the working tree is theirs": (False, ("repo",)),
    "the git directory is theirs": (False, ("repo/.git",)),
    "only what is in it is theirs": (True, ("repo/.git/config", "repo/.git/HEAD", "repo/a.txt")),
    "the folder above is theirs": (True, ("",)),
    "the sub-folder is theirs": (True, ("repo/src",)),
}


@needs_root
@pytest.mark.parametrize("name", OWNERS)
@pytest.mark.parametrize("asked", ["", "src"])
def test_an_owner_is_trusted_when_git_trusts_it(home: Path, tree: WorkingTree, name: str, asked: str) -> None:
    trusted, theirs = OWNERS[name]
    for path in theirs:
        give(tree.root.parent / path)
    assert git_trusts(tree.root / asked) == trusted
    assert patchpoint_trusts(tree.root / asked) == trusted


@needs_root
@pytest.mark.parametrize(
    "theirs", [(), ("linked",), ("linked/.git",), ("repo/.git/worktrees/linked",), ("repo/.git",), ("repo",)]
)
def test_of_a_linked_working_tree_the_three_places_that_git_asks_for_count(
    home: Path, tree: WorkingTree, theirs: tuple[str, ...]
) -> None:
    place = linked(tree)
    for path in theirs:
        give(tree.root.parent / path)
    trusted = git_trusts(place)
    assert trusted == (not theirs or theirs[0] in ("repo/.git", "repo"))
    assert patchpoint_trusts(place) == trusted


@needs_root
@pytest.mark.parametrize("theirs", [(), ("modules/part",), ("modules/part/.git",), (".git/modules/part",)])
def test_a_submodule_is_judged_by_itself(home: Path, tree: WorkingTree, theirs: tuple[str, ...]) -> None:
    other = WorkingTree.create(tree.root.parent / "other")
    tree.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--name", "part",
             str(other.root), "modules/part")  # fmt: skip
    for path in theirs:
        give(tree.root / path)
    assert git_trusts(tree.root / "modules" / "part") == (not theirs)
    assert patchpoint_trusts(tree.root / "modules" / "part") == (not theirs)
    assert patchpoint_trusts(tree.root)


@needs_root
@pytest.mark.parametrize("link_is_theirs", [False, True])
@pytest.mark.parametrize("target_is_theirs", [False, True])
def test_of_a_git_directory_behind_a_link_the_links_owner_counts(
    home: Path, tree: WorkingTree, link_is_theirs: bool, target_is_theirs: bool
) -> None:
    target = tree.root.parent / "elsewhere.git"
    (tree.root / ".git").rename(target)
    (tree.root / ".git").symlink_to(target)
    if link_is_theirs:
        give(tree.root / ".git")
    if target_is_theirs:
        give(target, below=True)
    assert patchpoint_trusts(tree.root) == git_trusts(tree.root) == (not link_is_theirs)


@needs_root
@pytest.mark.parametrize(
    "caller", ["", "0", str(NOBODY), f" {NOBODY}x", "1234", "nobody", f"{NOBODY}.0", "-1", "065534"]
)
@pytest.mark.parametrize("owner", [0, NOBODY, 1234])
def test_for_root_the_caller_of_sudo_counts(
    home: Path, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, caller: str, owner: int
) -> None:
    give(tree.root, owner, below=True)
    monkeypatch.setenv("SUDO_UID", caller)
    assert patchpoint_trusts(tree.root) == git_trusts(tree.root)


@needs_root
def test_sudo_means_nothing_for_another_user_than_root(
    home: Path, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDO_UID", "0")
    monkeypatch.setattr(os, "geteuid", lambda: NOBODY)
    assert not patchpoint_trusts(tree.root)
    give(tree.root, below=True)
    assert patchpoint_trusts(tree.root)


def line(*values: str | None, section: str = "safe", key: str = "directory") -> str:
    return f"[{section}]\n" + "".join(
        f"\t{key}\n" if value is None else f"\t{key} = {value}\n" for value in values
    )


LISTS: dict[str, tuple[bool, dict[str, str]]] = {
    "nothing": (False, {}),
    "it": (True, {"home": line("{root}")}),
    "it in the system's": (True, {"system": line("{root}")}),
    "it in the other file of the user": (True, {"xdg": line("{root}")}),
    "everything": (True, {"home": line("*")}),
    "everything in the system's": (True, {"system": line("*")}),
    "another": (False, {"home": line("{root}x", "{parent}", "{root}/src", "{root}/.git")}),
    "it among others": (True, {"home": line("/elsewhere", "{root}", "/nowhere")}),
    "reset": (False, {"home": line("{root}", '""')}),
    "reset without a value": (False, {"home": line("{root}", None)}),
    "reset of the system's": (False, {"system": line("*"), "home": line('""')}),
    "reset of the other file": (False, {"xdg": line("*"), "home": line('""')}),
    "reset before": (True, {"system": line('""'), "home": line("{root}")}),
    "reset in between": (True, {"home": line("*", '""', "{root}")}),
    "reset by the user's other file": (True, {"xdg": line('""'), "home": line("{root}")}),
    "not reset by the system": (True, {"system": line('""'), "xdg": line("{root}")}),
    "in two sections": (True, {"home": line("/nowhere") + "[core]\n\tbare = false\n" + line("{root}")}),
    "in other letters": (True, {"home": line("{root}", section="SAFE", key="Directory")}),
    "of a sub-section": (False, {"home": line("*", section='safe "x"')}),
    "another key": (False, {"home": line("*", key="directories")}),
    "the home's name": (True, {"home": line("~/../shared/repo"), "needs": "2.46"}),
    "below the home": (False, {"home": line("~/repo")}),
    "someone's home": (False, {"home": line("~root/repo")}),
    "with a slash": (True, {"home": line("{root}/"), "needs": "2.46"}),
    "by a detour": (True, {"home": line("{root}/src/.."), "needs": "2.46"}),
    "relative": (False, {"home": line("repo", "shared/repo", "./repo")}),
    "here": (True, {"home": line("."), "needs": "2.46"}),
    "all below the folder above": (True, {"home": line("{parent}/*"), "needs": "2.46"}),
    "all below the root": (True, {"home": line("/*"), "needs": "2.46"}),
    "all below it": (False, {"home": line("{root}/*")}),
    "all that begins so": (False, {"home": line("{root}*", "{parent}/re*", "{parent}/**")}),
    "included": (True, {"home": "[include]\n\tpath = more\n", "more": line("{root}")}),
    "reset, then included": (
        True,
        {"home": line("*", '""') + "[include]\n\tpath = more\n", "more": line("*")},
    ),
    "included, then reset": (False, {"home": "[include]\n\tpath = more\n" + line('""'), "more": line("*")}),
    "included for it alone": (
        False,
        {"home": '[includeIf "gitdir:{parent}/"]\n\tpath = more\n', "more": line("*")},
    ),
    "included on its branch": (
        False,
        {"home": '[includeIf "onbranch:main"]\n\tpath = more\n', "more": line("*")},
    ),
    "in the repository": (False, {"local": line("*", "{root}")}),
    "reset in the repository": (True, {"home": line("*"), "local": line('""')}),
}
"""What is trusted, and the configuration files; `needs` is the version of git that trusts it."""


def write_configuration(home: Path, tree: WorkingTree, files: Mapping[str, str]) -> None:
    places = {
        "home": home / ".gitconfig",
        "xdg": home / ".config" / "git" / "config",
        "system": Path(os.environ["GIT_CONFIG_SYSTEM"]),
        "more": home / "more",
    }
    for name, text in files.items():
        content = text.replace("{root}", str(tree.root)).replace("{parent}", str(tree.root.parent))
        if name == "local":
            with (tree.root / ".git" / "config").open("a") as config:
                config.write(content)
        elif name in places:
            places[name].parent.mkdir(parents=True, exist_ok=True)
            places[name].write_text(content)


def gits_version() -> tuple[int, ...]:
    printed = subprocess.run(["git", "version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in printed.split()[2].split(".")[:2])


@pytest.mark.parametrize("name", LISTS)
def test_a_list_means_what_it_does_for_git(
    home: Path, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    trusted, files = LISTS[name]
    write_configuration(home, tree, files)
    monkeypatch.setattr(ownership, "_is_own", lambda path: False)
    assert patchpoint_trusts(tree.root) == trusted
    if gits_version() >= tuple(int(part) for part in files.get("needs", "2.39").split(".")):
        assert git_trusts(tree.root, GIT_TEST_ASSUME_DIFFERENT_OWNER="1") == trusted


def test_here_is_the_root_of_the_working_tree(
    home: Path, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_configuration(home, tree, {"home": line(".")})
    monkeypatch.setattr(ownership, "_is_own", lambda path: False)
    assert not patchpoint_trusts(tree.root / "src")


def test_a_link_in_the_list_names_its_target(
    home: Path, tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(tree.root.parent)
    monkeypatch.setattr(ownership, "_is_own", lambda path: False)
    for value in (f"{tmp_path}/link/repo", f"{tmp_path}/link/*"):
        write_configuration(home, tree, {"home": line(value)})
        assert patchpoint_trusts(tree.root)
        assert patchpoint_trusts(tmp_path / "link" / "repo")


ENVIRONMENTS: dict[str, tuple[bool, dict[str, str]]] = {
    "it": (True, {"GIT_CONFIG_COUNT": "1", "KEY_0": "safe.directory", "VALUE_0": "{root}"}),
    "everything": (True, {"GIT_CONFIG_COUNT": "1", "KEY_0": "Safe.Directory", "VALUE_0": "*"}),
    "a reset": (False, {"GIT_CONFIG_COUNT": "1", "KEY_0": "safe.directory", "VALUE_0": "", "home": "*"}),
    "another key": (False, {"GIT_CONFIG_COUNT": "1", "KEY_0": "core.editor", "VALUE_0": "*"}),
    "the second": (
        True,
        {"GIT_CONFIG_COUNT": "2", "KEY_0": "core.editor", "VALUE_0": "ed", "KEY_1": "safe.directory",
         "VALUE_1": "*"},
    ),
    "beyond the count": (
        False,
        {"GIT_CONFIG_COUNT": "1", "KEY_0": "core.editor", "VALUE_0": "ed", "KEY_1": "safe.directory",
         "VALUE_1": "*"},
    ),
    "no count": (False, {"KEY_0": "safe.directory", "VALUE_0": "*"}),
}  # fmt: skip


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_environment_lists_as_it_does_for_git(
    home: Path, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    trusted, variables = ENVIRONMENTS[name]
    if "home" in variables:
        write_configuration(home, tree, {"home": line(variables["home"])})
    for key, value in variables.items():
        if key != "home":
            full = key if key.startswith("GIT_") else f"GIT_CONFIG_{key}"
            monkeypatch.setenv(full, value.replace("{root}", str(tree.root)))
    monkeypatch.setattr(ownership, "_is_own", lambda path: False)
    assert patchpoint_trusts(tree.root) == trusted
    assert git_trusts(tree.root, GIT_TEST_ASSUME_DIFFERENT_OWNER="1") == trusted


@needs_root
def test_what_is_private_is_not_written_into_a_strangers_repository(home: Path, tree: WorkingTree) -> None:
    give(tree.root, below=True)
    own = tree.root / "private"
    own.mkdir(mode=0o700)
    (own / "secret.env").write_text("API_KEY=secret\n")
    before = sorted((tree.root / ".git").rglob("*"))
    with pytest.raises(UnsupportedRepositoryError) as refused:
        CheckpointStore.open(own).take()
    assert sorted((tree.root / ".git").rglob("*")) == before
    message = str(refused.value)
    assert f"(user id {NOBODY})" in message
    assert f"git config --global --add safe.directory {tree.root}" in message


@needs_root
def test_the_advice_in_the_message_helps(home: Path, tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "a folder; with $signs'")
    give(tree.root, below=True)
    with pytest.raises(UnsupportedRepositoryError) as refused:
        Repository.open(tree.root)
    command = str(refused.value).split("`")[1]
    subprocess.run(["sh", "-c", command], check=True, cwd=home)
    assert patchpoint_trusts(tree.root)
    assert git_trusts(tree.root)


@needs_root
def test_settings_are_not_read_from_a_strangers_repository(home: Path, tree: WorkingTree) -> None:
    tree.git("config", "patchpoint.checkpoints.keep", "7")
    (home / ".gitconfig").write_text(
        '[patchpoint "checkpoints"]\n\tkeep = 99\n[patchpoint "match"]\n\tminSimilarity = 0.9\n'
    )
    assert settings_of(tree.root) == (Settings(keep=7, min_similarity=0.9), [])
    give(tree.root, below=True)
    assert settings_of(tree.root) == (Settings(keep=99, min_similarity=0.9), [])
    repositorys, users = configuration_of(tree.root)
    assert (repositorys, [file.path for file in users]) == ([], [str(home / ".gitconfig")])


@needs_root
def test_the_configuration_of_a_strangers_repository_is_not_even_parsed(
    home: Path, tree: WorkingTree
) -> None:
    (tree.root / ".git" / "config").write_text("no configuration\n")
    with pytest.raises(UnsupportedRepositoryError, match="cannot be read"):
        configuration_of(tree.root)
    give(tree.root, below=True)
    assert not patchpoint_trusts(tree.root)
    assert configuration_of(tree.root) == ([], [])


def test_for_a_repository_of_ones_own_the_list_is_not_needed(home: Path, tree: WorkingTree) -> None:
    write_configuration(home, tree, {"home": line('""')})
    assert patchpoint_trusts(tree.root)
    assert git_trusts(tree.root)
