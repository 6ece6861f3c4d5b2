"""The official library's client uses the real process in both eras of the protocol."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.demo.project import contents
from tests.mcp.clients import User, connected

if TYPE_CHECKING:
    from mcp.client.client import Client

pytestmark = pytest.mark.asyncio

READING = ["preview_edits", "list_checkpoints", "diff_checkpoint", "list_operations"]
WRITING = ["accept_proposals", "apply_edits", "edit_symbol", "revert_edits", "take_checkpoint", "undo"]
RESTORING = ["restore_checkpoint"]

STANDARD = 'STANDARD = Decimal("0.20")\n'
CHANGE = {"path": "till/tax.py", "search": STANDARD, "replace": 'STANDARD = Decimal("0.21")\n'}
TWICE = {"path": "twice.txt", "search": "same\n", "replace": "other\n"}


async def done(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return what a tool did."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    data: dict[str, Any] = result.structured_content
    return data


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Return why a tool did nothing."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


async def test_every_tool_can_be_listed_and_does_its_work(era: str, project: Path) -> None:
    file = project / "till" / "tax.py"
    before = contents(project)
    async with connected(era, project, "--allow-restore") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert sorted([*tools, "preview_edits"]) == sorted([*READING, *WRITING, *RESTORING])
        for name, tool in tools.items():
            assert tool.annotations is not None
            assert tool.title
            assert tool.description
            assert tool.annotations.read_only_hint is (name in READING)
            assert tool.annotations.open_world_hint is False
            assert tool.annotations.idempotent_hint is (name in READING)
            assert tool.annotations.destructive_hint is (name not in [*READING, "take_checkpoint"])
        block = f"till/tax.py\n<<<<<<< SEARCH\n{STANDARD}=======\n{CHANGE['replace']}>>>>>>> REPLACE\n"
        previewed = await done(client, "preview_edits", text=block)
        assert (previewed["applied"], previewed["edits"][0]["status"]) == (False, "matched")
        assert contents(project) == before
        foreseen = await done(client, "apply_edits", text=block, dryRun=True)
        assert (foreseen["applied"], foreseen["files"]) == (False, previewed["files"])
        assert contents(project) == before
        applied = await done(client, "apply_edits", edits=[CHANGE], session="chat", message="1")
        assert "+" + CHANGE["replace"] in previewed["files"][0]["diff"]
        assert "diff" not in applied["files"][0], "the model knows what it sent"
        assert applied["files"][0]["newSha256"] == sha256(file.read_bytes()).hexdigest()
        [before_it] = (await done(client, "list_checkpoints", session="chat"))["checkpoints"]
        assert (before_it["id"], before_it["label"]) == (applied["checkpoint"], "Before 1 edit: tax.py")
        assert (before_it["session"], before_it["turn"]) == ("chat", "1")
        assert CHANGE["replace"] in file.read_text()
        reverted = await done(client, "revert_edits", application=applied["application"])
        assert reverted["edits"][0]["status"] == "reverted"
        assert contents(project) == before
        taken = await done(client, "take_checkpoint", label="now")
        assert [one["label"] for one in taken["checkpoints"]] == ["now"]
        of_turn = await done(client, "take_checkpoint", label="round it", session="chat", message="2")
        [listed_turn] = (await done(client, "list_checkpoints", session="chat", limit=1))["checkpoints"]
        assert listed_turn == of_turn["checkpoints"][0]
        fields = ("session", "turn", "label")
        assert [listed_turn[name] for name in fields] == ["chat", "2", "round it"]
        assert "prompt" not in listed_turn, "it is the label"
        in_words = await client.call_tool("list_checkpoints", {"session": "chat", "limit": 1})
        assert "round it (session chat, turn 2)" in in_words.content[0].text  # type: ignore[union-attr]
        await done(client, "take_checkpoint", label="now")
        listed = await done(client, "list_checkpoints", limit=1)
        [checkpoint] = listed["checkpoints"]
        file.write_text("gone\n")
        [difference] = (await done(client, "diff_checkpoint", checkpoint=checkpoint["id"]))["files"]
        assert difference["path"] == "till/tax.py"
        original = await client.read_resource(difference["originalUri"])
        assert original.contents[0].text == before["till/tax.py"].decode()  # type: ignore[union-attr]
        foreseen = await done(client, "restore_checkpoint", checkpoint=checkpoint["id"], dryRun=True)
        assert file.read_text() == "gone\n"
        restored = await done(client, "restore_checkpoint", checkpoint=checkpoint["id"])
        assert foreseen["written"] == restored["written"] == ["till/tax.py"]
        assert contents(project) == before
        await done(client, "undo")
        assert file.read_text() == "gone\n"
        resources = (await client.list_resources()).resources
        assert f"patchpoint:/checkpoint/{checkpoint['id']}" in [str(one.uri) for one in resources]
        facts = await client.read_resource(f"patchpoint:/checkpoint/{checkpoint['id']}")
        assert '"label": "now"' in facts.contents[0].text  # type: ignore[union-attr]
        templates = (await client.list_resource_templates()).resource_templates
        assert [one.uri_template for one in templates] == ["patchpoint:/checkpoint/{id}/{+path}"]


async def test_only_what_the_person_allows_is_offered(era: str, project: Path) -> None:
    from mcp import MCPError

    async with connected(era, project) as client:
        assert sorted(await names(client)) == sorted([*READING[1:], *WRITING])
        with pytest.raises(MCPError, match="There is no tool restore_checkpoint"):
            await client.call_tool("restore_checkpoint", {"checkpoint": "x"})
    for arguments in (["--read-only"], ["--read-only", "--allow-restore"]):
        async with connected(era, project, *arguments) as client:
            assert sorted(await names(client)) == sorted(READING)
            with pytest.raises(MCPError, match="There is no tool apply_edits"):
                await client.call_tool("apply_edits", {"edits": [CHANGE]})
    assert STANDARD in (project / "till" / "tax.py").read_text()


async def test_the_user_chooses_among_several_places(era: str, project: Path) -> None:
    file = project / "twice.txt"
    file.write_text("same\n-\nsame\n")
    user = User([None, {"edit1": "nowhere: do not apply it"}, {"edit1": "line 7"}, {"edit1": "line 3"}])
    async with connected(era, project, user=user) as client:
        for _ in range(3):
            assert "occurs 2 times" in await refused(client, "apply_edits", edits=[TWICE])
            assert file.read_text() == "same\n-\nsame\n"
        applied = await done(client, "apply_edits", edits=[TWICE])
        assert applied["edits"][0]["line"] == 3
        assert file.read_text() == "same\n-\nother\n"
    assert [question.requested_schema["properties"]["edit1"]["enum"] for question in user.questions] == [
        ["line 1", "line 3", "nowhere: do not apply it"]
    ] * 4
    assert "twice.txt" in user.questions[0].message


async def test_a_client_that_cannot_ask_gets_feedback_for_the_model(era: str, project: Path) -> None:
    (project / "twice.txt").write_text("same\n-\nsame\n")
    async with connected(era, project) as client:
        assert "Add the line before" in await refused(client, "apply_edits", edits=[TWICE])
        preview = await client.call_tool("preview_edits", {"edits": [TWICE]})
        assert [one["status"] for one in preview.structured_content["edits"]] == ["ambiguous"]


async def test_an_answer_about_a_file_that_has_changed_meanwhile_is_asked_again(
    era: str, project: Path
) -> None:
    file = project / "twice.txt"
    file.write_text("same\n-\nsame\n")

    class Slow(User):
        """Edits the file while being asked."""

        async def __call__(self, context: object, params: Any) -> Any:
            if not self.questions:
                file.write_text("new\nsame\n-\nsame\n")
            return await super().__call__(context, params)

    user = Slow([{"edit1": "line 1"}, {"edit1": "line 2"}])
    async with connected(era, project, user=user) as client:
        await done(client, "apply_edits", edits=[TWICE])
    assert file.read_text() == "new\nother\n-\nsame\n"
    assert len(user.questions) == 2


async def test_a_file_that_starts_programs_needs_the_users_confirmation(era: str, project: Path) -> None:
    create = {"path": ".envrc", "operation": "create", "content": "export A=1\n"}
    async with connected(era, project) as client:
        said = await refused(client, "apply_edits", edits=[create])
        assert "only a person can confirm" in said
        assert "--allow-executing-files" not in said
        unknown = await refused(client, "apply_edits", edits=[create], allowExecutingFiles=True)
        assert "Unknown key `allowExecutingFiles`" in unknown
    user = User([{"answer": "Do not apply"}, None, {"answer": "Apply"}])
    async with connected(era, project, user=user) as client:
        for _ in range(2):
            assert "only a person can confirm" in await refused(client, "apply_edits", edits=[create])
            assert not (project / ".envrc").exists()
        applied = await done(client, "apply_edits", edits=[create])
        assert "code" not in applied["edits"][0]
    assert "read by direnv" in user.questions[0].message
    assert "+export A=1" in user.questions[0].message
    assert (project / ".envrc").exists()


async def test_what_was_read_is_a_precondition(era: str, project: Path) -> None:
    file = project / "till" / "tax.py"
    digest = sha256(file.read_bytes()).hexdigest()
    async with connected(era, project) as client:
        file.write_text(file.read_text() + "# changed meanwhile\n")
        result = await client.call_tool(
            "apply_edits", {"edits": [CHANGE], "expected": {"till/tax.py": digest}}
        )
        assert result.is_error
        assert [edit["code"] for edit in result.structured_content["edits"]] == ["stale-file"]
        assert "till/tax.py has changed since it was read" in result.content[0].text  # type: ignore[union-attr]
        assert STANDARD in file.read_text()
        now = sha256(file.read_bytes()).hexdigest()
        applied = await done(client, "apply_edits", edits=[CHANGE], expected={"till/tax.py": now})
        back = {"path": "till/tax.py", "search": CHANGE["replace"], "replace": STANDARD}
        expected = {"till/tax.py": applied["files"][0]["newSha256"]}
        await done(client, "apply_edits", edits=[back], expected=expected)


async def test_the_folders_are_those_given_or_else_the_clients(
    era: str, project: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "twice.txt").write_text("same\n")
    (project / "twice.txt").write_text("same\n")
    async with connected(era, project, project, roots=[other]) as client:
        await done(client, "apply_edits", edits=[TWICE])
        assert (project / "twice.txt").read_text() == "other\n"
    async with connected(era, project, roots=[other]) as client:
        await done(client, "apply_edits", edits=[TWICE])
        assert (other / "twice.txt").read_text() == "other\n"
        outside = {**CHANGE, "path": str(project / "till" / "tax.py")}
        assert "is in no workspace folder" in await refused(client, "apply_edits", edits=[outside])
        await done(client, "take_checkpoint")
        assert len((await client.list_resources()).resources) == 2
    async with connected(era, project, roots=[]) as client:
        assert "no folder of this machine open" in await refused(client, "apply_edits", edits=[TWICE])
    async with connected(era, project, directory=Path("/")) as client:
        assert "is not a project" in await refused(client, "apply_edits", edits=[TWICE])


async def test_a_model_need_not_search_for_what_edits_files(era: str, project: Path) -> None:
    async with connected(era, project) as client:
        tools = {tool.name: tool.meta or {} for tool in (await client.list_tools()).tools}
    loaded = [name for name, meta in tools.items() if meta.get("anthropic/alwaysLoad") is True]
    assert loaded == ["apply_edits"]
    assert all(meta["anthropic/searchHint"] for meta in tools.values())


async def test_the_grammar_of_edits_is_sent_once(era: str, project: Path) -> None:
    for options, shown in (((), "apply_edits"), (("--read-only",), "preview_edits")):
        async with connected(era, project, *options) as client:
            tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools if "<<<<<<< SEARCH" in (tool.description or "")] == [shown]
