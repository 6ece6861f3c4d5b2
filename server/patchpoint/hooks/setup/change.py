"""What setting up an agent, or undoing that, changes in its configuration file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from patchpoint.dataclass import dataclass
from patchpoint.hooks.setup.json_edit import has_container, items_at, with_item, without_items
from patchpoint.hooks.setup.places import SERVER_NAME, SERVER_TOOL, AgentPlace
from patchpoint.structure.json.scan import JsonError, Shape, Value
from patchpoint.text.regex import regex

_OURS = regex(r"""(?:^|[\\/"'\s])(?:-m\s+)?patchpoint(?:\.exe)?["']?\s+hook(?:\s|$)""")
_SERVER_TYPE = "mcp_tool"
_COMMAND_KEYS = ("command", "bash", "powershell")
_MARK = "// Written by `patchpoint setup "


class SetupError(Exception):
    """The configuration file cannot be changed; the message names it and says what to do."""


@dataclass(frozen=True, slots=True)
class Prior:
    """What a file was before it was set up, so that it can be exactly that again."""

    before: str | None
    """`None` if there was none."""
    after: str
    created: dict[str, int]
    """By event how many containers were created for it."""


@dataclass(frozen=True, slots=True)
class SetupChange:
    """The change of one file: its text before and after; `None` where there is no file."""

    place: AgentPlace
    path: Path
    before: str | None
    after: str | None
    prior: Prior | None = None
    """What to remember of the file as it is before."""

    @property
    def is_change(self) -> bool:
        """Whether anything changes."""
        return self.before != self.after


def added(
    place: AgentPlace, path: Path, text: str | None, prior: Prior | None, command: list[str], shown: str
) -> SetupChange:
    """Return the change that has the agent call the hook by `command`; `shown` is that for a shell.

    `text` is the file's, and `prior` what is remembered of an earlier set-up. Raises `SetupError`.
    """
    if not place.entries:
        if text is not None and _MARK not in text:
            raise SetupError(f"{path} was not written by Patchpoint; move it away first.")
        after = place.plugin(command)
        return SetupChange(place, path, text, after, Prior(None, after, {}))
    with _naming(path):
        if text is not None and _is_complete(place, text, shown):
            return SetupChange(place, path, text, text, prior)
        # Without what an earlier set-up added, it is what is to come back when it is removed.
        before = removed(place, path, text, prior).after
        after, created = before if before is not None and before.strip() else place.base, {}
        for event in place.entries:
            keys = ("hooks", event)
            created[event] = 2 - has_container(after, keys[:1]) - has_container(after, keys)
            after = with_item(after, keys, place.entry(event, shown))
        # Those of later events find what was created for the first.
        most = max(created.values())
        created = {event: most if count else 0 for event, count in created.items()}
    return SetupChange(place, path, text, after, Prior(before, after, created))


def removed(place: AgentPlace, path: Path, text: str | None, prior: Prior | None) -> SetupChange:
    """Return the change that has the agent call the hook no more. Raises `SetupError`.

    A file that is still as it was written becomes what it was before, to the byte; from any other, only what
    is ours is taken out.
    """
    if text is None:
        return SetupChange(place, path, None, None)
    if prior is not None and text == prior.after:
        return SetupChange(place, path, text, prior.before)
    if not place.entries:
        return SetupChange(place, path, text, None if _MARK in text else text)
    with _naming(path):
        after = _without(place, text, prior.created if prior is not None else {})
        was_created = place.is_own or (prior is not None and prior.before is None)
        if was_created and after.split() == place.base.split() and after != text:
            return SetupChange(place, path, text, None)
    return SetupChange(place, path, text, after)


def commands_of(place: AgentPlace, path: Path, text: str) -> list[str]:
    """Return the commands by which the configuration at `path` calls the hook; none if it is not set up.

    Raises `SetupError` when it is no JSON.
    """
    if not place.entries:
        found = re.search(r"^const COMMAND = (\[.*\]);$", text, re.MULTILINE)
        try:
            words = json.loads(found[1]) if found is not None and _MARK in text else []
        except ValueError:
            return []
        return [" ".join([*map(str, words), "hook", place.name])] if words else []
    with _naming(path):
        return list(_commands(place, text))


def _is_complete(place: AgentPlace, text: str, shown: str) -> bool:
    return set(_commands(place, text)) == {shown} and all(
        [_asks_server(item) for item in _ours(text, event)] == [_SERVER_TYPE in json.dumps(entry)]
        if (entry := place.entries.get(event)) is not None
        else not _ours(text, event)
        for event in _events(place)
    )


def _events(place: AgentPlace) -> list[str]:
    return list(dict.fromkeys((*place.entries, *place.other_events)))


def _without(place: AgentPlace, text: str, created: dict[str, int]) -> str:
    """Return `text` without the entries of ours, and without the groups that hold nothing else."""
    for event in _events(place):
        keys = ("hooks", event)
        text = without_items(text, keys, _is_ours, created.get(event, 2))
    return text


def _ours(text: str, event: str) -> list[Value]:
    return [item for item in items_at(text, ("hooks", event)) if _is_ours(item)]


def _is_ours(item: Value) -> bool:
    """Return whether an entry, or each handler of a group, calls our hook."""
    hooks = item.member("hooks")
    if hooks is not None and hooks.value.shape is Shape.LIST:
        return bool(hooks.value.items) and all(map(_is_ours, hooks.value.items))
    if item.text_of("type") == _SERVER_TYPE:
        return (item.text_of("server"), item.text_of("tool")) == (SERVER_NAME, SERVER_TOOL)
    return any(_OURS.search(item.text_of(key)) for key in _COMMAND_KEYS)


def _asks_server(item: Value) -> bool:
    hooks = item.member("hooks")
    return hooks is not None and any(one.text_of("type") == _SERVER_TYPE for one in hooks.value.items)


def _commands(place: AgentPlace, text: str) -> Iterator[str]:
    for event in place.entries:
        for item in _ours(text, event):
            hooks = item.member("hooks")
            for handler in hooks.value.items if hooks is not None else (item,):
                if handler.text_of("type") != _SERVER_TYPE:
                    yield next(filter(None, (handler.text_of(key) for key in _COMMAND_KEYS)), "")


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Say which file cannot be changed."""
    try:
        yield
    except JsonError as error:
        raise SetupError(f"{path} cannot be read: {error}. Fix it first.") from error
