"""A fence that shows a file: the whole of it, or the definitions that change, or something else.

What the text says of a fence decides whether it is meant as an edit, and of which file. Whether it is all of
a file that exists, or a part of it, is seen when it is held against the file.
"""

from __future__ import annotations

import re
from functools import cached_property

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Malformed, Operation, Side, Target, TargetKind, Unplaced
from patchpoint.formats.blocks.fence_label import FenceLabel, code_of, label_of, suffix_of
from patchpoint.formats.blocks.lead import lead_of
from patchpoint.formats.blocks.pair import EDITS, pair_in_fence
from patchpoint.formats.blocks.suggestion import read_suggestion
from patchpoint.formats.fences import Fence, FenceKind, holds_signed_lines, is_first, is_last
from patchpoint.formats.labels import Naming, named_last_above, which_file
from patchpoint.formats.path_forms import is_path
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import sentence_spans
from patchpoint.formats.source import AnswerText, Item
from patchpoint.structure.imports import are_imports
from patchpoint.structure.languages import is_json
from patchpoint.structure.lazy.marks import is_left_out, is_mark
from patchpoint.structure.lazy.outline.headers import header_name, shows_definition
from patchpoint.structure.lazy.syntax import syntaxes_of, syntaxes_within
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_DOTS = ("...", "…", '"...', '"…')
"""What the lines begin with that are no comment, and say that lines are left out."""
_LABEL = regex(r"\W*(?:file\s?path|file\s?name|file|path)\s*[:=]", re.IGNORECASE)
_DOCUMENTS = (".md", ".markdown")
_DOCUMENT_FENCES = ("", "md", "markdown", "mdx", "text", "txt", "plaintext")
"""What a fence with a part of a document is called; any other one has a sample of code for it."""
_OTHER_THAN_IS = "It is described as existing code, but its file has other lines."
_LEAST_LINES = 2
"""With a mark, so many other lines have to be shown."""
_MOST_LINES = 20_000
_MOST_NAMES = 3
_EXAMPLE = "it is called an example, or the code as it was or is"
_REMOVAL = (
    "it is to be removed, which code alone does not say; send it as a search text that nothing replaces"
)
_NO_CODE = {
    FenceKind.CITATION: "it cites lines of a file",
    FenceKind.DIFF: "it looks like a diff, and no file is named for it; write its path on the line above",
    FenceKind.OUTPUT: "it is what a program prints",
    FenceKind.COMMANDS: "it holds commands, which are never run",
}
"""Why a fence of some kinds is no code of a file, whatever is named for it."""
_CHANGED = ("+", "-")
_CALLED_NEW = regex(
    r"(?i)[(（](?:new|new file|neu|neue datei|nouveau|nuevo|novo|новый|新建|新規|新文件)[)）]"
)
_HUNK = "@@"
_SIGNS = ("", " ", "\\", *_CHANGED)
"""What lines of a diff begin with, blank ones with nothing."""


def read_shown(scan: TextScan, fence: Fence, lower_bound: int, known_path: str = "") -> Item | Unplaced:
    """Return the edit that a fence shows, what is wrong with it, or why it is not taken for one.

    No label is looked for before `lower_bound`; `known_path` is the file of code that names none.
    """
    return scan.source.once(_read, fence, lower_bound, known_path, scan.wanted)


def is_lazy(source: AnswerText, fence: Fence, path: str) -> bool:
    """Return whether a fence shows code of the file at `path` by definitions, or by lines and a mark."""
    syntaxes = (*syntaxes_of(path), *syntaxes_within(path))
    if not fence.closed or fence.nested is not None or not path:
        return False
    lines = [line.rstrip("\r\n") for line in source.lines[fence.first + 1 : fence.last]]
    if any(shows_definition(lines, syntax) for syntax in syntaxes):
        return True
    marks = sum(map(is_left_out if is_json(path) else is_mark, lines))
    return bool(marks) and sum(bool(line.strip()) for line in lines) - marks >= _LEAST_LINES


