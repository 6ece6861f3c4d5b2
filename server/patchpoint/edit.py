"""One requested change to one file, as a format read it from what a model wrote."""

from __future__ import annotations

from collections.abc import Callable, Container
from enum import Enum

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.text.lines import Span, split_lines


class Operation(str, Enum):
    """What an edit does to its file."""

    REPLACE = "replace"
    """`search` becomes `replace`."""
    BETWEEN = "between"
    """The text between `before` and `after` becomes `replace`; the old content is never quoted."""
    INSERT = "insert"
    """`replace` is inserted after line number `line` (0: at the top)."""
    CREATE = "create"
    """The file is created with `content`; it must not exist with other content."""
    WRITE = "write"
    """The whole file becomes `content`, whether it exists or not."""
    MERGE = "merge"
    """The definitions that `replace` shows replace those of the file; what it leaves out stays."""
    PLACE = "place"
    """`replace` goes to the place that `target` names: instead of what is there, before it or behind it."""
    DELETE = "delete"
    """The file is deleted."""
    RENAME = "rename"
    """The file is moved to `new_path`, which must not exist."""
    CHMOD = "chmod"
    """The file's executable bit is set to that of `mode`."""


class Format(str, Enum):
    """How the edit was written (see `patchpoint.formats`)."""

    REQUEST = "request"
    """Not read from text: given as data by the caller."""
    SEARCH_REPLACE = "searchReplace"
    ENVELOPE = "envelope"
    UNIFIED_DIFF = "unifiedDiff"
    ANCHORS = "anchors"
    TOOL_CALL = "toolCall"
    WHOLE_FILE = "wholeFile"
    LAZY = "lazy"
    PAIR = "pair"


FENCED = (Format.LAZY, Format.WHOLE_FILE, Format.PAIR)
"""Formats of fences, which name a file for one and not for the next."""
SHOWN = (*FENCED, Format.UNIFIED_DIFF)
"""Formats of what an answer may show without meaning it; others are written for a program."""
HEARD = (*SHOWN, Format.SEARCH_REPLACE, Format.ENVELOPE, Format.TOOL_CALL)
"""Formats of edits that words next to them may be against."""
QUOTING = (Format.SEARCH_REPLACE, Format.TOOL_CALL, Format.UNIFIED_DIFF, Format.PAIR)
"""Formats of text in which a model quotes what it replaces."""
OF_LINES = (Format.SEARCH_REPLACE, Format.UNIFIED_DIFF, Format.ENVELOPE)
"""Formats in which a model quotes whole lines."""
TEXT_FORMATS = ("auto", *(one.value for one in Format if one is not Format.REQUEST))
"""How edits are written in a text; `auto` recognises each edit by itself."""


class TargetKind(str, Enum):
    """What an edit names where it quotes nothing."""

    DEFINITION = "definition"
    """A function, method or class, by its name path (`Class/method`)."""
    CELL = "cell"
    """A cell of a notebook, by its id or its number from 0."""
    LINES = "lines"
    """Lines by their numbers and tags, such as `12#KT`."""
    WORDS = "words"
    """Words within a line, which are in the file once."""
    COMMAND = "command"
    """What a script of `sed`, or a substitution of `perl`, changes: the whole of it is the name."""
    SUGGESTED = "suggested"
    """Lines by their numbers alone, if any, by what `search` quotes, and by what is suggested for them."""


class Side(str, Enum):
    """Where the new text goes, seen from what an edit names."""

    INSTEAD = "instead"
    BEFORE = "before"
    AFTER = "after"
    DELETED = "deleted"
    """There is no new text: what is named goes away."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place that an edit names without quoting what is there."""

    kind: TargetKind
    name: str
    """Of lines, the first with its tag; empty for the beginning of a notebook."""
    side: Side = Side.INSTEAD
    last: str = ""
    """The last of several lines, with its tag; how the patterns of a command are written (see
    `patchpoint.patching.named.sed`)."""
    cell_type: str = ""
    """The type of a new cell, or the new type of one (`code`, `markdown`, `raw`)."""


@dataclass(frozen=True, slots=True)
class Split:
    """One reading of a block in which several lines may be the divider."""

    search: str
    replace: str


