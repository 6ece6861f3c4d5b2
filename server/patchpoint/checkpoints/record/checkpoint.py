"""One checkpoint: its data, its id, and the trailers of its commit message.

See docs/decisions/small-parts.md.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from datetime import datetime, timezone
from enum import Enum
from urllib.parse import unquote

from patchpoint.dataclass import dataclass
from patchpoint.text.regex import regex

VERSION = "1"
"""Version of the layout of the commit message and of the state commit."""

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32 in lower case: sorts as it counts, and no two digits look alike."""
_TIME_DIGITS = 9
_CHANCE_DIGITS = 5
_ID = regex(f"[{_DIGITS}]{{{_TIME_DIGITS + _CHANCE_DIGITS}}}")
_EPOCH_MS = 1_577_836_800_000
"""2020-01-01 in milliseconds since 1970."""

_PREFIX = "Patchpoint-"
_SUBJECT_LENGTH = 72
_LONGEST_COUNT = 9
"""Digits of a number of prompts that is believed."""


class CheckpointKind(str, Enum):
    """Why a checkpoint was taken; the values are the protocol's."""

    MANUAL = "manual"
    BEFORE_APPLY = "beforeApply"
    RUN = "run"
    """Taken by a tool before it lets an agent change the working tree."""
    AFTER_RUN = "afterRun"
    """Taken by a tool after an agent has changed the working tree: what the session did ends there."""
    STEP = "step"
    """Taken within a run, before one command or edit of the agent."""
    AFTER_STEP = "afterStep"
    """Taken within a run, after one command of the agent that changed something."""
    SAFETY = "safety"
    """Before a restore, so that the restore can itself be undone."""


@dataclass(frozen=True, slots=True)
class SkippedPath:
    """A path that a checkpoint does not hold, or a restore left as it was, and why.

    A restore neither overwrites nor deletes what its checkpoint skipped.
    """

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Companion:
    """A checkpoint of another repository, which was taken at the same moment."""

    path: str
    """Its working tree: below the root with `/`, else absolute."""
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A recorded state of the working tree."""

    id: str
    commit: str
    tree: str
    label: str
    session: str | None
    message: str | None
    """With `session` the anchor: the chat message that the checkpoint precedes."""
    branch: str | None
    """Full name of the branch that was checked out, such as `refs/heads/main`; `None` when HEAD was detached
    or there is no repository."""
    head: str | None
    """The commit that was checked out; `None` on an unborn branch or without a repository."""
    root: str
    """Root of the working tree that it is read from. It may have been taken when that had another path."""
    files: int
    skipped: tuple[SkippedPath, ...]
    unchanged: bool
    """Whether the state was the same as that of the checkpoint before it."""
    kind: CheckpointKind
    state: str
    """The state commit, which holds the staged state, unsaved buffers and skipped paths."""
    safety_for: str | None = None
    """Of a safety checkpoint: id of the checkpoint whose restore it precedes."""
    pinned: bool = False
    """Whether it is kept until it is deleted by name."""
    prompt: str | None = None
    """What it was called before it was given another label, if that was the first words of a prompt."""
    agent: str | None = None
    """The agent that it was taken for, by the name that its hook is called with."""
    number: int | None = None
    """Of one before a prompt: which of the agent's prompts in this working tree it is, from 1."""
    prompts: tuple[tuple[int, str], ...] = ()
    """How many prompts of each agent there had been, this one included: the next goes on from there."""
    dropped: tuple[tuple[str, str], ...] = ()
    """Of a safety checkpoint: id and commit of each checkpoint that the restore dropped."""
    included: int = 0
    """How many of the files are such as git ignores; it is never sent anywhere then."""
    companions: tuple[Companion, ...] = ()
    """What other repositories were like: those inside, and those elsewhere in which a tool names files."""

    @property
    def left_out(self) -> tuple[SkippedPath, ...]:
        """What was skipped, but for the repositories of which a companion was taken."""
        taken = {each.path for each in self.companions}
        return tuple(left for left in self.skipped if left.path not in taken)

    @property
    def prompt_name(self) -> str | None:
        """What a person calls it by, such as `claude#12`; `None` where it does not precede a prompt."""
        return None if self.agent is None or self.number is None else f"{self.agent}#{self.number}"

    @property
    def created_at(self) -> str:
        """The time of the checkpoint, as ISO 8601 in UTC with milliseconds."""
        return time_of(self.id)


def new_id(after: str | None = None) -> str:
    """Return a new id of 14 characters: nine count milliseconds since 2020, five are random.

    Ids sort by time. `after` is the newest id known: the new one sorts after it even when the clock was set
    back. Two ids made in the same millisecond are equal once in 33 million times; since the ref of a
    checkpoint is only ever created, never overwritten, the caller then asks for another.
    """
    now = int(time.time() * 1000) - _EPOCH_MS
    if after is not None:
        now = max(now, _number(after[:_TIME_DIGITS]) + 1)
    chance = int.from_bytes(os.urandom(8), "big") >> (64 - 5 * _CHANCE_DIGITS)
    return _digits(now, _TIME_DIGITS) + _digits(chance, _CHANCE_DIGITS)


def chance_of(id_: str) -> str:
    """Return the random end of an id, of which fewer characters tell ids apart than of its beginning."""
    return id_[_TIME_DIGITS:]


def is_id(text: str) -> bool:
    """Return whether `text` has the form of an id."""
    return _ID.fullmatch(text) is not None


def milliseconds_of(id_: str) -> int:
    """Return the time in an id, in milliseconds since 1970."""
    return _number(id_[:_TIME_DIGITS]) + _EPOCH_MS


