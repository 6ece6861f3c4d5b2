"""The table of formats, from which the reader and the names in the protocol come.

A new format is a module that has its readers, a member of `patchpoint.edit.Format` with the row here, an
example in `tests/data/formats` of that name, and a section of `tools/format_sections.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from patchpoint.dataclass import dataclass
from patchpoint.edit import Format
from patchpoint.formats.blocks.anchors import read_anchors
from patchpoint.formats.blocks.lazy import (
    read_bare_code,
    read_lazy,
    read_other_fences,
    without_shown_edits,
)
from patchpoint.formats.blocks.markers import BLOCK_SIGN
from patchpoint.formats.blocks.pair import read_other_pairs, read_pair
from patchpoint.formats.blocks.pairs_in_words import read_pairs_in_words
from patchpoint.formats.blocks.search_replace import read_search_replace
from patchpoint.formats.blocks.suggestion import without_quotations
from patchpoint.formats.blocks.whole_file import read_bare_file, read_whole_file, without_samples
from patchpoint.formats.diffs.envelope import ENVELOPE_SIGN
from patchpoint.formats.diffs.numbered_patch import NUMBERED_SIGN, read_numbered_patch
from patchpoint.formats.diffs.shell_files import FILE_SIGN, read_file_commands, without_commands
from patchpoint.formats.diffs.shell_patch import COMMAND_SIGN, read_command_argument, read_patch
from patchpoint.formats.diffs.signed_lines import read_signed_lines
from patchpoint.formats.diffs.unified_diff import DIFF_SIGN, read_bare_hunk, read_diff_at
from patchpoint.formats.fences import FENCE_SIGN
from patchpoint.formats.scan import Reader, TextScan
from patchpoint.formats.signs import SignPattern
from patchpoint.formats.source import Item
from patchpoint.formats.tool_calls.in_text import CALL_SIGN, JSON_SIGN, read_call, read_tagged_call
from patchpoint.formats.tool_calls.tags import TAG_SIGN, read_tags


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatRow:
    """One format: its name in the protocol, how it is recognised, and who reads it.

    Each format can be insisted on by its name.
    """

    format: Format
    readers: Mapping[SignPattern, Reader]
    """The signs at which it may begin; of formats that share one, the first that reads anything counts."""
    read_rest: Callable[[TextScan, list[Item]], list[Item]] | None = None
    """Reads what no sign points at, given the items that were read."""
    read_bare: Callable[[str, str], Item] | None = None
    """Reads a text without a sign, given the path, where the format is insisted on and a file is named."""
    sift: Callable[[list[Item]], list[Item]] | None = None
    """Leaves out items that the others show to be no edits, where every format is read."""


FORMATS = (
    FormatRow(format=Format.SEARCH_REPLACE, readers={BLOCK_SIGN: read_search_replace}),
    FormatRow(
        format=Format.ENVELOPE, readers={ENVELOPE_SIGN: read_patch, COMMAND_SIGN: read_command_argument}
    ),
    FormatRow(
        format=Format.UNIFIED_DIFF,
        readers={DIFF_SIGN: read_diff_at, FENCE_SIGN: read_bare_hunk},
        read_rest=read_signed_lines,
    ),
    FormatRow(format=Format.ANCHORS, readers={BLOCK_SIGN: read_anchors}),
    FormatRow(
        format=Format.TOOL_CALL,
        readers={
            CALL_SIGN: read_tagged_call,
            TAG_SIGN: read_tags,
            NUMBERED_SIGN: read_numbered_patch,
            JSON_SIGN: read_call,
        },
    ),
    FormatRow(
        format=Format.PAIR,
        readers={FENCE_SIGN: read_pair},
        read_rest=lambda scan, items: [*read_other_pairs(scan, items), *read_pairs_in_words(scan, items)],
        sift=without_quotations,
    ),
    FormatRow(
        format=Format.WHOLE_FILE,
        readers={FENCE_SIGN: read_whole_file, FILE_SIGN: read_file_commands},
        read_rest=read_other_fences,
        read_bare=read_bare_file,
        sift=lambda items: without_commands(without_samples(items)),
    ),
    FormatRow(
        format=Format.LAZY,
        readers={FENCE_SIGN: read_lazy},
        read_rest=read_other_fences,
        read_bare=read_bare_code,
        sift=without_shown_edits,
    ),
)
"""Every format, the first one that fits a sign first."""
