"""`patchpoint instructions`: what to say to a model so that its edits can be applied."""

from __future__ import annotations

import argparse

from patchpoint.cli.answers.clipboard import write_clipboard
from patchpoint.cli.output import print_json
from patchpoint.cli.terminal import DONE, Terminal
from patchpoint.edit import Format
from patchpoint.formats.instructions import model_instructions
from patchpoint.schema.responses import ModelInstructionsResult


def instructions(options: argparse.Namespace, terminal: Terminal) -> int:
    """Print the text for the format that the model is to write, or put it into the clipboard."""
    text = model_instructions(Format(options.format))
    if options.clipboard:
        write_clipboard(text, terminal)
        terminal.line("Copied the instructions to the clipboard; paste them into the chat.")
    elif options.json:
        print_json(terminal, ModelInstructionsResult(text=text))
    else:
        terminal.verbatim(text)
    return DONE
