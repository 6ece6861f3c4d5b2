"""What a text that an edit writes may have where lines are left out of it: marks, remarks, and stubs."""

from __future__ import annotations

import re

from patchpoint.text.regex import regex

MAY_LEAVE_OUT = regex(r"\.\.\.|…|existing|unchanged|rest of|remaining|same as|stays? the same", re.IGNORECASE)
"""What a mark of lines that are left out may have."""
HAS_REMARK = regex(
    r"(?m)^[ \t]*(?:#|//|--|/\*|<!--|\{[#{/]|\.\.\.|…)|^[ \t]*(?:pass|return|raise|throw)\b.*(?:#|//|--|/\*)"
)
"""A comment, dots, or a stub with a comment, which may be there for lines of the file."""
HAS_STRAY = regex(
    r"```|~~~|</?\w+>|\\[nt\"]|&(?:lt|gt|amp|quot|#39);|(?:#|//|--|/\*)[ \t]*(?:<|\W?[A-Za-z]|[←⬅👈◀])"
    r"|(?m:^(?:[ \t]*\d|<{7}|={7}|>{7}|\*\*\* ))"
)
"""What new lines have that may be no part of a file, and more: it is looked at then."""
