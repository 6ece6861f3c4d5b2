"""What was applied, so that it can be taken back: the opposite edits, kept across restarts."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from patchpoint.edit import Edit, Operation
from patchpoint.lsp.decode import JSON, InvalidArgumentError, decode, encode
from patchpoint.lsp.errors import RequestFailed
from patchpoint.plan import FileChange, FileOperation
from patchpoint.state import read_json, state_folder, write_json
from patchpoint.text.diff import minimal_replacements
from patchpoint.text.lines import LineTable, Span

if TYPE_CHECKING:
    from patchpoint.lsp.planning import Planned
    from patchpoint.lsp.session import Session

_MOST_KEPT = 50
_CONTEXT = 3
"""Lines quoted around what is taken back, so that its place is found again."""
_FILE = "applications.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class _Application:
    id: str
    edits: tuple[str, ...]
    """The ids of the edits that landed."""
    opposite: tuple[Edit, ...]
    """What takes them back."""


@dataclass(frozen=True, slots=True)
class _Saved:
    applications: tuple[_Application, ...] = ()


class Applications:
    """The newest applications of this session and of those before it in the same folders."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._kept: OrderedDict[str, _Application] = OrderedDict()

    async def load(self, roots: Sequence[Path]) -> None:
        """Take up what an earlier session in the first of these folders left."""
        for application in await self._session.run(_read, roots[0]) if roots else ():
            self._kept.setdefault(application.id, application)

    async def add(self, planned: Planned, edits: Sequence[str], changes: Sequence[FileChange]) -> str:
        """Note which edits landed and what they changed; answers the name to take them back by."""
        name = secrets.token_hex(6)
        opposite = tuple(edit for change in changes for edit in _opposite(planned, change))
        self._kept[name] = _Application(name, tuple(edits), opposite)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        if self._session.roots:
            saved = _Saved(tuple(self._kept.values()))
            try:
                await self._session.run(_write, self._session.roots[0], saved)
            except OSError as error:
                self._session.log(f"What was applied could not be noted: {error}")
        return name

    def reverse(self, name: str) -> tuple[Edit, ...]:
        """The edits that take an application back. Raises `RequestFailed`."""
        if name not in self._kept:
            raise RequestFailed(
                "no-application",
                f"Nothing is known of the application {name}; the newest can be taken back.",
            )
        return self._kept[name].opposite

    def has(self, edit: str) -> bool:
        """Whether the edit of that id landed, of late."""
        return any(edit in application.edits for application in self._kept.values())


def _opposite(planned: Planned, change: FileChange) -> Iterator[Edit]:
    """The edits that undo one change of a file."""
    file = planned.file(change.path)
    before, after = change.before or "", change.after or ""
    if change.operation is FileOperation.CREATE:
        yield Edit(path=file, operation=Operation.DELETE, search=after)
    elif change.operation is FileOperation.DELETE:
        yield Edit(path=file, operation=Operation.CREATE, content=before)
    else:
        new_file = planned.file(change.new_path) if change.new_path is not None else file
        for search, replacement in opposite_replacements(before, after):
            yield Edit(path=new_file, search=search, replace=replacement)
        if change.new_path is not None:
            yield Edit(path=new_file, operation=Operation.RENAME, new_path=file)


def opposite_replacements(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Pairs of what stands in `after` and what stood there in `before`, with some lines around them."""
    for old_lines, new_lines in _hunks(LineTable.of(after), minimal_replacements(after, before)):
        yield after[slice(*new_lines)], before[slice(*old_lines)]


def _hunks(new: LineTable, replacements: Sequence[tuple[Span, str]]) -> Iterator[tuple[Span, Span]]:
    """Spans in the old and the new text, whole lines with context, those that touch taken together."""
    merged: list[tuple[int, int, int, int]] = []
    shift = 0
    for (start, end), text in replacements:
        first = max(new.line_of(start) - _CONTEXT, 0)
        last = min(new.line_of(end) + _CONTEXT, new.line_count - 1)
        span = new.line_start(first), new.line_span(last)[1]
        before_shift = shift
        shift += len(text) - (end - start)
        if merged and span[0] <= merged[-1][1]:
            merged[-1] = (merged[-1][0], span[1], merged[-1][2], shift)
        else:
            merged.append((span[0], span[1], before_shift, shift))
    for start, end, shift_before, shift_after in merged:
        yield (start + shift_before, end + shift_after), (start, end)


def _read(root: Path) -> tuple[_Application, ...]:
    try:
        content = cast(JSON, read_json(state_folder(root) / _FILE, _VERSION))
        return decode(_Saved, content).applications if content is not None else ()
    except (OSError, InvalidArgumentError):
        return ()


def _write(root: Path, saved: _Saved) -> None:
    write_json(state_folder(root) / _FILE, _VERSION, encode(saved))
