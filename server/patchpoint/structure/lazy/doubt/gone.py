"""Lines of a file, in none of its functions, that are gone from a merge, or have others in their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from patchpoint.dataclass import dataclass, field
from patchpoint.structure.imports import has_order
from patchpoint.structure.lazy.alignment import Kind, Path, Step, Token, is_closing
from patchpoint.structure.lazy.definition import Definition, TwoTexts, UnmergedError, indentation_of
from patchpoint.structure.lazy.doubt.names_in_use import given_names
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.regex import regex

_SAYS_NOTHING = regex(r"\s*(?:#(?!\s*define)|//|/?\*|<!--|--|;|@|\[|(?:\w+\s+)?[\"'`])")
"""A comment, what decorates something, or an import of Go."""
_PACKAGE = regex(r"\s*(?:package|namespace)\s+[\w.\\]+\s*;?\Z")
_IMPORTS = regex(r"\s*(?:import|from|use|using|require|require_relative|#\s*include)\b|.*\brequire\(")


@dataclass
class Gone:
    """The lines that are gone, by their numbers."""

    deleted: list[int] = field(default_factory=list)
    changed: list[int] = field(default_factory=list)
    """Those that others have the place of."""
    _quiet: list[Token] = field(default_factory=list)

    def add(self, path: Path, file: Sequence[Token], *, may_go: bool) -> Path:
        """Take what is gone in a piece of a file, and return how the piece is read.

        A statement between lines that stay is done for its effects: nothing says that it is left out on
        purpose. Unless it `may_go`, it stays.
        """
        quiet = _quiet_in(path, file)
        if not may_go:
            path = [(Step.KEPT if i in quiet else step, i, j) for step, i, j in path]
        self._quiet += [file[i] for i in sorted(quiet)] if may_go else []
        self.deleted += [file[i].first for step, i, _ in path if step is Step.DELETED]
        self.changed += [file[i].first for step, i, _ in path if step is Step.CHANGED]
        return path

    def unexplained(self, result: Sequence[str], shown: Sequence[str]) -> str:
        """Return a statement that is gone, and nothing says why; empty if the `result` is all as `shown`."""
        left = {line.strip() for line in result}
        quiet = [words for token in self._quiet if (words := token.text.strip()) not in left]
        is_all = bool(quiet) and [*filter(str.strip, result)] == [*filter(str.strip, shown)]
        return quiet[0] if quiet and not is_all else ""


def _quiet_in(path: Path, file: Sequence[Token]) -> set[int]:
    """Return the places of statements in a piece that give nothing a name, with nothing new next to them."""
    found: set[int] = set()
    run: list[int] = []
    is_near = False
    for step, i, _ in [*path, (Step.SAME, -1, -1)]:
        if step is Step.DELETED:
            run.append(i)
            continue
        if run and not is_near and step not in (Step.INSERTED, Step.CHANGED):
            tokens = ((at, file[at]) for at in run)
            found.update(
                at for at, token in tokens if token.kind is Kind.LINE and _has_effects(token.text.strip())
            )
        run, is_near = [], step in (Step.INSERTED, Step.CHANGED)
    return found


def _has_effects(words: str) -> bool:
    is_other = _SAYS_NOTHING.match(words) or _IMPORTS.match(words) or is_closing(words)
    is_other = is_other or (not _PACKAGE.match(words) and any(given_names(words)))
    return not is_other


def lost_decorator(
    texts: TwoTexts, pairs: Iterable[tuple[Definition, Definition]], result: Sequence[str]
) -> str:
    """Return a decorator that is gone from what changes, with others next to it shown; empty for none."""
    file, shown = texts.file, texts.shown
    left = {line.strip() for line in result}
    for own, given in pairs:
        mine = [file.words(row) for row in file.solid(own.lead, own.start) if not file.is_comment(row)]
        theirs = {shown.words(row) for row in shown.solid(given.lead, given.start)}
        lost = [words for words in mine if words not in theirs and words not in left]
        bodies = (
            [text.words(row) for row in text.solid(each.start, each.end)]
            for text, each in ((file, own), (shown, given))
        )
        if lost and theirs and theirs <= set(mine) and len(set(map(tuple, bodies))) > 1:
            return lost[0]
    return ""


def lost_statements(file: Sequence[str], result: Sequence[str], path: str) -> list[str]:
    """Return the statements in no function of a file, and definitions, with nothing as deep in their place.

    What gives something a name is none of them, nor are imports and comments.
    """
    left = {line.strip() for line in result}
    gone: list[int] = []
    for (first, end), (row, new_end) in changed_ranges(file, result):
        depths = {indentation_of(line) for line in result[row:new_end] if line.strip()}
        old = (at for at in range(first, end) if file[at].strip() and file[at].strip() not in left)
        gone += [at for at in old if indentation_of(file[at]) not in depths]
    if not gone:
        return []
    try:
        own, given = (outline_of_file(lines, path)[0].root for lines in (file, result))
    except UnmergedError:
        if not has_order(path):
            return []
        own = given = Definition.of_text(file)
    names = {each.name for each in given.walk()}
    lost = {each.start for each in own.walk() if not each.is_text and each.name not in names}
    outer = (at for at in gone if all(each.is_container for each in own.around(at, at + 1)))
    rows = sorted({*lost.intersection(gone), *(at for at in outer if _has_effects(file[at].strip()))})
    return [file[at].strip() for at in rows]
