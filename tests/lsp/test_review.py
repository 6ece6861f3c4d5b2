"""The review in an editor: what an agent wrote is kept or taken back, change by change, over restarts."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from patchpoint.checkpoints import CheckpointKind, CheckpointStore
from tests.git.git_judge import WorkingTree
from tests.lsp.editor import Buffer, Editor, Habits
from tests.lsp.sessions import VSCODE, session, without

pytestmark = pytest.mark.asyncio

LINES = "".join(f"line {number}\n" for number in range(1, 31))
CHANGED = (
    LINES.replace("line 2\n", "LINE 2\n").replace("line 12\n", "").replace("line 25\n", "line 25\nnew\n")
)
QUICK = ["quickfix"]


async def begun(editor: Editor, files: dict[str, str | bytes | None]) -> dict[str, Any]:
    """Take a checkpoint, write as an agent would, and begin a review."""
    tree = WorkingTree(editor.folder)
    if not (editor.folder / ".git").exists():
        tree.git("init", "-q", "-b", "main")
        tree.write({name: LINES for name in files if name != "made.txt"})
        await editor.command("takeCheckpoint", {"label": "before"})
    tree.write(files)
    review: dict[str, Any] = await editor.command("reviewChanges")
    return review


def hunks(review: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The changes of one file."""
    (file,) = (file for file in review["files"] if file["uri"].endswith(f"/{name}"))
    found: list[dict[str, Any]] = file["hunks"]
    return found


def shown(editor: Editor, name: str) -> list[tuple[int, int]]:
    """The lines of the diagnostics of a file, first and last."""
    found = editor.diagnostics.get((editor.folder / name).as_uri(), [])
    assert all(one.code == "review-change" for one in found)
    assert all(one.severity is types.DiagnosticSeverity.Information for one in found)
    return [(one.range.start.line, one.range.end.line) for one in found]


def reviews(editor: Editor) -> list[Any]:
    """What the client was notified of."""
    return [params for method, params in editor.notified if method == "patchpoint/didChangeReview"]


async def offered(editor: Editor, buffer: Buffer, text: str) -> dict[str, types.CodeAction]:
    """The quick fixes at a text of a document, by title."""
    found = await editor.actions(buffer, buffer.text.index(text), only=QUICK)
    return {action.title: action for action in found}


