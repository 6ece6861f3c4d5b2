"""aider's applier of edit blocks, without the rest of aider, whose hundred packages it does not need."""

import sys
from importlib.metadata import distribution
from runpy import run_path
from types import ModuleType, SimpleNamespace
from typing import cast

_PARTS = ("", ".utils", ".dump", ".coders", ".coders.base_coder", ".coders.editblock_prompts")
_NOTHING = SimpleNamespace(utils=None, dump=None, Coder=object, EditBlockPrompts=object)
sys.modules |= {f"aider{part}": cast(ModuleType, _NOTHING) for part in _PARTS}
_AIDER = distribution("aider-chat")
_FILE = str(_AIDER.locate_file("aider/coders/editblock_coder.py"))
_CODER = run_path(_FILE, run_name="aider.coders.editblock_coder")
VERSION = _AIDER.version


def apply(text: str, search: str, replace: str, path: str) -> str | None:
    """Return the new text, or `None` where it finds no place."""
    return cast("str | None", _CODER["replace_most_similar_chunk"](text, search, replace))
