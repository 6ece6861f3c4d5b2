"""The manual page says what the command line does, and every reader of such pages can read it."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from patchpoint.cli.arguments import command_table
from tools.man_page import PAGE, manual_page


def test_the_manual_page_is_that_of_the_commands() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual_page(), "run `make docs`"


def test_every_command_is_in_it() -> None:
    page = manual_page()
    for command in command_table():
        assert f".SS patchpoint {command.name}".replace("-", r"\-") in page


def test_man_reads_it_without_a_warning() -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff, which man reads pages with, is not installed")
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-Kutf8", "-P-cbou", str(PAGE)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"   patchpoint {command.name}" in done.stdout for command in command_table())
