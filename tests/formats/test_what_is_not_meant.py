"""What the text around an edit says is none, in whatever form the edit is; without such words it is made."""

from __future__ import annotations

import json

import pytest

from patchpoint import apply_edits
from patchpoint.edit import Edit
from patchpoint.formats import FORMAT_NAMES, read_answer
from tests.formats.exchanges import Said
from tests.formats.one_change import CALLS, WAYS, LineChange
from tests.sampling import share

LAMP = '''\
"""A lamp."""

POWER = 3


def glow(lamp):
    lamp.shine(POWER)
    return lamp.level


def fade(lamp):
    lamp.sink(POWER)
    return lamp.power
'''
DESK = '''\
"""A desk."""

HEIGHT = 70


def lift(desk):
    desk.rise(HEIGHT)
    return desk.height


def lower(desk):
    desk.fall(HEIGHT)
    return desk.speed
'''
FILES = {"src/lamp.py": LAMP, "src/desk.py": DESK}
GLOW = LineChange("src/lamp.py", LAMP, "    lamp.shine(POWER)", "    lamp.shine(POWER + 1)")
DIM = LineChange("src/lamp.py", LAMP, "    lamp.shine(POWER)", "    lamp.shine(POWER - 1)")
LIFT = LineChange("src/desk.py", DESK, "    desk.rise(HEIGHT)", "    desk.rise(HEIGHT + 1)")
GLOWS = {**FILES, GLOW.path: GLOW.after}
LIFTS = {**FILES, LIFT.path: LIFT.after}
BOTH = {**GLOWS, LIFT.path: LIFT.after}

in_every_way = pytest.mark.parametrize("way", WAYS)
NUMBERS = {way: number for number, way in enumerate(WAYS)}


def files_after(answer: str) -> dict[str, str | None]:
    return dict(apply_edits(FILES, answer).files)


ONLY_SAID = "a pair in a sentence"
"""What only a sentence asks for is proposed."""


def made_after(answer: str, way: str) -> dict[str, str | None]:
    return dict(apply_edits(FILES, answer, accept="all" if way == ONLY_SAID else ()).files)


def test_the_ways_are_of_every_format() -> None:
    found = {
        item.format.value
        for way in WAYS.values()
        for item in read_answer(way(GLOW)).items
        if isinstance(item, Edit)
    }
    assert found == set(FORMAT_NAMES) - {"auto"}


@in_every_way
def test_alone_it_is_made(way: str) -> None:
    said = f"The lamp is brighter now.\n\n{WAYS[way](GLOW)}\n\n"
    assert made_after(said, way) == GLOWS
    assert made_after(f"{said}The tests pass.\n", way) == GLOWS


# Who speaks.

LABELS = {
    "## User": "## Assistant",
    "**You:**": "**ChatGPT:**",
    "You said:": "ChatGPT said:",
    "### 👤 User": "### 🤖 Assistant",
    "#### Human": "#### AI",
    "[user]": "[assistant]",
    "<user>": "<assistant>",
}


def conversation(label: str, *said: Said) -> str:
    """Return the conversation in which each speech is below its label, and in its tag."""
    parts = []
    for one in said:
        head = label if one.by_user else LABELS[label]
        parts.append(f"{head}\n{one.text}\n" + (f"</{head[1:]}\n" if head.startswith("<") else ""))
    return "\n".join(parts)


@in_every_way
@pytest.mark.parametrize("label", LABELS)
def test_what_the_user_pasted_is_not_made_and_what_the_model_said_is(label: str, way: str) -> None:
    pasted = Said(True, f"I have tried this, and it fails:\n\n{WAYS[way](DIM)}")
    refused = Said(False, "That is too dark. What else do you want?")
    made = Said(False, f"Make it brighter:\n\n{WAYS[way](GLOW)}")
    assert made_after(conversation(label, pasted, refused), way) == FILES
    assert made_after(conversation(label, pasted, made), way) == GLOWS


# Calls and their results.


def of_claude_code(change: LineChange, number: int, failure: str) -> str:
    call = {"type": "tool_use", "id": f"toolu_{number}", "name": "Edit", "input": change.arguments}
    result: dict[str, object] = {
        "type": "tool_result",
        "tool_use_id": f"toolu_{number}",
        "content": failure or "ok",
    }
    result |= {"is_error": True} if failure else {}
    messages = (("assistant", call), ("user", result))
    return "".join(
        json.dumps({"type": role, "message": {"role": role, "content": [content]}}) + "\n"
        for role, content in messages
    )


