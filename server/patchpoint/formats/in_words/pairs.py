"""Changes in words: what is to become of what, in a sentence (or a row, see `rows`).

    Change `timeout=5` to `timeout=30` in `src/app.py`.

One is an edit only where each word of it is known: no choice, no condition, no other change. Next to code,
most of them tell what that does: whether one asks for more is seen when it is held against the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format, Operation, Side, Target, TargetKind, Unplaced
from patchpoint.formats.in_words.frame import ONLY_SAID, is_bare_value
from patchpoint.formats.in_words.removals import removed
from patchpoint.formats.in_words.rows import pairs_in_row
from patchpoint.formats.in_words.sentences import (
    has_code,
    named_near,
    paths_said,
    rows_in_fences,
    sentences_in,
    squeezed,
)
from patchpoint.formats.labels import line_named, which_file
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import Reading, Word, readings
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.regex import IDENTIFIER, regex

_OF_CHANGE = "fill this thing file replace with old new"
_SAID = "The sentence only says what it should be."
_TITLED = "The sentence says more than that this is to be replaced."
_FORMS = (
    ("remove removable why quantity", "replace remove", ""),
    ("becomes", "becomes", _SAID),
    ("assign", "assign", ""),
)
"""What sentences that ask for a change have next to the words of one, which they need, and their doubt."""
_WITHIN = "The sentence names what it is in as well."
_NO_PATH = "no path names its file; name it in the sentence"
_LED = "Only what is said above it names the file."
_BEFORE_VERB = frozenset({"fill", "stop", "number", "end", "code", "path", "name", "of_file", "file"})
_CLAUSES = (",", "，", "、", ":", "：")
_EVERY = "The sentence says so of every place."
NOTE = regex(r"\([^()]{0,200}\)")
"""What is said in brackets; of a rename, it only says where the name is."""
_VERBS = frozenset({"replace", "assign", "remove", "rename", "becomes"})
_NAME = regex(r"[\w-]+")
_RETURNS = regex(r"\w\(.+\)\Z")
_PART = regex(r"\w+")
_VALUE = regex(r"[\d\"'#\[]|(?:true|false|null|none|nil)\b", re.IGNORECASE)
_QUOTE_MARKS = regex(r"^[ \t>]+", re.MULTILINE)
_LEAST = 4
"""What is replaced where no file is named has so many characters."""
_ARTICLES = frozenset(("the", "die", "den", "das", "le", "la", "el", "o", "a", "du", "you"))
_MOST_UNKNOWN = 3
"""So many words of a sentence with two codes may not be known: what it is that changes."""
_MOST_OF_ALIKE = 8
"""So many where the codes have a name in common."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """What a sentence asks for: its words, where they begin in the answer, and what is in doubt of it."""

    sentence: Reading
    text: str
    start: int
    is_ended: bool
    doubt: str


def read_pairs_in_words(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return the edits of sentences that name a file, where the text has no code of its own."""
    return [found for found in _found(scan, items) if isinstance(found, Edit)]


def unplaced_sentences(scan: TextScan, items: list[Item], left: Collection[int]) -> list[Unplaced]:
    """Return the sentences that ask for a change and name no file, or may be cut off, or are next to code.

    Of the last, only those that begin where code is `left` that is nowhere else in the answer.
    """
    if not _is_next_to_code(scan, items):
        return [found for found in _found(scan, items) if isinstance(found, Unplaced)]
    shown = squeezed("".join(scan.source.lines[row] for row in scan.source.once(rows_in_fences)))
    edits = (one for one in _asked_for(scan, left) if isinstance(one, Edit) and one.path)
    return [_next_to_code(scan, edit) for edit in edits if not _is_shown(edit, shown)]


def _is_next_to_code(scan: TextScan, items: list[Item]) -> bool:
    own = (item for item in items if item.format is not Format.PAIR or not _is_in_words(item))
    return any(own) or has_code(scan)


