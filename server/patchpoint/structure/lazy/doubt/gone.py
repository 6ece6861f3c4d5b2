"""Lines of a file, in none of its functions, that are gone from a merge, or have others in their place."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass, field
from patchpoint.structure.lazy.alignment import Kind, Path, Step, Token, is_closing
from patchpoint.structure.lazy.doubt.names_in_use import given_names
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
            found.update(at for at in run if _has_effects(file[at]))
        run, is_near = [], step in (Step.INSERTED, Step.CHANGED)
    return found


def _has_effects(token: Token) -> bool:
    words = token.text.strip()
    is_other = _SAYS_NOTHING.match(words) or _IMPORTS.match(words) or is_closing(words)
    is_other = is_other or (not _PACKAGE.match(words) and any(given_names(words)))
    return token.kind is Kind.LINE and not is_other
