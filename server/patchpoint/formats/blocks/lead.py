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
from patchpoint.formats.sentences.lexicon import CLASSES
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, reading, readings, sentence_spans
from patchpoint.text.regex import regex

_SENTENCES = regex(r"(?<=[.!?])\*{0,2}\s+(?=[A-ZÀ-ÞА-Я`*¡¿])|(?<=[。！？])|(?<=: )(?=[A-ZÀ-ÞА-Я`*])")
_OF_LEAD = (
    "fill all do this speaker thing file replace find change new becomes with whole create save place remove"
)
_REMARK = regex(r"\s*[(（](?P<what>[^()（）\n]{1,200})[)）]")
_CJK, _SHORTEST_REMARK = "\u3040", (3, 5)
"""So many words, or signs of languages without spaces, are said of something else than the code."""
_OTHER_WORDS = 2
"""Behind so many words that are not known, a word for an example is said of something else."""
_VERB_AND_OBJECT = 3
"""Fewer words than these behind *never* have the code itself for their object."""
_MADE_BY_A_COMMAND = regex(
    r"(?i)`[\w./-]+ [^`\n(=;]{1,100}`\s*(?:(?:will|then|dann|wird|va|alors|luego|então|затем)\s+){0,2}"
    r"(?:(?:generat|giv|creat|produc|add|erzeug|generier|legt|génèr|créer|gener|crea|gera|cria)\w*"
    r"|генерир\w+|созда\w+|会?生成|会?创建|を?生成)"
    r"|\b(?:run|running|after|executing)\s+`[^`\n]+`[^`\n]{0,40}?"
    r"\b(?:will (?:then )?(?:generate|create|produce|add)"
    r"|(?:that|this|it|which) (?:adds|creates|generates)|you(?:'ll| will) (?:then )?(?:see|get))"
)
"""What is said of code that a command, not a person, puts into a file."""
_CALLED_EXAMPLE = regex(
    r"(?i)\be\.? ?g\b|\bex[ea]mp[el]|\busage|\b(?:can|could) call|\blike (?:this|so)\b|\bfor instance"
    r"|beispiel|\bz\. ?B\.|ejempl|\buso\b|utilisation|пример|использован|例|用法|使い方|使用"
)
"""What names an example, or how something is used, in eight languages."""
_LIKE_THIS_WOULD = regex(r"(?i)^(?:some|any)thing like (?:this|that) (?:would|could|might|may)\b")
_CHANGES = "change new becomes create"
_AGAINST_SIGNS = frozenset("\u274c\u2716\u2717\u2718\u26d4\U0001f6ab\U0001f44e")
"""What is put before code that is not to be written: crosses, no entry, a thumb down."""
_ASKS = "change do create replace"
_SAID = f"{_ASKS} this speaker remedy maybe offers"
_QUESTION = ("?", "？")
_ENDS = (".", "!", "。", "！", "…", *_QUESTION)
_NO_KINDS = frozenset[str]()
_BEGINS_A_STEP = regex(r"[#*_(]*\s*\d+[.)]\s|#{1,6}\s")
_OF_REMOVAL = "remove fill this it removable needless why"
_OF_PLACE_OF_REMOVAL = f"{_OF_REMOVAL} was within thing"
_AT = frozenset({"was", "within"})
_CLASS = regex(r"[A-Z]\w*[a-z]\w*")
_BETWEEN = frozenset({"of_file", "file", "this", "stop"})
"""What may be between the word that hands a file over and its path."""
_INTO, _PUT = frozenset({"within", "with"}), frozenset({"code", "this", "stop"})
"""What is before the file that code goes into, and what before that."""
_GIVES = frozenset({"gives", "new", "whole", "save"})
_TRIES = regex(
    r"(?i)\b(?:paste|pasted|type|enter|run|try|execute|reproduc\w+|evaluate|probier\w*|gib|füge?|führe?|colle[rz]?"
    r"|tape[rz]?|exécute[rz]?|essaye[rz]?|pega|pegue|ejecut\w+|prueb\w+|cole|execut\w+|rode|test[ea]|встав\w+"
    r"|выполн\w+|запуст\w+|введ\w+)\b|粘贴|运行|执行|试|貼り付け|実行|試"
)
_CONSOLE = regex(
    r"(?i)(?<!\w)(?:\w*konsole|consol[ae]|консол\w+|repl|playground|dev\s?tools|terminal|терминал\w*|shell|sandbox"
    r"|irb|ipython|psql|jshell|tinker|interpreter|scratch\s?(?:pad|file))(?=\s*(?:[:：.,;)]|\Z|and\s|to\s))"
    r"|控制台|终端|コンソール|ターミナル"
)
"""Where code is tried out, which is no file: *paste this into the browser console:*."""


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
        return reading(last_sentence(self.above))

    @cached_property
    def is_certain(self) -> bool:
        """Whether the last sentence says where the code belongs, or that it is a change, and no more."""
        if self.is_offer or not _AGAINST_SIGNS.isdisjoint(self.above):
            return False
        for sentence in readings(last_sentence(self.above)):
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
        words = _without_remarks(last_sentence(self.above))
        last = words.rpartition(";")[2]
        words = last if reading(last).has(_ASKS) else words
        sentence = _main(_behind_condition(reading(words)))
        is_tried = _CONSOLE.search(words) and _TRIES.search(words)
        is_search = sentence.has("find") and sentence.is_made_of("find fill this thing")
        if _LIKE_THIS_WOULD.search(words) or ((is_search or is_tried) and not sentence.paths):
            return True
        if _refuses(sentence) and not self._tells_of_given:
            return True
        if _last_clause(sentence).has("there") and not sentence.has(f"{_ASKS} remove never"):
            return True
        if _MADE_BY_A_COMMAND.search(self.above) and not self.is_handed_over:
            asks = (word.kinds for word in sentence.words if "place" not in word.kinds)
            return all(kinds.isdisjoint(("change", "do")) for kinds in asks)
        if self.is_offer and (sentence.has("but") or not sentence.has("change create do")):
            return True
        if _speaks_of(sentence, "old sample"):
            is_put = sentence.has("save") and sentence.has("place")
            return not self.is_change and not is_put and not sentence.has("remedy")
        is_sample = _speaks_of(reading(section), "sample analysis old")
        return is_sample and not self.is_change and not lead_of(section).is_change

    @property
    def _tells_of_given(self) -> bool:
        """Whether the last sentence tells what a file does that the one before hands over: *It asks if*."""
        before = self.above.strip().removesuffix(last_sentence(self.above).strip())
        first = next(iter(self.last.words), None)
        is_of_it = first is not None and "it" in first.kinds
        given = lead_of(before) if is_of_it and before.strip() else None
        return given is not None and given.is_handed_over and not given.is_example()

    @cached_property
    def may_be_change(self) -> bool:
        """Whether only a word speaks for an example that may be said of a change, too: *and call it:*.

        Only the lines of the code tell then.
        """
        words = last_sentence(self.above)
        sentence = _main(_behind_condition(reading(_without_remarks(words))))
        if (
            not self.is_example()
            or self.is_offer
            or sentence.has("never find")
            or _CALLED_EXAMPLE.search(words)
        ):
            return False
        before = list(takewhile(lambda word: "sample" not in word.kinds, sentence.words))
        first = sentence.words[len(before) : len(before) + 1]
        is_call = any(word.text.startswith("call") for word in first)
        is_instead = any("instead" in word.kinds for word in first)
        least = 1 if is_instead else _OTHER_WORDS
        is_of_other = self.says_an_edge or sum(not word.kinds for word in before) >= least
        return bool(first) and (is_call or is_of_other) and not _speaks_of(sentence, "old")

    @property
    def may_be_of_rest(self) -> bool:
        """Whether what speaks against the code may be said of the lines that it leaves out: *unchanged:*.

        Neither is it called an example then, nor what a file has, nor what is not to be done.
        """
        is_against = self.is_offer or not _AGAINST_SIGNS.isdisjoint(self.above)
        is_of_code = self.last.has("sample current maybe") or _CALLED_EXAMPLE.search(self.above)
        is_refused = self.is_refused and self.last.has("do find remove")
        first = next((word.kinds for word in self.last.words), _NO_KINDS)
        return not (is_against or is_of_code or is_refused or first & {"never", "this"})

    @property
    def says_an_edge(self) -> bool:
        """Whether they speak of a side, of the file, or of something in it."""
        return reading(self.above, WordTable.PLACES).has("below above last first")

    @cached_property
    def is_doubtful(self) -> bool:
        """Whether the last sentence says *not*, or *before*, of something else than the code, as it seems."""
        sentence = reading(_without_remarks(last_sentence(self.above)))
        said = _main(sentence)
        is_timed = any(one.kinds >= {"old", "place"} and one not in said.words for one in sentence.words)
        return said.has("never") or (is_timed and not said.has(_ASKS))

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
    def is_instead(self) -> bool:
        """Whether the last sentence says in the place of what code it is: *instead of `x`*."""
        pairs = pairwise(self.last.words)
        return any(one.kinds & {"instead", "replace"} and "code" in two.kinds for one, two in pairs)

    @property
    def begins_with_change(self) -> bool:
        """Whether the last sentence begins with the word that asks for a change."""
        return _begins_with_change(self.last.words)

    @property
    def is_asked(self) -> bool:
        """Whether they call the code a change, say a place for it, or that something is to be there."""
        is_placed = self._whole.has("place")
        return (
            self.is_change
            or self.is_instead
            or is_placed
            or reading(without_links(self.above), WordTable.PLACES).has("adds")
        )

    def is_in_another(self, path: str) -> bool:
        """Return whether they say that the code is in a class, by its name, which a file is not called by."""
        stem = path.rpartition("/")[2].partition(".")[0].casefold().replace("_", "")
        words = self.last.words
        named = (
            word.text.strip("`")
            for before, word in pairwise(words)
            if "within" in before.kinds and "code" in word.kinds
        )
        return any(_CLASS.fullmatch(name) and name.casefold() not in stem for name in named)

    @property
    def says_place(self) -> bool:
        """Whether they name something in backquotes, and a side of it, or an edge of the class."""
        sentence = reading(self.above, WordTable.PLACES)
        is_named = sentence.has("code name path")
        is_edge = sentence.has("last first") and any(
            word.text.casefold() in CLASSES for word in sentence.words
        )
        return is_edge or (is_named and sentence.has("below above last first"))

    def with_place(self, below: str) -> str:
        """Return the words, with the sentence below the fence if that only says where its code goes.

        What leads on, and what begins a step of its own, is said of the code below it.
        """
        is_of_next = below.rstrip("*_ ").endswith((":", "：")) or _BEGINS_A_STEP.match(below)
        start, end = next(sentence_spans(below), (0, 0))
        said = below[start:end]
        if is_of_next or self.says_place or not lead_of(said).says_place:
            return self.above
        kinds = "below above last first inside others"
        is_closed = any(one.is_made_of(kinds) for one in readings(said, WordTable.PLACES))
        is_name = not any("code" in word.kinds and " " in word.text for word in reading(said).words)
        return f"{self.above}\n{said}" if is_closed and is_name else self.above

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
        """Whether a word such as `full` is right before what a file is called, or next to its path."""
        is_called = is_path = False
        for word in () if self._whole.has("part") else self._whole.words:
            is_behind = is_path and "whole" in word.kinds and " " in word.text  # *in full*
            if is_behind or (is_called and word.kinds & {"file", "path"}):
                return True
            is_path = "path" in word.kinds
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
        more = _REMARK.search(words)
        if more and not reading(more["what"]).has("never but code name path"):
            words = words[: more.start()] + words[more.end() :]
        for sentence in (each for one in readings(words) for each in (one, _last_clause(one))):
            # *these lines from the service `db`*: that is where they are
            at = _AT if sentence.has("this") else _NO_KINDS
            end = next((row for row, word in enumerate(sentence.words) if word.kinds & at), None)
            before = sentence.words[:end]
            names = [word.text.strip("`()") for word in before if word.kinds & {"code", "name"}]
            said, of_what = Reading(before), Reading(sentence.words[len(before) :])
            is_closed = said.is_made_of(_OF_REMOVAL) and of_what.is_made_of(_OF_PLACE_OF_REMOVAL)
            if sentence.has("remove needless") and is_closed and len(names) <= 1:
                return "".join(names).rpartition(".")[2]
        return None


