"""Bring the mirror of a repository up to date: after each checkpoint, in little time, or as a whole."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.mirror import place
from patchpoint.checkpoints.mirror.objects import COPIES, Budget, mirror_objects
from patchpoint.checkpoints.mirror.register import Registered, append_entries, names_lately, registered
from patchpoint.checkpoints.mirror.tidy import own_pack_bytes, remove_abandoned, tidy
from patchpoint.filesystem.open_to_read import age_of
from patchpoint.git import refs
from patchpoint.git.repository import Repository

_LEAST_S = 0.015
_SHARE = 0.1
"""Seconds, and of the time that the checkpoint took the share, that its mirror may take."""
_FREE_LINKS = 100
"""Files of which nobody notices that they get a second name, however busy the machine is: those that a
checkpoint has added are among them."""
_MOST_COPIED = 8 << 20
"""Bytes that are copied for one checkpoint, where files cannot be linked."""
_HOUR_S = 3600.0
_BRANCHES = "packed-refs"
_OTHERS = (b"refs/heads/", b"refs/tags/")


Describe = Callable[[str, str], Registered | None]
"""Returns what the register says of a ref and its commit; `None` for what is no checkpoint, or damaged."""


def add_to_mirror(
    repository: Repository,
    new: Sequence[Registered],
    limit: int,
    since: float,
    before: str | None,
    describe: Describe,
) -> None:
    """Add checkpoints to the mirror of their repository; they were begun at `since` (`time.monotonic`).

    What takes too long is left to the next time. Raises nothing: the checkpoints are there, and `doctor` says
    what is wrong with the mirror. The caller holds the lock of the checkpoints.
    """
    seconds = max(_LEAST_S, _SHARE * (time.monotonic() - since))
    with suppress(OSError, RuntimeError, ValueError):
        if repository.private:
            place.note_origin(Path(os.fsdecode(repository.commondir)), repository)
        else:
            _update(repository, new, limit, describe, seconds, before)


def continue_mirror(
    repository: Repository, limit: int, describe: Describe, seconds: float | None = None
) -> bool:
    """Add what was left for lack of time, for `seconds`, by default as long as for a checkpoint.

    Return whether more is left. Raises nothing. The caller holds the lock of the checkpoints.
    """
    with suppress(OSError, RuntimeError, ValueError):
        budget = _update(repository, (), limit, describe, _LEAST_S if seconds is None else seconds)
        return budget.is_spent or (budget.is_short and budget.has_copied)
    return False


def complete_mirror(repository: Repository, limit: int, describe: Describe) -> bool:
    """Bring the mirror up to date, however long that takes; return whether all is in it.

    It is not where `limit`, in bytes, does not allow it. Raises `OSError`, `RuntimeError`.
    """
    return not _update(repository, (), limit, describe, None).is_short


def _update(
    repository: Repository,
    new: Sequence[Registered],
    limit: int,
    describe: Describe,
    seconds: float | None,
    before: str | None = None,
) -> Budget:
    """Do as much of it as can be done in so many seconds (`None`: all); return what was spent."""
    whole = seconds is None
    is_first = not place.has_mirror(repository)
    mirror = place.make_mirror(repository)
    is_due = whole or is_first or age_of(mirror / _BRANCHES) > _HOUR_S or not names_lately(mirror, before)
    known = refs.checkpoints_of_all(repository.refs) if is_due else None
    # First of all, so that it is known at least that there was one.
    entries = new if known is None else _with_unregistered(known, mirror, new, describe)
    if entries:
        append_entries(mirror, entries)
    place.note_origin(mirror, repository)
    copied = own_pack_bytes(mirror) if whole or (mirror / COPIES).exists() else 0
    budget = Budget(
        until=float("inf") if seconds is None else time.monotonic() + seconds,
        bytes=max(0, min(limit if whole else _MOST_COPIED, limit - copied)),
        free_links=_FREE_LINKS,
    )
    objects = os.path.join(repository.commondir, b"objects")
    indexes = mirror_objects(objects, mirror, budget, all_loose=whole)
    if is_due and budget.has_time():
        _mirror_branches(repository, mirror)
    tidy(mirror, indexes, known, limit, repository.id_length, budget)
    if is_first and budget.has_time():
        remove_abandoned(place.mirrored_directories())
    return budget


def _with_unregistered(
    there: Mapping[str, str],
    mirror: Path,
    new: Sequence[Registered],
    describe: Describe,
) -> list[Registered]:
    """Return the checkpoints that are older than the mirror, or came in another way, and `new` last."""
    known = registered(mirror)
    given = {each.ref for each in new}
    found: list[Registered | None] = []
    for ref, commit in there.items():
        if ref not in given and (ref not in known or known[ref].commit != commit):
            found.append(describe(ref, commit))
    return [*filter(None, found), *new]


def _mirror_branches(repository: Repository, mirror: Path) -> None:
    """Write branches, tags and HEAD into the mirror, for `git clone`."""
    found = {
        prefix + os.fsencode(rest): oid
        for prefix in _OTHERS
        for rest, oid in refs.below(repository.refs, prefix).items()
    }
    stash = refs.target(repository.refs, b"refs/stash")
    if stash is not None:
        found[b"refs/stash"] = stash
    lines = b"".join(b"%b %b\n" % (oid.encode(), name) for name, oid in sorted(found.items()))
    place.write_unsynced(mirror / _BRANCHES, lines)
    branch = repository.head().branch
    if branch is not None:
        place.write_unsynced(mirror / "HEAD", b"ref: " + os.fsencode(branch) + b"\n")
