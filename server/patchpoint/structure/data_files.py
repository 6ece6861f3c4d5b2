"""JSON, JSON with comments, notebooks and TOML, each judged by the reader of Python's standard library."""

from __future__ import annotations

import json
import sys

from patchpoint.structure.problem import Problem, UnjudgedError, problem_at
from patchpoint.text.regex import regex

_JSON = json.JSONDecoder(parse_int=str, parse_float=str)
_PLACE = regex(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


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
    from patchpoint.structure.json.scan import JsonError, scan

    try:
        scan(text)
    except JsonError as error:
        return problem_at(text, error.at, error.problem)
    return None


def notebook_problem(text: str) -> Problem | None:
    """Return where a text is not JSON, or not a notebook: a list of cells, each with a type and a source."""
    from patchpoint.structure.notebook import notebook_of

    problem = json_problem(text)
    if problem is None and notebook_of(text) is None:
        return Problem(1, 1, "it has no list of cells, each with a known type and a source")
    return problem


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
