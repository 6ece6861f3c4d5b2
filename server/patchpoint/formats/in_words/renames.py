"""Names that a sentence changes: *I'd rename `do_count` to `increment_count` in `cache.rb`.*"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from patchpoint.edit import Target, TargetKind
from patchpoint.formats.in_words.frame import AskedChange, change_at, code_of
from patchpoint.formats.in_words.pairs import NOTE
from patchpoint.formats.sentences.sentence import Reading, Word, reading, readings


def renamed(sentence: Reading, text: str, above: str) -> Iterator[AskedChange]:
    """Yield the name that a sentence changes, everywhere; *it* is what the sentence `above` names first."""
    pair = _old_and_new(sentence, above)
    if pair is not None:
        old, new = pair
        # in a part of a file it is one place, if there is no other
        is_everywhere = not _is_within(reading(NOTE.sub("", text)))
        target = Target(TargetKind.WORDS, old)
        edit = change_at(new, new, search=old, replace=_name(new), replace_all=is_everywhere, target=target)
        what = f"renames `{old}` to `{_name(new)}` in"
        yield AskedChange(what=what, edit=edit, paths=sentence.paths, is_needed=not is_everywhere)


def _old_and_new(sentence: Reading, above: str) -> tuple[str, Word] | None:
    """Return the two names of a sentence that asks to rename one, around a word such as `to`."""
    words = sentence.words
    verb = next((at for at, word in enumerate(words) if "rename" in word.kinds), None)
    names = [at for at, word in enumerate(words) if "code" in word.kinds and _name(word).isidentifier()]
    if verb is None or not names:
        return None
    old, new = names[0], next(iter(names[1:]), names[0])
    said = Reading(words[old + 1 : new])
    is_passive = old < verb
    if is_passive and not _is_called_only(words, old, new):
        return None
    if said.has("with as_name") or (is_passive and said.is_made_of("rename fill")):
        return _name(words[old]), words[new]
    between = Reading(words[verb + 1 : old])
    if between.has("this") and between.has("with as_name"):
        named = (word for one in readings(above)[:1] for word in one.words if "code" in word.kinds)
        name = next((_name(word) for word in named if _name(word).isidentifier()), "")
        return (name, words[old]) if name else None
    return None


def _is_called_only(words: Sequence[Word], old: int, new: int) -> bool:
    """Return whether a sentence only says what a code should be called."""
    before, behind = Reading(tuple(words[:old])), Reading(tuple(words[new + 1 : new + 2]))
    is_subject = before.is_made_of("article fill removable stop") and not before.has(
        "with its from within onto"
    )
    is_new = words[new - 1].kinds & {"rename", "as_name", "with"} and "from" not in words[new - 1].kinds
    return is_subject and bool(is_new) and behind.is_made_of("end stop")


def _is_within(sentence: Reading) -> bool:
    """Return whether a sentence names a part of a file, outside of which no name is changed."""
    return any("within" in word.kinds and "code" in name.kinds for word, name in pairwise(sentence.words))


def _name(word: Word) -> str:
    return code_of(word).removesuffix("()")
