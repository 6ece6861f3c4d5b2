"""A session of each captured client, shared by the tests of a module."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest
import pytest_asyncio

from tests.lsp.editor import CLIENT_HABITS, Editor, declared_by, running


def pytest_configure(config: pytest.Config) -> None:
    """Hold the server to the specification."""
    config.addinivalue_line("filterwarnings", "error::pytest_lsp.LspSpecificationWarning")


@pytest_asyncio.fixture(
    scope="module", loop_scope="module", params=CLIENT_HABITS, ids=lambda name: name.partition(".")[0]
)
async def editor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """A session of each client, shared by the tests below."""
    folder = tmp_path_factory.mktemp("workspace")
    editor = Editor(declared_by(request.param), CLIENT_HABITS[request.param])
    async with running(editor, folder, state=tmp_path_factory.mktemp("state")):
        editor.folder = folder
        yield editor


@pytest.fixture
def folder(editor: Editor) -> Path:
    """A folder of the test's own in the workspace."""
    name = f"case{next(_NUMBERS)}"
    (editor.folder / name).mkdir()
    return editor.folder / name


_NUMBERS = count(1)