def _is_shown(edit: Edit, shown: str) -> bool:
    """Return whether code has what a sentence asks for."""
    wanted = edit.replace or edit.search
    return squeezed(wanted) in shown


def _next_to_code(scan: TextScan, edit: Edit) -> Unplaced:
    becomes = f"replaces `{edit.search}` by `{edit.replace}`" if edit.replace else f"deletes `{edit.search}`"
    return Unplaced(
        message=f"this sentence {becomes} in {edit.path}, and no edit was made of it",
        span=edit.span,
        line=scan.source.line_of(edit.span[0]) + 1,
        edit=replace(edit, path=""),
        paths=(edit.path,),
        is_sentence=True,
    )


def _found(scan: TextScan, items: list[Item]) -> Iterator[Edit | Unplaced]:
    if not (scan.is_inside_edit or _is_next_to_code(scan, items)):
        yield from _asked_for(scan)


def _asked_for(scan: TextScan, left: Collection[int] | None = None) -> Iterator[Edit | Unplaced]:
    """Yield what lists, tables and sentences ask for; of these, those that begin where code is `left`."""
    if "`" not in scan.source.text:
        return
    source = scan.source.once(_unquoted)
    inside = source.once(rows_in_fences)
    for row in range(len(source.lines)):
        if row not in inside and "`" in source.lines[row]:
            yield from pairs_in_row(source, row)
    for start, text, is_last in sentences_in(source):
        is_ended = not is_last or text.endswith((".", "!", "\n", "。"))
        is_wanted = "`" in text and (left is None or start in left)
        clause = _clause(text, start, is_ended=is_ended) if is_wanted else None
        if clause is not None:
            yield from _asked(scan, source, clause)


def _unquoted(source: AnswerText) -> AnswerText:
    """Return an answer that is quoted as a whole with blanks in place of its quote marks."""
    if not all(line.lstrip().startswith(">") for line in source.lines if line.strip()):
        return source
    return AnswerText(_QUOTE_MARKS.sub(lambda marks: marks[0].replace(">", " "), source.text))


def _is_in_words(item: Item) -> bool:
    return isinstance(item, Edit) and item.target is not None


def _clause(text: str, start: int, *, is_ended: bool) -> _Clause | None:
    """Return a sentence of which each word is known, or what is behind its last colon, as what it asks for.

    Of some others, in which something is replaced, a few words may be unknown.
    """
    every = readings(text)
    if text.rstrip("*_ ").endswith(("?", "？")):
        return None
    for sentence in every:
        colons = [at + 1 for at, word in enumerate(sentence.words) if word.text in (":", "：")]
        for first in (0, *colons[-1:]):
            part = Reading(sentence.words[first:])
            for words, needed, doubt in _FORMS:
                if part.has(needed) and part.is_made_of(f"{_OF_CHANGE} {words}"):
                    is_title = first or not begins_with_verb(part)
                    return _Clause(part, text, start, is_ended, doubt or (_TITLED if is_title else ""))
    sentence = min(every, key=_unknown)
    is_refused = sentence.has("never offers sample speaker")
    is_alike = _are_alike(sentence)
    is_asked = is_alike or sentence.has("replace becomes")
    if _plain_pair(sentence) is not None and not is_refused:
        return _Clause(sentence, text, start, is_ended, _TITLED)
    if is_refused or not is_asked or _unknown(sentence) > (_MOST_OF_ALIKE if is_alike else _MOST_UNKNOWN):
        return None
    return _Clause(sentence, text, start, is_ended, _TITLED)


def begins_with_verb(sentence: Reading) -> bool:
    """Return whether a sentence asks, and is not about something that changes something."""
    words = sentence.words
    starts = (0, *(at + 1 for at, word in enumerate(words) if word.text in _CLAUSES))
    clauses = ([word for word in words[at:] if word.kinds.isdisjoint(_BEFORE_VERB)] for at in starts)
    return any(clause and not clause[0].kinds.isdisjoint(_VERBS) for clause in clauses)


