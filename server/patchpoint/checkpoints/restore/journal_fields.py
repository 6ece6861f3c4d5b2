"""Decode the fields of a restore's journal strictly: each is what a restore could have written, or an error.

Every method raises `ValueError` for a field that is missing or wrong; its text is a clause for a message.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from typing import Any, TypeVar

from dulwich.refs import Ref, check_ref_format

from patchpoint.checkpoints.record.checkpoint import is_id
from patchpoint.checkpoints.restore.plan import WorktreeChange, directories_above
from patchpoint.checkpoints.restore.staging import staged_name, staged_path
from patchpoint.checkpoints.restore.worktree import RestoreStep
from patchpoint.git.objects.reader import Entry
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.paths import is_safe_path
from patchpoint.operations.log import Cause, cause_of
from patchpoint.text.regex import regex

_ENTRY = regex(r"(1[0-7]{5}) ([0-9a-f]+)")
_SHOWN_LENGTH = 60

_Type = TypeVar("_Type")


class JournalFields:
    """The fields of one JSON object of a journal, in a repository whose ids have `digits` digits."""

    def __init__(self, fields: dict[str, Any], digits: int) -> None:
        self._fields = fields
        self._digits = digits

    def at(self, name: str, kind: type[_Type]) -> _Type:
        """Return the field `name`, which has to be of the type `kind`."""
        value = self._fields.get(name)
        if not isinstance(value, kind):
            raise _wrong(name, value)
        return value

    def text_or_none(self, name: str) -> str | None:
        """Return a text, or `None` for a field that is null or missing."""
        return None if self._fields.get(name) is None else self.at(name, str)

    def within(self, name: str) -> JournalFields | None:
        """Return the fields of the object at `name`, or `None` for null."""
        if self._fields.get(name) is None:
            return None
        return JournalFields(self.at(name, dict), self._digits)

    def id(self, name: str) -> str:
        """Return the id of a checkpoint."""
        return self._checked_id(name, self.at(name, str))

    def oid(self, name: str) -> str:
        """Return the hexadecimal object id of a commit."""
        return self._checked_oid(name, self.at(name, str))

    def oid_or_none(self, name: str) -> str | None:
        """Return the hexadecimal object id of a commit, or `None` for null."""
        return None if self._fields.get(name) is None else self.oid(name)

    def head_ref(self, name: str) -> str:
        """Return `HEAD`, or the full name of a branch."""
        value = self.at(name, str)
        is_branch = value.startswith("refs/heads/") and check_ref_format(Ref(os.fsencode(value)))
        if value != "HEAD" and not is_branch:
            raise _wrong(name, value)
        return value

    def checkpoints(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return a list of checkpoints: id and commit of each."""
        found = []
        for pair in self.at(name, list):
            match pair:
                case [str(id_), str(commit)]:
                    found.append((self._checked_id(name, id_), self._checked_oid(name, commit)))
                case _:
                    raise _wrong(name, pair)
        return tuple(found)

    def cause_or_none(self, name: str) -> Cause | None:
        """Return what the log of operations says, or `None` for a field that is null or missing."""
        return None if self._fields.get(name) is None else cause_of(self._fields[name])

    def steps(self, name: str, safety: str, *, is_part: bool = False) -> tuple[RestoreStep, ...]:
        """Return the steps of the restore whose safety checkpoint is `safety`, or with `is_part` some.

        Each path lies in the working tree and outside of every `.git`. A new content is staged under a name
        of ours, in the staging directory of this restore or in a directory above its path.
        """
        found = []
        for number, fields in enumerate(self.at(name, list)):
            match fields:
                case [str(path), (str() | None) as old, (str() | None) as new, (str() | None) as staged]:
                    change = WorktreeChange(os.fsencode(path), self._entry(name, old), self._entry(name, new))
                    step = RestoreStep(change, None if staged is None else os.fsencode(staged))
                    found.append(step)
                case _:
                    raise _wrong(name, fields)
            if (
                change.old == change.new
                or not _may_change(change)
                or not (is_part or _is_staged_by_us(step, safety, number))
            ):
                raise _wrong(name, fields)
        if len({step.change.path for step in found}) != len(found):
            raise ValueError(f"its field '{name}' has a path twice")
        return tuple(found)

    def _entry(self, name: str, text: str | None) -> Entry | None:
        """Return the entry of a regular file or a symbolic link."""
        if text is None:
            return None
        match = _ENTRY.fullmatch(text)
        if match is None:
            raise _wrong(name, text)
        mode = int(match[1], 8)
        if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
            raise _wrong(name, text)
        return Entry(mode, ObjectID(self._checked_oid(name, match[2]).encode()))

    def _checked_id(self, name: str, value: str) -> str:
        if not is_id(value):
            raise _wrong(name, value)
        return value

    def _checked_oid(self, name: str, value: str) -> str:
        if re.fullmatch(f"[0-9a-f]{{{self._digits}}}", value) is None:
            raise _wrong(name, value)
        return value


def _may_change(change: WorktreeChange) -> bool:
    """Return whether a restore may write or delete this path.

    A file that only another system would take for `.git` can exist here, and then it may be deleted.
    """
    path = change.path
    if b"\0" in path or (sys.platform == "win32" and (b"\\" in path or b":" in path)):
        return False
    if change.new is not None or sys.platform in ("win32", "darwin"):
        return is_safe_path(path)
    return all(name not in (b"", b".", b"..") and name.lower() != b".git" for name in path.split(b"/"))


def _is_staged_by_us(step: RestoreStep, safety: str, number: int) -> bool:
    if step.staged is None or step.change.new is None:
        return step.staged is None and step.change.new is None
    if step.staged == staged_path(safety, b"%d" % number):
        return True
    directory, _, name = step.staged.rpartition(b"/")
    if name != staged_name(safety, b"%d" % number):
        return False
    if step.staged.startswith(b"/"):
        return False
    return directory in (b"", *directories_above(step.change.path))


def _wrong(name: str, value: object) -> ValueError:
    shown = repr(value)
    if len(shown) > _SHOWN_LENGTH:
        shown = shown[:_SHOWN_LENGTH] + "…"
    return ValueError(f"its field '{name}' may not be {shown}")
