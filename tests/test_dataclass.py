"""The package's dataclasses are those of `dataclasses`, with methods that are written later."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import sys
import threading
from collections.abc import Callable
from dataclasses import field
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import ClassVar, get_type_hints

import pytest

import patchpoint
from patchpoint.dataclass import dataclass

PROGRAM = """
from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import ClassVar

from {home} import dataclass


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
CLASSES = ("Base", "Derived", "Named", "Changing", "Computing", "Refusal", "Distinct", "OwnEquality")
USES: dict[str, Callable[[ModuleType], object]] = {
    "made": lambda m: repr([m.Base("a"), m.Derived("b", [1], count=3), m.Changing(), m.Named(first=1)]),
    "wrong": lambda m: raised(lambda: m.Base()),
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
    "replaced": lambda m: repr(dataclasses.replace(m.Derived("a", count=1), path="b")),
    "as a mapping": lambda m: dataclasses.asdict(m.Derived("a", [1])),
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


def test_methods_are_written_when_the_first_instance_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    really = dataclasses.dataclass

    def watched(declared: type, **options: bool) -> type:
        written.append(declared.__name__)
        return really(declared, **options)

    monkeypatch.setattr(dataclasses, "dataclass", watched)

    @dataclass(frozen=True, slots=True)
    class Place:
        path: str
        shared: ClassVar[int] = 3

    assert written == []
    assert "__eq__" not in vars(Place)
    assert Place.shared == 3
    assert (Place("a"), Place("b")) == (Place(path="a"), Place("b"))
    assert written == ["Place"]


def test_a_wrong_declaration_is_an_error_when_it_is_used() -> None:
    @dataclass(frozen=True, slots=True)
    class Wrong:
        first: int = 1
        second: str = field()  # type: ignore[misc]

    with pytest.raises(TypeError, match="non-default argument 'second'"):
        Wrong(second="a")


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
