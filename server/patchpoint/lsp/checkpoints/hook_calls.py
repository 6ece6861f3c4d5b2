"""Hooks of agents that work in the client's folders: they ask, and get their checkpoint from this process.

What loading takes them is saved; the checkpoint is the one that they would have taken themselves, by the same
function. A thread of its own hears them, and the session's threads take the checkpoints.
See docs/decisions/hook-socket.md.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, field

if TYPE_CHECKING:
    from patchpoint.checkpoints import Checkpoint
    from patchpoint.hooks.meeting_place import MeetingPlace
    from patchpoint.hooks.sharing.listener import AskedCall, HookListener
    from patchpoint.lsp.session.session import Session

_RETRY_S = 2.0
"""Seconds between two attempts to listen where another process does."""


@dataclass(slots=True)
class _HeardTree:
    """A working tree of which hooks are heard."""

    root: str
    place: MeetingPlace
    listener: HookListener
    lock: int
    asked: list[AskedCall] = field(default_factory=list)
    """Those that are not being answered yet."""
    is_answering: bool = False

    def close(self) -> None:
        """Hear no more, and let another process."""
        self.listener.close()
        self.place.close()
        os.close(self.lock)


class HookCalls:
    """Listens for hooks in the client's folders; `taken` is called with each new checkpoint."""

    def __init__(self, session: Session, taken: Callable[[Checkpoint], None]) -> None:
        self._session = session
        self._taken = taken
        self._heard: dict[str, _HeardTree] = {}

    async def serve(self) -> None:
        """Listen until the session ends, in each folder where no other process does.

        Not for a workspace that the client does not trust, where nothing is done unasked.
        """
        if not self._session.client.trusts_workspace:
            return
        try:
            while True:
                await self._listen()
                await asyncio.sleep(_RETRY_S)
        finally:
            for each in self._heard.values():
                each.listener.stop()

    async def _listen(self) -> None:
        roots = [os.fspath(root) for root in self._session.roots]
        known = dict(self._heard)
        wanted, new = await self._session.run(_listeners, roots, known)
        for root in known.keys() - wanted:
            self._heard.pop(root).listener.stop()
        for each in new:
            self._heard[each.root] = each
            threading.Thread(target=self._hear, args=(each,), name="patchpoint-hooks", daemon=True).start()

    def _hear(self, each: _HeardTree) -> None:
        """Pass on what is asked, in a thread of its own."""
        try:
            while asked := each.listener.wait():
                self._session.call_soon(lambda asked=asked: self._ask(each, asked))  # type: ignore[misc]
        finally:
            each.close()

    def _ask(self, each: _HeardTree, asked: list[AskedCall]) -> None:
        each.asked += asked
        if not each.is_answering:
            each.is_answering = True
            self._session.start(self._answer(each))

    async def _answer(self, each: _HeardTree) -> None:
        from patchpoint.hooks.sharing.share import answer_asked, follow_on

        try:
            is_left = True
            while each.asked or is_left:
                asked, each.asked = each.asked, []
                for taken in await self._session.run(answer_asked, asked, each.root) if asked else ():
                    self._taken(taken)
                is_left = await self._session.run(follow_on, each.root)
        finally:
            each.is_answering = False


def _listeners(roots: list[str], known: dict[str, _HeardTree]) -> tuple[set[str], list[_HeardTree]]:
    """Return the working trees of `roots`, and listeners of those that nobody listens for."""
    from patchpoint.hooks.meeting_place import working_tree_of
    from patchpoint.hooks.sharing.ask import ask_to_leave, meeting_place
    from patchpoint.hooks.sharing.listener import HookListener

    wanted = {working_tree_of(root) for root in roots}
    new = []
    for root in wanted - known.keys():
        with suppress(OSError, RuntimeError):
            place = meeting_place(root)
            lock = None
            try:
                lock = place.try_lock()
                if lock is not None:
                    new.append(_HeardTree(root, place, HookListener(place), lock))
                    continue
                # What a hook left behind is there for folders that nobody has open.
                ask_to_leave(place)
            except OSError:
                if lock is not None:
                    os.close(lock)
            place.close()
    return wanted, new
