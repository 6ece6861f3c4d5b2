"""The file of chat sessions in `.git`, which may have come with the folder."""

from __future__ import annotations

import json
import os

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.record.sessions import SessionState
from tests.git.git_judge import WorkingTree

_GOOD = {"fresh_start": True, "message": "m1", "since": None}

_WRONG: tuple[tuple[str, object], ...] = (
    *(("fresh_start", value) for value in (1, "yes", None)),
    *(("message", value) for value in (1, ["m1"], False)),
    *(("since", value) for value in (1, "../../x", "")),
)


@pytest.mark.parametrize(
    "content",
    [
        *("", "null", "[]", "1", '"text"', "{", "[" * 100_000, '{"chat": []}', '{"chat": null}'),
        *(json.dumps({"chat": {**_GOOD, name: value}}) for name, value in _WRONG),
        json.dumps({"chat": {"fresh_start": True}}),
        " " * (16 << 20) + json.dumps({"chat": _GOOD}),
    ],
)
def test_what_is_no_state_of_a_session_counts_as_none(tree: WorkingTree, content: str) -> None:
    store = CheckpointStore.open(tree.root)
    store.take(session="chat", message="m1")
    place = tree.root / ".git/patchpoint/sessions.json"
    place.write_text(content)
    assert store.session("chat") == SessionState()
    tree.write({"a.txt": "changed\n"})
    store.restore(session="chat", message="m1")
    assert store.session("chat").fresh_start


def test_one_damaged_state_does_not_take_the_others_along(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    store.take()
    place = tree.root / ".git/patchpoint/sessions.json"
    place.write_text(json.dumps({"damaged": [], "chat": _GOOD}))
    assert store.session("chat").fresh_start
    assert not store.session("damaged").fresh_start


def test_a_pipe_in_its_place_is_not_waited_for(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    store.take()
    os.mkfifo(tree.root / ".git/patchpoint/sessions.json")
    assert store.session("chat") == SessionState()
