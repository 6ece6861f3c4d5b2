"""Files that scripts write by here-documents: the shell would write the same, and nothing is run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.edit import Edit, Malformed
from patchpoint.formats import edits_from_data, parse_edits
from patchpoint.outcome import Status
from tests.sampling import tries

SCRIPTS = {
    "to a file": "cat > a.txt <<'EOF'\none\n  two $HOME `x` \\\\\nEOF\n",
    "the file behind": 'cat <<"EOF" > a.txt\none\nEOF\n',
    "an escaped word": "cat <<\\EOF > a.txt\n$one\nEOF\n",
    "no quotes": "cat > a.txt << EOF\none\nEOF\n",
    "tabs": "cat <<-'EOF' > a.txt\n\tone\n\t\ttwo\n\tEOF\n",
    "tee": "tee a.txt <<'EOF' > /dev/null\none\nEOF\n",
    "a folder": "mkdir -p b/c && cat > b/c/a.txt <<'EOF'\none\nEOF\n",
    "in a folder": "mkdir -p b\ncd b\ncat > a.txt <<'EOF'\none\nEOF\n",
    "appended": "cat > a.txt <<'EOF'\none\nEOF\ncat > b.txt <<'EOF'\ntwo\nEOF\n",
    "an empty file": "cat > a.txt <<'EOF'\nEOF\n",
    "words that look like the end": "cat > a.txt <<'EOF'\n EOF\nEOF2\nEOF\n",
}


def files_of(answer: str) -> dict[str, str | None]:
    """The files that an answer makes of nothing."""
    return dict(apply_edits({}, answer).files)


def run(script: str, folder: Path) -> dict[str, str | None]:
    """The files that a shell makes of nothing."""
    subprocess.run(["bash", "-c", script], cwd=folder, check=True, capture_output=True)
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_files_are_those_that_the_shell_would_write(name: str, tmp_path: Path) -> None:
    script = SCRIPTS[name]
    expected = run(script, tmp_path)
    assert expected
    assert files_of(f"```bash\n{script}```\n") == expected
    assert files_of(script) == expected or name in ("in a folder", "appended")
    call = {"command": ["bash", "-lc", script]}
    assert dict(apply_edits({}, edits_from_data(call)).files) == expected
    assert files_of(json.dumps(call)) == expected


@given(st.text(st.sampled_from("ab \t\n'\"$`\\{}#~"), max_size=40))
@settings(max_examples=tries(80), deadline=None)
def test_quoted_lines_are_taken_as_they_are(text: str) -> None:
    content = f"{text}\n"
    items = parse_edits(f"cat > a.txt <<'EOF'\n{content}EOF\n")
    assert [item.content for item in items if isinstance(item, Edit)] == [content]


@given(st.text(st.sampled_from("ab $`\\"), min_size=1, max_size=10))
@settings(max_examples=tries(60), deadline=None)
def test_lines_that_the_shell_would_change_are_never_written(text: str) -> None:
    items = parse_edits(f"```sh\ncat > a.txt <<EOF\n{text}\nEOF\n```\n")
    if any(sign in text for sign in "$`\\"):
        assert [type(item) for item in items] == [Malformed]
    else:
        assert [item.content for item in items if isinstance(item, Edit)] == [f"{text}\n"]


@pytest.mark.parametrize(
    "command",
    [
        "cat > $FILE <<'EOF'",
        "cat > ~/a.txt <<'EOF'",
        "cat > a.txt <<'EOF' && rm b.txt",
        "cat > a.txt <<'EOF'; rm b.txt",
        "cat > a.txt <<'EOF' | sh",
        "cat b.txt > a.txt <<'EOF'",
        "cat > a.txt > b.txt <<'EOF'",
        "cat 2> a.txt <<'EOF'",
        "sudo tee a.txt <<'EOF'",
        "sh <<'EOF'",
        "rm -r . && cat > a.txt <<'EOF'",
    ],
)
def test_a_command_that_does_anything_else_writes_nothing(command: str) -> None:
    items = parse_edits(f"```bash\n{command}\none\nEOF\n```\n")
    assert not any(isinstance(item, Edit) for item in items)


def test_other_commands_of_the_script_are_named_as_not_run() -> None:
    answer = "```bash\nnpm ci\ncat > a.txt <<'EOF'\none\nEOF\nnpm test\n```\n"
    (outcome,) = apply_edits({}, answer).outcomes
    assert outcome.notes == ("Shell commands are not run: 'npm ci' and 1 more.",)


def test_other_commands_of_a_script_with_a_patch_are_named_as_not_run() -> None:
    patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch"
    answer = f"```bash\nnpm ci\ncd src && apply_patch <<'EOF'\n{patch}\nEOF\nnpm test\n```\n"
    report = apply_edits({}, answer)
    assert report.files == {"src/a.txt": "one\n"}
    assert report.outcomes[0].notes == ("Shell commands are not run: 'npm ci' and 1 more.",)


def test_a_command_that_edits_in_place_is_refused_alone_and_named_next_to_edits() -> None:
    command = "```bash\nsed -i 's/a/b/' a.txt\n```\n"
    (refused,) = parse_edits(command)
    assert isinstance(refused, Malformed)
    assert "not run" in refused.message
    (edit,) = parse_edits(f"a.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n{command}")
    assert isinstance(edit, Edit)
    assert "not run" in edit.remark
    assert parse_edits("```bash\nsed -n '1,20p' a.txt\n```\n") == []


@pytest.mark.parametrize(
    "around",
    [
        "In `deploy.sh`:\n\n```bash\n{}```\n",
        "```bash\n#!/bin/bash\n{}```\n",
        "```python\n'''\n{}'''\n```\n",
        "```yaml\nrun: |\n{}```\n",
    ],
)
def test_a_script_that_is_shown_as_a_file_is_not_what_it_would_do(around: str) -> None:
    items = parse_edits(around.format(SCRIPTS["to a file"]))
    assert not any(item.path == "a.txt" for item in items)


def test_lines_with_the_prompts_of_a_terminal_are_not_written() -> None:
    copied = "```console\n$ cat > a.md <<'EOF'\n> one\n>\n> > two\n> EOF\n$ ls\na.md\n```\n"
    assert files_of(copied) == {}
    quoting = "```console\n$ cat > a.md <<'EOF'\n> one\ntwo\nEOF\n```\n"
    assert files_of(quoting) == {"a.md": "> one\ntwo\n"}


def test_no_beginning_of_a_script_writes_half_a_file() -> None:
    whole = {item.content for item in parse_edits(SCRIPTS["to a file"]) if isinstance(item, Edit)}
    for end in range(len(SCRIPTS["to a file"])):
        items = parse_edits(SCRIPTS["to a file"][:end])
        assert {item.content for item in items if isinstance(item, Edit)} <= whole, end


@pytest.mark.parametrize(
    "above", ["I ran it:", "Here is my terminal session:", "We have just executed this:"]
)
def test_commands_that_were_run_before_write_nothing(above: str) -> None:
    assert not parse_edits(f"{above}\n\n```bash\n$ cat > a.txt <<'EOF'\none\nEOF\n$ ls\na.txt\n```\n")
    assert parse_edits("Run this in your terminal:\n\n```bash\ncat > a.txt <<'EOF'\none\nEOF\n```\n")


ELSEWHERE = [
    "cd /tmp",
    'cd "$(mktemp -d)"',
    "pushd build",
    "ssh host",
    "docker exec -it web sh",
    "git clone x.git && cd x",
]


@pytest.mark.parametrize("command", ELSEWHERE)
def test_a_file_that_a_script_writes_elsewhere_is_none_of_the_folders(command: str) -> None:
    files = {"Makefile": "all:\n\tmake it\n"}
    script = f"{command}\ncat > Makefile <<'EOF'\nall:\n\techo hi\nEOF\nmake\n"
    assert apply_edits(files, f"Run this:\n\n```bash\n{script}```\n", accept="all").files == files


def test_a_file_that_a_script_gives_back_is_shown_and_not_written() -> None:
    files = {"a.json": '{"port": 80}\n'}
    script = "cat > a.json <<'EOF'\n{\"port\": 1}\nEOF\nserve\ngit checkout a.json\n"
    report = apply_edits(files, f"Run this:\n\n```bash\n{script}```\n")
    assert report.files == files
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]
