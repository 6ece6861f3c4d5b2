"""What sentences of an answer ask for that its code does not show: each change, and what is left of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, takewhile

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Side, Unplaced
from patchpoint.formats.in_words.additions import adds, begins_with_aim
from patchpoint.formats.in_words.asked_change import AskedChange, code_of, edit_at
from patchpoint.formats.in_words.changes import NOTE, changes_in
from patchpoint.formats.in_words.files import moved_or_created, removed_below
from patchpoint.formats.in_words.held import only_tells
from patchpoint.formats.in_words.rows import pairs_in_row
from patchpoint.formats.in_words.sentences import (
    SentencesLeft,
    has_code,
    is_elsewhere,
    rows_in_fences,
    squeezed,
)
from patchpoint.formats.in_words.unquoted import is_value
from patchpoint.formats.labels import which_file
from patchpoint.formats.path_forms import are_of_one_file, names_a_source
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import (
    Reading,
    Word,
    WordTable,
    reading,
    sentence_spans,
    trimmed,
)
from patchpoint.formats.source import AnswerText, Item
from patchpoint.formats.spelling import set_of_words
from patchpoint.text.regex import regex
from patchpoint.text.shown import visible_line

_CODE = regex(r"`[^`\n]{1,200}`")
_SPOKEN_TO = set_of_words("you we i dafür du sie ihr wir vous tu nous il usted você")
_VERBS = frozenset({"change", "replace", "assign", "remove", "rename", "move"})
_TELLS = regex(r"(?:ed|ing|[^s]s|\bge\w+t|erhöht|é|[ai]d[oa])\Z")
"""How verbs end that tell what something does or did."""
_NO_PATH = "no path names its file; name it in the sentence"
_LEAST = 4
"""What is replaced where no file is named has so many characters."""
_ENDS = (".", "!", "\n", "。", "！")
_LONG = 90
_ASKS = frozenset({"remove", "change", "replace", "assign", "adds"})
_IMPORT = regex(r"(?i)import(?!ant)")
_IMPORTS = regex(r"(?:import|from|use|using|#\s*include|require\w*)\b[ (].|(?:const|let|var) .*require\(")
"""What is a whole statement that imports, of a language that has it."""
_SAYS_NOTHING = frozenset({"fill", "stop", "number", "end"})
_COMMAND = regex(
    r"\$ |(?:apt|bash|brew|bundle|cargo|cd|chmod|composer|cp|curl|docker|dotnet|git|go|\.?/?gradlew?|make|mix"
    r"|mkdir|mv|mvn|node|npm|npx|php|pip3?|pnpm|poetry|pytest|python3?|rails|rake|rm|sh|sudo|swift|uv|yarn) "
    r"|[\w.@-]+(?:/[\w.@-]+)+/?\Z"
)
"""What is run, or is a folder, and no code of a file."""
_STATEMENT = regex(r"[^\w\s.()-]|\w\s+\w|\w\(.+\)")
"""What is no name alone, with a call at most."""


def read_changes_in_words(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return the edits of sentences that name a file, where the text has no code of its own."""
    return [found for found in _alone(scan, items) if isinstance(found, Edit)]


