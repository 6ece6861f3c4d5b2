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
    r"(?:[-*+]|\d{1,2}[.)])\s+(?:(?:`(?P<code>[^`]{1,300})`|(?P<path>[^\s`]{1,300}))(?:\s+\(unused\))?\Z)?"
)
_OF_LINES = "remove fill thing this number needless removable path stop within place"
_REMOVES = regex(r"(?:\$ )?(?:git )?rm((?: [\w./@+-]+)+)")
_IT = ({"it", "this"}, {"stop", "end"})
"""What is behind a verb whose object is named before it."""
_SUBJECT = "file code removable thing of_file needless is"
_OF_OBJECT = frozenset({"this", "file", "thing", "number", "needless", "old", "it", "article", "stop", "end"})
_NUMBERS = ("two", "three", "both", "deux", "dos", "duas", "dois")
_MOST_UNKNOWN = 2
_BEFORE = "fill number stop path code file removable"
_SO_AS_TO = frozenset({"with", "purpose"})
"""What begins a sentence that says how something is done."""
_MOST_BETWEEN = 4
"""So many words may be between the verb and what is removed."""


def removed(sentence: Reading, text: str, _: str) -> Iterator[AskedChange]:
    """Yield what a sentence asks to remove from every file that it names, if its verb is the first."""
    words = sentence.words
    verb = next((at for at, word in enumerate(words) if "remove" in word.kinds), None)
    # who speaks is named with what was done: *I've removed `x`*
    speaker = "speaker " if verb is not None and "done" in words[verb].kinds else ""
    if verb is None or sentence.has("old replace") or not _is_first(words[:verb], f"{speaker}{_SUBJECT}"):
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
        if verb is None or not _asks_plainly(words[:verb]):
            continue
        why = next((at for at, word in enumerate(words) if at > verb and "stop" in word.kinds), len(words))
        if Reading(words[:why]).has("never offers done sample replace") or not _is_object(
            words[verb + 1 : why]
        ):
            continue
        rest = Reading(tuple(word for word in words[why:] if "stop" not in word.kinds))
        if rest.words and not rest.has("needless reason path"):
            continue
        below = row + 1 if source.bare(row + 1) else row + 2
        fence = source.once(fences).get(below)
        if fence is not None and fence.kind() is FenceKind.COMMANDS:
            paths = _removed_by(source.lines[fence.first + 1 : fence.last])
        else:
            listed = _listed(source, row + 1)
            paths = listed if _are_files(words, verb) and all(map(names_a_source, listed)) else ()
            is_of_lines = Reading(words[verb + 1 :]).has("this")
            if not paths and is_of_lines and Reading(words).is_made_of(_OF_LINES) and Reading(words).paths:
                yield from _lines_removed(Reading(words).paths, listed, source.span(row, row + 1), text)
        span = source.span(row, row + 1)
        for path in paths:
            edit = Edit(path="", operation=Operation.DELETE, doubt=ONLY_SAID, format=Format.PAIR, lead=text)
            yield AskedChange(what="deletes", edit=replace(edit, span=span), paths=(path,))


def _asks_plainly(before: Sequence[Word]) -> bool:
    """Return whether the words before a verb only lead to it, or say why."""
    is_reason = bool(before) and "reason" in before[0].kinds and Reading(tuple(before)).has("stop")
    return is_reason or (Reading(tuple(before)).is_made_of(_BEFORE) and not _says_how(before))


def _says_how(before: Sequence[Word]) -> bool:
    """Return whether the words before a verb make it what a sentence is about: *to delete files*."""
    return (
        bool(before) and not before[0].kinds.isdisjoint(_SO_AS_TO) and not Reading(tuple(before)).has("stop")
    )


def _is_object(words: Sequence[Word]) -> bool:
    """Return whether words are the one thing that is removed, of which two at most are not known.

    Nothing is behind its noun: neither where or when it is removed, nor what it is a part of.
    """
    known = [word for word in words if word.kinds and word.text not in _NUMBERS]
    if not all(word.kinds & _OF_OBJECT for word in known):
        return False
    nouns = [at for at, word in enumerate(words) if word.kinds & {"file", "thing"} or word.text == "it"]
    unknown = [at for at, word in enumerate(words) if not word.kinds]
    return len(unknown) <= _MOST_UNKNOWN and not (nouns and any(at > nouns[0] for at in unknown))


def _are_files(words: Sequence[Word], verb: int) -> bool:
    """Return whether words say that files, or what is listed, are removed."""
    behind = Reading(tuple(words[verb + 1 :]))
    unknown = sum(not word.kinds for word in behind.words)
    is_of_part = any("removable" in word.kinds and "old" not in word.kinds for word in behind.words)
    is_named = behind.has("file this it") or (
        not behind.has("code") and Reading(tuple(words[:verb])).has("file")
    )
    return is_named and not is_of_part and unknown <= 1


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


def _is_first(before: Sequence[Word], subject: str) -> bool:
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
    if first is not None and " " in words[verb].text and not _is_alone(words, verb, first):
        return []
    is_it = [word.kinds & kinds for word, kinds in zip(words[verb + 1 : verb + 3], _IT, strict=False)]
    if first is None and len(is_it) == len(_IT) and all(is_it):
        named = [at for at, word in enumerate(words[:verb]) if "code" in word.kinds]
        if len(named) != 1 or not words[named[0] - 1].kinds.isdisjoint(("within", "place", "from", "its")):
            return []
        between = Reading(tuple(words[named[0] + 1 : verb]))
        return named if between.is_made_of("needless is stop fill purpose") else []
    if first is None or (
        first > verb and _is_of_another(text[words[verb].end : words[first].start], text[words[first].end :])
    ):
        return []
    return [first, *_joined(words, first, "code")]


def _is_alone(words: Sequence[Word], verb: int, at: int) -> bool:
    """Return whether nothing but one code is what goes, and nothing more is said of it but why."""
    before, behind = Reading(tuple(words[:at])), Reading(tuple(words[max(at, verb) + 1 :][:1]))
    if at > verb:  # *you no longer need `import a`*
        is_statement = not code_of(words[at]).isidentifier()
        return at == verb + 1 and is_statement and behind.is_made_of("end stop reason")
    is_plain = before.is_made_of("article removable needless number stop path fill")
    is_of = before.has("its with onto from within") and not before.has("itself")
    is_only = sum("code" in word.kinds for word in words[:verb]) == 1
    return is_plain and not is_of and is_only and behind.is_made_of("end stop fill path reason")


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
