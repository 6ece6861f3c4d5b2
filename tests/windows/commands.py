"""Patchpoint on a real CPython for Windows: commands, hooks and servers, and that the way back holds there.

`make test-windows` runs this and `make test` does not, for wine and a compiler for Windows have to be here.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from pygls.lsp.client import LanguageClient

from tests.lsp.editor import UNREAD
from tests.windows.interpreter import MissingError, made
from tests.windows.windows import Windows, windows_path

BEFORE = b"def pence(price):\r\n    return round(price)\r\n"
AFTER = 'def pence(price):\r\n    return "中é😀"\r\n'.encode()
ANSWER = (
    "a.py\n```python\n<<<<<<< SEARCH\n    return round(price)\n=======\n"
    '    return "中é😀"\n>>>>>>> REPLACE\n```\n'
)
HELD = (
    "import ctypes, sys\n"
    "held = ctypes.windll.kernel32.CreateFileW('a.py', 0x80000000, 0, None, 3, 0, None)\n"
    "print('held' if held != -1 else 'not held', flush=True)\n"
    "sys.stdin.read()\n"
)
"""A program that reads a file and lets no other one write it until its input ends."""

FLAG = (
    "import ctypes, sys\n"
    "from types import SimpleNamespace\n"
    "from patchpoint.filesystem.windows import calls\n"
    "flags = ctypes.c_ubyte.from_address(calls._library('ntdll').RtlGetCurrentPeb() + 3)\n"
    "print(flags.value >> 7)\n"
    "sys.getwindowsversion = lambda: SimpleNamespace(build=15063)\n"
    "print(calls.takes_long_paths(), flags.value >> 7)\n"
)
"""A program that says whether its process takes long paths, before and after it asked for that."""


@pytest.fixture(scope="session")
def python() -> Path:
    try:
        return made()
    except MissingError as error:
        pytest.skip(str(error))


@pytest.fixture
def windows(python: Path, tmp_path: Path) -> Windows:
    return Windows(python, tmp_path / "state")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_bytes(BEFORE)
    identity = ["-c", "user.name=Someone", "-c", "user.email=someone@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *identity, *words], cwd=folder, check=True)
    return folder


def test_an_edit_is_applied_undone_and_brought_back_with_its_line_endings(
    windows: Windows, project: Path
) -> None:
    file = project / "a.py"
    assert "applied" in windows.run(project, "apply", "--yes", sent=ANSWER)
    assert file.read_bytes() == AFTER
    windows.run(project, "undo")
    assert file.read_bytes() == BEFORE
    windows.run(project, "redo")
    assert file.read_bytes() == AFTER
    windows.run(project, "restore", "last")
    assert file.read_bytes() == BEFORE
    windows.run(project, "undo")
    assert file.read_bytes() == AFTER
    kinds = [line.split()[1] for line in json_lines(windows.run(project, "operations", "--json"))]
    assert kinds
    subprocess.run(["git", "fsck", "--strict"], cwd=project, check=True, capture_output=True)


def json_lines(text: str) -> list[str]:
    """Return each operation of the JSON that `operations` prints, as its id and kind."""
    return [f"{each['id']} {each['kind']}" for each in json.loads(text)["operations"]]


def test_a_difference_through_a_pipe_is_one_that_git_applies(windows: Windows, project: Path) -> None:
    windows.run(project, "apply", "--yes", sent=ANSWER)
    difference = windows.call(project, "-m", "patchpoint", "diff").stdout
    assert "中é😀".encode() in difference
    subprocess.run(["git", "apply", "-R"], cwd=project, input=difference, check=True, capture_output=True)
    assert (project / "a.py").read_bytes() == BEFORE


def test_what_was_there_comes_back_after_git_has_been_deleted(windows: Windows, project: Path) -> None:
    windows.run(project, "apply", "--yes", sent=ANSWER)
    windows.run(project, "checkpoint", "mine")
    shutil.rmtree(project / ".git")
    (project / "a.py").unlink()
    assert "mine" in windows.run(project, "list")
    windows.run(project, "restore", "last")
    assert (project / "a.py").read_bytes() == AFTER


def test_a_file_that_another_program_holds_stays_as_it_is_and_is_named(
    windows: Windows, project: Path
) -> None:
    holder = subprocess.Popen(
        windows.words("-c", HELD), cwd=project, env=windows.environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == "held"
        done = windows.call(project, "-m", "patchpoint", "apply", "--yes", sent=ANSWER)
    finally:
        holder.communicate()
    assert done.returncode != 0
    assert "a.py" in done.stdout.decode() + done.stderr.decode()
    assert (project / "a.py").read_bytes() == BEFORE
    assert [path.name for path in sorted(project.iterdir())] == [".git", "a.py"]
    windows.run(project, "apply", "--yes", sent=ANSWER)
    assert (project / "a.py").read_bytes() == AFTER


def test_an_edit_that_breaks_a_file_says_where_by_the_grammars(windows: Windows, project: Path) -> None:
    (project / "b.ts").write_text("export function f() {\n  return 1;\n}\n", encoding="utf-8")
    answer = "b.ts\n```ts\n<<<<<<< SEARCH\n  return 1;\n=======\n  return (1;\n>>>>>>> REPLACE\n```\n"
    done = windows.call(project, "-m", "patchpoint", "apply", "--yes", sent=answer)
    assert "line 2, column 12" in done.stdout.decode()


def test_an_edit_to_a_device_is_refused(windows: Windows, project: Path) -> None:
    for name in ("nul.txt", "src/aux.py", "com1", "a.py:hidden"):
        answer = f"{name}\n```\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n```\n"
        done = windows.call(project, "-m", "patchpoint", "apply", "--yes", sent=answer)
        assert done.returncode != 0, (name, done.stdout.decode())
    assert [path.name for path in sorted(project.iterdir())] == [".git", "a.py"]
    assert (project / "a.py").read_bytes() == BEFORE


def test_an_edit_that_spells_a_file_in_another_case_keeps_its_name(windows: Windows, project: Path) -> None:
    windows.run(project, "apply", "--yes", sent=ANSWER.replace("a.py", "A.PY"))
    assert [path.name for path in sorted(project.iterdir())] == [".git", "a.py"]
    assert (project / "a.py").read_bytes() == AFTER


def test_a_file_whose_path_is_long_is_kept_and_brought_back(windows: Windows, project: Path) -> None:
    file = project.joinpath(*["d" * 60] * 5, "a.py")
    file.parent.mkdir(parents=True)
    file.write_bytes(BEFORE)
    assert "left out" not in windows.run(project, "checkpoint", "mine")
    file.write_bytes(AFTER)
    windows.run(project, "restore", "last")
    assert file.read_bytes() == BEFORE
    # Wine takes such a path in any case, and says that it is Windows 7: the flag is looked at by itself.
    assert windows.call(project, "-c", FLAG).stdout.split() == [b"0", b"True", b"1"]


def test_a_prompt_and_a_step_of_an_agent_have_checkpoints(windows: Windows, project: Path) -> None:
    said = {"session_id": "s", "cwd": windows_path(project)}
    step = {**said, "tool_name": "Bash", "tool_use_id": "1", "tool_input": {"command": "make"}}

    def call(event: dict[str, Any], moment: str) -> None:
        event = {**event, "hook_event_name": moment}
        assert windows.run(project, "hook", "claude", sent=json.dumps(event)) == ""

    call({**said, "prompt": "Round it"}, "UserPromptSubmit")
    call(step, "PreToolUse")
    (project / "a.py").write_bytes(AFTER)
    call(step, "PostToolUse")
    call(said, "Stop")
    assert "Round it" in windows.run(project, "list")
    windows.run(project, "revert", "--session", "s")
    assert (project / "a.py").read_bytes() == BEFORE


SYSTEM = """
import os, pathlib, subprocess, sys
from patchpoint.filesystem.windows.calls import is_own, is_running, replace_file, users_sid
here = pathlib.Path.cwd()
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1, stdout=-1, stderr=-1)
was_running = is_running(child.pid)
child.communicate(b"\\n")
(here / "new").write_bytes(b"new")
print(
    users_sid().startswith("S-1-5-21-"), is_own(str(here)), is_own(str(here / "missing")),
    is_running(os.getpid()), was_running, is_running(child.pid),
    replace_file(str(here / "new"), str(here / "a.py")),
    (here / "a.py").read_bytes(), (here / "new").exists(),
)
"""


def test_owners_processes_and_files_are_asked_of_the_system(windows: Windows, project: Path) -> None:
    done = windows.call(project, "-c", SYSTEM)
    assert done.stdout.decode().split() == [
        "True", "True", "False", "True", "True", "False", "True", "b'new'", "False",
    ], done.stderr.decode()  # fmt: skip


LOCKS = """
import os, pathlib, subprocess, sys
from patchpoint.filesystem import lock
lock.try_lock = lambda descriptor: None  # as on a file system without locks
if sys.argv[1:]:
    with lock.exclusive_lock(pathlib.Path("x.lock")):
        os._exit(0)
