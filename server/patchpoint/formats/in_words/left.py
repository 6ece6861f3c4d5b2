"""What an answer asks for in a sentence alone, next to its code: no edit is made of it, and that is said."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from patchpoint.edit import Edit, Format, Unplaced
from patchpoint.formats.in_words.frame import code_of, is_value
from patchpoint.formats.in_words.pairs import NOTE
from patchpoint.formats.in_words.sentences import SentencesLeft, has_code, is_elsewhere, squeezed
from patchpoint.formats.path_forms import are_of_one_file, names_a_source
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import Reading, reading
from patchpoint.formats.source import Item
from patchpoint.text.regex import regex
from patchpoint.text.shown import visible_line

_LONG = 90
_ASKS = frozenset({"remove", "change", "replace", "adds"})
_ASKS_OF_ANOTHER = _ASKS | {"do"}
_IMPORT = regex(r"(?i)import\b")
_LEADS_ON = (":", "：")
_COMMAS = (",", "，", "、")
_SAYS_NOTHING = frozenset({"fill", "stop", "number", "end"})
_TO = frozenset({"with", "onto"})
_PAIR = 2
_COMMAND = regex(
    r"\$ |(?:apt|bash|brew|bundle|cargo|cd|chmod|composer|cp|curl|docker|dotnet|git|go|\.?/?gradlew?|make|mix"
    r"|mkdir|mv|mvn|node|npm|npx|php|pip3?|pnpm|poetry|pytest|python3?|rails|rake|rm|sh|sudo|swift|uv|yarn) "
)
_STATEMENT = regex(r"[^\w\s.()-]|\w\s+\w|\w\(.+\)")
"""What is no name alone, with a call at most."""
_FOLDER = regex(r"[\w.@-]+(?:/[\w.@-]+)+/?")


def left_in_words(
    scan: TextScan, left: SentencesLeft, items: list[Item], known: Sequence[Unplaced]
) -> list[Unplaced]:
    """Return the sentences that ask for a change of which there is no edit among the `items`, or `known`.

    That is one of a file of which the items change nothing, or one with code that nothing else has.
    """
    edited = {item.path for item in items if item.path}
    if not (edited or known or has_code(scan)):
        return []
    pairs = [item for item in items if isinstance(item, Edit) and item.format is Format.PAIR]
    every = [*pairs, *(one.edit for one in known if one.edit is not None)]
    found = []
    for start, text in left.sentences:
        sentence = reading(text)
        of_it = [edit for edit in every if start <= edit.span[0] < start + len(text)]
        path = "" if of_it or not edited else _another_file(sentence, edited)
        texts = [
            left.shown,
            *(squeezed(f"{one.search}{one.replace}{one.target.name if one.target else ''}") for one in of_it),
        ]
        # what a rename has in brackets only says where the name is
        asked = reading(NOTE.sub("", text)) if sentence.has("rename") else sentence
        if not sentence.paths and "within" in sentence.words[0].kinds and is_elsewhere(text):
            continue
        if path or (_has_value_left(asked, texts) if of_it else _has_code_left(asked, texts)):
            path = path or next(iter(left.paths(start, sentence.paths)), "")
            of = f" of {path}" if names_a_source(path) else ""
            said = visible_line(text.strip())
            said = said if len(said) <= _LONG else f"{said[: _LONG - 1]}…"
            why = f"this asks for a change{of} in words, and no edit was made of it (“{said}”)"
            line = scan.source.line_of(start) + 1
            span = (start, start + len(text))
            found.append(Unplaced(message=why, span=span, line=line, is_change=True, is_sentence=True))
    return found


def _another_file(sentence: Reading, edited: Collection[str]) -> str:
    """Return the other file that a sentence asks to change; empty for one that asks for nothing there."""
    paths = [path for path in sentence.paths if not any(are_of_one_file(path, each) for each in edited)]
    return paths[0] if paths and _asks(sentence, _ASKS_OF_ANOTHER) else ""


def _has_code_left(sentence: Reading, known: Sequence[str]) -> bool:
    """Return whether a sentence asks to change something to code that is in none of some texts.

    What is only run is no such code.
    """
    left = [
        code for code in _codes_left(sentence, known) if not (_COMMAND.match(code) or _FOLDER.fullmatch(code))
    ]
    codes = [at for at, word in enumerate(sentence.words) if "code" in word.kinds]
    if len(codes) == _PAIR and Reading(sentence.words[codes[0] : codes[1]]).has("with onto"):
        # what becomes of it is shown
        left = left if code_of(sentence.words[codes[1]]) in left else []
    is_code = any(map(_STATEMENT.search, left)) or _has_value_left(sentence, known)
    is_pair = len(left) >= _PAIR and sentence.has("replace") and sentence.has("with")
    return (is_code or is_pair) and _asks(sentence, _ASKS)


def _has_value_left(sentence: Reading, known: Sequence[str]) -> bool:
    """Return whether a sentence asks to change something to a value that is in none of some texts."""
    left = _codes_left(sentence, known)
    values = (
        code_of(word)
        for before, word in pairwise(sentence.words)
        if before.kinds & _TO and "code" in word.kinds
    )
    return any(value in left and is_value(value) for value in values) and _asks(sentence, _ASKS)


def _codes_left(sentence: Reading, known: Sequence[str]) -> list[str]:
    """Return the code of a sentence that is in none of some texts."""
    words = [code_of(word) for word in sentence.words if "code" in word.kinds]
    return [code for code in words if not any(squeezed(code) in text for text in known)]


def _asks(sentence: Reading, kinds: Collection[str]) -> bool:
    """Return whether a sentence begins by asking for something of some kinds, and is not about code below."""
    words = sentence.words
    if not words or words[-1].text in _LEADS_ON or sentence.has("never offers done sample"):
        return False
    comma = next((at + 1 for at, word in enumerate(words) if word.text in _COMMAS), 0)
    parts = ([word for word in words[at:] if not word.kinds & _SAYS_NOTHING] for at in (0, comma))
    first = [part[0] for part in parts if part and "place" not in part[0].kinds]
    # in German, the verb is the last of a clause
    first += [part[-1] for part in parts if part and part[-1].text.endswith(("en", "rn", "ln"))]
    return any(not word.kinds.isdisjoint(kinds) or _IMPORT.match(word.text) for word in first)
