"""What shown lines likely mean by the blocks of lines that they and the file have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from patchpoint.dataclass import replace
from patchpoint.patching.left_out import lines_gone
from patchpoint.patching.places.called import QUOTED
from patchpoint.patching.places.places_said import says
from patchpoint.patching.shown.below_its_like import ranges_named
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.blocks.draft import depths, draft
from patchpoint.structure.blocks.names import called
from patchpoint.structure.blocks.tree import blocks_of, is_document
from patchpoint.structure.imports import (
    below_package,
    leading_imports,
    united,
    with_first_imports,
)
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.lines import Span
from patchpoint.text.regex import IDENTIFIER, WORD
from patchpoint.wording import plural

PAGES = (".html", ".htm", ".vue", ".svelte", ".xml")
"""Where several elements have one name."""
_MOST_GONE = 2
_FEW = 10
_LONG = 60


def by_blocks(code: Code) -> Likely | None:
    """Return the file with the blocks that code shows in place of its own, and new ones next to them."""
    if not code.is_change:
        return None
    code = _with_imports(code)
    made = draft(
        code.file,
        code.lines,
        code.path,
        _within(code),
        every=says(code.lead, "each"),
        adds=code.only_adds,
    )
    if made is None or len(made.gone) > _MOST_GONE * max(len(code.new), _FEW):
        return None
    if code.only_adds and not _keeps(code.file, made.lines):
        return None
    if not made.gone:
        return Likely.of(made.lines, "It changes what it shows of the file; what it leaves out stays.")
    first = made.gone[0] if len(made.gone[0]) <= _LONG else f"{made.gone[0][: _LONG - 1]}…"
    others = len(made.gone) - 1
    more = f" and {plural(others, 'more line')} of the file" if others else ""
    return Likely.of(made.lines, f"It is in place of `{first}`{more}.")


def with_what_marks_keep(code: Code, result: Sequence[str]) -> Likely | None:
    """Return a page or document by its blocks, where code with marks would lose what blocks keep.

    It becomes the `result` by what is known of its language. If that leaves brackets open, and nothing is
    known by its blocks, it is the file as it is.
    """
    is_page = code.path.lower().endswith(PAGES) or is_document(code.path)
    if not code.has_marks or not is_page:
        return None
    made, is_sound = by_blocks(code), depths(code.file) == depths(result)
    if made is None:
        return None if is_sound else Likely.of(code.file, "What it leaves out is not known.")
    kept = {line.strip() for line in made.merged.lines}
    return made if not is_sound or kept.intersection(lines_gone(code.file, result, code.path)) else None


def _with_imports(code: Code) -> Code:
    """Return code without the imports that it begins with, and those in its file.

    It is returned as it is where that is all, and where they are in a group, which is a block.
    """
    begin = below_package(code.lines, code.file)
    end = begin + leading_imports(code.lines[begin:], code.path)
    imports, rest = code.lines[begin:end], code.lines[end:]
    is_group = any(line.strip() == "import (" for line in imports)
    if not imports or is_group or all(is_mark(line) or not line.strip() for line in rest):
        return code
    file = united(code.file, imports, code.path) or with_first_imports(code.file, imports, code.path)
    return replace(code, file=file, lines=rest) if file is not None else code


def _keeps(file: Sequence[str], lines: Sequence[str]) -> bool:
    """Return whether each line of a file is in a result, or all its names are in a new line of that."""
    own, made = ({line.strip() for line in each if line.strip()} for each in (file, lines))
    new = [Counter(WORD.findall(line)) for line in made - own]
    return all(
        any(names <= each for each in new) for names in (Counter(WORD.findall(line)) for line in own - made)
    )


def _within(code: Code) -> list[Span]:
    """Return the rows of what the words above code name."""
    names = {name.strip("<>(). ") for name in QUOTED.findall(code.lead)}
    root = blocks_of(code.file, code.path) if names else None
    every = (each for each in (root.walk() if root is not None else ()) if each.parts and each.first >= 0)
    found = [
        (each.first, each.end)
        for each in every
        if not names.isdisjoint(((name := called(code.file, each).name), *IDENTIFIER.findall(name)))
    ]
    return found or ranges_named(code, code.lead)
