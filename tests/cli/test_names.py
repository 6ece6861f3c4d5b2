"""A checkpoint can be named in every command by more than its id; lists say what each is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import Run


def take(run: Run, *arguments: str) -> str:
    return str(run("checkpoint", "--json", *arguments).json["id"])


def test_every_command_knows_the_last_and_the_beginning_of_an_id(project: Path, run: Run) -> None:
    file = project / "till" / "tax.py"
    before = file.read_text()
    first = take(run, "first")
    file.write_text("changed\n")
    second = take(run, "second")
    assert run("show", "last", "--json").json["id"] == second
    assert run("show", "last~1", "--json").json["id"] == run("show", first[:13], "--json").json["id"] == first
    assert run("show", "last~1", "till/tax.py").out == before
    assert run("diff", "--stat").out == ""
    assert "till/tax.py" in run("diff", "last~1", "--stat").out
    assert "till/tax.py" in run("diff", "last~1", "--against", "last", "--stat").out
    assert run("restore", "last~1", "--json").json["checkpoint"] == first
    assert file.read_text() == before
    assert run("fork", "last", str(project.parent / "fork"), "--json").status == 0
    assert (project.parent / "fork" / "till" / "tax.py").read_text() == "changed\n"
    assert run("delete", "last", "--json").json["deleted"] == [second]


def test_a_difference_without_a_name_is_to_the_last_and_paths_are_from_where_one_is(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(run, "first")
    (project / "till" / "tax.py").write_text("changed\n")
    (project / "README.md").write_text("changed\n")
    monkeypatch.chdir(project / "till")
    for arguments in ([], ["tax.py"], ["last", "tax.py"], ["../till"]):
        assert run("diff", "--stat", *arguments).out.split() == ["update", "till/tax.py"]
    monkeypatch.chdir(project)
    assert run("diff", "--stat", "README.md").out.split() == ["update", "README.md"]
    assert run("diff", "--stat").out.split() == ["update", "README.md", "update", "till/tax.py"]
    assert run("diff", "none.py", "--json").json["error"]["code"] == "checkpoint-not-found"
    assert run("diff", "last", "../elsewhere", "--json").json["error"]["code"] == "outside-root"


@pytest.mark.parametrize("name", ["--chat", "-chat", "---", "-", "-1", "--json-chat"])
def test_the_name_of_a_session_may_begin_with_hyphens(project: Path, run: Run, name: str) -> None:
    taken = run("checkpoint", "--session", name, "--message", name, "what it is called", "--json").json
    assert (taken["session"], taken["message"]) == (name, name)
    assert taken["label"] == "what it is called"
    listed = run("list", "--session", name, "--json").json["checkpoints"]
    assert [one["id"] for one in listed] == [taken["id"]]


def test_an_option_whose_value_was_forgotten_takes_no_other_option_for_it(project: Path, run: Run) -> None:
    for words in (
        ["list", "--session", "--json"],
        ["checkpoint", "--session", "--message", "m"],
        ["checkpoint", "--session", "--", "m"],
        ["checkpoint", "--session=--", "m"],
    ):
        refused = run(*words)
        assert refused.status == 2
        assert "argument --session: " in refused.err + refused.out
    assert run("list", "--json").json["checkpoints"] == []


def test_a_message_names_the_checkpoint_before_it(project: Path, run: Run) -> None:
    file = project / "till" / "tax.py"
    before = file.read_text()
    first = take(run, "--session", "chat-1", "--message", "17")
    file.write_text("changed\n")
    take(run, "--session", "chat-1", "--message", "18")
    for name in ("@17", "@prompt:17", "@chat-1:17", "@chat:17"):
        assert run("show", name, "--json").json["id"] == first
    assert run("restore", "@17", "till/tax.py").status == 0
    assert file.read_text() == before


def test_a_name_that_means_nothing_or_two_is_refused(project: Path, run: Run) -> None:
    assert run("diff").status == 1
    take(run, "--session", "one", "--message", "1")
    take(run, "--session", "two", "--message", "1")
    before = (project / "till" / "tax.py").read_bytes()
    for name, code in (
        ("@1", "ambiguous-checkpoint"),
        ("last~2", "checkpoint-not-found"),
        ("0000", "checkpoint-not-found"),
    ):
        for command in ("show", "diff", "restore", "delete"):
            refused = run(command, name, "--json")
            assert (refused.status, refused.json["error"]["code"]) == (1, code)
    assert len(run("list", "--json").json["checkpoints"]) == 2
    assert (project / "till" / "tax.py").read_bytes() == before


def test_the_list_has_sessions_and_messages_where_there_are_some(project: Path, run: Run) -> None:
    take(run, "before lunch")
    assert "chat" not in run("list").out
    take(run, "--session", "chat-1", "--message", "17", "add a tax")
    [newest, older] = run("list").out.splitlines()
    assert newest.endswith("add a tax  chat-1:17")
    assert older.endswith("before lunch")
    shown = run("show", "last").out.splitlines()
    facts = {line.split()[0]: line.partition(" ")[2].strip() for line in shown}
    assert (facts["session"], facts["turn"], facts["prompt"]) == ("chat-1", "17", "add a tax")


def test_session_turn_and_prompt_are_fields_of_every_list(project: Path, run: Run) -> None:
    take(run, "--session", "chat", "--message", "17", "add a tax")
    (project / "new.py").write_text("x\n")
    take(run, "--session", "chat", "--after", "done")
    lists = [
        run("list", "--json").json["checkpoints"],
        [one["checkpoint"] for one in run("log", "--json").json["entries"]],
        [run("show", "last", "--json").json, run("show", "last~1", "--json").json],
    ]
    for newest, oldest in lists:
        for one in (newest, oldest):
            assert (one["session"], one["turn"], one["prompt"]) == ("chat", "17", "add a tax")
        assert (newest["message"], oldest["message"]) == (None, "17")
    assert "chat:17" in run("log").out.splitlines()[0]
    for label in ("the tax", "the other tax"):
        assert run("rename", "last~1", label).status == 0
        renamed = run("show", "last~1", "--json").json
        assert (renamed["label"], renamed["prompt"]) == (label, "add a tax")


def test_the_log_of_a_session_has_what_changed_after_each_of_its_checkpoints(project: Path, run: Run) -> None:
    first = take(run, "--session", "chat", "--message", "1", "add a tax")
    (project / "new.py").write_text("x\n")
    take(run, "not of the session")
    second = take(run, "--session", "chat", "--message", "2", "drop it")
    (project / "new.py").rename(project / "moved.py")
    (project / "till" / "tax.py").write_text("changed\n")
    log = run("log", "--session", "chat").out.splitlines()
    assert [line.split()[0] for line in log if not line.startswith(" ")] == [second[9:13], first[9:13]]
    assert "  drop it  chat:2  " in log[0]
    assert {line.strip() for line in log[1:3]} == {"R new.py -> moved.py", "M till/tax.py"}
    assert log[-1].strip() == "A new.py"
    entries = run("log", "--session", "chat", "--json", "--limit", "1").json["entries"]
    assert [entry["checkpoint"]["id"] for entry in entries] == [second]
    assert {"path": "new.py", "operation": "rename", "newPath": "moved.py"} in entries[0]["changed"]
    assert len(run("log", "--json").json["entries"]) == 3
    assert run("log", "--session", "none").out == "No checkpoint matches.\n"


def test_a_checkpoint_is_renamed_and_pinned_and_the_list_says_so(project: Path, run: Run) -> None:
    taken = run("checkpoint", "before", "--pin", "--json").json
    assert taken["pinned"]
    done = run("rename", "last", "the good one")
    assert (done.status, done.out) == (0, f"Checkpoint {taken['id']}: the good one (pinned)\n")
    assert "the good one (pinned)" in run("list").out
    assert not run("rename", "last", "--unpin", "--json").json["pinned"]
    assert run("list", "--json").json["checkpoints"][0]["label"] == "the good one"
    assert run("rename", "last").status == 2


def test_the_beginning_of_a_session_or_a_message_is_enough_where_no_other_has_it(
    project: Path, run: Run
) -> None:
    first = take(run, "--session", "5f1c-one", "--message", "msg-17-a")
    take(run, "--session", "5f1d-two", "--message", "msg-18-b")
    for name in ("@msg-17", "@5f1c:msg-17", "@5f1c-one:msg-17", "@5f1c:msg-17-a"):
        assert run("show", name, "--json").json["id"] == first
    assert run("show", "@msg-1", "--json").json["error"]["code"] == "ambiguous-checkpoint"
    assert run("show", "@ms", "--json").json["error"]["code"] == "checkpoint-not-found"
    listed = run("list", "--session", "5f1c", "--json").json["checkpoints"]
    assert [one["id"] for one in listed] == [first]
    assert run("list", "--session", "5f1", "--json").json["checkpoints"] == []
    take(run, "--session", "5f1c-three")
    for command in (["list"], ["log"], ["revert"], ["review"]):
        refused = run(*command, "--session", "5f1c", "--json")
        assert (refused.status, refused.json["error"]["code"]) == (1, "ambiguous-session")
    assert run("log", "--session", "5f1c-o", "--json").json["entries"][0]["checkpoint"]["id"] == first


def test_the_log_says_which_prompt_wrote_a_line(project: Path, run: Run) -> None:
    tax = project / "till" / "tax.py"
    lines = tax.read_text().splitlines()
    number = next(at for at, line in enumerate(lines, 1) if "REDUCED" in line)
    take(run, "--session", "chat", "--message", "17", "reduce it")
    tax.write_text(tax.read_text().replace('"0.05"', '"0.07"'))
    take(run, "--session", "chat", "--message", "17", "--after")
    said = run("log", f"till/tax.py:{number}")
    assert said.status == 0
    assert said.out.splitlines() == [f"till/tax.py:{number}  {tax.read_text().splitlines()[number - 1]}",
                                     '    just now  “reduce it”  chat:17']  # fmt: skip
    (line,) = run("log", f"till/tax.py:{number}", "--json").json["lines"]
    assert (line["by"], line["session"], line["turn"], line["prompt"]) == (
        "session",
        "chat",
        "17",
        "reduce it",
    )
    older = run("log", "till/tax.py:1-2")
    assert older.out.count("older than the first checkpoint") == 2
    for place, status in (
        ("till/tax.py", 2),
        ("till/tax.py:0", 2),
        ("none.py:1", 1),
        ("till/tax.py:9999", 1),
    ):
        assert run("log", place).status == status
