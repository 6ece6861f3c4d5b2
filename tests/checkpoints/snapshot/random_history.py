"""Random lives of a working tree: what people and tools do to files, in any order."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.git.git_judge import WorkingTree

_NAMES = [
    b"a",
    b"b",
    b"c.py",
    b"d.log",
    b"e.txt",
    b"build",
    b"out",
    b"src",
    b"caf\xc3\xa9",
    b"x y",
    b"\xff\xfe.txt",
]
_NAMES += [b"keep.log", b".hidden", b"A", b"a.b", b"a-b", b"[x]", b"-dash"]
_PATTERNS = [
    "*.log",
    "!keep.log",
    "build/",
    "/out",
    "src/*.txt",
    "**/e.txt",
    "a*",
    "!a.b",
    "src/**",
    "x?y",
    "*",
]
_PATTERNS += ["!*/", "!c.py", "[a-c]", "/src/a", "out/**/b", "\\[x\\]", "# none", "caf*", "!/src"]

_ATTRIBUTES = [
    "* text=auto\n",
    "*.txt text eol=crlf\n",
    "* -text\n",
    "*.py ident\n",
    "[attr]m text\n*.txt m\n",
    "",
]
_ATTRIBUTES += ["*.txt text working-tree-encoding=ISO-8859-1\n", "/src/** text\n", '"x y" eol=lf\n']


class RandomHistory:
    """Does one random thing after the other to a working tree."""

    def __init__(self, tree: WorkingTree, seed: int, *, attributes: bool = False) -> None:
        """`attributes`: git's conversions of files are among the things that change."""
        self.tree = tree
        self._root = os.fsencode(tree.root)
        self._random = random.Random(seed)
        self._actions: list[tuple[int, Callable[[], None]]] = [
            (10, self._write),
            (6, self._edit),
            (3, self._edit_to_same_size),
            (4, self._delete),
            (3, self._move),
            (2, self._change_mode),
            (3, self._link),
            (3, self._make_folder),
            (3, self._swap_type),
            (3, self._change_rules),
            (1, self._change_own_rules),
            (2, self._touch),
            (2, self._stage_all),
            (2, self._stage_some),
            (1, self._force_ignored),
            (1, self._untrack),
            (1, self._commit),
            (1, self._go_back),
        ]
        if attributes:
            self._actions += [(3, self._change_attributes), (2, self._change_conversion), (2, self._settle)]

    def step(self) -> str:
        """Do one thing; answers what."""
        weights = [weight for weight, _ in self._actions]
        action = self._random.choices([action for _, action in self._actions], weights)[0]
        try:
            action()
        except OSError:
            return f"{action.__name__} (not possible)"
        return action.__name__

    def _folders(self) -> list[bytes]:
        found = []
        for folder, names, _ in os.walk(self._root):
            names[:] = [name for name in names if name != b".git"]
            found.append(folder)
        return sorted(found)

    def _files(self) -> list[bytes]:
        found = []
        for folder, names, files in os.walk(self._root):
            found += [os.path.join(folder, name) for name in files]
            found += [
                os.path.join(folder, name) for name in names if os.path.islink(os.path.join(folder, name))
            ]
            names[:] = [name for name in names if name != b".git"]
        return sorted(found) or [os.path.join(self._root, b"a.txt")]

    def _new_path(self) -> bytes:
        return os.path.join(self._random.choice(self._folders()), self._random.choice(_NAMES))

    def _content(self) -> bytes:
        return b"".join(self._random.choice([b"one\n", b"two\r\n", b"\x00", b"$Id$\n"]) for _ in range(4))

    def _write(self) -> None:
        path = self._new_path()
        if self._random.random() < 0.4:
            os.makedirs(path, exist_ok=True)
            path = os.path.join(path, self._random.choice(_NAMES))
        with open(path, "wb") as file:
            file.write(self._content())

    def _edit(self) -> None:
        with open(self._random.choice(self._files()), "ab") as file:
            file.write(self._content())

    def _edit_to_same_size(self) -> None:
        path = self._random.choice(self._files())
        with open(path, "r+b") as file:
            first = file.read(1)
            file.seek(0)
            file.write(b"b" if first == b"a" else b"a")

    def _delete(self) -> None:
        if self._random.random() < 0.3:
            folders = self._folders()[1:]
            if folders:
                shutil.rmtree(self._random.choice(folders))
            return
        os.unlink(self._random.choice(self._files()))

    def _move(self) -> None:
        what = self._files() if self._random.random() < 0.5 else self._folders()[1:] or self._files()
        os.rename(self._random.choice(what), self._new_path())

    def _change_mode(self) -> None:
        path = self._random.choice(self._files())
        if not os.path.islink(path):
            os.chmod(path, os.stat(path).st_mode ^ 0o111)

    def _link(self) -> None:
        os.symlink(self._random.choice([b"a", b"../src", b"nowhere", b"src", b"."]), self._new_path())

    def _make_folder(self) -> None:
        os.makedirs(self._new_path(), exist_ok=True)

    def _swap_type(self) -> None:
        """A file becomes a folder, a folder a file or a link to where it went."""
        if self._random.random() < 0.5:
            path = self._random.choice(self._files())
            os.unlink(path)
            os.mkdir(path)
            with open(os.path.join(path, b"inner"), "wb") as file:
                file.write(self._content())
            return
        folders = self._folders()[1:]
        if not folders:
            return
        path = self._random.choice(folders)
        aside = os.path.join(self._root, b"moved%d" % self._random.randrange(1000))
        os.rename(path, aside)
        if self._random.random() < 0.5:
            os.symlink(os.path.relpath(aside, os.path.dirname(path)), path)
        else:
            with open(path, "wb") as file:
                file.write(self._content())

    def _change_rules(self) -> None:
        path = os.path.join(self._random.choice(self._folders()), b".gitignore")
        lines = self._random.sample(_PATTERNS, self._random.randrange(0, 4))
        if self._random.random() < 0.2 and os.path.lexists(path):
            os.unlink(path)
        else:
            with open(path, "w") as file:
                file.write("".join(line + "\n" for line in lines))

    def _change_own_rules(self) -> None:
        exclude = Path(self.tree.root, ".git", "info", "exclude")
        exclude.parent.mkdir(exist_ok=True)
        exclude.write_text(self._random.choice(_PATTERNS) + "\n")

    def _change_attributes(self) -> None:
        with open(os.path.join(self._random.choice(self._folders()), b".gitattributes"), "w") as file:
            file.write(self._random.choice(_ATTRIBUTES))

    def _change_conversion(self) -> None:
        self.tree.git("config", "core.autocrlf", self._random.choice(["true", "input", "false"]))

    def _settle(self) -> None:
        """Let everything be staged, and old enough that the index is believed."""
        for path in self._files():
            os.utime(path, (1_500_000_000, 1_500_000_000), follow_symlinks=False)
        self.tree.git("add", "-A", check=False)

    def _touch(self) -> None:
        path = self._random.choice(self._files())
        moment = self._random.randrange(1_500_000_000, 1_600_000_000)
        os.utime(path, (moment, moment), follow_symlinks=False)

    def _stage_all(self) -> None:
        self.tree.git("add", "-A")

    def _stage_some(self) -> None:
        path = os.path.relpath(self._random.choice(self._files()), self._root)
        self.tree.git(
            "add", "-N" if self._random.random() < 0.3 else "-v", "--", os.fsdecode(path), check=False
        )

    def _force_ignored(self) -> None:
        path = os.path.relpath(self._random.choice(self._files()), self._root)
        self.tree.git("add", "-f", "--", os.fsdecode(path), check=False)

    def _untrack(self) -> None:
        path = os.path.relpath(self._random.choice(self._files()), self._root)
        self.tree.git("rm", "-r", "--cached", "-q", "--ignore-unmatch", "--", os.fsdecode(path), check=False)

    def _commit(self) -> None:
        self.tree.git("add", "-A")
        self.tree.git("commit", "-q", "--allow-empty", "-m", "step")

    def _go_back(self) -> None:
        self.tree.git("checkout", "-q", "-f", "HEAD~1", check=False)
