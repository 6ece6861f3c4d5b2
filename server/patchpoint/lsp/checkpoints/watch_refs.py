"""Changes by other programs: to checkpoints, and to the closed files that edits are for.

A client that watches files for the server reports changes at once. For all other clients, and for changes
that a client misses, the server polls every `POLL_SECONDS`, at the cost of a few stats in a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.lsp.checkpoints.listing import KnownCheckpoints, Stamp, stamp_of
from patchpoint.schema.uris import path_of, uri_of
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session

POLL_SECONDS = 1.5
"""Seconds between two polls when the client reports no change."""

_MAX_FILES = 500
_GLOB = regex(r"[*?{}\[\]!,\\]")
"""Characters that have a meaning in a client's glob pattern; a name with one cannot be watched."""
_MOST_NAMES = 20
"""Names of one directory that are watched one by one; where there are more, all of it is."""


class OutsideChanges:
    """Polls for changes by other programs, and passes them on.

    `waited_for` returns the URIs of the files that edits are for; `changed` is called with each that changed.
    """

    def __init__(
        self,
        session: Session,
        checkpoints: KnownCheckpoints,
        waited_for: Callable[[], Iterable[str]],
        changed: Callable[[str], None],
    ) -> None:
        self._session = session
        self._checkpoints = checkpoints
        self._waited_for = waited_for
        self._changed = changed
        self._stamps: dict[str, Stamp] = {}
        self._watched: set[tuple[Path, str]] = set()
        self._woken = asyncio.Event()

    def poll_soon(self) -> None:
        """Poll now, because the client reported a change."""
        self._woken.set()

    async def poll(self) -> None:
        """Poll until the session ends."""
        while True:
            try:
                await self._poll_once()
            except Exception as error:
                # A poll that fails must not be the last one.
                self._session.trace_line(
                    f"Could not check the files for changes: {type(error).__name__}: {error}"
                )
            try:
                await asyncio.wait_for(self._woken.wait(), POLL_SECONDS)
            except asyncio.TimeoutError:
                continue
            self._woken.clear()

    async def _poll_once(self) -> None:
        session = self._session
        if session.roots:
            await self._checkpoints.current()
        targets = self._targets()
        stamps = await session.run(_stamps, targets) if targets else {}
        changed = [uri for uri, stamp in stamps.items() if self._stamps.get(uri) != stamp]
        self._stamps |= stamps
        for uri in changed:
            # A file that has no stamp yet may have changed since it was read.
            self._changed(uri)
        await self._watch(self._checkpoints.watch_patterns() | _patterns(targets.values()))

    def _targets(self) -> dict[str, Path]:
        """Return the closed files that edits are for, by URI."""
        find = self._session.documents.find
        closed = {uri: path_of(uri) for uri in dict.fromkeys(self._waited_for()) if find(uri) is None}
        return {uri: path for uri, path in list(closed.items())[:_MAX_FILES] if path is not None}

    async def _watch(self, patterns: set[tuple[Path, str]]) -> None:
        """Have the client watch these directories for these names, and nothing else.

        Only clients with relative patterns are asked: they watch single directories. The others would watch
        the whole workspace, and most of them leave git's own directory out.
        """
        session = self._session
        able = session.client.watched_files and session.client.relative_patterns
        if patterns == self._watched or not able:
            return
        before, self._watched = self._watched, patterns
        if before:
            await session.unregister(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
        if patterns:
            watchers = [
                types.FileSystemWatcher(
                    glob_pattern=types.RelativePattern(base_uri=uri_of(folder), pattern=pattern)
                )
                for folder, pattern in sorted(patterns)
            ]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
            await session.register(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)


def _patterns(files: Iterable[Path]) -> set[tuple[Path, str]]:
    """Return the directories and the names in them to watch: a client makes a watcher of each."""
    names: dict[Path, set[str]] = {}
    for path in files:
        if not _GLOB.search(path.name):
            names.setdefault(path.parent, set()).add(path.name)
    return {
        (folder, pattern)
        for folder, found in names.items()
        for pattern in (found if len(found) <= _MOST_NAMES else ("*",))
    }


def _stamps(targets: dict[str, Path]) -> dict[str, Stamp]:
    return {uri: stamp_of(path) for uri, path in targets.items()}
