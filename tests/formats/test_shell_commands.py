"""Hostile shell commands are read at once, and a patch in them may be of any size."""

from __future__ import annotations

import json
import time

import pytest

from patchpoint.edit import Edit, Malformed
from patchpoint.formats import parse_edits
from patchpoint.formats.diffs.shell_script import read_command

PATCH = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch"
HERE = f"apply_patch <<'EOF'\n{PATCH}\nEOF\n"
HOSTILE = {
    "commands": "echo a; ",
    "arrays": "a=(",
    "substitutions": "$(",
    "backticks": "`a` ",
    "groups": "{ ",
    "tests": "[[ a && ( ",
    "expansions": "${a:-",
    "arithmetic": "$((1+",
    "processes": "<(",
    "here-documents": "cat <<E; ",
    "lines": "cat <<E\n",
    "conditions": "if a; then ",
    "cases": "case a in b) ",
    "pipes": "a | ",
    "folders": "cd a && ",
    "continued": "cd a && \\\n",
    "quotes": "\"'",
}


def around(command: str) -> list[str]:
    """A command before a patch and behind it, in a fence, and in the calls of a tool."""
    scripts = [f"{command}{HERE}", f"{HERE}{command}"]
    fenced = [f"```bash\n{script}\n```\n" for script in scripts]
    lists = [json.dumps(["bash", "-lc", script]) for script in scripts]
    return [*fenced, *lists, *(json.dumps({"command": ["bash", "-lc", script]}) for script in scripts)]


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_command_is_refused_or_named_as_not_run_soon(name: str) -> None:
    started = time.process_time()
    for answer in around(HOSTILE[name] * 5000):
        items = parse_edits(answer)
        assert items
        only_moves = name in ("folders", "continued")
        assert all(isinstance(item, Malformed) or item.remark or only_moves for item in items)
    assert time.process_time() - started < 10


@pytest.mark.slow
def test_a_patch_may_be_larger_than_any_command() -> None:
    lines = "".join(f"+{number} it's $(a=( <<E `\n" for number in range(20_000)).replace("'", "")
    patch = PATCH.replace("+one\n", lines)
    for answer in (
        f"```bash\ncd src && apply_patch <<'EOF'\n{patch}\nEOF\n```\n",
        json.dumps({"command": ["bash", "-lc", f"cd src && apply_patch <<'EOF'\n{patch}\nEOF"]}),
    ):
        [edit] = parse_edits(answer)
        assert isinstance(edit, Edit)
        assert edit.path == "src/a.txt"
        assert edit.content is not None
        assert edit.content.count("\n") == 20_000


@pytest.mark.parametrize("sign", ["'", '"'])
def test_a_patch_that_is_an_argument_is_refused(sign: str) -> None:
    command = f"cd src && apply_patch {sign}{PATCH}{sign}\n"
    for answer in (command, f"```bash\n{command}```\n", json.dumps(["bash", "-lc", command])):
        [refused] = parse_edits(answer)
        assert isinstance(refused, Malformed)
        assert "here-document" in refused.message


@pytest.mark.parametrize(
    "command",
    [
        "apply_patch 'a'\"$b\"",
        "apply_patch 'a' 'b'",
        "apply_patch 'a'; rm x",
        "apply_patch 'a",
    ],
)
def test_any_other_argument_is_refused(command: str) -> None:
    assert isinstance(read_command(command), str)
