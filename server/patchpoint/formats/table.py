"""The table of formats, from which the reader and the names in the protocol come.

A new format is a module that has its readers, a member of `patchpoint.edit.Format` with the row here, an
example in `tests/data/formats` of that name, and a section of `tools/format_sections.py`.

What reads is named, as `module.function` below this package, and loaded when a text may have something for
it: most answers are written in one format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from patchpoint.dataclass import dataclass, field
from patchpoint.edit import Format
from patchpoint.formats import signs
from patchpoint.formats.fences import has_fence_outside
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import SignPattern
from patchpoint.formats.source import Item
from patchpoint.text.regex import regex

_BACKQUOTE = regex(r"(?<!`)`(?!`)")
"""One alone, as around a name; three begin a fence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatRow:
    """One format: its name in the protocol, how it is recognised, and who reads it.

    Each format can be insisted on by its name.
    """

    format: Format
    readers: Mapping[SignPattern, str]
    """The signs at which it may begin, each with what reads the edits there, or returns `None`; of those that
    share one, the first that reads anything counts."""
    rest: Mapping[str, Callable[[TextScan, list[Item]], bool]] = field(default_factory=dict)
    """What reads things that no sign points at, given the scan and the items that were read; each with what
    tells whether there may be any."""
    read_bare: str = ""
    """Reads a text without a sign, given the path and the format, where the format is insisted on and a file
    is named."""
    sifts: tuple[str, ...] = ()
    """Where every format is read, these leave out items of this one that the others show to be no edits."""


def may_be_in_words(scan: TextScan, items: list[Item]) -> bool:
    """Return whether a sentence may ask for a change, in a text with no other edits."""
    is_without_edits = all(item.format is Format.PAIR for item in items)
    return is_without_edits and not scan.is_inside_edit and "`" in scan.source.text


def may_ask_in_words(scan: TextScan) -> bool:
    """Return whether a sentence may ask for a change."""
    text = scan.source.text
    return not scan.is_inside_edit and ("rm " in text or _BACKQUOTE.search(text) is not None)


def has_free_fence(scan: TextScan, items: list[Item]) -> bool:
    """Return whether there is a fence that no item is in."""
    return has_fence_outside(scan.source, [item.span for item in items])


_OTHER_FENCES = {"blocks.fenced_files.read_other_fences": has_free_fence}
FORMATS = (
    FormatRow(
        format=Format.SEARCH_REPLACE, readers={signs.BLOCK_SIGN: "blocks.search_replace.read_search_replace"}
    ),
    FormatRow(
        format=Format.ENVELOPE,
        readers={signs.ENVELOPE_SIGN: "diffs.shell_script.read_patch"},
    ),
    FormatRow(
        format=Format.UNIFIED_DIFF,
        readers={
            signs.DIFF_SIGN: "diffs.unified_diff.read_diff_at",
            signs.FENCE_SIGN: "diffs.unified_diff.read_bare_hunk",
        },
    ),
    FormatRow(format=Format.ANCHORS, readers={signs.BLOCK_SIGN: "blocks.search_replace.read_anchors"}),
    FormatRow(
        format=Format.TOOL_CALL,
        readers={
            signs.CALL_SIGN: "tool_calls.in_text.read_tagged_call",
            signs.TAG_SIGN: "tool_calls.tags.read_tags",
            signs.NUMBERED_SIGN: "tool_calls.in_text.read_numbered_patch",
            signs.JSON_SIGN: "tool_calls.in_text.read_call",
        },
    ),
    FormatRow(
        format=Format.PAIR,
        readers={signs.FENCE_SIGN: "blocks.pair.read_pair"},
        rest={"in_words.asked.read_changes_in_words": may_be_in_words},
        sifts=("blocks.suggestion.without_quotations",),
    ),
    FormatRow(
        format=Format.WHOLE_FILE,
        readers={
            signs.FENCE_SIGN: "blocks.fenced_files.read_fence",
            signs.FILE_SIGN: "diffs.shell_script.read_file_commands",
        },
        rest=_OTHER_FENCES,
        read_bare="blocks.fenced_files.read_bare",
        sifts=("diffs.shell_script.without_commands", "blocks.fenced_files.without_samples"),
    ),
    FormatRow(
        format=Format.LAZY,
        readers={signs.FENCE_SIGN: "blocks.fenced_files.read_fence"},
        rest=_OTHER_FENCES,
        read_bare="blocks.fenced_files.read_bare",
        sifts=("blocks.fenced_files.without_shown_edits",),
    ),
)
"""Every format, the first one that fits a sign first."""


@cache
def function_named(name: str) -> Callable[..., Any]:
    """Return the function that a row of the table names."""
    module, _, function = name.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"patchpoint.formats.{module}"), function)
    return found
