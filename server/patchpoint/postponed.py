"""Modules of the standard library that are loaded when something of them is first used.

What others import at their top is not always what they use: `dataclasses` has `inspect`, which loads seven
more modules, for classes without a description. See docs/decisions/postponed.md.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock
from types import ModuleType

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from collections.abc import Iterable

_replacing = allocate_lock()


def postpone(names: Iterable[str]) -> None:
    """Have modules of the standard library that are not loaded yet wait until something of them is used."""
    for name in names:
        if name not in sys.modules:
            sys.modules[name] = _Postponed(name)


class _Postponed(ModuleType):
    """What `import` finds in place of a module until something of that is used."""

    def __getattr__(self, attribute: str) -> object:
        if self.__name__ == "logging" and attribute == "getLogger" and sys.modules.get("logging") is self:
            return _Logger
        return getattr(_loaded(self.__name__), attribute)


class _Logger:
    """What a module that is loaded gets for its logger, until that logs something."""

    def __init__(self, name: str | None = None) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> object:
        return getattr(_loaded("logging").getLogger(self._name), attribute)


def _loaded(name: str) -> ModuleType:
    """Return the module itself, which is loaded now."""
    from importlib import import_module

    with _replacing:
        if isinstance(sys.modules.get(name), _Postponed):
            del sys.modules[name]
    return import_module(name)
