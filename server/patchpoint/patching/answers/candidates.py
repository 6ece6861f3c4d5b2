"""Which of many files code may be for that names none: each file is looked through once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from patchpoint.edit import Edit, Operation, Unplaced
from patchpoint.locate.source import plain
from patchpoint.patching.places.places_said import last_sentence
from patchpoint.structure.languages import may_hold
from patchpoint.structure.lazy.bindings import CLOSES, head_of
from patchpoint.structure.lazy.doubt.names_in_use import bound_names
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import SYNTAXES, syntaxes_of, syntaxes_within
from patchpoint.text.lines import plain_lines
from patchpoint.text.regex import IDENTIFIER, regex

_MOST_NEEDLES = 3
_MOST_HEADS = 8
_MOST_LINES = 12
"""By so many of its lines the file is sought that has some of them."""
_LEAST = 0.2
"""Code that nothing calls a change shares so many of its lines with the file that it is for."""
_MARGIN = 2
"""The file that code is for has so many times as many of its lines as any other, each by how few have it."""
_SEVERAL_LINES, _MOST = 5, 0.6
_SHORTEST = 4
_DOCUMENTS = ("md", "markdown")
"""Below words, a part of a document that names none may be one of several ways to put it."""
_DATA = ("json", "jsonc", "json5", "yaml", "yml", "toml", "xml", "html", "md", "markdown", "sql", "ini", "")
"""Languages in which an answer shows what is sent, too, or what comes of something."""
_JOINT = 24
"""As many characters are between two fences that a word joins."""
_FEW = 8
"""So many texts are sooner looked for one by one than by their words."""
_WORD = regex(r"\.?\w[\w.-]*\w")
_SAID = regex(
    r"`(?:(?:class|def|enum|fn|func|function|impl|interface|object|struct|trait|type) )?"
    r"([A-Za-z_]\w{3,80}|[A-Z]\w\w)(?:\(\))?`"
)


class Sought:
    """What pieces of code ask of a file that may be meant: a name, or one of a few texts."""

    def __init__(self, pieces: Sequence[Unplaced]) -> None:
        self._needles = {needle for one in pieces for needle in _sought(one)}
        self._by_word: dict[str, list[str]] = defaultdict(list)
        for needle in self._needles:
            self._by_word[max(IDENTIFIER.findall(needle), key=len, default="")].append(needle)
        self._words, self._parts = frozenset[str](), frozenset[str]()
        self._languages = {one.language for one in pieces if one.language}
        self._paths: dict[str, set[str]] = defaultdict(set)
        for one in pieces:
            words, parts = words_of(one.edit.lead if one.edit is not None else "")
            self._words, self._parts = self._words | words, self._parts | parts
            for path in (*one.paths, *one.nearby):
                self._paths[_name(path)].add(path)

    def names(self, path: str) -> bool:
        """Return whether the answer may name the file at `path` for one of them."""
        is_known = _name(path).casefold() in self._words or _stem(path) in self._parts
        is_known = is_known or any(may_hold(path, each) for each in self._languages)
        return is_known or any(ends_alike(path, each) for each in self._paths.get(_name(path), ()))

    def texts_in(self, text: str) -> Iterator[str]:
        """Yield the texts asked for that a file has; what has none of one piece has no place for it."""
        if len(self._needles) <= _FEW:
            yield from (needle for needle in self._needles if needle in text)
            return
        for word in ["", *self._by_word.keys() & set(IDENTIFIER.findall(text))]:
            yield from (needle for needle in self._by_word.get(word, ()) if needle in text)


class Candidates:
    """Some files by their names and by what they have, for some pieces of code."""

    def __init__(self, files: Mapping[str, str], pieces: Sequence[Unplaced]) -> None:
        self._files = files
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._by_stem: dict[str, list[str]] = defaultdict(list)
        self._with_text: dict[str, list[str]] = defaultdict(list)
        self._lines: dict[str, frozenset[str]] = {}
        self._defined: dict[str, frozenset[str]] = {}
        wanted = Sought(pieces)
        for path, text in files.items():
            self._by_name[_name(path).casefold()].append(path)
            self._by_stem[_stem(path)].append(path)
            for needle in wanted.texts_in(text):
                self._with_text[needle].append(path)

    def called(self, paths: Iterable[str]) -> list[str]:
        """Return the files that paths end as, or that end as they do; those that they are, if any are."""
        paths = list(paths)
        exact = [path for path in dict.fromkeys(paths) if path in self._files]
        if exact and len(exact) == len(set(paths)):
            return exact
        found = (
            path
            for each in paths
            for path in self._by_name.get(_name(each).casefold(), ())
            if ends_alike(path, each)
        )
        return list(dict.fromkeys(found))

    def with_name(self, words: Iterable[str]) -> list[str]:
        """Return the files whose names are among words."""
        return [path for word in words for path in self._by_name.get(word, ())]

    def with_stem(self, words: Iterable[str]) -> list[str]:
        """Return the files whose names without their suffix are among words."""
        return [path for word in words for path in self._by_stem.get(word, ())]

    def of(self, one: Unplaced) -> list[str]:
        """Return the files that may have a place for code, as their names or texts tell."""
        words, parts = words_of(one.edit.lead if one.edit is not None else "")
        texts = (path for needle in needles_of(one) for path in self._with_text.get(needle, ()))
        named = (*self.called((*one.paths, *one.nearby)), *self.with_name(words), *self.with_stem(parts))
        return list(dict.fromkeys((*named, *texts)))

    def defining(self, names: set[str], one: Unplaced) -> list[str]:
        """Return the files that have all definitions that code shows."""
        found = self.of(one) if names else ()
        return [path for path in found if may_be_alike(one, path) and names <= self._names_in(path)]

    def having(self, one: Unplaced) -> list[str]:
        """Return the files that have all definitions in backquotes above code but for those that it shows."""
        lead = one.edit.lead if one.edit is not None else ""
        every = _said_above(one).difference(needles_of(one), _bound_in(one))
        last = every.intersection(_SAID.findall(last_sentence(lead)))
        texts = dict.fromkeys(path for name in sorted(every) for path in self._with_text.get(name, ()))
        alike = [path for path in texts if may_be_alike(one, path)]
        found = (
            [path for path in alike if names and names <= self._names_in(path)] for names in (every, last)
        )
        return next(filter(None, found), [])

    def binding(self, one: Unplaced) -> list[str]:
        """Return the files that give all names a value, in the same words, which code gives another."""
        heads = _heads_in(one)
        paths = dict.fromkeys(path for head in heads for path in self._with_text.get(_key(head), ()))
        bound = ((path, {head_of(line, keys=True) for line in self.lines_of(path)}) for path in paths)
        return [path for path, known in bound if may_be_alike(one, path) and heads <= known]

    def alike(self, one: Unplaced, *, is_asked: bool) -> list[str]:
        """Return the one file of the kind of code that has lines of it, by a clear margin, and not all.

        Where code is asked for, the only file of its kind needs to have none, unless that is one of data.
        """
        shown = lines_of_code(one)
        kind = [path for path in self._files if may_hold(path, one.language)]
        found = defaultdict[str, float](float)
        for line in _sought_lines(one):
            paths = [path for path in self._with_text.get(line, ()) if line in self.lines_of(path)]
            paths = [path for path in paths if not one.language or path in kind]
            for path in paths:
                found[path] += 1 / len(paths)
        if one.language in _DOCUMENTS and one.edit is not None and one.edit.lead:
            return []
        if not found and len(kind) == 1 and is_asked and one.language not in _DATA:
            return kind
        best, second = (*sorted(found, key=lambda path: -found[path]), "", "")[:2]
        is_clear = found[best] >= max(min(1, len(kind)), _MARGIN * found[second])
        return [best] if best and is_clear and not shown <= self.lines_of(best) else []

    def is_like(self, edit: Edit, path: str) -> bool:
        """Return whether enough lines of the code, heads of definitions aside, are in a file."""
        syntaxes = syntaxes_of(path)
        lines = [line.strip() for line in plain_lines(plain(edit.replace))]
        lines = [
            line
            for line in lines
            if len(line) >= _SHORTEST and not (syntaxes and header_name(line, syntaxes[0])[0])
        ]
        known = self.lines_of(path)
        return bool(lines) and sum(line in known for line in lines) >= _LEAST * len(lines)

    def lines_of(self, path: str) -> frozenset[str]:
        """Return the lines of a file, without what is around their words."""
        if path not in self._lines:
            lines = plain_lines(plain(self._files[path]))
            self._lines[path] = frozenset(line.strip() for line in lines)
        return self._lines[path]

    def has_most_of(self, one: Unplaced, paths: Iterable[str]) -> bool:
        """Return whether one of some files has most of several lines: they are another version of its own."""
        shown = lines_of_code(one)
        there = max((len(shown & self.lines_of(path)) for path in paths), default=0)
        return len(shown) >= _SEVERAL_LINES and there >= _MOST * len(shown)

    def _names_in(self, path: str) -> frozenset[str]:
        if path not in self._defined:
            names = definitions_in(self._files[path], path)
            self._defined[path] = frozenset(name.rpartition(".")[2] for name in names)
        return self._defined[path]


def may_be_alike(one: Unplaced, path: str) -> bool:
    """Return whether code may be in the language of the file at `path`."""
    if not one.suffix:
        return True
    own, other = (_languages(each) for each in (f"x.{one.suffix}", path))
    return not own.isdisjoint(other) if own else not other


@lru_cache(maxsize=1024)
def _languages(path: str) -> frozenset[str]:
    """Return the languages that a file may have code in; all kinds of JavaScript, or of C, are one."""
    syntaxes = (*syntaxes_of(path), *syntaxes_within(path))
    names = (each.family if each.family == "javascript" else each.grammar for each in syntaxes)
    return frozenset("c" if name == "cpp" else name for name in names)


def joined_file(one: Unplaced, edits: Sequence[Edit]) -> str:
    """Return the file of the code that a piece of code follows with no more than a word in between."""
    before = max(
        (edit for edit in edits if edit.span[1] <= one.span[0]), key=lambda edit: edit.span, default=None
    )
    is_near = before is not None and one.span[0] - before.span[1] <= _JOINT
    return before.path if before is not None and is_near and may_be_alike(one, before.path) else ""


def definitions_in(text: str, path: str) -> set[str]:
    """Return the names of the definitions in a text, or in a part of it."""
    lines, syntaxes = plain_lines(plain(text)), syntaxes_of(path)
    return {name for line in lines for each in syntaxes if (name := header_name(line, each)[0])}


def only_calls(code: str, suffix: str, texts: Sequence[tuple[str, str]]) -> bool:
    """Return whether code defines nothing and calls what texts, with their paths, define."""
    if not code or definitions_in(code, f"x.{suffix}"):
        return False
    for text, path in texts:
        for name in (name.rpartition(".")[2] for name in definitions_in(text, path)):
            # only a method is called as what an object has
            is_method = re.search(rf"(?m)^[ \t]+\S.*\b{re.escape(name)}\(|^[ \t]+{re.escape(name)}\(", text)
            edge = r"(?<![\w$])" if is_method else r"(?<![\w$.>:])"
            if re.search(rf"{edge}{re.escape(name)}\(", code):
                return True
    return False


def _outermost(text: str) -> list[str]:
    """Return the lines of a text that are indented least."""
    lines = [line for line in plain_lines(plain(text)) if line.strip()]
    depth = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return [line for line in lines if line[depth : depth + 1].strip()]


def outermost_in(text: str, path: str) -> set[str]:
    """Return the last words of the names of the definitions in a text that are in no other one there."""
    outer = "\n".join(_outermost(text))
    return {name.rpartition(".")[2] for name in definitions_in(outer, path)}


def names_bound_in(edit: Edit, path: str = "", *, outermost: bool = False) -> set[str]:
    """Return the names that the new text of an edit binds in its file, whose path may be another.

    Of the variables, with `outermost`, only those of the file.
    """
    text = edit.replace or edit.content or ""
    names = (name.rpartition(".")[2] for name in definitions_in(text, path or edit.path))
    lines = (line for line in plain_lines(plain(text)) if not outermost or line[:1].strip())
    return {*bound_names(lines), *names}


@lru_cache(maxsize=64)
def words_of(lead: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words above code that may be names of files, and these with what is between their dots."""
    names = frozenset(word.casefold() for word in _WORD.findall(lead))
    return names, names.union(part for word in names for part in word.split("."))


