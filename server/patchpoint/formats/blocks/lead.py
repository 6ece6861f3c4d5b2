"""What the words around a fence say of its code.

They make an edit certain only as a *lead*: a sentence of which each word is known, and none speaks against
it. Any other sentence that names a file makes a proposal at most, and no word of it makes it more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import dropwhile, pairwise, takewhile, zip_longest

from patchpoint.formats.path_forms import without_links
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, reading, readings, sentence_spans
from patchpoint.text.regex import regex

_SENTENCES = regex(r"(?<=[.!?])\*{0,2}\s+(?=[A-ZÀ-ÞА-Я`*¡¿])|(?<=[。！？])|(?<=: )(?=[A-ZÀ-ÞА-Я`*])")
_OF_LEAD = (
    "fill all do this speaker thing file replace find change new becomes with whole create save place remove"
)
_OF_THE_REST = regex(
    r"(?i)\s*[(（](?=[^()（）]{0,80}(?:\brest|remain|everything else|\bübrig|\bresto|остальн|其余|其他|残り))"
    r"[^()（）]{0,120}[)）]"
)
"""What is said in brackets of what is not shown."""
_CONDITION = regex(
    r"(?i)\W*(?:and |und |et |y |e |и )?"
    r"(?:when|if|once|wenn|falls|sobald|quand|lorsque|cuando|quando|si|se|когда|если|当|如果)\b"
)
_NOT_MEANT = regex(r"(?i)\s*[(（](?:not|nicht|pas|no|não|не|不是)\b[^()（）\n]{0,200}[)）]")
"""What is said in brackets of something else."""
_ASKS = frozenset({"change", "do", "create", "replace", "asks"})
_VERB_AND_OBJECT = 3
"""Fewer words than these behind *never* have the code itself for their object."""
_SAID = frozenset({"this", "do", "change", "create", "replace", "speaker", "remedy", "maybe", "offers"})
_MADE_BY_A_COMMAND = regex(
    r"(?i)`[\w./-]+ [^`\n(=;]{1,100}`\s*(?:(?:will|then|dann|wird|va|alors|luego|então|затем)\s+){0,2}"
    r"(?:(?:generat|giv|creat|produc|add|erzeug|generier|legt|génèr|créer|gener|crea|gera|cria)\w*"
    r"|генерир\w+|созда\w+|会?生成|会?创建|を?生成)"
    r"|\b(?:run|running|after|executing)\s+`[^`\n]+`[^`\n]{0,40}?"
    r"\b(?:will (?:then )?(?:generate|create|produce|add)"
    r"|(?:that|this|it|which) (?:adds|creates|generates)|you(?:'ll| will) (?:then )?(?:see|get))"
)
"""What is said of code that a command, not a person, puts into a file."""
_CHANGES = "change new becomes create"
_AGAINST_SIGNS = frozenset("\u274c\u2716\u2717\u2718\u26d4\U0001f6ab\U0001f44e")
"""What is put before code that is not to be written: crosses, no entry, a thumb down."""
_QUESTION = ("?", "？")
_NO_KINDS = frozenset[str]()
_BEGINS_A_STEP = regex(r"[#*_(]*\s*\d+[.)]\s|#{1,6}\s")
_OF_TIME = regex(r"[^\W\d_]*(?:ing|[aeiouâê]r|re|en)\Z", re.IGNORECASE)
"""How what is done, rather than a thing, ends in languages with such endings: *before saving*."""
_TELLS = regex(
    r"(?i)(?:how|what|where|when|as|wie|was|wo|comment|où|cómo|como|qué|как)\b"
    r"|\w+ (?:of|from|von|aus|de|du|da|do)\b"
)
"""The beginnings of sentences that tell what was."""
_TOGETHER = regex(
    r"(?i)\s*[(（](?:and|along with|together with|including|und|samt|mitsamt|et|avec|y|e|con|com|incluido|"
    r"incluindo|и|вместе с|以及|和|と)[ ]?(?P<what>[^()（）.;]{1,60})[)）]"
)
"""What is said in brackets to be removed, too."""
_OF_REMOVAL = "remove fill this removable needless why"
_BETWEEN = frozenset({"of_file", "file", "this", "stop"})
"""What may be between the word that hands a file over and its path."""
_INTO, _PUT = frozenset({"within", "with"}), frozenset({"code", "this", "stop"})
"""What is before the file that code goes into, and what before that."""
_FIRST_POSTPOSED, _LAST_POSTPOSED = "\u3040", "\u30ff"
"""Between them are the signs of a language in which a purpose is said before the word for it."""
_SHORTEST_NOUN = 3
"""A word of fewer letters is rarely the name of a thing."""
_GIVES = frozenset({"gives", "new", "whole", "save"})


@lru_cache(maxsize=256)
def lead_of(above: str) -> Lead:
    """Return what the words above a fence say; answers say the same above many of their edits."""
    return Lead(above)


class Lead:
    """The words above a fence, as they are, and what they say of its code."""

    def __init__(self, above: str) -> None:
        self.above = above

    @cached_property
    def _whole(self) -> Reading:
        return reading(without_links(self.above))

    @cached_property
    def last(self) -> Reading:
        """The sentence that leads to the fence."""
        return _without_reason(reading(last_sentence(self.above)))

    @cached_property
    def is_certain(self) -> bool:
        """Whether the last sentence says where the code belongs, or that it is a change, and no more."""
        if self.is_offer or not _AGAINST_SIGNS.isdisjoint(self.above):
            return False
        for sentence in map(_without_object, readings(last_sentence(self.above))):
            is_asked = sentence.has("change do remove create")
            is_closed = sentence.is_made_of(f"{_OF_LEAD} old needless" if is_asked else _OF_LEAD)
            is_named = bool(sentence.paths) and not sentence.has("speaker")
            if is_closed and (is_asked or is_named) and not sentence.has("never"):
                return True
        return False

    @cached_property
    def is_label(self) -> bool:
        """Whether each word of a label next to its path is known, and none speaks against it."""
        return _AGAINST_SIGNS.isdisjoint(self.above) and any(
            sentence.is_made_of(_OF_LEAD) and not sentence.has("never")
            for sentence in readings(without_links(self.above))
        )

    @property
    def is_offer(self) -> bool:
        """Whether the last sentence only says what could be done, or asks."""
        return self.above.rstrip("*_` ").endswith(_QUESTION) or self.last.has("offers")

    def is_example(self, section: str = "") -> bool:
        """Return whether they, or else the heading of their section, call the code no change.

        It is an example then, the code as it was, or as it is now.
        """
        words = _NOT_MEANT.sub("", _OF_THE_REST.sub("", last_sentence(self.above)))
        sentence = _said_of_code(_without_reason(reading(_behind_condition(words))))
        is_search = (
            sentence.has("find") and sentence.is_made_of("find fill this thing") and not sentence.paths
        )
        if _refuses(sentence) or is_search:
            return True
        if (
            _last_clause(sentence).has("there")
            and not _CONDITION.match(words)
            and not sentence.has("change do create replace remove")
        ):
            return True
        if _MADE_BY_A_COMMAND.search(self.above) and not self.is_handed_over:
            asks = (word.kinds for word in sentence.words if "place" not in word.kinds)
            return all(kinds.isdisjoint(("change", "do")) for kinds in asks)
        if self.is_offer and (sentence.has("but") or not sentence.has("change create do")):
            return True
        if _speaks_of(_without_times(sentence), "old sample"):
            is_put = sentence.has("save") and sentence.has("place")
            return not self.is_change and not is_put and not sentence.has("remedy")
        is_sample = _speaks_of(reading(section), "sample analysis old")
        return is_sample and not self.is_change and not lead_of(section).is_change

    @cached_property
    def is_doubtful(self) -> bool:
        """Whether the last sentence says *not*, or *before*, of something else than the code, as it seems."""
        sentence = _said_of_code(_without_reason(reading(_NOT_MEANT.sub("", last_sentence(self.above)))))
        words = sentence.words
        is_between = not _asks(words) and any(_is_between(words, at) for at in range(len(words)))
        return is_between or sentence.has("never")

    @property
    def is_refused(self) -> bool:
        """Whether the last sentence says *not*."""
        return self.last.has("never")

    @property
    def tells_what_is(self) -> bool:
        """Whether they call the code what a file has, or had: it may still be what that becomes."""
        first = next((word.kinds for word in self.last.words if "fill" not in word.kinds), _NO_KINDS)
        is_flaw = self.last.has("never") and not self.last.has("change do")
        is_said = is_flaw if "code" in first else self.last.has("old")
        is_refused = self.last.has("offers") or ("code" not in first and self.is_refused)
        return self.is_example() and (is_said or self.last.has("old")) and not is_refused

    @property
    def is_of_what_is(self) -> bool:
        """Whether they call the code what a file has, and nothing that is wrong with it."""
        return self.last.has("current was")

    @cached_property
    def is_change(self) -> bool:
        """Whether they call the code a change, or hand a file over."""
        return self.is_handed_over or _speaks_of(self._whole, _CHANGES)

    @property
    def begins_with_change(self) -> bool:
        """Whether the last sentence begins with the word that asks for a change."""
        return _begins_with_change(self.last.words)

    @property
    def is_asked(self) -> bool:
        """Whether they call the code a change, say a place for it, or that something is to be there."""
        is_placed = self._whole.has("place")
        return self.is_change or is_placed or reading(without_links(self.above), WordTable.PLACES).has("adds")

    @property
    def says_place(self) -> bool:
        """Whether they name something in backquotes, and a side of it."""
        sentence = reading(self.above, WordTable.PLACES)
        return sentence.has("below above last first") and sentence.has("code name path")

    def with_place(self, below: str) -> str:
        """Return the words, with the sentence below the fence if that only says where its code goes.

        What leads on, and what begins a step of its own, is said of the code below it.
        """
        if below.rstrip("*_ ").endswith((":", "：")) or _BEGINS_A_STEP.match(below):
            return self.above
        start, end = next(sentence_spans(below), (0, 0))
        sentence = below[start:end]
        if self.says_place or not lead_of(sentence).says_place:
            return self.above
        every = readings(sentence, WordTable.PLACES)
        if any(map(_adds_something_else, every)):
            return self.above
        is_closed = any(one.is_made_of("below above last first inside others adds") for one in every)
        return f"{self.above}\n{sentence}" if is_closed else self.above

    @cached_property
    def is_handed_over(self) -> bool:
        """Whether they hand over the file that they name: what gives it is before its path, or behind."""
        words = () if self._whole.has("part") else self._whole.words
        given = False
        for word, behind in zip_longest(words, words[1:]):
            if "path" in word.kinds and (given or (behind is not None and "becomes" in behind.kinds)):
                return True
            is_between = not _BETWEEN.isdisjoint(word.kinds)
            given = not _GIVES.isdisjoint(word.kinds) or (given and is_between)
        return False

    @property
    def is_whole(self) -> bool:
        """Whether a word such as `full` is right before what a file is called, or its path."""
        is_called = False
        for word in () if self._whole.has("part") else self._whole.words:
            if is_called and word.kinds & {"file", "path"}:
                return True
            is_called = "whole" in word.kinds or (is_called and bool(word.kinds & {"new", "of_file"}))
        return False

    @property
    def is_new(self) -> bool:
        """Whether they call the code a new file."""
        asked = takewhile(lambda word: "purpose" not in word.kinds, self.last.words)
        return Reading(tuple(asked)).has("create") and not self.last.has("part")

    def is_for(self, path: str) -> bool:
        """Return whether the last sentence puts the code into a file, or creates that.

        Code is before *in*, or nothing: a file that something is used from, or done as in, is another one.
        """
        words = (Word("", frozenset(("stop",)), 0, 0), *self.last.words)
        return any(
            word.text.strip("`") == path
            and (self.is_new or (not before.kinds.isdisjoint(_INTO) and not first.kinds.isdisjoint(_PUT)))
            for first, before, word in zip(words, words[1:], words[2:], strict=False)
        )

    @property
    def removed(self) -> str | None:
        """The name of what they ask to remove, and no more; `None` if they do not.

        It is empty where they mean the code as a whole.
        """
        words = last_sentence(self.above)
        more = _TOGETHER.search(words)
        if more and not reading(more["what"]).has("never but code name path"):
            words = words[: more.start()] + words[more.end() :]
        for sentence in readings(words):
            before = (_NO_KINDS, *(word.kinds for word in sentence.words))
            names = [
                word.text.strip("`()")
                for kinds, word in zip(before, sentence.words, strict=False)
                if word.kinds & {"code", "name"} and not ("was" in kinds and sentence.has("this"))
            ]
            if sentence.has("remove needless") and sentence.is_made_of(_OF_REMOVAL) and len(names) <= 1:
                return "".join(names).rpartition(".")[2]
        return None


def last_sentence(above: str) -> str:
    """Return the sentence that leads to a fence, where the line above it has several."""
    above = without_links(above)
    return _SENTENCES.split(above)[-1] if above.rstrip().endswith((":", "：")) else above


def _without_object(sentence: Reading) -> Reading:
    """Return a sentence without the one word of it that is unknown, where that can only name a thing.

    It is behind an article or code, with nothing behind it but what it is in, and the sentence begins by
    asking for a change, or hands over *the updated `name`*. What is for a file, or of it, may be another one,
    and what is to be fixed may be what is shown.
    """
    words = sentence.words
    unknown = [at for at, word in enumerate(words) if not word.kinds]
    if len(unknown) != 1 or len(words[unknown[0]].text) < _SHORTEST_NOUN or sentence.has("cures"):
        return sentence
    at = unknown[0]
    before, behind = Reading(words[max(0, at - 1) : at]), Reading(words[at + 1 : at + 2])
    is_named = before.has("code") and Reading(words[max(0, at - 2) : at - 1]).has("new")
    is_asked = before.has("code article") and _begins_with_change(
        [word for word in words if word.kinds.isdisjoint(("path", "stop", "code", "name"))]
    )
    is_last = behind.has("stop") or (behind.has("with") and Reading(words[:at]).paths != ())
    is_thing = (is_named or is_asked) and (is_last or behind.has("within"))
    return Reading((*words[:at], *words[at + 1 :])) if is_thing else sentence


def _behind_condition(words: str) -> str:
    """Return what a sentence that begins with a condition asks for then, if that is a change."""
    condition, _, asked = words.partition("," if "," in words else "，")
    is_asked = _CONDITION.match(condition) is not None and reading(asked).has("change do replace")
    return asked if is_asked else words


def _without_reason(sentence: Reading) -> Reading:
    """Return a sentence without what it says at its end of why something is changed."""
    words = sentence.words
    for at, word in enumerate(words):
        if "reason" in word.kinds and Reading(words[:at]).has("change do replace create remove path"):
            ends = takewhile(lambda one: not one.kinds.isdisjoint(("stop", "end")), reversed(words))
            return Reading((*words[:at], *reversed(list(ends))))
    return sentence


def _begins_with_change(words: Sequence[Word]) -> bool:
    kinds = next((word.kinds for word in words if "fill" not in word.kinds), _NO_KINDS)
    return "change" in kinds and kinds.isdisjoint(("place", "new"))


def _last_clause(sentence: Reading) -> Reading:
    """Return the last clause of a sentence, without the colon behind it."""
    ends = ("stop", "end")
    words = list(dropwhile(lambda word: not word.kinds.isdisjoint(ends), reversed(sentence.words)))
    return Reading(tuple(takewhile(lambda word: word.kinds.isdisjoint(ends), words)))


def _speaks_of(sentence: Reading, kinds: str) -> bool:
    """Return whether a sentence has a word of some kinds that tells no place."""
    wanted = set(kinds.split())
    return any(
        not wanted.isdisjoint(word.kinds)
        and not ("place" in word.kinds and behind is not None and behind.kinds & {"code", "name"})
        for word, behind in zip_longest(sentence.words, sentence.words[1:])
    )


def _refuses(sentence: Reading) -> bool:
    """Return whether a sentence says *not*, and not only of what something that it asks for does.

    In *two changes: reset the flag, and don't mark it*, that is what the code does.
    """
    words = sentence.words
    asked = next((at for at, word in enumerate(words) if word.kinds & _ASKS), len(words))
    return any(
        "never" in word.kinds
        and (at < asked or behind is None or bool(behind.kinds))
        and not _tells(words, at)
        for at, (word, behind) in enumerate(zip_longest(words, words[1:]))
    )


def _tells(words: Sequence[Word], at: int) -> bool:
    """Return whether a word such as *never* only says what something does, as in *two calls never end*."""
    before = list(takewhile(lambda word: not word.kinds & {"stop", "end"}, reversed(words[:at])))
    is_of_code = any(word.kinds & {"code", "name"} for word in before)
    is_plain = not any(word.kinds & (_SAID - {"remedy"} if is_of_code else _SAID) for word in before)
    # who does it is named, and nothing behind it is the code that is shown
    is_said_of = any("fill" not in word.kinds or word.kinds & {"thing", "name"} for word in before)
    is_of_shown = any("this" in word.kinds for word in words[at:])
    rest = list(takewhile(lambda word: not word.kinds & {"stop", "end"}, words[at + 1 :]))
    has_object = len(rest) >= _VERB_AND_OBJECT
    return is_said_of and is_plain and has_object and not (is_of_shown or rest[0].kinds)


def _without_times(sentence: Reading) -> Reading:
    """Return a sentence that asks for something without a word such as `before` what is done then.

    One that begins with a thing, or with a question, tells what it was before that.
    """
    words = sentence.words
    if not _asks(words):
        return Reading(tuple(word for at, word in enumerate(words) if not _is_between(words, at)))
    return Reading(tuple(word for at, word in enumerate(words) if at == 1 or not _is_time(words, at)))


def _asks(words: Sequence[Word]) -> bool:
    """Return whether words begin as a sentence does that asks for something, or says what is done."""
    asks = bool(words) and (not words[0].kinds or words[0].kinds & {"speaker", "do", "change"})
    return bool(asks) and _TELLS.match(" ".join(word.text for word in words[:2])) is None


def _is_between(words: Sequence[Word], at: int) -> bool:
    """Return whether a word such as `before` is between two things that are neither code nor a change."""
    if at == 0 or not words[at].kinds >= {"old", "place"} or words[at - 1].kinds & {"stop", "end", "this"}:
        return False
    clause = list(takewhile(lambda word: not word.kinds & {"stop", "end"}, words[at + 1 :]))
    said = Reading(tuple(clause))
    if Reading(tuple(clause[:3])).has("code path name"):
        return False  # it is a side of that
    return len(clause) > 1 and not said.has("change new old this is speaker")


def _is_time(words: Sequence[Word], at: int) -> bool:
    """Return whether a word such as `before` is right before what is done."""
    if not words[at].kinds >= {"old", "place"}:
        return False
    clause = takewhile(lambda word: not word.kinds & {"stop", "end"}, words[at + 1 :])
    said = [word for word in clause if "fill" not in word.kinds or "is" in word.kinds]
    is_passive = Reading(tuple(said)).has("is") and not Reading(tuple(said)).has("old change new")
    return is_passive or any(not word.kinds and _OF_TIME.match(word.text) is not None for word in said[:1])


def _said_of_code(sentence: Reading) -> Reading:
    """Return a sentence without what it is for that it asks for, and what that takes the place of."""
    words = _without_what_gives_way(sentence.words)
    at = next((at for at, word in enumerate(words) if "purpose" in word.kinds), len(words))
    is_behind = (
        at == len(words) or words[at].text[0] < _FIRST_POSTPOSED or words[at].text[0] > _LAST_POSTPOSED
    )
    clause = takewhile(lambda word: "stop" not in word.kinds, reversed(words[:at]))
    rest = words[:at] if is_behind else (*words[: at - len(list(clause))], *words[at + 1 :])
    said = Reading(rest)
    is_label = bool(said.paths) and said.is_made_of("file stop")
    return said if is_label or said.has("change do create replace") else Reading(words)


def _without_what_gives_way(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return words without what is named behind such as `instead of`, unless that is the code itself.

    It is where the words call it so, or are all that is said.
    """
    at = next((at for at, word in enumerate(words) if "instead" in word.kinds), len(words))
    named = tuple(takewhile(lambda word: not word.kinds & {"stop", "end"}, words[at + 1 :]))
    behind = words[at + 1 + len(named) :]
    is_code = Reading(named).is_made_of("fill this old thing") and (
        not named or Reading(named).has("this old")
    )
    is_all = Reading(words[:at]).is_made_of("fill") and Reading(behind).is_made_of("fill")
    return words if at == len(words) or is_code or is_all else (*words[:at], *behind)


def _adds_something_else(sentence: Reading) -> bool:
    """Return whether a sentence asks to add code that it has in backquotes, and that is more than a name."""
    words = [word for word in sentence.words if "fill" not in word.kinds]
    return any(
        "adds" in one.kinds and "code" in other.kinds and " " in other.text.strip("` ")
        for one, other in pairwise(words)
    )
