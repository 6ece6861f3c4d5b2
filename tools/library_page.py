"""The reference in `docs/library.md`, made from the docstrings of what the package exports."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import patchpoint

PAGE = Path(__file__).parents[1] / "docs" / "library.md"
_MARK = "<!-- reference: generated from the docstrings by `make docs` -->"
_FIELD = re.compile(r'^    (\w+): [^\n]+\n((?:    """(?:[^"]|"(?!""))*"""\n)?)', re.MULTILINE)
_WIDTH = 100
_MEMBER = re.compile(r'^    (\w+) = [^\n]+\n((?:    """(?:[^"]|"(?!""))*"""\n)?)', re.MULTILINE)


def with_reference(page: str) -> str:
    """Return docs/library.md, whose text is `page`, with the current reference at its end."""
    return page.partition(_MARK)[0] + "\n".join([_MARK, "", *reference()])


def reference() -> Iterator[str]:
    """Yield the lines of the reference: functions first, then the classes, each with its members."""
    named = [(name, getattr(patchpoint, name)) for name in patchpoint.__all__]
    for name, function in named:
        if not inspect.isclass(function):
            yield from ("### `" + name + "`", "", *_signature(name, function), *_text(function), "")
    for name, kind in named:
        if inspect.isclass(kind):
            yield from ("### `" + name + "`", "", *_text(kind), "")
            yield from _members(kind)


def _members(kind: type) -> Iterator[str]:
    source = inspect.getsource(kind)
    if issubclass(kind, enum.Enum):
        notes = dict(_MEMBER.findall(source))
        for member in kind:
            yield f"- `{kind.__name__}.{member.name}` (`{member.value}`){_note(notes.get(member.name, ''))}"
        yield ""
    elif dataclasses.is_dataclass(kind):
        notes = dict(_FIELD.findall(source))
        for field in dataclasses.fields(kind):
            yield f"- `{field.name}: {field.type}`{_note(notes.get(field.name, ''))}"
        yield ""
    for name, member in vars(kind).items():
        if name.startswith("_") or (dataclasses.is_dataclass(kind) and name in kind.__dataclass_fields__):
            continue
        if isinstance(member, property):
            yield from (f"- `.{name}`{_note(inspect.getdoc(member) or '')}", "")
        elif isinstance(member, classmethod) or inspect.isfunction(member):
            function = member.__func__ if isinstance(member, classmethod) else member
            yield from (
                f"#### `{kind.__name__}.{name}`",
                "",
                *_signature(name, function),
                *_text(function),
                "",
            )


def _signature(name: str, function: Callable[..., object]) -> Iterator[str]:
    signature = inspect.signature(function)
    given = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    parts = [_parameter(each) for each in given]
    first_named = next((at for at, each in enumerate(given) if each.kind is each.KEYWORD_ONLY), None)
    if first_named is not None:
        parts.insert(first_named, "*")
    line = f"{name}({', '.join(parts)}) -> {signature.return_annotation}"
    if len(line) > _WIDTH:
        line = (
            f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f") -> {signature.return_annotation}"
        )
    yield from ("```python", line, "```", "")


def _parameter(parameter: inspect.Parameter) -> str:
    text = f"{parameter.name}: {parameter.annotation}"
    if parameter.default is inspect.Parameter.empty:
        return text
    default = parameter.default
    return f"{text} = {default if isinstance(default, enum.Enum) else repr(default)}"


def _text(thing: object) -> Iterator[str]:
    text = inspect.getdoc(thing)
    assert text, f"{thing} says nothing"
    yield text


def _note(text: str) -> str:
    words = " ".join(text.replace('"""', " ").split())
    return f": {words}" if words else ""


def main() -> None:
    """Write the page."""
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
