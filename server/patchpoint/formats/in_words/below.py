"""Files that a sentence asks to remove, in a list or commands below it: *Delete these files:*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.fences import FenceKind, fences
from patchpoint.formats.in_words.changes import ONLY_SAID, AskedChange
from patchpoint.formats.in_words.sentences import rows_in_fences
from patchpoint.formats.path_forms import names_a_source
from patchpoint.formats.sentences.sentence import Reading, WordTable, may_have, reading, sentence_spans
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex

_COLONS = (":", "：")
_ITEM = regex(r"(?:[-*+]|\d{1,2}[.)])\s+(?:`([^`]{1,300})`|([^\s`]{1,300}))(?:\s+\(unused\))?\Z")
_REMOVES = regex(r"(?:\$ )?(?:git )?rm((?: [\w./@+-]+)+)")
_FILES = "this file thing number needless old article"
"""What is behind the verb that asks for it."""


def removed_below(source: AnswerText) -> Iterator[AskedChange]:
    """Yield the files that a sentence with a colon asks to remove, and a list or commands below it name."""
    inside = source.once(rows_in_fences)
    for row in range(len(source.lines)):
        if row in inside or not source.bare(row).rstrip("*_ ").endswith(_COLONS):
            continue
        *_, (begin, end) = ((0, 0), *sentence_spans(source.bare(row)))
        text = source.bare(row)[begin:end]
        if not may_have(text, WordTable.LEADS, "remove") or not _asks(reading(text)):
            continue
        below = row + 1 if source.bare(row + 1) else row + 2
        fence = source.once(fences).get(below)
        if fence is not None and fence.kind() is FenceKind.COMMANDS:
            listed = _removed_by(source.lines[fence.first + 1 : fence.last])
        else:
            listed = _listed(source, below)
        made = Edit(path="", operation=Operation.DELETE, doubt=ONLY_SAID, format=Format.PAIR, lead=text)
        edit = replace(made, span=source.span(row, row + 1))
        if all(map(names_a_source, listed)):
            yield from (AskedChange(what="deletes", edit=edit, paths=(path,)) for path in listed)


def _asks(sentence: Reading) -> bool:
    """Return whether a sentence asks to remove files, or what is listed, and each of its words is known."""
    verb = next((at for at, word in enumerate(sentence.words) if "remove" in word.kinds), None)
    if verb is None or sentence.has("never offers done sample replace code"):
        return False
    before, behind = Reading(sentence.words[:verb]), Reading(sentence.words[verb + 1 :])
    is_how = before.has("with purpose")
    return before.is_made_of("fill") and not is_how and behind.is_made_of(_FILES) and behind.has("file this")


def _removed_by(commands: Sequence[str]) -> Sequence[str]:
    """Return the files that commands remove; none where they do anything else."""
    every = [_REMOVES.fullmatch(line.strip()) for line in commands if line.strip()]
    paths = [path for found in every if found is not None for path in found[1].split()]
    return paths if all(every) and all(map(names_a_source, paths)) else ()


def _listed(source: AnswerText, row: int) -> list[str]:
    """Return the items of the list that begins on a row, each a word or code alone; none if one is not."""
    found: list[str] = []
    while source.bare(row):
        item = _ITEM.match(source.bare(row))
        if item is None:
            return []
        found.append(item[1] or item[2])
        row += 1
    return found
