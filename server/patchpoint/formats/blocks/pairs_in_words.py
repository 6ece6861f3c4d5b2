"""Changes in words: what is to become of what, in a sentence, in a list or in a table.

    Change `timeout=5` to `timeout=30` in `src/app.py`.

    In `config.toml`:
    - `retries = 3` → `retries = 5`

    | Before | After |
    | --- | --- |
    | `retries = 3` | `retries = 5` |

    | File | Change |
    | --- | --- |
    | `config.toml` | `retries = 3` → `retries = 5` |

Most such sentences tell what the code of an answer does. One is an edit only where the answer has no code of
its own, and where each word of it is known: no choice, no condition, no other change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format, Operation, Side, Target, TargetKind, Unplaced
from patchpoint.formats.fences import FenceKind, fence_on, fences
from patchpoint.formats.labels import Naming, line_named, named_last_above, names_above
from patchpoint.formats.path_forms import names_a_source, without_line
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, readings, sentence_spans
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.regex import IDENTIFIER, regex

_OF_CHANGE = "fill this thing file replace with old new"
_DELETED = "The sentence asks to delete this."
_SAID = "The sentence only says what it should be."
_WITHIN = "The sentence names what it is in as well."
_NAME = regex(r"[\w-]+")
_STATEMENT = regex(r"\w\s*[^\w\s.]+\s*\w|\w\s+\w|\(.+\)")
_TITLED = "The sentence says more than that this is to be replaced."
_LED = "Only what is said above it names the file."
_IN_LIST = "Only the list says so: `old` → `new`."
_IN_TABLE = "Only the table says so."
_LEAST = 4
"""What is replaced where no file is named has so many characters."""
_OUTSIDE = ("#", ">", "|")
_ITEM = regex(r"[-*+]\s|\(?\d+[.)]\s")
_ARROW = regex(
    r"(?:(?:[-*+]|\(?\d+[.)])\s+)?(?:(?:`(?P<quoted>[^`\n]{1,300})`|(?P<path>[^\s`:]{1,300}))\s*:\s+)?"
    r"`(?P<old>[^`\n]{1,300})`\s*(?:[→⟶➜➔⇒]|[-=]>)\s*`(?P<new>[^`\n]{1,300})`\s*[.;,]?"
)
_IN_BACKQUOTES = regex(r"`[^`\n]*`")
_RULE = regex(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_WITH = ("with", "assign")
_MOST_ROWS = 200
_MOST_UNKNOWN = 3
"""So many words of a sentence with two codes may not be known: what it is that changes."""


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


def unplaced_sentences(scan: TextScan, items: list[Item]) -> list[Unplaced]:
    """Return the sentences that ask for a change and name no file, or may be cut off."""
    return [found for found in _found(scan, items) if isinstance(found, Unplaced)]


def _found(scan: TextScan, items: list[Item]) -> Iterator[Edit | Unplaced]:
    own = (item for item in items if item.format is not Format.PAIR or not _is_in_words(item))
    if scan.is_inside_edit or "`" not in scan.source.text or any(own) or _has_code(scan):
        return
    source = scan.source.once(_unquoted)
    inside = {row for fence in source.once(fences).values() for row in range(fence.first, fence.end)}
    for row in range(len(source.lines)):
        if row not in inside and "`" in source.lines[row]:
            yield from _in_row(source, row)
    for start, end in paragraphs(source, inside):
        for first, last in sentence_spans(source.text[start:end]):
            text = source.text[start + first : start + last]
            is_ended = last < end - start or text.endswith((".", "!", "\n", "。"))
            if "`" not in text:
                continue
            for clause in _clauses(text, start + first, is_ended=is_ended):
                yield from _asked(scan, source, clause)


def _unquoted(source: AnswerText) -> AnswerText:
    """Return an answer that is quoted as a whole with blanks in place of its quote marks."""
    if not all(line.lstrip().startswith(">") for line in source.lines if line.strip()):
        return source
    lines = (line[: -len(line.lstrip(" \t>")) or len(line)] for line in source.lines)
    blank = (mark.replace(">", " ") for mark in lines)
    return AnswerText("".join(b + line[len(b) :] for b, line in zip(blank, source.lines, strict=True)))


def _is_in_words(item: Item) -> bool:
    return isinstance(item, Edit) and item.target is not None and item.target.kind is TargetKind.WORDS


def _has_code(scan: TextScan) -> bool:
    """Return whether the text has a fence with something else than commands, or what they print."""
    if any(line.startswith(">") and fence_on(line.lstrip("> \t")) for line in scan.source.lines):
        return True
    every = scan.source.once(fences).values()
    return any(fence.kind() not in (FenceKind.COMMANDS, FenceKind.OUTPUT) for fence in every)


def paragraphs(source: AnswerText, inside: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the spans of paragraphs and items of lists, outside of quotes, tables and headings."""
    start: int | None = None
    for row in range(len(source.lines) + 1):
        words = source.bare(row)
        is_text = bool(words) and row not in inside and not words.startswith(_OUTSIDE)
        if start is not None and (not is_text or _ITEM.match(words)):
            if "`" in source.text[source.starts[start] : source.starts[row]]:
                yield source.starts[start], source.starts[row]
            start = None
        if is_text and start is None:
            start = row