def _read(
    source: AnswerText, fence: Fence, lower_bound: int, known_path: str, wanted: Format | None
) -> Item | Unplaced:
    label = label_of(source, fence, lower_bound)
    path = label.path or ("" if label.paths else known_path)
    shown = _ShownFence(source, fence, label, path, only_parts=wanted is Format.LAZY)
    if wanted is Format.WHOLE_FILE:
        return shown.wanted_file()
    if label.language == "suggestion":
        return read_suggestion(source, fence, label, lower_bound, known_path)
    return shown.item()


class _ShownFence:
    """One fence, and the file that it may show code of."""

    def __init__(
        self, source: AnswerText, fence: Fence, label: FenceLabel, path: str, *, only_parts: bool
    ) -> None:
        self._source, self._fence, self._label, self._path = source, fence, label, path
        self._only_parts = only_parts
        self._lead = label.lead
        self._is_document = path.lower().endswith(_DOCUMENTS)
        self._is_sample = self._is_document and label.language not in _DOCUMENT_FENCES and not label.is_put
        self._span = source.span(fence.first, fence.end)
        self._lines = [line.rstrip("\r\n") for line in source.lines[fence.first + 1 : fence.last]]
        self._is_intact = fence.closed and fence.nested is None
        self._may_be_code = label.kind in (FenceKind.CODE, FenceKind.TEXT)

    @cached_property
    def _is_lazy(self) -> bool:
        return is_lazy(self._source, self._fence, self._path)

    @property
    def _may_be_change(self) -> bool:
        """Whether code that is called an example may be the change: what its file has of it tells."""
        label = self._label
        return label.may_be_change or (
            label.may_be_abridged and self._may_be_code and any(is_mark(line) for line in self._lines)
        )

    def item(self) -> Item | Unplaced:
        """Return the edit, what is wrong with it, or why it is none."""
        label, path = self._label, self._path
        why = self._why_no_code()
        if label.kind is FenceKind.DIFF and label.in_comment is not None and path and self._is_intact:
            below = self._lines[label.in_comment - self._fence.first :]
            hunk = _hunk_alone(below, self._span) if any(below) else None
            if hunk is not None:
                return replace(hunk, path=path, doubt=self._doubt)
        if why:
            return self._no_edit(why)
        is_called_old = label.is_example or self._lead.is_whole or self._lead.is_new
        pair = None if is_called_old else pair_in_fence(self._source, self._fence, path)
        if pair is not None and path:
            return pair
        if self._is_to_be_removed():
            return self._removal()
        if path:
            return self._of_path()
        missing = _EXAMPLE if label.is_example else "no path names its file; write it on the line above"
        left = self._no_edit(which_file(label.paths, "", missing)[1])
        if label.is_example and label.tells_what_is:
            self._path = next(iter(named_last_above(self._source, self._fence.first)), "")
            left = replace(left, quoted=self._quoted()) if self._is_lazy else left
        return left if pair is None else replace(left, edit=pair)

    def wanted_file(self) -> Item | Unplaced:
        """Return the whole file that the fence holds where nothing else is wanted: a path is enough."""
        label = self._label
        if label.kind in (FenceKind.CITATION, FenceKind.DIFF) or not is_path(label.path):
            return self._no_edit(self._why_no_code() or "no path names its file")
        content = code_of(self._source, self._fence, label.in_comment)
        edit = Edit(path=label.path, operation=Operation.WRITE, content=content, span=self._span)
        return self._fault() or replace(edit, format=Format.WHOLE_FILE)

    def _of_path(self) -> Item | Unplaced:
        """Return what is read from code of a file that is known."""
        label = self._label
        # a path on the fence itself, below a paragraph that does not lead to it
        is_own = label.how is Naming.ON_FENCE and self._lead.above.endswith(".")
        if label.is_example and not (is_own and not self._lead.last.has("sample old current")):
            left = self._no_edit(_EXAMPLE)
            if self._may_be_change:
                return self._spoken_of(left)
            is_quoted = label.tells_what_is and self._is_lazy and label.how is not None
            quoted = self._quoted() if is_quoted else None
            if quoted is not None and quoted.doubt and label.how is not Naming.SENTENCE:
                return quoted
            return replace(left, quoted=quoted)
        is_certain = self._is_certain()
        is_label = label.how in (Naming.ALONE, Naming.ON_FENCE)
        if not (is_certain or is_label or self._lead.is_change or self._is_called_new):
            why = (
                f"{self._path} is spoken of above it, but not that it changes; write the path alone above it"
            )
            return self._spoken_of(self._no_edit(why))
        item = self._of_its_kind()
        if is_certain or not isinstance(item, Edit):
            return item
        return replace(item, doubt=self._doubt, is_aside=self._lead.is_offer)

    def _quoted(self) -> Edit:
        """Return code that is called what its file has; in doubt where it may be the change."""
        return replace(self._part(), doubt="" if self._lead.is_of_what_is else _OTHER_THAN_IS)

    @cached_property
    def _is_called_new(self) -> bool:
        """Whether *(new)* is behind its path."""
        words = self._label.heading if self._label.how is Naming.HEADING else self._lead.above
        return _CALLED_NEW.search(words) is not None

    def _is_certain(self) -> bool:
        """Return whether no word that is not understood is where the file is named."""
        how = self._label.how
        if self._lead.is_doubtful:
            return False
        if how is Naming.ON_FENCE:
            remark, lead = self._label.remark, self._lead
            is_known = lead.is_certain or lead.is_label or (lead.is_change and not lead.last.has("old"))
            is_said = self._path in lead.above and not is_known
            return not is_said and (remark is None or (remark.is_label and not remark.last.has("old")))
        if how is Naming.SENTENCE:
            return self._lead.is_certain
        if how is Naming.HEADING and self._path in self._label.heading:
            return lead_of(self._label.heading).is_label
        return how is not Naming.ALONE or self._lead.is_label

    @property
    def _doubt(self) -> str:
        return f"Only what is said above it names {self._path}."

    def _of_its_kind(self) -> Item | Unplaced:
        """Return the file that the fence holds, or the part of it that it shows."""
        label, how, lead = self._label, self._label.how, self._lead
        if self._is_sample:
            return self._no_edit(f"it is {label.language} code, and {self._path} is a document")
        if label.kind is FenceKind.TEXT and syntaxes_of(self._path) and not self._is_document:
            return self._no_edit(f"it is no code, as {self._path} is")
        if how is None:
            why = f"it shows no definition of {self._path}, and no mark of lines left out"
            return self._part() if self._is_lazy else self._no_edit(why)
        is_whole = label.is_whole and how is not Naming.HEADING
        is_new = self._is_called_new or (lead.is_new and how is not Naming.HEADING)
        is_file = is_whole or is_new or how in (Naming.ON_FENCE, Naming.ALONE)
        if how is Naming.SENTENCE:
            is_file = is_file or lead.is_handed_over
        elif how is Naming.HEADING and self._path in label.heading:
            is_file = self._is_lazy or lead.is_change or is_new
        if self._only_parts or not is_file:
            return self._mentioned()
        fault = self._fault()
        if fault:
            return self._part() if self._is_lazy else fault
        at = label.in_comment
        is_label = at is not None and _LABEL.match(self._source.bare(at))
        return replace(
            self._part(),
            operation=Operation.WRITE if is_whole else Operation.CREATE,
            replace="",
            content=code_of(self._source, self._fence, at if is_label else None),
            may_be_part=is_whole or not is_new,
            path_inside=label.path_inside,
            format=Format.WHOLE_FILE,
        )

    def _mentioned(self) -> Item | Unplaced:
        """Return what code becomes whose file is only spoken of, and not handed over."""
        how = self._label.how
        fault = self._fence.fault("it")
        if fault:
            return self._no_edit(fault)
        if self._is_lazy or (self._lead.is_change and how is Naming.SENTENCE):
            return self._part()
        is_alone = not self._lead.last.words or self._lead.above.startswith(("```", "~~~"))
        if how is Naming.HEADING and is_alone:
            return replace(self._part(), doubt=self._doubt)
        left = self._no_edit(
            f"it shows no definition of {self._path}, no mark of lines left out, and is not called a change"
        )
        is_placed = self._lead.says_place or (self._lead.is_asked and are_imports(self._lines, self._path))
        is_meant = how is Naming.SENTENCE or is_placed or self._lead.begins_with_change
        is_meant |= self._lead.is_instead
        # right below other code, it is what the heading of both asks for
        is_second = how is Naming.HEADING and self._lead.above.startswith(("```", "~~~"))
        is_meant |= is_second and lead_of(self._label.section).last.has("change do")
        spoken_of = self._spoken_of(left)
        return replace(spoken_of, is_between=not is_meant and spoken_of.edit is not None)

    def _spoken_of(self, left: Unplaced) -> Unplaced:
        """Return code with the edit that it may be of the file that the sentence above it only speaks of."""
        if self._is_sample or not self._may_be_code or not self._is_intact:
            return left
        lead = self._lead
        is_asked = lead.is_asked or lead.says_place or lead.last.has("remove needless")
        words = self._label.words if is_asked else ""
        edit = replace(self._part(), path="", doubt=self._doubt, lead=words, is_aside=self._lead.is_offer)
        return replace(left, edit=edit, paths=(self._path,))

    def _part(self) -> Edit:
        return Edit(
            path=self._path,
            operation=Operation.MERGE,
            replace=code_of(self._source, self._fence),
            may_be_cut_off=is_last(self._source, self._fence),
            format=Format.LAZY,
            span=self._span,
            lead=self._label.words,
            above=self._label.words,
            tail=self._tail(),
        )

    def _tail(self) -> str:
        """Return the first sentence of the paragraph right below the fence."""
        source, row = self._source, self._fence.end
        text = source.bare(row) or source.bare(row + 1)
        return next((text[start:end] for start, end in sentence_spans(text) if text[0].isalnum()), "")

    def _is_to_be_removed(self) -> bool:
        """Return whether the sentence above it asks to remove what it shows."""
        name = self._lead.removed
        return name is not None and name in " ".join(self._lines)

    def _removal(self) -> Item | Unplaced:
        if not self._is_intact:
            return replace(self._no_edit(_REMOVAL), edit=None, is_needed=True)
        edit = Edit(
            path=self._path,
            search=code_of(self._source, self._fence, self._label.in_comment),
            doubt="The answer asks to remove it.",
            format=Format.PAIR,
            span=self._span,
        )
        name = self._lead.removed
        if not self._path:
            return replace(self._no_edit(_REMOVAL), edit=edit, is_needed=True)
        if not name or all(header_name(self._lines[0], each)[0] != name for each in syntaxes_of(self._path)):
            return edit
        # a definition goes with the blank lines that part it from others
        target = Target(TargetKind.DEFINITION, name, Side.DELETED)
        return replace(edit, operation=Operation.PLACE, search=name, target=target)

    def _why_no_code(self) -> str:
        """Return why the fence is no code of a file, whatever is named for it."""
        if self._label.kind in _NO_CODE:
            return _NO_CODE[self._label.kind]
        if holds_signed_lines(self._source, self._fence):
            return (
                "its lines begin with signs, and no file is named for them; write its path on the line above"
            )
        if len(self._lines) > _MOST_LINES:
            return "it is too long"
        return "it holds edits of another format" if EDITS.search("\n".join(self._lines)) else ""

    @property
    def _is_asked(self) -> bool:
        """Whether the sentence above it begins by asking for it, and names something."""
        lead = self._lead
        is_asked = lead.begins_with_change and lead.last.has("code name path thing") and not lead.is_offer
        # whether imports are missing is seen by what uses them
        is_import = are_imports(self._lines, self._path or f"x.{suffix_of(self._label.language)}")
        return self._may_be_code and is_asked and not is_import

    def _no_edit(self, why: str) -> Unplaced:
        """Return the fence as none, with the edit that it would be of the file that is meant."""
        label, fence, lines = self._label, self._fence, self._lines
        edit = None
        is_use = label.is_example and self._may_be_change
        may_be_edit = self._is_intact and any(map(str.strip, lines)) and (is_use or not label.is_example)
        if may_be_edit and self._may_be_code and not (label.path and label.how):
            edit = replace(
                self._part(),
                path="",
                replace=code_of(self._source, fence, label.in_comment),
                doubt="It is no code." if label.kind is FenceKind.TEXT and label.language else "",
                is_aside=self._lead.is_offer,
            )
        elif may_be_edit and label.kind is FenceKind.DIFF and not label.path:
            edit = _hunk_alone(lines, self._span)
        return Unplaced(
            message=f"{_taken_for(lines, label)}: {why}",
            span=self._span,
            line=fence.first + 1,
            edit=edit,
            code=code_of(self._source, fence) if self._is_intact else "",
            paths=label.paths if len(label.paths) > 1 else (),
            suffix=suffix_of(label.language),
            language=label.language,
            is_change=self._lead.is_change or is_first(self._source, fence),
            is_use=is_use,
            is_unsure=is_use and not label.may_be_change,
            is_needed=may_be_edit
            and not is_use
            and (self._is_asked or (edit is not None and lines[0].startswith(_HUNK))),
            is_code=label.kind is FenceKind.CODE or edit is not None,
            is_aside=self._lead.is_offer or self._lead.last.has("maybe"),
        )

    def _fault(self) -> Malformed | None:
        """Return what keeps the fence from being a whole file."""
        fence, message, at = self._fence, self._fence.fault("the file"), self._fence.nested
        if not message:
            message = "parts of the file are left out here; the complete content was expected"
            at = _left_out_at(self._source, fence, self._path)
            if at is None:
                return None
        at = at if fence.closed else fence.last - 1
        path, origin = self._path, Format.WHOLE_FILE
        return self._source.malformed(message, fence.first, fence.end, at=at, path=path, origin=origin)


