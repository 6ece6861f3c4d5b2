"""What git is in the middle of, as its files in the git directory say: the other half of a conflicted index.

A merge, or the cherry-pick or revert of one commit, is a handful of small files, which are brought back as
they were. What goes on in steps (a rebase, several commits, a bisect) is only recognised, never written: it
moves refs of its own, and a list of steps can name programs to run.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from patchpoint.dataclass import dataclass, field
from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.git.index.read import names_under_way
from patchpoint.git.paths import is_safe_path
from patchpoint.git.repository import Repository
from patchpoint.text.regex import regex

HEADS = {"CHERRY_PICK_HEAD": "cherry-pick", "REVERT_HEAD": "revert", "MERGE_HEAD": "merge"}
"""The files that name the commits which are merged, picked or reverted, and what that is called."""
_AUTOSTASH = "MERGE_AUTOSTASH"
_RERERE = "MERGE_RR"
_FILES = ("MERGE_MSG", "MERGE_MODE", "SQUASH_MSG", "AUTO_MERGE", _RERERE, _AUTOSTASH, *HEADS)
"""Those that are brought back. Git looks for the heads first, so they come last, and go first."""
_REBASES = {"rebase-merge": "rebase", "rebase-apply/applying": "am", "rebase-apply": "rebase"}
"""Within these, the files of a merge or of a cherry-pick belong to one of their steps."""
_STEPS = {**_REBASES, "sequencer": "cherry-pick", "BISECT_LOG": "bisect"}
_RECORDED_STEPS = "steps"
_LARGEST = 1 << 20
"""Bytes of a file that is brought back."""
_ID = regex(rb"(?m)^[0-9a-f]{40}(?:[0-9a-f]{24})?$")
_RESOLUTIONS = regex(rb"(?:[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\.[0-9]+)?\t[^\x00]+\x00)*")


@dataclass(frozen=True, slots=True)
class UnderWay:
    """What git is in the middle of; nothing, where it has no files."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    """The content of each file of a merge, a cherry-pick or a revert, by name."""
    steps: Mapping[str, str] = field(default_factory=dict)
    """Of what goes on in steps, and of each file that cannot be read as one of the others: by name, what
    changes with each step."""

    @classmethod
    def from_record(cls, files: Mapping[str, bytes]) -> UnderWay:
        """Return what `to_record` was called on."""
        lines = files.get(_RECORDED_STEPS, b"").decode("ascii", "replace").splitlines()
        steps = {name: digest for name, _, digest in (line.partition(" ") for line in lines)}
        return cls(_safe(files), steps)

    def to_record(self) -> dict[str, bytes]:
        """Return it as files by name: those of git's own, and one that lists the steps."""
        steps = "".join(f"{name} {digest}\n" for name, digest in self.steps.items())
        return {**self.files, **({_RECORDED_STEPS: steps.encode("ascii")} if steps else {})}

    @property
    def heads(self) -> dict[str, bytes]:
        """Those of the files that name commits which are merged, picked or reverted."""
        return {name: content for name, content in self.files.items() if name in HEADS}

    @property
    def operation(self) -> str | None:
        """What git calls it, such as `merge`; `None` where it is in the middle of nothing."""
        for name, operation in (_REBASES | HEADS | _STEPS).items():
            if name in self.steps or name in self.files:
                return operation
        return "merge" if self.steps else None

    @property
    def commits(self) -> tuple[str, ...]:
        """The commits that the files name, which it cannot go on without."""
        named = (content for name, content in self.files.items() if name in HEADS or name == _AUTOSTASH)
        found = (each.decode("ascii") for content in named for each in _ID.findall(content))
        return tuple(dict.fromkeys(found))


def read_under_way(repository: Repository) -> UnderWay:
    """Return what git is in the middle of in the working tree of `repository`."""
    names = names_under_way(repository)
    directory = Path(os.fsdecode(repository.gitdir))
    files: dict[str, bytes] = {}
    steps: dict[str, str] = {}
    for name in _FILES:
        if name in names:
            try:
                files[name] = read_own_file(directory / name, largest=_LARGEST)
            except OSError:
                steps[name] = _digest(directory / name)
    for name in _STEPS:
        if name.partition("/")[0] in names and os.path.lexists(directory / name):
            steps[name] = _digest(directory / name)
    return UnderWay(_safe(files), steps)


def set_under_way(repository: Repository, wanted: UnderWay) -> None:
    """Make the files of a merge, a cherry-pick or a revert those of `wanted`; the steps stay. Idempotent.

    The caller holds the lock of the index. Raises `OSError`.
    """
    from patchpoint.filesystem.atomic_write import Durability, write_atomically

    directory = Path(os.fsdecode(repository.gitdir))
    files = wanted.files
    for name in reversed(_FILES):
        if name not in files:
            with suppress(FileNotFoundError):
                (directory / name).unlink()
    for name in _FILES:
        if name in files and _content(directory / name) != files[name]:
            temporary = f"{name}.patchpoint"
            write_atomically(
                directory / name, files[name], durability=Durability.CONTENT, temporary=temporary
            )


def _safe(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return those of the files that are ours to write, without paths that git would follow out of the
    tree."""
    safe = {name: files[name] for name in _FILES if name in files}
    resolutions = safe.get(_RERERE)
    if resolutions is not None:
        paths = (record.partition(b"\t")[2] for record in resolutions.split(b"\x00")[:-1])
        if not _RESOLUTIONS.fullmatch(resolutions) or not all(map(is_safe_path, paths)):
            del safe[_RERERE]
    return safe


def _content(place: Path) -> bytes | None:
    try:
        return read_own_file(place, largest=_LARGEST)
    except OSError:
        return None


def _digest(place: Path) -> str:
    """Return what changes with each step: made of names, sizes and times, for there may be many files."""
    lines = sorted(f"{path}\0{size}\0{time}\n" for path, size, time in _stats(place))
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _stats(place: Path, below: str = "") -> Iterator[tuple[str, int, int]]:
    with suppress(OSError):
        status = place.lstat()
        if not stat.S_ISDIR(status.st_mode):
            yield below, status.st_size, status.st_mtime_ns
            return
        for name in os.listdir(place):
            yield from _stats(place / name, f"{below}/{name}")
