"""What a mirror has, what it takes, and that no checkpoint waits for it or fails because of it."""

from __future__ import annotations

import errno
import os
import shutil
import time
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.maintenance.mirror_health import MirrorState
from patchpoint.checkpoints.mirror.objects import Budget, mirror_objects
from patchpoint.checkpoints.mirror.place import mirror_directory
from patchpoint.checkpoints.mirror.register import (
    Registered,
    append_deleted,
    append_entries,
    compact,
    registered,
)
from patchpoint.checkpoints.mirror.tidy import own_bytes
from patchpoint.checkpoints.mirror.update import complete_mirror
from patchpoint.checkpoints.options import RetentionPolicy, StoreOptions
from patchpoint.checkpoints.record.mirrored import Described
from patchpoint.git.refs import Namespace
from patchpoint.git.repository import Repository
from tests.checkpoints.killing import run_and_kill
from tests.git.git_judge import WorkingTree
from tests.sampling import share


def state_of(tree: WorkingTree, *, repair: bool = False, options: StoreOptions | None = None) -> MirrorState:
    state = CheckpointStore.open(tree.root, options=options).doctor(repair=repair).mirror
    assert state is not None
    return state


def take(tree: WorkingTree, number: int, options: StoreOptions | None = None) -> str:
    tree.write({"a.txt": f"state {number}\n", f"new/{number % 3}.txt": f"{number} {os.urandom(8).hex()}\n"})
    return CheckpointStore.open(tree.root, options=options).take(label=str(number)).id