def _clauses(text: str, start: int, *, is_ended: bool) -> Iterator[_Clause]:
    """Yield the readings of a sentence of which each word is known, or of what is behind its last colon."""
    for sentence in readings(text):
        colons = [at for at, word in enumerate(sentence.words) if word.text in (":", "：")]
        for first in (0, colons[-1] + 1 if colons else 0):
            part = Reading(sentence.words[first:])
            if part.is_made_of(f"{_OF_CHANGE} remove removable why quantity") and part.has("replace remove"):
                yield _Clause(part, text, start, is_ended, _TITLED if first else "")
                return
            if part.is_made_of(f"{_OF_CHANGE} becomes") and part.has("becomes"):
                yield _Clause(part, text, start, is_ended, _SAID)
                return
            if part.is_made_of(f"{_OF_CHANGE} assign") and part.has("assign"):
                yield _Clause(part, text, start, is_ended, _TITLED if first else "")
                return
    sentence = min(readings(text), key=_unknown)
    is_refused = sentence.has("never offers sample speaker") or text.rstrip("*_ ").endswith(("?", "？"))
    is_asked = sentence.has("replace") or _says_from(sentence)
    if is_asked and not is_refused and _unknown(sentence) <= _MOST_UNKNOWN:
        yield _Clause(sentence, text, start, is_ended, _TITLED)


def _says_from(sentence: Reading) -> bool:
    """Return whether a word such as `from` is right before its first code."""
    at = next((at for at, word in enumerate(sentence.words) if "code" in word.kinds), 0)
    return at > 0 and "was" in sentence.words[at - 1].kinds


def _unknown(sentence: Reading) -> int:
    """Return how many words of a sentence say more than that something is to be replaced."""
    return sum(not Reading((word,)).is_made_of(_OF_CHANGE) for word in sentence.words)


def _asked(scan: TextScan, source: AnswerText, clause: _Clause) -> Iterator[Edit | Unplaced]:
    sentence = clause.sentence
    codes = [word for word in sentence.words if "code" in word.kinds]
    around = _around(clause, codes)
    is_rename, is_removal = sentence.has("rename"), sentence.has("remove")
    if around and (is_removal or len(codes) % 2):
        clause = replace(clause, doubt=clause.doubt or _WITHIN)
        codes = [word for word in codes if word not in around]
    if is_removal:
        if len(codes) == 1 and clause.is_ended and not sentence.has("done"):
            yield from _deletion(scan, source, clause, codes[0])
    elif clause.doubt or sentence.is_made_of(f"{_OF_CHANGE} {'quantity' if is_rename else 'assign'}"):
        pairs = list(zip(codes[::2], codes[1::2], strict=False))
        if len(codes) == 2 * len(pairs) and all(_becomes(sentence, *pair) for pair in pairs):
            for old, new in pairs:
                yield _pair(scan, source, clause, old, new)


def _around(clause: _Clause, codes: Sequence[Word]) -> list[Word]:
    """Return the codes that only say where something is: in, or of what is removed from, which definition."""
    words = clause.sentence.words
    every = (word for one in readings(clause.text, WordTable.PLACES) for word in one.words)
    inside = {word.end for word in every if "inside" in word.kinds}
    found = []
    for code in codes:
        before = words[words.index(code) - 1] if words.index(code) else code
        is_inside = before.end in inside and "with" not in before.kinds
        if is_inside or (clause.sentence.has("remove") and "was" in before.kinds):
            found.append(code)
    return found


