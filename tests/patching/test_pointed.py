"""An edit put at a place that a person points to: whole, in whole lines, and nowhere else."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from patchpoint.edit import Edit
from patchpoint.outcome import Status
from patchpoint.patching.named.pointed import lines_pointed_at, put_at
from patchpoint.patching.plan import plan_edits
from patchpoint.text.lines import LineTable

ENDINGS = st.sampled_from(["\n", "\r\n"])
LINES = st.lists(st.sampled_from(["a", "b", "", "    c", "a = 1", "..."]), max_size=12)


@given(LINES, ENDINGS, st.booleans(), st.integers(0, 200), st.integers(0, 200), LINES)
@example(["a", "a"], "\n", False, 0, 0, ["a"])
@example(["a", *3 * ["..."], *6 * ["a"]], "\n", False, 10, 15, ["a", *3 * ["..."], *6 * ["a"]])
@example(["a"], "\n", False, 0, 0, ["a"])
@example(["b", "", "b"], "\n", True, 0, 0, ["a"])
def test_the_lines_pointed_at_become_the_replacement_and_no_other_line_changes(
    lines: list[str], ending: str, is_ended: bool, one: int, other: int, wanted: list[str]
) -> None:
    text = ending.join(lines) + (ending if is_ended and lines else "")
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    table = LineTable.of(text)
    span = lines_pointed_at(table, (start, end))
    new = "".join(f"{line}\n" for line in wanted)
    edit = put_at(table, span, Edit(path="f", search="lost", replace=new))
    plan = plan_edits([edit], {"f": text})
    used = ending if ending in text else "\n"
    expected = new.replace("\n", used)
    if span[1] == len(text) and span[0] < span[1] and not text.endswith(("\n", "\r")):
        expected = expected.removesuffix("\n").removesuffix("\r")
    after = text[: span[0]] + expected + text[span[1] :]
    ended = text if text.endswith(("\n", "\r")) else text + used
    before = (at for at in range(span[0]) if ended.startswith(expected, at))
    is_around = any(at + len(expected) >= span[1] for at in before)
    if after == text or is_around or ended[span[0] :].startswith(expected):
        return  # it is there already, which is said
    assert plan.outcomes[0].status is Status.MATCHED, plan.outcomes[0].message
    assert plan.changes[0].after == after


def test_a_cursor_puts_it_above_its_line_and_a_selection_is_widened_to_whole_lines() -> None:
    table = LineTable.of("one\ntwo\nthree\n")
    assert lines_pointed_at(table, (5, 5)) == (4, 4)
    assert lines_pointed_at(table, (5, 6)) == (4, 8)
    assert lines_pointed_at(table, (4, 8)) == (4, 8)
    assert lines_pointed_at(table, (0, 14)) == (0, 14)
    assert lines_pointed_at(table, (14, 14)) == (14, 14)
