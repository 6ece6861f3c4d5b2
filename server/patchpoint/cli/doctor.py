"""`patchpoint doctor`: check the installation and a folder, and repair what a crash left behind."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator
from datetime import datetime
from importlib import metadata
from pathlib import Path

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.maintenance.elsewhere import Why
from patchpoint.checkpoints.maintenance.mirror_health import MirrorState
from patchpoint.checkpoints.maintenance.prove import Proof
from patchpoint.checkpoints.mirror.give_back import repair_repository
from patchpoint.checkpoints.store import CheckpointStore
from patchpoint.cli.agents.health import HealthCheck, agent_checks
from patchpoint.cli.output import print_json
from patchpoint.cli.stores import command_error, require_folder, settings_in, watching
from patchpoint.cli.terminal import DONE, ENVIRONMENT_FAILED, Terminal
from patchpoint.dataclass import dataclass
from patchpoint.filesystem.user_state import state_home
from patchpoint.progress import Progress
from patchpoint.structure.grammars import missing_package
from patchpoint.structure.languages import INSTALL_GRAMMARS, LANGUAGES
from patchpoint.version import __version__
from patchpoint.wording import byte_size, plural

_LIBRARIES = (
    "pygls", "lsprotocol", "rapidfuzz", "dulwich", "json-repair",
)  # fmt: skip

_SHOWN = 5
_MISSED_SINCE_S = 7 * 86_400.0
"""Seconds for which it is said that a hook took no checkpoint."""
_COMPILED = ("patchpoint", "dulwich")
"""The packages that take longest to compile."""


@dataclass(frozen=True, slots=True)
class DoctorResult:
    """The results of all checks; `healthy` when each of them is."""

    healthy: bool
    findings: tuple[HealthCheck, ...]


def doctor(options: argparse.Namespace, terminal: Terminal) -> int:
    """Check the installation and a folder, and with `--repair` repair what can be repaired."""
    require_folder(options.root)
    root = options.root.resolve()
    with watching() as progress:
        findings = (
            _versions(),
            *_libraries(),
            *_bytecode(),
            _state(),
            *_store(root, options, progress),
            *agent_checks(root),
            *_missed(root),
        )
    healthy = all(finding.healthy for finding in findings)
    if options.json:
        print_json(terminal, DoctorResult(healthy, findings))
    else:
        width = max(len(finding.name) for finding in findings)
        for finding in findings:
            terminal.line(f"{_mark(finding, terminal)} {finding.name.ljust(width)}  {finding.says}")
    return DONE if healthy else ENVIRONMENT_FAILED


def _mark(finding: HealthCheck, terminal: Terminal) -> str:
    if not finding.healthy:
        return terminal.paint("✗", "red")
    return terminal.paint("!", "yellow") if finding.is_advice else terminal.paint("✓", "green")


def _versions() -> HealthCheck:
    python = platform.python_version()
    says = f"{__version__} on Python {python} ({sys.executable}), {platform.platform(terse=True)}"
    return HealthCheck("patchpoint", sys.version_info >= (3, 10), says)


def _libraries() -> Iterator[HealthCheck]:
    found, missing = [], []
    for name in _LIBRARIES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    yield HealthCheck("libraries", not missing, ", ".join(found))
    if missing:
        yield HealthCheck("libraries", False, f"missing: {', '.join(missing)}; reinstall patchpoint")
    without = {one.name: missing_package(one.grammar) for one in LANGUAGES if one.grammar}
    packages = {package: None for package in without.values() if package}
    if not packages:
        yield HealthCheck("grammars", True, f"of {plural(len(without), 'language')}")
        return
    unjudged = ", ".join(name for name, package in without.items() if package)
    says = f"missing: {', '.join(packages)}; whether an edit breaks the syntax is not checked in {unjudged}"
    if "tree-sitter" not in packages:
        says = f"{says}: {INSTALL_GRAMMARS}"
    yield HealthCheck("grammars", True, says, is_advice=True)


def _bytecode() -> Iterator[HealthCheck]:
    """Say so where Python could not keep compiled what it has loaded: each start compiles it once more."""
    kept = [
        Path(module.__cached__)
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in _COMPILED and getattr(module, "__cached__", None)
    ]
    missing = next((path for path in kept if not path.is_file()), None)
    if missing is None:
        return
    if sys.dont_write_bytecode:
        why = "PYTHONDONTWRITEBYTECODE is set; unset it for editors and agents"
    else:
        compiling = f"as its owner, run `{sys.executable} -m compileall {Path(__file__).parents[2]}`"
        why = f"{missing.parent} cannot be written; {compiling}, or name a folder in PYTHONPYCACHEPREFIX"
    says = f"every start takes several times as long because Python cannot cache compiled modules: {why}"
    yield HealthCheck("bytecode", True, says, is_advice=True)


def _state() -> HealthCheck:
    """Check that the state folder can be written."""
    home = state_home()
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = home / "doctor"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        return HealthCheck(
            "state", False, f"{home} cannot be written ({error.strerror}); check its permissions"
        )
    return HealthCheck("state", True, str(home))


def _store(root: Path, options: argparse.Namespace, progress: Progress) -> Iterator[HealthCheck]:
    """Check that checkpoints can be taken here, and that those there are can be read."""
    try:
        if options.repair:
            yield from (HealthCheck("repository", True, says) for says in repair_repository(root))
        store = CheckpointStore.open(root, options=settings_in(root).store_options)
        place = (
            f"{root}, which is in no repository" if store.is_private else f"the repository at {store.root}"
        )
        yield HealthCheck("checkpoints", True, f"of {place}")
        diagnosis = store.doctor(repair=options.repair, progress=progress)
        use = store.disk_use()
        proof = store.prove(progress) if options.prove else None
    except (CheckpointError, OSError) as error:
        problem = command_error(error) if isinstance(error, CheckpointError) else error
        yield HealthCheck("checkpoints", False, str(problem))
        return
    for found in diagnosis.findings:
        yield HealthCheck(found.code, found.repaired, found.message)
    for group in diagnosis.elsewhere:
        if group.why is not Why.LOST and group.asked_for:
            yield HealthCheck(
                "elsewhere", True, f"{group.says}; `patchpoint list` names them", is_advice=True
            )
    counts = f"{plural(use.checkpoints, 'checkpoint')} and {use.safety} taken before restores"
    yield HealthCheck("disk", True, f"{counts} take {byte_size(use.total)}")
    if diagnosis.mirror is not None:
        yield _mirror(diagnosis.mirror)
    if proof is not None:
        yield _proof(proof)


def _missed(root: Path) -> Iterator[HealthCheck]:
    """Say which prompts and steps of the last week have no checkpoint because a hook gave up or failed."""
    from patchpoint.cli.listing.missed import said_of_missed
    from patchpoint.hooks.meeting_place import working_tree_of
    from patchpoint.hooks.missed import missed_in

    now = datetime.now().astimezone()
    missed = missed_in(working_tree_of(str(root)), now.timestamp() - _MISSED_SINCE_S)
    for says in said_of_missed(missed, now):
        yield HealthCheck("missed", True, says, is_advice=True)


def _mirror(state: MirrorState) -> HealthCheck:
    if state.problem is not None:
        says = (
            f"{state.place} cannot be written: {state.problem}. Checkpoints are taken without a second copy"
        )
        return HealthCheck("mirror", True, says, is_advice=True)
    says = f"{state.whole} of {plural(state.checkpoints, 'checkpoint')} also in {state.place}, which takes "
    says += f"{byte_size(state.own_bytes)} of its own"
    lacks = state.whole < state.checkpoints
    if state.is_full:
        says += "; that is its limit (checkpoints.mirrorMiB)"
    elif lacks:
        says += "; the rest follows with the next checkpoints, or with --repair"
    return HealthCheck("mirror", True, says, is_advice=lacks)


def _proof(proof: Proof) -> HealthCheck:
    where = "from the mirror alone" if proof.from_mirror else "from the store"
    says = (
        f"{plural(proof.files, 'file')}, {byte_size(proof.bytes)}, restored {where} in {proof.seconds:.1f} s"
    )
    if proof.changed:
        says += f"; {plural(len(proof.changed), 'file')} changed meanwhile, such as {proof.changed[0]}"
    if proof.holds:
        return HealthCheck("proof", True, f"{says}: every byte is the same")
    shown = ", ".join(proof.different[:_SHOWN])
    return HealthCheck("proof", False, f"{says}: {len(proof.different)} came back otherwise: {shown}")
