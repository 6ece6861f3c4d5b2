"""What one session changed is reverted, and what others changed stays."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointKind, CheckpointStore
from patchpoint.checkpoints.errors import AnchorNotFoundError, TreeMovedError
from patchpoint.checkpoints.record.checkpoint import new_id
from patchpoint.checkpoints.record.steps import AnnouncedStep, record_steps, recorded_steps
from patchpoint.checkpoints.session_revert import revert_session
from patchpoint.checkpoints.snapshot.take import add_snapshot, take_snapshot
from tests.git.git_judge import WorkingTree
from tests.text.history import History

HISTORIES = int(os.environ.get("PATCHPOINT_HISTORIES", "20"))


class Agent:
    """An agent whose every step is between two checkpoints of its session."""

    def __init__(self, tree: WorkingTree, session: str) -> None:
        self.tree = tree
        self.session = session
        self.store = CheckpointStore.open(tree.root)

    def begin(self, turn: str = "1") -> None:
        self.store.take(session=self.session, message=turn, kind=CheckpointKind.RUN)

    def step(self, writes: tuple[str, ...] | None, turn: str = "1") -> None:
        """Take the checkpoint before a step, and record what it is to write, as a hook does."""
        taken = self.store.take(
            session=self.session, message=turn, kind=CheckpointKind.STEP, only_changes=True
        )
        step = AnnouncedStep(session=self.session, after=taken.id, writes=writes)
        record_steps(self.tree.root / ".git/patchpoint", [step])

    def end(self, turn: str = "1") -> None:
        self.store.take(session=self.session, message=turn, kind=CheckpointKind.AFTER_RUN)

    def write(self, files: dict[str, str | bytes | None], turn: str = "1") -> None:
        self.begin(turn)
        self.tree.write(files)
        self.end(turn)


LINES = "".join(f"line {number}\n" for number in range(1, 21))


@pytest.fixture
def numbered(tree: WorkingTree) -> WorkingTree:
    tree.write({"n.txt": LINES, "other.txt": "other\n"})
    return tree


def test_the_work_of_one_session_goes_and_that_of_the_other_stays(numbered: WorkingTree) -> None:
    one, two = Agent(numbered, "one"), Agent(numbered, "two")
    one.write({"n.txt": LINES.replace("line 3\n", "ONE\n"), "made.txt": "by one\n", "src/b.txt": None})
    text = (numbered.root / "n.txt").read_text()
    two.write({"n.txt": text.replace("line 17\n", "TWO\n"), "other.txt": "by two\n"})
    done = revert_session(numbered.root, "one")
    assert (numbered.root / "n.txt").read_text() == LINES.replace("line 17\n", "TWO\n")
    assert not (numbered.root / "made.txt").exists()
    assert (numbered.root / "src/b.txt").read_text() == "b\n"
    assert (numbered.root / "other.txt").read_text() == "by two\n"
    assert not done.left
    assert not done.open_ended
    numbered.refuse_damage()


def test_it_can_be_undone_and_done_again(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.write({"n.txt": "all new\n", "made.txt": "x\n"})
    revert_session(numbered.root, "one")
    agent.store.undo()
    assert (numbered.root / "n.txt").read_text() == "all new\n"
    assert (numbered.root / "made.txt").read_text() == "x\n"
    agent.store.undo()
    assert (numbered.root / "n.txt").read_text() == LINES


def test_one_turn_alone_can_be_reverted(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.write({"n.txt": LINES.replace("line 3\n", "THREE\n")}, "m1")
    text = (numbered.root / "n.txt").read_text()
    agent.write({"n.txt": text.replace("line 9\n", "NINE\n")}, "m2")
    revert_session(numbered.root, "one", "m1")
    assert (numbered.root / "n.txt").read_text() == LINES.replace("line 9\n", "NINE\n")
    with pytest.raises(AnchorNotFoundError):
        revert_session(numbered.root, "one", "m3")
    with pytest.raises(AnchorNotFoundError):
        revert_session(numbered.root, "nobody")


def test_where_the_other_has_changed_the_same_lines_nothing_is_done(numbered: WorkingTree) -> None:
    one, two = Agent(numbered, "one"), Agent(numbered, "two")
    one.write({"n.txt": LINES.replace("line 3\n", "ONE\n"), "made.txt": "by one\n"})
    two.write({"n.txt": LINES.replace("line 3\n", "TWO\n")})
    before = numbered.files()
    done = revert_session(numbered.root, "one")
    assert numbered.files() == before
    assert done.restored is None
    (left,) = done.left
    assert left.path == "n.txt"
    assert left.obstacle is not None
    assert left.obstacle.lines == (2, 3)
    done = revert_session(numbered.root, "one", per_file=True)
    assert done.restored is not None
    assert done.restored.deleted == ("made.txt",)
    assert (numbered.root / "n.txt").read_text() == LINES.replace("line 3\n", "TWO\n")


@pytest.mark.parametrize("later", [None, "changed\n", b"\0binary"])
def test_a_file_that_others_have_changed_since_is_neither_deleted_nor_written_over(
    numbered: WorkingTree, later: str | bytes | None
) -> None:
    one, two = Agent(numbered, "one"), Agent(numbered, "two")
    one.write({"made.bin": b"\0one", "a.txt": None, "src/b.txt": b"\0\1"})
    two.write({"made.bin": later or b"\0two", "a.txt": later or "here again\n", "src/b.txt": later})
    before = numbered.files()
    done = revert_session(numbered.root, "one", per_file=True)
    assert [left.path for left in done.left] == ["a.txt", "made.bin", "src/b.txt"]
    assert numbered.files() == before


def test_what_changed_while_both_were_at_work_is_nobodys(numbered: WorkingTree) -> None:
    one, two = Agent(numbered, "one"), Agent(numbered, "two")
    one.begin()
    numbered.write({"early.txt": "by one\n"})
    two.begin()
    numbered.write({"n.txt": "by one or two\n"})
    one.end()
    numbered.write({"late.txt": "by two\n"})
    two.end()
    done = revert_session(numbered.root, "one", per_file=True)
    assert [(left.path, "'two'" in left.reason) for left in done.left] == [("n.txt", True)]
    assert not (numbered.root / "early.txt").exists()
    assert (numbered.root / "late.txt").exists()


def test_what_a_person_does_between_the_steps_stays(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.write({"n.txt": LINES.replace("line 3\n", "ONE\n")})
    text = (numbered.root / "n.txt").read_text()
    numbered.write({"n.txt": text.replace("line 10\n", "MINE\n"), "mine.txt": "mine\n"})
    agent.write({"n.txt": (numbered.root / "n.txt").read_text().replace("line 18\n", "ONE\n")})
    numbered.write({"later.txt": "mine\n"})
    revert_session(numbered.root, "one")
    assert (numbered.root / "n.txt").read_text() == LINES.replace("line 10\n", "MINE\n")
    assert (numbered.root / "mine.txt").exists()
    assert (numbered.root / "later.txt").exists()


def test_a_turn_whose_end_nobody_recorded_is_reverted_only_when_asked_for(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.begin()
    numbered.write({"made.txt": "x\n"})
    done = revert_session(numbered.root, "one")
    assert done.open_ended
    assert done.restored is not None
    assert done.restored.dry_run
    assert done.restored.deleted == ("made.txt",)
    assert (numbered.root / "made.txt").exists()
    revert_session(numbered.root, "one", until_now=True)
    assert not (numbered.root / "made.txt").exists()


def test_what_came_between_an_interrupted_turn_and_the_next_prompt_may_be_the_persons(
    numbered: WorkingTree,
) -> None:
    agent = Agent(numbered, "one")
    agent.begin("1")
    numbered.write({"mine.txt": "mine\n"})
    agent.write({"made.txt": "by one\n"}, "2")
    assert revert_session(numbered.root, "one").open_ended
    done = revert_session(numbered.root, "one", "2")
    assert not done.open_ended
    assert done.restored is not None
    assert done.restored.deleted == ("made.txt",)
    assert (numbered.root / "mine.txt").exists()


def test_the_steps_of_a_turn_that_was_ended_leave_nothing_open(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.begin()
    numbered.write({"made.txt": "x\n"})
    agent.step(None)
    numbered.write({"more.txt": "x\n"})
    agent.end()
    assert not revert_session(numbered.root, "one").open_ended


def test_files_that_no_step_was_to_write_stay_and_are_named(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.begin()
    agent.step(("n.txt",))
    numbered.write({"n.txt": "by one\n", "other.txt": "by a person\n", "new.txt": "by a person\n"})
    agent.end()
    before = numbered.files()
    done = revert_session(numbered.root, "one")
    assert done.unattributed == ("new.txt", "other.txt")
    assert numbered.files() == {**before, "n.txt": (before["n.txt"][0], LINES.encode())}
    agent.store.undo()
    revert_session(numbered.root, "one", include_unattributed=True)
    assert not (numbered.root / "new.txt").exists()
    assert (numbered.root / "other.txt").read_text() == "other\n"


def test_of_an_agent_that_announces_no_step_the_whole_turn_counts(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.begin()
    agent.step(())
    numbered.write({"n.txt": "by one\n"})
    agent.end()
    done = revert_session(numbered.root, "one")
    assert not done.unattributed
    assert (numbered.root / "n.txt").read_text() == LINES


def test_a_turn_without_a_step_is_nobodys_where_another_turn_has_steps(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.begin("1")
    agent.step(("n.txt",), "1")
    numbered.write({"n.txt": "by one\n"})
    agent.end("1")
    agent.begin("2")
    agent.step((), "2")
    numbered.write({"other.txt": "by a person\n"})
    agent.end("2")
    done = revert_session(numbered.root, "one")
    assert done.unattributed == ("other.txt",)
    assert (numbered.root / "n.txt").read_text() == LINES
    assert (numbered.root / "other.txt").read_text() == "by a person\n"


def test_a_command_can_have_written_any_file_until_the_next_step(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.begin()
    agent.step(None)
    numbered.write({"n.txt": "by a command\n"})
    agent.step(("other.txt",))
    numbered.write({"other.txt": "by an edit\n", "a.txt": "by a person\n"})
    agent.end()
    done = revert_session(numbered.root, "one")
    assert done.unattributed == ("a.txt",)
    assert (numbered.root / "n.txt").read_text() == LINES
    assert (numbered.root / "other.txt").read_text() == "other\n"
    assert (numbered.root / "a.txt").read_text() == "by a person\n"


def test_steps_whose_sessions_have_no_checkpoint_as_old_are_left_out_once_there_are_many(
    numbered: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, other = Agent(numbered, "one"), Agent(numbered, "two")
    agent.begin()
    agent.step(("n.txt",))
    other.begin()
    other.step(("a.txt",))
    directory = numbered.root / ".git/patchpoint"
    numbered.write({"a.txt": "changed\n"})
    agent.store.take()
    for each in agent.store.list(session="two"):
        agent.store.delete(each.id)
    monkeypatch.setattr("patchpoint.checkpoints.record.steps._LARGEST", 1)
    agent.store.take()
    steps = [each for each in recorded_steps(directory) if isinstance(each, AnnouncedStep)]
    assert {step.session for step in steps} == {"one"}


@pytest.mark.parametrize(
    "line", ["", "{", "[]", '{"session": 1}', '{"session": "one", "after": "../x", "writes": []}']
)
def test_what_is_no_step_is_passed_over(tmp_path: Path, line: str) -> None:
    step = AnnouncedStep(session="one", after=new_id(), writes=("a\udcff.txt",))
    record_steps(tmp_path, [step])
    with (tmp_path / "steps").open("a") as file:
        file.write(line + "\n")
    record_steps(tmp_path, [step])
    assert recorded_steps(tmp_path) == [step, step]


def test_modes_and_links_come_back(numbered: WorkingTree) -> None:
    (numbered.root / "link").symlink_to("a.txt")
    agent = Agent(numbered, "one")
    agent.begin()
    (numbered.root / "a.txt").chmod(0o755)
    (numbered.root / "link").unlink()
    (numbered.root / "link").symlink_to("n.txt")
    agent.end()
    numbered.write({"a.txt": "one\ntwo\nthree\nfour\n"})
    revert_session(numbered.root, "one")
    assert not (numbered.root / "a.txt").stat().st_mode & 0o100
    assert (numbered.root / "a.txt").read_text() == "one\ntwo\nthree\nfour\n"
    assert (numbered.root / "link").readlink() == Path("a.txt")


def test_branch_and_staged_state_stay(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.write({"a.txt": "changed\n"})
    numbered.git("add", "-A")
    numbered.git("commit", "-q", "-m", "second")
    staged, refs = numbered.staged(), numbered.refs()
    revert_session(numbered.root, "one")
    assert (numbered.root / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert (numbered.staged(), numbered.refs()) == (staged, refs)


def test_a_dry_run_changes_nothing_and_leaves_no_checkpoint(numbered: WorkingTree) -> None:
    agent = Agent(numbered, "one")
    agent.write({"a.txt": "changed\n"})
    before, refs = numbered.files(), numbered.git("for-each-ref")
    done = revert_session(numbered.root, "one", dry_run=True)
    assert done.restored is not None
    assert done.restored.written == ("a.txt",)
    assert (numbered.files(), numbered.git("for-each-ref")) == (before, refs)


def test_a_file_that_changes_meanwhile_is_not_written_over(
    numbered: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    Agent(numbered, "one").write({"a.txt": "changed\n"})
    taken, is_look = 0, False

    def take(*arguments: object, **options: object) -> object:
        nonlocal taken
        if not is_look:
            taken += 1
            numbered.write({"a.txt": f"written meanwhile, {taken}\n"})
        return add_snapshot(*arguments, **options)  # type: ignore[arg-type]

    def look(*arguments: object, **options: object) -> object:
        nonlocal is_look
        is_look = True
        snapshot = take_snapshot(*arguments, **options)  # type: ignore[arg-type]
        is_look = False
        return snapshot

    monkeypatch.setattr("patchpoint.checkpoints.snapshot.take.add_snapshot", take)
    monkeypatch.setattr("patchpoint.checkpoints.snapshot.take.take_snapshot", look)
    with pytest.raises(TreeMovedError):
        revert_session(numbered.root, "one")
    assert (numbered.root / "a.txt").read_text() == f"written meanwhile, {taken}\n"


def test_of_random_histories_of_two_sessions_one_is_reverted_or_nothing_is(tmp_path: Path) -> None:
    reverted = 0
    for seed in range(HISTORIES):
        tree = WorkingTree.create(tmp_path / str(seed))
        agents = {name: Agent(tree, name) for name in ("S", "T")}
        chance = random.Random(seed)
        files = {f"{number}.txt": History(seed * 10 + number) for number in range(3)}
        tree.write({name: history.text for name, history in files.items()})
        for _ in range(chance.randint(2, 6)):
            agent = agents[chance.choice("ST")]
            agent.begin()
            for name in chance.sample(sorted(files), chance.randint(1, 2)):
                files[name].step(agent.session)
                tree.write({name: files[name].text})
            agent.end()
        before = tree.files()
        try:
            done = revert_session(tree.root, "S", per_file=True)
        except AnchorNotFoundError:
            continue
        left = {each.path for each in done.left}
        for name, history in files.items():
            expected = history.text if name in left else history.without("S")
            assert (tree.root / name).read_text() == expected, (seed, name)
            reverted += name not in left
        if done.restored is not None and done.restored.safety is not None:
            agents["T"].store.undo()
        assert tree.files() == before, seed
    assert reverted >= HISTORIES
