"""What the pages say of the way to the first applied edit, as far as it shows without walking it."""

from __future__ import annotations

import pytest

from tests.install.clean_folder import NEOVIM, TRIED, VSCODE
from tests.install.pages import command_lines, step_numbers


@pytest.mark.parametrize("page", TRIED)
def test_every_command_line_on_the_way_is_tried_in_a_clean_folder(page: str) -> None:
    assert set(command_lines(page)) == TRIED[page]


@pytest.mark.parametrize("page", [VSCODE, NEOVIM])
def test_the_way_has_three_steps_at_most(page: str) -> None:
    assert 1 <= len(step_numbers(page)) <= 3
