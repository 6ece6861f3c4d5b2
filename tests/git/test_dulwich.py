"""Where dulwich reads git's files in another way than git: reasons for what is written by hand.

Each case is expected to fail. One that passes says that dulwich was repaired there: look the case up in
docs/decisions/dulwich.md, and reconsider the decision that rests on it.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from dulwich.attrs import GitAttributes, compile_gitattributes_patterns, parse_git_attributes
from dulwich.config import ConfigFile
from dulwich.ignore import IgnoreFilterManager
from dulwich.index import Index, SerializedIndexEntry, read_index_dict, write_index
from dulwich.object_store import DiskObjectStore, commit_tree_changes
from dulwich.repo import Repo
from dulwich.trailers import parse_trailers

from patchpoint.git.odb.ids import ObjectID
from tests.git.git_judge import WorkingTree, what_git_ignores

differs = pytest.mark.xfail(reason="dulwich differs from git here", strict=True, raises=Exception)


def listed(tree: WorkingTree) -> list[bytes]:
    """The paths of the index, as git lists them."""
    return [os.fsencode(path) for path in tree.git("ls-files", "-z").split("\0")[:-1]]


@differs
def test_a_split_index_is_read(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.git("update-index", "--split-index")
    tree.write({"new.txt": "new\n"})
    tree.git("add", "new.txt")
    assert sorted(Index(str(tree.root / ".git" / "index"))) == listed(tree)


@differs
def test_a_split_index_is_read_without_its_checksum(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.git("update-index", "--split-index")
    with (tree.root / ".git" / "index").open("rb") as file:
        assert sorted(read_index_dict(file)) == listed(tree)


@differs
def test_a_sparse_index_is_read(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.git("sparse-checkout", "set", "--cone", "--sparse-index", "kept")
    paths = [os.fsencode(path) for path in tree.git("ls-files", "-z", "--sparse").split("\0")[:-1]]
    assert sorted(Index(str(tree.root / ".git" / "index"))) == paths


@differs
def test_a_compressed_index_is_read_where_a_path_has_128_bytes_less_in_common(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({"p/" + "n" * 150: "", "q": ""})
    tree.git("add", "-A")
    tree.git("update-index", "--index-version", "4")
    assert sorted(Index(str(tree.root / ".git" / "index"))) == listed(tree)


LONG_PATH = "/".join(["d" * 200] * 21) + "/f"


@differs
def test_a_path_of_more_than_4095_bytes_is_read(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    blob = tree.git("rev-parse", "HEAD:a.txt").strip()
    tree.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{LONG_PATH}")
    assert sorted(Index(str(tree.root / ".git" / "index"))) == listed(tree)


@differs
def test_a_path_of_more_than_4095_bytes_is_written() -> None:
    file = io.BytesIO()
    entry = SerializedIndexEntry(LONG_PATH.encode(), 0, 0, 0, 0, 0o100644, 0, 0, 0, ObjectID(b"0" * 40), 0, 0)
    write_index(file, [entry])
    flags = int.from_bytes(file.getvalue()[12 + 60 : 12 + 62], "big")
    assert flags == 0xFFF, "the length at its largest, and stage 0"


IGNORED = [
    ("a**/b", "a/x/b"),
    ("foo**/bar", "foobar"),
    ("a/***/b", "a/x/y/b"),
    ("***/b", "b"),
    ("\\", "\\"),
    ("\\\\ ", "\\"),
    ("\\/?", "\\/a"),
]


@differs
@pytest.mark.parametrize(("pattern", "path"), IGNORED)
def test_a_path_is_ignored_where_git_ignores_it(tmp_path: Path, pattern: str, path: str) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    (tree.root / ".gitignore").write_text(pattern + "\n")
    theirs = IgnoreFilterManager(str(tree.root), [], False).is_ignored(path)
    assert bool(theirs) == bool(what_git_ignores(tree, [path]))


ATTRIBUTES = [
    (b'"a b.txt" text\n', "a b.txt", False),
    (b"[attr]dos text\n*.txt dos\n", "a.txt", False),
    (b"*.png binary\n", "a.png", False),
    (b"*.TXT text\n", "a.txt", True),
    (b"a**/b text\n", "a/x/b", False),
    (b"!*.txt text\n", "!a.txt", False),
    (b"\\ text\n", "\\", False),
    (b"\xef\xbb\xbf*.txt text\n", "a.txt", False),
    (b"*.txt\x0btext text\n", "a.txt", False),
    (b"a.txt text\n", "a.txt\n", False),
]


@differs
@pytest.mark.parametrize(("content", "path", "fold"), ATTRIBUTES)
def test_a_path_has_the_attributes_that_it_has_for_git(
    tmp_path: Path, content: bytes, path: str, fold: bool
) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.git("config", "core.ignorecase", str(fold).lower())
    (tree.root / ".gitattributes").write_bytes(content)
    said = tree.git("check-attr", "-z", "text", "--", path).split("\0")[2]
    patterns = compile_gitattributes_patterns(parse_git_attributes(io.BytesIO(content)))
    found: Mapping[bytes, object] = GitAttributes(patterns).match_path(os.fsencode(path))
    assert {None: "unspecified", True: "set", False: "unset"}[found.get(b"text")] == said  # type: ignore[index]


MESSAGES = [
    b"--- a/file\n\nKey: value\n",
    b"----\n\nKey: value\n",
    b"  --- x\n\nKey: value\n",
    b"subject\n\nKey: a\x0cb\n",
    "subject\n\nKey: a\N{LINE SEPARATOR}b\n".encode(),
    b"subject\n\nK_y: value\n",
    b"subject\n\nnot a trailer\nSigned-off-by: x\n",
    b"subject\n\nKey : value\n",
    b"subject\n\nKey: value\n# comment\n",
]


@differs
@pytest.mark.parametrize("message", MESSAGES, ids=repr)
def test_a_commit_has_the_trailers_that_it_has_for_git(tmp_path: Path, message: bytes) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    (tmp_path / "message").write_bytes(message)
    empty = tree.git("mktree", stdin="").strip()
    commit = tree.git("commit-tree", empty, "-F", str(tmp_path / "message")).strip()
    shown = tree.git("log", "-1", "--format=%(trailers:only,unfold)", commit).strip("\n")
    found = [f"{each.key}: {each.value}" for each in parse_trailers(message)[1]]
    assert "\n".join(found).encode() == os.fsencode(shown)


CONDITIONS = [
    "gitdir:off?ce/",
    "gitdir:[no]ffice/",
    "onbranch:topic/",
    "gitdir:",
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "included").write_text("[core]\n\texcludesFile = yes\n")
    return tmp_path


def working_tree(home: Path) -> WorkingTree:
    tree = WorkingTree.create(home / "office" / "repo")
    tree.git("symbolic-ref", "HEAD", "refs/heads/topic/one")
    return tree


@differs
@pytest.mark.parametrize("condition", CONDITIONS)
def test_an_include_of_the_repository_holds_when_it_does_for_git(home: Path, condition: str) -> None:
    tree = working_tree(home)
    with (tree.root / ".git" / "config").open("a") as file:
        file.write(f'[includeIf "{condition}"]\n\tpath = {home}/included\n')
    for_git = tree.git("config", "--get", "core.excludesFile", check=False) != ""
    assert (b"excludesfile" in dict(Repo(str(tree.root)).get_config().items((b"core",)))) == for_git


@differs
def test_an_include_of_the_users_file_holds_when_it_does_for_git(home: Path) -> None:
    working_tree(home)
    config = home / ".gitconfig"
    config.write_text(f'[includeIf "gitdir:{home}/office/"]\n\tpath = included\n')
    assert ConfigFile.from_path(str(config)).get((b"core",), b"excludesfile") == b"yes"


@differs
def test_a_folder_may_take_the_place_of_a_file(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    blob = ObjectID(tree.git("rev-parse", "HEAD:a.txt").strip().encode())
    root = ObjectID(tree.git("rev-parse", "HEAD^{tree}").strip().encode())
    store = DiskObjectStore(str(tree.root / ".git" / "objects"))
    changed = commit_tree_changes(store, root, [(b"a.txt/inner", 0o100644, blob)])
    tree.git("update-index", "--add", "--replace", "--cacheinfo", f"100644,{blob.decode()},a.txt/inner")
    assert changed.decode() == tree.git("write-tree").strip()