def of_codex(change: LineChange, number: int, failure: str) -> str:
    call = {
        "type": "custom_tool_call",
        "call_id": f"call_{number}",
        "name": "apply_patch",
        "input": change.envelope,
    }
    result = {
        "type": "custom_tool_call_output",
        "call_id": f"call_{number}",
        "output": json.dumps(
            {"output": failure or "Success.", "metadata": {"exit_code": int(bool(failure))}}
        ),
    }
    return "".join(json.dumps({"type": "response_item", "payload": each}) + "\n" for each in (call, result))


def of_openai(change: LineChange, number: int, failure: str) -> str:
    function = {"name": "edit", "arguments": json.dumps(change.arguments)}
    call = {
        "role": "assistant",
        "tool_calls": [{"id": f"call_{number}", "type": "function", "function": function}],
    }
    result = {"role": "tool", "tool_call_id": f"call_{number}", "content": failure or "ok"}
    return f"{json.dumps(call)}\n{json.dumps(result)}\n"


SESSIONS = {
    "Claude Code": (
        '{"type": "user", "message": {"role": "user", "content": "Light it."}}\n',
        of_claude_code,
    ),
    "Codex": (
        '{"type": "response_item", "payload": {"type": "message", "role": "user", "content": '
        '[{"type": "input_text", "text": "Light it."}]}}\n',
        of_codex,
    ),
    "OpenAI": ('{"role": "user", "content": "Light it."}\n', of_openai),
}
REASONS = {
    "not found": "Error: String to replace not found in file.",
    "turned down": "Error: The user doesn't want to proceed with this tool use. The tool use was rejected.",
}


@pytest.mark.parametrize("why", REASONS)
@pytest.mark.parametrize("program", SESSIONS)
def test_a_call_in_a_session_that_failed_or_was_turned_down_is_not_made_and_its_retry_is(
    program: str, why: str
) -> None:
    head, written = SESSIONS[program]
    failed = written(DIM, 1, REASONS[why])
    assert files_after(head + failed) == FILES
    assert files_after(head + failed + written(GLOW, 2, "")) == GLOWS


RESULTS = {
    "an error in a tag": '<tool_result is_error="true">{}</tool_result>',
    "an error in tags": "<function_results>\n<error>{}</error>\n</function_results>",
    "the line of a tool": "{}",
    "a terminal": "  ⎿  {}",
}


@pytest.mark.parametrize("why", REASONS)
@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("way", CALLS)
def test_a_call_with_its_error_behind_it_is_not_made_and_its_retry_is(
    way: str, result: str, why: str
) -> None:
    error = RESULTS[result].format(REASONS[why])
    failed = f"I make it darker.\n\n{WAYS[way](DIM)}\n\n{error}\n"
    assert files_after(failed) == FILES
    assert files_after(f"{failed}\nOnce more.\n\n{WAYS[way](GLOW)}\n") == GLOWS


# What the words take back.

BELOW = (
    "Wait, ignore that.",
    "Ignore that, and leave the file as it is.",
    "Scrap that, leave it as it is.",
    "On second thought, forget the above.",
    "Actually, don't apply this.",
    "This is for reference only; don't apply it here.",
    "Please undo this change.",
    "Moment, vergiss das.",
    "Attends, oublie ça.",
    "Espera, ignora eso.",
    "Espera, ignora isso.",
    "Стоп, забудь это.",
    "等等，忽略上面的修改。",
    "待って、今のは無視してください。",
)
ABOVE = (
    "For reference only, don't apply it here:",
    "Never write it like this:",
    "Do not do this:",
    "Nobody should write:",
    "This patch was rejected:",
    "I reverted this change:",
    "Please undo this change:",
    "Schreib es niemals so:",
    "N'écrivez jamais ceci :",
    "Nunca lo escribas así:",
    "Nunca escreva assim:",
    "Никогда не пишите так:",
    "千万不要这样写：",
    "こう書いてはいけません：",
)