def _hunk_alone(lines: list[str], span: Span) -> Edit | None:
    """Return the edit of a diff that has one hunk, and no file; `None` for any other."""
    lines = lines[1:] if lines[0].startswith(_HUNK) else lines
    if not lines or lines[0].startswith(("--- ", "+++ ")) or any(line[:1] not in _SIGNS for line in lines):
        return None
    while not lines[-1].strip():
        lines = lines[:-1]
    old, new = (
        "".join(f"{line[1:]}\n" for line in lines if line[:1] not in ("\\", other)) for other in _CHANGED
    )
    is_diff_of_diff = all(line[1:2] in _CHANGED for line in lines if line[:1] in _CHANGED)
    if not old.strip() or old == new or is_diff_of_diff:
        return None
    return Edit(path="", search=old, replace=new, format=Format.UNIFIED_DIFF, span=span)


def _taken_for(lines: list[str], label: FenceLabel) -> str:
    """Return what a fence looks like, as the beginning of a sentence."""
    if label.kind is not FenceKind.CODE:
        return "this is no code"
    syntaxes = syntaxes_of(f"x.{suffix_of(label.language)}")[:1]
    names = [name for line in lines for syntax in syntaxes if (name := header_name(line, syntax)[0])]
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"this shows {', '.join(names[:_MOST_NAMES])}{more}" if names else "this is some code"


def _left_out_at(source: AnswerText, fence: Fence, path: str) -> int | None:
    """Return the line of a fence that says that lines are left out there, if there is one."""
    is_python = path.endswith((".py", ".pyi"))
    above = ""
    for number in range(fence.first + 1, fence.last):
        words = source.bare(number)
        is_body = is_python and words == "..." and above.endswith(":")
        if words and not is_body and (words.startswith(_DOTS) or is_left_out(words)):
            return number
        above = words or above
    return None
