"""The file that a block is for: the path above it, on its fence, or in the sentence before it."""

from __future__ import annotations

import re

from patchpoint.formats.fences import FENCE
from patchpoint.formats.source import AnswerText

_NEAR = 12
"""The number of lines above a block among which the nearest one that is not blank is sought."""
_DECORATIONS = frozenset("#*`")
_FAR = 40
"""The number of lines above that one among which a heading with a path is sought."""

_BEFORE_PATH = re.compile(r"(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|//+\s*|#+\s*|--\s+|;+\s*|<!--\s*|/\*+\s*)")
_COMMENT = re.compile(r"//|#(?!#* )|--|;|<!--|/\*")
_NAMED = re.compile(
    r"[*_`\s]*(?:file\s?name|file\s?path|full\s?path|new\s?file|file|path)[*_`\s]*[:=][*_`\s]*(?=\S)",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\s*(?:-->|\*/|\([^()]{1,60}\))\s*\Z")
_QUOTED = re.compile(r"`+([^`\n]{1,400}?)`+|\*\*([^*`\n]{1,400}?)\*\*")
_EXTENSION = re.compile(r"[^\s/\\.]\.[A-Za-z][A-Za-z0-9_+-]{0,11}\Z|(?:\A|[/\\])\.[A-Za-z][\w.-]*\Z")
_IMPOSSIBLE = re.compile(
    r"[\x00-\x1f<>|*?\"{};!&^`…]|://|\.\.\.|, |[/\\.:\s]\Z|\A[-/\\]?\Z|\A[^/\\]*[()\[\]=,$]"
)
_INFO_PATH = re.compile(
    r"""(?:\A|[\s{,:])(?:(?:file(?:name|path)?|path|title|src)\s*[=:]\s*)?["']?([^\s"'`{}=]+)["']?\}?\Z""",
    re.IGNORECASE,
)

_BARE_NAMES = """
makefile dockerfile containerfile jenkinsfile vagrantfile procfile gemfile rakefile justfile brewfile
pipfile license licence readme changelog authors notice codeowners build workspace copying install news
todo
"""
_NOT_PATHS = """
python py javascript js jsx typescript ts tsx java kotlin scala go golang rust c cpp c++ csharp c# php
ruby perl lua swift r sql html css scss xml json jsonc yaml yml toml ini markdown md text txt plaintext
plain bash sh shell zsh console powershell diff patch code copy edit edits svelte vue dart elixir haskell
ocaml output example search replace before after original updated changes change usage note
"""
_VERBS = """
in edit edits update updated modify change changes create add file to the for see fix here now then and
also patch replace rewrite open inside within from at first next finally second updates modifications
"""
_SOURCE_EXTENSIONS = """
ada adb asm astro awk bash bat bazel bib bzl c cabal cc cfg clj cljs cmake cmd coffee conf cpp cr cs
csproj css csv cts cu cxx d dart diff edn el elm env erb erl ex exs f90 fish fs fsx gd gitignore glsl go
gql gradle graphql groovy h haml hbs hcl hpp hrl hs htm html hxx idl ini ipynb java jinja jinja2 jl js
json json5 jsonc jsx kt kts less lisp lock lua m make md mdx mjs mk ml mli mm mod mts nim nix nu org pas
php pl plist pm po podspec prisma properties proto ps1 pug py pyi pyx qml r rb re res rkt rmd rs rst sass
sbt scala scm scss sh sln sol sql styl sum sv svelte svg swift tcl template tex tf tfvars thrift tmpl
toml ts tsv tsx twig txt v vb vhd vim vue wat webmanifest wgsl xaml xml xsd xsl yaml yml zig zsh
"""
_bare_names = frozenset(_BARE_NAMES.split())
_not_paths = frozenset(_NOT_PATHS.split())
_verbs = frozenset(_VERBS.split())
_source_extensions = frozenset(_SOURCE_EXTENSIONS.split())


def paths_above(
    source: AnswerText, line: int, lower_bound: int, *, any_word: bool = False
) -> tuple[str, ...]:
    """Return the paths that the text above the block on `line` names for it, each once.

    Lines before `lower_bound` are not looked at. None means that no file is named, and several that the text
    contradicts itself. With `any_word`, a single word close above passes for a path.
    """
    on_fence = ""
    nearest = line - 1
    lowest = max(lower_bound, line - _NEAR)
    while nearest >= lowest:
        text = source.bare(nearest)
        fence = FENCE.match(text)
        if fence and not on_fence and nearest >= line - 3:
            on_fence = path_on_fence(fence[2])
        if text and not fence:
            break
        nearest -= 1
    above: tuple[str, ...] = ()
    if nearest >= lowest:
        alone = path_alone(source.bare(nearest), any_word=any_word and nearest >= line - 2)
        if alone:
            above = (alone,)
        else:
            above = _distinct(
                (*_headed(source, nearest - 1, lower_bound), *paths_mentioned(source.bare(nearest)))
            )
    return _distinct((on_fence, *above))


def path_of_block(
    source: AnswerText, line: int, lower_bound: int, known_path: str, label: str = ""
) -> tuple[str, str]:
    """Return the path of the block on `line`, or an empty one and what is wrong.

    The `label` on the block's own marker counts first, then the text above it, then `known_path`: the path of
    the block before, or the one that the caller named.
    """
    if label:
        return label, ""
    paths = paths_above(source, line, lower_bound, any_word=not known_path)
    if len(paths) > 1:
        return "", f"two files are named for this block, {' and '.join(paths[:2])}; one was expected"
    if paths:
        return paths[0], ""
    return (
        known_path,
        "" if known_path else "no file is named for this block; its path was expected on the line above it",
    )


def path_alone(text: str, *, any_word: bool = False) -> str:
    """Return the path on a line that is a path and nothing else (decorated or not), or an empty text.

    With `any_word`, a single word that is not the name of a programming language passes for a path.
    """
    if len(text) > 500:
        return ""
    text = text.strip()
    for _ in range(2):
        text = _BEFORE_PATH.sub("", text, count=1) if _BEFORE_PATH.match(text) else text
    named = _NAMED.match(text)
    if named:
        text = text[named.end() :]
    for _ in range(3):
        text = _REMARK.sub("", text).strip().strip("*`\"'").rstrip(":").strip()
    words = text.split()
    if len(words) > 1 and words[0].casefold().rstrip(":") in _verbs and not named:
        text = words[-1].strip("*`\"'").rstrip(":") if len(words) <= 4 else ""
        return text if is_path(text) and _names_a_source(text) else ""
    if is_path(text):
        return text
    if (
        (any_word or named)
        and re.fullmatch(r"(?=[\W\d]*[A-Za-z])\w[\w.+-]{1,80}", text)
        and text.casefold() not in _not_paths
    ):
        return text
    return ""


def paths_mentioned(text: str) -> tuple[str, ...]:
    """Return the paths that a sentence has in backquotes or in bold, where they are plainly files."""
    if len(text) > 2000:
        return ()
    found = (code or bold for code, bold in _QUOTED.findall(text))
    return _distinct(tuple(path for path in (f.strip().rstrip(":") for f in found) if _names_a_source(path)))


def is_path(text: str) -> bool:
    """Return whether a text is plainly a path: by a separator, an extension, or a usual name of a file."""
    if not text or len(text) > 400 or _IMPOSSIBLE.search(text):
        return False
    if text.casefold() in _bare_names:
        return True
    slashed = "/" in text or "\\" in text
    if any(c.isspace() for c in text):
        return slashed and _EXTENSION.search(text) is not None and len(text.split()) <= 6
    return slashed or _EXTENSION.search(text) is not None


def path_on_fence(info: str) -> str:
    """Return the path in the info string of a fence (`ts title="src/app.ts"`), or an empty text."""
    if not info or len(info) > 500:
        return ""
    found = _INFO_PATH.search(info)
    path = found[1].rpartition(":")[2] if found else ""
    return path if is_path(path) and (path != info or "/" in path or _names_a_source(path)) else ""


def _headed(source: AnswerText, nearest: int, lower_bound: int) -> tuple[str, ...]:
    """Return the path of the closest heading, bold line or `File:` line above."""
    for line in range(nearest, max(lower_bound, nearest - _FAR) - 1, -1):
        text = source.lines[line].strip()
        decorated = text[:1] in _DECORATIONS or _NAMED.match(text)
        if decorated and not (_COMMENT.match(text)):
            path = path_alone(text)
            if path:
                return (path,)
    return ()


def _names_a_source(path: str) -> bool:
    if not is_path(path):
        return False
    if path.casefold() in _bare_names:
        return path[:1].isupper()
    return path.rpartition(".")[2].casefold() in _source_extensions and "." in path


def _distinct(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return each path once, without those that another one ends with (`app.py` of `src/app.py`)."""
    distinct = dict.fromkeys(path for path in paths if path)
    return tuple(path for path in distinct if not any(full.endswith(f"/{path}") for full in distinct))
