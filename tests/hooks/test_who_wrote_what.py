"""Each agent's work, and nobody else's, is reverted, with several agents and a person at once in a folder."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore, StoreOptions
from patchpoint.checkpoints.authorship.blame import line_authors
from patchpoint.checkpoints.authorship.claims import By
from patchpoint.checkpoints.errors import AnchorNotFoundError
from patchpoint.checkpoints.session_revert import revert_session
from patchpoint.progress import Silent
from patchpoint.review.tree import SinceCheckpoint
from tests.git.git_judge import WorkingTree
from tests.hooks.busy_folder import SESSIONS, File, Folder, call_hook, contents, note_saved

HISTORIES = int(os.environ.get("PATCHPOINT_HISTORIES", "10"))
FIRST = int(os.environ.get("PATCHPOINT_FIRST_HISTORY", "0"))


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))


def test_of_random_histories_of_three_sessions_and_a_person_each_is_reverted_alone(tmp_path: Path) -> None:
    exact = listed = 0
    for seed in range(FIRST, FIRST + HISTORIES):
        tree = WorkingTree.create(tmp_path / str(seed))
        folder = Folder(tree.root, random.Random(seed))
        for path in tree.root.glob("*.txt"):
            path.unlink()
        folder.begin()
        for _ in range(folder.chance.randint(20, 50)):
            folder.act()
        folder.finish()
        before = contents(tree.root)
        for session in SESSIONS:
            try:
                done = revert_session(tree.root, session, per_file=True)
            except AnchorNotFoundError:
                continue
            after = contents(tree.root)
            is_done = done.restored is not None and not done.restored.dry_run
            assert is_done or after == before
            left = {each.path for each in done.left}
            assert is_done or left or done.open_ended or is_unattributed(folder, session, done.unattributed)
            for name, file in folder.files.items():
                what = (seed, session, name)
                if name in left or (not is_done and after.get(name) != file.without(session)):
                    assert after.get(name) == before.get(name), what
                elif name in done.unattributed:
                    refuse_harm_to_others(file, session, after.get(name), what)
                else:
                    assert after.get(name) == file.without(session), what
                if file.without(session) != file.text:
                    exact += after.get(name) == file.without(session)
                    listed += after.get(name) == before.get(name)
            if is_done:
                CheckpointStore.open(tree.root).undo()
            assert contents(tree.root) == before, (seed, session)
    assert exact > listed


def is_unattributed(folder: Folder, session: str, names: tuple[str, ...]) -> bool:
    """Return whether all that a session did is in these files."""
    return all(name in names or file.without(session) == file.text for name, file in folder.files.items())


def refuse_harm_to_others(file: File, session: str, now: str | None, what: object) -> None:
    """Fail where what others wrote is gone, or what they deleted is back."""
    if now is None:
        assert file.made_by == session or file.gone_by not in ("", session), what
    found = set((now or "").splitlines(keepends=True))
    for line in file.lines:
        if line.gone_by not in ("", session) or (file.gone_by not in ("", session)):
            assert line.text not in found, what
        elif line.by != session and not line.gone_by and not file.gone_by:
            assert line.text in found, what


LINES = "".join(f"line {number}\n" for number in range(1, 21))


@pytest.fixture
def agents(tmp_path: Path) -> Agents:
    tree = WorkingTree.create(tmp_path / "tree")
    tree.write({"n.txt": LINES, "other.txt": "other\n"})
    return Agents(tree.root)


class Agents:
    """Agents at work in one folder, by their hooks."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def prompt(self, session: str) -> None:
        call_hook(self.root, hook_event_name="UserPromptSubmit", session_id=session, prompt="Go on")

    def stop(self, session: str, event: str = "Stop", **more: str) -> None:
        call_hook(self.root, hook_event_name=event, session_id=session, **more)

    def before(self, session: str, tool: str, call: str = "1", **given: str) -> None:
        self.step("PreToolUse", session, tool, call, given)

    def after(self, session: str, tool: str, call: str = "1", **given: str) -> None:
        self.step("PostToolUse", session, tool, call, given)

    def step(self, event: str, session: str, tool: str, call: str, given: dict[str, str]) -> None:
        named = {"session_id": session, "tool_name": tool, "tool_use_id": call}
        call_hook(self.root, hook_event_name=event, tool_input=given, **named)

    def write(self, name: str, old: str, new: str) -> None:
        text = self.read(name)
        assert old in text
        (self.root / name).write_text(text.replace(old, new))

    def read(self, name: str) -> str:
        return (self.root / name).read_text()


def edit(name: str, old: str, new: str) -> dict[str, str]:
    return {"file_path": name, "old_string": old, "new_string": new}


def edit_at_the_same_time(agents: Agents) -> None:
    """Two agents edit one file, each in a turn of its own: both ask before either writes."""
    one, two = edit("n.txt", "line 3\n", "ONE\n"), edit("n.txt", "line 17\n", "TWO\n")
    agents.prompt("one")
    agents.prompt("two")
    agents.before("one", "Edit", "a", **one)
    agents.before("two", "Edit", "b", **two)
    agents.write("n.txt", "line 17\n", "TWO\n")
    agents.write("n.txt", "line 3\n", "ONE\n")
    agents.after("one", "Edit", "a", **one)
    agents.after("two", "Edit", "b", **two)
    agents.stop("one")
    agents.stop("two")


