"""Pairs in a list or in a table, below the name of their file.

    In `config.toml`:
    - `retries = 3` → `retries = 5`

    | Before | After |
    | --- | --- |
    | `retries = 3` | `retries = 5` |

An arrow or the table's heading says what becomes of what; no sentence asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.edit import Edit, Format, Operation, Target, TargetKind
from patchpoint.formats.fences import fences
from patchpoint.formats.labels import names_above
from patchpoint.formats.path_forms import names_a_source, without_line
from patchpoint.formats.source import AnswerText
from patchpoint.formats.spelling import words_of
from patchpoint.text.regex import regex

OLD_WORDS = words_of("""
old before from current original was existing previous find search replace
alt alte vorher bisher vor avant ancien ancienne actuel antes viejo anterior actual antigo atual
было до старое старый сейчас 旧 之前 原来 修改前 变更前 変更前 以前 前
""")
"""What the heading of a column, or a comment, calls that which is to be replaced, in eight languages."""
NEW_WORDS = words_of("""
new after to replacement updated becomes with
neu neue nachher danach après nouveau nouvelle después nuevo nueva depois novo nova
стало после новое новый 新 之后 现在 修改后 变更后 変更後 以後 後
""")
"""What it calls that which replaces it."""

_ARROWS = ("→", "⟶", "➜", "➔", "⇒", "->", "=>")
_IN_LIST = "Only the list says so: `old` → `new`."
_IN_TABLE = "Only the table says so."
_FILE = words_of("file path datei fichier archivo fichero arquivo ficheiro файл 文件 ファイル")
_PAIR = regex(
    r"(?:(?:[-*+]|\(?\d+[.)])\s+)?(?:(?:`(?P<quoted>[^`\n]{1,300})`|(?P<path>[^\s`:]{1,300}))\s*:\s+)?"
    r"`(?P<old>[^`\n]{1,300})`\s*(?:[→⟶➜➔⇒]|[-=]>)\s*`(?P<new>[^`\n]{1,300})`\s*[.;,]?"
)
_ITEM = regex(r"[-*+]\s|\(?\d+[.)]\s")
_RULE = regex(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_BETWEEN = regex(r"(?<!\\)\|")
_CODE = regex(r"`([^`\n]{1,300})`")
_MOST_ROWS = 200


def listed_pairs(source: AnswerText) -> Iterator[Edit]:
    """Yield what the lists and tables outside of fences replace in the one file that is named for them.

    All of it is in doubt: nothing but an arrow or a heading asks for it.
    """
    if "`" not in source.text:
        return
    inside = {row for fence in source.once(fences).values() for row in range(fence.first, fence.end)}
    has_arrow = any(arrow in source.text for arrow in _ARROWS)
    for row in range(len(source.lines)):
        words = source.bare(row)
        if row in inside or "`" not in words:
            continue
        pair = _PAIR.fullmatch(words) if has_arrow else None
        if pair is not None:
            own = without_line((pair["quoted"] or pair["path"] or "").strip("*"))
            path = own if names_a_source(own) else "" if own else _path_above(source, _begin(source, row))
            yield from _edit(source, row, path, pair["old"], pair["new"], _IN_LIST)
        elif words.startswith("|"):
            yield from _in_row(source, row)


def _in_row(source: AnswerText, row: int) -> Iterator[Edit]:
    """Yield what a row of a table replaces, if its table has columns for what is there and what will be."""
    rule = row - 1
    while rule > max(0, row - _MOST_ROWS) and source.bare(rule).startswith("|"):
        if _RULE.fullmatch(source.bare(rule)):
            break
        rule -= 1
    if rule < 1 or not _RULE.fullmatch(source.bare(rule)):
        return
    heading = [cell.strip("*_` ").casefold() for cell in _cells(source.bare(rule - 1))]
    columns = [_column(heading, words) for words in (OLD_WORDS, NEW_WORDS, _FILE)]
    cells = _cells(source.bare(row))
    if None in columns[:2] or len(cells) != len(heading):
        return
    old, new, file = ("" if at is None else cells[at] for at in columns)
    was, becomes = _CODE.fullmatch(old), _CODE.fullmatch(new)
    path = without_line(file.strip("*` ")) or _path_above(source, rule - 1)
    if was and becomes and names_a_source(path):
        yield from _edit(source, row, path, was[1], becomes[1], _IN_TABLE)


def _cells(row: str) -> list[str]:
    """Return the cells of a row, in which a bar of their own has a backslash before it."""
    inner = row.strip().removeprefix("|")
    cells = [cell.replace("\\|", "|").strip() for cell in _BETWEEN.split(inner)]
    return cells[:-1] if cells and not cells[-1] else cells


def _column(heading: Sequence[str], words: Sequence[str]) -> int | None:
    """Return the one column whose heading begins or ends with one of the words, if there is one only."""
    found = [
        at
        for at, cell in enumerate(heading)
        if cell and not {cell.split()[0], cell.split()[-1]}.isdisjoint(words)
    ]
    return found[0] if len(found) == 1 else None


def _begin(source: AnswerText, row: int) -> int:
    """Return the first line of the list that a line is in."""
    first = row
    while row > 0 and (_ITEM.match(source.bare(row - 1)) or not source.bare(row - 1)):
        row -= 1
        first = row if source.bare(row) else first
    return first


def _path_above(source: AnswerText, row: int) -> str:
    """Return the one file that is named above a line; empty if there is none, or several are."""
    named = names_above(source, row, 0, unquoted=True)
    return named[0].path if len(named) == 1 else ""


def _edit(source: AnswerText, row: int, path: str, old: str, new: str, doubt: str) -> Iterator[Edit]:
    old, new = old.strip(), new.strip()
    if path and old and new and old != new:
        yield Edit(
            path=path,
            operation=Operation.PLACE,
            search=old,
            replace=new,
            target=Target(TargetKind.WORDS, old),
            doubt=doubt,
            format=Format.PAIR,
            span=source.span(row, row + 1),
        )
