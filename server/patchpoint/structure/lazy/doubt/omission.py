"""Whether lines that would be deleted may have been left out without a mark."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass, field
from patchpoint.structure.lazy.alignment import is_closing, likeness
from patchpoint.structure.lazy.definition import Definition, TwoTexts, is_comment
from patchpoint.structure.lazy.doubt.names_in_use import bound_names
from patchpoint.structure.lazy.marks import may_be_mark
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import DECORATOR, Syntax
from patchpoint.text.regex import IDENTIFIER, regex

_MOST_ALONE = 2
"""So many lines in a row are deleted without anything in their place; more may have been left out."""
_LONG = 5
_MUCH_LONGER = 6
"""A line is little in the place of so many."""
_LONGEST = 12
"""Nor are more than so many deleted for a line or two, whatever they define."""
_FILLER = regex(r"(?:pass|\.{3})\s*;?\s*(?:#.*)?\Z")
_SEVERAL = 2
_SIMILAR = 0.6
"""A comment so similar to a line is that line, commented out."""


@dataclass
class Stretch:
    """Lines of the file that are gone, and those in their place."""

    gone: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    near: list[str] = field(default_factory=list)
    """New lines that a single line of the file separates from it."""
    above: tuple[str, str] = ("", "")
    """The line right above, in the file and as shown."""
    below: tuple[str, str] = ("", "")

    @property
    def is_moved(self) -> bool:
        """Whether a line right above or below has another depth than before."""
        return any(old.rstrip() != new.rstrip() for old, new in (self.above, self.below))


Steps = Sequence[tuple[str | None, str | None]]
"""Lines of the file with the shown lines that take their place; both are `None` where a mark is."""


def may_omit(steps: Steps, syntax: Syntax) -> bool:
    """Return whether lines of a definition may have been left out without a mark.

    Lines that are gone with nothing in their place, next to lines that stay as they are, were hardly deleted
    by somebody who changed something else, nor for a comment alone. Of what is data, no line is.
    """
    shown = [new for _, new in steps if new is not None]
    bound = set(bound_names(shown))
    used = {name for line in shown for name in IDENTIFIER.findall(line)}
    for stretch in stretches(steps):
        gone, new = len(stretch.gone), len(stretch.new)
        if syntax.is_data and gone > new:
            return True
        if _says_nothing(stretch.gone, stretch.new, syntax.comments):
            return True
        if not gone or stretch.is_moved:
            continue
        names = set(bound_names(stretch.gone))
        is_used = any(name in used and name not in bound for name in names)
        if not new:
            if _is_lead(stretch, syntax):
                return True
            is_bound_again = not names.isdisjoint(bound_names(stretch.near))
            if (gone > _MOST_ALONE and not is_bound_again) or (gone > 1 and is_used):
                return True
        elif gone - new >= _LONG and gone >= _MUCH_LONGER * new and (is_used or not names or gone > _LONGEST):
            return True
    return False


def stretches(steps: Steps) -> list[Stretch]:
    """Return the stretches of lines that are not as they were."""
    found: list[Stretch] = []
    above = ("", "")
    same = 0
    is_open = False
    for old, new in steps:
        if old is None and new is None:
            above, same, is_open = ("", ""), 2, False
        elif old is not None and new is not None and old.strip() == new.strip():
            if is_open:
                found[-1].below = (old, new)
                same = 0
            above, same, is_open = (old, new), same + 1, False
        else:
            if not is_open:
                found.append(Stretch(above=above))
                if same == 1 and len(found) > 1:
                    found[-1].near = found[-2].new
            stretch = found[-1]
            stretch.gone += [old] if old is not None else []
            stretch.new += [new] if new is not None else []
            if same == 1 and len(found) > 1 and new is not None:
                found[-2].near = [*found[-2].near, new]
            is_open = True
    return found


def is_cut_off(texts: TwoTexts, own: Definition, rows: Sequence[int]) -> bool:
    """Return whether a mark that follows the shown lines `rows` may cover the rest of a definition's body."""
    if texts.shown.below(rows[-1] + 1) not in texts.shown.marks:
        return False
    body, given = (
        [words for words in map(text.words, lines) if not is_closing(words)]
        for text, lines in ((texts.file, texts.file.solid(own.start, own.end)), (texts.shown, rows))
    )
    return bool(body and given) and body[-1] != given[-1] and given[-1] in body[:-1]


def _is_lead(stretch: Stretch, syntax: Syntax) -> bool:
    """Return whether comments or decorators above the head of a definition are gone."""
    lead = all(is_comment(line, syntax.comments) or DECORATOR.match(line) for line in stretch.gone)
    return lead and bool(header_name(stretch.below[1], syntax)[0])


def _says_nothing(gone: Sequence[str], new: Sequence[str], comments: Sequence[str]) -> bool:
    """Return whether code is gone, and what is new in its place is nothing, or has what may be a mark."""
    code = [words for line in gone if not is_comment(words := line.strip(), comments)]
    if not code or not new:
        return False
    added = [line.strip() for line in new]
    if any(is_comment(words, comments) and may_be_mark(words) for words in added):
        return True
    if len(code) < _SEVERAL or not all(
        is_comment(words, comments) or _FILLER.match(words) for words in added
    ):
        return False
    return not any(likeness(words.lstrip("#/*- "), old) >= _SIMILAR for words in added for old in code)
