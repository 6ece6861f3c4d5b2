"""Answer hooks: the checkpoints that precede their events, in as little time as a new process can.

A hook calls it for itself, and who listens for hooks for all that have asked meanwhile: they share what is
loaded, the lock and the snapshot. That is begun when all of them have asked, and over before any of them is
answered, so that it is what each of them would have found.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.state_home import notices_path, unfinished_marks
from patchpoint.hooks.answers import answer, takes_context
from patchpoint.hooks.events import HookEvent, Moment, read_event
from patchpoint.hooks.fields import Fields
from patchpoint.hooks.firings import AGENTS, record_firing
from patchpoint.hooks.meeting_place import working_tree_of
from patchpoint.progress import Progress, Silent

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.record.steps import Event
    from patchpoint.git.repository import Repository


_FOR_OTHERS = 0.4
"""The part of a hook's time that other repositories than the agent's may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookCall:
    """One call of the hook."""

    agent: str | None
    """The name that the hook was called with."""
    folder: str
    """Where the hook runs."""
    sent: bytes
    """What the agent sent."""
    wait: float
    """Seconds for which a lock may be waited for."""


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """What a hook prints, what it reports to a person, and the checkpoint that there is."""

    prints: str
    report: str = ""
    taken: Checkpoint | None = None


def answer_each(
    calls: Sequence[HookCall],
    progress: Progress | None = None,
    *,
    begin: Callable[[int, str], None] | None = None,
    only: str | None = None,
) -> list[HookAnswer | None]:
    """Take the checkpoints that precede the events of `calls`, and return their answers in this order.

    What came of each is recorded. `begin` is called with the number of each call and what it prints, before
    any checkpoint is taken. With `only`, a working tree, a call of another one gets `None` for an answer.
    Raises nothing but what ends a process.
    """
    read = [_ReadCall.of(call) for call in calls]
    answers: dict[int, HookAnswer] = {}
    taking: dict[str, list[int]] = {}
    for number, each in enumerate(read):
        if only is not None and each.working_tree != only:
            continue
        if context := each.context():
            each = read[number] = replace(
                each, prints=answer(each.call.agent, each.event, each.data, context)
            )
        answers[number] = HookAnswer(each.prints)
        if begin is not None:
            begin(number, each.prints)
        if each.event.moment is Moment.OTHER:
            record_firing(each.call.agent, each.event.folder or "", "nothing was about to change")
        else:
            taking.setdefault(each.folder, []).append(number)
    for numbers in taking.values():
        together = [read[number] for number in numbers]
        for number, said in zip(numbers, _taken(together, progress or Silent()), strict=True):
            answers[number] = said
    return [answers.get(number) for number in range(len(calls))]


@dataclass(frozen=True, slots=True)
class _ReadCall:
    """A call, and what the agent sent with it."""

    call: HookCall
    event: HookEvent
    folder: str
    """The folder that the agent works in."""
    working_tree: str
    data: object
    """What the agent sent, as JSON has it."""
    prints: str

    @classmethod
    def of(cls, call: HookCall) -> _ReadCall:
        try:
            data = json.loads(call.sent)
        except (ValueError, RecursionError):
            data = None
        event = read_event(data)
        named = os.path.join(call.folder, event.folder or "")  # noqa: PTH118 - it need not be a path
        folder = named if "\0" not in named and Path(named).is_dir() else call.folder
        return cls(call, event, folder, working_tree_of(folder), data, answer(call.agent, event, data))

    @property
    def session(self) -> str:
        """The session or, of an agent that names none, the agent."""
        return self.event.session or self.call.agent or "agent"

    def context(self) -> str:
        """Return what the agent's model has to know with its prompt: files that were restored meanwhile."""
        if self.event.moment is not Moment.PROMPT or not takes_context(self.data):
            return ""
        with suppress(RuntimeError):
            if os.path.exists(notices_path(self.working_tree)):  # noqa: PTH110 - before what it takes is loaded
                from patchpoint.hooks.tools.restored import news_of_restored

                return news_of_restored(self.working_tree, self.session)
        return ""

    def record_unrecorded(self, directory: Path) -> None:
        """Record the steps of the turn that has ended whose hooks were never called."""
        transcript = Fields(self.data).text("transcriptpath")
        if self.event.moment is Moment.END and self.call.agent == "claude" and transcript:
            from patchpoint.hooks.conversations.unrecorded import record_unrecorded

            with suppress(OSError, ValueError):
                record_unrecorded(directory, self.folder, self.session, transcript)

    def elsewhere(self, root: str) -> list[str]:
        """Return the working trees, other than `root`, that are in repositories and that the event names."""
        found = []
        for named in (*self.event.places, *(self.event.writes or ())):
            if "\0" in named:
                continue
            place = os.path.join(self.folder, os.path.expanduser(named))  # noqa: PTH111, PTH118
            above = working_tree_of(place)
            if above != root and os.path.lexists(os.path.join(above, ".git")):  # noqa: PTH118
                found.append(above)
        return found

    def recorded(self, root: str, taken: Checkpoint | None, newest: str | None) -> Event | None:
        """Return what is to be recorded of it, with the checkpoint `taken` or else the id of the `newest`."""
        from patchpoint.checkpoints.record.steps import AnnouncedStep, StepEnd, TurnEnd

        event, at = self.event, taken.id if taken is not None else newest
        if event.moment is Moment.END:
            return None if taken is None else TurnEnd(session=self.session)
        if at is None:
            return None
        named = {file: _within(root, self.folder, file) for file in event.writes or ()}
        within = {file: path for file, path in named.items() if path is not None}
        writes = None if event.writes is None else tuple(within.values())
        changes = {within[file]: change for file, change in event.changes.items() if file in within}
        if event.moment is Moment.AFTER_STEP:
            return StepEnd(
                session=self.session,
                newest=at,
                is_recorded=taken is not None,
                call=event.call,
                writes=writes,
                has_failed=event.has_failed,
                changes=changes,
            )
        return AnnouncedStep(
            session=self.session,
            after=at,
            writes=writes,
            call=event.call,
            changes=changes,
            is_of_all=self.call.agent in AGENTS,
        )


