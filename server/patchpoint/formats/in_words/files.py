"""Files that sentences ask to move or to create, and those to remove in a list or commands below one.

*Move `a.py` to `lib/a.py`*, *Create an empty file `lib/py.typed`*, *Delete these files:*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.fences import FenceKind, fences
from patchpoint.formats.in_words.asked_change import ONLY_SAID, AskedChange, code_of, edit_at
from patchpoint.formats.in_words.held import may_ask
from patchpoint.formats.in_words.sentences import rows_in_fences
from patchpoint.formats.path_forms import is_path, names_a_source
from patchpoint.formats.sentences.sentence import (
    Reading,
    WordTable,
    likely_readings,
    may_have,
    reading,
    sentence_spans,
)
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex

_COLONS = (":", "：")
_ITEM = regex(r"(?:[-*+]|\d{1,2}[.)])\s+(?:`([^`]{1,300})`|([^\s`]{1,300}))(?:\s+\(unused\))?\Z")
_REMOVES = regex(r"(?:\$ )?(?:git )?rm((?: [\w./@+-]+)+)")
_FILES = "this file thing number needless old article"
"""What is behind the verb that asks for it."""


def moved_or_created(text: str, *, is_report: bool) -> list[AskedChange]:
    """Return the file that a sentence asks to move, or to create without content."""
    found: Iterator[AskedChange] = iter(())
    if may_have(text, WordTable.LEADS, "move rename empty") and may_ask(text, is_report=is_report):
        found = (each for one in likely_readings(text) for each in (*_moved(one), *_created(one)))
    return [*islice(found, 1)]


def removed_below(source: AnswerText) -> Iterator[AskedChange]:
    """Yield the files that a sentence with a colon asks to remove, and a list or commands below it name."""
    inside = source.once(rows_in_fences)
    for row in range(len(source.lines)):
        if row in inside or not source.bare(row).rstrip("*_ ").endswith(_COLONS):
            continue
        *_, (begin, end) = ((0, 0), *sentence_spans(source.bare(row)))
        text = source.bare(row)[begin:end]
        if not may_have(text, WordTable.LEADS, "remove"):
            continue
        below = row + 1 if source.bare(row + 1) else row + 2
        fence = source.once(fences).get(below)
        if fence is not None and fence.kind() is FenceKind.COMMANDS:
            listed = _removed_by(source.lines[fence.first + 1 : fence.last])
        else:
            listed = _listed(source, below)
        made = Edit(path="", operation=Operation.DELETE, doubt=ONLY_SAID, format=Format.PAIR, lead=text)
        edit = replace(made, span=source.span(row, row + 1))
        asks = _asks(reading(text)) or (bool(listed) and _names_all(text, listed))
        if asks and all(map(names_a_source, listed)):
            yield from (AskedChange(what="deletes", edit=edit, paths=(path,)) for path in listed)


def _moved(sentence: Reading) -> Iterator[AskedChange]:
    """Yield the file that is moved, where a sentence names it and its new path, and nothing else."""
    words = sentence.words
    paths = [at for at, word in enumerate(words) if "path" in word.kinds]
    verb = next((at for at, word in enumerate(words) if word.kinds & {"move", "rename"}), None)
    if verb is None or len(paths) != 2 or sentence.has("code done") or words[paths[0]] == words[paths[1]]:
        return
    old, new = paths
    is_named = all(names_a_source(each) for each in sentence.paths)
    is_plain = Reading(words[:old]).is_made_of("fill file move rename change replace object")
    between, behind = Reading(words[old + 1 : new]), Reading(words[new + 1 : new + 3])
    is_to = between.is_made_of("fill with onto as_name within move rename change replace place")
    is_to = (is_to and between.has("with onto as_name move rename")) or behind.has("with")
    if is_plain and is_named and is_to and len(sentence.paths) == 2:
        edit = edit_at(words[new], search="")
        edit = replace(edit, operation=Operation.RENAME, new_path=sentence.paths[1])
        yield AskedChange(what="moves", edit=edit, paths=sentence.paths[:1])


def _created(sentence: Reading) -> Iterator[AskedChange]:
    """Yield the file that a sentence asks to create empty."""
    words = [word for word in sentence.words if word.kinds.isdisjoint(("stop", "end", "number"))]
    is_plain = Reading(tuple(words)).is_made_of("fill create empty file change new article object")
    named = [word for word in words if word.kinds & {"code", "path"} and is_path(code_of(word))]
    if is_plain and sentence.has("create") and sentence.has("empty") and len(named) == 1:
        edit = replace(edit_at(named[0]), operation=Operation.CREATE, content="")
        yield AskedChange(what="creates", edit=edit, paths=(code_of(named[0]),))


def _asks(sentence: Reading) -> bool:
    """Return whether a sentence asks to remove files, or what is listed, and each of its words is known."""
    verb = next((at for at, word in enumerate(sentence.words) if "remove" in word.kinds), None)
    if verb is None or sentence.has("never offers done sample replace code"):
        return False
    before, behind = Reading(sentence.words[:verb]), Reading(sentence.words[verb + 1 :])
    is_how = before.has("with purpose")
    return before.is_made_of("fill") and not is_how and behind.is_made_of(_FILES) and behind.has("file this")


def _names_all(text: str, paths: Sequence[str]) -> bool:
    """Return whether a sentence begins by asking to remove files, each of which it names: *Delete `a.py`*."""
    sentence = reading(text[: text.find(",")] if "," in text else text)
    verb = next((at for at, word in enumerate(sentence.words) if "remove" in word.kinds), None)
    if verb is None or sentence.has("never offers done sample replace") or reading(text).has("offers"):
        return False
    others = Reading((*sentence.words[:verb], *sentence.words[verb + 1 :]))
    return others.is_made_of(f"fill {_FILES}") and set(sentence.paths) == {*paths}


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
