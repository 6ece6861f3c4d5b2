"""What to say to a model so that its edits can be applied, for the editor to put on the clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.edit import Format
from patchpoint.formats.instructions import model_instructions
from patchpoint.lsp.commands import MODEL_INSTRUCTIONS, handles
from patchpoint.schema import requests, responses

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work


@handles(MODEL_INSTRUCTIONS)
async def return_model_instructions(
    _: PatchpointServer, params: requests.ModelInstructions, __: Work
) -> responses.ModelInstructionsResult:
    """Return the text for the format that the model is to write."""
    return responses.ModelInstructionsResult(text=model_instructions(Format(params.format)))
