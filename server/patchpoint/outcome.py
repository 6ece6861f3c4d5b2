"""The outcome of one edit, and the enums that describe it."""

from __future__ import annotations

from collections.abc import Container, Iterable
from enum import Enum
from functools import cached_property

from patchpoint.dataclass import dataclass, field
from patchpoint.text.lines import Span
from patchpoint.text.splice import Splice, apply_splices


class Status(str, Enum):
    """The kind of an outcome; the values are the protocol's."""

    APPLIED = "applied"
    REVERTED = "reverted"
    """It was applied before, and has been reverted by this request."""
    MATCHED = "matched"
    """It would be applied; this was a dry run."""
    ALREADY_APPLIED = "alreadyApplied"
    PROPOSED = "proposed"
    """It is not certain enough to be written: what it would change is shown, and written if accepted."""
    AMBIGUOUS = "ambiguous"
    NOT_FOUND = "notFound"
    CONFLICT = "conflict"
    """Two edits of one request overlap, a file to be created exists, or the file was changed in between."""
    REJECTED = "rejected"
    """The path or the file may not be touched."""
    MALFORMED = "malformed"
    HELD = "held"
    """It matched, but another edit of an atomic request did not."""


class Rung(str, Enum):
    """One way to locate the search text, strictest first; see `patchpoint.locate.rungs.table`."""

    EXACT = "exact"
    WHITESPACE = "whitespace"
    INDENTATION = "indentation"
    UNICODE = "unicode"
    QUOTES = "quotes"
    TRANSCRIPTION = "transcription"
    ELISION = "elision"
    TOKENS = "tokens"
    STRUCTURE = "structure"
    SIMILARITY = "similarity"


class Reason(Enum):
    """Why an edit changed nothing: one for each thing to be done about it, with a row in
    `patchpoint.patching.reasons`. What is wrong with a place, its `Guard` says."""

    # where the search text is
    NOTHING_SIMILAR = "nothing similar"
    SEVERAL = "several places"
    TOO_CLOSE = "another place is nearly as similar"
    NOT_THERE = "what the edit names is not in the file"
    TOO_LARGE = "too large to search by similarity"
    DOUBTED = "a guard rejects the place"
    BREAKS_SYNTAX = "the file would no longer parse"
    # code that shows only some lines, and places that an edit names without quoting them
    UNCLEAR = "several definitions or lines may be meant"
    NEW_ALONE = "a new definition, and nothing of the file"
    NO_PLACE = "nothing tells where something new goes"
    WOULD_BE_LOST = "a definition would be lost"
    NOT_MERGED = "the code shown cannot be merged"
    NOT_PLACED = "the place that is named cannot be changed like this"
    NOT_WHOLE = "the content is not the whole file, or not for certain"
    # how the edits of a request go together, and with what has been done
    ALREADY_APPLIED = "the change is made already"
    SAME_LINE = "another edit changes the same line"
    ALTERNATIVES = "another edit changes the same text or file otherwise"
    TOO_MUCH = "the other edits took all the searching that a request may take"
    INCOMPLETE = "another part of the answer has no place, or is missing"
    HELD_BACK = "another edit cannot be applied"
    STALE_PROPOSAL = "what was accepted is no longer proposed"
    # files as such
    FILE_EXISTS = "the file, or the one at the new path, has other content"
    FILE_MISSING = "no such file"
    STALE = "a file is no longer what the caller read"
    # what cannot be an edit at all
    FORBIDDEN = "the path or the file may not be touched"
    EXECUTING = "the file starts programs, and nobody has confirmed the edit"
    # what the answer itself says
    TAKEN_BACK = "the answer withdraws it"
    ONE_OF_SEVERAL = "the answer leaves the choice among several ways"
    ONLY_LIKELY = "the answer likely asks for it"
    UNREADABLE = "it cannot be read as an edit"


