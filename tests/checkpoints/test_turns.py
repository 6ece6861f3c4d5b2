"""Each checkpoint of a session says of which turn it is, and what the turn was asked for."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.checkpoints.record.turns import NO_PROMPT, Turn, turn_of, turns_of
from patchpoint.hooks.events import read_event

EMPTY = Checkpoint(
    id="",
    commit="",
    tree="",
    label="",
    session=None,
    message=None,
    branch=None,
    head=None,
    root="",
    files=0,
    skipped=(),
    unchanged=False,
    kind=CheckpointKind.MANUAL,
    state="",
)
RUN, STEP, AFTER = CheckpointKind.RUN, CheckpointKind.STEP, CheckpointKind.AFTER_RUN
MANUAL, BEFORE_APPLY = CheckpointKind.MANUAL, CheckpointKind.BEFORE_APPLY


def taken(*what: tuple[CheckpointKind, str | None, str | None, str]) -> list[Checkpoint]:
    """Checkpoints in the order in which they were taken, by kind, session, message and label."""
    return [
        replace(EMPTY, id=f"{number:014d}", kind=kind, session=session, message=message, label=label)
        for number, (kind, session, message, label) in enumerate(what)
    ]


def test_what_follows_a_prompt_is_of_its_turn_up_to_the_next() -> None:
    every = taken(
        (RUN, "a", "1", "Add a tax"),
        (STEP, "a", "1", "Before Bash: ls"),
        (RUN, "b", "t", "Drop it"),
        (STEP, "a", None, "Before Edit: x"),
        (AFTER, "a", None, "After a turn"),
        (RUN, "a", "2", "Round it"),
        (AFTER, "a", None, "After a turn"),
        (STEP, "b", None, "Before Bash: rm"),
    )
    turns = turns_of(reversed(every))
    add, drop, rounding = Turn("1", "Add a tax"), Turn("t", "Drop it"), Turn("2", "Round it")
    assert [turns[one.id] for one in every] == [add, add, drop, add, add, rounding, rounding, drop]


def test_what_is_not_known_is_not_guessed() -> None:
    every = taken(
        (STEP, "a", "1", "Before Bash: ls"),
        (RUN, "a", "2", NO_PROMPT),
        (STEP, "a", "3", "Before Bash: ls"),
        (STEP, "a", "2", "Before Bash: ls"),
        (BEFORE_APPLY, "a", "2", "Before 1 edit: x"),
        (MANUAL, None, None, "before lunch"),
        (RUN, None, None, "no session"),
    )
    turns = turns_of(every)
    named = [turns[one.id].name for one in every]
    assert named == ["1", "2", "3", "2", "2", None, None]
    assert {turns[one.id].prompt for one in every} == {None}


def test_a_hook_calls_a_prompt_of_which_nothing_is_known_by_that_name() -> None:
    event = read_event({"hook_event_name": "UserPromptSubmit", "session_id": "s"})
    assert event.label == NO_PROMPT


@given(
    st.lists(
        st.tuples(
            st.sampled_from(CheckpointKind),
            st.sampled_from([None, "a", "b"]),
            st.sampled_from([None, "1", "2"]),
            st.sampled_from(["x", "y", "", NO_PROMPT]),
        )
    )
)
def test_what_a_checkpoint_says_itself_is_never_contradicted(
    what: list[tuple[CheckpointKind, str | None, str | None, str]],
) -> None:
    every = taken(*what)
    turns = turns_of(every)
    assert set(turns) == {one.id for one in every}
    for one in every:
        own, found = turn_of(one), turns[one.id]
        assert own.name in (None, found.name)
        assert own.prompt in (None, found.prompt)
        if found.prompt is not None:
            assert any(each.label == found.prompt and each.session == one.session for each in every)
