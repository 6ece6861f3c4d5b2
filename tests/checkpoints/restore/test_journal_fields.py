"""Fields of a journal that no restore writes are refused one by one, whatever else would catch them."""

from __future__ import annotations

import sys

import pytest

from patchpoint.checkpoints.restore.journal_fields import JournalFields

_SAFETY = "06ajcn8e6wn0qc"
_FILE = "100644 " + "a" * 40


def steps(*fields: object) -> int:
    return len(JournalFields({"steps": list(fields)}, 40).steps("steps", _SAFETY))


def test_steps_as_a_restore_writes_them_are_accepted() -> None:
    in_git = ["src/b.txt", None, _FILE, f"staged-{_SAFETY}/3"]
    staged = f".patchpoint-{_SAFETY}-"
    written = ["src/a.txt", None, _FILE, f"{staged}0"]
    below = ["src/deep/a.txt", _FILE, "120000 " + "b" * 40, f"src/{staged}1"]
    gone = ["odd\n\udcff", "100755 " + "b" * 40, None, None]
    assert steps(written, below, gone, in_git) == 4


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="such a file cannot exist there")
def test_a_name_that_only_another_system_takes_for_gits_is_deleted_and_not_written() -> None:
    assert steps(["git~1/x", _FILE, None, None]) == 1
    with pytest.raises(ValueError, match="git~1"):
        steps(["git~1/x", None, _FILE, f".patchpoint-{_SAFETY}-0"])


@pytest.mark.parametrize(
    "path", ["", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", ".git", "a/.GIT/b", "a\0b"]
)
@pytest.mark.parametrize("written", [True, False])
def test_a_path_out_of_the_tree_or_into_git_is_refused(path: str, written: bool) -> None:
    with pytest.raises(ValueError, match="steps"):
        steps([path, None, _FILE, f".patchpoint-{_SAFETY}-0"] if written else [path, _FILE, None, None])


@pytest.mark.parametrize(
    "staged",
    [
        None,
        "b/a",
        "b/c/a",
        f".patchpoint-{_SAFETY}-1",
        ".patchpoint-00000000000000-0",
        f"c/.patchpoint-{_SAFETY}-0",
        f"b/../.patchpoint-{_SAFETY}-0",
        f"/.patchpoint-{_SAFETY}-0",
        f"b/c/a/.patchpoint-{_SAFETY}-0",
        f"staged-{_SAFETY}/1",
        f"staged-{_SAFETY}/../0",
        f"staged-{_SAFETY}",
        f"b/staged-{_SAFETY}/0",
        f"/staged-{_SAFETY}/0",
        "staged-00000000000000/0",
    ],
)
def test_a_place_to_stage_that_is_not_of_our_making_is_refused(staged: str | None) -> None:
    with pytest.raises(ValueError, match="steps"):
        steps(["b/c/a", None, _FILE, staged])


@pytest.mark.parametrize(
    "entry",
    ["100644 " + "a" * 39, "100644 " + "A" * 40, "040000 " + "a" * 40, "160000 " + "a" * 40, "100644", "", 7],
)
def test_an_entry_that_is_no_file_or_link_is_refused(entry: object) -> None:
    with pytest.raises(ValueError, match="steps"):
        steps(["a", entry, None, None])


@pytest.mark.parametrize(
    "step", [None, [], "abcd", ["a", _FILE, None], ["a", None, None, None], {"path": "a"}]
)
def test_what_is_no_step_is_refused(step: object) -> None:
    with pytest.raises(ValueError, match="steps"):
        steps(step)


def test_a_path_may_occur_once() -> None:
    with pytest.raises(ValueError, match="twice"):
        steps(["a", _FILE, None, None], ["a", _FILE, None, None])


@pytest.mark.parametrize(
    "ref",
    [
        "",
        "main",
        "refs/heads/",
        "refs/heads/../x",
        "refs/heads/a..b",
        "refs/heads/x.lock",
        "refs/tags/x",
        "head",
    ],
)
def test_what_is_neither_head_nor_a_branch_is_refused(ref: str) -> None:
    with pytest.raises(ValueError, match="ref"):
        JournalFields({"ref": ref}, 40).head_ref("ref")


@pytest.mark.parametrize("id_", ["", "../../../../x", _SAFETY + "x", _SAFETY.upper(), None, 7])
def test_what_is_no_id_is_refused(id_: object) -> None:
    with pytest.raises(ValueError, match="safety"):
        JournalFields({"safety": id_}, 40).id("safety")
    with pytest.raises(ValueError, match="dropped"):
        JournalFields({"dropped": [[id_, "a" * 40]]}, 40).checkpoints("dropped")
