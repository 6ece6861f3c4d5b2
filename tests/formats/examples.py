"""The examples of `tests/data/formats`: an answer, the items read from it, and its effect on files.

Each is one file: a title, lines of options, and sections headed by a line that begins with `:::: `.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from patchpoint.edit import Edit, Operation
from patchpoint.formats import Item

FOLDER = Path(__file__).parents[1] / "data" / "formats"
_HEAD = ":::: "


@dataclass(frozen=True)
class Example:
    """One example; `edits` is the text that `described` makes of its items."""

    name: str
    title: str
    format: str
    answer: str
    edits: str
    before: dict[str, str]
    after: dict[str, str]


def examples() -> list[Example]:
    """All examples, by name."""
    return [read_example(path) for path in sorted(FOLDER.glob("*.txt"))]


def read_example(path: Path) -> Example:
    """The example in one file."""
    head, *sections = path.read_text(encoding="utf-8").split(f"\n{_HEAD}")
    title, *options = head.splitlines()
    settings = dict(option.split(": ", 1) for option in options)
    texts: dict[str, str] = {}
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for number, section in enumerate(sections):
        name, _, text = section.partition("\n")
        if number < len(sections) - 1 and text:
            text += "\n"
        kind, _, file = name.partition(" ")
        if kind == "before":
            before[file] = text
        elif kind == "after":
            after[file] = text
        else:
            texts[kind] = text.replace("\n", "\r\n") if file == "(crlf)" else text
    return Example(
        path.stem, title, settings.get("format", "auto"), texts["answer"], texts["edits"], before, after
    )


def described(text: str, items: list[Item]) -> str:
    """What was read, a line for each item."""
    return "".join(f"{_one(text, item)}\n" for item in items)


def _one(text: str, item: Item) -> str:
    if not isinstance(item, Edit):
        return f"malformed: {item.message}"
    start, end = item.span
    first = text.count("\n", 0, start) + 1
    last = first + text.count("\n", start, end)
    target = item.target
    hints = [
        " ".join(filter(None, (target.side.value, target.name, target.last))) if target else "",
        f"to {item.new_path}" if item.new_path else "",
        f"near line {item.line}" if item.line is not None else "",
        f"in {' / '.join(item.scope)}" if item.scope else "",
        "everywhere" if item.replace_all else "",
        "at the end" if item.at_end else "",
        f"in {len(item.splits)} readings" if item.splits else "",
        f"mode {item.mode:o}" if item.mode is not None else "",
    ]
    operation = item.operation.value
    if item.may_be_part:
        operation = "create or merge" if item.operation is Operation.CREATE else "write, if nothing is lost,"
    words = " ".join([operation, item.path, *(hint for hint in hints if hint)])
    return f"{words} ({item.format.value}, lines {first} to {last})"
