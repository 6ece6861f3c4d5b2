"""Which of the user's conditional includes hold: those that hold for git."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.git.repository import Repository
from tests.git.git_judge import WorkingTree


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    (home / "office").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    (home / "included").write_text("[core]\n\texcludesFile = ignored-at-the-office\n")
    return home


def as_git_has_it(tree: WorkingTree) -> bytes | None:
    asked = ["git", "config", "--get", "core.excludesFile"]
    done = subprocess.run(asked, cwd=tree.root, check=False, capture_output=True)
    return done.stdout.strip() or None


def condition(home: Path, text: str) -> None:
    (home / ".gitconfig").write_text(f'[includeIf "{text}"]\n\tpath = included\n')


CONDITIONS = [
    "gitdir:~/office/",
    "gitdir:~/play/",
    "gitdir:~/office/repo/.git",
    "gitdir:~/office/repo",
    "gitdir:~/office/*/.git",
    "gitdir:~/*/.git",
    "gitdir:office/",
    "gitdir:OFFICE/",
    "gitdir/i:OFFICE/",
    "gitdir/i:~/Office/",
    "gitdir:./office/",
    "gitdir:./play/",
    "gitdir:repo/.git",
    "gitdir:**/office/**",
    "gitdir:/",
    "gitdir:off?ce/",
    "gitdir:[no]ffice/",
    "onbranch:topic/one",
    "onbranch:topic/",
    "onbranch:topic",
    "onbranch:*",
    "onbranch:**",
    "onbranch:main",
    "nonsense:office/",
    "gitdir:",
]


@pytest.mark.parametrize("text", CONDITIONS)
def test_an_include_holds_when_it_does_for_git(home: Path, text: str) -> None:
    tree = WorkingTree.create(home / "office" / "repo")
    tree.git("symbolic-ref", "HEAD", "refs/heads/topic/one")
    condition(home, text)
    assert Repository.open(tree.root).setting(b"core", b"excludesfile") == as_git_has_it(tree)


def test_of_these_conditions_some_hold_and_some_do_not(home: Path) -> None:
    tree = WorkingTree.create(home / "office" / "repo")
    tree.git("symbolic-ref", "HEAD", "refs/heads/topic/one")
    found = []
    for text in CONDITIONS:
        condition(home, text)
        found.append(as_git_has_it(tree) is not None)
    assert 5 < sum(found) < len(found) - 5


def test_a_linked_working_tree_is_where_its_own_git_folder_is(home: Path) -> None:
    tree = WorkingTree.create(home / "office" / "repo")
    tree.write({"file.txt": "text\n"})
    tree.commit("first")
    tree.git("worktree", "add", "-q", str(home / "play"))
    linked = WorkingTree(home / "play")
    for text in ("gitdir:~/office/", "gitdir:~/play/", "gitdir:worktrees/play", "onbranch:play"):
        condition(home, text)
        assert Repository.open(linked.root).setting(b"core", b"excludesfile") == as_git_has_it(linked)


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_folder_is_meant_by_the_name_that_a_link_gives_it_and_by_its_own(home: Path) -> None:
    tree = WorkingTree.create(home / "office" / "repo")
    (home / "link").symlink_to(home / "office")
    through = WorkingTree(home / "link" / "repo")
    for text in ("gitdir:~/office/", "gitdir:~/link/"):
        condition(home, text)
        assert Repository.open(tree.root).setting(b"core", b"excludesfile") == as_git_has_it(tree)
    condition(home, "gitdir:~/office/")
    assert Repository.open(through.root).setting(b"core", b"excludesfile") == as_git_has_it(through)


def test_what_is_ignored_at_the_office_alone_is_in_no_checkpoint_there(home: Path) -> None:
    (home / "included").write_text(f"[core]\n\texcludesFile = {home.as_posix()}/ignored-at-the-office\n")
    (home / "ignored-at-the-office").write_text("*.secret\n")
    condition(home, "gitdir:~/office/")
    for place in ("office", "play"):
        tree = WorkingTree.create(home / place / "repo")
        tree.write({"key.secret": "secret\n"})
        store = CheckpointStore.open(tree.root)
        checkpoint = store.take()
        if place == "play":
            assert store.read(checkpoint.id, "key.secret") == b"secret\n"
        else:
            with pytest.raises(FileNotFoundError):
                store.read(checkpoint.id, "key.secret")


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_home_that_is_a_link_is_where_it_leads(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(home)
    monkeypatch.setenv("HOME", str(tmp_path / "link"))
    tree = WorkingTree.create(home / "office" / "repo")
    condition(home, "gitdir:~/office/")
    assert as_git_has_it(tree) is not None
    assert Repository.open(tree.root).setting(b"core", b"excludesfile") == as_git_has_it(tree)


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_what_is_special_in_a_pattern_is_not_so_in_the_name_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "ho[m]e"
    tree = WorkingTree.create(home / "repo")
    (home / "included").write_text("[core]\n\texcludesFile = mine\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    for text in ("gitdir:./", "gitdir:./repo/", "gitdir:./[r]epo/.git"):
        condition(home, text)
        assert as_git_has_it(tree) == b"mine"
        assert Repository.open(tree.root).setting(b"core", b"excludesfile") == b"mine"


def of_a_global_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)


def of_a_system_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIT_CONFIG_NOSYSTEM", raising=False)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)


def of_an_included_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".gitconfig").write_text(f"[include]\n\tpath = {os.devnull}\n")


def of_a_link(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".gitconfig").symlink_to(os.devnull)


@pytest.mark.parametrize("instead", [of_a_global_file, of_a_system_file, of_an_included_file, of_a_link])
def test_the_null_device_in_the_place_of_a_configuration_is_an_empty_one(
    home: Path, monkeypatch: pytest.MonkeyPatch, instead: Callable[[Path, pytest.MonkeyPatch], None]
) -> None:
    tree = WorkingTree.create(home / "repo")
    tree.git("config", "core.excludesFile", "mine")
    instead(home, monkeypatch)
    assert Repository.open(tree.root).setting(b"core", b"excludesfile") == b"mine"
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    assert store.list() == (taken,)


def _with_little_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def named_global(home: Path, endless: Path) -> dict[str, str]:
    return {"GIT_CONFIG_GLOBAL": str(endless)}


def named_system(home: Path, endless: Path) -> dict[str, str]:
    return {"GIT_CONFIG_SYSTEM": str(endless)}


def included(home: Path, endless: Path) -> dict[str, str]:
    (home / ".gitconfig").write_text(f"[include]\n\tpath = {endless}\n")
    return {}


@pytest.mark.skipif(sys.platform != "linux", reason="no such devices there")
@pytest.mark.parametrize("named", [named_global, named_system, included])
@pytest.mark.parametrize("what", ["/dev/full", "/dev/zero", "pipe"])
def test_what_never_ends_in_the_place_of_a_configuration_keeps_nobody_waiting(
    home: Path, named: Callable[[Path, Path], dict[str, str]], what: str
) -> None:
    tree = WorkingTree.create(home / "repo")
    endless = home / what if what == "pipe" else Path(what)
    if what == "pipe":
        os.mkfifo(endless)
    done = subprocess.run(
        [sys.executable, "-m", "patchpoint", "list"],
        cwd=tree.root,
        env={**os.environ, **named(home, endless)},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=_with_little_memory,
    )
    if named is included:  # what cannot be included is left out
        assert done.returncode == 0
    else:
        assert (done.returncode, done.stdout) == (3, "")
        assert f"The configuration '{endless}' cannot be read" in done.stderr
