"""What a sentence around an edit says against it: rules over the kinds of its words, for all languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from patchpoint.dataclass import dataclass
from patchpoint.formats.sentences.sentence import (
    Reading,
    Word,
    WordTable,
    reading,
    sentence_spans,
)

_LONGEST = 600
"""A longer sentence is not looked at."""
_PARAGRAPH = 2000
"""So much of the beginning and of the end of a paragraph is looked at."""
_LONGEST_CONDITION = 10
_CLOSED = "fill soft this it"


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence: as written, and as words in its language."""

    written: str
    words: tuple[Word, ...] = ()

    @property
    def points_on(self) -> bool:
        """Return whether it announces what follows."""
        return self.written.rstrip("*_ ").endswith((":", "："))

    def says(self, rule: Callable[[Reading], bool]) -> bool:
        """Return whether a rule holds for it."""
        return bool(self.words) and rule(Reading(self.words))


NOTHING = Statement("")


@lru_cache(maxsize=1024)
def statements(text: str) -> tuple[Statement, ...]:
    """Return the sentences of a paragraph; answers say the same above many of their edits."""
    if len(text) > 2 * _PARAGRAPH:
        text = f"{text[:_PARAGRAPH]} … {text[-_PARAGRAPH:]}"
    return tuple(_statement(text[start:end].strip()) for start, end in sentence_spans(text))


def _statement(written: str) -> Statement:
    return Statement(
        written, reading(written, WordTable.OBJECTIONS).words if len(written) <= _LONGEST else ()
    )


def withholds(sentence: Reading) -> bool:
    """Return whether a clause says that what is above or below is not to be applied."""
    return any(
        one.has("not") and one.has("apply") and _is_claim(one, f"{_CLOSED} i not apply")
        for one in _clauses(sentence)
    )


def is_aside(sentence: Reading) -> bool:
    """Return whether a sentence says that something is only there to be looked at."""
    return sentence.has("aside")


def disowns(sentence: Reading) -> bool:
    """Return whether a clause says that what was said or shown is not to be."""
    return any(
        one.has("undo") and one.has("named") and _is_claim(one, f"{_CLOSED} undo")
        for one in _clauses(sentence)
    )


def drops(sentence: Reading) -> bool:
    """Return whether a sentence begins with words by which what is above it is not to be."""
    clause = next(_clauses(_behind(sentence, "soft turn")), Reading(()))
    is_undone = clause.has("undo") and clause.has("this") and _is_claim(clause, f"{_CLOSED} undo")
    is_bad = clause.has("bad broken") and clause.has("this") and _is_claim(clause, "this soft is bad broken")
    return is_undone or is_bad or _leaves(_behind(sentence, "soft turn"))


def rethinks(sentence: Reading) -> bool:
    """Return whether a sentence begins as that of a speaker who has changed their mind."""
    words = [word for word in sentence.words if not word.kinds & {"end"}]
    first = [word for word in words[:6] if not word.kinds & {"stop"}]
    turns = next((at for at, word in enumerate(first) if "turn" not in word.kinds), len(first))
    rest = Reading(_behind(sentence, "turn soft").words)
    phrase = next((at for at, word in enumerate(words[:3]) if "rethink" in word.kinds), None)
    if phrase is not None and _is_apart(sentence, words[phrase]):
        return True
    if turns > 1 and _is_apart(sentence, first[turns - 1]):
        return True
    clause = next(_clauses(sentence), Reading(()))
    if (
        clause.has("named")
        and clause.has("bad broken")
        and clause.is_made_of("fill this named is bad broken")
    ):
        return clause.has("this") and not clause.words[0].kinds & {"bad"}
    if not turns:
        return False
    behind = next(_clauses(rest), Reading(()))
    return drops(rest) or (behind.has("bad broken") and behind.is_made_of("this soft fill is bad broken"))


def failed(sentence: Reading) -> bool:
    """Return whether a sentence says that what is next to it was tried, or was, and is no more."""
    clause = next(_clauses(sentence), Reading(()))
    if clause.has("gone") and _is_claim(clause, f"{_CLOSED} i gone"):
        return clause.has("this")
    is_tried = sentence.has("tried") and sentence.has("failed gone") and sentence.has("this")
    return is_tried and sentence.is_made_of(f"{_CLOSED} i tried failed gone")


def shows(sentence: Reading) -> bool:
    """Return whether a whole sentence calls what follows something that is not to be, or was there."""
    sentence = _without_remarks(sentence)
    rules = (
        ("not", f"{_CLOSED} i not apply like gone bad is"),
        ("bad broken", "fill this it is bad broken like soft"),
        ("undo", f"this soft undo it {'fill' if sentence.has('this') else ''}"),
        ("used_to", "fill this it used_to like"),
    )
    if any(sentence.has(sign) and _is_claim(sentence, kinds) for sign, kinds in rules):
        return not sentence.has("undo") or sentence.has("this not")
    if sentence.has("before") and sentence.has("was") and sentence.is_made_of("fill this it before was like"):
        return True
    return _is_forbidden(sentence) or _is_gone(sentence) or _refers(sentence)


def is_conditional(sentence: Reading) -> bool:
    """Return whether a sentence begins with a condition that a person has to decide."""
    words = _behind(sentence, "soft fill").words
    clause = next(_clauses(sentence), Reading(()))
    if words and "only_if" in words[0].kinds:
        return True
    if not clause.has("platform"):
        return False
    is_asked = "if_you" in clause.words[0].kinds and len(clause.words) < _LONGEST_CONDITION
    return is_asked or (clause.has("sole") and clause.is_made_of("platform alone sole fill"))