@in_every_way
def test_a_retraction_below_holds_back_what_is_before_it_alone(way: str) -> None:
    for said in share(BELOW, NUMBERS[way], 4):
        taken_back = f"Make the lamp darker.\n\n{WAYS[way](DIM)}\n\n{said}\n"
        assert files_after(taken_back) == FILES, said
        after = files_after(f"{taken_back}\nThis is right instead:\n\n{WAYS[way](GLOW)}\n")
        assert after in (FILES, GLOWS), said


@in_every_way
def test_a_lead_that_says_no_holds_back_what_is_below_it(way: str) -> None:
    for said in share(ABOVE, NUMBERS[way], 4):
        assert files_after(f"{said}\n\n{WAYS[way](DIM)}\n") == FILES, said


@in_every_way
def test_code_as_it_looked_before_is_not_made(way: str) -> None:
    said = (
        "Before my edit the file looked like this:\n\n{}\n\nIt is changed already, nothing is left to do.\n"
    )
    assert files_after(said.format(WAYS[way](DIM))) == FILES


@pytest.mark.parametrize("command", ["git log -p -1", "git show HEAD", "git diff", "git diff HEAD~1"])
@pytest.mark.parametrize("prompt", ["$ ", "% ", "> ", "~/lamp$ "])
def test_what_git_printed_below_its_prompt_is_not_made(prompt: str, command: str) -> None:
    for said in (f"```console\n{prompt}{command}\n{DIM.diff}```", f"{prompt}{command}\n{DIM.diff}"):
        assert files_after(f"This is what we had:\n\n{said}\n") == FILES


# Several ways.

OPTIONS = (
    "### Option 1\n\n{}\n\n### Option 2\n\n{}\n",
    "**Option A:** the lamp\n\n{}\n\n**Option B:** the desk\n\n{}\n",
    "Approach 1: the lamp.\n\n{}\n\nApproach 2: the desk.\n\n{}\n",
    "Either change the lamp:\n\n{}\n\nor change the desk:\n\n{}\n\nOne of them is enough.\n",
    "Change the lamp:\n\n{}\n\nAlternatively, change the desk:\n\n{}\n",
    "Change the lamp:\n\n{}\n\nAlternative: instead of the above, change the desk:\n\n{}\n",
    "### Möglichkeit 1\n\n{}\n\n### Möglichkeit 2\n\n{}\n",
    "### Approche 1\n\n{}\n\n### Approche 2\n\n{}\n",
    "### Opción A\n\n{}\n\n### Opción B\n\n{}\n",
    "### Opção A\n\n{}\n\n### Opção B\n\n{}\n",
    "### Вариант 1\n\n{}\n\n### Вариант 2\n\n{}\n",
    "### 方案一\n\n{}\n\n### 方案二\n\n{}\n",
    "### 案1\n\n{}\n\n### 案2\n\n{}\n",
)
STEPS = (
    "### Step 1\n\n{}\n\n### Step 2\n\n{}\n",
    "1. Change the lamp:\n\n{}\n\n2. Change the desk:\n\n{}\n",
    "First the lamp:\n\n{}\n\nThen the desk:\n\n{}\n",
    "### Schritt 1\n\n{}\n\n### Schritt 2\n\n{}\n",
)


@in_every_way
def test_of_several_ways_at_two_places_none_is_made(way: str) -> None:
    for said in share(OPTIONS, NUMBERS[way], 4):
        assert files_after(said.format(WAYS[way](GLOW), WAYS[way](LIFT))) == FILES, said


@in_every_way
@pytest.mark.parametrize("said", STEPS)
def test_steps_are_all_made(said: str, way: str) -> None:
    assert made_after(said.format(WAYS[way](GLOW), WAYS[way](LIFT)), way) == BOTH


# Half of an answer.

USES_JSON = LineChange("src/lamp.py", LAMP, "    lamp.shine(POWER)", "    lamp.shine(json.loads(POWER))")
CALLS_HELPER = LineChange("src/lamp.py", LAMP, "    lamp.shine(POWER)", "    lamp.shine(doubled(POWER))")
RAISES = LineChange("src/lamp.py", LAMP, "    lamp.shine(POWER)", "    raise TooBright(POWER)")
IMPORT = "```python\nimport json\n```"
HELPER = "```python\ndef doubled(power):\n    return power * 2\n```"


