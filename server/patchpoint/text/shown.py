"""How text of a model, a file or a remote is shown to a person; what is applied stays as it is.

A terminal obeys escape sequences; bidirectional controls show code in another order than a compiler reads it
("Trojan Source", CVE-2021-42574); invisible characters make two names look the same: they are escaped. Some
clients read Markdown in messages: none of it is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from patchpoint.text.regex import regex

REORDERING = (
    "It brings characters into the file that change the order in which text is shown: what you see there is "
    "not what a compiler reads (Trojan Source)."
)
"""The warning for an edit that brings bidirectional controls into a file that had none."""

_BIDIRECTIONAL = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""The characters with the property Bidi_Control (Unicode Standard Annex 9)."""
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f"
    "\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001345f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Default_Ignorable_Code_Point, line and paragraph separators, interlinear annotations and format controls of
scripts; but neither the selectors U+FE0E and U+FE0F, which emoji have, nor the Arabic signs that are seen."""
_SURROGATES = "\ud800-\udfff"

_HIDDEN = regex(f"[\0-\x08\x0b-\x1f\x7f-\x9f{_BIDIRECTIONAL}{_INVISIBLE}{_SURROGATES}]")
_HIDDEN_IN_LINE = regex(f"[\0-\x08\n\x0b-\x1f\x7f-\x9f{_BIDIRECTIONAL}{_INVISIBLE}{_SURROGATES}]")
_HIDDEN_IN_JSON = regex(f"[\x7f-\x9f{_BIDIRECTIONAL}{_INVISIBLE}{_SURROGATES}]")
_REORDERING = regex(f"[{_BIDIRECTIONAL}]")


def visible(text: str) -> str:
    r"""Return `text` with each character that is not seen as `\x1b`, `\u202e` or `\U000e0041`.

    Line feeds and tabs stay; a text that has none of the others is returned as it is.
    """
    return text if text.isprintable() else _HIDDEN.sub(_escaped, text)


def visible_line(text: str) -> str:
    r"""As `visible`, on one line: line feeds as `\n`."""
    return text if text.isprintable() else _HIDDEN_IN_LINE.sub(_escaped, text)


def visible_json(text: str) -> str:
    """Return the JSON `text` with what is not seen escaped as JSON does; its value is the same."""
    return text if text.isascii() and "\x7f" not in text else _HIDDEN_IN_JSON.sub(_escaped_for_json, text)


def reorders(text: str) -> bool:
    """Return whether `text` has bidirectional controls."""
    return not text.isascii() and _REORDERING.search(text) is not None


def reordering_notes(before: str, written: Iterable[str]) -> tuple[str, ...]:
    """Return the warning if a text in `written` has bidirectional controls, and the file `before` none."""
    return (REORDERING,) if any(map(reorders, written)) and not reorders(before) else ()


def message(text: str) -> str:
    """Return `text` as a message to a client: visible, and without links for a client that reads Markdown."""
    return _AUTOLINK.sub("< ", visible(text).replace("](", "] ("))


def markdown(text: str) -> str:
    """Return `text` on one line as CommonMark that shows it as it is: no markup, links or HTML."""
    return _PUNCTUATION.sub(r"\\\g<0>", visible_line(text))


_AUTOLINK = regex(r"<(?=[A-Za-z][A-Za-z0-9+.-]*:|[^\s<>]+@)")
_PUNCTUATION = regex(r"[\\`*_{}\[\]<>#!|~&:@$]|(?<=[wW]{3})\.")
"""What begins markup, HTML, a reference to a character, or an address that GFM makes a link."""
_SHORT = {"\n": "\\n", "\r": "\\r"}


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] in _SHORT:
        return _SHORT[match[0]]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escaped_for_json(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
