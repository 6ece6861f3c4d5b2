"""The whole way once: a drifted answer lands in a small project through the real server, and is rolled back.

`python -m tests.demo [COMMAND ...]` starts the server with COMMAND, else as `patchpoint` does.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from lsprotocol import types

from patchpoint.cli.terminal import Terminal, plural, standard_output
from tests.demo.project import ANSWER, contents, make_project
from tests.lsp.editor import Buffer, Editor, attach, declared_by, path_of

CLIENT = "vscode-1.139.1-client-11.0.0"
MARKS = {
    "applied": ("✓", "green"),
    "matched": ("✓", "green"),
    "held": ("◦", "yellow"),
    "ambiguous": ("?", "yellow"),
    "notFound": ("✗", "red"),
}
WORDS = {"notFound": "not found", "alreadyApplied": "already there"}


class Story:
    """The demo as it is told: the editor, the project and the terminal."""

    def __init__(self, editor: Editor, project: Path, terminal: Terminal) -> None:
        self.editor = editor
        self.project = project
        self.terminal = terminal
        self.chapter = 0

    def say(self, text: str = "", *styles: str) -> None:
        """One line, indented."""
        self.terminal.line(f"   {self.terminal.paint(text, *styles)}".rstrip())

    def begin(self, title: str, command: str) -> None:
        """The next chapter."""
        self.chapter += 1
        self.terminal.line()
        heading = self.terminal.paint(f"{self.chapter}. {title}", "bold", "blue")
        self.terminal.line(f"{heading}  {self.terminal.paint(command, 'dim')}")

    def check(self, holds: bool, claim: str) -> None:
        """Show that `claim` holds, or fail loudly."""
        if not holds:
            raise SystemExit(f"The demo failed: it does not hold that {claim}.")
        self.say(f"✓ {claim}", "green")

    def name(self, uri: str) -> str:
        """A file as people call it."""
        return path_of(uri).relative_to(self.project).as_posix()

    def outcomes(self, edits: list[dict[str, Any]]) -> None:
        """One line for each edit: where, what became of it, and by which rung."""
        for edit in edits:
            mark, colour = MARKS.get(edit["status"], ("·", "dim"))
            place = edit["newRange"] or edit["range"]
            where = self.name(edit["uri"]) + (f":{place['start']['line'] + 1}" if place else "")
            status = WORDS.get(edit["status"], edit["status"])
            how = edit["rung"] or ""
            if edit["similarity"] is not None and edit["similarity"] < 1:
                how += f" {edit['similarity']:.0%}"
            self.say(f"{mark} {edit['index'] + 1}  {where:<22}{status:<12}{how}".rstrip(), colour)
            if not edit["range"]:
                self.say(f"     {edit['message']}", "dim")

    def diffs(self, files: list[dict[str, Any]]) -> None:
        """The unified diffs of files."""
        for file in files:
            self.terminal.diff(file["diff"])


async def tell(story: Story, server: list[str]) -> None:
    """Start the server, act as a person at an editor would, and show what comes back."""
    editor, project = story.editor, story.project
    await editor.start_io(*server, env=dict(os.environ))
    result = await attach(editor, project)
    assert result.server_info is not None
    story.say(
        f"server    {result.server_info.name} {result.server_info.version}, started by: {' '.join(server)}"
    )
    buffers = {
        name: editor.open(project / name) for name in ("till/basket.py", "till/tax.py", "till/receipt.py")
    }
    before = contents(project)
    answer = ANSWER.read_text(encoding="utf-8")

    story.begin("What would happen, all or nothing", "patchpoint.applyEdits {text, dryRun}")
    dry = await editor.command("applyEdits", {"text": answer, "dryRun": True})
    story.outcomes(dry["edits"])
    story.check(contents(project) == before, "nothing was written, for not every edit has its place")

    story.begin("Apply those that have their place", 'patchpoint.applyEdits {text, atomic: "edit"}')
    applied = await editor.command("applyEdits", {"text": answer, "atomic": "edit"})
    story.outcomes(applied["edits"])
    story.say()
    story.diffs(applied["files"])
    checkpoint = applied["checkpoint"]
    story.say()
    story.say(f"A checkpoint of {plural(checkpoint['files'], 'file')} was taken before: {checkpoint['id']}")

    story.begin("The others wait, underlined where they were meant to go", "textDocument/publishDiagnostics")
    uris = {name: (project / name).as_uri() for name in ("till/tax.py", "till/basket.py")}
    await editor.until(lambda: all(editor.diagnostics.get(uri) for uri in uris.values()))
    for uri in uris.values():
        for diagnostic in editor.diagnostics[uri]:
            show_diagnostic(story, uri, diagnostic)

    story.begin("Choose a candidate for the ambiguous one", "patchpoint.resolveEdit {edit, candidate: 1}")
    waiting = next(edit for edit in applied["edits"] if edit["status"] == "ambiguous")
    chosen = await editor.command("resolveEdit", {"edit": waiting["id"], "candidate": 1})
    story.outcomes(chosen["edits"])
    story.say()
    story.diffs(chosen["files"])
    await editor.until(lambda: not editor.diagnostics[uris["till/tax.py"]])
    for buffer in buffers.values():
        editor.save(buffer)
    (project / "till" / "notes.txt").write_text("made by a run that nobody watched\n", encoding="utf-8")
    after = contents(project)

    story.begin("What changed since the checkpoint", "patchpoint.diffCheckpoint {checkpoint}")
    difference = await editor.command("diffCheckpoint", {"checkpoint": checkpoint["id"]})
    for file in difference["files"]:
        story.say(f"{file['operation']:<8}{story.name(file['uri'])}")

    story.begin("Go back", "patchpoint.restoreCheckpoint {checkpoint}")
    restored = await editor.command("restoreCheckpoint", {"checkpoint": checkpoint["id"]})
    story.say(
        f"{len(restored['written'])} written, {len(restored['deleted'])} deleted, kept for undo: "
        f"{restored['safety']}"
    )
    reload_saved(editor, project, buffers)
    story.check(contents(project) == before, f"every byte of {plural(len(before), 'file')} is as it was")

    story.begin("And undo that", "patchpoint.undoRestore")
    await editor.command("undoRestore")
    reload_saved(editor, project, buffers)
    story.check(contents(project) == after, f"every byte of {plural(len(after), 'file')} is back again")
    await editor.shutdown_session()
    process = editor._server
    assert process is not None
    await process.wait()


async def stop(editor: Editor) -> None:
    """End the editor, and the server if it has not ended by itself."""
    process = editor._server
    if process is not None and process.returncode is None and editor.error is None:
        process.kill()
    await editor.stop()  # type: ignore[no-untyped-call]


def reload_saved(editor: Editor, project: Path, buffers: dict[str, Buffer]) -> None:
    """Read saved buffers again, as editors do when their files change."""
    for name, buffer in buffers.items():
        editor.replace(buffer, (project / name).read_bytes().decode())
        buffer.dirty = False


def show_diagnostic(story: Story, uri: str, diagnostic: types.Diagnostic) -> None:
    """A diagnostic as an editor shows it, with the places that it points to."""
    place = f"{story.name(uri)}:{diagnostic.range.start.line + 1}"
    first, *rest = diagnostic.message.splitlines()
    story.say(f"{place}  [{diagnostic.code}] {first}", "yellow")
    for line in rest:
        story.say(f"    {line}", "dim")
    for related in diagnostic.related_information or []:
        there = f"{story.name(related.location.uri)}:{related.location.range.start.line + 1}"
        story.say(f"    ↳ {there}  {related.message.splitlines()[0]}")


async def main(server: list[str]) -> None:
    """Tell the story in a folder that is thrown away."""
    terminal = standard_output()
    with tempfile.TemporaryDirectory(prefix="patchpoint-demo-") as folder:
        project = make_project(Path(folder).resolve() / "till")
        story = Story(Editor(declared_by(CLIENT)), project, terminal)
        terminal.line(terminal.paint("Patchpoint, the whole way once", "bold"))
        story.say(f"project   {project}, a git repository of {plural(len(contents(project)), 'file')}")
        story.say(
            f"answer    {ANSWER.relative_to(Path.cwd()) if ANSWER.is_relative_to(Path.cwd()) else ANSWER}"
        )
        try:
            await tell(story, server)
        finally:
            await stop(story.editor)
        terminal.line()
        terminal.line(terminal.paint("Nothing was guessed, nothing was lost.", "bold", "green"))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or [sys.executable, "-m", "patchpoint"]))
