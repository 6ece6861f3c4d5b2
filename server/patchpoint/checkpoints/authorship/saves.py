"""Record what a person saved in an editor, so that it is taken for no agent's work."""

from __future__ import annotations

from pathlib import Path

from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.steps import SavedFile, has_steps, record_steps, splice_between
from patchpoint.git.odb.ids import BLOB, object_id
from patchpoint.git.repository import Repository


def record_save(file: Path, was: bytes, now: bytes) -> bool:
    """Record that an editor saved `now` where it had read or saved `was`; return whether that was of use.

    It is where agents' hooks are called and there is a checkpoint. Raises `CheckpointError` and `OSError`.
    """
    repository = Repository.open(file.parent)
    try:
        directory = repository.patchpoint_directory
        newest = Records(repository, None).ids()[:1] if has_steps(directory) else []
        if not newest:
            return False
        root = Path(repository.worktree.decode("utf-8", "surrogateescape"))
        path = (file.parent.resolve() / file.name).relative_to(root.resolve()).as_posix()
        ids = [object_id(BLOB, content, repository.object_format).hex() for content in (was, now)]
        saved = SavedFile(path=path, after=newest[0], was=ids[0], now=ids[1], splice=splice_between(was, now))
        record_steps(directory, [saved])
        return True
    finally:
        repository.close()
