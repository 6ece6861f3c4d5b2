"""The SHA-256 of the files of a request: what its caller expects them to be, and what they become."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.read import LARGEST_FILE, read_bytes
from patchpoint.outcome import Reason
from patchpoint.patching.plan import Item, PlannedChange, Refused
from patchpoint.paths.resolve import RefusedPath, resolve_path
from patchpoint.text.encoding import Encoding, UnencodableError, encode
from patchpoint.workspace.request import EditTarget, ResolvedRequest, Workspace


def without_stale(
    request: ResolvedRequest,
    expected: Mapping[str, str],
    workspace: Workspace,
    base: Path | None = None,
) -> ResolvedRequest:
    """Return `request`, with the edits refused whose caller has read something else than there is.

    `expected` has the SHA-256, in hexadecimal digits, of files as the caller read them, by path or URI (paths
    are resolved first from `base`). A file that no edit is of was read to write the edits: where that has
    changed, all of them are refused.
    """
    items = request.items
    for written, digest in expected.items():
        names, problem = _compared(request, written, digest.lower(), workspace, base)
        if problem:
            items = tuple(_refused(item, names, problem) for item in items)
    return replace(request, items=items)


def digests_of(change: PlannedChange, request: ResolvedRequest) -> tuple[str | None, str | None]:
    """Return the SHA-256 of a file before and after its change; `None` where there is no such file."""
    target = request.targets[change.path]
    resolved = target.resolved
    original = request.originals.get(str(resolved.path)) if resolved is not None else None
    if original is not None and target.disk is None:
        return None, hashlib.sha256(original).hexdigest()
    before = digest_of(target) if change.before is not None else None
    if change.after is None or change.after == target.text:
        return before, None if change.after is None else before
    return before, _digest_of_text(change.after, target)


def digest_of(target: EditTarget) -> str | None:
    """Return the SHA-256 of what edits of `target` are located in: its buffer, or else its bytes on disk."""
    if target.text is None:
        return None
    if target.disk is not None and target.disk.text == target.text:
        return target.disk.identity.digest
    return _digest_of_text(target.text, target)


def _digest_of_text(text: str, target: EditTarget) -> str | None:
    try:
        data = encode(text, Encoding.UTF_8) if target.disk is None else target.disk.encoded(text)
    except UnencodableError:
        return None
    return hashlib.sha256(data).hexdigest()


def _compared(
    request: ResolvedRequest, written: str, digest: str, workspace: Workspace, base: Path | None
) -> tuple[frozenset[str], str]:
    """Return the names of the targets that `written` means, and why it is not what was expected."""
    if written in workspace.documents:
        text = workspace.documents[written]
        now = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return frozenset({written}), "" if now == digest else _changed(written)
    resolved = resolve_path(
        written, workspace.roots, base=base, absolute_allowed=True, open_files=workspace.open_files
    )
    if isinstance(resolved, RefusedPath):
        names = _named(request, lambda edit: written in (edit.path, edit.new_path))
        return names, f"{written} cannot be compared with what was read of it: {resolved.message}"
    for name, target in request.targets.items():
        same = target.resolved is not None and target.resolved.target == resolved.target
        if same and (target.text is not None or target.disk is not None):
            return frozenset({name}), "" if digest_of(target) == digest else _changed(name)
    try:
        if read_bytes(resolved.target, largest=LARGEST_FILE).identity.digest == digest:
            return frozenset(), ""
    except FileError as error:
        return frozenset(), f"{written} cannot be compared with what was read of it: it {error.problem}."
    return frozenset(), _changed(written)


def _changed(name: str) -> str:
    return f"{name} has changed since it was read; read it again, and write the edit for its current text."


def _named(request: ResolvedRequest, meant: Callable[[Edit], bool]) -> frozenset[str]:
    edits = [item for item in request.items if isinstance(item, Edit)]
    return frozenset(edit.path for edit in edits if meant(edit))


def _refused(item: Item, names: frozenset[str], problem: str) -> Item:
    """Return `item`, refused if it is of one of those files; without names, whatever file it is of."""
    if not isinstance(item, Edit) or (names and not names & {item.path, item.new_path}):
        return item
    return Refused(item, problem, Reason.STALE)
