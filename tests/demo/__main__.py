"""The demo: a drifted answer is applied to a small project through the real server, and rolled back.

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

from patchpoint.cli.terminal import Terminal, standard_output
from patchpoint.wording import plural
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


class Show:
    """What the demo works with: the editor, the project and the terminal."""

    def __init__(self, editor: Editor, project: Path, terminal: Terminal) -> None:
        self.editor = editor
        self.project = project
        self.terminal = terminal
        self.chapter = 0

    def line(self, text: str = "", *styles: str) -> None:
        """Print one indented line."""
        self.terminal.line(f"   {self.terminal.paint(text, *styles)}".rstrip())

    def begin(self, title: str, command: str) -> None:
        """Print the heading of the next chapter."""
        self.chapter += 1
        self.terminal.line()
        heading = self.terminal.paint(f"{self.chapter}. {title}", "bold", "blue")
        self.terminal.line(f"{heading}  {self.terminal.paint(command, 'dim')}")

    def check(self, holds: bool, claim: str) -> None:
        """Show that `claim` holds, or fail loudly."""
        if not holds:
            raise SystemExit(f"The demo failed: it does not hold that {claim}.")
        self.line(f"✓ {claim}", "green")

    def name(self, uri: str) -> str:
        """Return the path of a file below the project."""
        return path_of(uri).relative_to(self.project).as_posix()

    def outcomes(self, edits: list[dict[str, Any]]) -> None:
        """Print one line for each edit: its place, its status, and the rung that found it."""
        for edit in edits:
            mark, colour = MARKS.get(edit["status"], ("·", "dim"))
            place = edit["newRange"] or edit["range"]
            where = self.name(edit["uri"]) + (f":{place['start']['line'] + 1}" if place else "")
            status = WORDS.get(edit["status"], edit["status"])
            how = edit["rung"] or ""
            if edit["similarity"] is not None and edit["similarity"] < 1:
                how += f" {edit['similarity']:.0%}"
            self.line(f"{mark} {edit['index'] + 1}  {where:<22}{status:<12}{how}".rstrip(), colour)
            if not edit["range"]:
                self.line(f"     {edit['message']}", "dim")

    def diffs(self, files: list[dict[str, Any]]) -> None:
        """Print the unified diffs of files."""
        for file in files:
            self.terminal.diff(file["diff"])


async def play(show: Show, server: list[str]) -> None:
    """Start the server, act as a person at an editor would, and show the results."""
    editor, project = show.editor, show.project
    await editor.start_io(*server, env=dict(os.environ))
    result = await attach(editor, project)
    assert result.server_info is not None
    show.line(
        f"server    {result.server_info.name} {result.server_info.version}, started by: {' '.join(server)}"
    )
    buffers = {
        name: editor.open(project / name) for name in ("till/basket.py", "till/tax.py", "till/receipt.py")
    }
    before = contents(project)
    answer = ANSWER.read_text(encoding="utf-8")

    show.begin("What would happen, all or nothing", "patchpoint.applyEdits {text, dryRun}")
    dry = await editor.command("applyEdits", {"text": answer, "dryRun": True})
    show.outcomes(dry["edits"])
    show.check(contents(project) == before, "nothing was written, because not every edit has its place")

    show.begin("Apply those that have their place", 'patchpoint.applyEdits {text, atomic: "edit"}')
    applied = await editor.command("applyEdits", {"text": answer, "atomic": "edit"})
    show.outcomes(applied["edits"])
    show.line()
    show.diffs(applied["files"])
    checkpoint = applied["checkpoint"]
    show.line()
    show.line(f"A checkpoint of {plural(checkpoint['files'], 'file')} was taken before: {checkpoint['id']}")

    show.begin("The others wait, underlined where they were meant to go", "textDocument/publishDiagnostics")
    uris = {name: (project / name).as_uri() for name in ("till/tax.py", "till/basket.py")}
    await editor.until(lambda: all(editor.diagnostics.get(uri) for uri in uris.values()))
    for uri in uris.values():
        for diagnostic in editor.diagnostics[uri]:
            show_diagnostic(show, uri, diagnostic)

    show.begin("Choose a candidate for the ambiguous one", "patchpoint.resolveEdit {edit, candidate: 1}")
    waiting = next(edit for edit in applied["edits"] if edit["status"] == "ambiguous")
    chosen = await editor.command("resolveEdit", {"edit": waiting["id"], "candidate": 1})
    show.outcomes(chosen["edits"])
    show.line()
    show.diffs(chosen["files"])
    await editor.until(lambda: not editor.diagnostics[uris["till/tax.py"]])
    for buffer in buffers.values():
        editor.save(buffer)
    (project / "till" / "notes.txt").write_text("made by a run that nobody watched\n", encoding="utf-8")
    after = contents(project)

    show.begin("What changed since the checkpoint", "patchpoint.diffCheckpoint {checkpoint}")
    difference = await editor.command("diffCheckpoint", {"checkpoint": checkpoint["id"]})
    for file in difference["files"]:
        show.line(f"{file['operation']:<8}{show.name(file['uri'])}")

    show.begin("Go back", "patchpoint.restoreCheckpoint {checkpoint}")
    restored = await editor.command("restoreCheckpoint", {"checkpoint": checkpoint["id"]})
    show.line(
        f"{len(restored['written'])} written, {len(restored['deleted'])} deleted, kept for undo: "
        f"{restored['safety']}"
    )
    reload_saved(editor, project, buffers)
    show.check(contents(project) == before, f"every byte of {plural(len(before), 'file')} is as it was")

    show.begin("And undo that", "patchpoint.undoRestore")
    await editor.command("undoRestore")
    reload_saved(editor, project, buffers)
    show.check(contents(project) == after, f"every byte of {plural(len(after), 'file')} is back again")
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


def show_diagnostic(show: Show, uri: str, diagnostic: types.Diagnostic) -> None:
    """Print a diagnostic as an editor shows it, with the places that it points to."""
    place = f"{show.name(uri)}:{diagnostic.range.start.line + 1}"
    first, *rest = diagnostic.message.splitlines()
    show.line(f"{place}  [{diagnostic.code}] {first}", "yellow")
    for line in rest:
        show.line(f"    {line}", "dim")
    for related in diagnostic.related_information or []:
        there = f"{show.name(related.location.uri)}:{related.location.range.start.line + 1}"
        show.line(f"    ↳ {there}  {related.message.splitlines()[0]}")


async def main(server: list[str]) -> None:
    """Play the demo in a temporary folder."""
    terminal = standard_output()
    with tempfile.TemporaryDirectory(prefix="patchpoint-demo-") as folder:
        project = make_project(Path(folder).resolve() / "till")
        show = Show(Editor(declared_by(CLIENT)), project, terminal)
        terminal.line(terminal.paint("Patchpoint, the whole way once", "bold"))
        show.line(f"project   {project}, a git repository of {plural(len(contents(project)), 'file')}")
        show.line(
            f"answer    {ANSWER.relative_to(Path.cwd()) if ANSWER.is_relative_to(Path.cwd()) else ANSWER}"
        )
        try:
            await play(show, server)
        finally:
            await stop(show.editor)
        terminal.line()
        terminal.line(terminal.paint("Nothing was guessed, nothing was lost.", "bold", "green"))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or [sys.executable, "-m", "patchpoint"]))