def last_sentence(above: str) -> str:
    """Return the sentence that leads to a fence, where the line above it has several, and that has no end."""
    above = without_links(above)
    if above.rstrip().endswith((":", "：")):
        return _SENTENCES.split(above)[-1]
    # what a sentence without an end leads to is the code
    *_, (start, _) = ((0, 0), *sentence_spans(above))
    return above if above.rstrip("*_ ").endswith(_ENDS) else above[start:]


def _without_remarks(words: str) -> str:
    """Return words without what is said in brackets of the rest, or of something else."""
    words_least, signs_least = _SHORTEST_REMARK

    def left(found: re.Match[str]) -> str:
        what = found["what"]
        is_long = len(what.split()) >= words_least or (what[0] >= _CJK and len(what) >= signs_least)
        return "" if is_long else found[0]

    return _REMARK.sub(left, words)


def _behind_condition(sentence: Reading) -> Reading:
    """Return what a sentence asks for behind its first comma, if it begins by asking for that there."""
    at = next((at for at, word in enumerate(sentence.words) if word.text in ",，"), len(sentence.words))
    behind = sentence.words[at + 1 :]
    before = Reading(sentence.words[:at])
    is_said = before.is_made_of("fill") or before.has("sample old") or _begins_with_change(sentence.words)
    return Reading(behind) if not is_said and Reading(behind).has(_ASKS) else sentence


