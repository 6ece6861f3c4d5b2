"""JSON, JSON with comments, notebooks and TOML, each judged by the reader of Python's standard library."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from patchpoint.structure.problem import Problem, UnjudgedError, problem_at
from patchpoint.text.regex import regex

_JSON = json.JSONDecoder(parse_int=str, parse_float=str)
_PIECE = regex(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*|[^\s"/,\]}]+|\s+|.', re.DOTALL)
"""A string, a comment or its beginning, a run of other characters, white space, or one character."""

_PLACE = regex(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")
_CELL_TYPES = ("code", "markdown", "raw")


def json_problem(text: str) -> Problem | None:
    """Return where a text is not JSON."""
    try:
        _JSON.decode(text)
    except json.JSONDecodeError as error:
        return problem_at(text, error.pos, error.msg)
    except RecursionError:
        raise UnjudgedError from None
    return None


def commented_json_problem(text: str) -> Problem | None:
    """Return where a text is not JSON, comments and commas before a closing bracket aside."""
    return json_problem(_plain_json(text))


def notebook_problem(text: str) -> Problem | None:
    """Return where a text is not JSON, or not a notebook: a list of cells, each with a type and a source."""
    problem = json_problem(text)
    if problem is not None:
        return problem
    notebook: Any = _JSON.decode(text)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        return Problem(1, 1, "the notebook has no list of cells")
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict) or cell.get("cell_type") not in _CELL_TYPES:
            return Problem(1, 1, f"cell {number} of the notebook has no known type")
        source = cell.get("source")
        lines = source if isinstance(source, list) else [source]
        if not all(isinstance(line, str) for line in lines):
            return Problem(1, 1, f"cell {number} of the notebook has no source")
    return None


def toml_problem(text: str) -> Problem | None:
    """Return where a text is not TOML."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _PLACE.search(message)
        if place is None or place[1] is None:
            return problem_at(text, len(text), _PLACE.sub("", message))
        return Problem(int(place[1]), int(place[2]), message[: place.start()])
    except RecursionError:
        raise UnjudgedError from None
    except ValueError as error:
        # A date or a number that Python has no value for; the reader does not say where.
        return Problem(1, 1, str(error))
    return None


def _plain_json(text: str) -> str:
    """Return the text with blanks for its comments, and for each comma before a closing bracket."""
    pieces: list[str] = []
    comma: int | None = None
    at = 0
    while at < len(text):
        match = _PIECE.match(text, at)
        assert match is not None  # the pattern takes any character
        piece = match[0]
        if piece == "/*":
            end = text.find("*/", at + 2)
            piece = text[at:] if end < 0 else text[at : end + 2]
        at += len(piece)
        if piece.startswith(("//", "/*")):
            pieces.append(re.sub(r"[^\n]", " ", piece))
            continue
        if piece in ("]", "}") and comma is not None:
            pieces[comma] = " "
        if not piece.isspace():
            comma = len(pieces) if piece == "," else None
        pieces.append(piece)
    return "".join(pieces)
