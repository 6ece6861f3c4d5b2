"""What an agent's model is given to read where files were restored since its last prompt."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.record.checkpoint import milliseconds_of
from patchpoint.checkpoints.record.notices import take_notice
from patchpoint.checkpoints.record.records import Records
from patchpoint.git.repository import Repository
from patchpoint.text.shown import visible_line

_SHOWN = 30


def news_of_restored(root: str, session: str) -> str:
    """Return what the model of `session` does not know of its files in `root`; each thing is said once."""

    def began() -> float | None:
        with suppress(CheckpointError, OSError):
            repository = Repository.open(root)
            try:
                own = [each.id for each in Records(repository, None).all() if each.session == session]
            finally:
                repository.close()
            return min(map(milliseconds_of, own)) / 1000 if own else None
        return None

    notice = take_notice(root, session, began)
    if notice is None:
        return ""
    sentences = [
        "Since your last turn, files of this project were restored to an earlier state with Patchpoint, so "
        "what you remember of them is out of date.",
        f"Restored: {_listed(notice.files)}." if notice.files else "",
        f"Deleted: {_listed(notice.deleted)}." if notice.deleted else "",
        "Read a file again before you rely on it or edit it, and do not do that work again unasked.",
    ]
    return " ".join(filter(None, sentences))


def _listed(paths: Sequence[str]) -> str:
    shown = ", ".join(visible_line(path) for path in paths[:_SHOWN])
    return f"{shown} and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else shown