async def test_each_change_has_a_diagnostic_and_lenses_until_it_is_decided(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": CHANGED})
        assert (review["kept"], review["takenBack"], review["open"]) == (0, 0, 3)
        assert [hunk["range"]["start"]["line"] for hunk in hunks(review, "one.txt")] == [1, 11, 24]
        assert [hunk["oldRange"]["start"]["line"] for hunk in hunks(review, "one.txt")] == [1, 11, 25]
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        await editor.until(lambda: shown(editor, "one.txt"))
        assert shown(editor, "one.txt") == [(1, 1), (11, 11), (24, 24)]
        lenses = await editor.lenses(buffer)
        assert [(lens.range.start.line, lens.command.title) for lens in lenses if lens.command] == [
            (line, title) for line in (1, 11, 24) for title in ("Keep", "Revert")
        ]
        await editor.press(lenses[0])
        await editor.until(lambda: len(shown(editor, "one.txt")) == 2)
        await editor.press(lenses[3])
        await editor.until(lambda: len(shown(editor, "one.txt")) == 1)
        assert buffer.text == LINES.replace("line 2\n", "LINE 2\n").replace("line 25\n", "line 25\nnew\n")
        assert shown(editor, "one.txt") == [(25, 25)]
        assert len(await editor.lenses(buffer)) == 2
        assert (editor.folder / "one.txt").read_text() == CHANGED, "the person saves it"
        editor.undo(buffer)
        await editor.until(lambda: shown(editor, "one.txt") == [(11, 11), (24, 24)])


async def test_what_no_longer_parses_comes_first_and_is_a_warning(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        project = {"a.py": "x = 1\ny = 2\n", "z.py": "x = 1\n" * 20 + "y = 2\n"}
        tree = WorkingTree(editor.folder)
        tree.git("init", "-q", "-b", "main")
        tree.write(project)
        await editor.command("takeCheckpoint", {"label": "before"})
        broken = project["z.py"].replace("x = 1\n", "x = 0\n", 1).replace("y = 2", "y = (2")
        review = await begun(editor, {"a.py": "x = 2\ny = 2\n", "z.py": broken})
        assert [file["risk"] for file in review["files"]] == ["unparsable", None]
        assert [hunk["risk"] for hunk in hunks(review, "z.py")] == [None, "unparsable"]
        first = await editor.command("nextChange", {})
        assert first["uri"].endswith("z.py")
        uri = first["uri"]
        await editor.until(lambda: editor.diagnostics.get(uri))
        found = [(one.severity, "no longer parses" in one.message) for one in editor.diagnostics[uri]]
        assert found == [
            (types.DiagnosticSeverity.Information, False),
            (types.DiagnosticSeverity.Warning, True),
        ]


async def test_quick_fixes_decide_about_a_change_and_about_the_file(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        await begun(editor, {"one.txt": CHANGED, "two.txt": LINES + "end\n"})
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        await editor.until(lambda: shown(editor, "one.txt"))
        fixes = await offered(editor, buffer, "LINE 2")
        assert list(fixes) == [
            "Keep this change",
            "Revert this change",
            "Show what was there",
            "Keep all changes of one.txt",
            "Revert all changes of one.txt",
            "Next change",
        ]
        assert fixes["Keep this change"].diagnostics == editor.diagnostics[buffer.uri][:1]
        assert await offered(editor, buffer, "line 5\n") == {}
        await editor.choose(fixes["Keep this change"])
        again = await offered(editor, buffer, "LINE 2")
        assert list(again)[:1] == ["Decide again about this change"]
        place = await editor.choose(again["Next change"])
        assert (place["uri"], place["range"]["start"]["line"]) == (buffer.uri, 11)
        fixes = await offered(editor, buffer, "new")
        assert (await editor.choose(fixes["Next change"]))["uri"].endswith("/two.txt")
        await editor.choose(fixes["Revert all changes of one.txt"])
        assert buffer.text == LINES.replace("line 2\n", "LINE 2\n")


async def test_an_editor_that_hides_carriage_returns_is_offered_and_given_the_same(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        tree = WorkingTree(editor.folder)
        tree.git("init", "-q", "-b", "main")
        tree.write({"one.txt": LINES.replace("\n", "\r\n").encode()})
        await editor.command("takeCheckpoint", {"label": "before"})
        tree.write({"one.txt": CHANGED.replace("\n", "\r\n").encode()})
        review = await editor.command("reviewChanges")
        buffer = editor.open(editor.folder / "one.txt", text=CHANGED, language="plaintext")
        at = {"start": {"line": 24, "character": 0}, "end": {"line": 25, "character": 0}}
        assert hunks(review, "one.txt")[2]["range"] == at
        assert shown(editor, "one.txt") == [(1, 1), (11, 11), (24, 24)]
        assert "Revert this change" in await offered(editor, buffer, "new")
        assert "Revert this change" not in await offered(editor, buffer, "line 25")
        await editor.choose((await offered(editor, buffer, "LINE 2"))["Revert this change"])
        assert buffer.text == CHANGED.replace("LINE 2\n", "line 2\n")
        assert [lens.range.start.line for lens in await editor.lenses(buffer)] == [11, 11, 24, 24]


@pytest.mark.parametrize("nothing", ["", "\n"])
async def test_a_deleted_file_that_is_shown_without_text_is_taken_back(tmp_path: Path, nothing: str) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"gone.txt": None})
        (gone,) = hunks(review, "gone.txt")
        place = editor.folder / "gone.txt"
        editor.open(place, text=nothing, language="plaintext")
        decided = {"review": review["review"], "hunk": gone["id"], "decision": "takeBack"}
        await editor.command("reviewHunk", decided)
        assert place.read_text() == LINES


async def test_closed_files_are_taken_back_on_the_disk_and_that_is_undone(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": CHANGED, "gone.txt": None, "made.txt": "made\n"})
        for name in ("one.txt", "gone.txt", "made.txt"):
            hunk = hunks(review, name)[0]
            file = await editor.command(
                "reviewHunk", {"review": review["review"], "hunk": hunk["id"], "decision": "takeBack"}
            )
            assert hunk["id"] not in [one["id"] for one in file["hunks"]]
        assert (editor.folder / "one.txt").read_text() == CHANGED.replace("LINE 2\n", "line 2\n")
        assert (editor.folder / "gone.txt").read_text() == LINES
        assert not (editor.folder / "made.txt").exists()
        await editor.command("undoRestore")
        assert (editor.folder / "made.txt").read_text() == "made\n"
        again = await editor.command("reviewChanges")
        assert (again["takenBack"], again["open"]) == (2, 3)


@pytest.mark.parametrize("lacks", [(), ("workspace", "textDocumentContent")], ids=["able", "plain"])
async def test_a_deleted_file_is_a_change_that_is_gone_to_and_decided_about(
    tmp_path: Path, lacks: tuple[str, ...]
) -> None:
    async with session(tmp_path, Habits(), without(*lacks) if lacks else VSCODE) as editor:
        review = await begun(editor, {"a.txt": LINES + "end\n", "gone.txt": None, "z.txt": LINES + "end\n"})
        gone = (editor.folder / "gone.txt").as_uri()
        first = await editor.command("nextChange")
        place = {"uri": first["uri"], "line": first["range"]["start"]["line"]}
        second = await editor.command("nextChange", place)
        assert second == {"uri": gone, "hunk": hunks(review, "gone.txt")[0]["id"], "range": None}
        was = editor.shown_documents[-1].uri
        assert was.endswith("/gone.txt")
        assert await editor.content(was) == LINES
        (problem,) = editor.diagnostics[was]
        assert problem.message == (
            "The file was deleted since “before”: keep it or revert it.\n"
            + "".join(f"- line {number}\n" for number in range(1, 9))
            + "and 22 more"
        )
        fixes = await offered(editor, editor.open(was, LINES, "plaintext"), "line 1\n")
        assert list(fixes) == [
            "Keep this file as it is",
            "Revert this file",
            "Show what was there",
            "Next change",
        ]
        assert (await editor.command("nextChange", {"uri": was, "line": 12}))["uri"].endswith("/z.txt")
        assert await editor.command("nextChange", {**place, "show": False}) == second
        assert editor.shown_documents[-1].uri.endswith("/z.txt")
        assert gone not in editor.diagnostics, "there is no document that it could be in"
        assert list(fixes["Keep this file as it is"].diagnostics or ()) == [problem]
        for name in ("a.txt", "z.txt"):
            file = (editor.folder / name).as_uri()
            await editor.command("reviewHunk", {"review": review["review"], "uri": file, "decision": "keep"})
        assert (await editor.command("nextChange"))["uri"] == gone
        await editor.choose(fixes["Keep this file as it is"])
        await editor.until(lambda: not editor.diagnostics[was])
        assert (await editor.command("nextChange"))["uri"] is None


BEFORE_CART = """class Cart:
    def total(self):
        amount = 0
        for item in self.items:
            amount += item.price
        return amount
"""
AFTER_CART = """class Cart:
    def total(self):
        return sum(item.price for item in self.items)
"""


async def test_what_was_there_is_in_the_diagnostic_and_in_a_document(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        tree = WorkingTree(editor.folder)
        tree.git("init", "-q", "-b", "main")
        tree.write({"cart.py": BEFORE_CART, "long.txt": LINES})
        await editor.command("takeCheckpoint", {"label": "before"})
        review = await begun(editor, {"cart.py": AFTER_CART, "long.txt": "x" * 500 + "\n"})
        assert [hunk["where"] for hunk in hunks(review, "cart.py")] == ["in Cart > total"]
        (problem,) = editor.diagnostics[(editor.folder / "cart.py").as_uri()]
        assert problem.message == (
            "Cart > total: 4 lines changed to 1 since “before”: keep it or revert it.\n"
            "-         amount = 0\n"
            "-         for item in self.items:\n"
            "-             amount += item.price\n"
            "-         return amount"
        )
        (problem,) = editor.diagnostics[(editor.folder / "long.txt").as_uri()]
        assert str(problem.message).splitlines()[1:] == [
            *(f"- line {number}" for number in range(1, 9)),
            "and 22 more",
        ]
        buffer = editor.open(editor.folder / "cart.py")
        fixes = await offered(editor, buffer, "sum(")
        answer = await editor.choose(fixes["Show what was there"])
        assert editor.shown_documents[-1].uri == answer["uri"]
        text = await editor.content(answer["uri"])
        assert text == f"# cart.py, line 3 in Cart > total, since “before”\n{answer['diff']}"
        assert "-        amount = 0\n" in text
        unshown = {"review": review["review"], "hunk": hunks(review, "cart.py")[0]["id"], "show": False}
        assert await editor.command("showChange", unshown) == {"uri": None, "diff": answer["diff"]}
        with pytest.raises(JsonRpcException) as caught:
            await editor.command("showChange", {**unshown, "hunk": "0" * 12})
        assert caught.value.data == {"code": "hunk-not-found"}


async def test_a_review_ends_by_a_code_action_with_its_summary_shown(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        await begun(editor, {"one.txt": CHANGED, "gone.txt": None})
        assert str(editor.messages[-1].message) == "4 changes to review in 2 files."
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        at = buffer.text.index("line 5\n")
        source = {action.title: action for action in await editor.actions(buffer, at, only=["source"])}
        assert list(source)[:2] == ["Next change", "Finish the review"], "anywhere in a file of the review"
        fixes = await offered(editor, buffer, "LINE 2")
        await editor.choose(fixes["Keep all changes of one.txt"])
        ended = await editor.choose(source["Finish the review"])
        assert await editor.content(editor.shown_documents[-1].uri) == ended["summary"]
        assert ended["summary"].startswith("Your changes were reviewed: kept 3, reverted 0, undecided 1.\n")
        assert str(editor.messages[-1].message) == "The review has ended: kept 3, reverted 0, undecided 1."
        with pytest.raises(JsonRpcException, match="No review is open"):
            await editor.command("finishReview")


async def test_a_review_begins_by_a_code_action_that_names_the_prompt(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        tree = WorkingTree(editor.folder)
        tree.git("init", "-q", "-b", "main")
        tree.write({"one.txt": LINES})
        store = CheckpointStore.open(editor.folder)
        store.take(label="Number the lines", session="s", message="1", kind=CheckpointKind.RUN)
        tree.write({"one.txt": CHANGED})
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        begins = "Review what was written since “Number the lines”"

        async def offered_here() -> dict[str, types.CodeAction]:
            found = await editor.actions(buffer, 0, only=["source"])
            return {action.title: action for action in found}

        await editor.choose((await offered_here())[begins])
        await editor.until(lambda: len(shown(editor, "one.txt")) == 3)
        assert begins not in await offered_here()


async def test_a_prompt_is_named_where_the_repository_was_half_made_before(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        (editor.folder / ".git").mkdir()
        (editor.folder / "one.txt").write_text(LINES)
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        before = await editor.actions(buffer, 0, only=["source"])
        assert not [action for action in before if action.title.startswith("Review")]
        WorkingTree(editor.folder).git("init", "-q", "-b", "main")
        CheckpointStore.open(editor.folder).take(label="Number the lines", kind=CheckpointKind.RUN)
        titles = [action.title for action in await editor.actions(buffer, 0, only=["source"])]
        assert "Review what was written since “Number the lines”" in titles


async def test_a_client_that_shows_no_documents_is_sent_words(tmp_path: Path) -> None:
    able = without("window", "showDocument")
    async with session(tmp_path, Habits(), able) as editor:
        await begun(editor, {"one.txt": CHANGED})
        await editor.command("nextChange", {"line": 3, "uri": (editor.folder / "one.txt").as_uri()})
        place = editor.folder / "one.txt"
        assert str(editor.messages[-1].message) == f"The next change is at {place}, line 12."
        await editor.command("finishReview", {"show": True})
        # It is the last line, where one line is all that is seen.
        await editor.until(lambda: str(editor.messages[-1].message).startswith("The text is at "))
        assert (await editor.command("nextChange"))["uri"] is None
        assert str(editor.messages[-1].message) == "No changes left to review."


async def test_decisions_follow_what_the_person_types_and_outlast_a_restart(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": CHANGED})
        first, second, _ = hunks(review, "one.txt")
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        await editor.command(
            "reviewHunk", {"review": review["review"], "hunk": first["id"], "decision": "keep"}
        )
        await editor.command(
            "reviewHunk",
            {
                "review": review["review"],
                "hunk": second["id"],
                "decision": "takeBack",
                "reason": "it is used",
            },
        )
        editor.type(buffer, 0, 0, "mine\n")
        await editor.until(lambda: shown(editor, "one.txt") == [(0, 0), (26, 26)])
        editor.save(buffer)
        editor.close(buffer)
    async with session(tmp_path, Habits()) as editor:
        await editor.until(lambda: shown(editor, "one.txt") == [(0, 0), (26, 26)])
        again = await editor.command("reviewChanges")
        assert again["review"] == review["review"]
        assert (again["kept"], again["takenBack"], again["open"]) == (1, 1, 2)
        assert [hunk["decision"] for hunk in hunks(again, "one.txt")] == ["open", "keep", "open"]
        ended = await editor.command("finishReview", {"review": review["review"]})
        assert (ended["kept"], ended["takenBack"], ended["open"]) == (1, 1, 2)
        assert "because it is used:\n      - line 12\n" in ended["summary"]
        await editor.until(lambda: not shown(editor, "one.txt"))
        assert reviews(editor)[-1].finished
        with pytest.raises(JsonRpcException, match="There is no review"):
            await editor.command("finishReview", {"review": review["review"]})
    async with session(tmp_path, Habits()) as editor:
        assert (await editor.command("reviewChanges"))["kept"] == 0


async def test_the_end_says_what_is_not_saved_and_still_on_the_disk(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": LINES.replace("line 2\n", "LINE 2\n"), "two.txt": CHANGED})
        one, two = (
            editor.open(editor.folder / name, language="plaintext") for name in ("one.txt", "two.txt")
        )
        for name, decided in (("one.txt", 1), ("two.txt", 1)):
            for hunk in hunks(review, name)[:decided]:
                named = {"review": review["review"], "hunk": hunk["id"], "reason": f"of {name}"}
                await editor.command("reviewHunk", {**named, "decision": "takeBack"})
        assert one.text == LINES, "all of it is taken back, in the buffer"
        editor.save(two)
        finish = {"review": review["review"]}
        would = await editor.command("finishReview", {**finish, "dryRun": True})
        assert would["unsaved"] == [one.uri]
        said = would["summary"].splitlines()
        assert "Not saved in the editor, so not on disk yet: one.txt." in said
        gone = said.index("Reverted, so it is no longer in the files; do not write it again unchanged:")
        still = said.index(
            "Reverted in the editor but not saved yet, so it is still in the files on disk; do not write "
            "it again unchanged:"
        )
        assert said[gone + 1 : still] == [
            "- two.txt, line 2, because of two.txt:",
            "      - line 2",
            "      + LINE 2",
        ]
        assert said[still + 1] == "- one.txt, line 2, because of one.txt:"
        assert not reviews(editor)[-1].finished
        editor.save(one)
        assert (await editor.command("finishReview", {**finish, "dryRun": True}))["unsaved"] == []
        editor.type(two, 0, 0, "mine\n")
        ended = await editor.command("finishReview", finish)
        assert ended["unsaved"] == [two.uri]
        assert "still in the files" not in ended["summary"], "what was typed is not saved; the decisions are"
        assert reviews(editor)[-1].finished


async def test_what_was_deleted_at_the_end_is_at_the_last_line(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": LINES.replace("line 30\n", ""), "two.txt": LINES + "end\n"})
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        await editor.until(lambda: shown(editor, "one.txt") == [(28, 28)])
        place = await editor.command("nextChange", {"review": review["review"]})
        assert place["range"]["start"] == {"line": 28, "character": 0}
        here = {"uri": buffer.uri, "line": 28}
        assert (await editor.command("nextChange", here))["uri"].endswith("/two.txt")
        fixes = await offered(editor, buffer, "line 29")
        await editor.choose(fixes["Revert this change"])
        assert buffer.text == LINES


async def test_a_kept_change_that_is_typed_in_is_open_again(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": LINES.replace("line 2\n", "LINE 2\n")})
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        (hunk,) = hunks(review, "one.txt")
        named = {"review": review["review"], "hunk": hunk["id"]}
        await editor.command("reviewHunk", {**named, "decision": "keep"})
        await editor.until(lambda: not shown(editor, "one.txt"))
        editor.type(buffer, buffer.text.index("LINE 2"), buffer.text.index("LINE 2") + 4, "WORD")
        await editor.until(lambda: shown(editor, "one.txt") == [(1, 1)])
        with pytest.raises(JsonRpcException) as caught:
            await editor.command("reviewHunk", {**named, "decision": "takeBack"})
        assert caught.value.data == {"code": "hunk-not-found"}
        assert "WORD 2" in buffer.text


async def test_a_file_that_another_program_changes_is_looked_at_again(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": CHANGED})
        await editor.until(lambda: len(shown(editor, "one.txt")) == 3)
        (editor.folder / "one.txt").write_text("first\n" + CHANGED)
        await editor.until(lambda: shown(editor, "one.txt") == [(0, 0), (2, 2), (12, 12), (25, 25)])
        (editor.folder / "one.txt").unlink()
        with pytest.raises(JsonRpcException) as caught:
            await editor.command(
                "reviewHunk",
                {
                    "review": review["review"],
                    "hunk": hunks(review, "one.txt")[0]["id"],
                    "decision": "takeBack",
                },
            )
        assert caught.value.data == {"code": "hunk-not-found"}


async def test_what_the_command_line_decides_is_shown(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": CHANGED})
        await editor.until(lambda: len(shown(editor, "one.txt")) == 3)
        first, second, _ = (hunk["id"] for hunk in hunks(review, "one.txt"))
        await patchpoint(editor, tmp_path, "review", "--keep", first, "--take-back", second)
        await editor.until(lambda: shown(editor, "one.txt") == [(25, 25)])
        asked = {"review": review["review"], "uri": review["files"][0]["uri"], "decision": "keep"}
        await editor.command("reviewHunk", asked)
        await patchpoint(editor, tmp_path, "review", "--finish")
        await editor.until(lambda: reviews(editor)[-1].finished)
        assert not shown(editor, "one.txt")


async def patchpoint(editor: Editor, tmp_path: Path, *words: str) -> None:
    """Run the command line on the editor's folder, with the server's state."""
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path / "state")}
    words = ("-m", "patchpoint", *words)
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, cwd=editor.folder, env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    assert await process.wait() == 0


async def test_a_review_that_nothing_happens_to_is_not_sent_again(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": CHANGED, "two.txt": LINES + "end\n"})
        (editor.folder / "two.txt").write_text(LINES + "end\nmore\n")
        await editor.until(lambda: len(reviews(editor)) == 2)
        names = [[Path(file.uri).name for file in each.files] for each in reviews(editor)]
        assert names == [["one.txt", "two.txt"], ["two.txt"]]
        assert review["open"] == 4


async def test_what_is_applied_during_a_review_is_in_it(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        await begun(editor, {"one.txt": CHANGED, "two.txt": LINES})
        edit = {"path": "two.txt", "search": "line 7\n", "replace": "seven\n"}
        await editor.command("applyEdits", {"edits": [edit], "checkpoint": False})
        await editor.until(lambda: shown(editor, "two.txt") == [(6, 6)])


async def test_a_file_as_a_whole_with_text_that_is_not_saved_is_left_alone(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"made.txt": "made\n", "a.txt": LINES})
        buffer = editor.open(editor.folder / "made.txt", language="plaintext")
        await editor.until(lambda: shown(editor, "made.txt") == [(0, 0)])
        editor.type(buffer, 0, 0, "typed ")
        asked = {"review": review["review"], "uri": buffer.uri, "decision": "takeBack"}
        with pytest.raises(JsonRpcException) as caught:
            await editor.command("reviewHunk", asked)
        assert caught.value.data == {"code": "unsaved-changes"}
        assert (editor.folder / "made.txt").read_text() == "made\n"


async def test_a_change_that_the_editor_refuses_is_not_taken_back(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(refuses_edits=True)) as editor:
        review = await begun(editor, {"one.txt": CHANGED})
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        asked = {"review": review["review"], "uri": buffer.uri, "decision": "takeBack"}
        with pytest.raises(JsonRpcException) as caught:
            await editor.command("reviewHunk", asked)
        assert caught.value.data == {"code": "not-made"}
        assert (await editor.command("reviewChanges"))["takenBack"] == 0


async def test_the_safety_checkpoint_has_what_was_typed_and_the_repositories_inside(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": CHANGED})
        inside = editor.folder / "inside"
        inside.mkdir()
        WorkingTree(inside).git("init", "-q", "-b", "main")
        WorkingTree(inside).write({"a.txt": "a\n"})
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        editor.type(buffer, len(buffer.text), len(buffer.text), "typed\n")
        asked = {"review": review["review"], "hunk": hunks(review, "one.txt")[0]["id"]}
        await editor.command("reviewHunk", {**asked, "decision": "takeBack"})
        assert buffer.text == CHANGED.replace("LINE 2\n", "line 2\n") + "typed\n"
        store = CheckpointStore.open(editor.folder)
        (safety,) = store.list(safety=True)
        assert store.restore(safety.id, dry_run=True).buffers == {"one.txt": CHANGED + "typed\n"}
        assert [each.path for each in safety.companions] == ["inside"]


async def test_positions_are_counted_in_the_units_of_the_client(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        review = await begun(editor, {"one.txt": LINES.replace("line 30\n", "\U0001f600 end")})
        (hunk,) = hunks(review, "one.txt")
        assert hunk["range"]["end"] == {"line": 29, "character": 6}
        asked = {"review": review["review"], "hunk": hunk["id"], "decision": "takeBack"}
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        await editor.command("reviewHunk", asked)
        assert buffer.text == LINES


async def test_a_lens_is_only_asked_for_again_when_it_differs(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        await begun(editor, {"one.txt": CHANGED, "two.txt": LINES + "end\n"})
        buffer = editor.open(editor.folder / "one.txt", language="plaintext")
        await editor.lenses(buffer)
        before, count = editor.lens_refreshes, len(reviews(editor))
        editor.type(buffer, len(buffer.text), len(buffer.text), "typed")
        await editor.until(lambda: len(reviews(editor)) > count)
        await editor.until(lambda: editor.lens_refreshes == before + 1)
        count = len(reviews(editor))
        (editor.folder / "two.txt").write_text(LINES + "end\nmore\n")
        await editor.until(lambda: len(reviews(editor)) > count)
        assert editor.lens_refreshes == before + 1


async def test_diagnostics_are_turned_off_and_on(tmp_path: Path) -> None:
    options = {"review": {"diagnostics": False}}
    async with session(
        tmp_path, Habits(), without("workspace", "configuration"), initializationOptions=options
    ) as editor:
        review = await begun(editor, {"one.txt": CHANGED})
        assert review["open"] == 3
        assert not shown(editor, "one.txt")
        change = types.DidChangeConfigurationParams(settings={"patchpoint": {}})
        editor.workspace_did_change_configuration(change)
        await editor.until(lambda: not shown(editor, "one.txt"))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"since": "nonsense"}, "checkpoint-not-found"),
        ({"session": "nobody"}, "anchor-not-found"),
        ({"uris": ["file:///elsewhere"]}, "outside-root"),
    ],
)
async def test_what_cannot_be_reviewed_is_said(tmp_path: Path, arguments: dict[str, Any], code: str) -> None:
    async with session(tmp_path, Habits()) as editor:
        await begun(editor, {"one.txt": CHANGED})
        with pytest.raises(JsonRpcException) as caught:
            await editor.command("reviewChanges", arguments)
        assert caught.value.data == {"code": code}


async def test_a_file_that_the_editor_misreads_has_the_changes_of_its_bytes_and_is_reverted_on_the_disk(
    tmp_path: Path,
) -> None:
    then, now = (f"<?php // gr\xfc\xdfe\n$a = 1;\n$b = {number};\n" for number in (1, 2))
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "legacy.php"
        path.write_bytes(then.encode("latin-1"))
        await editor.command("takeCheckpoint", {"label": "before"})
        path.write_bytes(now.encode("latin-1"))
        editor.open(path.as_uri(), path.read_bytes().decode("utf-8", "replace"), "php")
        review = await editor.command("reviewChanges")
        (change,) = hunks(review, "legacy.php")
        assert change["range"]["start"]["line"] == 2
        await editor.command(
            "reviewHunk", {"review": review["review"], "hunk": change["id"], "decision": "takeBack"}
        )
        assert path.read_bytes() == then.encode("latin-1")
