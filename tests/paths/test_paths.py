import os
import subprocess
import unicodedata
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patchpoint.paths.resolve import RefusedPath, ResolvedPath, require_place, resolve_path
from patchpoint.paths.rules import RefusalReason, is_repository_name, name_problem
from patchpoint.paths.search import list_files

posix_only = pytest.mark.skipif(os.name == "nt", reason="a matter of POSIX file systems")

GIT_IN_DISGUISE = [
    ".git",
    ".GIT",
    ".Git",
    ".git ",
    ".git.",
    ".git . .",
    "git~1",
    "GIT~2",
    ".g\u200cit",
    "\ufeff.git",
    ".gi\u200dt",
    ".\u2064git",
    ".git::$INDEX_ALLOCATION",
    ".GIT:stream",
    "．ｇｉｔ",
    ".hg",
    ".SVN",
    ".jj",
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    for name in ("src/greeting.py", "src/pkg/util.py", "docs/guide.md", "README.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"text\n")
    (root / ".git/hooks").mkdir(parents=True)
    (root / ".git/config").write_bytes(b"")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_bytes(b"secret\n")
    return root


def accepted(result: ResolvedPath | RefusedPath) -> ResolvedPath:
    assert isinstance(result, ResolvedPath), result
    return result


def refused(result: ResolvedPath | RefusedPath, written: str, reason: RefusalReason) -> RefusedPath:
    assert isinstance(result, RefusedPath), result
    assert (result.written, result.reason) == (written, reason)
    return result


@pytest.mark.parametrize(
    "written",
    [
        "src/greeting.py",
        "./src/greeting.py",
        "src//greeting.py",
        "src/./greeting.py",
        "docs/../src/greeting.py",
    ],
)
def test_a_file_is_found_by_its_path_in_the_folder(written: str, root: Path) -> None:
    found = accepted(resolve_path(written, [root]))
    assert found.relative == "src/greeting.py"
    assert found.target == (root / "src/greeting.py").resolve()
    assert found.exists
    assert found.notes == ()


def test_backslashes_are_read_as_slashes_with_a_note(root: Path) -> None:
    found = accepted(resolve_path("src\\greeting.py", [root]))
    assert found.relative == "src/greeting.py"
    if os.name != "nt":
        assert found.notes == (r"'src\greeting.py' was read as 'src/greeting.py'",)


@pytest.mark.parametrize(
    ("written", "reason", "problem"),
    [
        ("", RefusalReason.EMPTY, "'' is an empty path; name a file"),
        ("  ", RefusalReason.EMPTY, "is an empty path"),
        (
            "a\0b",
            RefusalReason.UNPRINTABLE,
            "has a character that no path may have, U+0000; write it without",
        ),
        ("a\nb", RefusalReason.UNPRINTABLE, "U+000A"),
        ("a\x7fb", RefusalReason.UNPRINTABLE, "U+007F"),
        ("a\u2028b", RefusalReason.UNPRINTABLE, "U+2028"),
        ("a\u202egpj.exe", RefusalReason.UNPRINTABLE, "'a\\u{202E}gpj.exe' has"),
        ("a\ud800", RefusalReason.UNPRINTABLE, "U+D800"),
        ("/etc/passwd", RefusalReason.ABSOLUTE, "is absolute"),
        ("\\etc\\passwd", RefusalReason.ABSOLUTE, "is absolute"),
        ("C:\\Windows\\x.ini", RefusalReason.ABSOLUTE, r"'C:\Windows\x.ini' has a drive letter"),
        ("c:x.ini", RefusalReason.ABSOLUTE, "has a drive letter"),
        ("\\\\server\\share\\x", RefusalReason.ABSOLUTE, "is a network path"),
        ("//server/share/x", RefusalReason.ABSOLUTE, "is a network path"),
        ("\\\\?\\C:\\x", RefusalReason.ABSOLUTE, "is a network path"),
        ("file:///etc/passwd", RefusalReason.ABSOLUTE, "is an absolute URI"),
        ("https://example.org/x.py", RefusalReason.URI, "is a URI"),
        ("untitled:Untitled-1", RefusalReason.URI, "is a URI"),
        ("file://[broken", RefusalReason.URI, "an invalid one"),
        ("a/" * 3000 + "x", RefusalReason.NAME, "is too long, with 6001 characters"),
        ("~/.bashrc", RefusalReason.HOME, "is in a home folder"),
        ("~root/.bashrc", RefusalReason.HOME, "is in a home folder"),
        ("~", RefusalReason.HOME, "is in a home folder"),
        ("../outside/secret.txt", RefusalReason.ESCAPES, "leaves the workspace folder"),
        ("src/../../outside/secret.txt", RefusalReason.ESCAPES, "leaves the workspace folder"),
        ("..\\outside\\secret.txt", RefusalReason.ESCAPES, "leaves the workspace folder"),
        ("..", RefusalReason.ESCAPES, "leaves the workspace folder"),
        ("src/", RefusalReason.FOLDER, "names a folder"),
        (".", RefusalReason.FOLDER, "names a folder"),
        ("src", RefusalReason.FOLDER, "is a folder"),
        ("src/..", RefusalReason.FOLDER, "is the workspace folder itself"),
        ("README.md/x", RefusalReason.BELOW_FILE, "'README.md' is not a folder"),
        ("CON", RefusalReason.DEVICE, "is a device on Windows ('CON')"),
        ("src/nul.txt", RefusalReason.DEVICE, "is a device on Windows"),
        ("aux.tar.gz", RefusalReason.DEVICE, "is a device on Windows"),
        ("com1/x.py", RefusalReason.DEVICE, "is a device on Windows"),
        ("README.md:hidden", RefusalReason.STREAM, "names a data stream on Windows"),
        ("README.md::$DATA", RefusalReason.STREAM, "names a data stream on Windows"),
        ("new.py.", RefusalReason.NAME, "has a name that Windows cannot store"),
        ("new.py ", RefusalReason.NAME, "has a name that Windows cannot store"),
        ("src/*.py", RefusalReason.NAME, "has a name that Windows cannot store"),
        ("x" * 300, RefusalReason.NAME, "cannot be accessed"),
        ("src/gone.py", RefusalReason.NOT_FOUND, "does not exist"),
    ],
)
def test_each_refusal_has_its_own_message(
    written: str, reason: RefusalReason, problem: str, root: Path
) -> None:
    may_be_missing = reason is not RefusalReason.NOT_FOUND
    result = resolve_path(written, [root], may_be_missing=may_be_missing)
    assert problem in refused(result, written, reason).message


@pytest.mark.parametrize("name", GIT_IN_DISGUISE)
@pytest.mark.parametrize(
    "form", ["{}/config", "{}", "src/{}/hooks/x", "src/../{}/x", "{}/../README.md", "src\\{}\\x"]
)
def test_a_repository_is_refused_in_every_spelling(name: str, form: str, root: Path) -> None:
    written = form.format(name)
    result = resolve_path(written, [root], may_be_missing=True, may_be_misspelt=True)
    assert "a repository's own folder" in refused(result, written, RefusalReason.REPOSITORY).message


@pytest.mark.parametrize("name", [".gitignore", ".github", ".gitattributes", "git", "a.git", "git~", "digit"])
def test_what_only_looks_like_a_repository_is_not_one(name: str) -> None:
    assert not is_repository_name(name)


@pytest.mark.parametrize("name", ["console", "auxiliary.py", "com", "com10", "nullable", "lpt", "prn_1"])
def test_what_only_looks_like_a_device_is_not_one(name: str) -> None:
    assert name_problem(name) is None


def test_a_repository_without_a_working_tree_is_refused(root: Path) -> None:
    subprocess.run(["git", "init", "-q", "--bare", root / "vendor/upstream"], check=True)
    for written in ("vendor/upstream/hooks/post-update", "vendor/upstream/config"):
        result = resolve_path(written, [root], may_be_missing=True)
        assert "is in the repository" in refused(result, written, RefusalReason.REPOSITORY).message
    accepted(resolve_path("vendor/notes.md", [root], may_be_missing=True))


@posix_only
def test_a_link_that_leaves_the_folder_is_refused(root: Path) -> None:
    (root / "escape").symlink_to("../outside")
    (root / "secret.txt").symlink_to("../outside/secret.txt")
    (root / "dangling").symlink_to("../outside/new.txt")
    for written in ("escape/secret.txt", "escape/new.txt", "secret.txt", "dangling"):
        result = resolve_path(written, [root], may_be_missing=True)
        assert "by a symbolic link" in refused(result, written, RefusalReason.SYMLINK).message


@posix_only
def test_a_link_into_the_repository_is_refused(root: Path) -> None:
    (root / "hooks").symlink_to(".git/hooks")
    refused(
        resolve_path("hooks/pre-commit", [root], may_be_missing=True),
        "hooks/pre-commit",
        RefusalReason.REPOSITORY,
    )


@posix_only
def test_a_link_inside_the_folder_is_followed(root: Path) -> None:
    (root / "latest.md").symlink_to("docs/guide.md")
    found = accepted(resolve_path("latest.md", [root]))
    assert found.path == root / "latest.md"
    assert found.place == (root / "docs/..").resolve() / "latest.md"
    assert found.target == (root / "docs/guide.md").resolve()


@posix_only
def test_a_link_to_itself_and_a_pipe_are_refused(root: Path) -> None:
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")
    assert "back to itself" in refused(resolve_path("loop", [root]), "loop", RefusalReason.SYMLINK).message
    assert "a pipe" in refused(resolve_path("pipe", [root]), "pipe", RefusalReason.DEVICE).message


@posix_only
def test_a_workspace_folder_that_is_a_link_itself_is_a_folder_like_any(root: Path, tmp_path: Path) -> None:
    (tmp_path / "short").symlink_to(root)
    found = accepted(resolve_path("README.md", [tmp_path / "short"]))
    assert found.path == tmp_path / "short/README.md"
    assert found.target == (root / "README.md").resolve()


@posix_only
@pytest.mark.parametrize("name", ["aux.c", "12:30 notes.md", "what?.md"])
def test_a_file_that_is_there_may_have_a_name_that_windows_cannot_hold(name: str, root: Path) -> None:
    (root / name).write_bytes(b"text\n")
    assert accepted(resolve_path(name, [root])).exists


def test_a_tool_call_may_name_a_file_absolutely_inside_a_folder(root: Path, tmp_path: Path) -> None:
    allowed = partial(resolve_path, roots=[root], absolute_allowed=True)
    assert accepted(allowed(str(root / "src/greeting.py"))).relative == "src/greeting.py"
    assert accepted(allowed((root / "src/greeting.py").as_uri())).relative == "src/greeting.py"
    assert accepted(allowed(str(root / "new.py"), may_be_missing=True)).relative == "new.py"
    for outside in (
        tmp_path / "outside/secret.txt",
        root / "../outside/secret.txt",
        tmp_path / "workspace2/x",
    ):
        assert (
            "is in no workspace folder"
            in refused(allowed(str(outside)), str(outside), RefusalReason.OUTSIDE).message
        )
    inside_git = str(root / ".git/config")
    refused(allowed(inside_git), inside_git, RefusalReason.REPOSITORY)
    elsewhere = "file://server/share/x"
    refused(allowed(elsewhere), elsewhere, RefusalReason.URI)
    encoded = root.as_uri() + "/%2e%2e/outside/secret.txt"
    refused(allowed(encoded), encoded, RefusalReason.OUTSIDE)


@posix_only
def test_an_absolute_path_may_be_spelt_through_a_link_to_the_folder(root: Path, tmp_path: Path) -> None:
    (tmp_path / "short").symlink_to(root)
    written = str(tmp_path / "short/src/greeting.py")
    assert accepted(resolve_path(written, [root], absolute_allowed=True)).relative == "src/greeting.py"


def test_without_a_workspace_folder_there_is_no_file() -> None:
    assert "none is open" in refused(resolve_path("x.py", []), "x.py", RefusalReason.OUTSIDE).message


def test_a_relative_path_is_meant_from_the_base(root: Path) -> None:
    (root / "src/README.md").write_bytes(b"")
    from_base = partial(resolve_path, roots=[root], base=root / "src")
    assert accepted(from_base("README.md")).relative == "src/README.md"
    assert accepted(from_base("../docs/guide.md")).relative == "docs/guide.md"
    assert accepted(from_base("docs/guide.md")).relative == "docs/guide.md"
    assert accepted(from_base("new.py", may_be_missing=True)).relative == "src/new.py"
    refused(from_base("../../outside/secret.txt"), "../../outside/secret.txt", RefusalReason.ESCAPES)


def test_a_base_outside_the_folders_does_not_widen_them(root: Path, tmp_path: Path) -> None:
    result = resolve_path("secret.txt", [root], base=tmp_path / "outside")
    refused(result, "secret.txt", RefusalReason.NOT_FOUND)


def test_a_path_in_two_folders_is_ambiguous_until_the_folder_is_named(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "README.md").write_bytes(b"")
    result = refused(resolve_path("README.md", [root, other]), "README.md", RefusalReason.AMBIGUOUS)
    assert result.candidates == (str(root / "README.md"), str(other / "README.md"))
    assert accepted(resolve_path("other/README.md", [root, other])).root == other
    assert accepted(resolve_path("src/greeting.py", [root, other])).root == root


def test_a_new_file_is_made_in_the_folder_that_is_meant(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    new = partial(resolve_path, may_be_missing=True)
    assert accepted(new("deep/er/new.py", [root])).relative == "deep/er/new.py"
    assert accepted(new("src/new.py", [root, other])).root == root
    assert accepted(new("other/new.py", [root, other])).path == other / "new.py"
    assert (
        "could be created in any of"
        in refused(new("new.py", [root, other]), "new.py", RefusalReason.AMBIGUOUS).message
    )


@pytest.mark.parametrize(
    ("written", "meant", "how"),
    [
        ("greeting.py", "src/greeting.py", "shortened"),
        ("pkg/util.py", "src/pkg/util.py", "shortened"),
        ("SRC/Greeting.py", "src/greeting.py", "ignoring case"),
        ("Greeting.PY", "src/greeting.py", "ignoring case"),
        ("src/greting.py", "src/greeting.py", "misspelt"),
        ("src/greeitng.py", "src/greeting.py", "misspelt"),
        ("doc/guide.md", "docs/guide.md", "misspelt"),
    ],
)
def test_a_path_that_only_one_file_fits_is_resolved_with_a_note(
    written: str, meant: str, how: str, root: Path
) -> None:
    if (root / written).exists():
        pytest.skip("this file system makes no difference between upper and lower case")
    found = accepted(resolve_path(written, [root], may_be_misspelt=True))
    assert found.relative == meant
    assert found.notes == (
        f"'{written}' does not exist; it was read as '{meant}', the only file that fits ({how})",
    )
    refused(resolve_path(written, [root]), written, RefusalReason.NOT_FOUND)


def test_a_decomposed_name_is_the_same_name(root: Path) -> None:
    (root / "docs" / unicodedata.normalize("NFD", "déjà-vu.md")).write_bytes(b"")
    assert accepted(resolve_path("docs/déjà-vu.md", [root], may_be_misspelt=True)).exists


@pytest.mark.parametrize("written", ["src/test_b.py", "src/v2.py", "src/greeting.js", "lib/main_greeting.py"])
def test_another_name_is_not_a_misspelling(written: str, root: Path) -> None:
    for name in ("test_a.py", "v1.py"):
        (root / "src" / name).write_bytes(b"")
    result = resolve_path(written, [root], may_be_misspelt=True)
    assert "no file has a similar path" in refused(result, written, RefusalReason.NOT_FOUND).message


def test_a_shortened_path_that_several_files_fit_is_refused_with_all_of_them(root: Path) -> None:
    (root / "docs/greeting.py").write_bytes(b"")
    result = refused(
        resolve_path("greeting.py", [root], may_be_misspelt=True), "greeting.py", RefusalReason.AMBIGUOUS
    )
    assert result.candidates == ("docs/greeting.py", "src/greeting.py")
    assert "could mean 2 files: docs/greeting.py, src/greeting.py" in result.message


def test_dependencies_and_repositories_are_never_what_is_meant(root: Path) -> None:
    for mark in ("target/CACHEDIR.TAG", "my-env/pyvenv.cfg"):
        (root / mark).parent.mkdir()
        (root / mark).write_bytes(b"")
    for folder in ("node_modules/x", ".git", ".venv/lib", "target/debug", "my-env/lib"):
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "only_here.py").write_bytes(b"")
    result = resolve_path("only_here.py", [root], may_be_misspelt=True)
    refused(result, "only_here.py", RefusalReason.NOT_FOUND)


@posix_only
def test_no_link_is_followed_when_looking_for_a_similar_path(root: Path) -> None:
    (root / "escape").symlink_to("../outside")
    (root / "secret.txt").symlink_to("../outside/secret.txt")
    refused(
        resolve_path("escape/secrets.txt", [root], may_be_misspelt=True),
        "escape/secrets.txt",
        RefusalReason.SYMLINK,
    )
    refused(resolve_path("Secret.txt", [root], may_be_misspelt=True), "Secret.txt", RefusalReason.SYMLINK)


def test_a_folder_too_large_to_search_proves_nothing(root: Path) -> None:
    result = resolve_path("greeting.py", [root], may_be_misspelt=True, list_files=partial(list_files, most=3))
    assert "too large to search" in refused(result, "greeting.py", RefusalReason.NOT_FOUND).message


def test_a_file_that_only_the_editor_has_is_found(root: Path) -> None:
    found = accepted(resolve_path("src/unsaved.py", [root], open_files=[root / "src/unsaved.py"]))
    assert not found.exists
    shortened = resolve_path("unsaved.py", [root], may_be_misspelt=True, open_files=[root / "src/unsaved.py"])
    assert accepted(shortened).relative == "src/unsaved.py"


@posix_only
def test_a_folder_that_becomes_a_link_after_the_check_is_noticed(root: Path, tmp_path: Path) -> None:
    found = accepted(resolve_path("src/greeting.py", [root]))
    assert require_place(found.root, found.target) is None
    (root / "src").rename(root / "moved")
    (root / "src").symlink_to(tmp_path / "outside")
    problem = require_place(found.root, found.target)
    assert problem is not None
    assert "now leads to another folder" in problem.message


def test_a_place_outside_or_in_a_repository_is_never_written(root: Path, tmp_path: Path) -> None:
    outside = require_place(root, (tmp_path / "outside/secret.txt").resolve())
    inside_git = require_place(root, (root / ".git/config").resolve())
    assert outside is not None
    assert outside.reason is RefusalReason.OUTSIDE
    assert inside_git is not None
    assert inside_git.reason is RefusalReason.REPOSITORY


NAMES = st.sampled_from(
    [
        *GIT_IN_DISGUISE,
        "..",
        ".",
        "",
        "src",
        "docs",
        "README.md",
        "escape",
        "hooks",
        "inner",
        "~",
        "C:",
        "new",
        "NUL",
    ]
)
PATHS = st.builds(
    lambda start, names, separators: start + "".join(map("".join, zip(names, separators, strict=False))),
    st.sampled_from(["", "/", "./", "../", "\\", "file:///"]),
    st.lists(NAMES | st.text(st.characters(exclude_categories=[]), max_size=4), min_size=1, max_size=6),
    st.lists(st.sampled_from(["/", "\\", "//", ""]), min_size=6, max_size=6),
)


@posix_only
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400, deadline=None)
@given(
    written=PATHS, missing=st.booleans(), misspelt=st.booleans(), absolute=st.booleans(), below=st.booleans()
)
def test_no_path_ever_leaves_its_folder_or_enters_a_repository(
    written: str, missing: bool, misspelt: bool, absolute: bool, below: bool, root: Path, tmp_path: Path
) -> None:
    for name, target in {"escape": "../outside", "hooks": ".git/hooks", "inner": "src"}.items():
        if not (root / name).is_symlink():
            (root / name).symlink_to(target)
    result = resolve_path(
        written,
        [root],
        base=root / "src" if below else None,
        absolute_allowed=absolute,
        may_be_missing=missing,
        may_be_misspelt=misspelt,
    )
    if isinstance(result, RefusedPath):
        assert result.message
        return
    real_root = root.resolve()
    for place in (result.target, result.place, result.path.resolve()):
        assert place.is_relative_to(real_root)
        assert not any(map(is_repository_name, place.relative_to(real_root).parts))
    assert not result.target.is_dir()
    assert require_place(root, result.target) is None
    assert result.exists or missing


def test_what_git_calls_a_repository_in_disguise_is_one_here(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    blob = (
        subprocess.run(
            ["git", "hash-object", "-w", "--stdin"], cwd=tmp_path, input=b"", capture_output=True, check=True
        )
        .stdout.decode()
        .strip()
    )
    ignorable = map(chr, (*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
    for name in [*(f".g{character}it" for character in ignorable), ".git. ", ".GIT", "git~1", ".git::$DATA"]:
        added = subprocess.run(
            [
                *("git", "-c", "core.protectHFS=true", "-c", "core.protectNTFS=true", "update-index"),
                *("--add", "--cacheinfo", f"100644,{blob},{name}/x"),
            ],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert added.returncode != 0, name
        assert is_repository_name(name)