words = [sys.executable, "-c", pathlib.Path("lock.py").read_text(), "and die"]
subprocess.run(words, input=b"", capture_output=True)
print(pathlib.Path("x.lock.held").exists())
with lock.exclusive_lock(pathlib.Path("x.lock"), timeout=1):
    print("held")
"""


def test_a_lock_by_a_file_of_a_process_that_was_killed_is_not_waited_for(
    windows: Windows, project: Path
) -> None:
    (project / "lock.py").write_text(LOCKS, encoding="utf-8")
    done = windows.call(project, "lock.py")
    assert done.stdout.decode().split() == ["True", "held"], done.stderr.decode()
    assert not (project / "x.lock.held").exists()


ASKS = (
    "import sys; from patchpoint.cli import main; status = main(['hook', 'claude']); "
    "print('took it' if 'patchpoint.checkpoints.taking' in sys.modules else 'asked'); sys.exit(status)"
)


@pytest.mark.asyncio
async def test_a_hook_asks_the_server_by_a_port_of_this_machine(windows: Windows, project: Path) -> None:
    client = LanguageClient("test", "1")
    folder = "file:///" + windows_path(project).replace("\\", "/")
    await client.start_io(
        *windows.words("-m", "patchpoint", "serve"), env=dict(windows.environment), limit=UNREAD
    )
    await client.initialize_async(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            process_id=None,
            workspace_folders=[types.WorkspaceFolder(uri=folder, name="project")],
        )
    )
    client.initialized(types.InitializedParams())
    end = time.monotonic() + 300
    while not [*(windows.state / "ports").glob("*.port")]:
        assert time.monotonic() < end, "nobody listens"
        await asyncio.sleep(0.1)
    said = {"session_id": "s", "cwd": windows_path(project), "prompt": "Round it"}
    event = json.dumps({**said, "hook_event_name": "UserPromptSubmit"})
    done = await asyncio.to_thread(windows.call, project, "-c", ASKS, sent=event)
    assert done.stdout.decode().split("\r\n")[0].strip() == "asked", done.stderr.decode()
    assert "Round it" in await asyncio.to_thread(windows.run, project, "list")
    await client.shutdown_async(None)
    client.exit(None)
    assert client._server is not None
    assert await client._server.wait() == 0


@pytest.mark.asyncio
async def test_the_server_applies_an_edit_over_pipes_and_ends(windows: Windows, project: Path) -> None:
    client = LanguageClient("test", "1")

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply_edit(asked: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        changes = asked.edit.document_changes or []
        (change,) = [each for each in changes if isinstance(each, types.TextDocumentEdit)]
        assert change.text_document.uri.lower().replace("%3a", ":") == uri.lower()
        (edit,) = change.edits
        assert isinstance(edit, types.TextEdit | types.AnnotatedTextEdit)
        lines = (project / "a.py").read_bytes().decode().split("\r\n")
        assert edit.range.start.line == edit.range.end.line
        line = lines[edit.range.start.line]
        line = line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
        lines[edit.range.start.line] = line
        (project / "a.py").write_bytes("\r\n".join(lines).encode())
        return types.ApplyWorkspaceEditResult(applied=True)

    folder = "file:///" + windows_path(project).replace("\\", "/")
    uri = f"{folder}/a.py"
    await client.start_io(
        *windows.words("-m", "patchpoint", "serve"), env=dict(windows.environment), limit=UNREAD
    )
    edit_support = types.WorkspaceEditClientCapabilities(document_changes=True)
    able = types.WorkspaceClientCapabilities(apply_edit=True, workspace_edit=edit_support)
    await client.initialize_async(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(workspace=able),
            process_id=None,
            workspace_folders=[types.WorkspaceFolder(uri=folder, name="project")],
        )
    )
    client.initialized(types.InitializedParams())
    applied = await ask(client, "applyEdits", {"text": ANSWER})
    assert [each["status"] for each in applied["edits"]] == ["applied"]
    assert (project / "a.py").read_bytes() == AFTER
    listed = await ask(client, "listCheckpoints", {})
    assert [each["id"] for each in listed["checkpoints"]] == [applied["checkpoint"]["id"]]
    await client.shutdown_async(None)
    client.exit(None)
    assert client._server is not None
    assert await client._server.wait() == 0


async def ask(client: LanguageClient, command: str, argument: dict[str, Any]) -> dict[str, Any]:
    params = types.ExecuteCommandParams(command=f"patchpoint.{command}", arguments=[argument])
    result = await client.workspace_execute_command_async(params)
    return json.loads(json.dumps(result, default=lambda value: value._asdict()))  # type: ignore[no-any-return]


@pytest.mark.asyncio
async def test_an_agents_tool_applies_an_edit(windows: Windows, project: Path) -> None:
    command, *words = windows.words("-m", "patchpoint", "mcp", windows_path(project))
    parameters = StdioServerParameters(
        command=command, args=words, env=dict(windows.environment), cwd=str(project)
    )
    read, write = os.pipe()
    try:
        with os.fdopen(write, "w", encoding="utf-8") as errors:
            async with Client(stdio_client(parameters, errlog=errors)) as client:
                names = {tool.name for tool in (await client.list_tools()).tools}
                assert {"apply_edits", "list_checkpoints", "undo"} <= names
                done = await client.call_tool("apply_edits", {"text": ANSWER})
    finally:
        os.close(read)
    assert not done.is_error
    assert (project / "a.py").read_bytes() == AFTER


@pytest.mark.parametrize("room", ["text", "locate", "patching"])
def test_the_tests_of_what_computes_pass(windows: Windows, room: str, tmp_path: Path) -> None:
    options = (
        "-q",
        "-k",
        "not test_git_",  # there is no git for Windows here
        "-p",
        "no:cacheprovider",
        "--hypothesis-profile=fast",
        "--most-cases=4",
        "-m",
        "not slow",
    )
    root = Path(__file__).parents[2]
    done = windows.call(
        root, "-m", "pytest", *options, "--basetemp", windows_path(tmp_path / "t"), f"tests/{room}"
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-4000:]
