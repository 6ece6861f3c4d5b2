"""What a sentence asks to remove: files, or code of its file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from patchpoint.dataclass import replace
from patchpoint.edit import Operation, Side, Target, TargetKind
from patchpoint.formats.in_words.asked_change import AskedChange, code_of, edit_at
from patchpoint.formats.sentences.sentence import Reading, Word, reading

_OF_SUBJECT = "needless is stop fill purpose path reason article removable place within file thing"
_NEAR = 5
"""So many words may be between a verb or a name and what belongs to it."""


def removed(sentence: Reading, text: str) -> Iterator[AskedChange]:
    """Yield the files, or else the code in its file, that a sentence begins by asking to remove."""
    words = sentence.words
    verb = next(at for at, word in enumerate(words) if "remove" in word.kinds)
    begin = max((at + 1 for at in range(verb) if words[at].kinds & {"stop", "purpose"}), default=0)
    before = Reading(tuple(words[begin:verb]))
    speaker = "speaker " if "done" in words[verb].kinds else ""
    if not before.is_made_of(
        f"{speaker}package fill number place file code removable thing of_file needless is"
    ):
        return
    files = _files(words, verb) if before.is_made_of("fill number place file package") else []
    for file in files:
        edit = replace(edit_at(file, lead=text), operation=Operation.DELETE)
        yield AskedChange(what="deletes", edit=edit, paths=Reading((file,)).paths)
    objects = _objects(sentence, verb, text) if not files else []
    for at in objects:
        name = code_of(words[at])
        target = Target(TargetKind.DEFINITION, name.removesuffix("()"), Side.DELETED)
        edit = edit_at(words[at], search=name, target=target, lead=text)
        what = f"removes `{name}` from"
        yield AskedChange(what=what, edit=edit, paths=sentence.paths, is_in_each=True)


def _files(words: Sequence[Word], verb: int) -> list[Word]:
    """Return the files that are removed: all code of the clause behind the verb, and at its end."""
    clause = list(takewhile(lambda word: word.text not in ";；", words))
    named = [at for at, word in enumerate(clause) if word.kinds & {"code", "path"}]
    # in Chinese and Japanese, the verb may be behind them
    is_last = bool(named) and named[-1] < verb and words[verb].is_unspaced
    if (
        not named
        or not (named[0] > verb or is_last)
        or [named[0], *_joined(words, named[0], "path")] != named
    ):
        return []
    first, last = (named[-1], verb) if is_last else (verb, named[0])
    rest = words[max(verb, named[-1]) + 1 :]
    # *from the repository*
    is_from = "fill" in rest[0].kinds if rest else False
    behind = next(
        (word for word in rest if not word.kinds & ({"fill", "package"} if is_from else {"fill"})), None
    )
    between = Reading(tuple(words[first + 1 : last]))
    is_object = between.is_made_of("fill file") and not between.has("from number name")
    is_end = behind is None or bool(behind.kinds & {"stop", "end", "purpose"})
    return [words[at] for at in named if "path" in words[at].kinds] if is_object and is_end else []


def _objects(sentence: Reading, verb: int, text: str) -> list[int]:
    """Return which words are what is removed: next to the verb, on the side that is usual."""
    words = sentence.words
    stop = next((at for at in range(verb + 1, len(words)) if "stop" in words[at].kinds), len(words))
    behind = [at for at in range(verb + 1, stop) if not words[at].kinds & {"fill", "path"}][:_NEAR]
    first = next((at for at in behind if "code" in words[at].kinds), None)
    above = [at for at in range(verb) if "code" in words[at].kinds]
    # in German, an infinitive is behind it, and so is what can be removed in most languages
    said = words[verb].text
    is_it = bool(words[verb + 1 : verb + 2]) and not words[verb + 1].kinds.isdisjoint(("it", "this"))
    if (
        first is None
        and len(above) == 1
        and (is_it or not said.isascii() or said.endswith("en") or " " in said)
    ):
        begin = max((at + 1 for at in range(above[0]) if words[at].kinds & {"stop", "path"}), default=0)
        begin = begin if Reading(words[:begin]).is_made_of("fill path within of_file file place") else 0
        # in Japanese, the preposition of the path is behind it
        begin += bool(begin) and words[begin].is_unspaced and "fill" in words[begin].kinds
        before, between = Reading(words[begin : above[0]]), Reading(words[above[0] + 1 : verb])
        of_another = before.has("its within with onto from") and not before.has("itself")
        of_another = of_another or (
            " " in said and not before.is_made_of("article removable needless number stop path fill")
        )
        first = None if of_another or not between.is_made_of(_OF_SUBJECT) else above[0]
    elif first is not None and " " in said and code_of(words[first]).isidentifier():
        first = None  # *you no longer need `name`* may be of what else it does
    is_import = first is not None and any(
        "itself" in word.kinds for word in (*words[max(0, first - 2) : first], *words[first + 1 : first + 3])
    )
    if first is None or ("from" in words[first - 1].kinds and not is_import):
        return []  # *remove the line `src/a.cpp` from `sources`* is about what looks like a path
    # *in `a.py` the line `x`*
    begin = max([verb, *(at for at in range(verb, first) if "path" in words[at].kinds)], default=verb)
    between, after = (
        reading(text[words[begin].end : words[first].start]),
        reading(text[words[first].end :].lstrip()[:1]),
    )
    # *the call to `name`*, *`name` calls*
    is_name = code_of(words[first]).removesuffix("()").isidentifier()
    others = "its but place with onto within from" if is_name else "its but place"
    is_of_another = (between.has(others) or after.has("whose")) and not is_import
    is_of_another = is_of_another or Reading(words[first + 1 : first + 2]).has("uses")
    return [] if first > verb and is_of_another else [first, *_joined(words, first, "code")]


def _joined(words: Sequence[Word], first: int, kind: str) -> Iterator[int]:
    """Yield which words of a kind go on a list that a word begins: `a`, `b` and `c`."""
    reached = first
    for at in range(first + 1, len(words)):
        joint = Reading(tuple(words[reached + 1 : at]))
        if not joint.is_made_of("fill stop") or joint.has("from of_file place"):
            return
        if kind in words[at].kinds:
            yield at
            reached = at
