"""The package's dataclasses are those of `dataclasses`, with methods that are written when needed."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, ClassVar, get_type_hints

import pytest

import patchpoint
from patchpoint.dataclass import dataclass, field, replace

PROGRAM = """
from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from {home} import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Base:
    "A place."

    kind: ClassVar[str] = "place"
    path: str
    lines: list[int] = field(default_factory=list)
    note: str = field(default="none", compare=False)

    def shown(self) -> str:
        return self.kind + " " + self.path


@dataclass(frozen=True, slots=True)
class Derived(Base):
    count: int = 0

    def __post_init__(self) -> None:
        if self.count < 0:
            raise ValueError(self.count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    first: int
    second: int = 2

    def __repr__(self) -> str:
        return "a Named"


@dataclass(slots=True)
class Changing:
    held: int = 0


@dataclass(frozen=True)
class Mixed(Named):
    lines: list[str] = field(default_factory=list, kw_only=False)
    later: int = field(default=0, init=False)


@dataclass(frozen=True, kw_only=True)
class Computing:
    lines: list[str] = field(default_factory=list)
    most: int = 3

    @cached_property
    def count(self) -> int:
        return min(self.most, len(self.lines))


@dataclass(eq=False)
class Refusal(Exception):
    reason: str


@dataclass(slots=True, eq=False)
class Distinct:
    held: int = 0


@dataclass(frozen=True, slots=True)
class OwnEquality:
    held: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnEquality)
"""
CLASSES = ("Base", "Derived", "Named", "Changing", "Mixed", "Computing", "Refusal", "Distinct", "OwnEquality")
USES: dict[str, Callable[[ModuleType], object]] = {
    "made": lambda m: repr([m.Base("a"), m.Derived("b", [1], count=3), m.Changing(), m.Named(first=1)]),
    "by place and by name": lambda m: repr([m.Base("a", note="b", lines=[2]), m.Mixed([1], first=2)]),
    "wrong": lambda m: raised(lambda: m.Base()),
    "too many": lambda m: raised(lambda: m.Base("a", [], "b", "c")),
    "given twice": lambda m: raised(lambda: m.Base("a", path="b")),
    "unknown": lambda m: raised(lambda: m.Base("a", way="b")),
    "of its class": lambda m: raised(lambda: m.Base("a", kind="b")),
    "never given": lambda m: raised(lambda: m.Mixed(first=1, later=2)),
    "not by name": lambda m: raised(lambda: m.Named(1)),
    "refused": lambda m: raised(lambda: m.Derived("a", count=-1)),
    "frozen": lambda m: raised(lambda: setattr(m.Base("a"), "path", "b")),
    "without slots": lambda m: repr([m.Computing(lines=["a"]), m.Refusal("because"), m.Computing().most]),
    "without slots, kept": lambda m: [m.Computing(lines=["a"]).count, m.Computing(most=1) == m.Computing()],
    "without slots, frozen": lambda m: raised(lambda: setattr(m.Computing(), "most", 1)),
    "frozen for good": lambda m: raised(lambda: delattr(m.Base("a"), "path")),
    "no other attribute": lambda m: raised(lambda: setattr(m.Changing(), "other", 1)),
    "equal": lambda m: [m.Base("a") == m.Base("a", note="x"), m.Base("a") == m.Derived("a")],
    "equal by identity": lambda m: [m.Distinct() == m.Distinct(), m.OwnEquality(1) == m.OwnEquality(2)],
    "hashed": lambda m: [raised(lambda: hash(m.Changing())), hash(m.Named(first=1)) == hash((1, 2))],
    "hashed like no other": lambda m: len({m.Distinct(), m.Distinct()}),
    "hashed by what is held": lambda m: len({m.OwnEquality(1), m.OwnEquality(1)}),
    "copied": lambda m: repr([copy.copy(m.Base("a", [1])), copy.deepcopy(m.Derived("a", count=1))]),
    "each with its own default": lambda m: [m.Base("a").lines is m.Base("a").lines, m.Base("a").note],
    "replaced": lambda m: repr(m.replace(m.Derived("a", count=1), path="b")),
    "replaced by the library": lambda m: repr(dataclasses.replace(m.Derived("a", count=1), path="b")),
    "replaced by what it is not": lambda m: raised(lambda: m.replace(m.Derived("a"), way="b")),
    "replaced, and refused": lambda m: raised(lambda: m.replace(m.Derived("a"), count=-1)),
    "replaced, never given": lambda m: raised(lambda: m.replace(m.Mixed(first=1), later=2)),
    "as a mapping": lambda m: dataclasses.asdict(m.Derived("a", [1])),
    "many": lambda m: len({m.Base(str(number), ()) for number in range(500)}),
    "defaults of the class": lambda m: [m.Computing.most, hasattr(m.Computing, "lines"), m.Mixed.later],
    "of a class above": lambda m: m.Base.__eq__(m.Derived("a"), m.Derived("a")),
    "fields": lambda m: [[f.name for f in dataclasses.fields(getattr(m, name))] for name in CLASSES],
    "known": lambda m: [dataclasses.is_dataclass(getattr(m, name)) for name in CLASSES],
    "arguments of a pattern": lambda m: [getattr(m, name).__match_args__ for name in reversed(CLASSES)],
    "slots": lambda m: [m.Base.__slots__, m.Changing.__slots__],
    "without a dictionary": lambda m: hasattr(m.Derived("a"), "__dict__"),
    "names": lambda m: [(one.__name__, one.__qualname__) for one in vars(m).values() if inspect.isclass(one)],
    "of the class": lambda m: m.Derived.kind + m.Base("a").shown(),
    "hints": lambda m: sorted(get_type_hints(m.Derived)),
    "signature": lambda m: str(inspect.signature(type(m.Base("a")))),
}  # fmt: skip


def raised(call: Callable[[], object]) -> str:
    """What a call raises, in words."""
    with pytest.raises((TypeError, ValueError, AttributeError)) as error:
        call()
    return f"{type(error.value).__name__}: {error.value}"


@pytest.fixture
def module_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """The program as a module whose classes are made by the decorator of another one."""
    monkeypatch.syspath_prepend(tmp_path)

    def imported(home: str) -> ModuleType:
        name = f"places_by_{home.replace('.', '_')}"
        (tmp_path / f"{name}.py").write_text(PROGRAM.format(home=home), encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
        return import_module(name)

    return imported


@pytest.mark.parametrize("use", USES)
def test_they_do_what_those_of_the_library_do(use: str, module_with: Callable[[str], ModuleType]) -> None:
    assert USES[use](module_with("patchpoint.dataclass")) == USES[use](module_with("dataclasses"))


def test_they_can_be_pickled(module_with: Callable[[str], ModuleType]) -> None:
    module = module_with("patchpoint.dataclass")
    made = module.Derived("a", [1], count=2)
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the classes whose methods are written from now on."""
    names: list[str] = []
    really = dataclasses.dataclass

    def watched(declared: type, **options: bool) -> type:
        names.append(declared.__name__)
        return really(declared, **options)

    monkeypatch.setattr(dataclasses, "dataclass", watched)
    return names


