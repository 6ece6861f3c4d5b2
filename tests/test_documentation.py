from __future__ import annotations

import argparse
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from patchpoint.cli.arguments import command_named, command_table, parser
from tools.documentation import (
    AGENTS,
    FEATURES,
    FIRST_MINUTE,
    PROTOCOL,
    README,
    REFERENCE,
    ROOT,
    with_agents,
    with_files,
    with_minute,
    with_tables,
    with_values,
)
from tools.review_page import PAGE, with_recording

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "editors").rglob("*.md")])
DOCUMENTS = [path for path in DOCUMENTS if "node_modules" not in path.parts]


def test_the_tables_of_the_reference_are_those_of_the_code() -> None:
    written = REFERENCE.read_text(encoding="utf-8")
    assert written == with_tables(written), "run `make docs`"


def test_the_recording_of_the_first_minute_is_that_of_the_code() -> None:
    written = FIRST_MINUTE.read_text(encoding="utf-8")
    assert written == with_minute(written), "run `make docs`"
    assert "would be applied" in written
    assert "working tree clean" in written


def test_the_recording_of_a_review_is_that_of_the_code() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == with_recording(written), "run `make docs`"
    assert "Your changes were reviewed: kept 7, reverted 5." in written


def test_what_is_written_into_the_configuration_of_agents_is_that_of_the_code() -> None:
    written = AGENTS.read_text(encoding="utf-8")
    assert written == with_agents(written), "run `make docs`"


def test_the_formats_rungs_and_settings_of_the_protocol_are_those_of_the_code() -> None:
    written = PROTOCOL.read_text(encoding="utf-8")
    assert written == with_values(written), "run `make docs`"


def test_the_files_that_start_programs_are_those_of_the_code() -> None:
    written = FEATURES.read_text(encoding="utf-8")
    assert written == with_files(written), "run `make docs`"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_heading_leads_to_one(document: Path) -> None:
    for file, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", document.read_text(encoding="utf-8")):
        target = document.parent / file if file else document
        if "://" not in file and target.suffix == ".md":
            headings = re.findall(r"(?m)^#+ (.*)$", target.read_text(encoding="utf-8"))
            slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert anchor in slugs, f"{document.name} links to {file}#{anchor}"


def commands_of_blocks(text: str) -> list[str]:
    """The calls of the program in blocks of code, without prompts, comments, and what they are piped to."""
    found = re.findall(r"(?m)^(?: {4}|\$ |)(?:[\w ./-]+ \| )?(patchpoint\b[^\n]*)$", text)
    calls = [re.split(r" +#|  +| \| | < | > ", line)[0].strip() for line in found]
    is_output = re.compile(r"patchpoint(?:$|[^ ]| is listening )|.* brings it back\.$")
    return [call for call in calls if not is_output.match(call)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_in_a_block_of_code_is_one_that_the_program_takes(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    prose = re.sub(r"(?ms)^ *(```+|~~~+).*?^ *\1", "", text)
    blocks = "\n".join(re.findall(r"(?ms)^ *(?:```+|~~~+)[^\n]*\n(.*?)^ *(?:```|~~~)", text))
    indented = "\n".join(re.findall(r"(?m)^ {4}.*$", prose))
    for call in commands_of_blocks(f"{blocks}\n{indented}"):
        assert parser().parse_args(shlex.split(call)[1:]).command is not None, call


@pytest.mark.parametrize(
    "document",
    [document for document in DOCUMENTS if document.name != "CHANGELOG.md"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_every_command_in_a_sentence_and_its_options_are_those_of_the_program(document: Path) -> None:
    options = {command.name: options_of(command.name) for command in command_table()}
    for call in re.findall(r"`patchpoint ([a-z][^`\n]*)`", document.read_text(encoding="utf-8")):
        name, *words = call.split()
        assert name in options, f"patchpoint {call}"
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", " ".join(words)):
            assert option in options[name], f"patchpoint {call}"


@cache
def options_of(name: str) -> frozenset[str]:
    """The long options of a command."""
    found = argparse.ArgumentParser()
    command_named(name).add_options(found)
    return frozenset(option for action in found._actions for option in action.option_strings)


def test_the_readme_shows_the_commands_that_one_begins_with() -> None:
    text = README.read_text(encoding="utf-8")
    assert {"patchpoint demo", "patchpoint apply answer.md"} <= set(commands_of_blocks(text))


def test_every_target_of_make_in_the_readme_is_one() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.findall(r"(?:^ {4}|`)make ([\w-]+)", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert "test" in named
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)


@pytest.mark.parametrize("page", ["architecture.md", "glossary.md"])
def test_every_file_and_name_of_the_code_on_a_page_exists(page: str) -> None:
    """A path may be shortened to its end, as in the table of rooms."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "server").rglob("*.py"))
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "server").rglob("*")]
    for quoted in re.findall(r"`([\w./-]+)`", (ROOT / "docs" / page).read_text(encoding="utf-8")):
        if quoted.endswith((".py", "/")) and not quoted.startswith("refs/"):
            path = quoted.rstrip("/")
            assert (ROOT / path).exists() or any(f"/{file}".endswith(f"/{path}") for file in files), quoted
        elif re.fullmatch(r"[A-Z]\w+[a-z]\w*|[a-z]+\.[A-Z]\w+|[A-Z]{4,}", quoted):
            assert re.search(rf"\b{quoted.rpartition('.')[2]}\b", code), quoted


@pytest.mark.parametrize(
    "document",
    [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs" / "decisions").glob("*.md"))],
    ids=lambda path: path.name,
)
def test_every_module_that_a_decision_names_exists(document: Path) -> None:
    for name in re.findall(r"`([\w/]+\.py)`", document.read_text(encoding="utf-8")):
        if "/" in name:
            found = any((folder / name).exists() for folder in (ROOT, ROOT / "server" / "patchpoint"))
        else:
            found = any(any((ROOT / folder).rglob(name)) for folder in ("server", "tests", "tools"))
        assert found, f"{document.name} names {name}"


def test_the_command_table_of_the_reference_names_the_required_keys() -> None:
    table = REFERENCE.read_text(encoding="utf-8")
    assert re.search(r"`patchpoint\.resolveEdit` \| `edit`\*, `candidate`\*", table)


def test_every_test_that_the_threat_model_names_exists() -> None:
    page = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)
    assert len(named) > 30
    for path, name in named:
        source = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"^(?:async )?def {name}\(", source, re.MULTILINE), f"{path}::{name}"
    threats = page.partition("## Threats")[2].partition("## What is left")[0]
    rows = [row for row in threats.splitlines() if row.startswith("| ")][2:]
    assert all(re.search(r"`tests/[\w/]+\.py::\w+` ?\|$|`, `tests", row) for row in rows)