def test_two_edits_of_one_file_at_the_same_time_are_each_their_agents(agents: Agents) -> None:
    edit_at_the_same_time(agents)
    done = revert_session(agents.root, "one")
    assert not done.left
    assert agents.read("n.txt") == LINES.replace("line 17\n", "TWO\n")


def test_a_review_of_a_session_shows_and_reverts_what_it_wrote_and_nothing_else(agents: Agents) -> None:
    edit_at_the_same_time(agents)
    agents.write("n.txt", "line 10\n", "A PERSON\n")
    (agents.root / "mine.txt").write_text("a person's\n")
    since = next(one for one in CheckpointStore.open(agents.root).list()[::-1] if one.session == "one")
    review = replace(SinceCheckpoint.open(CheckpointStore.open(agents.root), since.id), session="one")
    (file,) = review.files()
    (hunk,) = file.hunks
    assert (file.path, hunk.removed, hunk.added) == ("n.txt", "line 3\n", "ONE\n")
    review.take_back({"n.txt": [hunk.id]})
    others = LINES.replace("line 17\n", "TWO\n").replace("line 10\n", "A PERSON\n")
    assert agents.read("n.txt") == others
    assert agents.read("mine.txt") == "a person's\n"
    assert review.files() == ()


def test_a_review_of_a_session_says_what_it_leaves_out(agents: Agents) -> None:
    one = edit("n.txt", "line 3\n", "ONE\n")
    agents.prompt("one")
    since = CheckpointStore.open(agents.root).list()[0]
    agents.before("one", "Edit", "a", **one)
    agents.write("n.txt", "line 3\n", "ONE\n")
    (agents.root / "mine.txt").write_text("a person's\n")
    agents.after("one", "Edit", "a", **one)
    agents.stop("one")
    agents.write("n.txt", "ONE\n", "ONE, AS A PERSON WANTS IT\n")
    review = replace(SinceCheckpoint.open(CheckpointStore.open(agents.root), since.id), session="one")
    assert review.files() == ()
    assert review.left_out() == [
        "n.txt: these lines have been changed since",
        "mine.txt: changed by no step that is known",
    ]


def test_a_commands_change_is_its_own_during_an_edit_of_another_agent(agents: Agents) -> None:
    two = edit("n.txt", "line 17\n", "TWO\n")
    agents.prompt("one")
    agents.prompt("two")
    agents.before("one", "Bash", command="make")
    agents.before("two", "Edit", **two)
    agents.write("n.txt", "line 17\n", "TWO\n")
    agents.write("n.txt", "line 3\n", "ONE\n")
    agents.after("two", "Edit", **two)
    agents.after("one", "Bash", command="make")
    agents.stop("one")
    agents.stop("two")
    revert_session(agents.root, "two")
    assert agents.read("n.txt") == LINES.replace("line 3\n", "ONE\n")


def test_two_commands_that_change_one_file_at_the_same_time_are_neithers(agents: Agents) -> None:
    for session in ("one", "two"):
        agents.prompt(session)
        agents.before(session, "Bash", command="make")
    agents.write("n.txt", "line 3\n", "SOMEBODY\n")
    agents.after("one", "Bash", command="make")
    agents.after("two", "Bash", command="make")
    done = revert_session(agents.root, "one")
    assert [(left.path, "'two'" in left.reason) for left in done.left] == [("n.txt", True)]
    assert done.restored is None


def test_what_a_person_writes_into_the_file_that_an_agent_edits_stays(agents: Agents) -> None:
    one = edit("n.txt", "line 3\n", "ONE\n")
    agents.prompt("one")
    agents.before("one", "Edit", **one)
    agents.write("n.txt", "line 10\n", "MINE\n")  # while the agent asks for a permission
    agents.write("n.txt", "line 3\n", "ONE\n")
    agents.after("one", "Edit", **one)
    (agents.root / "notes.txt").write_text("mine\n")
    agents.stop("one")
    done = revert_session(agents.root, "one")
    assert agents.read("n.txt") == LINES.replace("line 10\n", "MINE\n")
    assert set(done.unattributed) == {"n.txt", "notes.txt"}
    assert agents.read("notes.txt") == "mine\n"


def test_what_an_editor_saves_while_a_command_runs_is_the_persons(agents: Agents) -> None:
    agents.prompt("one")
    agents.before("one", "Bash", command="make")
    agents.write("n.txt", "line 3\n", "ONE\n")
    was = agents.read("n.txt")
    agents.write("n.txt", "line 10\n", "MINE\n")
    note_saved(agents.root, "n.txt", was, agents.read("n.txt"))
    agents.after("one", "Bash", command="make")
    agents.stop("one")
    done = revert_session(agents.root, "one")
    assert not done.left
    assert not done.unattributed
    assert agents.read("n.txt") == LINES.replace("line 10\n", "MINE\n")