def _becomes(sentence: Reading, old: Word, new: Word) -> bool:
    """Return whether a word such as `with` is between two codes, or right behind the second.

    Of what one only should be, they have a word in common: otherwise it may be what something returns.
    """
    at, behind = sentence.words.index(old), sentence.words.index(new)
    if not sentence.has("replace assign"):
        is_said = any("becomes" in word.kinds for word in sentence.words[at + 1 : behind])
        words = (set(IDENTIFIER.findall(word.text)) for word in (old, new))
        return is_said and not set.isdisjoint(*words)
    return any(not word.kinds.isdisjoint(_WITH) for word in sentence.words[at + 1 : behind]) or any(
        "with" in word.kinds and not word.text.isascii() for word in sentence.words[behind + 1 : behind + 2]
    )


def _pair(scan: TextScan, source: AnswerText, clause: _Clause, old: Word, new: Word) -> Edit | Unplaced:
    words = [word.text.strip("`").strip() for word in (old, new)]
    doubt = clause.doubt
    paths = _paths_of(source, clause)
    if not paths:
        paths = named_last_above(source, source.line_of(clause.start))
        doubt = _LED if paths else doubt
    above = [word for word in clause.sentence.words if "path" in word.kinds and word.end <= old.start]
    paths = Reading(tuple(above[-1:])).paths if len(paths) > 1 and above else paths
    path = paths[0] if len(paths) == 1 else "" if paths else scan.given_path
    is_value = clause.sentence.has("assign") and not clause.sentence.has("replace")
    outside = "".join(
        " " * len(word.text) if word in (old, new) else f"{word.text} " for word in clause.sentence.words
    )
    edit = Edit(
        path=path,
        operation=Operation.PLACE,
        search=words[0],
        replace=words[1],
        replace_all=clause.sentence.has("rename") and all(map(_NAME.fullmatch, words)),
        line=line_named(outside),
        target=Target(TargetKind.WORDS, words[0], Side.AFTER if is_value else Side.INSTEAD),
        doubt=doubt,
        format=Format.PAIR,
        span=(clause.start + old.start, clause.start + new.end),
    )
    why = ""
    if not clause.is_ended:
        why = "the sentence may be cut off; its end was expected"
    elif "\n" in words[0] + words[1] or words[0] == words[1] or not all(words):
        why = "one line was expected for each"
    elif len(paths) > 1:
        why = f"two files are named for it, {' and '.join(paths[:2])}; name one"
    elif not path:
        why = "no path names its file; name it in the sentence"
    if not why:
        return edit
    may_be_placed = clause.is_ended and not path and len(words[0]) >= _LEAST and "\n" not in words[1]
    return Unplaced(
        message=f"this sentence replaces `{words[0]}` by `{words[1]}`: {why}",
        span=edit.span,
        line=source.line_of(edit.span[0]) + 1,
        edit=edit if may_be_placed else None,
        paths=paths,
        is_change=True,
    )


def _deletion(scan: TextScan, source: AnswerText, clause: _Clause, code: Word) -> Iterator[Edit | Unplaced]:
    """Yield the edit of a sentence that asks to delete one line, or one definition, of a file."""
    words = code.text.strip("`").strip()
    name = words.removesuffix("()").replace(".", "/")
    is_name = all(map(str.isidentifier, name.split("/")))
    is_named = is_name and ("/" in name or words.endswith("()"))
    is_meant = is_named or clause.sentence.has("removable") or _STATEMENT.search(words)
    if not words or "\n" in words or not is_meant:
        return
    paths = _paths_of(source, clause) or named_last_above(source, source.line_of(clause.start))
    paths = paths or ((scan.given_path,) if scan.given_path else ())
    edit = Edit(
        path=paths[0] if len(paths) == 1 else "",
        operation=Operation.PLACE,
        search=words,
        target=Target(TargetKind.DEFINITION, name if is_name else words, Side.DELETED),
        doubt=_DELETED,
        format=Format.PAIR,
        span=(clause.start + code.start, clause.start + code.end),
    )
    if edit.path:
        yield edit
    elif not paths and not is_name:
        yield Unplaced(
            message=f"this sentence deletes `{words}`: no path names its file; name it in the sentence",
            span=edit.span,
            line=source.line_of(edit.span[0]) + 1,
            edit=edit,
            is_change=True,
        )


