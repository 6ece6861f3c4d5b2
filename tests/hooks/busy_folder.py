"""A folder that several agents and a person change at once, of which every line is remembered."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.record.steps import SavedFile, record_steps, splice_between
from patchpoint.git.odb.ids import BLOB, object_id
from patchpoint.hooks.take import HookCall, answer_each

SESSIONS = ("one", "two", "three")
PERSON = "person"


def call_hook(root: Path, **sent: object) -> None:
    """Call the hook as an agent does, in this process."""
    data = json.dumps({**sent, "cwd": str(root)}).encode()
    (answer,) = answer_each([HookCall(agent="claude", folder=str(root), sent=data, wait=30.0)])
    assert answer is not None
    assert not answer.report


@dataclass
class Line:
    """A line of a file: who wrote it, and who deleted it."""

    text: str
    by: str
    gone_by: str = ""


@dataclass
class File:
    """A file of which every line is remembered."""

    made_by: str
    lines: list[Line]
    gone_by: str = ""

    @property
    def text(self) -> str | None:
        """What it is now; `None` where it is deleted."""
        return None if self.gone_by else "".join(line.text for line in self.lines if not line.gone_by)

    def without(self, by: str) -> str | None:
        """What it were if one of them never had been there."""
        if self.made_by == by or self.gone_by not in ("", by):
            return None
        return "".join(line.text for line in self.lines if line.by != by and line.gone_by in ("", by))


@dataclass
class Step:
    """A step that a session has begun: what its hook is sent, and what it does when it is carried out."""

    tool: str
    given: dict[str, object]
    carry_out: Callable[[], bool]
    is_done: bool = False
    has_failed: bool = False


@dataclass
class Folder:
    """A folder that three sessions and a person change, and what each of them did."""

    root: Path
    chance: random.Random
    files: dict[str, File] = field(default_factory=dict)
    at_work: dict[str, int] = field(default_factory=dict)
    """The sessions in a turn, with the number of the turn."""
    running: dict[str, Step] = field(default_factory=dict)
    interrupted: set[str] = field(default_factory=set)
    count: int = 0

    def begin(self) -> None:
        for number in range(6):
            name = f"{number}.txt"
            self.files[name] = File("", [self.line("") for _ in range(self.chance.randint(10, 40))])
            self.write(name)

    def act(self) -> None:
        """Let one of them do the next thing, whatever the others are doing."""
        who = self.chance.choice((*SESSIONS, *SESSIONS, PERSON))
        if who == PERSON:
            self.by_hand()
        elif who not in self.at_work:
            self.count += 1
            self.at_work[who] = self.count
            self.hook(who, "UserPromptSubmit", prompt=f"Turn {self.count} of {who}")
        elif who not in self.running:
            if self.chance.random() < 0.25:
                self.hook(who, "Stop")
                del self.at_work[who]
            else:
                self.running[who] = step = self.step(who)
                self.hook(who, "PreToolUse", step)
        elif not (step := self.running[who]).is_done:
            step.is_done, step.has_failed = True, not step.carry_out()
        elif self.chance.random() < 0.04:
            self.interrupted.add(who)
            del self.running[who], self.at_work[who]
        else:
            self.end_step(who)

    def finish(self) -> None:
        """Let each session come to its end."""
        for who in sorted(self.running):
            step = self.running[who]
            step.has_failed = step.has_failed or (not step.is_done and not step.carry_out())
            self.end_step(who)
        for who in sorted(self.at_work):
            self.hook(who, "Stop")

    def end_step(self, who: str) -> None:
        step = self.running.pop(who)
        event = "PostToolUseFailure" if step.has_failed else "PostToolUse"
        self.hook(who, event, step)

    def hook(self, who: str, event: str, step: Step | None = None, **sent: object) -> None:
        if step is not None:
            sent |= {"tool_name": step.tool, "tool_input": step.given, "tool_use_id": f"call-{id(step)}"}
        call_hook(
            self.root,
            hook_event_name=event,
            session_id=who,
            prompt_id=f"{who}-{self.at_work[who]}",
            **sent,
        )

    def line(self, by: str) -> Line:
        self.count += 1
        return Line(f"{by or 'file'} {self.count}\n", by)

    def write(self, name: str) -> None:
        text = self.files[name].text
        if text is None:
            (self.root / name).unlink()
        else:
            (self.root / name).write_text(text)

    def step(self, who: str) -> Step:
        kind = self.chance.random()
        if kind < 0.6:
            return self.edit(who)
        return self.whole(who) if kind < 0.8 else self.command(who)

    def edit(self, who: str) -> Step:
        """An edit of some lines; it fails where they are not there any more when it is carried out."""
        name = self.chance.choice(self.present())
        file = self.files[name]
        seen = [line for line in file.lines if not line.gone_by]
        if not seen:
            return self.command(who)
        at = self.chance.randrange(len(seen))
        old = seen[at : at + self.chance.randint(1, 3)]
        kept = old[:1] if self.chance.random() < 0.5 else []
        new = [
            self.line(who) for _ in range(self.chance.randint(0 if kept or len(old) < len(seen) else 1, 2))
        ]
        old_text = "".join(line.text for line in old)
        new_text = "".join(line.text for line in (*kept, *new))

        def carry_out() -> bool:
            if file.gone_by or (file.text or "").count(old_text) != 1 or old_text == new_text:
                return False
            self.replace(file, old[len(kept) :], kept[-1] if kept else None, new, who)
            self.write(name)
            return True

        given: dict[str, object] = {
            "file_path": str(self.root / name),
            "old_string": old_text,
            "new_string": new_text,
        }
        return Step("Edit", given, carry_out)

    def replace(self, file: File, gone: list[Line], after: Line | None, new: list[Line], who: str) -> None:
        place = file.lines.index(gone[0]) if gone else file.lines.index(after) + 1  # type: ignore[arg-type]
        for line in gone:
            line.gone_by = who
        file.lines[place:place] = new

    def whole(self, who: str) -> Step:
        """A new file, or another content of one, unless that has changed in the meantime."""
        if self.chance.random() < 0.5:
            self.count += 1
            name, before = f"new-{self.count}.txt", None
            lines = [self.line(who) for _ in range(self.chance.randint(1, 4))]
            text = "".join(line.text for line in lines)
        else:
            name = self.chance.choice(self.present())
            before = self.files[name].text
            lines = [self.line(who)]
            text = (before or "") + lines[0].text

        def carry_out() -> bool:
            if before is None:
                self.files[name] = File(who, lines)
            elif self.files[name].text != before:
                return False
            else:
                self.files[name].lines += lines
            self.write(name)
            return True

        return Step("Write", {"file_path": str(self.root / name), "content": text}, carry_out)

    def command(self, who: str) -> Step:
        """A command, which does not say what it does."""

        def carry_out() -> bool:
            for name in self.chance.sample(self.present(), min(2, len(self.present()))):
                if self.chance.random() < 0.1 and len(self.present()) > 2:
                    self.files[name].gone_by = who
                else:
                    self.change_lines(self.files[name], who)
                self.write(name)
            return self.chance.random() < 0.8

        return Step("Bash", {"command": "make"}, carry_out)

    def change_lines(self, file: File, who: str) -> None:
        seen = [line for line in file.lines if not line.gone_by]
        new = [self.line(who) for _ in range(self.chance.randint(1, 2))]
        if not seen:
            file.lines += new
            return
        at = self.chance.randrange(len(seen))
        gone = seen[at : at + self.chance.randint(0, 2)]
        self.replace(file, gone, seen[at], new, who)

    def by_hand(self) -> None:
        """Let the person change a file: in an editor, which says so, or by anything else while no command
        runs, of which nobody could tell whose it is."""
        is_running = any(step.tool == "Bash" for step in self.running.values()) or self.interrupted
        in_editor = self.chance.random() < 0.5 or bool(is_running)
        name = self.chance.choice(self.present())
        was = self.files[name].text or ""
        self.change_lines(self.files[name], PERSON)
        self.write(name)
        if in_editor:
            note_saved(self.root, name, was, self.files[name].text or "")

    def present(self) -> list[str]:
        return [name for name, file in self.files.items() if not file.gone_by]


def note_saved(root: Path, name: str, was: str, now: str) -> None:
    """Record that an editor saved a file, as the language server does."""
    newest = CheckpointStore.open(root).list(limit=1)
    if newest:
        splice = splice_between(was.encode(), now.encode())
        saved = SavedFile(path=name, after=newest[0].id, was=blob(was), now=blob(now), splice=splice)
        record_steps(root / ".git/patchpoint", [saved])


def blob(text: str) -> str:
    return object_id(BLOB, text.encode(), "sha1").hex()


def contents(root: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in root.glob("*.txt")}
