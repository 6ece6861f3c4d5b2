"""Text as JSON can have it: the name of a file may have bytes that are no UTF-8."""

from __future__ import annotations

from typing import Any


def plain(text: str) -> str:
    r"""Return `text` with what no UTF-8 has as `\udcff`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def plain_json(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return the JSON `value` without it."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {plain(key): plain_json(item) for key, item in value.items()}
    return [plain_json(item) for item in value] if isinstance(value, list) else value
