"""Imports that an answer asks for in a sentence next to its code: *don't forget `import os` at the top*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchpoint.edit import FENCED, Edit, Format, Operation
from patchpoint.formats.blocks.pairs_in_words import paragraphs
from patchpoint.formats.fences import fences
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import Reading, reading, sentence_spans
from patchpoint.formats.source import Item
from patchpoint.structure.imports import are_imports
from patchpoint.text.regex import regex

_IN_WORDS = "The answer says this import in words."
_IMPORTS = regex(r"import", re.IGNORECASE)
_NAME = regex(r"[\w.]+")
_PYTHON = (".py", ".pyi")


def read_imports_in_words(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return the imports that sentences ask for, each in the file of the code right above, or else below."""
    code = [item for item in items if isinstance(item, Edit) and item.format in FENCED and item.path]
    if not code:
        return []
    source = scan.source
    shown = "\n".join(edit.replace or edit.content or "" for edit in code)
    inside = {row for fence in source.once(fences).values() for row in range(fence.first, fence.end)}
    found: dict[tuple[str, str], Item] = {}
    for start, end in paragraphs(source, inside):
        near = [edit for edit in code if edit.span[1] <= start][-1:] or code[:1]
        for first, last in sentence_spans(source.text[start:end]):
            words = reading(source.text[start + first : start + last])
            for statement in _statements(words, near[0].path):
                if statement in shown:
                    continue
                edit = Edit(
                    path=near[0].path,
                    operation=Operation.MERGE,
                    replace=f"{statement}\n",
                    doubt=_IN_WORDS,
                    format=Format.PAIR,
                    span=(start + first, start + last),
                )
                found.setdefault((edit.path, statement), edit)
    return list(found.values())


def _statements(sentence: Reading, path: str) -> Iterator[str]:
    """Yield the imports that a sentence asks for, as statements of the file's language."""
    is_lead = bool(sentence.words) and sentence.words[-1].text in (":", "：")
    if (
        is_lead
        or sentence.has("never offers remove old")
        or not (sentence.has("change do") or _asks_first(sentence))
    ):
        return
    words = sentence.words
    for at, word in enumerate(words):
        code = word.text.strip("`").strip()
        if "place" in word.kinds:
            return  # what follows is there already
        if not word.kinds & {"code", "name", "path"}:
            continue
        if are_imports([code], path):
            yield code
        elif at and _IMPORTS.match(words[at - 1].text) and path.endswith(_PYTHON) and _NAME.fullmatch(code):
            of = [one.text.strip("`") for one in words[at + 2 : at + 3] if words[at + 1].text == "from"]
            yield f"from {of[0]} import {code}" if of else f"import {code}"


def _asks_first(sentence: Reading) -> bool:
    """Return whether a sentence begins by asking to import."""
    said = [word.text for word in sentence.words if "fill" not in word.kinds]
    return bool(said) and _IMPORTS.match(said[0]) is not None
