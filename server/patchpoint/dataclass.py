"""Dataclasses whose methods are written when something needs them.

`dataclass`, `field` and `replace` are used as those of `dataclasses`. That library writes and compiles six
methods for each class when its module is imported, which takes 0.6 ms a class, and most commands make few
instances, of few of all there are. Here the instances of all classes are initialized, compared and hashed by
the same functions, until a class has so much of that that its own are worth being written. That, and all else
(printing one, refusing an argument), is left to the library.
"""

from __future__ import annotations

from _thread import RLock

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:

    def dataclass(declared: type | None = None, /, **options: bool) -> object:
        """Return the class, or a decorator of it."""
        return _deferred(declared, options) if declared else lambda declared: _deferred(declared, options)

    def field(**options: object) -> object:
        """Return what says of a field, in the body of a class, what its default is and how it is compared."""
        return _Field(options)

    def replace(instance: object, /, **changes: object) -> object:
        """Return a copy of the instance in which some fields have other values."""
        fields = _METHODS[type(instance)].fields() if type(instance) in _METHODS else None
        if fields is None:
            from dataclasses import replace as replace_any

            return replace_any(instance, **changes)
        held = {name: getattr(instance, name) for name in fields if name not in changes}
        return type(instance)(**held, **changes)


_FEW = 200
"""How many instances take as long to initialize by what all classes share as it takes to write methods."""
_writing = RLock()
"""Held while methods are written, for which another class's may have to be."""


