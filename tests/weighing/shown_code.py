"""Code that shows parts of a file, as models show what they changed, with what is right to become of it."""

from __future__ import annotations

import json
import lzma
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path, PurePath

from patchpoint import apply_edits
from patchpoint.edit import Edit, Format
from patchpoint.formats import parse_edits
from patchpoint.structure.imports import every_import
from patchpoint.structure.lazy.definition import Definition, Unmerged, UnmergedError, indentation_of
from patchpoint.structure.lazy.merge import merge_shown
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.structure.parse import TextBefore
from tests.locate.drifted_edits import reworded, text_of
from tests.weighing.cases import Judgement
from tests.weighing.recorded import CASES
from tests.weighing.sets import Wanted
from tests.weighing.sources import Source, sources

_MOST_MISSES = 200
_IMPORTS: Mapping[str, str] = {
    ".py": "import brandnew",
    ".rb": "require 'brandnew'",
    ".c": "#include <brandnew.h>",
    ".js": "import { brandnew } from 'brandnew';",
    ".ts": "import { brandnew } from 'brandnew';",
    ".java": "import brand.New;",
    ".cs": "using Brand.New;",
    ".rs": "use brand::new;",
    ".php": "use Brand\\New;",
    ".go": '\t"brand/new"',
}
"""An import that no source has, by the endings of files."""
_FIELDS: Mapping[str, str] = {
    ".py": "brand_new: int = 17",
    ".rb": "attr_reader :brand_new",
    ".js": "brandNew = 17;",
    ".ts": "private brandNew = 17;",
    ".java": "private int brandNew = 17;",
    ".cs": "private int brandNew = 17;",
    ".php": "private int $brandNew = 17;",
}
"""A field that no class has."""
_CONSTANTS: Mapping[str, str] = {
    ".py": "BRAND_NEW = 17",
    ".js": "const BRAND_NEW = 17;",
    ".ts": "const BRAND_NEW = 17;",
    ".c": "#define BRAND_NEW 17",
    ".rs": "const BRAND_NEW: usize = 17;",
    ".go": "const BrandNew = 17",
}
"""A constant that no source has."""
_CONSTANT = re.compile(r"(?:export )?(?:[A-Z_]+ = |const \w+(?:: \w+)? = |#define \w+ )\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCode:
    """An answer that shows code of one file, and the texts that are right to become of it.

    Blank lines are not looked at.
    """

    group: str = "shown"
    kind: str
    name: str
    path: str
    text: str
    answer: str
    right: tuple[str, ...] = ()
    """Without any, nothing may be written."""

    def judgement(self, after: str | None) -> Judgement:
        """Return what a text is worth that was written; `None` if nothing was."""
        if after is None or after == self.text:
            return Judgement.REFUSED
        return Judgement.RIGHT if _solid(after) in map(_solid, self.right) else Judgement.WRONG


@dataclass(frozen=True, slots=True)
class ShownWeighing:
    """What becomes of shown code unasked and with a yes, and for which reason it is not merged."""

    group: str
    kind: str
    name: str
    now: Judgement
    with_yes: Judgement
    reason: Unmerged | None
    """`None` for what is merged, though it may be doubted then."""


def shown_weighing(code: ShownCode) -> ShownWeighing:
    """Return what becomes of code that is shown."""
    now, with_yes = (
        code.judgement(apply_edits({code.path: code.text}, code.answer, accept=accept).files[code.path])
        for accept in ((), "all")
    )
    reason = _reason(code) if now is Judgement.REFUSED else None
    return ShownWeighing(code.group, code.kind, code.name, now, with_yes, reason)


def _reason(code: ShownCode) -> Unmerged | None:
    """Return why the first code that is shown of the file is not merged."""
    pieces = parse_edits(code.answer, Format.LAZY.value, path=code.path)
    shown = next((each.replace for each in pieces if isinstance(each, Edit) and each.path == code.path), "")
    try:
        merge_shown(code.text.splitlines(), shown.splitlines(), code.path)
    except UnmergedError as error:
        return error.reason
    return None


def shown_code(kind: str, count: int, seed: int = 0) -> Iterator[ShownCode]:
    """Yield up to `count` pieces of code that are shown in one way, a key of `SHOWN`."""
    chance = random.Random(f"{kind} {seed}")
    made = misses = 0
    while made < count and misses < _MOST_MISSES * count:
        for source in sources(chance):
            parts = _Parts.of(source, chance)
            code = SHOWN[kind](parts, chance) if parts is not None else None
            if code is None or TextBefore(source.path, "").problem_of("\n".join(code[1])) is not None:
                misses += 1
            elif made < count:
                made += 1
                shown, *right = code
                yield ShownCode(
                    kind=kind,
                    name=f"{source.path} {made}",
                    path=source.path,
                    text=text_of(list(source.lines)),
                    answer=f"{source.path}\n```\n{text_of(shown)}```\n",
                    right=tuple(map(text_of, right)),
                )


def recorded_answers(folder: Path = CASES) -> Iterator[ShownCode]:
    """Yield the answers with left out code that are recorded; none where they are not there."""
    path = folder / "lazy-dev.jsonl.xz"
    if not path.is_file():
        return
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for case in map(json.loads, lines):
            expect = case["expect"]
            yield ShownCode(
                group="lazy",
                kind=case["style"],
                name=case["id"],
                path=case["path"],
                text=case["before"],
                answer=case["answer"],
                right=() if expect.get("refuse") else (expect["after"],),
            )


def shown_weighings(names: Sequence[str], wanted: Wanted, jobs: int) -> list[ShownWeighing]:
    """Return the weighings of some sets of `SHOWN_SETS`, made by so many processes."""
    codes = [code for name in names for code in SHOWN_SETS[name](wanted)]
    if jobs == 1 or not codes:
        return list(map(shown_weighing, codes))
    with get_context("spawn").Pool(jobs) as pool:
        return pool.map(shown_weighing, codes, chunksize=16)


def _made(wanted: Wanted) -> Iterator[ShownCode]:
    for kind in SHOWN:
        yield from shown_code(kind, wanted.count, wanted.seed)


SHOWN_SETS: Mapping[str, Callable[[Wanted], Iterator[ShownCode]]] = {
    "shown": _made,
    "lazy": lambda wanted: recorded_answers(wanted.folder),
}


@dataclass(frozen=True, slots=True)
class _Parts:
    """A function of a source, and the class that it is in, with one of its lines changed."""

    source: Source
    root: Definition
    around: tuple[Definition, ...]
    """The classes around it, outermost first."""
    function: Definition
    row: int
    """Of the line that is changed."""
    new: str

    @classmethod
    def of(cls, source: Source, chance: random.Random) -> _Parts | None:
        """Return a function chosen by chance; `None` where the chosen one has no line to be changed."""
        root = outline_of_file(list(source.lines), source.path)[0].root
        functions = [each for each in root.members() if not each.is_container and each.end - each.start > 3]
        function = chance.choice(functions)
        rows = [row for row in range(function.start + 1, _end(source, function) - 1) if source.is_code(row)]
        if not rows:
            return None
        row = chance.choice(rows)
        new = reworded(source.lines[row], chance)
        around = tuple(each for each in root.around(function.start, function.end) if each.is_container)
        return cls(source, root, around, function, row, new) if new != source.lines[row] else None

    @property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return list(self.source.lines)

    @property
    def changed(self) -> list[str]:
        """The lines of the file with the changed one."""
        return [*self.lines[: self.row], self.new, *self.lines[self.row + 1 :]]

    @property
    def whole(self) -> list[str]:
        """The function with its changed line, and with what is above it as a comment or decorator."""
        return self.changed[self.function.lead : _end(self.source, self.function)]

    def within(self, members: Sequence[str]) -> list[str]:
        """Return members between the first line of each class around the function, and its last one."""
        heads = [line for each in self.around for line in self._head(each)]
        ends = [self.lines[_end(self.source, each) - 1] for each in self.around]
        closing = [line for line in reversed(ends) if line.strip() in ("}", "};", "end")]
        return [*heads, *members, *closing]

    def _head(self, definition: Definition) -> list[str]:
        """Return the first line of a class, and the one below it if that is nothing but a brace."""
        below = definition.start + 1
        return self.lines[definition.start : below + (self.lines[below].strip() == "{")]

    def mark(self, depth: str) -> str:
        """Return a mark for what is left out."""
        sign = {".py": "#", ".rb": "#"}.get(PurePath(self.source.path).suffix, "//")
        return f"{depth}{sign} ... existing code ..."


Lines = list[str]
_Shown = tuple[Lines, ...] | None
"""What is shown, and each text that is right to become of the file."""


def function_alone(parts: _Parts, chance: random.Random) -> _Shown:
    """Show a function as a whole, with one line changed."""
    return parts.whole, parts.changed


def comment_left_out(parts: _Parts, chance: random.Random) -> _Shown:
    """Show a function without the comment above it."""
    rows = range(parts.function.lead, parts.function.start)
    if not rows or not all(parts.source.is_comment(row) for row in rows):
        return None
    return parts.whole[len(rows) :], parts.changed


def within_class(parts: _Parts, chance: random.Random) -> _Shown:
    """Show a function in its class, the other members of which marks are for."""
    if not parts.around:
        return None
    mark = parts.mark(indentation_of(parts.lines[parts.function.start]))
    return parts.within([mark, "", *parts.whole, "", mark]), parts.changed


def members_left_out(parts: _Parts, chance: random.Random) -> _Shown:
    """Show two functions of a class, and nothing for what is between them."""
    if not parts.around:
        return None
    others = [
        each
        for each in parts.around[-1].children
        if each.end <= parts.function.lead and each.end - each.start > 3 and not each.is_container
    ]
    if not others:
        return None
    other = chance.choice(others)
    shown = [*parts.lines[other.lead : _end(parts.source, other)], "", *parts.whole]
    return parts.within(shown), parts.changed


def body_with_marks(parts: _Parts, chance: random.Random) -> _Shown:
    """Show the changed line with its neighbours, and marks for the rest of the function."""
    first, end = parts.function.start, _end(parts.source, parts.function)
    above, below = parts.row - chance.randint(1, 2), parts.row + 1 + chance.randint(1, 2)
    if above <= first + 1 or below >= end - 2:
        return None
    depth = indentation_of(parts.lines[first + 1])
    shown = [
        *parts.lines[first : first + 1],
        *(parts.mark(depth), *parts.changed[above:below], parts.mark(depth)),
        *(line for line in parts.lines[end - 1 : end] if line.strip() in ("}", "end")),
    ]
    return shown, parts.changed


def import_added(parts: _Parts, chance: random.Random) -> _Shown:
    """Show a new import, with some of the file's or none, and a function that is changed."""
    path = parts.source.path
    own = [(each.first, each.end) for each in every_import(parts.lines, path)]
    new = _IMPORTS[PurePath(path).suffix]
    if not own:
        return None
    kept = chance.sample(own, chance.randint(0, min(2, len(own))))
    above = [line for first, end in sorted(kept) for line in parts.lines[first:end]]
    above = [*above, new] if chance.random() < 0.5 else [new, *above]
    if path.endswith(".go"):
        above = ["import (", *above, ")"]
    rows = range(own[0][0], own[-1][1] + 1)
    right = [[*parts.changed[:row], new, *parts.changed[row:]] for row in rows]
    return ([*above, "", *parts.whole], *right)


def field_added(parts: _Parts, chance: random.Random) -> _Shown:
    """Show a new field of a class, a mark for the other members or none, and a function that is changed."""
    if not parts.around or parts.around[-1].children[0].lead <= parts.around[-1].start + 2:
        return None
    own = range(parts.around[-1].start + 1, parts.around[-1].children[0].lead)
    fields = [row for row in own if parts.source.is_code(row)]
    suffix = PurePath(parts.source.path).suffix
    if not fields or suffix not in _FIELDS:
        return None
    new = indentation_of(parts.lines[fields[0]]) + _FIELDS[suffix]
    mark = parts.mark(indentation_of(parts.lines[parts.function.start]))
    rows = range(own[0], own[-1] + 2)
    right = [[*parts.changed[:row], new, *parts.changed[row:]] for row in rows]
    above = [new, "", mark, ""] if chance.random() < 0.5 else [new, ""]
    return (parts.within([*above, *parts.whole, "", mark]), *right)


def function_added(parts: _Parts, chance: random.Random) -> _Shown:
    """Show a new function below one that is there as it is, with marks around both."""
    name = parts.function.name.rpartition(".")[2]
    function = parts.lines[parts.function.lead : _end(parts.source, parts.function)]
    new = [line.replace(name, f"{name}Again") for line in parts.whole]
    if not parts.around or function[-1].strip() == "" or len(name) < 3 or new == parts.whole:
        return None
    depth = indentation_of(parts.lines[parts.function.start])
    mark = parts.mark(depth)
    end = _end(parts.source, parts.function)
    right = [*parts.lines[:end], "", *new, *parts.lines[end:]]
    return parts.within([mark, "", *function, "", *new, "", mark]), right


def constant_above(parts: _Parts, chance: random.Random) -> _Shown:
    """Show another constant above a function, where the file has some of its own."""
    rows = [row for row, line in enumerate(parts.lines) if _CONSTANT.match(line)]
    suffix = PurePath(parts.source.path).suffix
    if not rows or suffix not in _CONSTANTS or parts.around:
        return None
    new = _CONSTANTS[suffix]
    places = [*range(rows[0], rows[-1] + 2), parts.function.lead]
    right = [[*parts.changed[:row], new, *parts.changed[row:]] for row in places]
    return ([new, "", *parts.whole], *right)


SHOWN: Mapping[str, Callable[[_Parts, random.Random], _Shown]] = {
    "function alone": function_alone,
    "comment left out": comment_left_out,
    "within its class": within_class,
    "members left out": members_left_out,
    "body with marks": body_with_marks,
    "import added": import_added,
    "field added": field_added,
    "function added": function_added,
    "constant above": constant_above,
}


def _end(source: Source, definition: Definition) -> int:
    """Return the line behind the last one of a definition that is not blank."""
    rows = range(definition.start, definition.end)
    return max(row + 1 for row in rows if source.lines[row].strip())


def _solid(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]