def _plain_pair(sentence: Reading) -> tuple[Word, Word] | None:
    """Return the first two codes of it with a verb before them, and a word such as `to` between them."""
    words = [word for word in sentence.words if word.text not in _ARTICLES]
    return next(
        (
            (old, new)
            for verb, old, to, new in zip(words, words[1:], words[2:], words[3:], strict=False)
            if "replace" in verb.kinds
            and "rename" not in verb.kinds
            and "with" in to.kinds
            and "code" in old.kinds
            and "code" in new.kinds
            # a name gets a value: see `values`
            and not (_NAME.fullmatch(old.text.strip("`")) and _VALUE.match(new.text.strip("`")))
        ),
        None,
    )


def _are_alike(sentence: Reading) -> bool:
    """Return whether a sentence has two codes with a name in common, and a word such as `to` between them."""
    codes = [at for at, word in enumerate(sentence.words) if "code" in word.kinds]
    if len(codes) != 2 or sentence.has("done remove"):
        return False
    names = (set(IDENTIFIER.findall(sentence.words[at].text)) for at in codes)
    between = Reading(sentence.words[codes[0] + 1 : codes[1]])
    return between.has("with") and not between.has("stop") and not set.isdisjoint(*names)


def _unknown(sentence: Reading) -> int:
    """Return how many words of a sentence say more than that something is to be replaced."""
    return sum(not Reading((word,)).is_made_of(_OF_CHANGE) for word in sentence.words)


def _asked(scan: TextScan, source: AnswerText, clause: _Clause) -> Iterator[Edit | Unplaced]:
    sentence = clause.sentence
    codes = [word for word in sentence.words if "code" in word.kinds]
    if sentence.has("rename"):
        notes = [found.span() for found in NOTE.finditer(clause.text)]
        codes = [word for word in codes if not any(first < word.start < end for first, end in notes)]
    is_removal = sentence.has("remove") and _plain_pair(sentence) is None
    more = "quantity" if sentence.has("rename") else "assign"
    if is_removal:
        if clause.is_ended and not sentence.has("done"):
            yield from _removals(scan, source, clause)
    elif clause.doubt or _plain_pair(sentence) or sentence.is_made_of(f"{_OF_CHANGE} {more}"):
        if not (clause.doubt or sentence.is_made_of(f"{_OF_CHANGE} {more}")):
            clause = replace(clause, doubt=_TITLED)
        pairs = list(zip(codes[::2], codes[1::2], strict=False))
        if len(codes) != 2 * len(pairs) or not all(_becomes(sentence, *pair) for pair in pairs):
            clause, plain = replace(clause, doubt=_WITHIN), _plain_pair(sentence)
            pairs = [plain] if plain is not None else []
        yield from (_pair(scan, source, clause, old, new) for old, new in pairs)


def _becomes(sentence: Reading, old: Word, new: Word) -> bool:
    """Return whether a word such as `with` is between two codes, or right behind the second.

    Of what one only should be, they have a word in common: otherwise it may be what something returns, as it
    is of a call with arguments.
    """
    at, behind = sentence.words.index(old), sentence.words.index(new)
    between = Reading(sentence.words[at + 1 : behind])
    if not sentence.has("replace assign"):
        words = (set(_PART.findall(word.text)) for word in (old, new))
        if _RETURNS.search(old.text.strip("`")):
            return False
        return Reading(between.words[:1]).has("becomes with") and not set.isdisjoint(*words)
    if any(is_bare_value(sentence.words, place) for place in range(at + 1, behind)):
        return False
    next_word = sentence.words[behind + 1 : behind + 2]
    return between.has("with assign as_name" if sentence.has("rename") else "with assign") or any(
        "with" in w.kinds and not w.text.isascii() for w in next_word
    )


