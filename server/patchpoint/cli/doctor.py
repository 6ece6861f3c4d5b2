"""`patchpoint doctor`: what is there, what is missing or broken, and what to do about it."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.store import CheckpointStore
from patchpoint.cli.answering import answer_json
from patchpoint.cli.refusal import DONE, ENVIRONMENT_FAILED
from patchpoint.cli.stores import require_folder, watching
from patchpoint.cli.terminal import Terminal, plural
from patchpoint.disk import journal_folder
from patchpoint.files import FileError
from patchpoint.landing import recover
from patchpoint.progress import Progress
from patchpoint.state import state_home

_LIBRARIES = (
    "pygls", "lsprotocol", "rapidfuzz", "dulwich", "json-repair", "tree-sitter", "tree-sitter-bash",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    healthy: bool
    says: str


@dataclass(frozen=True, slots=True)
class DoctorAnswer:
    """All that was looked at; `healthy` when nothing of it is left to be mended."""

    healthy: bool
    findings: tuple[Finding, ...]


def doctor(options: argparse.Namespace, terminal: Terminal) -> int:
    """Look at the installation and at a folder, and with `--repair` mend what can be mended."""
    require_folder(options.root)
    root = options.root.resolve()
    with watching() as progress:
        findings = (
            _versions(),
            *_libraries(),
            _state(),
            *_landing(root, options.repair, progress),
            *_store(root, options.repair, progress),
        )
    healthy = all(finding.healthy for finding in findings)
    if options.json:
        answer_json(terminal, DoctorAnswer(healthy, findings))
    else:
        for finding in findings:
            mark = terminal.paint("✓", "green") if finding.healthy else terminal.paint("✗", "red")
            terminal.line(f"{mark} {finding.name.ljust(12)} {finding.says}")
    return DONE if healthy else ENVIRONMENT_FAILED


def _versions() -> Finding:
    version = metadata.version("patchpoint")
    python = platform.python_version()
    says = f"{version} on Python {python} ({sys.executable}), {platform.platform(terse=True)}"
    return Finding("patchpoint", sys.version_info >= (3, 10), says)


def _libraries() -> Iterator[Finding]:
    found, missing = [], []
    for name in _LIBRARIES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    yield Finding("libraries", not missing, ", ".join(found))
    if missing:
        yield Finding("libraries", False, f"missing: {', '.join(missing)}; install patchpoint again")


def _state() -> Finding:
    """Whether what must outlast a session can be written down."""
    home = state_home()
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = home / "doctor"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        return Finding("state", False, f"{home} cannot be written ({error.strerror}); see to its permissions")
    return Finding("state", True, str(home))


def _landing(root: Path, repair: bool, progress: Progress) -> Iterator[Finding]:
    """Whether edits were being written when something ended."""
    try:
        journal = journal_folder(root)
        if not repair:
            return
        recovered = recover(journal, progress)
    except (FileError, OSError) as error:
        yield Finding("edits", False, str(error))
        return
    if recovered.taken_back:
        says = f"{plural(len(recovered.taken_back), 'file')} of edits that were cut short put back as before"
        yield Finding("edits", True, says)
    for kept in recovered.kept:
        old = f"; what it was is in {kept.old}" if kept.old else ""
        yield Finding("edits", True, f"{kept.path} was changed since and left as it is{old}")


def _store(root: Path, repair: bool, progress: Progress) -> Iterator[Finding]:
    """Whether checkpoints can be taken here, and are sound."""
    try:
        store = CheckpointStore.open(root)
        place = (
            f"{root}, which is in no repository" if store.is_private else f"the repository at {store.root}"
        )
        yield Finding("checkpoints", True, f"of {place}")
        diagnosis = store.doctor(repair=repair, progress=progress)
        use = store.disk_use()
    except (CheckpointError, OSError) as error:
        yield Finding("checkpoints", False, str(error))
        return
    for found in diagnosis.findings:
        yield Finding(found.code, found.repaired, found.message)
    counts = f"{plural(use.checkpoints, 'checkpoint')} and {use.safety} taken before restores"
    yield Finding("disk", True, f"{counts} take {_size(use.total)}")


def _size(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"
