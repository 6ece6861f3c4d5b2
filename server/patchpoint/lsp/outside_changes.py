"""What others change beside the client's buffers: checkpoints, and the files that edits wait for.

A client that watches files for us says at once when to look; for all others, and for what a client misses,
there is a look every other second, which costs the stat of a few files in a thread.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.lsp.known_checkpoints import KnownCheckpoints, Stamp, stamp_of
from patchpoint.lsp.uris import path_of, uri_of

if TYPE_CHECKING:
    from patchpoint.lsp.session import Session

INTERVAL = 1.5
"""Seconds between two looks when no client says when to."""

_MOST_FILES = 500
_GLOB = re.compile(r"[*?{}\[\]!,\\]")
"""What a name must not hold to stand for itself in a client's pattern."""


class OutsideChanges:
    """Looks at what others change, and tells those who depend on it.

    `waited_for` answers the URIs of the files that edits are for; `changed` is told of each that changed.
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

    def look_soon(self) -> None:
        """Look now: the client says that something changed."""
        self._woken.set()

    async def follow(self) -> None:
        """Look again and again, until the session ends."""
        while True:
            try:
                await self._look()
            except Exception as error:
                # One look that fails must not be the last one.
                self._session.trace_line(f"Files could not be looked at: {type(error).__name__}: {error}")
            try:
                await asyncio.wait_for(self._woken.wait(), INTERVAL)
            except asyncio.TimeoutError:
                continue
            self._woken.clear()

    async def _look(self) -> None:
        session = self._session
        if session.roots:
            await self._checkpoints.current()
        targets = self._targets()
        stamps = await session.run(_stamps, targets) if targets else {}
        changed = [uri for uri, stamp in stamps.items() if self._stamps.get(uri) != stamp]
        self._stamps |= stamps
        for uri in changed:
            # A file that is new here may have changed between its reading and now.
            self._changed(uri)
        files = {(path.parent, path.name) for path in targets.values() if not _GLOB.search(path.name)}
        await self._watch(self._checkpoints.watch_patterns() | files)

    def _targets(self) -> dict[str, Path]:
        """The closed files that edits are for, by URI."""
        find = self._session.documents.find
        closed = {uri: path_of(uri) for uri in dict.fromkeys(self._waited_for()) if find(uri) is None}
        return {uri: path for uri, path in list(closed.items())[:_MOST_FILES] if path is not None}

    async def _watch(self, patterns: set[tuple[Path, str]]) -> None:
        """Have the client watch these folders for these names, and nothing else.

        Only clients that watch a folder by its URI do so one folder at a time; the others would set out to
        watch all of the workspace, and most of them leave out git's own folder.
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


def _stamps(targets: dict[str, Path]) -> dict[str, Stamp]:
    return {uri: stamp_of(path) for uri, path in targets.items()}