def asked_in_words(scan: TextScan, items: list[Item]) -> list[Unplaced]:
    """Return what sentences ask for, each with the edit that it is of the file that is named for it.

    Nothing but the words of a sentence says so: its file shows whether it is more than likely. What they ask
    for that is no edit is among them, too.
    """
    is_alone = not _is_next_to_code(scan, items)
    left = SentencesLeft.of(scan.source, items, is_alone=is_alone)
    found = [one for one in _alone(scan, items) if isinstance(one, Unplaced)] if is_alone else []
    for edit in () if is_alone else _in_rows(left.source):
        if squeezed(edit.replace) not in left.shown:
            what = f"replaces `{edit.search}` by `{edit.replace}` in"
            found.append(_unplaced(left, AskedChange(what=what, edit=edit, paths=()), edit.path))
    found += [_unplaced(left, each, each.paths[0]) for each in removed_below(left.source)]
    edited = {item.path for item in items if item.path}
    only = next(iter(edited)) if len(edited) == 1 else ""
    made = [item for item in items if isinstance(item, Edit) and item.target is not None]
    for start, change, is_wish in _asked(left, is_next=not is_alone):
        paths = left.paths(start, change.paths) or ((only,) if only else ())
        every = [(path,) for path in paths] if change.is_in_each and paths else [paths]
        others = () if change.paths else tuple(edited)
        found += [
            replace(_unplaced(left, change, *each), nearby=others, is_of_any=is_wish and not change.paths)
            for each in every
            if (each or is_wish) and not _is_made(change.edit, [*made, *found])
        ]
    found += _imports(left, only, found)
    named = [one for one in found if one.paths]
    more = list(_left(scan, left, items, named))
    # what no file is named for holds back as much as its sentence does
    asking = [one.span for one in more if one.is_change]
    rest = [
        replace(one, is_change=one.is_change or any(first <= one.span[0] < end for first, end in asking))
        for one in found
        if not one.paths
    ]
    more = [one for one in more if not any(one.span[0] <= each.span[0] < one.span[1] for each in rest)]
    return _without_repeats([*named, *rest, *more])


def _imports(left: SentencesLeft, only: str, found: Sequence[Unplaced]) -> Iterator[Unplaced]:
    """Yield the import statements that sentences ask for, and nothing else.

    Where no file is known, it is the one that the other code of the answer goes into.
    """
    for start, text in left.sentences:
        sentence = reading(text)
        path = next(iter(sentence.paths), only)
        codes = _statements(sentence)
        is_read = any(start <= one.span[0] < start + len(text) for one in found)
        is_whole = all(_IMPORTS.match(code_of(word)) for word in codes)
        if not (codes and (path or is_whole)) or is_read or sentence.has("remove"):
            continue
        from patchpoint.structure.imports import are_imports, import_of

        lines = [import_of(code_of(word), path) if path else code_of(word) for word in codes]
        is_import = not path or are_imports(lines, path)
        if is_import and (_asks(sentence, _ASKS) or _is_needed(sentence)):
            edit = edit_at(codes[0], new="".join(f"{line}\n" for line in lines))
            edit = replace(edit, span=(start + codes[0].start, start + codes[-1].end))
            change = AskedChange(what=f"adds `{lines[0]}` to", edit=edit, paths=())
            one = _unplaced(left, change, path)
            yield one if path else replace(one, is_of_any=True, is_change=True)


def _statements(sentence: Reading) -> list[Word]:
    """Return the code of a sentence that is imported, but for the names in it, and what it goes next to."""
    codes = [word for word in sentence.words if "code" in word.kinds]
    # what it goes next to
    sides = (word.start for word in sentence.words if "place" in word.kinds and word.start > codes[0].start)
    side = next(sides, len(sentence.words) and sentence.words[-1].end) if codes else 0
    codes = [word for word in codes if word.start < side]
    long = [word for word in codes if not code_of(word).isidentifier()]
    if len(long) != 1 or len(codes) == 1:
        return codes
    is_in_it = all(code_of(word) in code_of(long[0]) for word in codes)
    is_first = codes[0] is long[0] and (
        sentence.has("itself") or any(_IMPORT.match(word.text) for word in sentence.words)
    )
    return long if is_in_it or is_first else codes


def _is_needed(sentence: Reading) -> bool:
    """Return whether a sentence says that something is needed, by nobody but who is spoken to."""
    words = sentence.words
    code = next((at for at, word in enumerate(words) if "code" in word.kinds), 0)
    must = next((at for at, word in enumerate(words[:code]) if "must" in word.kinds), code)
    subject = [word.text for word in words[:must] if word.kinds.isdisjoint(("fill", "stop", "this", "file"))]
    return must < code and all(word in _SPOKEN_TO for word in subject) and not sentence.has("never done")


def _is_next_to_code(scan: TextScan, items: list[Item]) -> bool:
    is_other = any(not isinstance(item, Edit) or item.target is None for item in items)
    return is_other or any(item.format is not Format.PAIR for item in items) or has_code(scan)


