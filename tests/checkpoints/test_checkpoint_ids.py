from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.checkpoints.record.checkpoint import (
    Checkpoint,
    CheckpointKind,
    from_trailers,
    is_id,
    milliseconds_of,
    new_id,
    to_message,
    trailers_of,
)


def test_ids_made_one_after_the_other_sort_as_they_were_made() -> None:
    ids = [new_id()]
    for _ in range(50):
        ids.append(new_id(ids[-1]))
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)


def test_an_id_tells_when_it_was_made() -> None:
    before = int(time.time() * 1000)
    made = milliseconds_of(new_id())
    assert before <= made <= int(time.time() * 1000)


def test_an_id_sorts_after_the_newest_even_when_the_clock_was_set_back() -> None:
    from_the_future = "zz" + "0" * 12
    assert new_id(from_the_future[:1] + "0" * 13) > from_the_future[:1] + "0" * 13


def test_an_id_is_distinguished_from_other_text() -> None:
    assert is_id(new_id())
    assert not any(map(is_id, ("", "abc", "../../../heads/main", new_id() + "x", new_id().upper() + "U")))


_ANY_TEXT = st.text(max_size=40) | st.sampled_from(
    ["a\nb", " lead", "trail ", "100%", "x\n\nPatchpoint-Id: forged"]
)


@settings(max_examples=50, deadline=None)
@given(label=_ANY_TEXT, session=st.none() | _ANY_TEXT, message=st.none() | _ANY_TEXT, root=_ANY_TEXT)
def test_whatever_is_said_of_a_checkpoint_comes_back_from_its_commit_message(
    label: str, session: str | None, message: str | None, root: str
) -> None:
    checkpoint = Checkpoint(
        id=new_id(),
        commit="c" * 40,
        tree="d" * 40,
        label=label,
        session=session,
        message=message,
        branch="refs/heads/main",
        head=None,
        root=root,
        files=3,
        skipped=(),
        unchanged=True,
        kind=CheckpointKind.RUN,
        state="e" * 40,
        safety_for=None,
        dropped=(("0" * 14, "f" * 40), ("1" * 14, "a" * 40)),
    )
    trailers = trailers_of(to_message(checkpoint))
    read = from_trailers(checkpoint.id, checkpoint.commit, checkpoint.tree, trailers, (), root)
    assert read == checkpoint
    assert trailers["Root"] == (root,)
