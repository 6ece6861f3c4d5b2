"""Code that is copied from the page of a chat: its fences are lost, and the page's buttons are above it.

    python
    Copy
    Edit
    def main(): ...

Where the code ends, nothing says. It ends above the first line that reads like prose and leaves a text that
parses, or else where the longest such text ends. Code that nothing follows may be cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from textwrap import dedent

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Unplaced
from patchpoint.formats.blocks.fence_label import suffix_of
from patchpoint.formats.source import AnswerText, Item
from patchpoint.formats.spelling import phrases_of
from patchpoint.structure.languages import languages_of
from patchpoint.structure.parse import Verdict, judge
from patchpoint.text.regex import regex

_COPY = phrases_of("""
copy, copy code, kopieren, code kopieren, copier, copier le code, copiar, copiar código, копировать,
копировать код, 复制, 复制代码, コピー, コピーする, コードをコピーする
""")
"""What the button above a piece of code is called, in eight languages."""
_OTHERS = phrases_of("""
edit, download, run, collapse, expand, wrap, unwrap, explain, save, bearbeiten, herunterladen, modifier,
télécharger, editar, descargar, baixar, изменить, редактировать, скачать,
编辑, 下载, 运行, 編集する, ダウンロード
""")
"""What the buttons next to it are called."""
_EACH = "|".join((*_COPY, *_OTHERS))
_BUTTONS = regex(
    r"^[ \t]*(?:(?P<glued>[a-z][a-z0-9+#-]{0,14}?)(?:Copy ?code|CopyEdit|Copy|复制代码?|复制编辑)(?:Edit)?"
    rf"|(?:(?!(?i:{_EACH})[ \t]*\r?\n)(?P<language>[A-Za-z][\w+#./-]{{0,60}})[ \t]*\r?\n\s*)?"
    rf"(?P<names>(?i:{_EACH})(?:[ \t]*\r?\n\s*(?i:{_EACH})(?=[ \t]*\r?$))*))[ \t]*\r?$",
    re.MULTILINE,
)
"""The lines above some code: what its language is called, with buttons next to it or below."""
_PROSE = regex(r"(\d+[.)] )?[^\W\d_][\w'’-]*((?:[,:;]? [\w'’./()-]+)*)([.!?…:：])")
"""A sentence or a lead: a number, the words behind the first one, and the sign at the end."""
_MOST_ENDS = 20
_DOUBT = "The page lost its fences; the code seems to end where the prose goes on."


_Buttons = tuple[int, int, str]
"""The first line above a piece of code, the line behind those, and what its language is called."""


def with_fences(source: AnswerText) -> AnswerText | None:
    """Return a text with fences around the code below the buttons of a page; `None` if it has no such code.

    A text with fences of its own is no such page.
    """
    buttons = [] if "```" in source.text or "~~~" in source.text else list(_buttons(source))
    if not buttons:
        return None
    lines: list[str] = []
    origins: list[int] = []
    reached = 0
    for (first, body, language), (limit, _, _) in pairwise([*buttons, (len(source.lines), 0, "")]):
        end = _end_of_code(source, body, limit, language.casefold())
        lines += [*source.lines[reached:first], f"```{language}\n", *source.lines[body:end]]
        origins += [*source.starts[reached : first + 1], *source.starts[body:end]]
        reached = end
        # code that nothing follows may be cut off: its fence stays open
        if any(source.bare(row) for row in range(end, len(source.lines))):
            lines.append("```\n")
            # the closing fence ends where the code does
            origins.append(max(source.starts[first], source.span(first, end)[1] - len("```")))
    return source.rewritten(
        [*lines, *source.lines[reached:]], [*origins, *source.starts[reached : len(source.lines)]]
    )


def on_page(page: AnswerText, item: Item) -> Item:
    """Return an item that was read with fences as one of the page; what an edit asks for is in doubt."""
    found = page.item_outward(item)
    return replace(found, doubt=found.doubt or _DOUBT) if isinstance(found, Edit) else found


def unplaced_on_page(page: AnswerText, one: Unplaced) -> Unplaced:
    """Return code that was read with fences, and is no edit of a known file, as code of the page."""
    edit = one.edit and replace(one.edit, doubt=one.edit.doubt or _DOUBT)
    return page.unplaced_outward(replace(one, edit=edit))


def _buttons(source: AnswerText) -> Iterator[_Buttons]:
    """Yield the buttons above each piece of code."""
    for found in _BUTTONS.finditer(source.text):
        names = [name for row in (found["names"] or "").splitlines() if (name := row.strip().casefold())]
        language = found["glued"] or found["language"] or ""
        if found["glued"] or (not set(_COPY).isdisjoint(names) and (language or len(names) > 1)):
            rows = source.line_of(found.start()), source.line_of(found.end() - 1) + 1
            yield *rows, language


def _end_of_code(source: AnswerText, first: int, limit: int, language: str) -> int:
    """Return the line behind the code that begins on line `first`, at most `limit`."""
    suffix = suffix_of(language) or language.rpartition(".")[2]
    rows = range(first + 1, min(limit, first + 5_000))
    is_judged = bool(languages_of(f"x.{suffix}"))
    edges = [row for row in rows if source.bare(row) and not source.lines[row][:1].isspace()]
    prose = [row for row in edges if _is_prose(source, row, is_judged=is_judged)]
    others = [row for row in (*edges, limit) if row not in prose]
    for end in (*prose[:_MOST_ENDS], *reversed(others[-_MOST_ENDS:])) if is_judged else ():
        code = dedent(source.content(first, end).replace("\r\n", "\n").replace("\r", "\n"))
        if code.strip() and judge(f"x.{suffix}", code).verdict is not Verdict.BROKEN:
            return _without_blank_end(source, first, end)
    return _without_blank_end(source, first, prose[0] if prose else limit)


def _is_prose(source: AnswerText, row: int, *, is_judged: bool) -> bool:
    """Return whether a line reads like prose: a sentence, words, or a lead where no grammar knows better."""
    words = source.bare(row)
    if len(words) > 300:
        return False
    prose = _PROSE.fullmatch(words)
    if prose and prose[2] and prose[3] not in ":：":
        return True
    if source.bare(row - 1) or not any(map(str.strip, source.lines[row + 1 :])):
        return False
    is_lead = prose is not None and not prose[1] and prose[3] in ":："
    return all(map(str.isalpha, words.split(" "))) or (is_lead and not is_judged)


def _without_blank_end(source: AnswerText, first: int, end: int) -> int:
    while end > first and not source.bare(end - 1):
        end -= 1
    return end
