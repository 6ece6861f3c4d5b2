"""What a sentence asks to remove: *Remove the line `a = 1` from `x.py`. Delete `y.py`.*"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation, Side, Target, TargetKind
from patchpoint.formats.fences import FenceKind, fences
from patchpoint.formats.in_words.frame import ONLY_SAID, AskedChange, change_at, code_of
from patchpoint.formats.in_words.sentences import rows_in_fences
from patchpoint.formats.path_forms import names_a_source
from patchpoint.formats.sentences.sentence import (
    Reading,
    Word,
    WordTable,
    may_have,
    reading,
    sentence_spans,
)
from patchpoint.formats.source import AnswerText
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_COLONS = (":", "：")
_ITEM = regex(
    r"(?:[-*+]|\d{1,2}[.)])\s+(?:(?:`(?P<code>[^`]{1,300})`|(?P<path>[^\s`]{1,300}))(?:\s+[-–—(].*)?\Z)?"
)
_OF_LINES = "remove fill thing this number needless removable path stop within place"
_REMOVES = regex(r"(?:\$ )?(?:git )?rm((?: [\w./@+-]+)+)")
_IT = ({"it", "this"}, {"stop", "end"})
"""What is behind a verb whose object is named before it."""
_SO_AS_TO = frozenset({"with", "purpose"})
"""What begins a sentence that says how something is done."""
_MOST_BETWEEN = 4
"""So many words may be between the verb and what is removed."""


def removed(sentence: Reading, text: str, _: str) -> Iterator[AskedChange]:
    """Yield what a sentence asks to remove from every file that it names, if its verb is the first."""
    words = sentence.words
    verb = next((at for at, word in enumerate(words) if "remove" in word.kinds), None)
    if verb is None or sentence.has("old replace") or not _is_first(words[:verb]):
        return
    files = _files(words, verb)
    for file in files:
        edit = Edit(path="", operation=Operation.DELETE, doubt=ONLY_SAID, format=Format.PAIR, lead=text)
        span = (file.start, file.end)
        yield AskedChange(what="deletes", edit=replace(edit, span=span), paths=Reading((file,)).paths)
    if files:
        return
    for at in _objects(words, verb, text):
        name = code_of(words[at])
        target = Target(TargetKind.DEFINITION, name.removesuffix("()"), Side.DELETED)
        edit = change_at(words[at], words[at], search=name, target=target, lead=text)
        yield AskedChange(what=f"removes `{name}` from", edit=edit, paths=sentence.paths, is_in_each=True)


def removed_below(source: AnswerText) -> Iterator[AskedChange]:
    """Yield the files that a sentence with a colon asks to remove, and a list or commands below it name."""
    inside = source.once(rows_in_fences)
    for row in range(len(source.lines)):
        if row in inside or not source.bare(row).rstrip("*_ ").endswith(_COLONS):
            continue
        *_, (begin, end) = ((0, 0), *sentence_spans(source.bare(row)))
        text = source.bare(row)[begin:end]
        words = reading(text).words if may_have(text, WordTable.LEADS, "remove") else ()
        verb = next((at for at, word in enumerate(words) if "remove" in word.kinds), None)
        if verb is None or not _is_first(words[:verb]) or _says_how(words[:verb]):
            continue
        why = next((at for at, word in enumerate(words) if at > verb and "stop" in word.kinds), len(words))
        if Reading(words[:why]).has("never offers done sample replace"):
            continue
        below = row + 1 if source.bare(row + 1) else row + 2
        fence = source.once(fences).get(below)
        if fence is not None and fence.kind() is FenceKind.COMMANDS:
            paths = _removed_by(source.lines[fence.first + 1 : fence.last])
        else:
            listed = _listed(source, row + 1)
            paths = listed if _are_files(words) and all(map(names_a_source, listed)) else ()
            if not paths and Reading(words).is_made_of(_OF_LINES) and Reading(words).paths:
                yield from _lines_removed(Reading(words).paths, listed, source.span(row, row + 1), text)
        span = source.span(row, row + 1)
        for path in paths:
            edit = Edit(path="", operation=Operation.DELETE, doubt=ONLY_SAID, format=Format.PAIR, lead=text)
            yield AskedChange(what="deletes", edit=replace(edit, span=span), paths=(path,))


def _says_how(before: Sequence[Word]) -> bool:
    """Return whether the words before a verb make it what a sentence is about: *to delete files*."""
    return (
        bool(before) and not before[0].kinds.isdisjoint(_SO_AS_TO) and not Reading(tuple(before)).has("stop")
    )


def _are_files(words: Sequence[Word]) -> bool:
    """Return whether words speak of files, or of what is listed, and of no more than one thing besides."""
    known = [word for word in words if word.kinds]
    is_plain = Reading(tuple(known)).is_made_of("remove fill thing this file number needless old it")
    is_of_part = any("removable" in word.kinds and "old" not in word.kinds for word in known)
    return is_plain and not is_of_part and len(words) - len(known) <= 1


def _removed_by(commands: Sequence[str]) -> Sequence[str]:
    """Return the files that commands remove; none where they do anything else."""
    paths: list[str] = []
    for line in filter(str.strip, commands):
        found = _REMOVES.fullmatch(line.strip())
        if found is None or not all(map(names_a_source, found[1].split())):
            return ()
        paths += found[1].split()
    return paths


def _lines_removed(
    paths: tuple[str, ...], lines: Sequence[str], span: Span, text: str
) -> Iterator[AskedChange]:
    """Yield the lines of a list that go from a file."""
    for line in lines:
        target = Target(TargetKind.DEFINITION, line, Side.DELETED)
        edit = Edit(
            path="",
            operation=Operation.PLACE,
            search=line,
            target=target,
            doubt=ONLY_SAID,
            format=Format.PAIR,
            span=span,
            lead=text,
        )
        yield AskedChange(what=f"removes `{line}` from", edit=edit, paths=paths, is_in_each=True)


def _listed(source: AnswerText, row: int) -> Sequence[str]:
    """Return the code of the list that begins on a line or below it; none where an item is more than that."""
    found: list[str] = []
    for at in range(row, len(source.lines)):
        item = _ITEM.match(source.bare(at))
        if item is None and (source.bare(at) or found):
            break
        if item is not None and not (item["code"] or item["path"]):
            return ()
        found += [item["code"] or item["path"]] if item is not None else []
    return found


def _files(words: Sequence[Word], verb: int) -> list[Word]:
    """Return the files that are removed: all code of a sentence, behind the verb, at the end of a clause."""
    clause = list(takewhile(lambda word: word.text not in (";", "；"), words))
    named = [at for at, word in enumerate(clause) if word.kinds & {"code", "path"}]
    first = named[0] if named else 0
    if first <= verb or "path" not in words[first].kinds or not _is_first(words[:verb], ""):
        return []
    if [first, *_joined(words, first, "path")] != named:
        return []
    rest = (word.kinds for word in words[named[-1] + 1 :] if "fill" not in word.kinds)
    behind = next(rest, frozenset(("end",)))
    between = Reading(tuple(words[verb + 1 : first]))
    is_object = between.is_made_of("fill file") and not between.has("from number")
    return [words[at] for at in named] if is_object and behind & {"stop", "end", "purpose"} else []


def _is_first(before: Sequence[Word], subject: str = "file code removable thing of_file needless is") -> bool:
    """Return whether nothing before a verb in its clause is more than a step, a place, or what fills.

    A `subject` may be there, as in *the constant `A` can be removed*.
    """
    at = max((at + 1 for at, word in enumerate(before) if word.kinds & {"stop", "purpose"}), default=0)
    return Reading(tuple(before[at:])).is_made_of(f"fill number place {subject}")


def _objects(words: Sequence[Word], verb: int, text: str) -> list[int]:
    """Return which words are what is removed: next to the verb, on the side that is usual."""
    stop = next((at for at in range(verb + 1, len(words)) if "stop" in words[at].kinds), len(words))
    named = [at for at in range(verb + 1, stop) if not words[at].kinds & {"fill", "path"}]
    behind = named[: _MOST_BETWEEN + 1]
    # in German, an infinitive is behind it, and so is what can be removed in most languages
    is_last = not words[verb].text.isascii() or words[verb].text.endswith("en") or " " in words[verb].text
    before = range(verb - 1, max(-1, verb - 2 - _MOST_BETWEEN), -1) if is_last else ()
    first = next((at for at in (*behind, *before) if "code" in words[at].kinds), None)
    is_it = [word.kinds & kinds for word, kinds in zip(words[verb + 1 : verb + 3], _IT, strict=False)]
    if first is None and len(is_it) == len(_IT) and all(is_it):
        named = [at for at, word in enumerate(words[:verb]) if "code" in word.kinds]
        is_place = len(named) == 1 and not words[named[0] - 1].kinds.isdisjoint(("within", "place", "from"))
        return named if len(named) == 1 and not is_place else []
    if first is None or (
        first > verb and _is_of_another(text[words[verb].end : words[first].start], text[words[first].end :])
    ):
        return []
    return [first, *_joined(words, first, "code")]


def _is_of_another(between: str, behind: str) -> bool:
    """Return whether code behind a verb only says where something is: *the body of `f`*, *all but `f`*."""
    before = reading(between)
    return (before.has("its but place") and not before.has("itself")) or reading(behind.lstrip()[:1]).has(
        "whose"
    )


def _joined(words: Sequence[Word], first: int, kind: str) -> Iterator[int]:
    """Yield which words of a kind go on a list that a word begins: `a`, `b` and `c`."""
    reached = first
    for at in range(first + 1, len(words)):
        joint = Reading(tuple(words[reached + 1 : at]))
        if not joint.is_made_of("fill stop") or joint.has("from of_file place"):
            return
        if kind in words[at].kinds:
            yield at
            reached = at