def _deferred(declared: type, options: dict[str, bool]) -> type:
    """Return the class, or a copy that has slots, with methods that are still to be written."""
    body = {name: value for name, value in vars(declared).items() if name not in _OF_EACH_CLASS}
    made = _with_slots(declared, body) if options.get("slots") else _with_defaults(declared)
    methods = _METHODS[made] = _Methods(made, body, options)

    def initialize(self: object, /, *values: object, **named: object) -> None:
        if not methods.initialize(self, values, named):
            methods.write()
            vars(made)["__init__"](self, *values, **named)

    def is_equal(self: object, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented  # type: ignore[no-any-return]
        ours, others = methods.compared(self), methods.compared(other)
        if ours is None or others is None:
            methods.write()
            return bool(vars(made)["__eq__"](self, other))
        return ours == others

    def hashed(self: object) -> int:
        values = methods.compared(self)
        if values is None:
            methods.write()
            return int(vars(made)["__hash__"](self))
        return hash(values)

    if options.get("eq", True):
        for name, shared in (("__eq__", is_equal), ("__hash__", hashed if options.get("frozen") else None)):
            if shared and body.get(name) is None:  # as `__hash__` is where the class says when two are equal
                setattr(made, name, shared)
    for name in _asked_for(options):
        if name not in body:
            setattr(made, name, _Unwritten(name, methods))
    if options.get("eq", True) and not options.get("frozen") and "__hash__" not in body:
        setattr(made, "__hash__", None)  # noqa: B010 (a type checker would take it for any object's)
    setattr(made, "__init__", initialize)  # noqa: B010
    return made


def _asked_for(options: dict[str, bool]) -> list[str]:
    """Return the names of what may be asked for before it is written."""
    names = ["__dataclass_fields__", "__match_args__", "__signature__", "__replace__", "__repr__"]
    if options.get("frozen"):
        names += ["__setattr__", "__delattr__"]
        if options.get("slots"):
            names += ["__getstate__", "__setstate__"]
    return names


def _with_slots(declared: type, body: dict[str, object]) -> type:
    """Return a copy of the class with a slot for each of its own fields."""
    fields = [name for name, hint in declared.__annotations__.items() if _is_field(hint)]
    inherited = {name for base in declared.__mro__[1:] for name in vars(base).get("__slots__", ())}
    slots = tuple(name for name in fields if name not in inherited)
    return _copy(declared, {name: body[name] for name in body if name not in fields} | {"__slots__": slots})


def _with_defaults(declared: type) -> type:
    """Return the class with the default of a field, or nothing, instead of what `field` returned."""
    for name, said in list(vars(declared).items()):
        if isinstance(said, _Field):
            delattr(declared, name)
            if "default" in said.options:
                setattr(declared, name, said.options["default"])
    return declared


def _is_field(hint: object) -> bool:
    return "ClassVar[" not in str(hint)


def _copy(declared: type, body: dict[str, object]) -> type:
    copied: type = type(declared)(declared.__name__, declared.__bases__, dict(body))
    copied.__qualname__ = declared.__qualname__
    return copied


class _Field:
    """What the body of a class says of a field."""

    def __init__(self, options: dict[str, object]) -> None:
        self.options = options
        self.is_required = not options.keys() & {"default", "default_factory"}
        self.is_named = False
        """Whether its value is only ever given by its name."""

    def default(self) -> object:
        """Return the default for one instance."""
        make: Callable[[], object] | None = self.options.get("default_factory")  # type: ignore[assignment]
        return make() if make else self.options["default"]


class _Methods:
    """A class's methods before they are written: what initializes its instances, and what writes them."""

    def __init__(self, made: type, body: dict[str, object], options: dict[str, bool]) -> None:
        self.made = made
        self._body = body
        self._options = options
        self._instances = 0
        self._compared = 0
        self._completes = hasattr(made, "__post_init__")
        self._keep = object.__setattr__ if options.get("frozen") else setattr
        self._fields: dict[str, _Field] | None = None
        self._positional: list[str] = []

    def initialize(self, instance: object, values: tuple[object, ...], named: dict[str, object]) -> bool:
        """Give a new instance its values, or return False if the class's own `__init__` is to do it."""
        fields = self.fields()
        self._instances += 1
        if fields is None or self._instances > _FEW or len(values) > len(self._positional):
            return False
        if len(values) == len(fields) and not named:
            for name, value in zip(self._positional, values):  # noqa: B905 (as many)
                self._keep(instance, name, value)
            return self._is_completed(instance)
        given = {**dict(zip(self._positional, values)), **named}  # noqa: B905 (the others are named)
        if len(given) < len(values) + len(named) or not given.keys() <= fields.keys():
            return False
        if any(said.is_required and name not in given for name, said in fields.items()):
            return False
        for name, said in fields.items():
            self._keep(instance, name, given[name] if name in given else said.default())
        return self._is_completed(instance)

    def _is_completed(self, instance: object) -> bool:
        if self._completes:
            instance.__post_init__()  # type: ignore[attr-defined]
        return True

    def compared(self, instance: object) -> tuple[object, ...] | None:
        """Return the values by which an instance is compared, or None if the class's own methods are to."""
        fields = self.fields()
        self._compared += 1
        if fields is None or self._compared > _FEW or any("hash" in said.options for said in fields.values()):
            return None
        return tuple(
            [getattr(instance, name) for name, said in fields.items() if said.options.get("compare", True)]
        )

    def fields(self) -> dict[str, _Field] | None:
        """Return what is said of each field, or None where only the library knows what that means."""
        if self._fields is None and self._options.keys() <= _OPTIONS:
            fields: dict[str, _Field] = {}
            for base in reversed(self.made.__mro__):
                if "__dataclass_fields__" in vars(base):
                    own = _METHODS[base]._own_fields() if base in _METHODS else None
                    if own is None:
                        return None
                    fields |= own
            self._positional = [name for name, said in fields.items() if not said.is_named]
            self._fields = fields
        return self._fields

    def write(self) -> None:
        """Have `dataclasses` write the methods, unless it has."""
        with _writing:
            if isinstance(vars(self.made)["__dataclass_fields__"], _Unwritten):
                self._take_over()

    def _own_fields(self) -> dict[str, _Field] | None:
        fields = {}
        for name, hint in self.made.__annotations__.items():
            said = self._body.get(name, _Field({}))
            if type(said).__module__ == "dataclasses" or "InitVar" in str(hint) or "KW_ONLY" in str(hint):
                return None
            if _is_field(hint):
                fields[name] = said = said if isinstance(said, _Field) else _Field({"default": said})
                if said.options.keys() & {"init", "kw_only"}:
                    return None
                said.is_named = self._options.get("kw_only", False)
        return fields

    def _take_over(self) -> None:
        """Have `dataclasses` write the methods of a class with this body, for the one that is in use."""
        from dataclasses import dataclass as at_once
        from dataclasses import field as to_be_written

        body = {
            name: to_be_written(**value.options) if isinstance(value, _Field) else value  # type: ignore[call-overload]
            for name, value in self._body.items()
        }
        written = vars(at_once(_copy(self.made, body), **self._options))
        slots = written.get("__slots__", ())
        own = {"__slots__", *_OF_EACH_CLASS, *(slots if self._options.get("slots") else ())}
        for name in written:
            if name not in own and name not in _LAST and body.get(name, own) is not written[name]:
                setattr(self.made, name, written[name])
        for name, value in list(vars(self.made).items()):
            if isinstance(value, _Unwritten) and name not in written:
                delattr(self.made, name)
        # Whoever does not wait for the lock finds all the rest there.
        for name in _LAST:
            setattr(self.made, name, written[name])


_METHODS: dict[type, _Methods] = {}
"""Those of each class, written or not."""
_OPTIONS = {"frozen", "slots", "kw_only", "eq"}
"""The options of a class that are understood here."""
_OF_EACH_CLASS = ("__dict__", "__weakref__")
_LAST = ("__init__", "__dataclass_fields__")


class _Unwritten:
    """An attribute of a class that is written once it is asked for."""

    def __init__(self, name: str, methods: _Methods) -> None:
        self._name = name
        self._methods = methods

    def __get__(self, instance: object, kind: type) -> object:
        self._methods.write()
        found = getattr(self._methods.made, self._name)
        bind = None if instance is None else getattr(type(found), "__get__", None)
        return bind(found, instance, kind) if bind else found
