"""No file may make a folder a repository: git, which believes the configuration of one, is the judge."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.edit import Edit, Operation
from patchpoint.filesystem.errors import FileError
from patchpoint.outcome import Atomic, Status
from patchpoint.patching.plan import Plan
from patchpoint.paths.repositories import repositories_among, repository_around
from patchpoint.paths.resolve import RefusedPath, require_place, resolve_path
from patchpoint.paths.rules import RefusalReason
from patchpoint.workspace.request import Workspace, plan_request, read_request
from patchpoint.workspace.write import write_changes

posix_only = pytest.mark.skipif(os.name == "nt", reason="a matter of POSIX file systems")

PARTS = ("docs/HEAD", "docs/objects/x", "docs/refs/x")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    return root


def is_git_directory(folder: Path) -> bool:
    """Whether git itself takes the folder for a repository."""
    asked = subprocess.run(
        ["git", "rev-parse", "--resolve-git-dir", folder], cwd=folder, capture_output=True, check=False
    )
    return asked.returncode == 0


def create(path: str, content: str = "ref: refs/heads/main\n") -> Edit:
    return Edit(path=path, operation=Operation.CREATE, content=content)


def move(path: str, new_path: str) -> Edit:
    return Edit(path=path, operation=Operation.RENAME, new_path=new_path)


def plan(root: Path, edits: Sequence[Edit], atomic: Atomic = Atomic.EDIT) -> Plan:
    return plan_request(read_request(edits, Workspace(roots=(root,))), atomic=atomic)


def apply(root: Path, edits: Sequence[Edit]) -> list[Status]:
    """Write what can be written of a request, and return the status of each edit."""
    request = read_request(edits, Workspace(roots=(root,)))
    planned = plan_request(request, atomic=Atomic.EDIT)
    if planned.changes:
        write_changes(request, planned.changes)
    return [outcome.status for outcome in planned.outcomes]


@pytest.mark.parametrize("order", list(permutations(PARTS)), ids=",".join)
def test_a_request_cannot_complete_a_repository_in_any_order(order: Sequence[str], root: Path) -> None:
    config = create("docs/config", "[core]\n\tfsmonitor = touch ran\n")
    bystander = create("docs.md", "# Docs\n")
    outcomes = plan(root, [*map(create, order), config, bystander]).outcomes
    assert [one.status for one in outcomes] == [Status.REJECTED] * 4 + [Status.MATCHED]
    assert all("a repository, together with other files" in one.message for one in outcomes[:4])


@pytest.mark.parametrize("order", list(permutations(PARTS)), ids=",".join)
def test_several_requests_cannot_complete_a_repository_in_any_order(order: Sequence[str], root: Path) -> None:
    statuses = [apply(root, [create(path)]) for path in order]
    assert statuses == [[Status.MATCHED], [Status.MATCHED], [Status.REJECTED]]
    assert not is_git_directory(root / "docs")


def test_a_file_moved_to_the_last_place_completes_a_repository_as_well(root: Path) -> None:
    (root / "note.txt").write_text("ref: refs/heads/main\n")
    (root / "docs/objects").mkdir(parents=True)
    moved, *rest = plan(
        root, [move("note.txt", "docs/HEAD"), create("docs/refs/x"), create("a.txt")]
    ).outcomes
    assert moved.status is Status.REJECTED
    assert [one.status for one in rest] == [Status.REJECTED, Status.MATCHED]


def test_the_workspace_folder_itself_cannot_become_a_repository(root: Path) -> None:
    outcomes = plan(root, [create("objects/x"), create("refs/x"), create("HEAD")]).outcomes
    assert {one.status for one in outcomes} == {Status.REJECTED}


def test_a_part_counts_although_its_edit_may_fail(root: Path) -> None:
    (root / "docs").mkdir()
    (root / "docs/HEAD").write_text("something else\n")
    outcomes = plan(root, list(map(create, PARTS))).outcomes
    assert {one.status for one in outcomes} == {Status.REJECTED, Status.CONFLICT}


@posix_only
def test_spellings_that_another_file_system_takes_for_the_same_are_the_same(root: Path) -> None:
    for head in ("head", "Head", "HE\u200dAD"):
        assert plan(root, [create(f"docs/{head}"), *map(create, PARTS[1:])]).outcomes[0].status is (
            Status.REJECTED
        )
    assert plan(root, [create("Docs/HEAD"), *map(create, PARTS[1:])]).outcomes[0].status is Status.REJECTED
    assert apply(root, [create("docs/Objects/x"), create("DOCS/refs/x")]) == [Status.MATCHED] * 2
    assert apply(root, [create("docs/HEAD")]) == [Status.REJECTED]


def test_a_repository_whose_parts_are_elsewhere_cannot_be_completed(root: Path) -> None:
    """A `commondir` names another folder, which needs no HEAD."""
    subprocess.run(["git", "init", "-q", root], check=True)
    head, common = create("docs/HEAD"), create("docs/commondir", "../.git\n")
    for edits in ([head, common], [common, head]):
        assert {one.status for one in plan(root, edits).outcomes} == {Status.REJECTED}
    assert apply(root, [common]) == [Status.MATCHED]
    assert apply(root, [head]) == [Status.REJECTED]
    (root / "docs/HEAD").write_text("ref: refs/heads/main\n")
    assert is_git_directory(root / "docs")
    refused = resolve_path("docs/notes.md", [root], may_be_missing=True)
    assert isinstance(refused, RefusedPath)
    assert refused.reason is RefusalReason.REPOSITORY


@posix_only
def test_a_head_that_is_a_link_to_nothing_makes_a_repository(root: Path) -> None:
    subprocess.run(["git", "init", "-q", "--bare", root / "docs"], check=True)
    (root / "docs/HEAD").unlink()
    (root / "docs/HEAD").symlink_to("refs/heads/main")
    assert is_git_directory(root / "docs")
    refused = resolve_path("docs/config", [root])
    assert isinstance(refused, RefusedPath)
    assert refused.reason is RefusalReason.REPOSITORY


@posix_only
def test_a_link_in_a_repository_is_not_deleted_although_it_leads_out_of_it(root: Path) -> None:
    subprocess.run(["git", "init", "-q", "--bare", root / "docs"], check=True)
    (root / "hook.sh").write_text("true\n")
    (root / "docs/hooks/post-update").symlink_to("../../hook.sh")
    [outcome] = plan(root, [Edit(path="docs/hooks/post-update", operation=Operation.DELETE)]).outcomes
    assert outcome.status is Status.REJECTED


@pytest.mark.parametrize(
    "paths",
    [
        ("HEAD",),
        ("HEAD", "refs/x"),
        ("objects/x", "refs/x"),
        ("src/HEAD", "objects/x", "refs/x"),
        ("HEAD/x", "objects/x", "refs/x"),
        ("commondir",),
        ("HEAD.md", "objects/x", "refs/x"),
    ],
    ids=",".join,
)
def test_a_part_without_the_others_is_a_file_like_any(paths: tuple[str, ...], root: Path) -> None:
    assert set(apply(root, list(map(create, paths)))) == {Status.MATCHED}
    assert not is_git_directory(root)


def test_right_before_a_file_is_written_its_folder_is_looked_at_again(root: Path) -> None:
    place = root.resolve() / "docs/HEAD"
    assert require_place(root, place) is None
    (root / "docs/objects").mkdir(parents=True)
    (root / "docs/refs").mkdir()
    problem = require_place(root, place)
    assert problem is not None
    assert problem.reason is RefusalReason.REPOSITORY


NAMES = st.sampled_from(["HEAD", "head", "objects", "Objects", "refs", "REFS", "commondir", "docs", "x"])
PATHS = st.lists(st.lists(NAMES, min_size=1, max_size=3).map("/".join), min_size=1, max_size=8)


@posix_only
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(requests=st.lists(PATHS, max_size=4), data=st.data())
def test_whatever_is_created_git_finds_no_repository(
    requests: list[list[str]], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("workspace")
    (root / "start.txt").write_text("ref: refs/heads/main\n")
    for paths in requests:
        edits = [
            move("start.txt", path) if data.draw(st.booleans(), label="move") else create(path)
            for path in paths
        ]
        with suppress(FileError):  # one of the paths goes through a file
            apply(root, edits)
        for folder in (root, *(one for one in root.rglob("*") if one.is_dir())):
            assert repository_around(root, folder / "new.txt") is None
            for head in ("HEAD", "head"):
                assert not ((folder / head).is_file() and is_git_directory(folder))


@given(
    files=st.dictionaries(PATHS.map(lambda paths: paths[0]), st.just("ref: refs/heads/main\n")), more=PATHS
)
def test_texts_in_memory_make_no_repository_either(files: Mapping[str, str], more: list[str]) -> None:
    before = repositories_among(path.split("/") for path in files)
    report = apply_edits(files, [create(path) for path in more], atomic="edit")
    after = repositories_among(path.split("/") for path, text in report.files.items() if text is not None)
    assert before == after
