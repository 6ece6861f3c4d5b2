"""Pairs of fences: what is to be replaced, then what replaces it.

    In `src/app.py`, change this:        (or: Find, Before, Replace)
    (a fence)
    to this:                             (or: Replace with, After, with)
    (a fence)

The words above both fences have to say so; the file is named above either of them, or on it. One fence may
have both, below comments that say `Before` and `After`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit, Format, Unplaced
from patchpoint.formats.blocks.fence_label import FenceLabel, code_of, label_of, suffix_of
from patchpoint.formats.blocks.listed_pairs import NEW_WORDS, OLD_WORDS
from patchpoint.formats.fences import Fence, FenceKind, outer_fences
from patchpoint.formats.labels import Naming, paths_above
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult, SpanSet
from patchpoint.formats.spelling import words_of
from patchpoint.text.regex import regex

_NOUN = r"(?:code|version|block|lines?|one|section|part|snippet|implementation|function|method)"
_THIS = rf"(?:this|that|these|those|it|them|the (?:following|above|{_NOUN})|your)"
_OBJECT = rf"(?: (?:{_NOUN}|instead|below))*"
_BEFORE = regex(
    rf"(?:(?:and|then|also|next|now|again|finally),? )*"
    rf"(?:find|search(?: for)?|before|was|old|original|current|existing|previous|from|replace|change|remove|"
    rf"this|look for|locate|swap|{_THIS})(?: this| these| that| the following)?{_OBJECT}",
    re.IGNORECASE,
)
"""All that is said above a fence, it calls the code what is to be replaced."""
_ASKED = regex(
    r"\b(?:change|replace|swap|substitute|find|locate|look for|search for|update|modify|rewrite|turn|edit|"
    r"currently|right now|at the moment|(?:you|we|it|code|file) (?:have|has|had)|instead of|existing|old)\b",
    re.IGNORECASE,
)
"""Said above a fence that another one follows, it announces that it is to be replaced."""
_AFTER = regex(
    rf"(?:(?:and|then|now|so),? )*(?:"
    rf"(?:to|with|into|by|for)(?: {_THIS}|:? ?(?:this|these|the following)\b[^\n]{{0,80}})?{_OBJECT}"
    rf"|(?:replace|change|swap|update|rewrite|turn|make|substitute)(?:d)?(?: {_THIS}{_OBJECT})?"
    rf"(?: (?:to|with|into|by|be)(?: {_THIS})?[^\n]{{0,60}})?"
    rf"|(?:after|new|now|replacement|updated|fixed|corrected|improved|proposed|suggested|changed)"
    rf"(?: (?:the )?(?:change|fix|edit))?(?: to| with)?{_OBJECT}"
    rf"|(?:it |this |that |which )?(?:becomes|should (?:now )?(?:be|become|read|look like))(?: {_THIS})?"
    rf"|use {_THIS}(?: instead)?{_OBJECT})",
    re.IGNORECASE,
)
"""All that is said between two fences, it calls the second what replaces the first."""
_CHANGES = regex(
    r"(?:(?:first|second|third|and|then|now|next|also|finally|again|please),? )*"
    r"(?:replace|change|swap|update|rewrite|modify|edit|fix)(?: in)? [`*(\[]*[\w./@-]+\.\w{1,12}[`*)\]]*",
    re.IGNORECASE,
)
"""All that is said above a fence, it asks for a change of a file, and not what is to become of what."""


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """How another language says what becomes of what, as regular expressions."""

    asks: str
    """Said above a fence that another one follows, it announces that it is to be replaced."""
    others: str
    """What else may be said there without saying more."""
    new: str
    """All that is said between two fences, it calls the second what replaces the first."""
    is_spaced: bool = True


_LANGUAGES = (
    _Words(
        asks=r"ersetz\w*|änder\w*|tausch\w*|such\w*|aktualisier\w*",
        others=r"in|aus|von|de[rmn]|das|die|dies\w{0,2}|folgend\w{0,2}|datei|zeilen?|code|block|funktion|methode|"
        r"klasse|bitte|dann|nun|jetzt|und|auch|hier|zuerst|aktuellen?",
        new=r"(?:durch|mit|zu|gegen|in|wird zu|ersetzen durch)"
        r"(?: (?:dies\w{0,2}|folgend\w{0,2}|de[rmn]|das|die|zeilen?|code|block|hier)){0,3}",
    ),
    _Words(
        asks=r"remplac\w*|chang\w*|modifi\w*|cherch\w*|trouv\w*",
        others=r"dans|le|la|les|l|de|du|des|ce|cette|ces|ceci|cela|fichier|lignes?|code|bloc|fonction|méthode|classe|"
        r"suivante?s?|puis|et|aussi|ensuite|enfin|actuel\w{0,3}",
        new=r"(?:par|en|avec|devient)"
        r"(?: (?:ceci|cela|ce|cette|celui-ci|celle-ci|le|la|les|code|bloc|lignes?|suivante?s?)){0,3}",
    ),
    _Words(
        asks=r"reemplaz\w*|reemplac\w*|sustitu\w*|cambi\w*|modific\w*|busc\w*|busqu\w*",
        others=r"en|de|del|el|la|los|las|lo|est[eoa]s?|archivo|fichero|líneas?|código|bloque|función|método|clase|"
        r"siguientes?|luego|después|ahora|y|también|actual",
        new=r"(?:por|a|con)(?: (?:est[eoa]s?|lo|el|la|los|las|código|bloque|líneas?|siguientes?)){0,3}",
    ),
    _Words(
        asks=r"substitu\w*|troqu\w*|troc\w*|mud\w*|alter\w*|modifi\w*|procur\w*",
        others=r"em|no|na|do|da|de|o|a|os|as|est[ea]s?|isto|isso|arquivo|ficheiro|linhas?|código|bloco|função|método|"
        r"classe|seguintes?|depois|agora|e|também|atual",
        new=r"(?:por|para|com)(?: (?:est[ea]s?|isto|isso|o|a|os|as|código|bloco|linhas?|seguintes?)){0,3}",
    ),
    _Words(
        asks=r"замен\w*|измен\w*|поменя\w*|найд\w*|исправ\w*",
        others=r"в|из|файл\w{0,2}|эт\w{1,3}|следующ\w{2,3}|строк\w{0,2}|код|блок|функци\w{1,2}|метод\w{0,2}|"
        r"класс\w{0,2}|затем|теперь|и|также|здесь|текущ\w{2,3}",
        new=r"на(?: (?:эт\w{1,3}|следующ\w{2,3}|код|строк\w{1,2}|блок)){0,3}",
    ),
    _Words(
        asks=r"替换|修改|更改|改|换|查找|找到|把|将",
        others=r"中|里|的|在|请|以下|下面|如下|这段|这行|这个|这|一|代码|行|内容|文件|函数|方法|类|并|然后|现在|为|成",
        new=r"(?:替换|修改|更改|改|换|变)?(?:为|成)(?:以下|下面|如下|这段|这行|这个|的|代码|内容|这样){0,3}",
        is_spaced=False,
    ),
    _Words(
        asks=r"置き換え|書き換え|差し替え|変更|修正",
        others=r"この|次|以下|下記|の|を|で|に|は|と|まず|また|コード|行|部分|ファイル|内容|関数|メソッド|クラス|して|し|ます|"
        r"ください|てください|る|する",
        new=r"(?:これ|次|以下|下記)?(?:の)?(?:コード|行|内容|もの|よう)?(?:に|へ)"
        r"(?:置き換え|書き換え|差し替え|変更|修正)?(?:てください|してください|します|ます|する|る)?",
        is_spaced=False,
    ),
)
_SAYS_MORE = "The sentence above it says more than that it is to be replaced."
_SILENT = regex(r"`[^`\n]*`|[\w.-]*[./]\w[\w./-]*|[\W\d_]+")
"""What says nothing of its own: names in backquotes, paths, numbers and signs."""
_DECORATION = regex(r"[\s*_#>:.…=–—-]+|\d+[.)]\s+")
_IN_FILE = regex(r"\s*(?:\(?(?:in|of|for) )?[`*(\[]*[\w./@-]+\.\w{1,12}[`*)\]]*\s*\Z")
_COMMENT = regex(r"\s*(?:#+|//+|--+|;+|%+|/\*+|<!--|\{/\*)\s*(?P<words>.{1,60}?)\s*(?:\*+/\}?|-->)?\s*")
_NOTHING_ELSE = words_of("code version the this change fix way line lines")
"""What a comment may say besides, and only call the code below it."""
_COMMENTED = "Only comments in the code say so: `Before` and `After`."
_EDITS = regex(r"^[ \t]*(?:(?:<|&lt;){3,}|-{3,}[ ]search|\*{3}[ ]begin|@@[ ])", re.IGNORECASE | re.MULTILINE)
_MOST_BETWEEN = 3
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class FencePair:
    """The two fences of a pair."""

    old: Fence
    new: Fence
    doubt: str = ""
    """Why they are only likely one."""


def pairs_in(source: AnswerText) -> dict[int, FencePair]:
    """Return the pairs of the text, by the first line of each of their fences."""
    found: dict[int, FencePair] = {}
    if source.text.count("```") + source.text.count("~~~") < 3:
        return found
    outer = outer_fences(source)
    number = 0
    while number + 1 < len(outer):
        before = outer[number - 1].end if number else 0
        pair = _pair(source, outer[number], outer[number + 1], before)
        if pair is not None:
            found[pair.old.first] = found[pair.new.first] = pair
            number += 1
        number += 1
    return found


def read_pair(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the pair whose first fence is at `sign`; `None` when it is not the first of one, or of no file."""
    line = scan.source.line_of(sign.start)
    pair = scan.source.once(pairs_in).get(line)
    if pair is None or pair.old.first != line:
        return None
    found = item_of_pair(scan, pair, scan.lower_bound, scan.known_path)
    return None if isinstance(found, Unplaced) else ReadResult((found,), found.span[1])