class Look(Enum):
    """What a person who sees the difference can tell; guards that leave the same to a look are one doubt."""

    ENOUGH = "whether enough of it is similar"
    LINE = "whether it is the line that is quoted"
    ELSEWHERE = "whether an equal line elsewhere is meant"
    MEMBER = "whether it is another one of its kind"
    MISSING = "whether what differs is what is to be changed"
    UNQUOTED = "whether the lines that nobody quoted may be there"
    NAME = "whether a name of the file is meant"


class Guard(Enum):
    """What rejects a place that was found, each with what a look can tell about it, and the reason it gives.

    A `patchpoint.locate.ladder.Ladder` can leave guards out: so it is weighed what each of them is worth.
    """

    # the edit may have been made before
    REPLACEMENT_THERE = ("the replacement is there", None, Reason.ALREADY_APPLIED)
    # the text may be at another place
    PART = ("it is only a part of a word, comment or text", Look.LINE)
    CLOSES_ANOTHER = ("a closing line is at another depth", Look.ENOUGH)
    RIVAL_AT_DEPTH = ("another place has the quoted depth", None, Reason.TOO_CLOSE)
    THRESHOLD = ("too little is similar", Look.ENOUGH, Reason.NOTHING_SIMILAR)
    RIVALS = ("another place is as similar", None, Reason.TOO_CLOSE)
    OTHER_NAME = "another name is declared"
    NOTHING_OF_ITS_OWN = "every line of it is elsewhere, too"
    LITTLE_QUOTED = ("little is quoted, and some of it differs", Look.ENOUGH)
    ELSEWHERE = ("a line that decides may be another one", Look.ELSEWHERE)
    ANOTHER_MEMBER = ("it differs as another one of its kind does", Look.MEMBER)
    # what the edit changes may not be there
    MISSING = ("a line that decides is not there", Look.MISSING)
    LOOSE_EDGE = "new lines are next to none that is there"
    UNSURE_DELETION = ("a line to be deleted is quoted otherwise", Look.MISSING)
    LEAVES_UNDONE = "nothing would be deleted"
    # what the new text would be
    UNQUOTED = ("lines that nobody quoted are in the way", Look.UNQUOTED)
    DROPS_IMPORT = "a name that nobody quoted would no longer be imported"
    DROPS_WORDS = ("words that nobody quoted would be lost", Look.MEMBER)
    COMES_BACK = "a line that is gone would come back"
    PARTLY_APPLIED = "new lines are there already"
    UNBALANCED = "brackets change otherwise than meant"
    UNKNOWN_NAME = ("a quoted name is nowhere in the file", Look.NAME)
    BREAKS_SYNTAX = ("the file would no longer parse", None, Reason.BREAKS_SYNTAX)

    def __init__(self, title: str, look: Look | None = None, reason: Reason = Reason.DOUBTED) -> None:
        self.title = title
        """What it has found, in a few words."""
        self.look = look
        """What a person can tell who sees the difference; nothing where the edit may not be proposed."""
        self.reason = reason
        """Why the edit changes nothing, then."""

    @staticmethod
    def first(found: Iterable[Guard], without: Container[Guard] = ()) -> Guard | None:
        """Return the first guard that is not left out; what comes behind it is not computed."""
        return next((guard for guard in found if guard not in without), None)

    @staticmethod
    def heard(found: Iterable[Guard], without: Container[Guard] = ()) -> tuple[Guard, ...]:
        """Return the guards that are not left out, up to the first that no look settles.

        If that is not the last one, the edit may be proposed.
        """
        heard: dict[Guard, None] = {}
        for guard in found:
            if guard not in without:
                heard[guard] = None
                if not guard.is_settled_by_a_look:
                    break
        return tuple(heard)

    @property
    def is_settled_by_a_look(self) -> bool:
        """Whether a person who sees the difference can tell that it is wrong: the edit may be proposed."""
        return self.look is not None


