"""The text that an editor puts on the clipboard for a model."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from patchpoint.edit import Format
from patchpoint.formats.instructions import INSTRUCTIONS, model_instructions
from patchpoint.schema.requests import INSTRUCTED_FORMATS
from tests.lsp.editor import PLAIN
from tests.lsp.sessions import session


@pytest.mark.asyncio
async def test_the_server_returns_the_instructions_for_each_format(tmp_path: Path) -> None:
    async with session(tmp_path, PLAIN) as editor:
        assert await editor.command("modelInstructions") == {"text": model_instructions()}
        for name, text in INSTRUCTIONS.items():
            assert await editor.command("modelInstructions", {"format": name.value}) == {"text": text}
        with pytest.raises(JsonRpcException, match="searchReplace"):
            await editor.command("modelInstructions", {"format": Format.ANCHORS.value})


def test_there_are_instructions_for_the_formats_of_the_protocol_and_no_others() -> None:
    assert tuple(name.value for name in INSTRUCTIONS) == INSTRUCTED_FORMATS
