import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.text.unified_diff import quoted_path, unified_diff, unified_hunks
from tests.sampling import tries

LINES = st.sampled_from(
    ["a\n", "b\n", "c\n", "same\n", "\n", "win\r\n", "old mac\r", "form\x0cfeed\n", "é😋\n"]
)
TEXTS = st.tuples(st.lists(LINES, max_size=14), st.sampled_from(["", "end", "end\r"])).map(
    lambda parts: "".join(parts[0]) + parts[1]
)


def git_apply(folder: Path, patch: str, *options: str) -> None:
    (folder / "change.patch").write_bytes(patch.encode())
    # Without a repository around it, git takes paths as they are and never consults attributes.
    ran = subprocess.run(
        ["git", "apply", *options, "change.patch"],
        cwd=folder,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr + patch
    (folder / "change.patch").unlink()


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@settings(max_examples=tries(60), deadline=None)
@given(before=TEXTS, after=TEXTS)
def test_git_makes_the_new_text_from_the_old_and_back(
    before: str, after: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("apply")
    (folder / "x.txt").write_bytes(before.encode())
    patch = unified_diff(before, after, "x.txt")
    assert bool(patch) == (before != after)
    if patch:
        git_apply(folder, patch)
        assert files(folder) == {"x.txt": after.encode()}
        git_apply(folder, patch, "--reverse")
        assert files(folder) == {"x.txt": before.encode()}


def test_the_diff_reads_as_one_expects() -> None:
    before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
    after = "one\ntwo\nthree\nfour\n5\nsix\nseven"
    assert unified_diff(before, after, "src/x.txt") == (
        "diff --git a/src/x.txt b/src/x.txt\n"
        "--- a/src/x.txt\n"
        "+++ b/src/x.txt\n"
        "@@ -2,6 +2,6 @@\n"
        " two\n three\n four\n-five\n+5\n six\n-seven\n+seven\n\\ No newline at end of file\n"
    )


def test_changes_far_apart_get_a_hunk_each() -> None:
    before = "".join(f"{number}\n" for number in range(30))
    after = before.replace("\n3\n", "\nthree\n").replace("\n22\n", "\ntwenty-two\n")
    patch = unified_diff(before, after, "x")
    assert [line for line in patch.splitlines() if line.startswith("@@")] == [
        "@@ -1,7 +1,7 @@",
        "@@ -20,7 +20,7 @@",
    ]


@pytest.mark.parametrize(
    ("before", "after"), [(None, "new\n"), (None, ""), ("old\r\nend", None), ("", None), (None, "no end")]
)
def test_git_makes_and_deletes_the_file(before: str | None, after: str | None, tmp_path: Path) -> None:
    if before is not None:
        (tmp_path / "x.txt").write_bytes(before.encode())
    git_apply(tmp_path, unified_diff(before, after, "x.txt"))
    assert files(tmp_path) == ({} if after is None else {"x.txt": after.encode()})


@pytest.mark.parametrize("after", ["one\ntwo\n", "one\n2\n"])
def test_git_renames_the_file_and_changes_it(after: str, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_bytes(b"one\ntwo\n")
    git_apply(tmp_path, unified_diff("one\ntwo\n", after, "old.txt", "sub/new.txt"))
    assert files(tmp_path) == {"sub/new.txt": after.encode()}


def test_git_makes_a_file_executable(tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"#!/bin/sh\n")
    (tmp_path / "run").chmod(0o644)
    git_apply(tmp_path, unified_diff("#!/bin/sh\n", "#!/bin/sh\n", "run", mode=0o644, new_mode=0o755))
    assert (tmp_path / "run").stat().st_mode & 0o100


@pytest.mark.parametrize(
    "name",
    ["with space.txt", 'a "quote".txt', "back\\slash", "tab\tbed", "déjà.txt", "new\nline", "bell\a\x7f"],
)
def test_git_understands_a_name_that_needs_quoting(name: str, tmp_path: Path) -> None:
    if os.name == "nt" and name != "with space.txt":
        pytest.skip("not a name on Windows")
    (tmp_path / name).write_bytes(b"one\n")
    git_apply(tmp_path, unified_diff("one\n", "two\n", name))
    git_apply(tmp_path, unified_diff(None, "new\n", f"sub/{name}"))
    assert files(tmp_path) == {name: b"two\n", f"sub/{name}": b"new\n"}


@given(TEXTS, TEXTS)
def test_the_hunks_are_those_of_the_diff_and_have_their_places(before: str, after: str) -> None:
    hunks = list(unified_hunks(before, after))
    header = "diff --git a/x b/x\n--- a/x\n+++ b/x\n" if hunks else ""
    assert header + "".join(hunk.text for hunk in hunks) == unified_diff(before, after, "x")
    text = after
    for hunk in reversed(hunks):
        text = text[: hunk.after[0]] + before[slice(*hunk.before)] + text[hunk.after[1] :]
    assert text == before


def test_a_moved_function_is_not_shown_as_a_change_of_everything() -> None:
    body = "".join(f"line {number}\n" for number in range(50))
    patch = unified_diff("moved\n" + body, body + "moved\n", "x")
    assert sum(line.startswith(("+", "-")) for line in patch.splitlines()[3:]) == 2


@pytest.mark.parametrize(
    ("path", "quoted", "quoted_in_ascii"),
    [
        ("with space.txt", "with space.txt", "with space.txt"),
        ('a "quote".txt', '"a \\"quote\\".txt"', '"a \\"quote\\".txt"'),
        ("déjà", "déjà", '"d\\303\\251j\\303\\240"'),
        ("back\\é", '"back\\\\é"', '"back\\\\\\303\\251"'),
        ("bell\a\x7f", '"bell\\a\\177"', '"bell\\a\\177"'),
        ("raw\udcff", "raw\udcff", '"raw\\377"'),
    ],
)
def test_a_path_is_quoted_as_git_quotes_it(path: str, quoted: str, quoted_in_ascii: str) -> None:
    assert quoted_path(path) == quoted
    assert quoted_path(path, ascii_only=True) == quoted_in_ascii


@pytest.mark.skipif(os.name == "nt", reason="not names on Windows")
@pytest.mark.parametrize("name", ["déjà.txt", "tab\tbed", 'a "quote"', "back\\slash", "a space", "raw\udcff"])
def test_git_itself_quotes_a_path_so(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"one\n")
    for quotes in (True, False):
        listed = subprocess.run(
            ["git", "-c", f"core.quotePath={quotes}", "diff", "--no-index", "--", os.devnull, name],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        ).stdout
        heading = listed.split(b"\n")[0]
        expected = f"diff --git {quoted_path(f'a/{name}', ascii_only=quotes)} "
        assert heading.startswith(os.fsencode(expected))