def _paths_of(source: AnswerText, clause: _Clause) -> tuple[str, ...]:
    """Return the files that a sentence names, or those of the heading or the path above it."""
    above = names_above(source, source.line_of(clause.start), 0)
    named = (each.path for each in above if each.how in (Naming.ALONE, Naming.HEADING))
    return clause.sentence.paths or tuple(dict.fromkeys(named))


def _in_row(source: AnswerText, row: int) -> Iterator[Edit]:
    """Yield what an item of a list with an arrow, or a row of a table, replaces in its one file."""
    words = source.bare(row)
    if words.startswith("|"):
        yield from _in_table(source, row)
        return
    pair = _ARROW.fullmatch(words)
    if pair is not None:
        own = without_line((pair["quoted"] or pair["path"] or "").strip("*"))
        path = own if names_a_source(own) else "" if own else _path_above(source, _begin_of_list(source, row))
        yield from _listed(source, row, path, pair["old"], pair["new"], _IN_LIST)


def _in_table(source: AnswerText, row: int) -> Iterator[Edit]:
    """Yield what a row replaces, if its table has columns for what is there and what will be."""
    rule = row - 1
    while rule > max(0, row - _MOST_ROWS) and source.bare(rule).startswith("|"):
        if _RULE.fullmatch(source.bare(rule)):
            break
        rule -= 1
    if rule < 1 or not _RULE.fullmatch(source.bare(rule)):
        return
    heading, cells = _cells(source.bare(rule - 1)), _cells(source.bare(row))
    old, new, file = (_column(heading, kind) for kind in ("was", "will", "file"))
    if len(cells) != len(heading):
        return
    named = "" if file is None else without_line(cells[file].strip("*` "))
    path = named or _path_above(source, rule - 1)
    if old is not None and new is not None:
        codes = [cells[at] for at in (old, new)]
        pairs = [(codes[0][1:-1], codes[1][1:-1])] if all(map(_IN_BACKQUOTES.fullmatch, codes)) else []
    else:
        pairs = [(found["old"], found["new"]) for found in map(_ARROW.fullmatch, cells) if found]
    if len(pairs) == 1 and names_a_source(path):
        yield from _listed(source, row, path, *pairs[0], _IN_TABLE)


def _cells(row: str) -> list[str]:
    """Return the cells of a row, in which a bar of their own has a backslash before it."""
    cells = row.strip().removeprefix("|").replace("\\|", "\0").split("|")
    return [cell.replace("\0", "|").strip() for cell in (cells if cells[-1].strip() else cells[:-1])]


def _column(heading: Sequence[str], kind: str) -> int | None:
    """Return the one column whose heading begins or ends with a word of a kind, if there is one only."""
    found = [
        at
        for at, cell in enumerate(heading)
        if any(kind in word.kinds for one in readings(cell) for word in (*one.words[:1], *one.words[-1:]))
    ]
    return found[0] if len(found) == 1 else None


def _begin_of_list(source: AnswerText, row: int) -> int:
    """Return the first line of the list that a line is in."""
    first = row
    while row > 0 and (_ITEM.match(source.bare(row - 1)) or not source.bare(row - 1)):
        row -= 1
        first = row if source.bare(row) else first
    return first


def _path_above(source: AnswerText, row: int) -> str:
    """Return the one file that is named above a line; empty if there is none, or several are."""
    named = names_above(source, row, 0, unquoted=True)
    return named[0].path if len(named) == 1 else ""


def _listed(source: AnswerText, row: int, path: str, old: str, new: str, doubt: str) -> Iterator[Edit]:
    old, new = old.strip(), new.strip()
    if path and old and new and old != new:
        yield Edit(
            path=path,
            operation=Operation.PLACE,
            search=old,
            replace=new,
            target=Target(TargetKind.WORDS, old),
            doubt=doubt,
            format=Format.PAIR,
            span=source.span(row, row + 1),
        )
