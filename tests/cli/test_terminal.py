"""What is printed: styles of ours, and nothing that a text brings along."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.cli.terminal import Terminal, standard_output

RAW = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
STYLE = re.compile(r"\x1b\[(?:0|1|2|3[1-6])(?:;[0-9]+)*m")
TEXT = st.text(st.one_of(st.characters(), st.sampled_from("\x1b[]0m;\x9b\x07\u202e\r\n\t\\ab")))


def printed(colour: bool) -> tuple[Terminal, io.StringIO]:
    stream = io.StringIO()
    return Terminal(stream, colour), stream


@given(TEXT, TEXT)
def test_no_text_steers_the_terminal(first: str, second: str) -> None:
    for colour in (False, True):
        terminal, stream = printed(colour)
        terminal.line(f"{terminal.paint(first, 'red')} {second}")
        terminal.line(terminal.paint(first, "bold", "red") + second)
        assert stream.getvalue().count("\n") == 2
        terminal.lines(first)
        terminal.diff(f"+{first}\n-{second}\n")
        out = stream.getvalue()
        assert len(STYLE.findall(out)) <= (8 if colour else 0)
        assert not RAW.search(STYLE.sub("", out))


@given(TEXT)
def test_json_keeps_its_value(text: str) -> None:
    terminal, stream = printed(False)
    terminal.json({"text": text, text: [text]})
    assert not RAW.search(stream.getvalue())
    assert json.loads(stream.getvalue()) == {"text": text, text: [text]} if text != "text" else True


def test_a_style_is_printed_as_one() -> None:
    terminal, stream = printed(True)
    terminal.line(f"a {terminal.paint('b', 'bold', 'red')} c")
    assert stream.getvalue() == "a \x1b[1;31mb\x1b[0m c\n"


@pytest.mark.parametrize(
    ("variables", "in_a_pipe", "on_a_terminal"),
    [
        ({}, False, True),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, False, True),
        ({"CLICOLOR": "0"}, False, False),
        ({"TERM": "dumb"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "0"}, False, True),
        ({"FORCE_COLOR": ""}, False, True),
        ({"CLICOLOR_FORCE": "1"}, True, True),
        ({"CLICOLOR_FORCE": "0"}, False, True),
        ({"CLICOLOR_FORCE": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "1", "CLICOLOR": "0"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colour_is_as_the_environment_demands(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], in_a_pipe: bool, on_a_terminal: bool
) -> None:
    for name in ("NO_COLOR", "CLICOLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    pipe, screen = io.StringIO(), io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    assert Terminal.of(pipe).colour is in_a_pipe
    assert Terminal.of(screen).colour is on_a_terminal


def test_colour_in_a_pipe_replaces_no_lines_there() -> None:
    terminal, stream = printed(True)
    terminal.replace_line("half done")
    assert stream.getvalue() == ""


class Console(io.TextIOWrapper):
    """A stream that a person reads."""

    def isatty(self) -> bool:
        return True


def code_page(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """What is written to a standard output that is a pipe with the code page of Windows."""
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252", newline="\r\n"))
    return written


def test_what_is_no_console_gets_utf_8_and_lines_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    written = code_page(monkeypatch)
    standard_output().verbatim("中é😀\nb\n")
    sys.stdout.flush()
    assert written.getvalue() == "中é😀\nb\n".encode()


def test_a_byte_that_is_no_text_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    written = code_page(monkeypatch)
    standard_output().verbatim("name\udcfe\n")
    sys.stdout.flush()
    assert written.getvalue() == b"name\\xfe\n"


def test_what_a_console_lacks_is_escaped_and_no_two_signs_look_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", Console(written, encoding="cp1252", newline="\n"))
    standard_output().verbatim("✓ ✗ ? 中é😀\n")
    sys.stdout.flush()
    assert written.getvalue() == "+ x ? \\u4e2dé\\U0001f600\n".encode("cp1252")


def test_an_encoding_that_is_asked_for_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = code_page(monkeypatch)
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    standard_output().verbatim("é ✓\n")
    sys.stdout.flush()
    assert written.getvalue() == b"\xe9 +\r\n"
