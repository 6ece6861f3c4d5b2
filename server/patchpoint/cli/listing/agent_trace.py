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
from patchpoint.filesystem.atomic_write import write_atomically
from patchpoint.filesystem.open_to_read import read_file_bytes
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
    except OSError as error:
        message = f"{options.output} cannot be written: {error}."
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
    """Write our records into a file, in place of those that it has; the lines of others stay."""
    before = read_file_bytes(path) if path.exists() else b""
    others: list[bytes] = []
    for number, line in enumerate(before.splitlines(keepends=True), 1):
        record = _record(line)
        if record is None and line.strip():
            message = (
                f"{path} is left alone: its line {number} is not a trace record (a JSON object).\n"
                "Name another file with -o, or take that line out of it."
            )
            raise CommandError(message, "no-trace", WRONG_USAGE)
        if record is None or not _is_own(record):
            others.append(line)
    if others and not others[-1].endswith(b"\n"):
        others[-1] += b"\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, b"".join([*others, *(f"{line}\n".encode() for line in lines)]))


def _record(line: bytes) -> _Record | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _is_own(record: _Record) -> bool:
    tool = record.get("tool")
    return isinstance(tool, dict) and tool.get("name") == _TOOL
