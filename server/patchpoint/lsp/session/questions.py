"""Questions to the user, by `window/showMessageRequest`.

Only the answer that agrees is one: not that the client closes the question, nor that it knows no questions.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from patchpoint.lsp.session.progress import Work
    from patchpoint.lsp.session.session import Session


class Answer(Enum):
    """What came of a question."""

    YES = "yes"
    NO = "no"
    """The user chose the other answer, or closed the question."""
    NOT_ASKED = "not asked"
    """The client cannot ask."""


async def ask(session: Session, question: str, yes: str, no: str, work: Work) -> Answer:
    """Ask the user a question with two answers. Raises `CancelledError` if the work is cancelled first."""
    asking = types.ShowMessageRequestParams(
        type=types.MessageType.Warning,
        message=question,
        actions=[types.MessageActionItem(title=title) for title in (yes, no)],
    )
    asked = asyncio.ensure_future(session.window_show_message_request_async(asking))
    waiting: set[asyncio.Future[Any]] = {asked, work.stopping}
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        work.check()
        if (error := asked.exception()) is not None:
            session.log(f"The editor could not ask {question!r}: {error}")
            return Answer.NOT_ASKED
        chosen = asked.result()
    finally:
        asked.cancel()
    return Answer.YES if chosen is not None and chosen.title == yes else Answer.NO
