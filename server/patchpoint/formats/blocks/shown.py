"""A fence that shows a file: the whole of it, or the definitions that change, or something else.

What the text says of a fence decides whether it is meant as an edit, and of which file. Whether it is all of
a file that exists, or a part of it, is seen when it is held against the file.
"""

from __future__ import annotations

import re

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation, Unplaced
from patchpoint.formats.blocks import lead
from patchpoint.formats.blocks.fence_label import FenceLabel, code_of, label_of, suffix_of
from patchpoint.formats.blocks.pair import EDITS, pair_in_fence
from patchpoint.formats.blocks.suggestion import is_suggestion, read_suggestion
from patchpoint.formats.fences import Fence, FenceKind, holds_signed_lines, is_first, is_last
from patchpoint.formats.labels import Naming
from patchpoint.formats.path_forms import is_path
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import reading
from patchpoint.formats.source import AnswerText, Item
from patchpoint.structure.languages import is_json
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.outline.headers import header_name, shows_definition
from patchpoint.structure.lazy.syntax import syntaxes_of, syntaxes_within
from patchpoint.text.regex import regex

LEFT_OUT = regex(
    r"^[ \t]*(?:(?://|#|/\*|<!--|--|;|\{/\*|%|\")[ \t]*)?(?:\.{3}|…)"
    r"|^[ \t]*(?://|#|/\*|<!--|--|;|\{/\*|%)[ \t]*\(?(?:the )?"
    r"(?:rest of|existing code|remaining|other (?:code|methods|functions)|unchanged|same as before)",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = regex(r"\W*(?:file\s?path|file\s?name|file|path)\s*[:=]", re.IGNORECASE)
_DOCUMENTS = (".md", ".markdown")
_DOCUMENT_FENCES = ("", "md", "markdown", "mdx", "text", "txt", "plaintext")
"""What a fence with a part of a document is called; any other one has a sample of code for it."""
_LEAST_LINES = 2
"""With a mark, so many other lines have to be shown."""
_MOST_LINES = 20_000
_MOST_NAMES = 3
_CHANGED = ("+", "-")
_HUNK = "@@"
_SIGNS = ("", " ", "\\", *_CHANGED)
"""What lines of a diff begin with, blank ones with nothing."""


def read_shown(scan: TextScan, fence: Fence, lower_bound: int, known_path: str = "") -> Item | Unplaced:
    """Return the edit that a fence shows, what is wrong with it, or why it is not taken for one.

    No label is looked for before `lower_bound`; `known_path` is the file of code that names none.
    """
    known = scan.source.once(_readings)
    key = (scan.wanted, fence.first, lower_bound, known_path)
    if key not in known:
        known[key] = _read(scan, fence, lower_bound, known_path)
    return known[key]


def is_lazy(source: AnswerText, fence: Fence, path: str) -> bool:
    """Return whether a fence shows code of the file at `path` by definitions, or by lines and a mark."""
    syntaxes = (*syntaxes_of(path), *syntaxes_within(path))
    if not fence.closed or fence.nested is not None or not (syntaxes or is_json(path)):
        return False
    lines = _lines(source, fence)
    if any(shows_definition(lines, syntax) for syntax in syntaxes):
        return True
    marks = sum(map(is_mark, lines))
    return bool(marks) and sum(bool(line.strip()) for line in lines) - marks >= _LEAST_LINES


def _readings(_: AnswerText) -> dict[tuple[Format | None, int, int, str], Item | Unplaced]:
    """Return what is read from fences of a text: several formats ask for each."""
    return {}


def _read(scan: TextScan, fence: Fence, lower_bound: int, known_path: str) -> Item | Unplaced:
    source = scan.source
    label = label_of(scan, fence, lower_bound)
    if scan.wanted is Format.WHOLE_FILE:
        return _wanted_file(source, fence, label)
    if is_suggestion(label):
        return read_suggestion(scan, fence, label, lower_bound, known_path)
    why = _no_code(source, fence, label)
    if why:
        return _unplaced(source, fence, label, why)
    path = label.path or ("" if label.paths else known_path)
    pair = (
        None
        if label.is_example or lead.is_whole(label.above) or lead.is_new(label.above)
        else pair_in_fence(source, fence, path)
    )
    if pair is not None and path:
        return pair
    why = _to_be_removed(source, fence, label)
    if why and path and fence.closed and fence.nested is None:
        return Edit(
            path=path,
            search=code_of(source, fence, label.in_comment),
            doubt="The answer asks to remove it.",
            format=Format.PAIR,
            span=source.span(fence.first, fence.end),
        )
    if why:
        return replace(_unplaced(source, fence, label, why), edit=None, is_needed=True)
    if not path:
        if label.paths:
            why = f"two files are named for it, {' and '.join(label.paths[:2])}; name one on the line above"
        elif label.is_example:
            why = "it is called an example, or the code as it was or is"
        else:
            why = "no path names its file; write it on the line above"
        unplaced = _unplaced(source, fence, label, why)
        return unplaced if pair is None else replace(unplaced, edit=pair)
    return _ShownFence(source, fence, label, path, only_parts=scan.wanted is Format.LAZY).item()


class _ShownFence:
    """One fence that shows code of a file whose path is known."""

    def __init__(
        self, source: AnswerText, fence: Fence, label: FenceLabel, path: str, *, only_parts: bool
    ) -> None:
        self._source, self._fence, self._label, self._path = source, fence, label, path
        self._only_parts = only_parts
        self._is_document = path.lower().endswith(_DOCUMENTS)
        self._is_sample = self._is_document and label.language not in _DOCUMENT_FENCES
        self._is_lazy = is_lazy(source, fence, path)
        self._left_out = _left_out_at(source, fence, path)

    def item(self) -> Item | Unplaced:
        """Return the edit, what is wrong with it, or why it is none."""
        label, how = self._label, self._label.how
        is_named_here = how in (Naming.ON_FENCE, Naming.ALONE)
        if label.is_example:
            left = self._no_edit("it is called an example, or the code as it was or is")
            is_quoted = lead.is_current(label.above) and self._is_lazy and how is not None
            return replace(left, quoted=self._part()) if is_quoted else left
        is_certain = self._is_certain()
        if not is_certain and not label.is_change:
            left = self._no_edit(
                f"{self._path} is spoken of above it, but not that it changes; write the path alone above it"
            )
            return self._spoken_of(left)
        item = self._of_its_kind(is_named_here=is_named_here)
        if is_certain or not isinstance(item, Edit):
            return item
        return replace(item, doubt=self._doubt, is_aside=lead.is_offer(label.above))

    def _is_certain(self) -> bool:
        """Return whether no word that is not understood is where the file is named."""
        label, how = self._label, self._label.how
        if how is Naming.SENTENCE:
            return lead.is_lead(label.above)
        if how is Naming.HEADING and self._path in label.heading:
            return lead.is_label(label.heading)
        return how is not Naming.ALONE or lead.is_label(label.above)

    @property
    def _doubt(self) -> str:
        return f"Only what is said above it names {self._path}."

    def _of_its_kind(self, *, is_named_here: bool) -> Item | Unplaced:
        """Return the file that the fence holds, or the part of it that it shows."""
        label, how = self._label, self._label.how
        if self._is_sample:
            return self._no_edit(f"it is {label.language} code, and {self._path} is a document")
        if label.kind is FenceKind.TEXT and syntaxes_of(self._path) and not self._is_document:
            return self._no_edit(f"it is no code, as {self._path} is")
        if how is None:
            why = f"it shows no definition of {self._path}, and no mark of lines left out"
            return self._part() if self._is_lazy else self._no_edit(why)
        is_whole = lead.is_whole(label.above) and how is not Naming.HEADING
        is_new = lead.is_new(label.above) and how is not Naming.HEADING
        is_file = (
            is_whole
            or is_new
            or is_named_here
            or (how is Naming.SENTENCE and lead.is_handed_over(label.above))
        )
        if how is Naming.HEADING and self._path in label.heading:
            is_file = self._is_lazy or label.is_change
        if self._only_parts or not is_file:
            return self._mentioned()
        fault, at = self._fault()
        if fault and self._is_lazy:
            return self._part()
        if fault:
            return self._source.malformed(
                fault, self._fence.first, self._fence.end, at=at, path=self._path, origin=Format.WHOLE_FILE
            )
        return Edit(
            path=self._path,
            operation=Operation.WRITE if is_whole else Operation.CREATE,
            content=self._content(),
            may_be_part=is_whole or not is_new,
            may_be_cut_off=is_last(self._source, self._fence),
            format=Format.WHOLE_FILE,
            span=self._source.span(self._fence.first, self._fence.end),
            lead=lead.with_place(self._label.above, self._label.below),
        )

    def _mentioned(self) -> Item | Unplaced:
        """Return what code becomes whose file is only spoken of, and not handed over."""
        if not self._fence.closed:
            return self._no_edit("it is cut off; the end of its fence was expected")
        if self._fence.nested is not None:
            return self._no_edit("a fence opens inside it; a longer fence was expected around it")
        if self._is_lazy or (self._label.is_change and self._label.how is Naming.SENTENCE):
            return self._part()
        left = self._no_edit(
            f"it shows no definition of {self._path}, no mark of lines left out, and is not called a change"
        )
        is_meant = self._label.how is Naming.SENTENCE or lead.says_place(self._label.above)
        return self._spoken_of(left) if is_meant else left

    def _spoken_of(self, left: Unplaced) -> Unplaced:
        """Return code with the edit that it may be of the file that the sentence above it only speaks of."""
        fence, is_code = self._fence, self._label.kind in (FenceKind.CODE, FenceKind.TEXT)
        if self._is_sample or not is_code or not fence.closed or fence.nested is not None:
            return left
        above = self._label.above
        is_asked = lead.is_change(above) or lead.is_placed(above) or lead.is_missed(above)
        words = above if is_asked or lead.says_place(above) else ""
        words = lead.with_place(words, self._label.below)
        edit = replace(self._part(), path="", doubt=self._doubt, lead=words, is_aside=lead.is_offer(above))
        return replace(left, edit=edit, paths=(self._path,))

    def _part(self) -> Edit:
        return Edit(
            path=self._path,
            operation=Operation.MERGE,
            replace=code_of(self._source, self._fence),
            may_be_cut_off=is_last(self._source, self._fence),
            format=Format.LAZY,
            span=self._source.span(self._fence.first, self._fence.end),
            lead=lead.with_place(self._label.above, self._label.below),
        )

    def _no_edit(self, why: str) -> Unplaced:
        return _unplaced(self._source, self._fence, self._label, why)

    def _fault(self) -> tuple[str, int]:
        fence = self._fence
        if not fence.closed:
            return "the file is cut off; the end of its fence was expected", fence.last - 1
        if fence.nested is not None:
            return (
                "a fence opens inside the file's content; a longer fence was expected around it",
                fence.nested,
            )
        if self._left_out is not None:
            return "parts of the file are left out here; the complete content was expected", self._left_out
        return "", fence.first

    def _content(self) -> str:
        at = self._label.in_comment
        is_label = at is not None and _LABEL.match(self._source.bare(at))
        return code_of(self._source, self._fence, at if is_label else None)


def _wanted_file(source: AnswerText, fence: Fence, label: FenceLabel) -> Item | Unplaced:
    """Return the whole file that a fence holds where nothing else is wanted: a path is enough."""
    if label.kind in (FenceKind.CITATION, FenceKind.DIFF) or not is_path(label.path):
        return _unplaced(source, fence, label, _no_code(source, fence, label) or "no path names its file")
    fault, at = _ShownFence(source, fence, label, label.path, only_parts=False)._fault()
    if fault:
        return source.malformed(
            fault, fence.first, fence.end, at=at, path=label.path, origin=Format.WHOLE_FILE
        )
    return Edit(
        path=label.path,
        operation=Operation.WRITE,
        content=code_of(source, fence, label.in_comment),
        format=Format.WHOLE_FILE,
        span=source.span(fence.first, fence.end),
    )


def _no_code(source: AnswerText, fence: Fence, label: FenceLabel) -> str:
    """Return why a fence is no code of a file, whatever is named for it."""
    if label.kind is FenceKind.CITATION:
        return "it cites lines of a file"
    if label.kind is FenceKind.DIFF:
        return "it looks like a diff, and no file is named for it; write its path on the line above"
    if label.kind is FenceKind.OUTPUT:
        return "it is what a program prints"
    if label.kind is FenceKind.COMMANDS:
        return "it holds commands, which are never run"
    if holds_signed_lines(source, fence):
        return "its lines begin with signs, and no file is named for them; write its path on the line above"
    if fence.last - fence.first > _MOST_LINES:
        return "it is too long"
    inside = min(fence.first + 1, len(source.lines)), min(fence.last, len(source.lines))
    if EDITS.search(source.text, source.starts[inside[0]], source.starts[inside[1]]):
        return "it holds edits of another format"
    return ""


def _to_be_removed(source: AnswerText, fence: Fence, label: FenceLabel) -> str:
    """Return why a fence is no edit that shows what the sentence above it asks to remove."""
    name = lead.removed(label.above)
    if name is None:
        return ""
    if name and name not in " ".join(_lines(source, fence)):
        return ""
    return (
        "it is to be removed, which code alone does not say; send it as a search text that nothing replaces"
    )


def _unplaced(source: AnswerText, fence: Fence, label: FenceLabel, why: str) -> Unplaced:
    lines = _lines(source, fence)
    is_code = label.kind in (FenceKind.CODE, FenceKind.TEXT)
    whole = fence.closed and fence.nested is None and any(map(str.strip, lines))
    edit = None
    if whole and is_code and not label.is_example and not (label.path and label.how):
        edit = Edit(
            path="",
            operation=Operation.MERGE,
            replace=code_of(source, fence, label.in_comment),
            may_be_cut_off=is_last(source, fence),
            format=Format.LAZY,
            span=source.span(fence.first, fence.end),
            doubt="It is no code." if label.kind is FenceKind.TEXT and label.language else "",
            lead=lead.with_place(label.above, label.below),
            is_aside=lead.is_offer(label.above),
        )
    elif whole and label.kind is FenceKind.DIFF and not label.path and not label.is_example:
        edit = _hunk_alone(source, fence, lines)
    return Unplaced(
        message=f"{_taken_for(lines, label)}: {why}",
        span=source.span(fence.first, fence.end),
        line=fence.first + 1,
        edit=edit,
        paths=label.paths if len(label.paths) > 1 else (),
        suffix=suffix_of(label.language),
        is_change=label.is_change or is_first(source, fence),
        is_needed=edit is not None and lines[0].startswith(_HUNK),
        is_aside=lead.is_offer(label.above) or reading(lead.last_sentence(label.above)).has("maybe"),
    )


def _hunk_alone(source: AnswerText, fence: Fence, lines: list[str]) -> Edit | None:
    """Return the edit of a diff that has one hunk, and no file; `None` for any other."""
    lines = lines[1:] if lines[0].startswith(_HUNK) else lines
    if lines[0].startswith(("--- ", "+++ ")) or any(line[:1] not in _SIGNS for line in lines):
        return None
    while not lines[-1].strip():
        lines = lines[:-1]
    old, new = (
        "".join(f"{line[1:]}\n" for line in lines if line[:1] not in ("\\", other)) for other in _CHANGED
    )
    is_diff_of_diff = all(line[1:2] in _CHANGED for line in lines if line[:1] in _CHANGED)
    if not old.strip() or old == new or is_diff_of_diff:
        return None
    return Edit(
        path="",
        search=old,
        replace=new,
        format=Format.UNIFIED_DIFF,
        span=source.span(fence.first, fence.end),
    )


def _taken_for(lines: list[str], label: FenceLabel) -> str:
    """Return what a fence looks like, as the beginning of a sentence."""
    if label.kind is FenceKind.CODE:
        syntaxes = syntaxes_of(f"x.{suffix_of(label.language)}")
        names = [name for line in lines if syntaxes and (name := header_name(line, syntaxes[0])[0])]
        if names:
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            return f"this shows {', '.join(names[:_MOST_NAMES])}{more}"
    return "this is some code" if label.kind is FenceKind.CODE else "this is no code"


def _lines(source: AnswerText, fence: Fence) -> list[str]:
    return [source.lines[number].rstrip("\r\n") for number in range(fence.first + 1, fence.last)]


def _left_out_at(source: AnswerText, fence: Fence, path: str) -> int | None:
    """Return the line of a fence that says that lines are left out there, if there is one."""
    is_python = path.endswith((".py", ".pyi"))
    above = ""
    for number in range(fence.first + 1, fence.last):
        words = source.bare(number)
        is_body = is_python and words == "..." and above.endswith(":")
        if words and not is_body and (LEFT_OUT.match(words) or is_mark(words)):
            return number
        above = words or above
    return None
