"""Chats kept as documents: their messages, the checkpoints before them, and trimming them."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchpoint.lsp.answers import TranscriptAnswer
from patchpoint.lsp.editor_edits import BufferChange, change_buffers
from patchpoint.text.lines import Span
from patchpoint.text.splices import Splice

if TYPE_CHECKING:
    from patchpoint.lsp.progress import Work
    from patchpoint.lsp.session import Session

_HEADING = re.compile(
    r"""^(\#{1,6})[ \t]+\S.*$
    |^(?:\*\*)?(?:user|human|me|you|assistant|model|ai)(?:\*\*)?:(?:\*\*)?.*$""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
"""What opens a message: a Markdown heading, or the name of who speaks."""

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat: a name that does not change as the chat goes on, and where it stands."""

    name: str
    span: Span


def messages_of(text: str) -> list[Message]:
    """The messages of a chat, each from its heading to the next one of the same depth or above.

    Headings inside of fenced code open nothing. A message is named by its content, so that what comes before
    or after it may change.
    """
    fenced = _fenced(text)
    opened = [start for start, _ in fenced]
    found = []
    for match in _HEADING.finditer(text):
        fence = bisect_right(opened, match.start()) - 1
        if fence < 0 or match.start() >= fenced[fence][1]:
            found.append((match.start(), len(match[1] or "#")))
    if not found:
        return []
    top = min(depth for _, depth in found)
    starts = [start for start, depth in found if depth == top]
    seen: Counter[str] = Counter()
    messages = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        digest = hashlib.sha256(text[start:end].strip().encode(errors="surrogatepass")).hexdigest()[:12]
        seen[digest] += 1
        messages.append(Message(f"{digest}-{seen[digest]}", (start, end)))
    return messages


def message_at(text: str, offset: int) -> Message | None:
    """The message in which an offset lies."""
    return next((one for one in messages_of(text) if one.span[0] <= offset < max(one.span[1], 1)), None)


async def trim_transcript(
    session: Session, chat: str, message: str, work: Work, *, dry_run: bool = False
) -> TranscriptAnswer | None:
    """Remove what came after a message of a chat that is an open document, or only say how much that would
    be; `None` for any other chat."""
    document = session.documents.find(chat)
    if document is None:
        return None
    messages = messages_of(document.text)
    place = next((number for number, one in enumerate(messages) if one.name == message), None)
    if place is None:
        return None
    removed = messages[place + 1 :]
    if removed and not dry_run:
        change = BufferChange(
            document=document,
            table=document.table,
            version=document.version,
            splices=(Splice(removed[0].span[0], len(document.text), ""),),
        )
        _, (made,) = await change_buffers(session, [change], "Patchpoint: restore to here", work)
        if not made or not all(made):
            removed = []
    return TranscriptAnswer(session=chat, trimmed_after=message, messages_removed=len(removed))


def _fenced(text: str) -> Sequence[Span]:
    """The spans of fenced code; a fence that nothing closes goes on to the end."""
    spans: list[Span] = []
    opened: tuple[int, str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence.start(), fence[1]
        elif fence[1].startswith(opened[1]):
            spans.append((opened[0], fence.end()))
            opened = None
    if opened is not None:
        spans.append((opened[0], len(text)))
    return spans
