"""What is to become of what in an item of a list, or in a row of a table.

In `config.toml`:
- `retries = 3` → `retries = 5`

| Before | After |
| --- | --- |
| `retries = 3` | `retries = 5` |

| File | Change |
| --- | --- |
| `config.toml` | `retries = 3` → `retries = 5` |

| File | Setting | Old | New |
| --- | --- | --- | --- |
| `config.toml` | `retries` | 3 | 5 |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation, Side, Target, TargetKind
from patchpoint.formats.fences import outer_fences
from patchpoint.formats.in_words.unquoted import is_value
from patchpoint.formats.labels import names_above
from patchpoint.formats.path_forms import names_a_source, without_line
from patchpoint.formats.sentences.sentence import reading, readings
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex

_IN_LIST = "Only the list says so: `old` → `new`."
_IN_TABLE = "Only the table says so."
_ITEM = regex(r"[-*+]\s|\(?\d+[.)]\s")
_ARROW = regex(r"`(?P<old>[^`\n]{1,300})`\s*(?:[→⟶➜➔⇒]|[-=]>)\s*`(?P<new>[^`\n]{1,300})`\s*[.;,]?\Z")
_MOST_WORDS = 8
"""So many words at most are before what an item replaces."""
_LONGEST = 1000
_NAMED = regex(r"`[^`\n]{1,300}`|[^\s`]{1,300}")
_STATEMENT = regex(r"[()\[\]{};]|\w\s+\w")
"""What a value alone has not."""
_BULLET = regex(r"(?:[-*+]|\(?\d+[.)])\s+")
_RULE = regex(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_CODE = regex(r"`([^`\n]{1,200})`")
_MOST_ROWS = 200


def pairs_in_row(source: AnswerText, row: int) -> Iterator[Edit]:
    """Yield what an item of a list with an arrow, or a row of a table, replaces in its one file."""
    words = source.bare(row)
    pair = _ARROW.search(words[:_LONGEST]) if "`" in words else None
    before = _BULLET.sub("", words[: pair.start()] if pair is not None else "", count=1).strip()
    if before and not (before.endswith((":", "：")) and len(before.split()) <= _MOST_WORDS):
        pair = None
    if words.startswith("|"):
        yield from _in_table(source, row)
    elif pair is not None:
        if reading(before).has("never offers"):
            return
        named = [without_line(name.strip("`*:：,")) for name in _NAMED.findall(before)]
        own = [name for name in named if names_a_source(name)]
        others = [code for code in _CODE.findall(before) if without_line(code) not in own]
        if len(own) > 1 or len(others) > 1:
            return
        path = own[0] if own else _path_above(source, _begin_of_list(source, row))
        old, new = pair["old"], pair["new"]
        # a statement is in what is named, which a value is given to
        name = "".join(others) if not _STATEMENT.search(old) else ""
        for edit in _listed(source, row, path, (old, new), _IN_LIST, name):
            yield replace(edit, lead=before if others and not name else "")


def _in_table(source: AnswerText, row: int) -> Iterator[Edit]:
    """Yield what a row replaces, if its table has columns for what is there and what will be."""
    rows = range(row - 1, max(0, row - _MOST_ROWS), -1)
    above = takewhile(lambda at: source.bare(at).startswith("|"), rows)
    rule = next((at for at in above if _RULE.fullmatch(source.bare(at))), 0)
    heading, cells = _cells(source.bare(rule - 1)) if rule else [], _cells(source.bare(row))
    if len(cells) != len(heading):
        return
    old, new, file = (_cell_below(heading, cells, kind) for kind in ("was", "will", "file"))
    path = without_line(file.strip("*` ")) or _path_above(source, rule - 1)
    pairs = [(found["old"], found["new"]) for found in map(_ARROW.match, cells) if found]
    name = ""
    if old and new:
        named = {code for cell in cells if cell not in (old, new, file) for code in _CODE.findall(cell)}
        # without a file of its own next to code, a row may be of what that brings, such as its speed
        is_setting = len(named) == 1 and (bool(file) or not any(outer_fences(source)))
        are_codes = all(one[0] == one[-1] == "`" for one in (old, new))
        are_values = are_codes or (is_setting and all(map(is_value, (old, new))))
        pairs = [(old.strip("`"), new.strip("`"))] if are_values else []
        name = named.pop() if is_setting else ""
    if len(pairs) == 1:
        yield from _listed(source, row, path, pairs[0], _IN_TABLE, name)


def _cells(row: str) -> list[str]:
    """Return the cells of a row, in which a bar of their own has a backslash before it."""
    cells = row.strip().removeprefix("|").replace("\\|", "\0").split("|")
    return [cell.replace("\0", "|").strip() for cell in (cells if cells[-1].strip() else cells[:-1])]


def _cell_below(heading: Sequence[str], cells: Sequence[str], kind: str) -> str:
    """Return the cell of the one column whose heading begins or ends with a word of a kind, or nothing."""
    found = [
        cell
        for title, cell in zip(heading, cells, strict=True)
        if any(kind in word.kinds for one in readings(title) for word in (*one.words[:1], *one.words[-1:]))
    ]
    return found[0] if len(found) == 1 else ""


def _begin_of_list(source: AnswerText, row: int) -> int:
    """Return the first line of the list that a line is in."""
    first = row
    while row > 0 and (_ITEM.match(source.bare(row - 1)) or not source.bare(row - 1)):
        row -= 1
        first = row if source.bare(row) else first
    return first


def _path_above(source: AnswerText, row: int) -> str:
    """Return the one file that is named above a line; empty if there is none, or several are."""
    named = names_above(source, row, 0)
    return named[0].path if len(named) == 1 else ""


def _listed(
    source: AnswerText, row: int, path: str, pair: tuple[str, str], doubt: str, name: str = ""
) -> Iterator[Edit]:
    old, new = map(str.strip, pair)
    if names_a_source(path) and old and new and old != new:
        yield Edit(
            path=path,
            operation=Operation.PLACE,
            search=old,
            replace=new,
            target=Target(TargetKind.WORDS, name or old, Side.AFTER if name else Side.INSTEAD),
            doubt=doubt,
            format=Format.PAIR,
            span=source.span(row, row + 1),
        )