def asks(sentence: Reading) -> bool:
    """Return whether a whole sentence asks whether an edit is to be made."""
    return sentence.has("ask") and sentence.has("apply") and _is_claim(sentence, f"{_CLOSED} ask apply i")


def says_otherwise(sentence: Reading) -> bool:
    """Return whether a sentence begins as that above another way than the one before."""
    words = _behind(sentence, "soft").words
    if words and words[0].kinds & {"or"} and not words[0].kinds & {"no_or"}:
        return True
    start = next((at for at, word in enumerate(words) if not word.kinds or word.kinds & {"other"}), None)
    if start is None or not all(word.kinds & {"fill", "soft"} for word in words[:start]):
        return False
    behind = words[start + 1 :]
    return bool(words[start].kinds) and (
        (bool(behind) and "way" in behind[0].kinds) or ("way" in words[start].kinds and _ends_clause(behind))
    )


def names_one_of(sentence: Reading) -> bool:
    """Return whether a whole sentence says that one of several is to be chosen."""
    return (
        sentence.has("one_of") and sentence.has("enough") and sentence.is_made_of("one_of enough soft fill")
    )


def announces_ways(sentence: Reading) -> bool:
    """Return whether a sentence begins by saying that there are several ways."""
    words = sentence.words
    if words and "pick_one" in words[0].kinds:
        return True
    at = next((at for at, word in enumerate(words) if "ways" in word.kinds), None)
    if at is None or not sentence.has("counted"):
        return False
    known = Reading(words[:at]).is_made_of("there counted fill")
    is_there = any("there" in word.kinds for word in words)
    behind = words[at + 1] if at + 1 < len(words) else None
    return known and is_there and not (behind and behind.kinds & {"not_ways"})


def is_either_way(sentence: Reading) -> bool:
    """Return whether a sentence begins by saying that it is about every way."""
    return bool(sentence.words) and "either_way" in sentence.words[0].kinds


def means_all(sentence: Reading) -> bool:
    """Return whether a sentence means all edits above."""
    return sentence.has("every")


def _is_claim(clause: Reading, kinds: str) -> bool:
    """Return whether words are of some kinds alone, name nothing, and are no purpose."""
    is_purpose = bool(clause.words) and "purpose" in clause.words[0].kinds
    return clause.is_made_of(kinds) and not clause.has("code path name number") and not is_purpose


def _clauses(sentence: Reading) -> Iterator[Reading]:
    """Yield the clauses of a sentence, which end at punctuation and where a reason begins."""
    start = 0
    for at, word in enumerate(sentence.words):
        if word.kinds & {"stop", "end", "because"}:
            if at > start:
                yield Reading(sentence.words[start:at])
            start = at + 1
    if sentence.words[start:]:
        yield Reading(sentence.words[start:])


def _behind(sentence: Reading, kinds: str) -> Reading:
    """Return a sentence without the words of some kinds at its beginning, of which a few are looked at."""
    wanted = {"stop", *kinds.split()}
    words = sentence.words
    at = 0
    while at < len(words) and words[at].kinds & wanted and not words[at].kinds & {"undo", "leave", "or"}:
        at += 1
    return Reading(words[at:])


def _is_apart(sentence: Reading, word: Word) -> bool:
    """Return whether punctuation, or nothing, is behind a word."""
    at = sentence.words.index(word)
    return at + 1 == len(sentence.words) or bool(sentence.words[at + 1].kinds & {"stop", "end"})


def _ends_clause(words: Sequence[Word]) -> bool:
    return not words or bool(words[0].kinds & {"stop", "end", "fill"})


def _without_remarks(sentence: Reading) -> Reading:
    """Return a sentence without what is in parentheses."""
    texts = [word.text for word in sentence.words]
    start = next((at for at, text in enumerate(texts) if at and text in "(（"), None)
    if start is None:
        return sentence
    end = next((at for at in range(start, len(texts)) if texts[at] in ")）"), len(texts))
    return Reading((*sentence.words[:start], *sentence.words[end + 1 :]))


def _leaves(sentence: Reading) -> bool:
    """Return whether a sentence begins by saying that all is to be left as it is."""
    words = sentence.words
    end = next((at for at, word in enumerate(words) if "as_is" in word.kinds), None)
    if end is None or "leave" not in words[0].kinds:
        return False
    return _is_claim(Reading(words[1:end]), "left")


def _is_forbidden(sentence: Reading) -> bool:
    """Return whether a sentence says that nobody is to do something like what follows."""
    words = [word for word in _behind(sentence, "soft").words if not word.kinds & {"end"}]
    while words and words[-1].kinds == {"stop"}:
        words = words[:-1]
    if len(words) < 3 or any(word.kinds & {"stop", "code"} for word in words):
        return False
    return "not" in words[0].kinds and "exempt" not in words[1].kinds and "like" in words[-1].kinds


def _is_gone(sentence: Reading) -> bool:
    """Return whether a sentence says of what follows that it was rejected or taken back."""
    words = sentence.words
    end = next((at for at, word in enumerate(words) if "because" in word.kinds), len(words))
    said = Reading(words[:end])
    if not said.has("gone") or not _is_claim(said, f"{_CLOSED} i tried gone"):
        return False
    return said.has("this") or (not said.has("i") and (said.has("it") or said.is_made_of("gone")))


def _refers(sentence: Reading) -> bool:
    """Return whether a sentence begins with words such as `for reference`, and speaks of nothing new."""
    words = _behind(sentence, "soft").words
    if not words or "reference" not in words[0].kinds or sentence.has("newer"):
        return False
    return len(words) == 1 or bool(words[1].kinds & {"stop", "end", "opens", "fill"})
