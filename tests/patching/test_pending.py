"""Edits that could not be applied are kept, evaluated again, and dropped when nothing is left to do."""

from __future__ import annotations

from dataclasses import replace

from patchpoint.edit import Edit
from patchpoint.outcome import Status
from patchpoint.patching.pending import (
    ChangeStatus,
    PendingEdit,
    change_status,
    digest_of,
    edit_id,
    outcome_now,
    remember,
)

EDIT = Edit(path="song.txt", search="two\n", replace="zwei\n")


def pending(edit: Edit = EDIT, seen: str = "") -> PendingEdit:
    return PendingEdit(id=edit_id("/f/song.txt", edit), file="/f/song.txt", edit=edit, seen=digest_of(seen))


def test_the_same_edit_has_the_same_id_anywhere_in_an_answer() -> None:
    assert edit_id("/f/song.txt", EDIT) == edit_id("/f/song.txt", replace(EDIT, span=(10, 20)))
    assert edit_id("/f/song.txt", EDIT) != edit_id("/f/other.txt", EDIT)
    assert edit_id("/f/song.txt", EDIT) != edit_id("/f/song.txt", replace(EDIT, replace="due\n"))


def test_an_edit_that_comes_again_is_kept_once_and_counted() -> None:
    kept = remember(remember({}, [pending(seen="a")]), [pending(seen="b")])
    assert [p.attempts for p in kept.values()] == [2]
    assert [p.seen for p in kept.values()] == [digest_of("a")]


def test_a_document_that_a_person_applies_once_more_is_no_other_attempt_of_the_model() -> None:
    here, there = (replace(pending(), source=source) for source in ("untitled:1", "untitled:2"))
    assert [p.attempts for p in remember(remember({}, [here]), [here]).values()] == [1]
    assert [p.attempts for p in remember(remember({}, [here]), [there]).values()] == [2]


def test_a_pending_edit_is_evaluated_again_in_the_present_text_of_its_file() -> None:
    assert outcome_now(pending(), "two\ntwo\n").status is Status.AMBIGUOUS
    assert outcome_now(pending(), "one\ntwo\n").status is Status.MATCHED
    assert outcome_now(pending(), None).status is Status.NOT_FOUND


def test_an_edit_is_overtaken_when_what_it_asks_for_has_been_done() -> None:
    edit = Edit(path="song.txt", search="    alpha = 1\n", replace="    alpha_value = compute_alpha()\n")
    done = outcome_now(pending(edit), "def f():\n    alpha_value = compute_alpha()\n")
    assert done.status is Status.ALREADY_APPLIED
    assert outcome_now(pending(edit), "def f():\n    alpha = 1\n").status is not Status.ALREADY_APPLIED


def test_the_users_own_changes_are_distinguished_from_changes_of_the_buffer() -> None:
    seen = pending(seen="a")
    assert change_status(seen, "a", "a") is ChangeStatus.UNCHANGED
    assert change_status(seen, "a", "before") is ChangeStatus.MODIFIED
    assert change_status(seen, "a", None) is ChangeStatus.ADDED
    assert change_status(seen, "b", "b") is ChangeStatus.MOVED_ON
    assert change_status(seen, "b", "before") is ChangeStatus.MODIFIED_AND_MOVED_ON
