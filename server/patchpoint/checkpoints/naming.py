"""The checkpoint that a person names: by its id, its age, or the prompt, the message or the moment after it.

    06ak0r7m2bpbkf   its id; 06ak0r7m, or as much of it as no other begins with; or bpbk, of its random end
    last, last~2     the newest, and the one that is two before it
    claude#12        the one before the twelfth prompt of claude; claude#last, claude#last~2
    "write tests"    the one before the prompt with these words, or called so; :/tests for a single word
    before-tax       the one that is called exactly so, where no id begins so
    @{14:30}         the newest at that moment
    @17, @chat:17    the one before message 17, of the one session that has it or of the session `chat`; of
                     both, a beginning will do that no other has
    @prompt:17       as @17

A name that could mean two is refused; none is guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import (
    AmbiguousCheckpointError,
    AmbiguousSessionError,
    CheckpointDamagedError,
    CheckpointNotFoundError,
)
from patchpoint.checkpoints.record.checkpoint import CheckpointKind, chance_of, is_id, time_of
from patchpoint.checkpoints.record.moments import moment_named
from patchpoint.checkpoints.record.turns import turn_of
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from patchpoint.checkpoints.maintenance.elsewhere import Elsewhere
    from patchpoint.checkpoints.mirror.register import Registered
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.store import CheckpointStore


_AGE = regex(r"last(?:~(\d{1,9}))?")
_PROMPT = regex(r"@?([^#\s]+)#(?:(\d{1,9})|last(?:~(\d{1,9}))?)")
_MOMENT = regex(r"@\{([^{}]+)\}")
_SEARCH = ":/"
"""What a word of a prompt begins with, as of a commit's message in git."""
_SHORTEST = 4
"""Characters of an id: fewer are more likely a slip than a name, as for git."""
_SHORT_LENGTHS = (4, 5)
_ANY_SESSION = "prompt"
_NAMED_BY_WORDS = (CheckpointKind.MANUAL, CheckpointKind.RUN, CheckpointKind.BEFORE_APPLY)
"""What is named by words: neither steps, which repeat themselves, nor what follows a prompt."""


def id_named(store: CheckpointStore, name: str) -> str:
    """Return the id of the checkpoint that `name` means in `store`; an id is returned as it is.

    One that is elsewhere (see `CheckpointStore.elsewhere`) is brought back. Its id names it, or the beginning
    of that, and `last` where there is no other. Raises `CheckpointNotFoundError`, `AmbiguousCheckpointError`.
    """
    try:
        return _id_here(store, name)
    except CheckpointNotFoundError:
        return _brought_back(store, name)


def _id_here(store: CheckpointStore, name: str) -> str:
    if is_id(name):
        with suppress(CheckpointDamagedError):
            store.show(name)
        return name
    age = _AGE.fullmatch(name)
    if age is not None:
        found = store.list()[int(age[1] or 0) :][:1]
    elif (moment := _MOMENT.fullmatch(name)) is not None:
        found = _at_moment(store, name, moment[1])
    else:
        found = _before_prompt(store, name)
        if not found and name.startswith("@"):
            found = _before_message(store, name[1:])
        elif not found and (name.startswith(_SEARCH) or " " in name.strip()):
            found = _with_words(store, name.removeprefix(_SEARCH))
        elif not found:
            every = (*store.list(), *store.list(safety=True))
            found = tuple(one for one in every if len(name) >= _SHORTEST and _id_begins(one.id, name))
            found = found or tuple(one for one in store.list() if name and one.label == name)
    if not found:
        raise CheckpointNotFoundError(name)
    if len(found) > 1:
        raise AmbiguousCheckpointError(name, [_described(one) for one in found])
    return found[0].id


def _brought_back(store: CheckpointStore, name: str) -> str:
    """Bring the checkpoint back that `name` means among those that are elsewhere, and return its id."""
    groups = store.elsewhere()
    age = _AGE.fullmatch(name)
    found: list[tuple[Elsewhere, Registered]] = []
    if age is not None and not store.list():
        nearest = next((group for group in groups if group.is_own and group.asked_for), None)
        if nearest is not None:
            found = [(nearest, each) for each in nearest.asked_for[int(age[1] or 0) :][:1]]
    elif age is None and len(name) >= _SHORTEST:
        every = [(group, each) for group in groups for each in group.entries]
        found = [(group, each) for group, each in every if _id_begins(each.id, name)]
    ids = {each.id for _, each in found}
    if len(ids) > 1:
        raise AmbiguousCheckpointError(name, sorted(ids))
    for group, each in found:
        if store.bring_back(group, {each.id}):
            return each.id
    if ids:
        raise CheckpointDamagedError(
            f"Checkpoint '{min(ids)}' was here, and cannot be brought back: what it needs is missing from "
            "its copy, too. 'patchpoint list' names the others."
        )
    lost = next((group.says for group in groups if group.is_own and group.asked_for), "")
    raise CheckpointNotFoundError(
        name, lost and f"{lost}; 'patchpoint doctor --repair' brings back all it can"
    )


