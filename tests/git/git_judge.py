"""A working tree that real git made and judges."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.copied import copy_repository

_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def environment() -> dict[str, str]:
    """What git is run with: nothing of this machine's configuration."""
    return {**{name: value for name, value in os.environ.items() if name[:4] != "GIT_"}, **_ENVIRONMENT}


@dataclass(frozen=True)
class WorkingTree:
    """A folder with files, and git to ask about it."""

    root: Path

    @classmethod
    def create(cls, root: Path, *arguments: str) -> WorkingTree:
        """A new repository with one commit on branch main, of `a.txt`, `src/b.txt` and `.gitignore`."""
        if arguments:
            _make(root, *arguments)
        else:
            copy_repository(_make, root)
        return cls(root)

    def git(self, *arguments: str, check: bool = True, stdin: str | None = None) -> str:
        """What git prints."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env=environment(),
            input=stdin,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    def commit(self, message: str) -> str:
        """Commit everything; the commit's name."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write each file, or delete it (`None`)."""
        for path, content in files.items():
            place = self.root / path
            if content is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.encode() if isinstance(content, str) else content)

    def files(self) -> dict[str, tuple[int, bytes]]:
        """Every file and link outside `.git`: its type and permissions, and its bytes or target."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name != ".git"]
            links = [name for name in folders if (Path(folder) / name).is_symlink()]
            for name in [*names, *links]:
                path = Path(folder) / name
                mode = path.lstat().st_mode
                content = os.fsencode(path.readlink()) if stat.S_ISLNK(mode) else path.read_bytes()
                found[str(path.relative_to(self.root))] = (mode, content)
        return found

    def staged(self) -> str:
        """All entries of the index, with their flags."""
        return self.git("ls-files", "-s", "-v") + self.git("diff", "--cached", "--raw", "--no-renames")

    def refs(self) -> str:
        """All refs but the private ones, and HEAD."""
        listed = self.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        own = "\n".join(line for line in listed if not line.startswith("refs/patchpoint/"))
        return (
            own
            + self.git("symbolic-ref", "-q", "HEAD", check=False)
            + self.git("rev-parse", "HEAD", check=False)
        )

    def objects(self) -> set[str]:
        """The ids of all objects, whether anything refers to them or not."""
        return set(self.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split())

    def loosen(self) -> None:
        """Make all packed objects loose."""
        for pack in sorted((self.root / ".git/objects/pack").glob("*.pack")):
            aside = pack.replace(self.root / ".git" / "aside")
            for file in pack.parent.glob(f"{pack.stem}.*"):
                file.unlink()
            with aside.open("rb") as packed:
                subprocess.run(["git", "unpack-objects", "-q"], cwd=self.root, stdin=packed, check=True)
            aside.unlink()

    def refuse_damage(self) -> None:
        """Fail when git finds anything wrong with the repository."""
        assert self.git("fsck", "--strict", "--no-dangling", "--connectivity-only") == ""


def _make(root: Path, *arguments: str) -> None:
    root.mkdir(parents=True)
    tree = WorkingTree(root)
    tree.git("init", "-q", "-b", "main", *arguments)
    tree.write({"a.txt": "one\ntwo\nthree\n", "src/b.txt": "b\n", ".gitignore": "*.log\nbuild/\n"})
    tree.commit("first")


def what_git_ignores(tree: WorkingTree, paths: list[str]) -> set[str]:
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=tree.root,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        input="\0".join(paths).encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return set(done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1])
