"""One pass over one text: the state that the readers of all formats share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from patchpoint.edit import Format
from patchpoint.formats.labels import paths_above
from patchpoint.formats.source import AnswerText, Item

ReadText = Callable[[str, str, bool], list[Item]]
"""Reads a text inside an edit, given the path of edits that name none and whether it is a script."""

_Made = TypeVar("_Made")


class TextScan:
    """What a reader is given: the text, and what was learnt above the place that it reads."""

    def __init__(
        self,
        source: AnswerText,
        wanted: Format | None,
        path: str,
        read_text: ReadText,
        *,
        is_script: bool = False,
        is_inside_edit: bool = False,
        outer: TextScan | None = None,
    ) -> None:
        """`path` is the file of edits that name none; `outer` is the pass over the text around this one."""
        self.source = source
        self.wanted = wanted
        """The one format that is read, or `None` for all of them."""
        self.given_path = path
        """The file that the caller named."""
        self.known_path = path
        """The file of the last edit, or the one that the caller named."""
        self.read_text = read_text
        self.is_script = is_script
        """The text is a shell command."""
        self.is_inside_edit: bool = outer.is_inside_edit if outer else is_inside_edit
        """The text is part of an edit, and not an answer."""
        self.lower_bound = 0
        """The first line that belongs to no edit above: no label is looked for before it."""
        self.depth: int = outer.depth + 1 if outer else 0
        """How many texts are around this one."""
        self.outermost: TextScan = outer.outermost if outer else self
        self._made: dict[Callable[[AnswerText], Any], Any] = {}

    def wants(self, one: Format) -> bool:
        """Return whether edits of this format are read."""
        return self.wanted is None or self.wanted is one

    def once(self, make: Callable[[AnswerText], _Made]) -> _Made:
        """Return what `make` makes of the text; it is called once for each pass."""
        if make not in self._made:
            self._made[make] = make(self.source)
        made: _Made = self._made[make]
        return made

    def path_above(self, line: int) -> str:
        """Return the path that the text above `line` gives to an edit there that has none of its own."""
        paths = paths_above(self.source, line, self.lower_bound)
        return paths[0] if len(paths) == 1 else self.known_path
