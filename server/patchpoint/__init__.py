"""Patchpoint: edits that a language model wrote, made safe."""

from patchpoint.apply import apply_edit
from patchpoint.locate.ladder import Ladder

__all__ = ["Ladder", "apply_edit"]
