"""A person chooses where shown code goes that could go to several places."""

from __future__ import annotations

import pytest

from patchpoint import Ladder, Rung, Status
from patchpoint.edit import Edit, Format, Operation
from patchpoint.outcome import Outcome, Reason
from patchpoint.patching.resolve import resolve_edit
from patchpoint.structure.lazy.doubt import sound
from patchpoint.structure.lazy.doubt.sound import Soundness

SESSION = """\
class Session:
    def open(self):
        self.is_open = True

    def close(self):
        self.is_open = False


class Log:
    def close(self):
        pass


def main():
    Session().open()
"""
NEW = "def reset(self):\n    self.close()\n"
CLOSE = "def close(self):\n    self.is_open = None\n    self.done = True\n"


def shown(code: str) -> Edit:
    return Edit(path="session.py", operation=Operation.MERGE, replace=code, format=Format.LAZY)


def outcomes(code: str, text: str = SESSION) -> tuple[Outcome, list[Outcome]]:
    """Return the outcome of shown code without a choice, and one for each candidate chosen."""
    asked = resolve_edit(text, shown(code))
    return asked, [resolve_edit(text, shown(code), chosen=each.span) for each in asked.candidates]


def test_a_new_definition_alone_goes_below_the_one_that_is_chosen() -> None:
    asked, chosen = outcomes(NEW)
    assert (asked.status, asked.reason) == (Status.AMBIGUOUS, Reason.NEW_ALONE)
    names = ["Session", "open", "close", "Log", "close", "main"]
    assert [each.where for each in asked.candidates] == [f"below {name}" for name in names]
    assert all(each.status is Status.MATCHED and each.rung is Rung.STRUCTURE for each in chosen)
    for number, candidate in enumerate(asked.candidates, 1):
        first = SESSION.splitlines()[candidate.line - 1]
        assert (
            f"{number}. {candidate.where}, {candidate.lines_named}\n     {first}\n" in f"{asked.feedback}\n"
        )
    method = "    def reset(self):\n        self.close()\n"
    assert chosen[2].text == SESSION.replace("= False\n", f"= False\n\n{method}")
    assert chosen[0].text == SESSION.replace("\n\nclass Log", f"\n\n{NEW}\n\nclass Log")
    assert chosen[5].text == f"{SESSION}\n\n{NEW}"


def test_something_new_next_to_a_mark_alone_goes_below_the_one_that_is_chosen() -> None:
    code = "class Session:\n    # ... existing code ...\n\n    def reset(self):\n        self.close()\n"
    asked, chosen = outcomes(code)
    assert (asked.status, asked.reason) == (Status.PROPOSED, Reason.NO_PLACE)
    assert [each.where for each in asked.candidates] == ["below open", "below close"]
    method = "    def reset(self):\n        self.close()\n"
    assert chosen[0].text == SESSION.replace("= True\n", f"= True\n\n{method}")
    assert chosen[1].text == SESSION.replace("= False\n", f"= False\n\n{method}")


@pytest.mark.parametrize(
    "code",
    [
        "class Session:\n    # ...\n\n    def reset(self):\n        self.close()\n\n    # ...\n",
        "# ... existing code ...\n\ndef reset():\n    main()\n\n# ...\n",
    ],
)
def test_it_is_proposed_for_the_end_only_where_a_mark_is_above_it_and_none_below(code: str) -> None:
    assert outcomes(code)[0].proposal is None


def test_it_is_proposed_for_the_top_where_a_mark_is_below_it_alone() -> None:
    code = "class Session:\n    def reset(self):\n        self.close()\n\n    # ... existing code ...\n"
    proposal = outcomes(code)[0].proposal
    assert proposal is not None
    assert " class Session:\n+    def reset(self):\n+        self.close()\n+\n     def open" in proposal.diff


