from __future__ import annotations

import pytest

from patchpoint.edit import Edit, ObjectionCode
from patchpoint.formats import read_answer
from patchpoint.formats.conversation.results import failed_calls, results_in
from tests.formats.exchanges import edit_spans

CALL = """<invoke name="Edit">
<parameter name="file_path">src/lamp.py</parameter>
<parameter name="old_string">    lamp.dim()</parameter>
<parameter name="new_string">    lamp.{}()</parameter>
</invoke>
"""
REPLACE = """<replace_in_file>
<path>src/lamp.py</path>
<diff>
------- SEARCH
    lamp.dim()
=======
    lamp.{}()
+++++++ REPLACE
------- SEARCH
    lamp.light()
=======
    lamp.{}_too()
+++++++ REPLACE
</diff>
</replace_in_file>
"""
NOT_FOUND = "String to replace not found in file."


def failures(text: str) -> list[str]:
    """Return why each edit of a session failed; an empty text for those that did not."""
    calls = edit_spans(text)
    failed = failed_calls(text, calls, results_in(text))
    return [failed.get(number, "") for number in range(len(calls))]


FAILING = {
    "a tool result": (
        '<tool_result is_error="true">User rejected this edit.</tool_result>',
        "User rejected this edit.",
    ),
    "its id": (
        f'<tool_result tool_use_id="toolu_1" is_error="true">\n{NOT_FOUND}\n</tool_result>',
        NOT_FOUND,
    ),
    "function results": (f"<function_results>\n<error>{NOT_FOUND}</error>\n</function_results>", NOT_FOUND),
    "a function result": (
        "<function_result><error>Permission denied</error></function_result>",
        "Permission denied",
    ),
    "the system's results": (
        f"<function_results>\n<result>\n<name>Edit</name>\n<error>{NOT_FOUND}</error>\n</result>\n</function_results>",
        NOT_FOUND,
    ),
    "a tool response": (f"<tool_response>\nError: {NOT_FOUND}\n</tool_response>", f"Error: {NOT_FOUND}"),
    "a response as JSON": (
        f'<tool_response>\n{{"name": "Edit", "content": "{NOT_FOUND}", "is_error": true}}\n</tool_response>',
        NOT_FOUND,
    ),
    "a tool's error": (f"<tool_use_error>{NOT_FOUND}</tool_use_error>", NOT_FOUND),
    "one that is cut off": ("<tool_response>\nError: no such file", "Error: no such file"),
    "the sentence alone": (f"Error: {NOT_FOUND}\nString:     lamp.dim()\n", f"Error: {NOT_FOUND}"),
    "a rejection": (
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    ),
    "a terminal": (f"  ⎿  Error: {NOT_FOUND}\n     String:     lamp.dim()\n", f"Error: {NOT_FOUND}"),
    "a rejection in a terminal": (
        "  ⎿  User rejected update to src/lamp.py\n",
        "User rejected update to src/lamp.py",
    ),
    "Harmony": (
        "<|start|>functions.edit to=assistant<|channel|>commentary<|message|>Error: not found<|end|>",
        "Error: not found",
    ),
    "ChatML": ("<|im_start|>tool\nError: not found<|im_end|>", "Error: not found"),
    "Llama": (
        "<|start_header_id|>ipython<|end_header_id|>\n\nError: not found<|eot_id|>",
        "Error: not found",
    ),
    "DeepSeek": ("<｜tool▁output▁begin｜>Error: not found<｜tool▁output▁end｜>", "Error: not found"),
    "Mistral": ("[TOOL_RESULTS]Error: not found[/TOOL_RESULTS]", "Error: not found"),
    "an exit code": ("<tool_result>\nExit code: 1\nOutput:\nno match\n</tool_result>", "Exit code: 1"),
}


@pytest.mark.parametrize(("result", "why"), FAILING.values(), ids=list(FAILING))
def test_a_call_fails_whose_result_says_so_and_its_retry_does_not(result: str, why: str) -> None:
    session = f"I try.\n\n{CALL.format('failed')}\n{result}\n\nOnce more.\n\n{CALL.format('fade')}"
    assert failures(session) == [why, ""]
    done = f"{session}\n<tool_result>The file has been updated.</tool_result>\n\nThe lamp fades now.\n"
    assert failures(done) == [why, ""]


@pytest.mark.parametrize(("result", "why"), FAILING.values(), ids=list(FAILING))
def test_a_result_is_whole_lines_and_leaves_what_follows_alone(result: str, why: str) -> None:
    before, after = "Words.\n\n", "\n\nWords, and more.\n"
    (found,) = results_in(f"{before}{result}{after}")
    assert found.failure == why
    assert found.span[0] == len(before)
    text = f"{before}{result}{after}"
    assert text[slice(*found.span)].strip() == result.strip()


