"""Chats kept as documents: their messages, and trimming them."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.lsp.applying.workspace_edit import BufferChange, change_buffers
from patchpoint.schema.responses import TranscriptData
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex
from patchpoint.text.splice import Splice

if TYPE_CHECKING:
    from patchpoint.lsp.session.progress import Work
    from patchpoint.lsp.session.session import Session

_HEADING = regex(
    r"""^(\#{1,6})[ \t]+\S.*$
    |^(?:\*\*)?(?:user|human|me|you|assistant|model|ai)(?:\*\*)?:(?:\*\*)?.*$""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
"""The first line of a message: a Markdown heading, or the name of the speaker."""

_FENCE = regex(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat: its span, and a name that stays the same as the chat goes on."""

    name: str
    span: Span


def messages_of(text: str) -> list[Message]:
    """Return the messages of a chat, each from its heading to the next heading of the topmost depth.

    Headings inside fenced code do not count. A message is named after a digest of its content, so that the
    text before and after it may change.
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
    """Return the message that contains an offset; `None` if there is none."""
    return next((one for one in messages_of(text) if one.span[0] <= offset < max(one.span[1], 1)), None)


async def trim_transcript(
    session: Session, chat: str, message: str, work: Work, *, dry_run: bool = False
) -> TranscriptData | None:
    """Remove all messages after `message` from a chat that is an open document.

    With `dry_run` nothing is removed, and the result counts the messages that would be. Return `None` if the
    chat is not an open document, or has no such message.
    """
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
    return TranscriptData(session=chat, trimmed_after=message, messages_removed=len(removed))


def _fenced(text: str) -> Sequence[Span]:
    """Return the spans of fenced code; an unclosed fence extends to the end of the text."""
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
