"""`patchpoint log --agent-trace`: who wrote which lines, as records of the Agent Trace specification.

https://agent-trace.dev, by Cursor; the records are those of its JSON schema, trace-record.json. `ai` is what
an edit wrote whose text its agent announced to the hook. All else is `unknown`: a command of an agent
may have brought what people wrote, an editor may save what a model completed, and no claim tells these apart.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import uuid
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from patchpoint.checkpoints.authorship.blame import FileAuthors, LineAuthor, TreeAuthors, tree_authors
from patchpoint.cli.stores import opened, store_options, watching
from patchpoint.cli.terminal import DONE, ENVIRONMENT_FAILED, WRONG_USAGE, CommandError, Terminal
from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.read import read_file
from patchpoint.filesystem.write import write_file
from patchpoint.text.lines import split_at_line_feeds
from patchpoint.version import __version__
from patchpoint.wording import plural

_VERSION = "1.0"
_TOOL = "patchpoint"
_Record = dict[str, object]


def agent_trace(options: argparse.Namespace, terminal: Terminal) -> int:
    """Print the records of the present state, one a line, or write them into a file of such records."""
    with opened(options) as store, watching() as progress:
        found = tree_authors(store.root, store_options(options.root, None), progress)
    lines = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in _records(found)]
    if options.output is None:
        for line in lines:
            terminal.line(line)
        return DONE
    try:
        _replace_own(Path(options.output), lines)
    except (OSError, FileError) as error:
        said = str(error) if isinstance(error, FileError) else f"{options.output} cannot be written: {error}"
        message = f"{said.rstrip('.')}."
        raise CommandError(message, "not-written", ENVIRONMENT_FAILED) from error
    files = plural(len(found.files), "file")
    terminal.line(f"Wrote who wrote the lines of {files} to {options.output}.")
    return DONE


def _records(found: TreeAuthors) -> Iterator[_Record]:
    """Yield a record of the files that are as the commit has them, and one of those that are not."""
    for is_committed in (True, False):
        files = [_file(each) for each in found.files if each.is_committed is is_committed]
        if files:
            revision = {"vcs": {"type": "git", "revision": found.commit}} if is_committed else {}
            now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
            yield {
                "version": _VERSION,
                "id": str(uuid.uuid4()),
                "timestamp": now.replace("+00:00", "Z"),
                **revision,
                "tool": {"name": _TOOL, "version": __version__},
                "files": files,
            }


def _file(of: FileAuthors) -> _Record:
    texts = split_at_line_feeds(of.content.decode("utf-8", "surrogateescape"))
    ranges: dict[str | None, list[_Record]] = {}
    for conversation, group in groupby(of.lines, _conversation):
        numbers = [each.line for each in group]
        first, last = numbers[0], numbers[-1]
        content = "".join(texts[first : last + 1]).encode("utf-8", "surrogateescape")
        ranges.setdefault(conversation, []).append(
            {
                "start_line": first + 1,
                "end_line": last + 1,
                "content_hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
            }
        )
    conversations = [
        {"contributor": {"type": "unknown"}, "ranges": those}
        if url is None
        else {"url": url, "contributor": {"type": "ai"}, "ranges": those}
        for url, those in ranges.items()
    ]
    return {"path": os.fsdecode(of.path), "conversations": conversations}


def _conversation(line: LineAuthor) -> str | None:
    """Return the URL of the turn that wrote a line; `None` where that is not known for certain."""
    if not line.is_stated or line.session is None:
        return None
    turn = line.turn
    names = (turn.agent if turn else None, line.session, turn.name if turn else None)
    return "patchpoint:" + "/".join(quote(name, safe="") for name in names if name)


def _replace_own(path: Path, lines: Iterable[str]) -> None:
    """Write our records into a file, in place of those that it has; the lines of others stay.

    Raises `FileError`; a file is not replaced by another, and keeps its permissions.
    """
    before = read_file(path) if os.path.lexists(path) else None
    others: list[str] = []
    for number, line in enumerate(split_at_line_feeds(before.text if before else ""), 1):
        record = _record(line)
        if record is None and line.strip():
            message = (
                f"{path} is left alone: its line {number} is not a trace record (a JSON object).\n"
                "Name another file with -o, or take that line out of it."
            )
            raise CommandError(message, "no-trace", WRONG_USAGE)
        if record is None or not _is_own(record):
            others.append(line)
    if others and not others[-1].endswith("\n"):
        others[-1] += "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, "".join([*others, *(f"{line}\n" for line in lines)]), before)


def _record(line: str) -> _Record | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _is_own(record: _Record) -> bool:
    tool = record.get("tool")
    return isinstance(tool, dict) and tool.get("name") == _TOOL