def _taken(together: Sequence[_ReadCall], progress: Progress) -> list[HookAnswer]:
    """Return the answers to calls of one folder."""
    try:
        checkpoints = _take_for(together, progress)
    except Exception as error:
        # Also what should never happen: an agent that is not stopped matters more than a traceback.
        report = f"no checkpoint: {str(error) or type(error).__name__}"
        for each in together:
            record_firing(each.call.agent, each.event.folder or each.call.folder, report)
        return [HookAnswer(each.prints, report) for each in together]
    for each, taken in zip(together, checkpoints, strict=True):
        says = f"checkpoint {taken.id}" if taken is not None else "recorded what was done"
        record_firing(each.call.agent, each.event.folder or each.folder, says)
    return [HookAnswer(each.prints, "", taken) for each, taken in zip(together, checkpoints, strict=True)]


def _take_for(together: Sequence[_ReadCall], progress: Progress) -> list[Checkpoint | None]:
    """Return the checkpoint of each event: a new one or, where it will do, the newest; `None` where what the
    event says is enough."""
    from patchpoint.checkpoints.errors import CheckpointError
    from patchpoint.checkpoints.record.records import Records
    from patchpoint.checkpoints.record.steps import is_at_work, record_steps
    from patchpoint.checkpoints.repository_lock import refuse_linked_directory, repository_lock
    from patchpoint.checkpoints.restore.phases import is_left_undone
    from patchpoint.git.repository import Repository

    folder = Path(together[0].folder).absolute()
    wait = min(each.call.wait for each in together)
    repository = replace(Repository.open(folder), patience=wait)
    directory = repository.patchpoint_directory
    try:
        refuse_linked_directory(repository)
        if unfinished_marks():
            _undo_unfinished_edits()
        records = Records(repository, None)
        if is_left_undone(repository):
            from patchpoint.checkpoints.restore.apply import finish_interrupted_restore

            with suppress(CheckpointError, OSError), repository_lock(repository, progress, timeout=0):
                finish_interrupted_restore(records, progress)
        needing = [
            number
            for number, each in enumerate(together)
            if not (each.event.moment is Moment.AFTER_STEP and each.event.is_stated)
            and not (each.event.is_late and not is_at_work(directory, each.session))
        ]
        newest = next(iter(records.ids()), None) if len(needing) < len(together) else None
        taken = dict(
            zip(
                needing,
                _checkpoints(repository, folder, [together[one] for one in needing], wait, progress),
                strict=True,
            )
        )
        root = os.fsdecode(repository.worktree)
        events = [each.recorded(root, taken.get(number), newest) for number, each in enumerate(together)]
        record_steps(directory, list(filter(None, events)))
        for each in together:
            each.record_unrecorded(directory)
        return [taken.get(number) for number in range(len(together))]
    finally:
        repository.close()


def _checkpoints(
    repository: Repository, folder: Path, calls: Sequence[_ReadCall], wait: float, progress: Progress
) -> list[Checkpoint]:
    """Take a checkpoint for each of `calls`, and return them."""
    if not calls:
        return []
    from patchpoint.checkpoints.record.checkpoint import CheckpointKind
    from patchpoint.checkpoints.record.records import Records
    from patchpoint.checkpoints.record.write import CheckpointRequest
    from patchpoint.checkpoints.taking import OtherRepositories, take_checkpoints
    from patchpoint.schema.git_settings import store_options_of

    kinds = {
        Moment.PROMPT: CheckpointKind.RUN,
        Moment.STEP: CheckpointKind.STEP,
        Moment.AFTER_STEP: CheckpointKind.AFTER_STEP,
        Moment.END: CheckpointKind.AFTER_RUN,
    }
    options, _ = store_options_of(folder)
    requests = [
        CheckpointRequest(
            kind=kinds[each.event.moment],
            label=each.event.label,
            session=each.session,
            message=each.event.turn,
            agent=each.call.agent,
            buffers={},
            only_changes=each.event.moment in (Moment.STEP, Moment.AFTER_STEP),
        )
        for each in calls
    ]
    root = os.path.realpath(os.fsdecode(repository.worktree))
    others = OtherRepositories(
        named=[place for each in calls for place in each.elsewhere(root)], within=wait * _FOR_OTHERS
    )
    options = replace(options, wait=wait)
    records = Records(repository, options.mirror_bytes)
    return take_checkpoints(records, requests, options, progress, others)


def _within(root: str, folder: str, file: str) -> str | None:
    """Return `file`, which is named from `folder`, relative to `root`, or `None` where it is not below."""
    above, name = os.path.split(os.path.join(folder, file))  # noqa: PTH118 - it need not be a path
    path = os.path.relpath(f"{os.path.realpath(above)}{os.sep}{name}", os.path.realpath(root))
    return None if path.startswith(os.pardir + os.sep) else path.replace(os.sep, "/")


def _undo_unfinished_edits() -> None:
    """Undo the edits that were cut short, so that no checkpoint holds a half of them, and say so."""
    from patchpoint.workspace.unfinished import recover_unfinished

    for says in recover_unfinished():
        sys.stderr.write(f"patchpoint hook: {says}\n")