class ObjectionCode(str, Enum):
    """What an answer itself says against an edit that is written in it; the values are the protocol's."""

    NOT_SAID_BY_THE_MODEL = "not-said-by-the-model"
    """It is in the user's turn, or in what a tool printed."""
    FAILED_CALL = "failed-call"
    """It is a tool call that failed, or that was rejected, when it was made."""
    RETRACTED = "retracted"
    """The words around it take it back, or call it what is not to be done."""
    ALTERNATIVE = "alternative"
    """It is one of several ways, of which one is to be chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """Why an edit is not made unless a person insists on it, in the words of the answer."""

    code: ObjectionCode
    words: str = ""
    """The sentence or line that says so, as it is written; empty where none does."""
    name: str = ""
    """Of an alternative, what it is called (`Option B`)."""
    line: int = 0
    """The line of the text on which the edit begins, from 1: what a person insists on it by."""


_MOST = 0.8
"""A diff that deletes a file quotes so many of its lines: one that quotes fewer may only remove these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change to one file.

    `path` is as the model wrote it (relative, or absolute from a tool call). `line` (1-based), `occurrence`
    (1-based) and `scope` (outermost first) are hints: they choose among the places that were found and are
    never evidence.
    """

    path: str
    operation: Operation = Operation.REPLACE
    search: str = ""
    replace: str = ""
    replace_all: bool = False
    occurrence: int | None = None
    line: int | None = None
    scope: tuple[str, ...] = ()
    section: str = ""
    """A line of the file that the change is said to be below. It chooses nothing; where `line` chooses a
    place that is not in what that line begins, and another place is, the edit is ambiguous."""
    at_end: bool = False
    """The search text is marked as the end of the file (`*** End of File`)."""
    before: str = ""
    after: str = ""
    target: Target | None = None
    """What an edit with the operation `PLACE` names."""
    new_path: str | None = None
    content: str | None = None
    """The content of a file to create or write; for a deletion, what the file must still hold, if known."""
    may_be_part: bool = False
    """The content is not certain to be the whole file. Where the file exists, content to create is merged
    into it unless it is most of it; content to write is refused if definitions of the file would be lost."""
    may_be_cut_off: bool = False
    """Nothing follows in the answer, which may have been cut off here."""
    mode: int | None = None
    """POSIX permission bits, such as 0o755."""
    splits: tuple[Split, ...] = ()
    """All readings of a block with several possible dividers, `search` and `replace` being the first; empty
    when there is only one. The one whose search text is in the file counts, if it is exactly one."""
    remark: str = ""
    """A sentence for the outcome of the edit, about what is written next to it and is not done."""
    format: Format = Format.REQUEST
    span: Span = (0, 0)
    """The span of the edit in the text that it was read from."""
    objection: Objection | None = field(default=None, repr=False, compare=False)
    """What the answer itself says against it: it is not made unless a person insists."""
    doubt: str = field(default="", repr=False, compare=False)
    """A sentence that says why the text only likely asks for it: then it is a proposal at most."""
    is_aside: bool = field(default=False, repr=False, compare=False)
    """The text only offers it, or does not say what it is for: what is certain does not wait for it."""
    is_inverse: bool = field(default=False, repr=False, compare=False)
    """Made to take out an applied change: `search` is what that had written, word for word. What its place
    has in other words has been written since."""
    lead: str = field(default="", repr=False, compare=False)
    """The words right above shown code, which may say where in its file it goes."""
    above: str = field(default="", repr=False, compare=False)
    """The same, whether they ask for it or not."""
    tail: str = field(default="", repr=False, compare=False)
    """The sentence right below it, which may say where it goes."""
    longer_paths: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """Longer readings of the path, the longest first: the words before it may belong to it (`my a.py`)."""

    path_inside: str = field(default="", repr=False, compare=False)
    """The path in the first line of a new file's content that ends as `path` does: it counts if its folder
    is there."""

    def with_known_path(self, is_there: Callable[[str], bool]) -> Edit:
        """Return the edit of the longest reading of its path that is a file, if one is."""
        inside = self.path_inside if is_there(self.path_inside.rpartition("/")[0]) else ""
        longer = inside or next(filter(is_there, self.longer_paths), self.path)
        return replace(self, path=longer, longer_paths=(), path_inside="") if longer != self.path else self


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """A piece of text that is plainly meant as an edit and cannot be read as one."""

    message: str
    """The line, what is wrong there and what was expected."""
    span: Span
    """The offending piece of the text, as narrow as possible."""
    line: int
    """1-based line of the text at which reading failed."""
    path: str = ""
    format: Format = Format.SEARCH_REPLACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplaced:
    """A fence of an answer that is not taken for an edit, or edits that are left alone, and why."""

    message: str
    """What it was taken for, and what is missing for an edit."""
    span: Span
    line: int
    """1-based line of the text on which it begins."""
    edit: Edit | None = None
    """The edit that it is for the file that is meant, whose path is empty; `None` for what is none of any."""
    paths: tuple[str, ...] = ()
    """The files that the text names for it, if it names several."""
    suffix: str = ""
    """The suffix of a file in the language that the fence is called by, if it is called by one."""
    language: str = ""
    """The language that the fence is called by, as it is written there."""
    is_change: bool = False
    """Whether the text calls it a change, or has nothing above it."""
    quoted: Edit | None = None
    """The edit that code would be which is called the code of its file as it is, if it is not so."""
    is_needed: bool = False
    """Whether the text asks for it: without it, other code of the answer is half of a change."""
    joined: str = ""
    """The file of the code that it is joined to in the answer, if it follows that with a word at most."""
    nearby: tuple[str, ...] = ()
    """The files that the text names last above it."""
    is_aside: bool = False
    """Whether other code of the answer is the change: then it is a proposal at most."""
    is_use: bool = False
    """Whether a word calls it an example: it is an edit only where its file has some of its lines."""
    is_between: bool = False
    """Whether nothing calls it a change: it is one only where its ends are neighbours in its file."""
    is_unsure: bool = False
    """Whether words above it may be said of the lines that it leaves out: it is a proposal at most."""
    is_sentence: bool = False
    """Whether it is a sentence next to code: it may ask for one more change, or tell what the code does."""
    is_of_any: bool = False
    """Whether it is a sentence that asks for something, and names no file: any that has that may be meant."""
    is_code: bool = True
    """Whether it may be code of a file, or asks for a change; commands and what they print do not."""
    code: str = field(default="", repr=False)
    """What a fence shows."""
    others: tuple[Edit, ...] = field(default=(), repr=False, compare=False)
    """Of a sentence, the edits of its answer."""
    objection: Objection | None = None
    """Of edits that are left alone: why."""
    meant: tuple[Edit | Malformed, ...] = field(default=(), repr=False, compare=False)
    """Of edits that are left alone: what is carried out where a person insists."""


@dataclass(frozen=True, slots=True)
class TurnRead:
    """Which answer of a conversation was read: of those that have edits."""

    number: int = 1
    """From 1; 0 where all were read."""
    count: int = 1
    """How many there are."""


ONLY_TURN = TurnRead()
"""A text that is no conversation has one answer."""


def is_deletion_of(edit: Edit, text: str) -> bool:
    """Return whether a deletion is one of all that a file holds: it says that, or quotes most lines."""
    if edit.content is not None:
        return edit.content == text
    quoted = {line.strip() for line in edit.search.splitlines()}
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return not quoted or sum(line in quoted for line in lines) >= _MOST * len(lines)


def contains_replacement(text: str, edit: Edit) -> bool:
    """Return whether the lines that `edit` writes are in the `text` of its file, indentation aside."""
    lines = [line.strip() for line in split_lines(text)]
    wanted = [line.strip() for line in split_lines(edit.replace)]
    return any(lines[at : at + len(wanted)] == wanted for at in range(len(lines) - len(wanted) + 1))


def is_of_whole_file(edit: Edit, files: Container[str]) -> bool:
    """Return whether an edit deletes or moves a file that is there, or creates one without content."""
    if edit.operation is Operation.CREATE:
        return not edit.content and edit.path not in files
    is_moved = edit.operation is Operation.RENAME and edit.new_path not in files
    return edit.path in files and (is_moved or edit.operation is Operation.DELETE)
