"""An undo log whose fields are not what a transaction writes: nothing of it is done."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from patchpoint.workspace.transaction.apply import roll_back_unfinished
from patchpoint.workspace.transaction.undo_log import FileStep, StepKind, Transaction, UndoLog

_PATHS: tuple[object, ...] = ("relative", "/with\0nul", 0, None, ["/"])
_SIZES: tuple[object, ...] = (-1, 1.5, "1", None, 1 << 70)
_MODES: tuple[object, ...] = (-1, 0o10000, "644", True, [])
_TEXTS: tuple[object, ...] = (1, None, "\0")
_WRONG = [
    *(("kind", value) for value in (*_TEXTS, "erase")),
    *((name, value) for name in ("root", "path") for value in (*_PATHS, "")),
    *((name, value) for name in ("new_path", "staged", "returning") for value in _PATHS),
    *((name, value) for name in ("new_size", "old_at", "old_size") for value in _SIZES),
    *((name, value) for name in ("old_mode", "new_mode") for value in _MODES),
    *(("old_mtime_ns", value) for value in ("1", None, 1.5)),
    *((name, value) for name in ("new_digest", "old_digest", "old_link") for value in _TEXTS),
    ("unknown", 1),
]


def record(log: Path, folder: Path, **wrong: object) -> None:
    step = FileStep(kind=StepKind.CREATE, root=str(folder), path=str(folder / "new.txt"))
    fields = {**asdict(Transaction((step,), ())), "steps": [{**asdict(step), **wrong}]}
    log.mkdir(parents=True)
    (log / "taking.json").write_text(json.dumps({"version": 1, "content": fields}))
    (log / "old").write_bytes(b"")


def test_a_record_without_damage_is_read(tmp_path: Path) -> None:
    record(tmp_path / "log", tmp_path)
    transaction = UndoLog(tmp_path / "log").read()
    assert transaction is not None
    assert transaction.steps[0].path == str(tmp_path / "new.txt")


@pytest.mark.parametrize(("name", "value"), _WRONG)
def test_a_record_with_a_damaged_field_is_set_aside(tmp_path: Path, name: str, value: object) -> None:
    record(tmp_path / "log", tmp_path, **{name: value})
    (tmp_path / "new.txt").write_text("here before\n")
    assert roll_back_unfinished(tmp_path / "log").restored == ()
    assert not UndoLog(tmp_path / "log").is_open
    assert list((tmp_path / "log").glob("taking.json.damaged-*"))
    assert (tmp_path / "new.txt").read_text() == "here before\n"


@pytest.mark.parametrize("folders", [[1], ["relative"], [None], "text", None])
def test_so_is_one_with_damaged_folders(tmp_path: Path, folders: object) -> None:
    (tmp_path / "log").mkdir()
    fields = {"steps": [], "folders": folders}
    (tmp_path / "log/taking.json").write_text(json.dumps({"version": 1, "content": fields}))
    assert UndoLog(tmp_path / "log").read() is None