def _in_rows(source: AnswerText) -> Iterator[Edit]:
    """Yield what lists and tables ask for."""
    inside = source.once(rows_in_fences)
    for row, line in enumerate(source.lines):
        if row not in inside and "`" in line:
            yield from pairs_in_row(source, row)


def _alone(scan: TextScan, items: list[Item]) -> Iterator[Edit | Unplaced]:
    """Yield what an answer without any code asks for, where a file is named or the text has its words."""
    if scan.is_inside_edit or _is_next_to_code(scan, items):
        return
    left = SentencesLeft.of(scan.source, items, is_alone=True)
    rows = list(_in_rows(left.source))
    yield from rows
    for start, change, _ in _asked(left, is_next=False):
        edit, paths = change.edit, left.paths(start, change.paths)
        path, why = which_file(paths, scan.given_path, _NO_PATH)
        rest = scan.source.text[edit.span[1] :]
        is_cut = not rest.endswith(_ENDS) and (0, len(rest)) == next(sentence_spans(rest), (0, 0))
        if edit.target is None or (len(paths) > 1 and change.is_in_each) or _is_made(edit, rows):
            continue
        if path and not is_cut:
            yield replace(edit, path=path)
            continue
        why = "the sentence may be cut off; its end was expected" if is_cut else why
        unplaced = _unplaced(left, change, path)
        is_whole = not is_cut and len(edit.search) >= _LEAST and not paths
        yield replace(
            unplaced,
            message=f"this sentence {change.what.removesuffix(' in').removesuffix(' from')}: {why}",
            edit=edit if is_whole else None,
            paths=paths,
            is_sentence=False,
            is_change=True,
        )


def _asked(left: SentencesLeft, *, is_next: bool) -> Iterator[tuple[int, AskedChange, bool]]:
    """Yield the changes in sentences, each with where that begins, and whether it begins as a request.

    Next to code, most sentences tell what that does, or what was done: its result shows whether it is.
    """
    is_any = is_next or any(changes_in(text, is_report=False) for _, text in left.sentences)
    for start, text in left.sentences:
        is_own = is_any and _is_own_report(text)
        is_said = not is_next or is_own or _is_said_to_do(text)
        is_wanted = not (is_next and is_elsewhere(text))
        found = moved_or_created(text, is_report=is_own) or changes_in(text, is_report=is_own)
        for change in found if is_wanted else ():
            edit = change.edit
            is_text = edit.target is None or (edit.target.side is Side.INSTEAD and not edit.replace_all)
            if is_said or is_text:
                yield (
                    start,
                    replace(change, edit=replace(edit, span=(start + edit.span[0], start + edit.span[1]))),
                    _asks(reading(text), _ASKS),
                )


def _is_own_report(text: str) -> bool:
    """Return whether a sentence begins with who speaks: *I've set ...*."""
    words = reading(text).words
    first = next(
        (word for word in words if not word.kinds & {"fill", "stop"} or "speaker" in word.kinds), None
    )
    return first is not None and "speaker" in first.kinds


def _is_said_to_do(text: str) -> bool:
    """Return whether a sentence asks, or says what has to be, not what others do."""
    sentence = reading(text)
    verbs = (word.text for word in sentence.words if not word.kinds.isdisjoint(_VERBS))
    return any(_TELLS.search(verb) is None for verb in verbs) or sentence.has("must would needless")


def _unplaced(left: SentencesLeft, change: AskedChange, *paths: str) -> Unplaced:
    path = next(iter(paths), "")
    what = f"{change.what} {path}" if path else change.what.removesuffix(" in").removesuffix(" from")
    return Unplaced(
        message=f"this sentence {what}, and no edit was made of it",
        span=change.edit.span,
        line=left.source.line_of(change.edit.span[0]) + 1,
        edit=replace(change.edit, path=""),
        paths=tuple(filter(None, paths)),
        is_sentence=True,
        is_change=change.is_needed,
    )