def read_other_pairs(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return the pairs that no sign pointed at."""
    pairs = scan.source.once(pairs_in)
    if not pairs:
        return []
    taken = SpanSet(item.span for item in items)
    ended = sorted((item.span[1], index) for index, item in enumerate(items) if item.path)
    found: list[Item] = []
    lower_bound = at = 0
    last = -1
    for first, pair in pairs.items():
        if first != pair.old.first:
            continue
        start, end = scan.source.span(first, pair.new.end)
        while at < len(ended) and ended[at][0] <= start:
            last = max(last, ended[at][1])
            at += 1
        if not taken.overlaps((start, end)):
            above = found[-1] if found else items[last] if last >= 0 else None
            item = item_of_pair(scan, pair, lower_bound, above.path if above else scan.given_path)
            found += [item] if not isinstance(item, Unplaced) else []
        lower_bound = pair.new.end
    return found


def item_of_pair(scan: TextScan, pair: FencePair, lower_bound: int, known_path: str) -> Item | Unplaced:
    """Return the edit of a pair, what is wrong with it, or what is missing for it to be one.

    `known_path` is the file of a pair that names none.
    """
    source = scan.source
    label = label_of(scan, pair.old, lower_bound)
    other = label_of(scan, pair.new, pair.old.end)
    first, end = pair.old.first, pair.new.end
    paths = label.paths or other.paths
    if label.how in (None, Naming.HEADING) and len(label.paths) < 2:
        farther = _named_above_label(source, pair.old.first, lower_bound)
        paths = farther or paths
    if label.path and other.path and not _is_same(label.path, other.path):
        paths = (label.path, other.path)
    path = paths[0] if len(paths) == 1 else "" if paths else known_path
    fault = _fault(pair)
    if fault and path:
        return source.malformed(fault, first, end, at=end - 1, path=path, origin=Format.PAIR)
    edit = _edit(source, pair, path, label, other)
    if path and not fault:
        return edit
    message = fault or "this replaces the code of one fence by that of the next, and "
    if not fault:
        message += (
            f"two files are named for it, {' and '.join(paths[:2])}; name one on the line above"
            if paths
            else "no path names its file; write it on the line above the first"
        )
    return Unplaced(
        message=message,
        span=edit.span,
        line=first + 1,
        edit=None if fault else edit,
        paths=paths,
        suffix=suffix_of(label.language),
        is_change=True,
    )


def pair_in_fence(source: AnswerText, fence: Fence, path: str) -> Edit | None:
    """Return the edit of a fence in which comments call the code old and new; `None` for any other.

    It is in doubt: the comments may be the file's own.
    """
    if not fence.closed or fence.nested is not None:
        return None
    rows = [row for row in range(fence.first + 1, fence.last) if source.bare(row)]
    called = [(row, old) for row in rows for old in (True, False) if _is_called(source.lines[row], old=old)]
    if [is_old for _, is_old in called] != [True, False] or rows[0] != called[0][0]:
        return None
    first, second = (row for row, _ in called)
    old, new = (
        _without_blank_ends(source.content(start + 1, end))
        for start, end in ((first, second), (second, fence.last))
    )
    if not old.strip() or not new.strip():
        return None
    return Edit(
        path=path,
        search=old,
        replace=_at_depth_of(old, new),
        doubt=_COMMENTED,
        format=Format.PAIR,
        span=source.span(fence.first, fence.end),
    )


def _is_called(line: str, *, old: bool) -> bool:
    """Return whether a line is a comment that calls the code below it old, or new, and says no more."""
    comment = _COMMENT.fullmatch(line)
    words = re.findall(r"\w+", comment["words"].casefold()) if comment else []
    named = OLD_WORDS if old else NEW_WORDS
    return bool(words) and len(words) <= 3 and words[0] in named and set(words[1:]) <= set(_NOTHING_ELSE)


def _without_blank_ends(text: str) -> str:
    lines = text.splitlines(keepends=True)
    rows = [row for row, line in enumerate(lines) if line.strip()]
    return "".join(lines[rows[0] : rows[-1] + 1]) if rows else ""


def _edit(source: AnswerText, pair: FencePair, path: str, label: FenceLabel, other: FenceLabel) -> Edit:
    search = code_of(source, pair.old, label.in_comment)
    return Edit(
        path=path,
        search=search,
        replace=_at_depth_of(search, code_of(source, pair.new, other.in_comment)),
        line=label.line,
        doubt=pair.doubt,
        format=Format.PAIR,
        span=source.span(pair.old.first, pair.new.end),
    )


def _at_depth_of(old: str, new: str) -> str:
    """Return the new lines at the depth of the old ones, where the two begin with one line at two depths."""
    lines = new.splitlines(keepends=True)
    first, own = (next((line for line in text.splitlines() if line.strip()), "") for text in (new, old))
    have, wanted = (line[: len(line) - len(line.lstrip(" \t"))] for line in (first, own))
    if first.strip() != own.strip() or have == wanted:
        return new
    if not all(line.startswith(have) for line in lines if line.strip()):
        return new
    return "".join(wanted + line[len(have) :] if line.strip() else line for line in lines)


def _fault(pair: FencePair) -> str:
    if not pair.new.closed:
        return "the replacement is cut off; the end of its fence was expected"
    if pair.old.nested is not None or pair.new.nested is not None:
        return "a fence opens inside another one; longer fences were expected around the two texts"
    return ""


def _named_above_label(source: AnswerText, line: int, lower_bound: int) -> tuple[str, ...]:
    """Return the paths in the sentence above a label that says no more than `Find` or `Before`."""
    above = next((n for n in range(line - 1, max(lower_bound, line - 4) - 1, -1) if source.bare(n)), None)
    if above is None or not _BEFORE.fullmatch(_plain(source.bare(above))):
        return ()
    return paths_above(source, above, lower_bound, unquoted=True)


def _is_same(one: str, other: str) -> bool:
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def _pair(source: AnswerText, old: Fence, new: Fence, before: int) -> FencePair | None:
    """Return two fences that follow each other as a pair, if the words above them call them old and new."""
    between = [words for number in range(old.end, new.first) if (words := source.bare(number))]
    if not between or len(between) > _MOST_BETWEEN or not old.closed:
        return None
    above = next(
        (words for number in range(old.first - 1, before - 1, -1) if (words := source.bare(number))), ""
    )[:1000]
    doubt = _doubt_of(above, _plain(between[-1]))
    if doubt is None:
        return None
    kinds = {fence.kind() for fence in (old, new)}
    if kinds & {FenceKind.DIFF, FenceKind.OUTPUT, FenceKind.CITATION}:
        return None
    contents = [source.content(fence.first + 1, fence.last) for fence in (old, new)]
    is_code = bool(contents[0].strip()) and not any(_EDITS.search(content) for content in contents)
    return FencePair(old, new, doubt) if is_code else None


def _doubt_of(above: str, last: str) -> str | None:
    """Return why two fences are only likely a pair; empty for one that is, and `None` for one that is not.

    `above` is said above the first fence, and `last` above the second.
    """
    words = _plain(above)
    if _AFTER.fullmatch(last) or _AFTER.fullmatch(_IN_FILE.sub("", last)):
        if words.casefold() == last.casefold() or (_CHANGES.fullmatch(words) and _CHANGES.fullmatch(last)):
            return None  # two changes of one kind, such as `Update a.py:` and `Then update b.py:`
        if _BEFORE.fullmatch(words) or _BEFORE.fullmatch(_IN_FILE.sub("", words)) or _ASKED.search(above):
            return ""
    if words.casefold() in OLD_WORDS and last.casefold() in NEW_WORDS:
        return ""
    for asks, known, new in _patterns():
        if new.fullmatch(last) and asks.search(above):
            return _SAYS_MORE if known.sub(" ", _SILENT.sub(" ", above)).strip() else ""
    return None


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]]:
    """Return what other languages say above the first fence, may say there, and say above the second."""
    found = []
    for each in _LANGUAGES:
        edge = r"\b" if each.is_spaced else ""
        sources = (f"{edge}(?:{each.asks}){edge}", f"{edge}(?:{each.asks}|{each.others}){edge}", each.new)
        asks, known, new = (re.compile(source, re.IGNORECASE) for source in sources)
        found.append((asks, known, new))
    return found


def _plain(text: str) -> str:
    """Return what a line says, without what sets it off."""
    text = text[:_LONGEST]
    start = 0
    while found := _DECORATION.match(text, start):
        start = found.end()
    return text[start:].rstrip(" \t*_:：.。…#—–-")