def _main(sentence: Reading) -> Reading:
    """Return what a sentence asks for, or says of the code: not why, nor before what, nor instead of what."""
    kept: list[Word] = []
    is_aside = False
    for word in sentence.words:
        is_aside = is_aside and not word.kinds & {"stop", "end"}
        is_why = bool(word.kinds & {"reason", "purpose", "instead"}) or word.kinds >= {"old", "place"}
        if is_why and kept and (not kept[0].kinds or Reading(tuple(kept)).has(f"{_ASKS} remove speaker")):
            is_aside = True
        elif not is_aside:
            kept.append(word)
    return Reading(tuple(kept))


def _begins_with_change(words: Sequence[Word]) -> bool:
    kinds = next((word.kinds for word in words if "fill" not in word.kinds), _NO_KINDS)
    return "change" in kinds and kinds.isdisjoint(("place", "new"))


def _last_clause(sentence: Reading) -> Reading:
    """Return the last clause of a sentence, without the colon behind it."""
    ends = ("stop", "end")
    words = list(dropwhile(lambda word: not word.kinds.isdisjoint(ends), reversed(sentence.words)))
    return Reading(tuple(takewhile(lambda word: word.kinds.isdisjoint(ends), words)))


def _speaks_of(sentence: Reading, kinds: str) -> bool:
    """Return whether a sentence has a word of some kinds that tells neither a place nor what gives way."""
    wanted = set(kinds.split())
    for at, word in enumerate(sentence.words):
        behind = dropwhile(lambda each: "article" in each.kinds, sentence.words[at + 1 :])
        of_what = next(behind, word).kinds & {"code", "name"}
        is_side = bool(word.kinds & {"place", "instead"} and of_what)
        is_side |= "place" in word.kinds and at > 0 and "place" in sentence.words[at - 1].kinds
        if not wanted.isdisjoint(word.kinds) and not is_side:
            return True
    return False


def _refuses(sentence: Reading) -> bool:
    """Return whether a sentence says *not*, and not only of what something that it asks for does.

    In *two calls never end*, who does it is named, and what is said of it is not the code that is shown.
    """
    words = sentence.words
    for at, word in enumerate(words):
        clause = takewhile(lambda one: not one.kinds & {"stop", "end"}, reversed(words[:at]))
        before = Reading(tuple(one for one in clause if one.kinds != {"fill"}))
        rest = list(takewhile(lambda one: not one.kinds & {"stop", "end"}, words[at + 1 :]))
        is_said_of_it = len(rest) >= _VERB_AND_OBJECT and not (
            rest[0].kinds or Reading(tuple(rest)).has("this")
        )
        is_said_of_it = is_said_of_it and before.words != () and not before.has(_SAID)
        is_asked = Reading(words[:at]).has(_ASKS) and (at + 1 < len(words) and not words[at + 1].kinds)
        is_of_others = before.has("all") and not before.has("this")
        if "never" in word.kinds and not (is_said_of_it or is_asked or is_of_others):
            return True
    return False
