"""A value that a sentence says becomes another one: *Change `LIMIT` from `20` to `5` in `x.py`.*

It counts where the file gives the name that value, once.
"""

from __future__ import annotations

from collections.abc import Iterator

from patchpoint.edit import Edit, Format, Operation, Side, Target, TargetKind, Unplaced
from patchpoint.formats.in_words.pairs import begins_with_verb
from patchpoint.formats.in_words.sentences import SentencesLeft
from patchpoint.formats.sentences.sentence import Reading, Word, readings
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex

_SAYS_MORE = "The sentence says more than that this value becomes another one."
_KNOWN = "fill this thing file replace change assign with from onto"
_HELD = "never offers done sample speaker"
_STATEMENT = regex(r"(?P<name>[\w.$-]{1,100})\s{0,20}[=:]\s{0,20}(?P<value>\S.{0,200}?);?")
_ONLY_SAID = "Only a sentence says so."
_NAME = regex(r"[\w.$\"'-]+")


def values_in_words(left: SentencesLeft) -> list[Unplaced]:
    """Return the values that sentences change, each with the file that is named for it.

    Those that code shows as well, or one of the edits has, are left out.
    """
    found = (one for start, text in left.sentences for one in _in(left, start, text))
    return [one for one in found if one.edit is not None and not left.shows(one.edit.replace)]


def _in(left: SentencesLeft, start: int, text: str) -> Iterator[Unplaced]:
    """Yield the values that a sentence changes."""
    if text.rstrip("*_ \n").endswith(("?", "？")) or any(one.has(_HELD) for one in readings(text)):
        return
    for sentence in readings(text):
        changes = list(_changes(sentence)) if sentence.has("replace change assign") else []
        yield from _set(left, start, sentence)
        for name, old, new in changes:
            own = [word for word in sentence.words if "path" in word.kinds and word.end <= name.start]
            paths = left.paths(start, Reading(tuple(own[-1:])).paths or sentence.paths)
            words = [word.text.strip("`").strip() for word in (name, old, new)]
            if len(paths) == 1 and all(words) and words[1] != words[2]:
                is_sure = sentence.is_made_of(_KNOWN) and begins_with_verb(sentence)
                doubt = "" if is_sure else _SAYS_MORE
                yield _change(left.source, (start + name.start, start + new.end), paths, words, doubt)
        if changes:
            return


def _set(left: SentencesLeft, start: int, sentence: Reading) -> Iterator[Unplaced]:
    """Yield the value that a sentence gives a name in one code, as in *set `a = 1`*."""
    codes = [at for at, word in enumerate(sentence.words) if "code" in word.kinds]
    at = codes[0] if len(codes) == 1 else 0
    found = _STATEMENT.fullmatch(sentence.words[at].text.strip("`").strip()) if at else None
    if found is None or "assign" not in sentence.words[at - 1].kinds:
        return
    paths = left.paths(start, sentence.paths)
    if len(paths) == 1:
        word = sentence.words[at]
        span = (start + word.start, start + word.end)
        yield _change(left.source, span, paths, [found["name"], found["name"], found["value"]], _ONLY_SAID)


def _changes(sentence: Reading) -> Iterator[tuple[Word, Word, Word]]:
    """Yield each name with its value as it was and as it becomes, by the words between them."""
    words = sentence.words
    codes = [at for at, word in enumerate(words) if "code" in word.kinds]
    for first, second, third in zip(codes, codes[1:], codes[2:], strict=False):
        before, between = Reading(words[first + 1 : second]), Reading(words[second + 1 : third])
        # In Japanese, the word that says which value goes is behind it.
        is_change = (before.has("from") and between.has("with onto")) or between.has("from")
        if is_change and _NAME.fullmatch(words[first].text.strip("`")):
            yield words[first], words[second], words[third]


def _change(
    source: AnswerText, span: tuple[int, int], paths: tuple[str, ...], words: list[str], doubt: str
) -> Unplaced:
    name, old, new = words
    edit = Edit(
        path="",
        operation=Operation.PLACE,
        search=old,
        replace=new,
        target=Target(TargetKind.WORDS, name, Side.AFTER),
        doubt=doubt,
        format=Format.PAIR,
        span=span,
    )
    message = f"this sentence changes `{name}` to `{new}` in {paths[0]}, and no edit was made of it"
    row = source.line_of(span[0]) + 1
    return Unplaced(message=message, span=span, line=row, edit=edit, paths=paths, is_sentence=True)
