"""Which paths git allows in a tree on every system: dulwich judges each name that is not plainly allowed."""

from __future__ import annotations

import pytest
from dulwich.index import validate_path_element_hfs, validate_path_element_ntfs
from hypothesis import example, given
from hypothesis import strategies as st

from patchpoint.git.paths import is_safe_path

PARTS = st.sampled_from([b".", b"git", b"GIT", b"~1", b" ", b"\\", b":$DATA", b"a", b"-", b"_", b"aux", b"7"])


@given(st.lists(PARTS, max_size=5).map(b"".join))
@example(b"")
@example(b"\xe2\x80\x8c.git".replace(b".", b".\xe2\x80\x8c"))
@example("g\u200cit".encode())
def test_a_name_is_judged_as_dulwich_judges_it(name: bytes) -> None:
    judged = validate_path_element_ntfs(name) and validate_path_element_hfs(name)
    assert is_safe_path(name) == judged
    assert is_safe_path(b"till/" + name + b"/tax.py") == judged


@pytest.mark.parametrize(
    "path", [b"../a", b"a/../b", b"a//b", b"/a", b".git/config", b"sub/.GIT/hooks", b"git~1/config"]
)
def test_a_path_out_of_the_tree_or_into_gits_own_folder_is_refused(path: bytes) -> None:
    assert not is_safe_path(path)


@pytest.mark.parametrize(
    "path", [b"a", b"till/tax.py", b".github/workflows/ci.yml", b"a/.gitignore", b"a...", b"-r"]
)
def test_an_ordinary_path_is_allowed(path: bytes) -> None:
    assert is_safe_path(path)