@pytest.mark.parametrize(
    "result",
    [
        "The tool execution failed with the following error:\n<error>\nno match\n</error>",
        "The user denied this operation.",
        '{"status": "denied", "message": "The user denied this operation."}',
        "Error: no match",
    ],
)
@pytest.mark.parametrize("label", ["**{}:**", "### {}", "{}:", "## 👤 {}"])
def test_all_blocks_of_a_call_of_cline_fail_with_it(result: str, label: str) -> None:
    user, model = label.format("User"), label.format("Assistant")
    session = (
        f"{user}\n\nFade.\n\n{model}\n\n{REPLACE.format('failed', 'failed')}\n{user}\n\n"
        f"[replace_in_file for 'src/lamp.py'] Result:\n\n{result}\n\n"
        f"<environment_details>\n# Time\n</environment_details>\n\n"
        f"{model}\n\n{REPLACE.format('fade', 'fade')}\n"
        f"{user}\n\n[replace_in_file for 'src/lamp.py'] Result:\n\nThe content was saved to src/lamp.py.\n"
    )
    failed = failures(session)
    assert all(failed[:2])
    assert failed[2:] == ["", ""]
    left, read = left_and_read(session)
    assert ("fade" in left, "failed" in read) == (False, False)


def test_the_result_of_another_call_is_not_that_of_the_edit() -> None:
    test = '<invoke name="Bash">\n<parameter name="command">pytest</parameter>\n</invoke>\n'
    edit, ok, failed = (
        CALL.format("fade"),
        "<tool_result>ok</tool_result>\n",
        "<tool_result>Exit code: 1</tool_result>\n",
    )
    assert failures(edit + test + ok + failed) == [""]
    assert failures(edit + ok + test + failed) == [""]
    assert failures(edit + test + failed + ok) == ["Exit code: 1"]


def test_what_a_terminal_shows_of_another_call_is_not_of_the_edit_above() -> None:
    fence = f"⏺ I propose this:\n\nsrc/lamp.py\n```python\n{block('dim', 'fade')}\n```\n\n"
    assert failures(f"{fence}⏺ Bash(pytest -q)\n  ⎿  Error: Exit code 1\n\n⏺ Sure.\n") == [""]
    assert failures(f"{fence}  ⎿  Error: String to replace not found in file.\n") != [""]


def test_a_result_that_names_its_call_is_of_that_one() -> None:
    def call(number: int, new: str) -> str:
        return (
            f'{{"type": "tool_use", "id": "toolu_{number}", "name": "Edit", "input": '
            f'{{"file_path": "a.py", "old_string": "x", "new_string": "{new}"}}}}\n'
        )

    def result(number: int, words: str) -> str:
        return f'<tool_result tool_use_id="toolu_{number}">{words}</tool_result>\n'

    session = call(1, "one") + call(2, "two") + result(2, "Error: not found") + result(1, "ok")
    assert failures(session) == ["", "Error: not found"]


def test_where_results_are_missing_none_of_the_calls_counts() -> None:
    session = f"{CALL.format('one')}\n{CALL.format('two')}\n<tool_result>Error: not found</tool_result>\n"
    assert failures(session) == ["Error: not found", "Error: not found"]


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n    lamp.{old}()\n=======\n    lamp.{new}()\n>>>>>>> REPLACE"


def test_all_blocks_of_an_answer_fail_of_which_aider_quotes_one() -> None:
    quoted = "".join(f"> {line}  \n" for line in block("dimm", "failed").splitlines())
    session = (
        f"#### fade\n\nsrc/lamp.py\n```python\n{block('dimm', 'failed')}\n```\n\n"
        f"src/lamp.py\n```python\n{block('light', 'glow')}\n```\n\n"
        "> The LLM did not conform to the edit format.  \n"
        "> # 1 SEARCH/REPLACE block failed to match!  \n>\n"
        "> ## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/lamp.py  \n"
        f"{quoted}\nOnce more.\n\nsrc/lamp.py\n```python\n{block('dim', 'fade')}\n```\n\n"
        "> Applied edit to src/lamp.py  \n"
    )
    calls = edit_spans(session)
    results = results_in(session)
    mine = [span for span in calls if not any(one.span[0] <= span[0] < one.span[1] for one in results)]
    assert len(mine) == 3
    why = "This SEARCH block failed to exactly match lines in src/lamp.py"
    assert failed_calls(session, mine, results) == {0: why, 1: why}


@pytest.mark.parametrize(
    ("form", "why"),
    [
        (
            "⏺ Update(a.py)\n⎿ User rejected update to a.py\n2 x\n5 - y\n5 + z\n\n⏺ Sure.\n",
            "User rejected update to a.py",
        ),
        ("● Write(a.py)\n  ⎿  Error: Error writing file\n\n  Sure.\n", "Error: Error writing file"),
        ("**User:**\n\n[Tool (Error)]\nno match\n\n---\n\n**Assistant:**\n\nSure.\n", "no match"),
        ("**User:**\n\n[Tool]\nsaved\n\n---\n\n**Assistant:**\n\nSure.\n", ""),
    ],
)
def test_the_copies_of_programs_are_read(form: str, why: str) -> None:
    (result,) = results_in(form)
    assert result.failure == why
    assert "Sure" not in form[slice(*result.span)]
    assert "y" not in form[result.span[1] :].replace("Sure", "")


