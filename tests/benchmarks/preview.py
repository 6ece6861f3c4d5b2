"""How long a preview of very many edits takes: planned, shown, decided about, applied.

    python -m tests.benchmarks.preview [--files 300]

The server runs as an editor starts it, and is asked over its pipe as an editor asks it. One edit a file; the
files are not open, and have some hundred lines each.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

from tests.lsp.editor import Editor, block, declared_by, running

LINES = 120


def main() -> None:
    """Print every figure."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--files", type=int, default=300, help="files, with one edit each (%(default)s)")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.environ["PATCHPOINT_STATE_HOME"] = str(Path(name) / "state")
        asyncio.run(report(Path(name) / "work", given.files))


async def report(folder: Path, files: int) -> None:
    """Preview, look at the lenses, drop one, apply the others."""
    folder.mkdir()
    editor = Editor(declared_by("vscode-1.139.1-client-11.0.0"))
    editor.folder = folder
    answer = []
    for number in range(files):
        path = folder / f"package_{number % 20}" / f"module_{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"value_{line} = compute({number}, {line})\n" for line in range(LINES)))
        answer.append(block(path, f"value_60 = compute({number}, 60)\n", f"value_60 = {number}\n", editor))
    async with running(editor, folder):
        await editor.command("listPendingEdits")
        start = time.perf_counter()
        shown = await editor.command("previewEdits", {"text": "\n".join(answer)})
        previewed = time.perf_counter()
        uri = editor.shown_documents[-1].uri
        document = editor.open(uri, await editor.content(uri), "diff")
        lenses = await editor.lenses(document)
        buttons = time.perf_counter()
        dropping = next(lens for lens in lenses if lens.command and lens.command.title == "Drop")
        await editor.press(dropping)
        await editor.lenses(document)
        dropped = time.perf_counter()
        applied = (await editor.command("finishReview", {"review": shown["preview"]}))["result"]
        done = time.perf_counter()
        changed = sum(edit["status"] == "applied" for edit in applied["edits"])
        print(f"{files} edits in {files} files of {LINES} lines")
        print(f"until the preview is shown      {previewed - start:6.2f} s")
        print(f"... and all {len(lenses):4} buttons        {buttons - start:6.2f} s")
        print(f"one dropped, buttons again      {dropped - buttons:6.2f} s")
        print(f"{changed} applied                     {done - dropped:6.2f} s")


if __name__ == "__main__":
    main()
