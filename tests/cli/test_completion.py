"""The scripts for shells complete commands, options, files and checkpoints, in the real shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from patchpoint.cli.arguments import command_table
from patchpoint.cli.parsing.completion import LISTED, Values, completed_command
from tests.cli.calls import Run, answer, edit

FREE = {
    *(
        "branch",
        "change",
        "count",
        "days",
        "edit:candidate[:whole]",
        "engine",
        "host",
        "keep",
        "kind",
        "n",
        "name=command",
        "label",
        "limit",
        "message",
    ),
    *("line|name", "min_margin", "min_similarity", "n|last|all", "number", "origin", "patch", "path=hash"),
    *("port", "runs", "seconds", "text", "time"),
}
"""What somebody thinks of, or what is too long to be offered."""
NAMES = {command.name for command in command_table()}


@pytest.fixture
def script(tmp_path: Path, run: Run, request: pytest.FixtureRequest) -> Path:
    """The script of the shell that the test names."""
    path = tmp_path / f"completion.{request.param}"
    path.write_text(run("completion", request.param).out)
    return path


def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell in which `patchpoint` is this one."""
    programs = tmp_path / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / "patchpoint"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m patchpoint "$@"\n')
    program.chmod(0o755)
    paths = os.pathsep.join(map(str, sys.path))
    return {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": paths,
        "HOME": str(tmp_path),
    }


def ran(arguments: list[str], folder: Path, tmp_path: Path) -> list[str]:
    done = subprocess.run(
        arguments, cwd=folder, env=environment(tmp_path), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def in_bash(script: Path, folder: Path, tmp_path: Path, *words: str) -> set[str]:
    drive = (
        f'source "{script}"; COMP_WORDS=(patchpoint "$@"); COMP_CWORD=$#; _patchpoint; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return set(ran(["bash", "-c", drive, "bash", *words], folder, tmp_path)) - {""}


def in_fish(script: Path, folder: Path, tmp_path: Path, line: str) -> set[str]:
    drive = f'source "{script}"; complete -C "{line}"'
    return {found.partition("\t")[0] for found in ran(["fish", "-N", "-c", drive], folder, tmp_path)}


@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_bash_completes_what_comes_next(script: Path, project: Path, tmp_path: Path, run: Run) -> None:
    (project / "an answer.md").write_text("")
    taken = run("checkpoint", "--json").json["id"]

    def completed(*words: str) -> set[str]:
        return in_bash(script, project, tmp_path, *words)

    assert completed("") == NAMES
    assert completed("app") == {"applications", "apply", "apply-patch"}
    assert completed("apply", "--ato") == {"--atomic"}
    assert completed("apply", "--atomic", "") == {"all", "file", "edit"}
    assert completed("apply", "--root", "ti") == {"till"}
    assert completed("apply", "--check", "an") == {"an answer.md"}
    assert completed("apply", "--min-margin", "") == set()
    assert completed("restore", "") >= {"last", taken[9:13]}
    assert completed("restore", taken, "ti") >= {"till"}
    assert completed("diff", "--against", "la") == {"last"}
    assert completed("completion", "") == {"bash", "zsh", "fish"}


@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_bash_completes_what_arguments_and_options_name(
    script: Path, project: Path, tmp_path: Path, run: Run
) -> None:
    taken = run("checkpoint", "--json", "--session", "chat-7").json["id"]
    text = edit("till/tax.py", 'REDUCED = Decimal("0.05")', 'REDUCED = Decimal("0.07")')
    assert run("apply", answer(project, text)).status == 0
    applied = run("applications", "--json").json["applications"][0]["id"]
    subprocess.run(["git", "remote", "add", "upstream", "../else"], cwd=project, check=True)

    def completed(*words: str) -> set[str]:
        return in_bash(script, project, tmp_path, *words)

    assert completed("setup", "c") == {"claude", "codex", "cursor", "copilot"}
    assert completed("hook", "gem") == {"gemini"}
    assert completed("apply", "--format", "unified") == {"unifiedDiff"}
    assert completed("apply", "--session", "") == {"chat-7"}
    assert completed("apply", "--accept", "") == {"all"}
    assert completed("review", "--since", "") >= {"last", taken[9:13]}
    assert completed("review", "--file", "ti") == {"till"}
    assert completed("revert", "") == {applied}
    assert completed("undo", applied[:3]) == {applied}
    assert completed("fetch", "") == {"upstream"}
    assert completed("push", "") >= {"upstream", "last", taken[9:13]}


def test_the_lists_of_a_shell_have_labels(project: Path, tmp_path: Path, run: Run) -> None:
    taken = run("checkpoint", "before: the rewrite", "--json").json["id"]
    lines = ran(["sh", "-c", LISTED[Values.CHECKPOINTS]], project, tmp_path)
    assert lines[0] == "last\tthe newest"
    assert lines[1].startswith(f"{taken[9:13]}\t")
    assert lines[1].endswith(" before: the rewrite")


def test_where_there_is_nothing_the_lists_are_empty(project: Path, tmp_path: Path) -> None:
    assert ran(["sh", "-c", LISTED[Values.CHECKPOINTS]], project, tmp_path) == ["last\tthe newest"]
    for kind in (Values.APPLICATIONS, Values.SESSIONS, Values.REMOTES):
        assert ran(["sh", "-c", LISTED[kind]], project, tmp_path) == []


def test_every_value_has_a_label_and_most_can_be_completed() -> None:
    unknown = set()
    for command in command_table():
        known = completed_command(command.name, command.help, command.add_options)
        for one in (*known.options, *known.arguments):
            if one.takes_value:
                assert one.label
                if one.values is Values.NOTHING:
                    unknown.add(one.label)
    assert unknown <= FREE, "give it a row in the tables of completion.py"


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize("script", ["fish"], indirect=True)
def test_fish_completes_what_comes_next(script: Path, project: Path, tmp_path: Path, run: Run) -> None:
    taken = run("checkpoint", "--json").json["id"]
    assert in_fish(script, project, tmp_path, "patchpoint ") == NAMES
    assert in_fish(script, project, tmp_path, "patchpoint apply --ato") == {"--atomic"}
    assert in_fish(script, project, tmp_path, "patchpoint apply --atomic ") == {"all", "file", "edit"}
    assert in_fish(script, project, tmp_path, "patchpoint show ") >= {"last", taken[9:13]}


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize("script", ["zsh"], indirect=True)
def test_zsh_completes_what_comes_next(script: Path, project: Path, tmp_path: Path) -> None:
    # What zsh would offer is caught where the script hands it over.
    drive = (
        f'autoload -Uz compinit; compinit -u -d "{tmp_path}/dump"; source "{script}"; '
        "_describe() { print -rl -- ${(P)2%%:*} }; _arguments() { print -rl -- $@ }; "
        'words=(patchpoint "$@"); CURRENT=$#words; _patchpoint'
    )
    assert set(ran(["zsh", "-f", "-c", drive, "zsh", ""], project, tmp_path)) == NAMES
    specs = ran(["zsh", "-f", "-c", drive, "zsh", "apply", ""], project, tmp_path)
    assert any(spec.startswith("*--atomic[") and spec.endswith(":atomic:(all file edit)") for spec in specs)
    assert any(spec.startswith("1:file, ") and spec.endswith(":_files") for spec in specs)