@pytest.mark.parametrize(
    ("event", "more"),
    [("SessionEnd", {}), ("Notification", {"notification_type": "idle_prompt"}), ("StopFailure", {})],
)
def test_after_an_interrupt_what_a_person_does_is_not_the_agents(
    agents: Agents, event: str, more: dict[str, str]
) -> None:
    one = edit("n.txt", "line 3\n", "ONE\n")
    agents.prompt("one")
    agents.before("one", "Edit", **one)
    agents.write("n.txt", "line 3\n", "ONE\n")
    # Esc: nothing is said
    agents.write("other.txt", "other\n", "mine\n")
    (agents.root / "mine.txt").write_text("mine\n")
    agents.stop("one", event, **more)
    done = revert_session(agents.root, "one")
    assert done.unattributed == ("mine.txt", "other.txt")
    assert agents.read("n.txt") == LINES
    assert agents.read("mine.txt") == agents.read("other.txt") == "mine\n"


def test_of_a_command_that_was_interrupted_nobody_knows_what_it_did(agents: Agents) -> None:
    agents.prompt("one")
    agents.before("one", "Bash", command="true")
    agents.after("one", "Bash", command="true")
    agents.before("one", "Bash", "2", command="make")
    agents.write("n.txt", "line 3\n", "SOMEBODY\n")
    agents.stop("one", "Notification", notification_type="idle_prompt")
    done = revert_session(agents.root, "one")
    assert done.open_ended
    assert agents.read("n.txt") == LINES.replace("line 3\n", "SOMEBODY\n")
    revert_session(agents.root, "one", until_now=True)
    assert agents.read("n.txt") == LINES


def test_a_turn_that_has_ended_does_not_end_again(agents: Agents) -> None:
    agents.prompt("one")
    agents.stop("one")
    taken = CheckpointStore.open(agents.root).list()
    agents.stop("one", "Notification", notification_type="idle_prompt")
    agents.stop("one", "SessionEnd")
    assert CheckpointStore.open(agents.root).list() == taken


def test_an_edit_that_failed_has_done_nothing(agents: Agents) -> None:
    one = edit("n.txt", "line 3\n", "SAME\n")
    agents.prompt("one")
    agents.before("one", "Edit", **one)
    agents.step("PostToolUseFailure", "one", "Edit", "1", one)
    agents.write("n.txt", "line 3\n", "SAME\n")
    agents.stop("one")
    done = revert_session(agents.root, "one")
    assert done.unattributed == ("n.txt",)
    assert agents.read("n.txt") == LINES.replace("line 3\n", "SAME\n")


def test_a_file_that_two_agents_made_alike_is_neithers(agents: Agents) -> None:
    given = {"file_path": "new.txt", "content": "the same\n"}
    for session in ("one", "two"):
        agents.prompt(session)
        agents.before(session, "Write", **given)
    (agents.root / "new.txt").write_text("the same\n")
    for session in ("one", "two"):
        agents.after(session, "Write", **given)
        agents.stop(session)
    assert [left.path for left in revert_session(agents.root, "one").left] == ["new.txt"]
    assert (agents.root / "new.txt").exists()


def test_what_a_restore_brought_is_not_the_agents_whose_command_runs(agents: Agents) -> None:
    store = CheckpointStore.open(agents.root)
    before = store.take()
    agents.write("other.txt", "other\n", "mine\n")
    agents.prompt("one")
    agents.before("one", "Bash", command="make")
    agents.write("n.txt", "line 3\n", "ONE\n")
    store.restore(before.id, paths=["other.txt"])
    agents.after("one", "Bash", command="make")
    agents.stop("one")
    revert_session(agents.root, "one")
    assert agents.read("n.txt") == LINES
    assert agents.read("other.txt") == "other\n"


def test_of_each_line_it_is_known_which_prompt_wrote_it(agents: Agents) -> None:
    agents.write("n.txt", "line 1\n", "before all\n")
    edit_at_the_same_time(agents)
    was = agents.read("n.txt")
    agents.write("n.txt", "line 2\n", "MINE\nMINE\n")
    note_saved(agents.root, "n.txt", was, agents.read("n.txt"))
    agents.prompt("one")
    agents.write("n.txt", "line 20\n", "SOMEBODY\n")
    found = line_authors(agents.root, b"n.txt", 0, 100, StoreOptions(), Silent())
    assert len(found) == 21
    written = {each.text: (each.by, each.session) for each in found if each.by is not None}
    assert written == {
        "MINE": (By.PERSON, None),
        "ONE": (By.SESSION, "one"),
        "TWO": (By.SESSION, "two"),
        "SOMEBODY": (By.NOBODY, None),
    }
    (author,) = line_authors(agents.root, b"n.txt", 3, 4, StoreOptions(), Silent())
    assert (author.line, author.text) == (3, "ONE")
    assert author.turn is not None
    assert author.turn.prompt == "Go on"
    with pytest.raises(FileNotFoundError):
        line_authors(agents.root, b"none.txt", 3, 4, StoreOptions(), Silent())
