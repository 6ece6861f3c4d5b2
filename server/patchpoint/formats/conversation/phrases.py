"""What a sentence around an edit says against it: rows of the kinds of its words, for all languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from itertools import takewhile

from patchpoint.dataclass import dataclass, replace
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, reading, sentence_spans

_PARAGRAPH = 2000
"""So much of the beginning and of the end of a paragraph is looked at."""
_NAMES = "code path name number"


class Says(Enum):
    """What a sentence may say."""

    WITHHOLDS = "what is above or below is not to be applied"
    ASIDE = "something is only there to be looked at"
    DISOWNS = "what was said or shown is not to be"
    DROPS = "what is right above it is not to be"
    RETHINKS = "the speaker has changed their mind"
    FAILED = "what is next to it was tried, or was, and is no more"
    SHOWS = "what follows is not to be, or was there"
    CONDITION = "a person has to decide first"
    ASKS = "whether an edit is to be made"
    OTHERWISE = "another way than the one before follows"
    ONE_OF = "one of several is to be chosen"
    WAYS = "there are several ways"
    EITHER_WAY = "it is about every way"
    ALL = "it means all edits above"
    MISTAKE = "what follows may be a mistake, or what is or was elsewhere"
    SURE_MISTAKE = "that, and not for what cause what follows is made"
    OFFERS = "what follows is optional"
    PROVISO = "what follows depends on something"
    NEEDLESS = "nothing has to be changed"
    WHICH = "a person has to choose, or to confirm"
    TURNS = "the speaker turns from what is above"
    BETTER_NOT = "what there is may be better"
    KEEPS = "something stays as it is"


class _Part(Enum):
    """What of a sentence a row is about."""

    WHOLE = "all of it"
    BARE = "all of it but what is in parentheses"
    REASONED = "all of it up to a reason"
    FIRST = "the first clause"
    ANY = "any clause"


@dataclass(frozen=True, slots=True)
class _Row:
    """One way to say something: what has to hold for the words of a part of the sentence."""

    has: str = ""
    """The kinds of which there are words; of some joined by `|`, one."""
    of: str = ""
    """The kinds that all words are of."""
    part: _Part = _Part.WHOLE
    opens: str = ""
    """How the sentence begins: see `_matches`."""
    behind: str = ""
    """The kinds of the words at its beginning that are passed over."""
    goes_on: str = ""
    """How the part begins."""
    lacks: str = _NAMES
    """The kinds of which there are no words; where all words are of some kinds, these are no names."""


_CLOSED = "fill soft this it"
_LEFT = _Row(behind="soft turn", goes_on="leave stop|left* as_is", lacks="")
_DROPPED = (
    _Row("undo this", f"{_CLOSED} undo", _Part.FIRST, behind="soft turn"),
    _Row("bad|broken this", "this soft is bad broken", _Part.FIRST, behind="soft turn"),
    _LEFT,
    replace(_LEFT, goes_on="leave&as_is"),
)
_ROWS: Mapping[Says, Sequence[_Row]] = {
    Says.WITHHOLDS: (_Row("not apply", f"{_CLOSED} i not apply", _Part.ANY),),
    Says.ASIDE: (_Row("aside", lacks=""),),
    Says.DISOWNS: (_Row("undo named", f"{_CLOSED} undo", _Part.ANY),),
    Says.DROPS: _DROPPED,
    Says.RETHINKS: (
        _Row(opens="_? _? rethink .", lacks=""),
        _Row(opens="turn turn|stop* turn . !turn", lacks=""),
        _Row("named bad|broken this", "fill this named is bad broken", _Part.FIRST, opens="!bad", lacks=""),
        *(replace(row, opens="stop* turn") for row in _DROPPED),
        _Row("bad|broken", "this soft fill is bad broken", _Part.FIRST, "stop* turn", "turn soft", lacks=""),
    ),
    Says.FAILED: (
        _Row("gone this", f"{_CLOSED} i gone", _Part.FIRST),
        _Row("tried failed|gone this", f"{_CLOSED} i tried failed gone", lacks=""),
    ),
    Says.SHOWS: (
        _Row("not", f"{_CLOSED} i not apply like gone bad is", _Part.BARE),
        _Row("bad|broken", f"{_CLOSED} is bad broken like", _Part.BARE),
        _Row("undo this", f"{_CLOSED} undo", _Part.BARE),
        _Row("used_to", "fill this it used_to like", _Part.BARE),
        _Row("before was", "fill this it before was like", _Part.BARE, lacks=""),
        _Row("gone this", f"{_CLOSED} i tried gone", _Part.REASONED),
        _Row("gone it", f"{_CLOSED} tried gone", _Part.REASONED),
        _Row("gone", "gone", _Part.REASONED),
        _Row(behind="soft", goes_on="not !exempt&!stop&!code !stop&!code* like stop|end* $", lacks=""),
        _Row(behind="soft", goes_on="reference .|opens|fill", lacks="newer"),
    ),
    Says.CONDITION: (
        _Row(behind="soft fill", goes_on="only_if", lacks=""),
        _Row("platform", part=_Part.FIRST, goes_on="if_you _? _? _? _? _? _? _? _? $", lacks=""),
        _Row("platform sole", "platform alone sole fill", _Part.FIRST, lacks=""),
    ),
    Says.ASKS: (_Row("ask apply", f"{_CLOSED} ask apply i"),),
    Says.OTHERWISE: (
        _Row(behind="soft", goes_on="or&!no_or", lacks=""),
        _Row(behind="soft", goes_on="fill|soft* other way", lacks=""),
        _Row(behind="soft", goes_on="fill|soft* other&way .|fill", lacks=""),
    ),
    Says.ONE_OF: (_Row("one_of enough", "one_of enough soft fill", lacks=""),),
    Says.WAYS: (
        _Row(opens="pick_one", lacks=""),
        _Row("counted there", opens="there|counted|fill|number|stop|end* ways !not_ways", lacks=""),
    ),
    Says.EITHER_WAY: (_Row(opens="either_way", lacks=""),),
    Says.ALL: (_Row("every", lacks=""),),
    Says.KEEPS: (_Row(opens="_* leave _? _? _? _? _? as_is", lacks=""),),
    Says.TURNS: (
        _Row(opens="turn stop|end", lacks=""),
        _Row("not", f"{_CLOSED} turn named not apply is", opens="turn"),
        _Row("not it|this", f"{_CLOSED} i not apply is", part=_Part.FIRST),
    ),
}
_DOUBTS: Mapping[Says, Sequence[_Row]] = {
    Says.MISTAKE: (_Row("above", lacks=""),),
    Says.SURE_MISTAKE: (_Row(opens="_* above&!cause", lacks=""),),
    Says.OFFERS: (_Row(opens="offer", lacks=""),),
    Says.PROVISO: (_Row(opens="open", lacks=""),),
    Says.NEEDLESS: (_Row("needless", lacks=""), _Row("nothing touched", lacks="else others")),
    Says.WHICH: (_Row("which", lacks=""),),
    Says.BETTER_NOT: (_Row("below|needless", lacks=""),),
}
"""What is said in the words of the table of doubts."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, as written."""

    written: str

    @property
    def points_on(self) -> bool:
        """Return whether it announces what follows."""
        return self.written.rstrip("*_ ").endswith((":", "："))

    def says(self, *meanings: Says) -> bool:
        """Return whether it says one of some things."""
        return any(
            self.words(table) and any(_holds(row, self.words(table)) for row in rows[meaning])
            for table, rows in ((WordTable.OBJECTIONS, _ROWS), (WordTable.DOUBTS, _DOUBTS))
            for meaning in meanings
            if meaning in rows
        )

    def words(self, table: WordTable) -> tuple[Word, ...]:
        """Return its words, with the kinds that they have in a table."""
        return reading(self.written, table).words if len(self.written) <= 600 else ()