def ends_alike(path: str, name: str) -> bool:
    """Return whether one of two paths ends as the other is."""
    return path == name or path.endswith(f"/{name}") or name.endswith(f"/{path}")


@lru_cache(maxsize=1024)
def lines_of_code(one: Unplaced) -> frozenset[str]:
    """Return the lines of code without what is around their words; no marks, and none without words."""
    code = one.edit.search or one.edit.replace if one.edit is not None else one.code
    lines = (line.strip() for line in plain_lines(plain(code)) if not is_mark(line))
    return frozenset(line for line in lines if len(line) >= _SHORTEST and IDENTIFIER.search(line))


@lru_cache(maxsize=1024)
def _sought_lines(one: Unplaced) -> tuple[str, ...]:
    """Return the longest lines of code; of definitions, files have the first lines in common."""
    syntaxes = syntaxes_of(f"x.{one.suffix}")[:1]
    lines = sorted(lines_of_code(one), key=lambda line: (-len(line), line))
    return tuple(line for line in lines if not any(header_name(line, each)[0] for each in syntaxes))[
        :_MOST_LINES
    ]


def _sought(one: Unplaced) -> Iterator[str]:
    yield from (*needles_of(one), *_said_above(one), *map(_key, _heads_in(one)), *_sought_lines(one))