def test_what_is_on_the_line_of_a_result_is_no_part_of_it() -> None:
    harmony = (
        "<|start|>functions.edit to=assistant<|channel|>commentary<|message|>{}<|end|>"
        "<|start|>assistant<|channel|>final<|message|>Sure."
    )
    for text in (harmony, "<tool_result>ok</tool_result> Sure.\n", "Sure. <|im_start|>tool\nok<|im_end|>\n"):
        (result,) = results_in(text)
        rest = text[: result.span[0]] + text[result.span[1] :]
        assert "Sure" in rest


def test_what_a_terminal_shows_of_an_edit_is_its_result() -> None:
    text = (
        "⏺ Update(a.py)\n  ⎿  Updated a.py with 1 addition\n       1 -  x\n       1 +  y\n\n⏺ It is done.\n"
    )
    (found,) = results_in(text)
    assert (text[slice(*found.span)].rstrip().endswith("1 +  y"), found.failure) == (True, "")


@pytest.mark.parametrize(
    "text",
    [
        "The tool failed with an error, so here is another way.",
        "Error: the lamp does not fade.",
        "It says that the string to replace was not found.",
        "A `<tool_result>` tells the model what came of its call.",
        "I see Result: 5",
    ],
)
def test_prose_is_no_result(text: str) -> None:
    assert results_in(f"{text}\n\n{CALL.format('fade')}") == []


def test_a_result_in_the_content_of_an_edit_is_content() -> None:
    content = '<tool_result is_error="true">\nfailed\n</tool_result>'
    call = CALL.replace("    lamp.{}()", f"\n{content}\n")
    assert results_in(call)
    assert failures(call) == [""]


def left_and_read(text: str) -> tuple[str, str]:
    """Return what the edits of a session that failed would write, and what the others do."""
    answer = read_answer(text)
    failed = [
        one for one in answer.unplaced if one.objection and one.objection.code is ObjectionCode.FAILED_CALL
    ]
    left = [item for one in failed for item in one.meant]
    written = [
        " ".join(each.replace for each in items if isinstance(each, Edit)) for items in (left, answer.items)
    ]
    return written[0], written[1]


@pytest.mark.parametrize(
    "session",
    [
        "**User:**\n\nFade.\n\n**Assistant:**\n\n{0}\n\n**User:**\n\n"
        "[replace_in_file for 'src/lamp.py'] Result:\n\nThe user denied this operation.\n\n"
        "**Assistant:**\n\n{1}\n\n**User:**\n\n"
        "[replace_in_file for 'src/lamp.py'] Result:\n\nsaved\n\n**Assistant:**\n\nDone.\n",
        "## User\n\nFade.\n\n## Assistant\n\n{0}\n\n## Tool\n\nError: not found\n\n"
        "## Assistant\n\n{1}\n\n## Tool\n\nok\n\n## Assistant\n\nDone.\n",
        "> fade\n\n⏺ I try.\n\n{0}\n\n  ⎿  Error: not found\n\n⏺ Once more.\n\n{1}\n\n"
        "  ⎿  Updated src/lamp.py\n",
        "[user]\nFade.\n\n[assistant]\n{0}\n\n"
        '[tool]\n<tool_result is_error="true">no</tool_result>\n\n[assistant]\n{1}\n',
    ],
    ids=["Cline", "headings", "a terminal", "brackets"],
)
def test_a_call_fails_by_what_a_tool_says_between_two_speeches(session: str) -> None:
    def call(new: str) -> str:
        return CALL.format(new).strip()

    assert left_and_read(session.format(call("failed"), call("fade"))) == (
        "    lamp.failed()",
        "    lamp.fade()",
    )


def test_what_failed_in_one_turn_says_nothing_of_another() -> None:
    turn = "## User\n\nFade.\n\n## Assistant\n\n{}\n\n## Tool\n\n{}\n\n"
    session = turn.format(CALL.format("failed"), "Error: not found") + turn.format(CALL.format("fade"), "ok")
    assert left_and_read(session)[1] == "    lamp.fade()"


def test_a_result_names_the_edit_that_it_is_of_in_any_order() -> None:
    ok, failed = "<tool_result>ok</tool_result>\n", "<tool_result>Error: no</tool_result>\n"
    text = f"{CALL.format('one')}\n{ok}{CALL.format('two')}\n{failed}"
    one, two = edit_spans(text)
    assert failed_calls(text, [two, one], results_in(text)) == {0: "Error: no"}
