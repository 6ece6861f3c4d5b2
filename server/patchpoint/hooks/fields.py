"""The fields of what a hook sends, and the folder that it is about.

It is all of the package that a hook loads to ask a server that runs already: no more than `json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

DETAIL_KEYS = ("command", "cmd", "script", "filepath", "path", "file", "targetfile", "notebookpath")
"""The keys of what a tool is about to do."""


def plain(name: str) -> str:
    """Return a key or a name as it is compared: letters and digits alone, in lower case."""
    return "".join(character for character in name.lower() if character.isalnum())


class Fields:
    """The fields of a JSON object, by their names without case, underscores, dots and hyphens."""

    def __init__(self, data: object) -> None:
        given: Iterable[tuple[object, object]] = data.items() if isinstance(data, Mapping) else ()
        self._values = {plain(key): value for key, value in given if isinstance(key, str)}

    def has(self, name: str) -> bool:
        """Return whether there is a text of that name."""
        return bool(self.text(name))

    def is_empty(self, name: str) -> bool:
        """Return whether there is an empty text of that name."""
        return self._values.get(name) == ""

    def value(self, *names: str) -> object:
        """Return the first value that there is."""
        return next((self._values[name] for name in names if self._values.get(name) is not None), None)

    def text(self, *names: str) -> str:
        """Return the first text or number that there is, as text."""
        for name in names:
            value = self._values.get(name)
            if isinstance(value, str) and value:
                # JSON may have half of a surrogate pair, which cannot be stored.
                return value.encode("utf-8", "replace").decode("utf-8")
            if isinstance(value, int) and not isinstance(value, bool):
                return str(value)
        return ""

    def first(self, *names: str) -> str:
        """Return the first text of the first list of texts that there is."""
        for name in names:
            value = self._values.get(name)
            if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
                return " ".join(value) if name in DETAIL_KEYS else str(value[0])
        return ""

    def texts(self, *names: str) -> list[str]:
        """Return the texts of the first list that there is."""
        value = self.value(*names)
        return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def folder_in(given: Fields) -> str | None:
    """Return the folder that the agent works in, if it names one."""
    named = given.text("cwd", "directory", "worktree", "projectdir", "workspace")
    return named or given.first("workspaceroots", "workspacepaths", "roots") or None