def time_of(id_: str) -> str:
    """Return the time in an id, as ISO 8601 in UTC with milliseconds."""
    moment = datetime.fromtimestamp(milliseconds_of(id_) / 1000, timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def to_message(checkpoint: Checkpoint) -> bytes:
    """Return the commit message of `checkpoint`: its label, and trailers that `git interpret-trailers` reads.

    What the state commit holds (skipped paths) and what the commit itself holds (its tree) is not repeated.
    """
    trailers: dict[str, str | None] = {
        "Version": VERSION,
        "Id": checkpoint.id,
        "Kind": checkpoint.kind.value,
        "Label": checkpoint.label,
        "Session": checkpoint.session,
        "Message": checkpoint.message,
        "Branch": checkpoint.branch,
        "Head": checkpoint.head,
        "State": checkpoint.state,
        "Root": checkpoint.root,
        "Files": str(checkpoint.files),
        "Skipped": str(len(checkpoint.skipped)) if checkpoint.skipped else None,
        "Included": str(checkpoint.included) if checkpoint.included else None,
        "Unchanged": "true" if checkpoint.unchanged else None,
        "Safety-For": checkpoint.safety_for,
        "Prompt": checkpoint.prompt,
        "Agent": checkpoint.agent,
        "Number": None if checkpoint.number is None else str(checkpoint.number),
    }
    lines = [f"{_PREFIX}{key}: {_escaped(value)}" for key, value in trailers.items() if value is not None]
    lines += [f"{_PREFIX}Dropped: {id_} {commit}" for id_, commit in checkpoint.dropped]
    lines += [f"{_PREFIX}Companion: {each.id} {_escaped(each.path)}" for each in checkpoint.companions]
    lines += [f"{_PREFIX}Prompts: {count} {_escaped(agent)}" for count, agent in checkpoint.prompts]
    subject = " ".join(checkpoint.label.split())[:_SUBJECT_LENGTH] or f"Checkpoint {checkpoint.id}"
    return "\n".join([subject, "", *lines, ""]).encode("utf-8", "surrogateescape")


def trailers_of(message: bytes) -> Mapping[str, tuple[str, ...]]:
    """Return the trailers of a checkpoint's commit message by key, without the prefix `Patchpoint-`."""
    found: dict[str, tuple[str, ...]] = {}
    paragraphs = message.decode("utf-8", "surrogateescape").rstrip("\n").split("\n\n")
    for line in paragraphs[-1].split("\n") if len(paragraphs) > 1 else ():
        key, colon, value = line.partition(": ")
        if colon and key.startswith(_PREFIX):
            key = key[len(_PREFIX) :]
            found[key] = (*found.get(key, ()), unquote(value, "utf-8", "surrogateescape"))
    return found


def from_trailers(
    id_: str,
    commit: str,
    tree: str,
    trailers: Mapping[str, tuple[str, ...]],
    skipped: tuple[SkippedPath, ...],
    root: str,
) -> Checkpoint | None:
    """Return the checkpoint that a commit's trailers describe, or `None` if the commit is not a checkpoint.

    `id_` is the last part of its ref's name; `skipped` comes from the state commit; `root` is that of the
    working tree at hand. The path in the trailers is another one where the project was copied or moved.
    """
    if "Id" not in trailers or "State" not in trailers:
        return None

    def value(key: str) -> str | None:
        return trailers[key][0] if key in trailers else None

    try:
        kind = CheckpointKind(value("Kind") or "manual")
    except ValueError:
        kind = CheckpointKind.MANUAL
    files, included = value("Files") or "", value("Included") or ""
    return Checkpoint(
        id=id_,
        commit=commit,
        tree=tree,
        label=value("Label") or "",
        session=value("Session"),
        message=value("Message"),
        branch=value("Branch"),
        head=value("Head"),
        root=root,
        files=int(files) if files.isdecimal() else 0,
        skipped=skipped,
        unchanged=value("Unchanged") == "true",
        kind=kind,
        state=value("State") or "",
        safety_for=value("Safety-For"),
        prompt=value("Prompt"),
        dropped=tuple(_pair(text) for text in trailers.get("Dropped", ())),
        included=int(included) if included.isdecimal() else 0,
        companions=tuple(_companion(text) for text in trailers.get("Companion", ())),
        agent=value("Agent"),
        number=_count(value("Number") or ""),
        prompts=tuple(
            (count, agent)
            for text in trailers.get("Prompts", ())
            for number, agent in [_pair(text)]
            if (count := _count(number)) is not None
        ),
    )


def _escaped(value: str) -> str:
    """Return `value` on one line: control characters, line ends and outer spaces as `%XX`."""
    value = value.translate(_ESCAPES)
    if value[:1].isspace():
        value = _percent(value[0]) + value[1:]
    if value[-1:].isspace():
        value = value[:-1] + _percent(value[-1])
    return value


def _percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


_ESCAPES = {
    ord(each): _percent(each) for each in ("%", *map(chr, range(0x20)), "\x7f", "\x85", "\u2028", "\u2029")
}


def _count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_COUNT else None


def _pair(text: str) -> tuple[str, str]:
    id_, _, commit = text.partition(" ")
    return id_, commit


def _companion(text: str) -> Companion:
    id_, _, path = text.partition(" ")
    return Companion(path, id_)


def _digits(number: int, width: int) -> str:
    text = ""
    for _ in range(width):
        number, digit = divmod(number, 32)
        text = _DIGITS[digit] + text
    return text


def _number(text: str) -> int:
    number = 0
    for character in text:
        number = number * 32 + _DIGITS.index(character)
    return number
