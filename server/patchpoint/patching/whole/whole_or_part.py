"""What shows a file: whether it is all of the file, and written whole, or a part that is merged into it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.edit import FENCED, Format, Operation
from patchpoint.locate.effort import HELD
from patchpoint.locate.source import SourceText, plain
from patchpoint.outcome import Outcome, Reason
from patchpoint.patching.left_out import LEFT_OUT, mark_of_its_own
from patchpoint.patching.merging.minimal_splices import matched
from patchpoint.patching.proposal import proposed
from patchpoint.patching.reasons import refusal
from patchpoint.structure.languages import is_json
from patchpoint.structure.parse import TextBefore
from patchpoint.text.line_endings import endings_of, with_ending
from patchpoint.text.lines import plain_lines
from patchpoint.text.regex import regex
from patchpoint.text.splice import Splice

if TYPE_CHECKING:
    from patchpoint.edit import Edit
    from patchpoint.locate.effort import Effort
    from patchpoint.patching.whole.extent import Extent

FRAGMENT = (
    "This is only part of {file}, and it does not say what it replaces; send the whole file, the "
    "definitions that change, or a search text with a replacement."
)
AS_PART = "It shows most of the file; what it does not show stays."

_MOST_LOST = 4
_HEAD = 2
_FEW = 3
_BEGINS = regex(
    r"(?:import|from|package|use|using|require|include|module|mod|namespace|library|extern)\b|#!|<\?php"
    r"|(?:const|let|var|local)\s+.{1,80}=\s*(?:await\s+)?(?:require|import)\b|#include|['\"]use strict"
)
_OF_TESTS = regex(r"(?i)(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)")
_COMMENTS = ("# ", "//", "/*", "*", "--", "<!--")
_MISSING = "{file} does not exist; it would be created."
_NAMES = ("path", "code", "name")
"""What a word is that names something."""
_OF_THE_FILE = "new will with becomes file of_file this all current gives fill"
"""What else is said where all of a file is replaced; other words are of a part of it."""
_WHOLE = (Operation.CREATE, Operation.WRITE)
_LOSES = (
    "Written as the whole file, this would remove {what} from {file}; show them, put a mark such as `... "
    "existing code ...` in their place, or set the format to wholeFile."
)
_CALLED_WHOLE = "The answer calls this the whole file, and every definition of the file is in it."
_IN_ITS_PLACE = "The answer puts this in the place of the file."
_RENAMES = "`{name}` is not shown, and another definition is new."
_DROPPED = "`{name}` is not shown, and would go."
_GONE = "`{line}` is not shown, and would go: {count} lines outside of functions."
_LIKE_ALL = "It begins and ends as the file does."
_PART_GONE = "`{line}` would go."
_STOPS = "This part of {file} may be cut off: it ends with `{line}`; send it to its end."
_BREAKS = "Written as the whole file, this would break {file}: {problem}; send the file as it should be."


def held_against_file(edit: Edit, text: str | None, effort: Effort) -> Edit | Outcome:
    """Return the edit that shows a file as what it is for the `text` of that file, or why it is refused.

    What is all of the file is written whole, and what is a part of it is merged into it. An edit that shows
    no file is returned as it is; so is one whose file does not exist. What would be written whole and is in
    doubt is a proposal.
    """
    is_all = edit.operation is Operation.WRITE and edit.format not in FENCED and not edit.may_be_part
    mark = mark_of_its_own(edit.content or "", "", text) if text and is_all else ""
    if mark:
        return refusal(Reason.NOT_WHOLE, edit.path, why=LEFT_OUT.format(mark=mark))
    # what a program asks to write is what it has: it may well be a file that does not parse yet
    is_shown = edit.format is not Format.REQUEST and not edit.may_be_part
    is_all = edit.operation is Operation.WRITE and is_shown
    less = _less_than_all(edit, text) if text and is_all and not effort.is_spent else None
    if less is not None:
        return less
    if edit.doubt and edit.operation is Operation.CREATE:
        edit = replace(edit, may_be_part=True)  # what is created may be something in the file
    if text is None and edit.format is Format.LAZY and may_be_new(edit):
        return _offered(edit, "", edit.replace, edit.doubt or _MISSING.format(file=edit.path))
    if text is None and edit.operation is Operation.CREATE and _is_of_what_is_there(edit):
        return _offered(edit, "", edit.content or "", edit.doubt or _MISSING.format(file=edit.path))
    shown = _shown_as(edit, text, effort)
    if not edit.doubt or isinstance(shown, Outcome) or shown.operation not in _WHOLE:
        return shown
    from patchpoint.structure.lazy.syntax import syntaxes_of

    if edit.operation is Operation.MERGE and (syntaxes_of(edit.path) or is_json(edit.path)):
        return edit
    return _offered(edit, text or "", shown.content or "", edit.doubt)


def _less_than_all(edit: Edit, text: str) -> Outcome | None:
    """Return the proposal of a file in which remarks or stubs are in the place of code; `None` for any other.

    One that would break its file is refused.
    """
    from patchpoint.patching.shown.judged import lines_remarked
    from patchpoint.patching.shown.reading import Code

    content = edit.content or ""
    file, lines = plain_lines(plain(text)), plain_lines(plain(content))
    likely = lines_remarked(Code(file, lines, edit.path, edit.lead), lines)
    if likely is not None:
        return _offered(edit, text, "\n".join((*likely.merged.lines, "")), likely.why)
    problem = TextBefore(edit.path, text).problem_of(content)
    return not_whole(edit, _BREAKS, problem=str(problem)) if problem else None


def in_place_of_file(edit: Edit, text: str, content: str) -> Outcome | None:
    """Return the proposal to write all of a file: words say that and nothing else, or it looks like that."""
    from patchpoint.formats.sentences.sentence import readings, sentence_spans
    from patchpoint.patching.places.places_said import is_question, names_inside, says
    from patchpoint.structure.lazy.marks import is_mark

    file, shown = ([line for line in plain_lines(plain(each)) if line.strip()] for each in (text, content))
    name = re.escape(edit.path.rpartition("/")[2])
    lead = re.sub(rf"(?<![\w`/.-]){name}(?![\w`/-])", r"`\g<0>`", edit.lead)
    *_, (first, _) = ((0, 0), *sentence_spans(lead))
    said = readings(lead[first:])
    is_framed = len(file) > _MOST_LOST and (file[:_HEAD], file[-1:]) == (shown[:_HEAD], shown[-1:])
    named = [word.text.strip("`") for word in said[0].words if not word.kinds.isdisjoint(_NAMES)]
    is_like = not file or file[0].split()[:1] == "".join(shown[:1]).split()[:1]
    kinds = "replace whole new" if is_like else "replace whole"
    if (
        not shown
        or len(file) > 2 * len(shown)
        or any(map(is_mark, shown))
        or is_question(lead)
        or says(lead, "speaks not")
        or names_inside(lead[first:])
        or not all(f"/{edit.path}".endswith(f"/{each.removeprefix('./')}") for each in names_inside(lead))
        or TextBefore(edit.path, text).problem_of(content)
    ):
        return None
    is_of_it = all(edit.path.endswith(each.removeprefix("./")) for each in named)
    is_said = any(one.has(kinds) and one.is_made_of(f"{kinds} {_OF_THE_FILE}") for one in said)
    why = _LIKE_ALL if is_framed else _IN_ITS_PLACE if is_of_it and is_said else ""
    return _offered(edit, text, content, why) if why else None


def may_be_new(edit: Edit) -> bool:
    """Return whether code of a file that is not there leaves nothing out, and is to be created.

    Where that is only to be added, or is of tests, it has to begin as a file does. What is to be added to a
    file without a grammar, such as `.env`, is all of one that is not there.
    """
    from patchpoint.formats.sentences.sentence import reading
    from patchpoint.patching.places.places_said import denies, is_question, says
    from patchpoint.structure.lazy.marks import is_mark
    from patchpoint.structure.lazy.syntax import syntaxes_of

    lines = [line for line in plain_lines(plain(edit.replace)) if line.strip()]
    if not lines or any(map(is_mark, lines)) or is_question(edit.lead) or denies(edit.lead):
        return False
    is_created, is_added = reading(edit.lead).has("create"), says(edit.lead, "adds")
    if not (syntaxes_of(edit.path) or is_json(edit.path)):
        return is_created or is_added
    first = next((line for line in lines if not line.lstrip().startswith(_COMMENTS)), "")
    is_whole = is_created or (
        (is_added or _OF_TESTS.search(edit.path) is not None) and _BEGINS.match(first) is not None
    )
    return is_whole and len(lines) >= _FEW


def _is_of_what_is_there(edit: Edit) -> bool:
    """Return whether the words above a whole file change it, and neither create nor add it."""
    from patchpoint.formats.sentences.sentence import reading
    from patchpoint.patching.places.places_said import says

    lead = reading(edit.lead) if edit.may_be_part and edit.lead else None
    return lead is not None and lead.has("change") and not lead.has("create") and not says(edit.lead, "adds")


def written_whole(edit: Edit, content: str) -> Edit:
    """Return the edit that writes all of its file."""
    return replace(edit, operation=Operation.WRITE, content=content, replace="", may_be_part=False)


def not_whole(edit: Edit, why: str, **values: str) -> Outcome:
    """Return the refusal of what is not all of its file, for a reason that has `values`."""
    file = edit.path or "the text"
    return refusal(Reason.NOT_WHOLE, edit.path, why=why.format(file=file, **values))


def _shown_as(edit: Edit, text: str | None, effort: Effort) -> Edit | Outcome:
    """Return an edit as what it is for the text of its file, whether it is in doubt or not."""
    if text is None or not text.strip():
        return edit
    is_part = edit.operation is Operation.MERGE and edit.format is Format.LAZY
    if not (edit.may_be_part or is_part):
        return edit
    if effort.is_spent:
        return refusal(Reason.TOO_MUCH, edit.path)
    effort.spend(HELD * len(text))
    content = edit.replace if is_part else edit.content or ""
    from patchpoint.structure.lazy.marks import is_mark, without_path

    first, _, rest = content.partition("\n")
    if not without_path([first], plain_lines(plain(text)), edit.path):
        content = rest.lstrip("\r\n")
    from patchpoint.structure.keyed.units import with_recipe_tabs

    lines = plain_lines(plain(content))
    shown = with_recipe_tabs(lines, edit.path)
    if shown != lines:
        content = "\n".join(shown) + ("\n" if content.endswith("\n") else "")
    if plain(content) == plain(text):
        return written_whole(edit, content)
    if not any(map(str.strip, shown)):
        return edit
    if is_part and any(map(is_mark, shown)):
        return edit
    as_part = edit if is_part else replace(edit, operation=Operation.MERGE, replace=content, content=None)
    file = plain_lines(plain(text))
    is_called_whole = edit.operation is Operation.WRITE
    from patchpoint.structure.lazy.embedded import embedded_parts

    if embedded_parts(file, shown, edit.path):
        if is_called_whole:
            return not_whole(edit, FRAGMENT)
        return as_part
    from patchpoint.structure.lazy.syntax import syntaxes_of

    is_code = bool(syntaxes_of(edit.path))
    from patchpoint.patching.whole.extent import extent_of, is_enough
    from patchpoint.structure.imports import are_imports

    is_part_of_code = not is_enough(file, shown) or (
        are_imports(shown, edit.path) and (is_part or not are_imports(file, edit.path))
    )
    if not is_called_whole and (is_part or is_code) and is_part_of_code:
        return as_part
    extent = extent_of(file, shown, edit.path)
    if extent.is_most and not is_called_whole:
        from patchpoint.patching.places.places_said import places_said

        if places_said(edit.lead):
            return as_part  # what goes somewhere in its file is not all of it
    if is_called_whole or extent.is_most:
        problem = TextBefore(edit.path, text).problem_of(content)
        if problem is None and (extent.missing or extent.is_far_less or extent.is_cut):
            refused = loss(edit, extent)
            is_said = all(name in edit.lead for name in extent.lost)
            if not is_called_whole or (extent.missing and not is_said):
                return refused
            why = _DROPPED.format(name=extent.dropped) if extent.dropped else _CALLED_WHOLE
            return _offered(edit, text, content, why, refused)
        from patchpoint.structure.lazy.shown import stops_early

        if edit.may_be_cut_off and stops_early(file, shown):
            return not_whole(edit, _STOPS, line=next(filter(None, map(str.strip, reversed(shown)))))
        if problem is None:
            from patchpoint.patching.shown.judged import left_out, lines_remarked
            from patchpoint.patching.shown.reading import Code, Likely

            code = Code(file, shown, edit.path, edit.lead)
            likely = (lines_remarked if is_called_whole else left_out)(code, shown)
            if extent.dropped and likely is None and extent.dropped not in edit.lead:
                likely = Likely.of(shown, _DROPPED.format(name=extent.dropped))
            if likely is None:
                from patchpoint.structure.lazy.doubt.gone import lost_statements
                from patchpoint.structure.lazy.doubt.lost_parts import lost_part

                gone = lost_statements(file, shown, edit.path)
                likely = Likely.of(shown, _GONE.format(line=gone[0], count=len(gone))) if gone else None
                lost = lost_part(file, shown) if likely is None else ""
                likely = Likely.of(shown, _PART_GONE.format(line=lost)) if lost else likely
            if likely is None and (is_called_whole or not extent.lost or extent.has_nearly_all):
                return written_whole(edit, content)
            why = likely.why if likely is not None else _RENAMES.format(name=extent.lost[0])
            content = "\n".join((*likely.merged.lines, "")) if likely is not None else content
            return _offered(edit, text, content, why)
        if is_called_whole or not is_code:
            return not_whole(edit, _BREAKS, problem=str(problem))
    if extent.lacks_some:
        return replace(as_part, doubt=edit.doubt or AS_PART) if is_code else loss(edit, extent)
    if is_part or is_code:
        return as_part
    from patchpoint.structure.keyed.units import with_units

    if is_json(edit.path) or with_units(file, shown, edit.path) is not None:
        return replace(as_part, may_be_part=False)
    in_place = in_place_of_file(edit, text, content)
    if in_place is not None:
        return in_place
    if extent.kept >= extent.lines / 2 and (extent.missing or extent.gone):
        return loss(edit, extent)
    return not_whole(edit, FRAGMENT)


def _offered(edit: Edit, text: str, content: str, why: str, refused: Outcome | None = None) -> Outcome:
    """Return the proposal to write all of a file."""
    content = with_ending(content, endings_of(text).usual)
    splices = (Splice(0, len(text), content),)
    message = f"{edit.path or 'The text'} is written whole."
    made = matched(SourceText(text), edit.path, None, (0, len(text)), splices, message)
    return proposed(refused or refusal(Reason.ONLY_LIKELY, edit.path, why=why), edit, made, why)


def loss(edit: Edit, extent: Extent) -> Outcome:
    """Return the refusal of what would remove a part of a file if it were all of it."""
    if not extent.missing:
        what = f"{extent.gone} of {extent.lines} lines"
        return not_whole(edit, _LOSES, what=what)
    named = list(dict.fromkeys(extent.lost))
    names = ", ".join(named[:_MOST_LOST]) + (", ..." if len(named) > _MOST_LOST else "")
    what = f"{len(extent.lost)} of {extent.definitions} definitions ({names})"
    return not_whole(edit, _LOSES, what=what)
