"""A value that a sentence says becomes another one: *Change `LIMIT` from `20` to `5` in `x.py`.*

It counts where the file gives the name that value, once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from patchpoint.dataclass import dataclass
from patchpoint.edit import Side, Target, TargetKind
from patchpoint.formats.in_words.frame import ONLY_SAID, AskedChange, change_at, code_of, is_bare_value
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, readings
from patchpoint.text.regex import regex

_SAYS_MORE = "The sentence says more than that this value becomes another one."
_STATEMENT = regex(r"(?P<name>[\w.$-]{1,100})\s{0,20}[=:]\s{0,20}(?P<value>\S.{0,200}?);?")
_LITERAL = regex(r"(?i)[-+.]?\d|[\"'\[#>=~^/]|https?:|(?:true|false|null|none|nil|on|off|yes|no)\Z")
_NAME = regex(r"[\w.$\"'@/:-]+")
_NO_NAME = frozenset({"fill", "this", "it", "file", "number", "never", "stop"})
_VERBS = frozenset({"change", "replace", "assign"})
_WORD = regex(r"[a-z]{3,30}")
_CALL = regex(r"\w\(.*\)\Z")
_MOST_BETWEEN = 4
"""So many words may be between a name and its new value."""


@dataclass(frozen=True, slots=True)
class _NewValue:
    """What gets another value: the code that names it, what it was if that is said, and what it becomes."""

    name: Word
    old: Word | None
    new: Word


def valued(sentence: Reading, text: str, _: str) -> Iterator[AskedChange]:
    """Yield the values that a sentence changes."""
    yield from _set(sentence)
    is_addition = any(
        {"more", "others"} <= word.kinds for one in readings(text, WordTable.PLACES) for word in one.words
    )
    if is_addition and not sentence.has("replace assign"):
        return
    is_asked = sentence.has("replace change assign becomes")
    for each in _changes(sentence):
        words = [code_of(word) for word in (each.name, each.old or each.name, each.new)]
        # *goes from 5 to 6* needs no verb that is known
        is_named = "code" in each.name.kinds
        if (
            (is_asked or (is_named and each.old and each.old is not each.name))
            and all(words)
            and words[1] != words[2]
        ):
            own = [word for word in sentence.words if "path" in word.kinds and word.end <= each.name.start]
            paths = Reading(tuple(own[-1:])).paths or sentence.paths
            yield _change(each.name, each.new, paths, words, _SAYS_MORE, text)


def _set(sentence: Reading) -> Iterator[AskedChange]:
    """Yield the value that a sentence gives a name in one code, as in *set `a = 1`*."""
    codes = [at for at, word in enumerate(sentence.words) if "code" in word.kinds]
    at = codes[0] if len(codes) == 1 else 0
    word = sentence.words[at] if at else None
    found = _STATEMENT.fullmatch(code_of(word)) if word is not None else None
    if word is not None and found is not None and "assign" in sentence.words[at - 1].kinds:
        words = [found["name"], found["name"], found["value"]]
        yield _change(word, word, sentence.paths, words, ONLY_SAID, "")


def _changes(sentence: Reading) -> Iterator[_NewValue]:
    """Yield each name with its value as it was, if that is said, and as it becomes, by the words between."""
    words = sentence.words
    codes = [
        at
        for at, word in enumerate(words)
        if "code" in word.kinds or is_bare_value(words, at) or _is_bare_name(words, at)
    ]
    reached = -1
    for name, new, old in zip(codes, codes[1:], codes[2:], strict=False):
        if _is_instead(words, name, new, old):
            yield _NewValue(words[name], words[old], words[new])
            reached = old
    for at, (old, new) in enumerate(pairwise(codes)):
        names = [each for each in codes[:at] if each > reached and _NAME.fullmatch(code_of(words[each]))]
        between = Reading(words[old + 1 : new])
        if names and _is_from(words[names[-1] : old + 1], between):
            yield _NewValue(words[names[-1]], words[old], words[new])
            reached = new
        elif old > reached and (_is_given(words, old, new) or _goes_on(words, reached, old, new)):
            is_value = _LITERAL.match(code_of(words[old])) is not None
            yield _NewValue(words[old], words[old] if is_value else None, words[new])
            reached = new


def _is_bare_name(words: Sequence[Word], at: int) -> bool:
    """Return whether a word without backquotes may be the name of what gets a value right behind it."""
    behind = words[at + 1 : at + 3]
    before = next(
        (word.kinds for word in reversed(words[:at]) if word.kinds & {"code", *_VERBS}), frozenset()
    )
    is_word = (
        words[at].kinds.isdisjoint(_NO_NAME | _VERBS)
        and "code" not in before
        and _WORD.fullmatch(words[at].text) is not None
    )
    is_linked = len(behind) > 1 and not behind[0].kinds.isdisjoint(("with", "onto", "from"))
    return is_word and is_linked and _LITERAL.match(code_of(behind[1])) is not None


def _is_instead(words: Sequence[Word], name: int, new: int, old: int) -> bool:
    """Return whether words say that what a name has is to be something new, instead of what it is."""
    asked, between = Reading(tuple(words[name + 1 : new])), Reading(tuple(words[new + 1 : old]))
    is_asked = (
        Reading(tuple(words[max(0, name - 1) : new])).has("must becomes")
        and len(asked.words) <= _MOST_BETWEEN
    )
    is_plain = between.is_made_of("instead fill") and not asked.has("stop")
    return (
        is_asked and is_plain and between.has("instead") and _NAME.fullmatch(code_of(words[name])) is not None
    )


def _is_from(before: Sequence[Word], between: Reading) -> bool:
    """Return whether the words before a code and behind it say that it becomes what follows."""
    if between.has("with onto"):
        return Reading(tuple(before[1:-1])).has("from")
    # In Japanese, the word that says which value goes is behind it.
    return any("from" in word.kinds and not word.text.isascii() for word in between.words)


def _is_given(words: Sequence[Word], name: int, new: int) -> bool:
    """Return whether the words between a name and a value say that it gets that."""
    between = Reading(tuple(words[name + 1 : new]))
    is_near = new - name <= _MOST_BETWEEN + 1 and not any("stop" in word.kinds for word in between.words)
    code = code_of(words[name])
    is_name, is_value = _NAME.fullmatch(code) is not None, _LITERAL.match(code_of(words[new])) is not None
    is_from = _LITERAL.match(code) is not None and name > 0 and "from" in words[name - 1].kinds
    before = Reading(tuple(words[0 if is_from else max(0, name - _MOST_BETWEEN) : name]))
    if not is_near or not (is_name or _LITERAL.match(code)):
        return False
    is_linked = between.has("with onto")
    if between.has("must") or (not is_linked and between.is_made_of("is") and before.has("change")):
        is_value = is_value or _CALL.search(code_of(words[new])) is not None
        return is_name and is_value and between.is_made_of("must fill is") and _says_only(words, name, new)
    if not is_linked or (between.has("amount") and not before.has("replace")):
        return False  # it becomes so much more or less
    around = Reading((*before.words, *between.words, *words[new + 1 : new + 2]))
    return before.has("assign") or (around.has("replace change assign") and is_value)


def _says_only(words: Sequence[Word], name: int, new: int) -> bool:
    """Return whether a sentence only says what a name should be: no limit, nor where or for whom it is so."""
    before = Reading(tuple(words[:name]))
    behind = Reading(tuple(words[new + 1 : new + 2]))
    is_elsewhere = any(
        one.kinds & {"within", "from"} and not other.kinds & {"path", "code", "name", "file"}
        for one, other in pairwise(words)
    )
    is_plain = before.is_made_of("fill article stop path change number within")
    is_end = behind.is_made_of("end stop instead reason also") or behind.has("within")
    return is_plain and not is_elsewhere and is_end


def _goes_on(words: Sequence[Word], reached: int, name: int, new: int) -> bool:
    """Return whether a name and its value follow those before them, as in *set `a` to 1 and `b` to 2*."""
    joint = Reading(tuple(words[reached + 1 : name]))
    is_near = 0 < reached < name and joint.is_made_of("fill stop") and len(joint.words) <= _MOST_BETWEEN
    between = Reading(tuple(words[name + 1 : new]))
    is_value = (
        _LITERAL.match(code_of(words[new])) is not None and _NAME.fullmatch(code_of(words[name])) is not None
    )
    return is_near and is_value and between.has("with onto") and between.is_made_of("with onto")


def _change(
    first: Word, last: Word, paths: tuple[str, ...], words: list[str], doubt: str, lead: str
) -> AskedChange:
    name, old, new = words
    is_value = name == old and _LITERAL.match(name) is not None
    target = Target(TargetKind.WORDS, name, Side.INSTEAD if is_value else Side.AFTER)
    edit = change_at(first, last, search=old, replace=new, target=target, doubt=doubt, lead=lead)
    return AskedChange(what=f"changes `{name}` to `{new}` in", edit=edit, paths=paths)
