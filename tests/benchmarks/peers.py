"""What other tools' own tests expect, and what Patchpoint does: run `python -m tests.benchmarks.peers`.

The cases are read from `../shared/cases/peers-dev.jsonl`, or from the files named as arguments. A difference
is not a fault: those that are meant stand, with reasons, in `tests/formats/deliberate_differences.py`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from patchpoint import apply_edits
from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats import edits_from_data, parse_edits
from tests.formats.deliberate_differences import DIFFERENCES

CASES = Path(__file__).parents[3] / "shared" / "cases" / "peers-dev.jsonl"
_FORMATS = {
    "codex": "auto",
    "codex-shell": "auto",
    "whole-file-parse": "wholeFile",
    "fence-strip": "wholeFile",
    "udiff-parse": "auto",
}


def _operated(case: dict[str, Any]) -> dict[str, Any]:
    """What became of the case's files, and the messages of what was refused."""
    before = dict(case["files_before"])
    items: list[Edit | Malformed]
    if case.get("edits") is not None:
        items = list(edits_from_data(case["edits"], origin=Format.REQUEST))
    else:
        items = list(parse_edits(case["edit_text"], _FORMATS.get(case["format"], "auto")))
    report = apply_edits(before, items)
    files = {path: text for path, text in report.files.items() if text is not None}
    refused = [outcome.message for outcome in report.outcomes if outcome.message]
    return {"files": files, "refused": refused, "edits": len(items)}


def _parsed(case: dict[str, Any]) -> Any:
    """What was read of the case's text, in the shape in which the case says what it expects."""
    wanted, text = case["format"], case["edit_text"]
    if wanted == "sr-filename":
        block = f"{text}\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
        return {"filename": parse_edits(block)[0].path}
    if wanted == "fence-strip":
        items = parse_edits(text, "wholeFile", path="filename.ext")
        return {"text": items[0].content if items and isinstance(items[0], Edit) else None}
    items = parse_edits(text, _FORMATS.get(wanted, "auto"))
    if any(isinstance(item, Malformed) for item in items) or not items:
        return {
            "error": "; ".join(item.message for item in items if isinstance(item, Malformed)) or "no edit"
        }
    edits = [item for item in items if isinstance(item, Edit)]
    if wanted == "whole-file-parse":
        return {"files": [[edit.path, edit.content] for edit in edits]}
    if wanted == "udiff-parse":
        return {"edits": [[edit.path, edit.search, edit.replace] for edit in edits]}
    return {
        "blocks": [
            [edit.path, edit.search, edit.content if edit.operation is Operation.CREATE else edit.replace]
            for edit in edits
        ]
    }


def _sides(lines: list[str]) -> tuple[str, str]:
    old = "".join(line[1:] for line in lines if line[0] != "+")
    return old, "".join(line[1:] for line in lines if line[0] != "-")


def _differs(case: dict[str, Any]) -> str:
    """How what Patchpoint does differs from what the case expects, or an empty text."""
    expected = case["expect"]
    shell = case["format"] == "codex-shell"
    if "files_after" in expected or (case["format"] in ("codex", "codex-shell") and "error" in expected):
        did = _operated(case)
        refused = bool(did["refused"]) or not did["edits"]
        if "error" in expected or expected.get("must_error"):
            return "" if refused else f"expected a refusal, got {did}"
        if shell and did["files"] != expected["files_after"]:
            return f"expected {expected['files_after']}, got {did}"
        return (
            ""
            if did["files"] == expected["files_after"]
            else f"expected {expected['files_after']}, got {did}"
        )
    got = _parsed(case)
    if "error" in expected:
        return "" if "error" in got else f"expected an error, got {got}"
    if case["format"] == "udiff-parse":
        expected = {"edits": [[path, *_sides(lines)] for path, lines in expected["edits"]]}
    keys = [key for key in ("blocks", "files", "edits", "filename", "text") if key in expected]
    return "" if all(got.get(key) == expected[key] for key in keys) else f"expected {expected}, got {got}"


def main(paths: list[Path]) -> None:
    """Print every difference that is not a deliberate one, and the counts."""
    counts: Counter[str] = Counter()
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            difference = _differs(case)
            if not difference:
                counts["same"] += 1
            elif case["id"] in DIFFERENCES:
                counts["deliberately different"] += 1
            else:
                counts["different"] += 1
                print(f"{case['id']} ({case['format']}): {difference}")
    print(", ".join(f"{count} {what}" for what, count in counts.most_common()) or "no cases")


if __name__ == "__main__":
    named = [Path(argument) for argument in sys.argv[1:]] or [CASES]
    if not all(path.is_file() for path in named):
        raise SystemExit(f"no cases at {', '.join(map(str, named))}")
    main(named)
