"""Members of a list that shown code leaves out: they stay, or are shown to go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.patching.merging.members import members_lost, with_list_shown

NAMES = st.lists(st.from_regex(r"k[a-z]{2,5}", fullmatch=True), min_size=2, max_size=8, unique=True)
LISTS = {
    "a.py": ("SIZES = {", '    "{}": 1,', "}"),
    "b.py": ("class Size(Enum):", '    {} = "{}"', ""),
    "a.ts": ("export const sizes = {", "  {}: 1,", "};"),
    "b.ts": ("interface Size {", "  {}: number;", "}"),
    "a.go": ("type Size struct {", "\t{} int", "}"),
    "a.rs": ("enum Size {", "    {},", "}"),
    "a.css": (".size {", "  {}: 1px;", "}"),
    "a.yaml": ("size:", "  {}: 1", ""),
}


def listed(path: str, names: list[str]) -> list[str]:
    head, member, end = LISTS[path]
    return [head, *(member.replace("{}", name) for name in names), *filter(None, [end])]


@pytest.mark.parametrize("path", LISTS)
@given(NAMES, st.data())
def test_what_is_kept_has_every_member_there_was_and_every_one_that_is_shown(
    path: str, names: list[str], data: st.DataObject
) -> None:
    left = data.draw(st.lists(st.sampled_from(names), max_size=len(names) - 1, unique=True))
    new = [name for name in data.draw(NAMES) if name not in names]
    if not left and not new:
        return
    file = ["", *listed(path, names), ""]
    shown = listed(path, [*left, *new])
    result = with_list_shown(file, shown, path)
    assert result is not None
    lost = members_lost(file, result, path)
    assert lost is not None
    assert set(lost.names) == set(names) - set(left)
    for name in (*names, *new):
        line = LISTS[path][1].replace("{}", name)
        assert [each.rstrip(",") for each in lost.kept].count(line.rstrip(",")) == 1


@pytest.mark.parametrize("path", LISTS)
@given(NAMES, st.data())
def test_nothing_is_lost_where_all_members_are_shown(
    path: str, names: list[str], data: st.DataObject
) -> None:
    file = listed(path, names)
    again = listed(path, data.draw(st.permutations(names)))
    assert members_lost(file, again, path) is None


def test_a_member_is_not_lost_under_another_name_in_another_arm_or_where_a_remark_names_it() -> None:
    assert (
        members_lost(["A = {", "  b = 1", "  c = 2", "}"], ["A = {", "  b = 1", "  d = 2", "}"], "a.tf")
        is None
    )
    joined = ["match x {", "    A | B => 1,", "}"]
    assert members_lost(["match x {", "    A => 1,", "    B => 2,", "}"], joined, "a.rs") is None
    remark = ["enum A {", "  B,", "  // C is gone", "}"]
    assert members_lost(["enum A {", "  B,", "  C,", "}"], remark, "a.ts") is None


@pytest.mark.parametrize(
    ("path", "text", "shown"),
    [
        (
            "a.py",
            "def f(x):\n    return sum(x)\n",
            "def f(x):\n    # TODO\n    raise NotImplementedError\n",
        ),
        ("a.rb", "def f\n  items.sum(&:price)\nend\n", "def f\n  # sum of prices\nend\n"),
        ("a.js", "function f(u) {\n  send(u);\n}\n", "function f(u) {\n  // send it\n}\n"),
    ],
)
def test_a_comment_or_stub_alone_in_place_of_a_body_is_refused(path: str, text: str, shown: str) -> None:
    files = {path: text, "other.txt": ""}
    report = apply_edits(files, f"In `{path}`:\n\n```\n{shown}```\n")
    assert report.files == files
    assert report.proposals == ()
    assert "Only a stub of `f` is shown: its body stays." in report.outcomes[0].message


def test_a_comment_in_place_of_what_a_line_does_is_shown_only() -> None:
    files = {"a.js": "function f(u) {\n  send(u);\n  log(u);\n}\n"}
    shown = "function f(u) {\n  // send it\n  log(u);\n}\n"
    report = apply_edits(files, f"In `a.js`:\n\n```\n{shown}```\n")
    assert report.files == files
    assert "`send(u);` would go" in report.outcomes[0].message


def test_a_line_that_is_commented_out_is_written() -> None:
    text = "function f(u) {\n  log(u);\n  send(u);\n}\n"
    shown = "function f(u) {\n  // log(u);\n  send(u);\n}\n"
    report = apply_edits({"a.js": text}, f"In `a.js`:\n\n```js\n{shown}```\n")
    assert report.files["a.js"] == shown
