"""Dataclasses whose methods are written when the first instance is made.

`dataclass` is used as the one of `dataclasses`. That one writes and compiles six methods for each class when
its module is imported, which takes 0.6 ms a class, and most commands make instances of few of all there are.
"""

from __future__ import annotations

from _thread import RLock

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass
else:

    def dataclass(declared: type | None = None, /, **options: bool) -> object:
        """Return the class, or a decorator of it."""
        return _deferred(declared, options) if declared else lambda declared: _deferred(declared, options)


_writing = RLock()
"""Held while methods are written, for which another class's may have to be."""


def _deferred(declared: type, options: dict[str, bool]) -> type:
    """Return the class, or a copy that has slots, with methods that are still to be written."""
    body = {name: value for name, value in vars(declared).items() if name not in _OF_EACH_CLASS}
    made = _with_slots(declared, body) if options.get("slots") else declared

    def write() -> None:
        with _writing:
            if isinstance(vars(made)["__dataclass_fields__"], _Unwritten):
                _take_over(body, made, options)

    def first(self: object, /, *values: object, **named: object) -> None:
        write()
        vars(made)["__init__"](self, *values, **named)

    for name in ("__dataclass_fields__", "__match_args__"):
        setattr(made, name, _Unwritten(name, made, write))
    setattr(made, "__init__", first)  # noqa: B010 (a type checker would take it for any object's)
    return made


def _with_slots(declared: type, body: dict[str, object]) -> type:
    """Return a copy of the class with a slot for each of its own fields."""
    fields = [name for name, hint in declared.__annotations__.items() if "ClassVar[" not in str(hint)]
    inherited = {name for base in declared.__mro__[1:] for name in vars(base).get("__slots__", ())}
    slots = tuple(name for name in fields if name not in inherited)
    return _copy(declared, {name: body[name] for name in body if name not in fields} | {"__slots__": slots})


def _copy(declared: type, body: dict[str, object]) -> type:
    copied: type = type(declared)(declared.__name__, declared.__bases__, dict(body))
    copied.__qualname__ = declared.__qualname__
    return copied


def _take_over(body: dict[str, object], made: type, options: dict[str, bool]) -> None:
    """Have `dataclasses` write the methods of a class with this body, for the one that is in use."""
    from dataclasses import dataclass as at_once

    written = vars(at_once(_copy(made, body), **options))
    slots = written.get("__slots__", ())
    own = {"__slots__", *_OF_EACH_CLASS, *(slots if options.get("slots") else ())}
    for name in written:
        if name not in own and name not in _LAST and body.get(name, own) is not written[name]:
            setattr(made, name, written[name])
    # Whoever does not wait for the lock finds all the rest there.
    for name in _LAST:
        setattr(made, name, written[name])


_OF_EACH_CLASS = ("__dict__", "__weakref__")
_LAST = ("__init__", "__dataclass_fields__")


class _Unwritten:
    """An attribute of a class whose methods are written once it is asked for."""

    def __init__(self, name: str, owner: type, write: Callable[[], None]) -> None:
        self._name = name
        self._owner = owner
        self._write = write

    def __get__(self, instance: object, _: type) -> object:
        self._write()
        return getattr(self._owner, self._name)