@in_every_way
@pytest.mark.parametrize(
    ("change", "fence"), [(USES_JSON, IMPORT), (CALLS_HELPER, HELPER)], ids=["an import", "a helper"]
)
def test_an_edit_is_not_made_without_the_fence_that_binds_its_names(
    change: LineChange, fence: str, way: str
) -> None:
    for answer in (
        f"Add this first:\n\n{fence}\n\nThen use it:\n\n{WAYS[way](change)}\n",
        f"Use it:\n\n{WAYS[way](change)}\n\nAnd add this:\n\n{fence}\n",
    ):
        after = files_after(answer)
        bound = "import json" in (after[change.path] or "") or "def doubled" in (after[change.path] or "")
        assert bound == (after != FILES)


@in_every_way
def test_a_name_that_the_answer_binds_nowhere_is_said(way: str) -> None:
    answer = f"Add a class `TooBright` to the errors, and raise it:\n\n{WAYS[way](RAISES)}\n"
    report = apply_edits(FILES, answer)
    assert dict(report.files) == FILES or any("TooBright" in str(one) for one in report.outcomes)


SPEAKS_FOR_ITSELF = {"a call in tags with blocks", "a pair in a sentence", "an envelope in a shell"}
"""These end with mark-up or a sentence of their own: what is behind them is not joined to them."""


@pytest.mark.parametrize("way", [way for way in WAYS if way not in SPEAKS_FOR_ITSELF])
def test_a_second_fence_of_the_same_file_is_made_too_or_nothing_is(way: str) -> None:
    fade = "```python\ndef fade(lamp):\n    lamp.sink(POWER * 2)\n    return lamp.power\n```"
    after = files_after(f"{WAYS[way](GLOW)}\n\nand\n\n{fade}\n")
    both = GLOW.after.replace("lamp.sink(POWER)", "lamp.sink(POWER * 2)")
    assert after in (FILES, {**FILES, GLOW.path: both})


@pytest.mark.parametrize(
    "words",
    [
        "The panic comes from clap itself:",
        "The error is raised in Flask-Login:",
        "It is thrown by the parser:",
    ],
)
def test_code_of_elsewhere_is_no_new_file(words: str) -> None:
    code = "pub fn parse() -> Result<(), Error> {\n    Ok(())\n}\n"
    answer = f"{words}\n\n**src/parser.rs**\n\n```rust\n{code}```\n\nUpdate clap.\n"
    assert apply_edits({"src/main.rs": "fn main() {}\n"}, answer).files == {"src/main.rs": "fn main() {}\n"}


@pytest.mark.parametrize(
    ("above", "code"),
    [
        ("### `src/a.py`\n\nAfter these changes:", "$ pytest -q\n1 passed\n"),
        ("### `src/a.py`\n\nChange the folder, and run it:", "ann@host:~/src$ ./run a\nok\n"),
    ],
)
def test_commands_in_a_fence_without_a_language_are_no_code(above: str, code: str) -> None:
    files = {"src/a.py": "def load():\n    return 1\n"}
    first = "In `src/a.py`:\n\n```python\ndef load():\n    return 2\n```\n"
    report = apply_edits(files, f"{first}\n{above}\n\n```\n{code}```\n")
    assert report.files == {"src/a.py": "def load():\n    return 2\n"}
    assert ["it is what a program prints" in one.message for one in report.unplaced] == [True]


def test_commands_may_be_added_to_a_document() -> None:
    answer = "Add to `README.md` at the end:\n\n```\n$ pip install x\n```\n"
    report = apply_edits({"README.md": "# x\n\nText.\n"}, answer, accept="all")
    assert report.files == {"README.md": "# x\n\nText.\n\n$ pip install x\n"}


def test_fences_without_words_between_them_are_all_of_another_project() -> None:
    answer = (
        "Set it up in your app (not in this library):\n\n"
        "```js\n// a.config.js\nmodule.exports = { a: 1 };\n```\n\n"
        "```js\n// a.setup.js\nsetup(1);\nsetup(2);\n```\n"
    )
    assert apply_edits({"b.js": "b();\n"}, answer, accept="all").files == {"b.js": "b();\n"}


def test_a_member_that_the_file_has_at_another_depth_is_not_added() -> None:
    text = '{\n  "exports": {\n    "./a": {\n      "import": "./a.js"\n    },\n    ".": "./b.js"\n  }\n}\n'
    answer = 'Add this to `package.json`:\n\n```json\n"./a": {\n  "import": "./a.js"\n}\n```\n'
    assert apply_edits({"package.json": text}, answer, accept="all").files == {"package.json": text}