def no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the state folder is on another file system than the repository."""
    real = os.link

    def refuse(source: bytes, target: bytes, **named: int) -> None:
        if b"mirrors" in target:
            raise OSError(errno.EXDEV, "another file system")
        real(source, target, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "link", refuse)


def test_a_mirror_has_every_checkpoint_and_takes_no_room(tree: WorkingTree) -> None:
    for number in range(5):
        take(tree, number)
    state = state_of(tree)
    assert (state.problem, state.checkpoints, state.whole, state.own_bytes) == (None, 5, 5, 0)


def test_checkpoints_of_before_the_mirror_are_taken_along(tree: WorkingTree) -> None:
    off = StoreOptions(mirror_bytes=None)
    take(tree, 0, off)
    assert CheckpointStore.open(tree.root, options=off).doctor().mirror is None
    take(tree, 1)
    assert (state_of(tree).checkpoints, state_of(tree).whole) == (2, 2)
    shutil.rmtree(tree.root / ".git")
    (group,) = CheckpointStore.open(tree.root).elsewhere()
    assert [(each.label, each.root) for each in group.entries] == [
        ("1", str(tree.root)),
        ("0", str(tree.root)),
    ]


def test_what_garbage_collections_replace_leaves_the_mirror(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        take(tree, number)
    for keep in (tree.root / ".git/objects/pack").glob("*.keep"):
        keep.unlink()
    tree.git("gc", "-q", "--prune=now")
    take(tree, 4)
    state = state_of(tree, repair=True)
    assert (state.checkpoints, state.whole, state.own_bytes) == (5, 5, 0)


def test_what_old_checkpoints_needed_goes_with_them(tree: WorkingTree) -> None:
    first = take(tree, 0)
    for number in range(1, 3):
        take(tree, number)
    for keep in (tree.root / ".git/objects/pack").glob("*.keep"):
        keep.unlink()
    store = CheckpointStore.open(tree.root)
    store.delete(first)
    tree.git("gc", "-q", "--prune=now")
    state_of(tree, repair=True)
    assert (
        state_of(tree).own_bytes > 0
    )  # what only the first had: younger ones may need it, as far as is known
    for id_ in [each.id for each in store.list()]:
        store.delete(id_)
    take(tree, 3)
    state = state_of(tree, repair=True)
    assert (state.checkpoints, state.whole, state.own_bytes) == (1, 1, 0)


def test_where_no_link_can_be_made_files_are_copied(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_links(monkeypatch)
    for number in range(3):
        take(tree, number)
    state = state_of(tree)
    assert (state.checkpoints, state.whole) == (3, 3)
    assert state.own_bytes > 0


def test_copying_in_many_steps_looks_into_each_directory_of_objects_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_links(monkeypatch)
    objects, mirror = tmp_path / "objects", tmp_path / "mirrors"
    (mirror / "objects" / "pack").mkdir(parents=True)
    for number in range(32):
        (objects / f"{number:02x}").mkdir(parents=True)
        (objects / f"{number:02x}" / f"{number:038x}").write_bytes(b"content")
        os.utime(objects / f"{number:02x}", (1_000, 1_000))
    looked_into: list[bytes] = []
    listing = os.listdir

    def list_directory(path: bytes) -> list[bytes]:
        looked_into.append(path)
        return listing(path)

    monkeypatch.setattr(os, "listdir", list_directory)

    def step() -> bool:
        budget = Budget(until=float("inf"), bytes=3 * len(b"content"))
        mirror_objects(os.fsencode(objects), mirror, budget)
        return budget.is_short

    steps = 1
    while step():
        steps += 1
    assert steps == 11
    assert len(list((mirror / "objects").glob("??/*"))) == 32
    of_objects = [path for path in looked_into if path.startswith(os.fsencode(objects) + b"/")]
    assert len([path for path in of_objects if not path.endswith(b"pack")]) == 32 + steps - 1
    (mirror / "followed").unlink()
    (objects / "00" / f"{99:038x}").write_bytes(b"content")
    assert not step()
    assert (mirror / "objects" / "00" / f"{99:038x}").exists()


def test_a_large_pack_is_copied_piece_by_piece(tree: WorkingTree, monkeypatch: pytest.MonkeyPatch) -> None:
    no_links(monkeypatch)
    monkeypatch.setattr("patchpoint.checkpoints.mirror.update._MOST_COPIED", 40_000)
    tree.write({"large.bin": os.urandom(200_000)})
    tree.commit("large")
    tree.git("repack", "-adq")
    take(tree, 0)
    whole = []
    for number in range(1, 12):
        take(tree, number)
        whole.append(state_of(tree).whole)
    assert whole[0] == 0
    assert whole[-1] == 12


def test_the_limit_is_kept_and_said(tree: WorkingTree, monkeypatch: pytest.MonkeyPatch) -> None:
    no_links(monkeypatch)
    limit = 100_000
    options = StoreOptions(mirror_bytes=limit)
    tree.write({"large.bin": os.urandom(300_000)})
    take(tree, 0, options)
    state = state_of(tree, repair=True, options=options)
    assert (state.is_full, state.whole) == (True, 0)
    assert state.own_bytes <= limit


def test_beyond_the_limit_the_oldest_packs_go(tree: WorkingTree) -> None:
    tree.write({"large.bin": os.urandom(300_000)})
    CheckpointStore.open(tree.root).take()
    tree.write({"large.bin": "small\n"})
    for place in (tree.root / ".git/objects/pack").glob("*"):
        place.unlink()  # the mirror alone has it now
    repository = Repository.open(tree.root)
    mirror = mirror_directory(repository)
    described = Described(repository, Namespace.of(None))
    complete_mirror(repository, 1 << 20, described)
    assert 300_000 < own_bytes(mirror) < 1 << 20
    complete_mirror(repository, 100_000, described)
    assert own_bytes(mirror) < 100_000


def test_a_mirror_that_cannot_be_written_stops_no_checkpoint(tree: WorkingTree, state_home: Path) -> None:
    state_home.mkdir(parents=True)
    (state_home / "mirrors").write_text("in the way")
    id_ = take(tree, 0)
    store = CheckpointStore.open(tree.root)
    assert [each.id for each in store.list()] == [id_]
    state = state_of(tree)
    assert state.problem is not None
    assert state.whole == 0
    (state_home / "mirrors").unlink()
    assert state_of(tree, repair=True).whole == 1


@pytest.mark.parametrize("failing", ["link", "open", "mkdir", "listdir"])
def test_a_full_disk_stops_no_checkpoint(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    take(tree, 0)
    real = getattr(os, failing)

    def full(path: object, *arguments: object, **named: object) -> object:
        if b"mirrors" in os.fsencode(str(arguments[0] if failing == "link" else path)):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(path, *arguments, **named)

    with monkeypatch.context() as patched:
        patched.setattr(os, failing, full)
        id_ = take(tree, 1)
    assert CheckpointStore.open(tree.root).list()[0].id == id_
    take(tree, 2)
    assert state_of(tree, repair=True).whole == 3


def test_a_mirror_gets_little_time(tree: WorkingTree, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes long is left to the next checkpoints, and comes with them."""
    no_time(monkeypatch)
    monkeypatch.setattr("patchpoint.checkpoints.mirror.update._FREE_LINKS", 0)
    take(tree, 0)
    assert state_of(tree).whole == 0
    monkeypatch.undo()
    take(tree, 1)
    assert state_of(tree).whole == 2