def _is_made(edit: Edit, made: Sequence[Edit | Unplaced]) -> bool:
    """Return whether what a sentence asks for is among what is made of it already."""
    others = (one if isinstance(one, Edit) else one.edit for one in made)
    return any(
        one is not None
        and one.span[0] < edit.span[1]
        and edit.span[0] < one.span[1]
        and (one.search, one.replace) == (edit.search, edit.replace)
        for one in others
    )


def _without_repeats(found: list[Unplaced]) -> list[Unplaced]:
    """Return what sentences ask for, each change once: a recap says it again, in more words."""
    asked: set[object] = set()
    once = []
    for one in found:
        edit = one.edit if one.is_sentence else None
        codes = frozenset(_CODE.findall(edit.lead)) if edit is not None else frozenset[str]()
        change = (one.paths, edit.target, edit.search, edit.replace, codes) if edit is not None else one
        once += [one] if change not in asked else []
        asked.add(change)
    return once


def _left(
    scan: TextScan, left: SentencesLeft, items: list[Item], known: Sequence[Unplaced]
) -> Iterator[Unplaced]:
    """Yield the sentences that ask for a change of which there is no edit among the `items`, or `known`.

    That is one of a file of which the items change nothing, or one with code that nothing else has. One that
    only may ask for something is named, and holds nothing back.
    """
    edited = {item.path for item in items if item.path}
    pairs = [item for item in items if isinstance(item, Edit) and item.format is Format.PAIR]
    every = [*pairs, *(one.edit for one in known if one.edit is not None)]
    for start, text in left.sentences if edited or known or has_code(scan) else ():
        sentence = reading(text)
        of_it = [edit for edit in every if start <= edit.span[0] < start + len(text)]
        path = "" if of_it or not edited else _another_file(sentence, edited)
        made = (f"{one.search}{one.replace}{one.target.name if one.target else ''}" for one in of_it)
        texts = [left.shown, *map(squeezed, made)]
        # what a rename has in brackets only says where the name is
        asked = reading(NOTE.sub("", text)) if sentence.has("rename") else sentence
        first = Reading(sentence.words[:1])
        is_of_place = not sentence.paths and first.has("within") and is_elsewhere(text)
        if is_of_place or only_tells(text):
            continue
        is_asked = bool(path) or _has_code_left(asked, texts, is_read=bool(of_it), is_added=adds(text))
        is_asked = is_asked or (not of_it and _calls_at_a_side(sentence, text, left.shown))
        if is_asked or (not of_it and _may_ask(asked, text, left.shown)):
            path = path or next(iter(left.paths(start, sentence.paths)), "")
            of = f" of {path}" if names_a_source(path) else ""
            said = visible_line(text.strip())
            said = said if len(said) <= _LONG else f"{said[: _LONG - 1]}…"
            asks = "asks" if is_asked else "may ask"
            why = f"this {asks} for a change{of} in words, and no edit was made of it (“{said}”)"
            line, span = scan.source.line_of(start) + 1, (start, start + len(text))
            yield Unplaced(message=why, span=span, line=line, is_change=is_asked, is_sentence=True)


def _another_file(sentence: Reading, edited: Collection[str]) -> str:
    """Return the other file that a sentence asks to change; empty for one that asks for nothing there."""
    paths = [path for path in sentence.paths if not any(are_of_one_file(path, each) for each in edited)]
    return paths[0] if paths and _asks(sentence, _ASKS | {"do"}) else ""