NOTHING = Statement("")


@lru_cache(maxsize=1024)
def statements(text: str) -> tuple[Statement, ...]:
    """Return the sentences of a paragraph; answers say the same above many of their edits."""
    if len(text) > 2 * _PARAGRAPH:
        text = f"{text[:_PARAGRAPH]} … {text[-_PARAGRAPH:]}"
    return tuple(Statement(text[start:end].strip()) for start, end in sentence_spans(text))


def _holds(row: _Row, words: Sequence[Word]) -> bool:
    return _matches(row.opens.split(), words) and any(
        _matches(row.goes_on.split(), part)
        and all(Reading(part).has(kinds.replace("|", " ")) for kinds in row.has.split())
        and (not row.of or (Reading(part).is_made_of(row.of) and "purpose" not in part[0].kinds))
        and not Reading(part).has(row.lacks)
        for part in _parts(row, words)
    )


def _parts(row: _Row, words: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """Yield the parts of a sentence that a row is about; clauses end at punctuation and at a reason."""
    passed = {"stop", *row.behind.split()} if row.behind else set()
    start = next(
        (at for at, one in enumerate(words) if not one.kinds & passed or one.kinds & {"undo", "leave", "or"}),
        len(words),
    )
    words = words[start:]
    if row.part is _Part.WHOLE:
        yield tuple(words)
    elif row.part is _Part.BARE:
        yield tuple(_without_remarks(words))
    elif row.part is _Part.REASONED:
        yield tuple(takewhile(lambda word: "because" not in word.kinds, words))
    else:
        clauses = _clauses(words)
        yield from clauses if row.part is _Part.ANY else [next(clauses, ())]


def _clauses(words: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    clause: list[Word] = []
    for word in words:
        if not word.kinds & {"stop", "end", "because"}:
            clause.append(word)
        elif clause:
            yield tuple(clause)
            clause = []
    if clause:
        yield tuple(clause)


def _without_remarks(words: Sequence[Word]) -> Iterator[Word]:
    inside = False
    for at, word in enumerate(words):
        inside = inside or (at > 0 and word.text in "(（")
        if not inside:
            yield word
        inside = inside and word.text not in ")）"


def _matches(pattern: Sequence[str], words: Sequence[Word]) -> bool:
    """Return whether words begin as a pattern says, each of whose elements is about one word.

    An element has kinds with `|` between them, of which the word has one; it has all that `&` joins, and none
    with `!`. With `*` it is about any number of words, with `?` about one or none. `_` is any word, `.` is
    punctuation or the end, and `$` the end.
    """
    if not pattern:
        return True
    element, rest = pattern[0].rstrip("*?"), pattern[1:]
    if element != pattern[0] and _matches(rest, words):
        return True
    if not words:
        return element[0] in ".$!" and _matches(rest, words)
    again = pattern if pattern[0].endswith("*") else rest
    return _is_of(words[0], element) and _matches(again, words[1:])


def _is_of(word: Word, element: str) -> bool:
    wanted = (each.split("&") for each in element.replace(".", "stop|end").split("|"))
    return element == "_" or any(
        all((kind.strip("!") in word.kinds) is not kind.startswith("!") for kind in kinds) for kinds in wanted
    )