def short_ids(ids: Iterable[str], among: Iterable[str]) -> dict[str, str]:
    """Return for each of `ids` as much of its random end as names it among others, or all of it."""
    begun = Counter[str]()
    for id_ in {*among}:
        begun.update({part[:length] for part in (id_, chance_of(id_)) for length in _SHORT_LENGTHS})
    return {
        id_: next(
            (chance_of(id_)[:length] for length in _SHORT_LENGTHS if begun[chance_of(id_)[:length]] <= 1), id_
        )
        for id_ in ids
    }


def session_named(store: CheckpointStore, name: str) -> str:
    """Return the session that `name` means: the one of that name, or else the only one that begins so.

    Where there is neither, it is `name`. Raises `AmbiguousSessionError`.
    """
    known = {one.session for one in store.list() if one.session is not None}
    found = sorted(session for session in known if session.startswith(name))
    if name in known or len(name) < _SHORTEST or not found:
        return name
    if len(found) > 1:
        raise AmbiguousSessionError(name, found)
    return found[0]


def turn_named(store: CheckpointStore, name: str) -> tuple[str, str | None]:
    """Return the session and the turn that `name` means: a prompt such as `claude#12`, or else a session.

    Raises what `id_named` and `session_named` raise.
    """
    for one in _before_prompt(store, name):
        if one.session is not None:
            return one.session, one.message
    return session_named(store, name), None


def _id_begins(id_: str, name: str) -> bool:
    return id_.startswith(name.lower()) or chance_of(id_).startswith(name.lower())


def _before_prompt(store: CheckpointStore, name: str) -> tuple[Checkpoint, ...]:
    """Return the checkpoints before the prompt that `name` means: of several, each that it could be."""
    asked = _PROMPT.fullmatch(name)
    if asked is None:
        return ()
    agent, number, age = asked.groups()
    own = [one for one in store.list() if one.agent == agent and one.number is not None]
    if number is None:
        return tuple(own[int(age or 0) :][:1])
    return tuple(one for one in own if one.number == int(number))


def _at_moment(store: CheckpointStore, name: str, text: str) -> tuple[Checkpoint, ...]:
    moment = moment_named(text, datetime.now().astimezone())
    if moment is None:
        raise CheckpointNotFoundError(name)
    until = moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.999Z")
    return tuple(one for one in store.list() if time_of(one.id) <= until)[:1]


def _with_words(store: CheckpointStore, words: str) -> tuple[Checkpoint, ...]:
    """Return the checkpoints before a prompt with these words, or called so: those just so, if any."""
    wanted = " ".join(words.split()).casefold()
    said = {
        one: " ".join((turn_of(one).prompt or one.label).split()).casefold()
        for one in store.list()
        if one.kind in _NAMED_BY_WORDS
    }
    return tuple(one for one, text in said.items() if text == wanted) or tuple(
        one for one, text in said.items() if wanted and wanted in text
    )


def _before_message(store: CheckpointStore, text: str) -> tuple[Checkpoint, ...]:
    """Return the checkpoint before the message that `text` names: one for each that it could be.

    Sessions and messages may have colons in them, so that every colon may be the one between them.
    """
    every = store.list()
    colons = [at for at, character in enumerate(text) if character == ":"]
    readings = [(text[:at], text[at + 1 :]) for at in colons if text[:at] and text[at + 1 :]]
    anchors = {(one.session, one.message) for one in every if one.session and one.message}
    meant = {
        (session, message)
        for session, message in anchors
        if _begins(message, text)
        or any(_begins(message, wanted) and _is_meant(session, named) for named, wanted in readings)
    }
    exactly = meant & set(readings) or {
        (session, message)
        for session, message in meant
        if message == text or any(message == wanted for _, wanted in readings)
    }
    anchored: dict[tuple[str, str], list[Checkpoint]] = {anchor: [] for anchor in sorted(exactly or meant)}
    for one in every:
        if one.session and one.message and (one.session, one.message) in anchored:
            anchored[one.session, one.message].append(one)
    return tuple(_since_set_back(store, session, found) for (session, _), found in anchored.items())


def _begins(message: str, named: str) -> bool:
    """Return whether `named` is a message or enough of its beginning."""
    return message == named or (len(named) >= _SHORTEST and message.startswith(named))


def _is_meant(session: str, named: str) -> bool:
    """Return whether `named` is a session or its beginning, or any is meant."""
    return named == _ANY_SESSION or session.startswith(named)


def _since_set_back(store: CheckpointStore, session: str, found: Sequence[Checkpoint]) -> Checkpoint:
    """Return the first before the message since its session was set back, as a restore to it does."""
    since = store.session(session).since or ""
    return min(found, key=lambda one: (one.id < since, one.id))


def _described(checkpoint: Checkpoint) -> str:
    if checkpoint.prompt_name is not None:
        return f"{checkpoint.id} ({checkpoint.prompt_name})"
    if checkpoint.session is None:
        return checkpoint.id
    return f"{checkpoint.id} of session {checkpoint.session}"