def test_what_a_small_checkpoint_needs_is_mirrored_however_busy_the_machine_is(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_time(monkeypatch)
    for number in range(3):
        take(tree, number)
        assert state_of(tree).whole == number + 1


def test_a_step_that_changed_nothing_goes_on_with_the_mirror(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as busy:
        no_time(busy)
        busy.setattr("patchpoint.checkpoints.mirror.update._FREE_LINKS", 0)
        taken = take(tree, 0)
        assert state_of(tree).whole == 0
    assert CheckpointStore.open(tree.root).take(only_changes=True).id == taken
    assert state_of(tree).whole == 1


def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("patchpoint.checkpoints.mirror.update._LEAST_S", 0.0)
    monkeypatch.setattr("patchpoint.checkpoints.mirror.update._SHARE", 0.0)


def test_a_kill_at_any_moment_leaves_a_mirror_that_the_next_checkpoint_completes(
    tree: WorkingTree, state_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(state_home.parent))
    events = run_and_kill(lambda: take(tree, 0), 100_000)
    assert events > 20
    for at in share(range(1, events + 20), of=2):
        known = {each.id for each in CheckpointStore.open(tree.root).list()}
        run_and_kill(partial(take, tree, at), at)
        store = CheckpointStore.open(tree.root)
        assert known <= {each.id for each in store.list()}
        mirror = mirror_directory(Repository.open(tree.root))
        assert {each.id for each in registered(mirror).values()} <= {each.id for each in store.list()}
    take(tree, 1000)
    state = state_of(tree, repair=True)
    assert state.whole == state.checkpoints
    tree.refuse_damage()


def test_what_a_process_that_died_did_not_register_is_registered_with_the_next(tree: WorkingTree) -> None:
    for number in range(3):
        take(tree, number)
        register = mirror_directory(Repository.open(tree.root)) / "register"
        if number < 2:
            register.write_text(register.read_text()[:-100])
    state = state_of(tree)
    assert (state.checkpoints, state.whole) == (3, 3)


def test_nothing_is_lost_while_git_collects_all_the_time(tree: WorkingTree) -> None:
    """With what a mirror has left after many garbage collections, every checkpoint comes back."""
    options = StoreOptions(retention=RetentionPolicy(keep=4))
    for number in range(12):
        take(tree, number, options)
        for keep in (tree.root / ".git/objects/pack").glob("*.keep"):
            keep.unlink()
        tree.git("gc", "-q", "--prune=now")
    store = CheckpointStore.open(tree.root, options=options)
    ids = [each.id for each in store.list()]
    assert len(ids) == 4
    names = tree.git("for-each-ref", "--format=delete %(refname)", "refs/patchpoint")
    tree.git("update-ref", "--stdin", stdin=names)
    tree.git("gc", "-q", "--prune=now")
    assert store.doctor(repair=True).healthy
    assert [each.id for each in store.list()] == ids
    tree.refuse_damage()


def entry(number: int, label: str) -> Registered:
    return Registered(
        ref=f"refs/patchpoint/checkpoints/{number}",
        commit=f"{number:040x}",
        taken=time.time(),
        root="/x",
        label=label,
    )


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["take", "delete", "compact", "cut"]), st.integers(0, 5), st.text(max_size=8)
        ),
        max_size=30,
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_register_says_what_there_is(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, str]]
) -> None:
    mirror = tmp_path_factory.mktemp("mirror")
    expected: dict[str, str] = {}
    for what, number, label in steps:
        one = entry(number, label)
        if what == "take":
            append_entries(mirror, [one])
            expected[one.ref] = label
        elif what == "delete":
            append_deleted(mirror, [one.ref])
            expected.pop(one.ref, None)
        elif what == "compact":
            compact(mirror, registered(mirror))
        else:  # a process died, or a disk was full, in the middle of a line
            with (mirror / "register").open("a") as file:
                file.write('{"ref": "refs/patchpoint/checkpoints/7", "commi')
        assert {ref: each.label for ref, each in registered(mirror).items()} == expected


def later(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + days * 86_400)


def test_a_checkpoint_that_was_lost_is_kept_for_a_month_however_old_it_was(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = take(tree, 0)
    later(monkeypatch, 40)
    take(tree, 1)
    tree.git("update-ref", "-d", f"refs/patchpoint/checkpoints/{id_}")
    for number, days in enumerate((1, 20)):
        later(monkeypatch, days)
        take(tree, 10 + number)
        assert [
            each.id for group in CheckpointStore.open(tree.root).elsewhere() for each in group.entries
        ] == [id_]
    later(monkeypatch, 20)
    take(tree, 20)
    assert CheckpointStore.open(tree.root).elsewhere() == ()


def test_the_mirror_of_a_repository_that_is_gone_goes_after_a_month(
    tmp_path: Path, state_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (WorkingTree.create(tmp_path / name) for name in ("first", "second", "third"))
    take(first, 0)
    (mirror,) = (state_home / "mirrors").iterdir()
    first.root.rename(tmp_path / "moved")
    take(second, 0)
    assert mirror.exists()
    later(monkeypatch, 31)
    take(third, 0)
    assert not mirror.exists()
    assert len(list((state_home / "mirrors").iterdir())) == 2