def test_of_several_definitions_of_a_name_the_chosen_one_is_replaced() -> None:
    text = SESSION.replace("pass", "self.is_open = False")
    asked, chosen = outcomes(CLOSE.replace("None", "1"), text)
    assert (asked.status, asked.reason) == (Status.AMBIGUOUS, Reason.UNCLEAR)
    assert [each.line for each in asked.candidates] == [5, 10]
    new = "    def close(self):\n        self.is_open = 1\n        self.done = True\n"
    old = "    def close(self):\n        self.is_open = False\n"
    before, _, after = text.rpartition(old)
    assert chosen[1].text == before + new + after
    assert chosen[0].text == text.replace(old, new, 1)


def test_a_place_that_is_no_candidate_is_refused() -> None:
    refused = resolve_edit(SESSION, shown(NEW), chosen=(0, 5))
    assert not refused.matched
    assert refused.text is None


def test_a_choice_changes_nothing_where_merging_is_switched_off() -> None:
    place = resolve_edit(SESSION, shown(NEW)).candidates[0].span
    rungs = tuple(rung for rung in Rung if rung is not Rung.STRUCTURE)
    refused = resolve_edit(SESSION, shown(NEW), Ladder(rungs=rungs), chosen=place)
    assert refused.reason is Reason.NOT_MERGED


@pytest.mark.parametrize("new_line", ["\n", "\r\n"])
def test_a_choice_is_written_with_the_line_endings_of_the_file(new_line: str) -> None:
    text = SESSION.replace("\n", new_line)
    _, chosen = outcomes(NEW, text)
    after = chosen[2].text or ""
    assert after.replace("\r\n", "\n") == SESSION.replace(
        "= False\n", "= False\n\n    def reset(self):\n        self.close()\n"
    )
    assert after.count("\n") == after.count(new_line)


STEPS = """\
def run(job):
    job.begin()
    log("step")
    job.load()
    log("step")
    job.store()
    return job.end()
"""


def test_each_result_that_is_as_likely_can_be_chosen() -> None:
    code = 'def run(job):\n    # ...\n    log("step")\n    job.check()\n    # ...\n    return job.end()\n'
    asked, chosen = outcomes(code, STEPS)
    assert (asked.status, asked.reason) == (Status.AMBIGUOUS, Reason.UNCLEAR)
    assert len({each.span for each in asked.candidates}) == len(asked.candidates) > 1
    assert all(each.status is Status.MATCHED for each in chosen)
    added = '    log("step")\n    job.check()\n    job.load()'
    places = {(each.line, each.where): one.text for each, one in zip(asked.candidates, chosen, strict=True)}
    assert places[4, "with new lines above"] == STEPS.replace('    log("step")\n    job.load()', added)
    assert places[6, "changed"] == STEPS.replace("job.store()", "job.check()")


def test_a_result_is_not_written_where_the_file_has_changed_since() -> None:
    code = 'def run(job):\n    # ...\n    log("step")\n    job.check()\n    # ...\n    return job.end()\n'
    asked, _ = outcomes(code, STEPS)
    for each in asked.candidates:
        outcome = resolve_edit(f"import job\n\n\n{STEPS}", shown(code), chosen=each.span)
        assert outcome.status is not Status.MATCHED


def test_more_readings_than_are_judged_are_refused_with_what_would_be_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    methods = "".join(f"    def m{i}(self):\n        x = {i}\n        return x\n\n" for i in range(9))
    shown = "".join(
        f"    def m{i}(self):\n        # ...\n        return x + 1\n\n    # ...\n" for i in range(0, 9, 3)
    )
    edit = Edit(path="m.py", operation=Operation.MERGE, replace=f"class C:\n    # ...\n{shown}")
    assert resolve_edit(f"class C:\n{methods}", edit).status is Status.MATCHED
    monkeypatch.setattr(Soundness, "may_have", lambda *_: True)  # every reading is judged as a whole
    assert resolve_edit(f"class C:\n{methods}", edit).status is Status.MATCHED
    monkeypatch.setattr(sound, "_MOST_LINES", 50)
    outcome = resolve_edit(f"class C:\n{methods}", edit)
    assert outcome.status is Status.REJECTED
    assert "too much of it repeats" in outcome.message
    assert [place.line for place in outcome.candidates] == [1, 2, 14, 26]
