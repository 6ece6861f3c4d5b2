"""Patches that name lines by numbers and their file by a tag: the newer form of hashline editing.

A section begins with `[PATH#TAG]` and has operations such as `SWAP 3.=4:`, `PUT >7:`, `DEL 9.=9`, each with
lines that begin with a plus. The tag is of the whole file, and means something only to the tool that showed
it; nothing here says what the lines are. So a section is refused, and never passes for prose.
"""

from __future__ import annotations

from patchpoint.edit import Format
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import NUMBERED, Sign
from patchpoint.formats.source import ReadResult

_MESSAGE = (
    "this patch names lines by their numbers and the file by a tag, so that nothing shows which lines are "
    "meant; the lines to replace were expected"
)


def read_numbered_patch(scan: TextScan, sign: Sign) -> ReadResult:
    """Refuse the section whose head is at `sign`."""
    source = scan.source
    first = source.line_of(sign.start)
    end = first + 1
    while end < len(source.lines) and source.bare(end).startswith(("+", *NUMBERED)):
        end += 1
    path = source.text[sign.start + 1 : sign.end].partition("#")[0]
    item = source.malformed(_MESSAGE, first, end, path=path, origin=Format.TOOL_CALL)
    return ReadResult((item,), source.span(first, end)[1])
