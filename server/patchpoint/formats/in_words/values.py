"""A value that a sentence says becomes another one: *Change `LIMIT` from `20` to `5` in `x.py`.*

It counts where the file gives the name that value, once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit, Format, Operation, Side, Target, TargetKind, Unplaced
from patchpoint.formats.in_words.pairs import begins_with_verb
from patchpoint.formats.in_words.sentences import SentencesLeft, is_held
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, readings
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex

_SAYS_MORE = "The sentence says more than that this value becomes another one."
_KNOWN = "fill this thing file replace change assign with from onto"
_HELD = "never offers done sample speaker"
_STATEMENT = regex(r"(?P<name>[\w.$-]{1,100})\s{0,20}[=:]\s{0,20}(?P<value>\S.{0,200}?);?")
_ONLY_SAID = "Only a sentence says so."
_TO = frozenset({"with", "onto"})
_BEFORE_VALUE = _TO | {"from"}
_BARE = regex(r"(?i)\d[\w.]*|true|false|null|none|nil|on|off|yes|no")
"""What a value is that needs no quotation marks."""
_LITERAL = regex(r"(?i)[-+.]?\d|[\"'\[#>=~^/]|https?:|(?:true|false|null|none|nil|on|off|yes|no)\Z")
_NAME = regex(r"[\w.$\"'@/:-]+")
_MOST_BETWEEN = 4
"""So many words may be between a name and its new value."""


@dataclass(frozen=True, slots=True)
class _NewValue:
    """What gets another value: the code that names it, what it was if that is said, and what it becomes."""

    name: Word
    old: Word | None
    new: Word


def values_in_words(left: SentencesLeft) -> list[Unplaced]:
    """Return the values that sentences change, each with the file that is named for it.

    Those that code shows as well, or one of the edits has, are left out.
    """
    found = (one for start, text in left.sentences for one in _in(left, start, text))
    return [one for one in found if one.edit is not None and not _is_shown(left, one.edit)]


def _is_shown(left: SentencesLeft, edit: Edit) -> bool:
    """Return whether code of the answer has a name and the value that a sentence gives it."""
    name = edit.target.name if edit.target is not None else ""
    return left.shows(edit.replace) and left.shows(name.strip("\"'"))


def _in(left: SentencesLeft, start: int, text: str) -> Iterator[Unplaced]:
    """Yield the values that a sentence changes."""
    if text.rstrip("*_ \n").endswith(("?", "？")) or is_held(text, _HELD):
        return
    is_addition = any(
        {"more", "others"} <= word.kinds for one in readings(text, WordTable.PLACES) for word in one.words
    )
    for sentence in readings(text):
        if is_addition and not sentence.has("replace assign"):
            continue
        is_asked = sentence.has("replace change assign becomes")
        # *goes from 5 to 6* needs no verb that is known
        changes = [one for one in _changes(sentence) if is_asked or (one.old and one.old is not one.name)]
        yield from _set(left, start, sentence)
        for each in changes:
            own = [word for word in sentence.words if "path" in word.kinds and word.end <= each.name.start]
            paths = left.paths(start, Reading(tuple(own[-1:])).paths or sentence.paths)
            words = [word.text.strip("`").strip() for word in (each.name, each.old or each.name, each.new)]
            if len(paths) == 1 and all(words) and words[1] != words[2]:
                is_sure = each.old is not None and sentence.is_made_of(_KNOWN) and begins_with_verb(sentence)
                doubt = "" if is_sure else _SAYS_MORE
                span = (start + each.name.start, start + each.new.end)
                yield _change(left.source, span, paths, words, doubt, text)
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
        words = [found["name"], found["name"], found["value"]]
        yield _change(left.source, span, paths, words, _ONLY_SAID, "")


def _changes(sentence: Reading) -> Iterator[_NewValue]:
    """Yield each name with its value as it was, if that is said, and as it becomes, by the words between."""
    words = sentence.words
    codes = [at for at, word in enumerate(words) if "code" in word.kinds or _is_bare_value(words, at)]
    reached = -1
    for at, (old, new) in enumerate(pairwise(codes)):
        names = [each for each in codes[:at] if each > reached and _NAME.fullmatch(_bare(words[each]))]
        between = Reading(words[old + 1 : new])
        if names and _is_from(words[names[-1] : old + 1], between):
            yield _NewValue(words[names[-1]], words[old], words[new])
            reached = new
        elif old > reached and (_is_given(words, old, new) or _goes_on(words, reached, old, new)):
            is_value = _LITERAL.match(_bare(words[old])) is not None
            yield _NewValue(words[old], words[old] if is_value else None, words[new])
            reached = new


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
    code = _bare(words[name])
    if not is_near or not between.has("with onto") or not (_NAME.fullmatch(code) or _LITERAL.match(code)):
        return False
    before = Reading(tuple(words[max(0, name - _MOST_BETWEEN) : name]))
    return before.has("replace change assign") and _LITERAL.match(_bare(words[new])) is not None


def _goes_on(words: Sequence[Word], reached: int, name: int, new: int) -> bool:
    """Return whether a name and its value follow those before them, as in *set `a` to 1 and `b` to 2*."""
    joint = Reading(tuple(words[reached + 1 : name]))
    is_near = 0 < reached < name and joint.is_made_of("fill stop") and len(joint.words) <= _MOST_BETWEEN
    between = Reading(tuple(words[name + 1 : new]))
    is_value = (
        _LITERAL.match(_bare(words[new])) is not None and _NAME.fullmatch(_bare(words[name])) is not None
    )
    return is_near and is_value and between.has("with onto") and between.is_made_of("with onto")


def _bare(word: Word) -> str:
    return word.text.strip("`").strip()


def _is_bare_value(words: Sequence[Word], at: int) -> bool:
    """Return whether a word is a number or a constant without quotation marks, behind *from* or *to*."""
    before = words[at - 1].kinds if at else frozenset[str]()
    return not _BEFORE_VALUE.isdisjoint(before) and _BARE.fullmatch(words[at].text) is not None


def _change(
    source: AnswerText, span: tuple[int, int], paths: tuple[str, ...], words: list[str], doubt: str, lead: str
) -> Unplaced:
    name, old, new = words
    is_value = name == old and _LITERAL.match(name) is not None
    edit = Edit(
        path="",
        operation=Operation.PLACE,
        search=old,
        replace=new,
        target=Target(TargetKind.WORDS, name, Side.INSTEAD if is_value else Side.AFTER),
        doubt=doubt,
        format=Format.PAIR,
        span=span,
        lead=lead,
    )
    message = f"this sentence changes `{name}` to `{new}` in {paths[0]}, and no edit was made of it"
    row = source.line_of(span[0]) + 1
    return Unplaced(message=message, span=span, line=row, edit=edit, paths=paths, is_sentence=True)