def _pair(scan: TextScan, source: AnswerText, clause: _Clause, old: Word, new: Word) -> Edit | Unplaced:
    sentence = clause.sentence
    words = [word.text.strip("`").strip() for word in (old, new)]
    if sentence.has("rename"):
        words = [word.removesuffix("()") for word in words]
    named = _paths_of(source, clause)
    paths = named or named_near(source, clause.start)
    above = [word for word in sentence.words if "path" in word.kinds and word.end <= old.start]
    paths = Reading(tuple(above[-1:])).paths if len(paths) > 1 and above else paths
    path, why = which_file(paths, scan.given_path, _NO_PATH)
    is_every = any("all" in word.kinds for word in sentence.words if word.end <= old.start)
    is_everywhere = is_every or (sentence.has("rename") and clause.doubt != _WITHIN)
    doubt = clause.doubt if named or not paths else _LED
    is_value = sentence.has("assign") and not sentence.has("replace")
    edit = Edit(
        path=path,
        operation=Operation.PLACE,
        search=words[0],
        replace=words[1],
        replace_all=is_everywhere and all(map(_NAME.fullmatch, words)),
        line=line_named(" ".join(word.text for word in sentence.words if word not in (old, new))),
        target=Target(TargetKind.WORDS, words[0], Side.AFTER if is_value else Side.INSTEAD),
        doubt=doubt or (_EVERY if is_every else ONLY_SAID),
        format=Format.PAIR,
        span=(clause.start + old.start, clause.start + new.end),
        lead=NOTE.sub("", _lead(source, clause)) if sentence.has("rename") else _lead(source, clause),
    )
    if not clause.is_ended:
        why = "the sentence may be cut off; its end was expected"
    elif "\n" in words[0] + words[1] or words[0] == words[1] or not all(words):
        why = "one line was expected for each"
    may_be_placed = clause.is_ended and not edit.path and len(words[0]) >= _LEAST and "\n" not in words[1]
    what = f"this sentence replaces `{words[0]}` by `{words[1]}`"
    return _unplaced(source, edit, f"{what}: {why}", paths, is_whole=may_be_placed) if why else edit


def _lead(source: AnswerText, clause: _Clause) -> str:
    """Return what says where it is: the sentence, where it names that, or the line up to its clause."""
    above = source.text[source.starts[source.line_of(clause.start)] : clause.start]
    return f"{above}{clause.text}" if clause.doubt == _WITHIN or "`" in above else ""


def _removals(scan: TextScan, source: AnswerText, clause: _Clause) -> Iterator[Edit | Unplaced]:
    """Yield what a sentence asks to remove from the one file that it names, or that is named above it."""
    paths = _paths_of(source, clause) or named_near(source, clause.start) or (scan.given_path,)
    for change in removed(clause.sentence, clause.text, ""):
        if change.edit.target is None:
            continue  # a file is deleted by no pair
        first, end = change.edit.span
        edit = replace(change.edit, span=(clause.start + first, clause.start + end))
        if len(paths) == 1 and paths[0]:
            yield replace(edit, path=paths[0])
        elif len(paths) == 1:
            why = f"this sentence deletes `{edit.search}`: {_NO_PATH}"
            yield _unplaced(source, edit, why, (), is_whole=True)


def _unplaced(
    source: AnswerText, edit: Edit, message: str, paths: tuple[str, ...], *, is_whole: bool
) -> Unplaced:
    """Return an edit as one whose file is not known, with the edit if nothing else is missing."""
    line = source.line_of(edit.span[0]) + 1
    own = edit if is_whole else None
    return Unplaced(message=message, span=edit.span, line=line, edit=own, paths=paths, is_change=True)


def _paths_of(source: AnswerText, clause: _Clause) -> tuple[str, ...]:
    """Return the files that a sentence names, or those of the heading or the path above it."""
    return paths_said(source, clause.start, clause.sentence.paths)