class Atomic(str, Enum):
    """What is held back when an edit of a request does not match; the values are the protocol's."""

    ALL = "all"
    """Everything."""
    FILE = "file"
    """The other edits of its file."""
    EDIT = "edit"
    """That edit alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A place where an edit could go."""

    span: Span
    similarity: float
    """0 to 1."""
    line: int
    """1-based number of the first line."""
    last_line: int
    preview: str
    """The first lines of the place, to be shown to a person."""
    where: str = ""
    """Where it is, in words such as "in Cart > total", or where else than there an edit would go, such as
    "below close"; empty where nothing is known to tell."""

    @property
    def distinction(self) -> str:
        """What distinguishes it, in words: where it is, and how similar unless it is what is quoted."""
        similar = "" if self.where and self.is_quoted else f"{percent(self.similarity)} % similar"
        return ", ".join(filter(None, (self.where, similar)))

    @property
    def is_quoted(self) -> bool:
        """Whether the place has what the edit quotes, if not to the letter."""
        return self.similarity >= 1

    @property
    def lines_named(self) -> str:
        """Its lines in words, such as "lines 3 to 5"."""
        if self.last_line <= self.line:
            return f"line {self.line}"
        return f"lines {self.line} to {self.last_line}"


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What an edit would change that is not certain enough to be written: written once it is accepted."""

    id: str
    """A digest of the file's text, the edit and the result: once one of them differs, it is another id."""
    path: str
    diff: str
    """Unified, with three lines of context."""
    why: str
    """A sentence: what speaks for it, and what is in doubt."""
    accepted: Outcome = field(repr=False)
    """The outcome of the edit once the proposal is accepted."""
    starts_programs: bool = False
    """Whether its file does so without being asked, so that a person has to confirm that, too."""

    @property
    def text(self) -> str:
        """The whole new text."""
        assert self.accepted.text is not None
        return self.accepted.text


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of one edit, in offsets of the text before (`span`, `candidates`) and after (`new_span`).

    `splices` and `before` are set when the edit matched; `splices` are ordered, disjoint and minimal,
    against the text `before`.
    """

    status: Status
    reason: Reason | None = None
    """Why it changes nothing; `None` when it matched, and for what is refused outside of the pure core."""
    guard: Guard | None = None
    """The guard that rejected the place, where one did: more exact than the reason."""
    index: int = 0
    """Position of the edit in its request."""
    path: str = ""
    rung: Rung | None = None
    similarity: float | None = None
    span: Span | None = None
    new_span: Span | None = None
    candidates: tuple[Candidate, ...] = ()
    proposal: Proposal | None = None
    """What is written if somebody accepts it; only where the status is `PROPOSED`."""
    splices: tuple[Splice, ...] = ()
    whole: tuple[Span, ...] = ()
    """The spans, in the text before, of what the edit shows whole; another version of it contradicts that."""
    before: str | None = field(default=None, repr=False, compare=False)
    """The whole text that the edit was located in."""
    notes: tuple[str, ...] = ()
    """What a person should know of an edit that matched, such as a misspelt path or an overwritten line."""
    needs_confirmation: bool = False
    """It matched by similarity alone, or the file no longer parses: a client that can ask should ask."""
    message: str = ""
    """One sentence for a person."""
    feedback: str = ""
    """Plain text to be sent back to the model."""

    @cached_property
    def text(self) -> str | None:
        """The whole new text, or `None` when nothing is to be written; computed on first use."""
        return None if self.before is None else apply_splices(self.before, self.splices)

    @property
    def is_lost(self) -> bool:
        """Whether the edit quotes what is not in the text, proposed for a similar place or not."""
        return self.status in (Status.NOT_FOUND, Status.PROPOSED)

    @property
    def matched(self) -> bool:
        """Whether the edit has a place and a text, written or not."""
        return self.status in (Status.APPLIED, Status.REVERTED, Status.MATCHED, Status.HELD)


def percent(similarity: float) -> int:
    """Return a similarity (0 to 1) in percent, rounded down: only equal texts are 100."""
    # A hundredth that binary fractions fall just short of is not meant to be one less.
    return 100 if similarity >= 1 else min(99, int(similarity * 100 + 1e-9))
