"""A request may cost so much: the edits that fit are decided as ever, and the others are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from patchpoint import apply_edits
from patchpoint.edit import Edit, Format, Operation, Target, TargetKind
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Reason, Status
from patchpoint.patching.plan import plan_edits

FUNCTIONS = "".join(f"def f{i}(alpha, beta):\n    return compute(alpha, beta, {i})\n\n\n" for i in range(200))


def misquoted(i: int) -> Edit:
    search = f"def f{i}(alpha,beta):\n    return komputee(alpha, beta, {i})"
    return Edit(path="m.py", search=search, replace=f"def f{i}(alpha):\n    return {i}")


def shown(i: int) -> Edit:
    code = f"def f{i}(alpha, beta):\n    # ... existing code ...\n    return {i}\n"
    return Edit(path="m.py", operation=Operation.MERGE, replace=code, format=Format.LAZY)


def named(i: int) -> Edit:
    words = f"beta, {i})"
    target = Target(TargetKind.WORDS, words)
    return Edit(path="m.py", operation=Operation.PLACE, search=words, replace=f"{i})", target=target)


@pytest.mark.parametrize(("edit", "times"), [(misquoted, 48), (shown, 700), (named, 48)])
def test_what_fits_is_decided_as_ever_and_the_rest_is_refused(
    edit: Callable[[int], Edit], times: int
) -> None:
    edits = [edit(i) for i in range(0, 200, 10)]
    unbounded = plan_edits(edits, {"m.py": FUNCTIONS}).outcomes
    assert Reason.TOO_MUCH not in {outcome.reason for outcome in unbounded}
    bounded = plan_edits(
        edits, {"m.py": FUNCTIONS}, ladder=Ladder(request_budget=times * len(FUNCTIONS))
    ).outcomes
    refused = [outcome.reason is Reason.TOO_MUCH for outcome in bounded]
    first = refused.index(True)
    assert 0 < first < len(edits)
    assert all(refused[first:])
    kept = [outcome.message for outcome in unbounded[:first]]
    held = [outcome.status is Status.HELD for outcome in bounded[:first]]
    assert all(
        is_held or outcome.message == message
        for outcome, message, is_held in zip(bounded[:first], kept, held, strict=True)
    )
    assert {outcome.status for outcome in bounded[first:]} == {Status.REJECTED}


def test_the_same_edits_are_refused_each_time() -> None:
    edits = [misquoted(i) for i in range(40)]
    ladder = Ladder(request_budget=20 * len(FUNCTIONS))
    one, other = (plan_edits(edits, {"m.py": FUNCTIONS}, ladder=ladder) for _ in range(2))
    assert one == other


def test_the_budget_is_one_for_all_files_of_a_request() -> None:
    files = {f"m{i}.py": FUNCTIONS for i in range(20)}
    edits = [
        Edit(path=path, search=misquoted(7).search, replace=misquoted(7).replace, format=Format.REQUEST)
        for path in files
    ]
    report = apply_edits(files, edits, ladder=Ladder(request_budget=8 * len(FUNCTIONS)))
    assert report.files == files
    assert report.outcomes[0].reason is not Reason.TOO_MUCH
    assert report.outcomes[-1].reason is Reason.TOO_MUCH
    assert "send it in the next" in report.feedback


def test_an_edit_of_new_text_that_is_not_looked_for_is_not_said_to_be_missing() -> None:
    edits = [
        Edit(path="m.py", search="compute(alpha, beta, 7)", replace="quite_other_words(7)"),
        Edit(path="m.py", search="quite_other_words(7)", replace="still_other_words(7)"),
    ]
    assert {one.status for one in plan_edits(edits, {"m.py": FUNCTIONS}).outcomes} == {Status.MATCHED}
    ladder = Ladder(request_budget=len(FUNCTIONS) // 4 - 1)
    assert plan_edits(edits, {"m.py": FUNCTIONS}, ladder=ladder).outcomes[1].reason is Reason.TOO_MUCH


def test_code_that_names_no_file_is_not_placed_where_there_is_too_much_to_hold_it_against() -> None:
    files = {f"m{i}.py": f"{FUNCTIONS}\n\nonly_here = compute\n" for i in range(4)} | {
        "own.py": "def only_here(alpha):\n    x = alpha\n    return x\n"
    }
    code = "def only_here(alpha):\n    # ... existing code ...\n    return 2\n"
    answer = f"Update this:\n\n```python\n{code}```\n"
    assert apply_edits(files, answer).files["own.py"] == files["own.py"].replace("return x", "return 2")
    report = apply_edits(files, answer, ladder=Ladder(request_budget=16 * len(FUNCTIONS)))
    assert report.files == files
