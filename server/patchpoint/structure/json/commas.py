"""The commas between members of JSON, where an edit forgot one or left one too many."""

from __future__ import annotations

import json

_MOST = 4
"""So many commas are corrected; a text that needs more is broken otherwise."""
_SPACE = " \t\r\n"


def with_commas_corrected(text: str) -> str | None:
    """Return a text that is JSON but for a few commas as JSON; `None` where that is not all."""
    for _ in range(_MOST):
        try:
            json.loads(text)
        except json.JSONDecodeError as error:
            end = len(text[: error.pos].rstrip(_SPACE))
            if error.msg.startswith("Expecting ',' delimiter") and text[error.pos : error.pos + 1] in '"{[':
                text = f"{text[:end]},{text[end:]}"
                continue
            closing = text[error.pos :].lstrip(_SPACE)[:1]
            last = text.rfind(",", 0, error.pos + 1)
            between = text[last + 1 : error.pos].strip(_SPACE)
            if last < 0 or between or closing not in ("}", "]", ","):
                return None
            text = text[:last] + text[last + 1 :]
        except RecursionError:
            return None
        else:
            return text
    return None