def _key(head: tuple[str, ...]) -> str:
    return head[-1].strip("'\"")


@lru_cache(maxsize=1024)
def _heads_in(one: Unplaced) -> frozenset[tuple[str, ...]]:
    """Return what is before the values that code gives names; none unless it is a change, and no more."""
    if one.edit is None or one.edit.operation is not Operation.MERGE or not one.is_change:
        return frozenset()
    lines = [line for line in _outermost(one.edit.replace) if not line.lstrip().startswith(CLOSES)]
    heads = frozenset(head_of(line, keys=True) for line in lines[: _MOST_HEADS + 1])
    return heads if () not in heads and len(heads) <= _MOST_HEADS else frozenset()


@lru_cache(maxsize=1024)
def _bound_in(one: Unplaced) -> frozenset[str]:
    """Return the names to which code gives a value itself."""
    lines = _outermost(one.edit.replace if one.edit else "")
    return frozenset(head[-1] for line in lines if (head := head_of(line)))


def _said_above(one: Unplaced) -> frozenset[str]:
    return frozenset(_SAID.findall(one.edit.lead) if one.edit is not None and not one.paths else ())


@lru_cache(maxsize=1024)
def needles_of(one: Unplaced) -> tuple[str, ...]:
    """Return texts of which a file has one if it may have a place for code."""
    edit = one.edit or one.quoted
    code = edit.search or edit.replace if edit is not None else one.code
    lines = [line.strip() for line in plain_lines(plain(code))]
    if edit is not None and edit.operation is Operation.MERGE:
        syntaxes = syntaxes_of(f"x{one.suffix and '.'}{one.suffix}") or SYNTAXES
        names = {header_name(line, syntax)[0] for line in lines for syntax in syntaxes}
        words = {name.rpartition(".")[2].rpartition(" ")[2].strip("'\"`") for name in names if name}
        if words - {""}:
            return tuple(sorted(words - {""}))
    return tuple(sorted({line for line in lines if line}, key=len, reverse=True)[:_MOST_NEEDLES])


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _stem(path: str) -> str:
    name = _name(path).casefold()
    return name.rpartition(".")[0] or name
