"""Names that a sentence says become other ones: *I'd rename `do_count` to `increment_count` in `cache.rb`.*

Nothing but the words of the sentence says so, so it is proposed at most: every place of the one file.
"""

from __future__ import annotations

from collections.abc import Iterator

from patchpoint.edit import Edit, Format, Operation, Target, TargetKind, Unplaced
from patchpoint.formats.in_words.sentences import SentencesLeft, is_held
from patchpoint.formats.sentences.sentence import Reading, Word, readings

_HELD = "never offers done sample"
_ONLY_SAID = "Only a sentence says so."


def renames_in_words(left: SentencesLeft) -> list[Unplaced]:
    """Return the names that sentences change, each with the file that is named for it."""
    before = ["", *(text for _, text in left.sentences)]
    return [
        one
        for (start, text), above in zip(left.sentences, before, strict=False)
        for one in _renamed(left, start, text, above)
    ]


def _renamed(left: SentencesLeft, start: int, text: str, above: str) -> Iterator[Unplaced]:
    """Yield the name that a sentence changes; *it* is what the sentence above it names first."""
    every = readings(text)
    if text.rstrip("*_ \n").endswith(("?", "？")) or is_held(text, _HELD):
        return
    for sentence in every:
        pair = _old_and_new(sentence, above)
        if pair is None:
            continue
        old, new = pair
        paths = left.paths(start, sentence.paths)
        if len(paths) != 1:
            return
        span = (start + new.start, start + new.end)
        edit = Edit(
            path="",
            operation=Operation.PLACE,
            search=old,
            replace=_name(new),
            replace_all=True,
            target=Target(TargetKind.WORDS, old),
            doubt=_ONLY_SAID,
            format=Format.PAIR,
            span=span,
        )
        message = f"this sentence renames `{old}` to `{_name(new)}` in {paths[0]}, and no edit was made of it"
        row = left.source.line_of(span[0]) + 1
        yield Unplaced(message=message, span=span, line=row, edit=edit, paths=paths, is_sentence=True)
        return


def _old_and_new(sentence: Reading, above: str) -> tuple[str, Word] | None:
    """Return the two names of a sentence that asks to rename one, around a word such as `to`."""
    words = sentence.words
    verb = next((at for at, word in enumerate(words) if "rename" in word.kinds), None)
    names = [at for at, word in enumerate(words) if "code" in word.kinds and _name(word).isidentifier()]
    if verb is None or not names:
        return None
    old, new = names[0], next(iter(names[1:]), names[0])
    if Reading(words[old + 1 : new]).has("with as_name"):
        return _name(words[old]), words[new]
    between = Reading(words[verb + 1 : old])
    if between.has("this") and between.has("with as_name"):
        said = (word for one in readings(above)[:1] for word in one.words if "code" in word.kinds)
        name = next((_name(word) for word in said if _name(word).isidentifier()), "")
        return (name, words[old]) if name else None
    return None


def _name(word: Word) -> str:
    return word.text.strip("`").strip().removesuffix("()")
