"""The changes that a sentence asks for: *Change `LIMIT` from `20` to `5`, and remove `x` from `a.py`.*

Each is a proposal at most: its file shows whether it has what the words name, once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, pairwise, takewhile

from patchpoint.dataclass import replace
from patchpoint.edit import Side, Target, TargetKind
from patchpoint.formats.in_words.additions import added, adds
from patchpoint.formats.in_words.asked_change import AskedChange, code_of, edit_at
from patchpoint.formats.in_words.held import QUESTIONS, is_held, may_ask
from patchpoint.formats.in_words.unquoted import LITERAL, is_code, with_noun, with_quoted
from patchpoint.formats.labels import line_named
from patchpoint.formats.sentences.sentence import (
    Reading,
    Word,
    WordTable,
    likely_readings,
    reading,
    readings,
    trimmed,
)
from patchpoint.text.regex import IDENTIFIER, regex

NOTE = regex(r"[(（][^()（）]{0,200}[)）]")
"""What is said in brackets; of a rename, it only says where the name is."""
_NAME = regex(r"[\w.$\"'@/:-]+")
_VERBS = "change replace assign rename do move must becomes instead done"
_LINKS = "with onto becomes assign"
_UNDER = frozenset(("under", "unter", "sous", "bajo", "sob", "под", "下", "下面"))
"""Below a heading or a key is in its part."""
_COLONS = (":", "：")
DOCUMENTS = ("README", "CHANGELOG", "CONTRIBUTING")
_USES = frozenset({"do", "change", "becomes"})
_CALL = regex(r"\w\(|\w\s+\S|\w\.\w")
"""What is no name alone."""
_REPLACES = Word("", frozenset({"replace"}), 0, 0)
_BOTH = frozenset(("both", "beide", "sowohl"))
"""What is said of a definition, and of where it is used."""
_NEAR = 5
"""So many words may be between a verb or a name and what belongs to it."""


def changes_in(text: str, *, is_report: bool) -> list[AskedChange]:
    """Return what a sentence asks for, in the language that it likely is in.

    Where it `is_report`, what its speaker has done counts.
    """
    end = trimmed(text)[-1:]
    if not may_ask(text, is_report=is_report):
        return [] if end in QUESTIONS or is_report else list(_used_instead(text))
    is_spoken = not is_report and is_held(text, "speaker") and not reading(text).has("rename")
    for sentence in () if is_spoken else likely_readings(text):
        found: list[AskedChange] = []
        if sentence.has("remove") and end not in _COLONS:
            from patchpoint.formats.in_words.removals import removed

            found = list(removed(sentence, text))
        found = found or list(_became(sentence, text))
        if found:
            return found
    is_more = end in _COLONS or is_held(text, "old remove replace")
    every = () if is_more else (list(added(one, text)) for one in readings(text, WordTable.PLACES))
    return next(filter(None, every), []) or ([] if is_report else list(_used_instead(text)))


def _became(sentence: Reading, text: str) -> Iterator[AskedChange]:
    """Yield what becomes of what: of a name, a value or any words, around a word such as `to`."""
    is_rename = sentence.has("rename")
    notes = [
        note.span()
        for note in NOTE.finditer(text)
        if is_rename or (sentence.has("assign") and reading(note[0]).has("current was old"))
    ]
    if notes:
        is_said = (not any(first < word.start < end for first, end in notes) for word in sentence.words)
        sentence = Reading(tuple(compress(sentence.words, is_said)))
    sentence = with_noun(with_quoted(sentence))
    words = sentence.words
    codes = [at for at in range(len(words)) if is_code(words, at)]
    own = [at for at in codes if not _is_owner(words, at)] or codes
    before = Reading(words[: next(iter(codes), 0)])
    if before.has("purpose") and not (before.has(_VERBS) or is_rename):
        return  # that comes of what is said before it
    if len(own) == 1 and not _is_owner(words, own[0]):
        alone = list(_of_one_code(sentence, own[0], text if len(codes) > 1 else ""))
        yield from alone
        codes = [] if alone else codes
    if adds(text) and not sentence.has("replace assign rename"):
        return  # it is what an addition is
    # what is in brackets is said of something else
    gaps = ((pair, text[words[pair[1]].end : words[pair[2]].start]) for pair in _pairs(words, codes))
    pairs = [pair for pair, gap in gaps if gap.count("(") <= gap.count(")")]
    for name, old, new in pairs:
        # *build with `a` and compare with `b`*
        between = Reading(words[old + 1 : new])
        is_asked = any(one.has(_VERBS) for one in readings(text))
        if not is_asked and between.has("with") and not between.is_made_of("fill with stop thing"):
            continue
        others_of = [at for at in codes if all(at not in each for each in pairs)]
        owner = _owner(words, others_of) if is_rename else ""
        change = _renamed(sentence, old, new, owner) if is_rename else _pair(sentence, name, old, new)
        if change is None:
            continue
        is_value = change.edit.target is not None and change.edit.target.side is Side.AFTER
        is_elsewhere = len(codes) > 2 * len(pairs) or is_value
        lead = text if is_elsewhere and not is_rename else ""
        change = replace(change, is_in_each=_is_listed(sentence))
        others = " ".join(word.text for at, word in enumerate(words) if at not in (old, new))
        yield replace(change, edit=replace(change.edit, lead=lead, line=line_named(others)))


def _pairs(words: Sequence[Word], codes: Sequence[int]) -> Iterator[tuple[int | None, int, int]]:
    """Yield which codes are what is there and what that becomes, each with the name that has it, if any."""
    reached = -1
    for old, new, last in zip(codes, codes[1:], [*codes[2:], -1], strict=False):
        if old > reached and last > 0 and _is_in(words, old, new) and _is_linked(words, new, last):
            reached = last
            yield None, old, last
            continue
        instead = _instead(words, old, new, last)
        if old <= reached or not (instead or _is_linked(words, old, new)):
            continue
        named = [at for at in codes if reached < at < old and _NAME.fullmatch(code_of(words[at]))]
        name = named[-1] if named and _is_from(words, named[-1], old) else None
        reached = max(new, instead)
        yield (old, instead, new) if instead else (name, old, new)


def _of_one_code(sentence: Reading, at: int, lead: str) -> Iterator[AskedChange]:
    """Yield the value that one code gives a name, as in *set `a = 1`*."""
    words, code = sentence.words, code_of(sentence.words[at])
    name, _, value = (part.strip() for part in code.rstrip(";").replace(":", "=", 1).partition("="))
    verb = next((word for word in reversed(words[:at]) if not word.kinds & {"fill", "also"}), None)
    if verb is not None and "assign" in verb.kinds and _NAME.fullmatch(name) and value:
        target = Target(TargetKind.WORDS, name, Side.AFTER)
        edit = edit_at(words[at], search=name, new=value, target=target, lead=lead)
        yield AskedChange(what=f"changes `{name}` to `{value}` in", edit=edit, paths=sentence.paths)


def _used_instead(text: str) -> Iterator[AskedChange]:
    """Yield the code that a sentence begins by asking to use instead of another one, in a part or not."""
    words = reading(text).words
    codes = [at for at in range(len(words)) if "code" in words[at].kinds]
    asked = [at for at, word in enumerate(words) if word.kinds & _USES]
    instead = [at for at, word in enumerate(words) if "instead" in word.kinds]
    if len(asked) != 1 or len(instead) != 1 or is_held(text, "never offers done speaker"):
        return
    (verb,), (link,) = asked, instead
    new = next((at for at in codes if at > verb and not _is_owner(words, at)), 0)
    old = next((at for at in codes if at > link), 0)
    others = [at for at in codes if at not in (old, new)]
    if (
        new != old
        and new * old
        and _CALL.search(code_of(words[old]))
        and all(_is_owner(words, at) or "its" in words[at - 1].kinds for at in others)
        and Reading(tuple(words[link + 1 : old])).is_made_of("fill thing")
    ):
        change = _pair(Reading((*words, _REPLACES)), None, old, new)
        if change is not None:
            yield replace(change, edit=replace(change.edit, lead=text if others else ""))


def _is_owner(words: Sequence[Word], at: int) -> bool:
    """Return whether a code is what something is in."""
    near = reversed(words[:at])
    before = list(takewhile(lambda word: word.kinds & {"fill", "thing", "part"} or word.text in _UNDER, near))
    behind = [word for word in words[at + 1 : at + 2] if word.is_unspaced]
    return any("within" in word.kinds or word.text in _UNDER for word in (*before, *behind))


def _is_linked(words: Sequence[Word], old: int, new: int) -> bool:
    """Return whether the words between two codes, or right behind them, say that one becomes the other."""
    between, before = Reading(tuple(words[old + 1 : new])), Reading(tuple(words[:old]))
    if between.has("must"):
        return _must(words, old, new)
    if between.has("amount") and not before.has("replace"):
        return False
    # *`a` is set in the script* says nothing of what it becomes
    stated = (
        at
        for at, (is_, word) in enumerate(pairwise(between.words), 1)
        if "is" in is_.kinds and "assign" in word.kinds
    )
    is_stated = set(stated)
    linking = Reading(tuple(word for at, word in enumerate(between.words) if at not in is_stated))
    if linking.has(_LINKS) or (between.has("as_name") and Reading(tuple(words)).has("rename assign")):
        return True
    if between.words and between.is_made_of("is") and before.has("change"):
        return _must(words, old, new)
    # in Japanese, it is behind what becomes of the other
    behind = Reading(tuple(words[new + 1 : new + 3]))
    is_behind = Reading(behind.words[:1]).has("with") and not behind.words[0].text.isascii()
    # in Chinese, what it was is behind its name
    was_is_next = between.has("from") and LITERAL.match(code_of(words[old])) is None
    return is_behind and not behind.has("code") and not was_is_next


def _is_in(words: Sequence[Word], at: int, owner: int) -> bool:
    """Return whether a code is said to be in another one: *`x` in `f`*, *the parameter `x` of `f`*."""
    between = Reading(tuple(words[at + 1 : owner]))
    is_rename = Reading(tuple(words)).has("rename")
    is_of_it = is_rename and not _is_owner(words, at)
    is_said = between.has("within its" if is_rename else "within") or (is_of_it and between.has("thing"))
    is_said = is_said and LITERAL.match(code_of(words[owner])) is None
    return is_said and between.is_made_of("fill thing removable within its of_file from")


def _owner(words: Sequence[Word], codes: Sequence[int]) -> str:
    """Return the one of some codes that a name is said to be of, or to be in, if there is one."""
    named = [at for at, word in enumerate(words) if "code" in word.kinds]
    found = [
        code_of(words[at]).removesuffix("()")
        for at in codes
        if _is_in(words, max((each for each in named if each < at), default=0), at)
        or any("whose" in word.kinds or word.text == "s" for word in words[at + 1 : at + 2])
    ]
    return found[0] if len(found) == 1 else ""


def _instead(words: Sequence[Word], name: int, new: int, old: int) -> int:
    """Return which code a name is said to have `new` instead of, that behind it; 0 if it is not."""
    asked = Reading(tuple(words[max(0, name - 1) : new]))
    between = Reading(tuple(words[new + 1 : max(old, 0)]))
    is_literal = LITERAL.match(code_of(words[old])) is not None
    is_near = (is_literal or new - name <= _NEAR) and not Reading(tuple(words[name:new])).has("stop")
    is_asked = is_near and asked.has("must becomes")
    # *the last line of `f` becomes `x` instead of `y`*
    is_value = "its" not in words[name - 1].kinds or is_literal
    is_instead = between.has("instead") and between.is_made_of("instead fill")
    return old if is_asked and is_value and is_instead and _NAME.fullmatch(code_of(words[name])) else 0


def _must(words: Sequence[Word], name: int, new: int) -> bool:
    """Return whether a sentence only says what a name has to be: no limit, nor where or for whom it is so."""
    between, behind = Reading(tuple(words[name + 1 : new])), Reading(tuple(words[new + 1 : new + 2]))
    is_plain, before = between.is_made_of("must fill is thing"), Reading(tuple(words[:name]))
    is_end = behind.is_made_of("end stop instead reason also within change")
    is_subject = before.is_made_of("fill article stop path change number within package")
    was, becomes = code_of(words[name]), code_of(words[new])
    is_value = _NAME.fullmatch(was) is not None and LITERAL.match(becomes) is not None
    return is_plain and is_end and is_subject and (is_value or ("(" not in was and _are_alike(was, becomes)))


def _are_alike(was: str, becomes: str) -> bool:
    return not set(IDENTIFIER.findall(was)).isdisjoint(IDENTIFIER.findall(becomes))


def _is_from(words: Sequence[Word], name: int, old: int) -> bool:
    """Return whether the words between a name and a value, or right behind, say that it has that."""
    behind = [word for word in words[old + 1 : old + 2] if not word.text.isascii()]
    return Reading((*words[name + 1 : old], *behind)).has("from")


def _renamed(sentence: Reading, old: int, new: int, owner: str) -> AskedChange | None:
    """Return the name that a sentence changes: everywhere, or in its owner; elsewhere the one place of it."""
    words = sentence.words
    was, becomes = (code_of(words[at]).removesuffix("()") for at in (old, new))
    is_everywhere = any(word.text in _BOTH for word in words)
    owner = "" if is_everywhere else owner
    is_within = not (owner or is_everywhere) and any(
        "within" in word.kinds and "code" in part.kinds and part is not words[new]
        for word, part in pairwise(words)
    )
    if was == becomes or not (was.isidentifier() and becomes.isidentifier()):
        return None
    edit = edit_at(words[new], search=was, new=becomes, target=Target(TargetKind.WORDS, was))
    return AskedChange(
        what=f"renames `{was}` to `{becomes}` in",
        edit=replace(edit, replace_all=not is_within, scope=(owner,) if owner else ()),
        paths=_paths_for(sentence, old, new),
        is_needed=is_within,
    )


def _pair(sentence: Reading, name: int | None, old: int, new: int) -> AskedChange | None:
    """Return what becomes of a code, or of a name that has it as a value; `None` for nothing plain."""
    words = sentence.words
    was, becomes = code_of(words[old]), code_of(words[new])
    called = code_of(words[name]) if name is not None else was
    if not was or not becomes or was == becomes or "\n" in f"{was}{becomes}":
        return None
    is_data, is_name = LITERAL.match(called) is not None, _NAME.fullmatch(called) is not None
    is_becoming = Reading(words[old + 1 : new]).has("becomes") and _NAME.fullmatch(was) is None
    is_text = name is None and (sentence.has("replace") or is_becoming)
    is_value = name is not None or _gets_value(sentence, called, becomes, Reading(words[old + 1 : new]))
    if not (is_text or is_value or _are_alike(was, becomes)):
        return None
    side = Side.AFTER if is_value and not (is_text or is_data) else Side.INSTEAD
    edit = edit_at(words[old], search=was, new=becomes, target=Target(TargetKind.WORDS, called, side))
    said = takewhile(lambda word: not word.kinds & {"purpose", "reason"}, words)
    # of a name behind which it is said, what else has it would change, too
    every = words[:old] if was.isidentifier() else tuple(said)
    is_all = any("all" in word.kinds for word in every)
    return AskedChange(
        what=f"replaces `{was}` by `{becomes}` in",
        edit=replace(
            edit,
            span=(words[min(old, new)].start, words[max(old, new)].end),
            replace_all=is_all and is_name is (_NAME.fullmatch(becomes) is not None),
        ),
        paths=_paths_for(sentence, old, new),
    )


def _gets_value(sentence: Reading, called: str, becomes: str, between: Reading) -> bool:
    """Return whether the words of a sentence give what is `called` so another value."""
    is_data, is_name = LITERAL.match(called) is not None, _NAME.fullmatch(called) is not None
    if sentence.has("change") and LITERAL.match(becomes) and (is_name or is_data):
        return True
    is_of_value = any("value" in word.kinds for word in sentence.words)
    return is_name and (
        is_of_value or sentence.has("assign") or between.has("must") or not between.has(_LINKS)
    )


def _is_listed(sentence: Reading) -> bool:
    """Return whether a sentence names several files, one after another: *in `a.py` and `b.py`*."""
    paths = [at for at, word in enumerate(sentence.words) if "path" in word.kinds]
    between = Reading(sentence.words[paths[0] : paths[-1]]) if len(paths) > 1 else Reading(())
    return (
        bool(between.words)
        and between.is_made_of("fill within of_file file")
        and not between.has("code from")
    )


def _paths_for(sentence: Reading, old: int, new: int) -> tuple[str, ...]:
    """Return the file that is named between two words, or else last before them, or those of the sentence."""
    if _is_listed(sentence):
        return sentence.paths
    between, above = (Reading(words).paths for words in (sentence.words[old:new], sentence.words[:old]))
    return between[-1:] or above[-1:] or sentence.paths or _documents(sentence)


def _documents(sentence: Reading) -> tuple[str, ...]:
    """Return the documents of a project that a sentence calls by their names without the ending."""
    named = (word.text for word in sentence.words if word.text in DOCUMENTS)
    return tuple(dict.fromkeys(f"{name}.md" for name in named))
