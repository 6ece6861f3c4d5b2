"""A search text and a place that only resembles it, line by line: what of it is there, and what is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from patchpoint.dataclass import dataclass
from patchpoint.locate.evidence.names import code_of
from patchpoint.locate.evidence.search_diff import SearchHunk, changes_of
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Pair, Quote
from patchpoint.text.lines import is_telling
from patchpoint.text.lookalikes import folded
from patchpoint.text.regex import WORD, regex

_ESCAPE = regex(r"\\.")
_IMPORT = regex(
    r"(?:import|from|use|using|#\s*include|#\s*import|require|require_relative)\b|(?:const|let|var)\b.*\brequire\("
)


@dataclass(frozen=True)
class Comparison:
    """How the search text of a find is at its place."""

    find: Find

    @property
    def source(self) -> SourceText:
        """The text that it is in."""
        return self.find.source

    @property
    def quote(self) -> Quote:
        """What the model wrote."""
        return self.find.quote

    @cached_property
    def hunks(self) -> Sequence[SearchHunk]:
        """What the edit changes."""
        return changes_of(self.find)

    @cached_property
    def changed(self) -> set[int]:
        """The search lines that the edit changes."""
        return {line for hunk in self.hunks for line in hunk.solid}

    @cached_property
    def near(self) -> set[int]:
        """The search lines that say where the change goes: those it changes, and those next to new ones."""
        return {line for hunk in self.hunks for line in hunk.deciding}

    @cached_property
    def misquoted(self) -> Sequence[tuple[int, int, str, str]]:
        """Each search line and file line that are a pair, and differ by more than white space."""
        return tuple(self.find.misquoted())

    @cached_property
    def missing(self) -> Sequence[int]:
        """The search lines that are not at the place."""
        return [line for line in self.quote.solid if line not in self.find.partners]

    @cached_property
    def runs(self) -> Sequence[tuple[Pair, list[str], list[str]]]:
        """Each pair that is not blank, with its words as they are quoted, and as they are in the file."""
        runs = []
        for pair in self.find.pairs:
            said, have = self.quote.stripped[slice(*pair.quoted)], self.source.stripped[slice(*pair.found)]
            if any(said):
                runs.append((pair, [], []) if said == have else (pair, _words(said), _words(have)))
        return runs

    @cached_property
    def own(self) -> int:
        """The number of runs with all words as quoted, of which a line is nowhere else in the file."""
        return sum(
            any(only_place(self.source, self.source.stripped[row]) is not None for row in range(*pair.found))
            for pair, said, have in self.runs
            if said == have
        )

    def has_code(self, line: int) -> bool:
        """Return whether a search line is more than a comment, an import, or a mark for lines left out."""
        return WORD.search(code_of(self.quote.stripped[line])) is not None and not is_import(
            self.quote.stripped[line]
        )

    def is_exact(self, line: int) -> bool:
        """Return whether a search line is at the place as it was quoted."""
        start, end = self.find.partners.get(line, (0, 0))
        return end == start + 1 and self.source.stripped[start] == self.quote.stripped[line]


def only_place(source: SourceText, text: str) -> int | None:
    """Return the number of the one file line that is equal to a stripped, telling line; `None` otherwise."""
    text = folded(text).strip()
    places = source.places.get(text, ()) if is_telling(text) else ()
    return source.solid[places[0]] if len(places) == 1 else None


def is_import(line: str) -> bool:
    """Return whether a line brings a name in from elsewhere: among such lines the order is free."""
    return _IMPORT.match(line.strip()) is not None


def _words(lines: Iterable[str]) -> list[str]:
    # An escape sequence is no word: a text is misquoted by one more backslash, and means the same.
    text = folded("\n".join(lines))
    return WORD.findall(_ESCAPE.sub(" ", text) if "\\" in text else text)
