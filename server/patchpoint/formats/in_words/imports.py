"""Imports that an answer asks for in a sentence next to its code: *don't forget `import os` at the top*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import FENCED, Edit, Format, Operation
from patchpoint.formats.in_words.sentences import sentences_in
from patchpoint.formats.path_forms import are_of_one_file
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import Reading, Word, reading
from patchpoint.formats.source import Item
from patchpoint.structure.imports import are_imports
from patchpoint.text.regex import regex

_IN_WORDS = "The answer says this import in words."
_IMPORTS = regex(r"import", re.IGNORECASE)
_SPOKEN_TO = frozenset(["you", "we", "i", "dafür", "du", "sie", "ihr", "wir", "vous", "tu", "nous", "il"])
_NAME = regex(r"[\w.]+")
_EDGE = regex(r"top|beginning|anfang|début|principio|início|начал", re.IGNORECASE)
"""Where imports go, and next to nothing that is there."""
_PACKAGE = regex(r"[\w./-]+|\"[\w./-]+\"")
_PYTHON = (".py", ".pyi")
_SCRIPTS = (".js", ".jsx", ".ts", ".tsx", ".mjs", ".vue", ".svelte")
_MODULE = regex(r"[\w@./-]+")


def read_imports_in_words(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return the imports that sentences ask for, each in the file of the code right above, or else below."""
    code = [item for item in items if isinstance(item, Edit) and item.format in FENCED and item.path]
    if not code:
        return []
    shown = "\n".join(edit.replace or edit.content or "" for edit in code)
    found: dict[str, Edit] = {}
    made = [item.span[0] for item in items]
    for start, text, _ in sentences_in(scan.source):
        if any(start <= each < start + len(text) for each in made):
            continue  # it says what another edit makes
        path = ([edit for edit in code if edit.span[1] <= start][-1:] or code)[0].path
        sentence = reading(text)
        if sentence.paths and not any(are_of_one_file(path, each) for each in sentence.paths):
            continue
        for statement in _statements(sentence, path):
            edit = found.get(path) or Edit(
                path=path,
                operation=Operation.MERGE,
                doubt=_IN_WORDS,
                format=Format.PAIR,
                span=(start, start + len(text)),
            )
            if statement not in shown and f"{statement}\n" not in edit.replace:
                # one edit for all of a file: two would change the same place
                found[path] = replace(edit, replace=f"{edit.replace}{statement}\n")
    return list(found.values())


def _statements(sentence: Reading, path: str) -> Iterator[str]:
    """Yield the imports that a sentence asks for, as statements of the file's language."""
    is_lead = bool(sentence.words) and sentence.words[-1].text in (":", "：")
    if (
        is_lead
        or sentence.has("never offers remove old")
        or not (
            sentence.has("change do")
            or _is_needed(sentence)
            or _asks_first(sentence)
            or _says_only_imports(sentence, path)
        )
    ):
        return
    words = sentence.words
    for at, word in enumerate(words):
        code = word.text.strip("`").strip()
        if "place" in word.kinds and not _EDGE.match(word.text):
            return  # what follows is there already
        if not word.kinds & {"code", "name", "path"}:
            continue
        if are_imports([code], path):
            yield code
        elif path.endswith(".go") and _PACKAGE.fullmatch(code):
            is_quoted = code.startswith('"') and any(_IMPORTS.match(each.text) for each in words)
            if is_quoted or _is_imported(words, at):
                name = code.strip('"')
                yield f'import "{name}"'
        elif path.endswith(_SCRIPTS) and _NAME.fullmatch(code) and _is_imported(words, at):
            behind = [one.text.strip("`'\"") for one in words[at + 1 : at + 3]]
            module = behind[1] if behind[:1] == ["from"] and len(behind) > 1 else ""
            if _MODULE.fullmatch(module):
                yield f'import {{ {code} }} from "{module}";'
        elif path.endswith(_PYTHON) and _NAME.fullmatch(code) and _is_imported(words, at):
            of = [one.text.strip("`") for one in words[at + 2 : at + 3] if words[at + 1].text == "from"]
            yield f"from {of[0]} import {code}" if of else f"import {code}"


def _is_needed(sentence: Reading) -> bool:
    """Return whether a sentence says that something is needed, and not by what it is about."""
    code = next((at for at, word in enumerate(sentence.words) if "code" in word.kinds), 0)
    must = next((at for at, word in enumerate(sentence.words[:code]) if "must" in word.kinds), code)
    subject = [word for word in sentence.words[:must] if word.kinds.isdisjoint(("fill", "stop", "this"))]
    return must < code and all(word.text in _SPOKEN_TO for word in subject)


def _says_only_imports(sentence: Reading, path: str) -> bool:
    """Return whether a sentence has imports in backquotes, and says at most where they go."""
    code = [word.text.strip("`") for word in sentence.words if "code" in word.kinds]
    return are_imports(code, path) and sentence.is_made_of(
        "code fill place of_file file end number this thing"
    )


def _is_imported(words: Sequence[Word], at: int) -> bool:
    """Return whether the name at `at` is what is imported, going by the words next to it."""
    said = [word for word in words if "fill" not in word.kinds or word is words[at]]
    here = next(number for number, word in enumerate(said) if word is words[at])
    first = here
    while first and "code" in said[first - 1].kinds:
        first -= 1  # names in a row
    return any(_IMPORTS.match(word.text) for word in said[max(0, first - 1) : here + 2])


def _asks_first(sentence: Reading) -> bool:
    """Return whether a sentence begins by asking to import."""
    said = [word.text for word in sentence.words if "fill" not in word.kinds]
    return bool(said) and _IMPORTS.match(said[0]) is not None