@pytest.mark.parametrize(
    "use",
    [
        lambda kind: [kind("a") == kind("b") for _ in range(500)],
        lambda kind: [hash(kind("a")) for _ in range(500)],
        lambda kind: repr(kind("a")),
        lambda kind: pickle.dumps(kind("a")),
        lambda kind: dataclasses.fields(kind),
        lambda kind: [kind("a") for _ in range(500)],
        lambda kind: inspect.signature(kind),
    ],
    ids=["often compared", "often hashed", "printed", "pickled", "fields", "many", "signature"],
)
def test_methods_are_written_when_something_needs_them(
    use: Callable[[type], object], written: list[str]
) -> None:
    with suppress(pickle.PicklingError, AttributeError):  # a class in a function cannot be found again
        use(declared_place())
    assert written == ["Place"]


def test_a_few_instances_need_no_methods(written: list[str]) -> None:
    place = declared_place()("a")
    other = replace(place, path="b")
    assert (place.path, place.lines, other.path, type(place).shared) == ("a", [], "b", 3)
    assert (place == other, place == replace(other, path="a", lines=[1]), place == "a") == (
        False,
        True,
        False,
    )
    assert len({place, other, replace(other, path="a", lines=[1])}) == 2
    assert written == []


def declared_place() -> Any:
    """A dataclass that nothing has used yet."""

    @dataclass(frozen=True, slots=True)
    class Place:
        path: str
        lines: list[int] = field(default_factory=list, compare=False)
        shared: ClassVar[int] = 3

    return Place


def test_a_wrong_declaration_is_an_error_when_it_is_used() -> None:
    @dataclass(frozen=True, slots=True)
    class Wrong:
        first: int = 1
        second: str = field()  # type: ignore[misc]

    with pytest.raises(TypeError, match="non-default argument 'second'"):
        dataclasses.fields(Wrong)


def test_threads_that_make_the_first_at_the_same_time_find_all_of_it() -> None:
    def equal(kind: type, start: threading.Barrier, found: list[bool]) -> None:
        start.wait(timeout=60)
        one, other = kind("a", 1), kind("a", 1)
        found.append(one == other and hash(one) == hash(other) and "path='a'" in repr(one))

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(50):

            @dataclass(frozen=True, slots=True)
            class Place:
                path: str
                line: int

            start, found = threading.Barrier(8), list[bool]()
            threads = [threading.Thread(target=equal, args=(Place, start, found)) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(timeout=60)
            assert found == [True] * 8
    finally:
        sys.setswitchinterval(before)


def test_every_one_of_the_package_can_be_written() -> None:
    found = 0
    for module in walk_packages(patchpoint.__path__, "patchpoint."):
        if not module.name.endswith("__main__"):
            for kind in vars(import_module(module.name)).values():
                if isinstance(kind, type) and dataclasses.is_dataclass(kind):
                    taken = [one for one in dataclasses.fields(kind) if one.init]
                    assert len(inspect.signature(kind).parameters) == len(taken), kind
                    found += 1
    assert found > 300
