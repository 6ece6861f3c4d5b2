"""The edits of an answer below folders: those that it has, or code that one file alone has a place for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.edit import ONLY_TURN
from patchpoint.formats import read_answer
from patchpoint.formats.answer import AUTO, LAST_TURN
from patchpoint.workspace.request import Workspace

if TYPE_CHECKING:
    from patchpoint.edit import Edit, Malformed, TurnRead, Unplaced
    from patchpoint.locate.ladder import Ladder
    from patchpoint.progress import Progress


@dataclass(frozen=True, slots=True)
class AnswerEdits:
    """The edits of an answer, and the fences that are none."""

    edits: tuple[Edit | Malformed, ...]
    unplaced: tuple[Unplaced, ...]
    turn: TurnRead = ONLY_TURN


def read_in_folders(
    text: str,
    roots: Sequence[Path],
    *,
    format: str = AUTO,  # noqa: A002
    path: str = "",
    turn: str = LAST_TURN,
    include: Collection[str] = (),
    source: Path | None = None,
    ladder: Ladder | None = None,
    progress: Progress | None = None,
) -> AnswerEdits:
    """Return the edits of an answer, with those of code that one file alone has a place for.

    `format` is one of `FORMAT_NAMES`, `path` the file of edits that name none, `turn` and `include` those of
    `read_answer`; the file `source` holds the answer. Raises `ValueError` for a turn that is none, and
    `CancelledError` through `progress`.
    """
    answer = read_answer(text, format, path=path, turn=turn, include=include)
    if not answer.unplaced:
        return AnswerEdits(answer.items, (), answer.turn)
    from patchpoint.patching.answers.pieces import to_be_placed, with_placed
    from patchpoint.workspace.unnamed import place_in_workspace

    pieces = to_be_placed(answer.items, answer.unplaced) if answer.items else answer.unplaced
    placing = place_in_workspace(
        pieces,
        Workspace(roots=tuple(roots)),
        source=source,
        ladder=ladder,
        progress=progress,
        named={item.path for item in answer.items},
    )
    if not answer.items:
        return AnswerEdits(placing.edits, placing.left, answer.turn)
    items, left = with_placed(answer.items, answer.unplaced, placing)
    return AnswerEdits(tuple(items), tuple(left), answer.turn)