def _has_code_left(sentence: Reading, known: Sequence[str], *, is_read: bool, is_added: bool) -> bool:
    """Return whether a sentence asks to change something to code that is in none of some texts.

    Where it `is_read`, values alone count: its other words say what it is about.
    """
    words = sentence.words
    codes = [at for at, word in enumerate(words) if "code" in word.kinds]
    texts = {at: code_of(words[at]) for at in codes}
    left = {at for at in codes if not any(squeezed(texts[at]) in text for text in known)}
    is_to = [at for at in left if words[at - 1].kinds & {"with", "onto"}]
    if any(is_value(texts[at]) for at in is_to):
        return _asks(sentence, _ASKS)
    left = {at for at in left if not _COMMAND.match(texts[at])}
    if left and sentence.has("same"):
        return not sentence.has("never offers done sample")
    between = Reading(words[codes[0] : codes[-1]]) if len(codes) == 2 and not is_added else Reading(())
    if between.has("with onto") and not (between.has("within") and sentence.has("assign")):
        left &= {codes[1]}  # what becomes of it is shown
    is_pair = len(left) > 1 and sentence.has("replace") and sentence.has("with")
    is_import = any(_IMPORT.match(word.text) for word in words) and not any(
        "import" in text for text in known
    )
    is_code = is_pair or (is_import and bool(codes)) or any(_STATEMENT.search(texts[at]) for at in left)
    return is_code and not is_read and _asks(sentence, _ASKS)


def _may_ask(sentence: Reading, text: str, known: str) -> bool:
    """Return whether a sentence begins as a request, with code that is not among what is known."""
    codes = [code_of(word) for word in sentence.words if "code" in word.kinds]
    left = [code for code in codes if squeezed(code) not in known and not _COMMAND.match(code)]
    return bool(left) and (_asks(sentence, _ASKS | {"change", "do", "create"}) or _acts(text))


def _calls_at_a_side(sentence: Reading, text: str, known: str) -> bool:
    """Return whether a sentence asks to do, on a side of something, what no code shows."""
    codes = [code_of(word) for word in sentence.words if "code" in word.kinds]
    left = [code for code in codes if squeezed(code) not in known and not _COMMAND.match(code)]
    is_placed = reading(text, WordTable.PLACES).has("above below first last")
    return is_placed and any(map(_STATEMENT.search, left)) and _acts(text)


def _acts(text: str) -> bool:
    """Return whether a sentence begins with a verb for something that is done to code: *pass `x` to `f`*."""
    words = reading(text).words
    # *in `f`, call `g()`*
    pairs = enumerate(pairwise(words[:5]), 2)
    words = words[
        next((at for at, (one, two) in pairs if "within" in one.kinds and "code" in two.kinds), 0) :
    ]
    first = next((word for word in words if not word.kinds & {"fill", "stop", "number"}), None)
    said = reading(text[first.start if first else 0 :], WordTable.DOUBTS).words
    return not trimmed(text).endswith((":", "：")) and Reading(said[:1]).has("acts")


def _asks(sentence: Reading, kinds: Collection[str]) -> bool:
    """Return whether a clause of a sentence asks for something of some kinds, and is not about code below."""
    words = sentence.words
    if not words or words[-1].text in (":", "："):
        return False
    stops = [at for at, word in enumerate(words) if word.text in (",", "，", "、")]
    clauses = [Reading(words[first + 1 : end]) for first, end in pairwise([-1, *stops, len(words)])]
    # a condition, or what is not to be done, comes first
    aims = len(clauses) > 1 and begins_with_aim(sentence)
    possible = takewhile(lambda clause: not clause.has("never offers"), clauses[aims:])
    return any(_clause_asks(clause, kinds) for clause in possible)


def _clause_asks(clause: Reading, kinds: Collection[str]) -> bool:
    words = clause.words
    is_labelled = Reading(words[:1]).has("path") and Reading(words[1:2]).has("stop")
    said = [word for word in words[2 * is_labelled :] if not word.kinds & _SAYS_NOTHING]
    if not said or clause.has("done stays"):
        return False
    first = [said[0]] if "place" not in said[0].kinds else []
    # in German, the verb is the last of a clause
    is_last = clause.has("code path name") and said[-1].text.endswith(("en", "rn", "ln"))
    is_last |= said[-1].is_unspaced
    first += [said[-1]] if is_last else []
    # in Chinese, it is behind what it is about
    is_of_object = any("object" in word.kinds and word.is_unspaced for word in clause.words)
    first += [word for word in said if word.is_unspaced and is_of_object]
    return any(not word.kinds.isdisjoint(kinds) or _IMPORT.match(word.text) for word in first)
