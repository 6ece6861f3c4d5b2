"""Which file a block is said to be for: the path above it, on its fence, or in the sentence before it."""

from __future__ import annotations

import re

from patchpoint.formats.fences import FENCE
from patchpoint.formats.source import Source

_NEAR = 12
"""How many lines above a block are looked through for the nearest one that says something."""
_DECORATIONS = frozenset("#*`")
_FAR = 40
"""How many lines above that are looked through for a heading with a path."""

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
_NO_NAMES = """
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
_no_names = frozenset(_NO_NAMES.split())
_verbs = frozenset(_VERBS.split())
_source_extensions = frozenset(_SOURCE_EXTENSIONS.split())


def paths_above(source: Source, line: int, floor: int, *, any_word: bool = False) -> tuple[str, ...]:
    """The paths that the text above `line` gives to the block there, looking no higher than line `floor`.

    One path is the answer, none means that it is not said, and several that it is said in several ways. A
    single word close above passes for a path where `any_word` says so.
    """
    on_fence = ""
    nearest = line - 1
    lowest = max(floor, line - _NEAR)
    while nearest >= lowest:
        said = source.bare(nearest)
        fence = FENCE.match(said)
        if fence and not on_fence and nearest >= line - 3:
            on_fence = path_on_fence(fence[2])
        if said and not fence:
            break
        nearest -= 1
    above: tuple[str, ...] = ()
    if nearest >= lowest:
        alone = path_alone(source.bare(nearest), any_word=any_word and nearest >= line - 2)
        if alone:
            above = (alone,)
        else:
            above = _distinct((*_headed(source, nearest - 1, floor), *paths_mentioned(source.bare(nearest))))
    return _distinct((on_fence, *above))


def path_of_block(source: Source, line: int, floor: int, known: str, beside: str = "") -> tuple[str, str]:
    """The path of the block on `line`, or an empty one and what is wrong.

    What is said `beside` the block's own marker counts first, then what stands above it, then `known`: the
    path of the block before, or the one that the caller says is meant.
    """
    if beside:
        return beside, ""
    paths = paths_above(source, line, floor, any_word=not known)
    if len(paths) > 1:
        return "", f"two files are named for this block, {' and '.join(paths[:2])}; one was expected"
    if paths:
        return paths[0], ""
    return (
        known,
        "" if known else "no file is named for this block; its path was expected on the line above it",
    )


def path_alone(said: str, *, any_word: bool = False) -> str:
    """The path on a line that says a path and nothing else (decorated or not), or an empty text.

    `any_word` lets a single word that is no programming language's name pass for a path.
    """
    if len(said) > 500:
        return ""
    said = said.strip()
    for _ in range(2):
        said = _BEFORE_PATH.sub("", said, count=1) if _BEFORE_PATH.match(said) else said
    named = _NAMED.match(said)
    if named:
        said = said[named.end() :]
    for _ in range(3):
        said = _REMARK.sub("", said).strip().strip("*`\"'").rstrip(":").strip()
    words = said.split()
    if len(words) > 1 and words[0].casefold().rstrip(":") in _verbs and not named:
        said = words[-1].strip("*`\"'").rstrip(":") if len(words) <= 4 else ""
        return said if _is_path(said) and _names_a_source(said) else ""
    if _is_path(said):
        return said
    if (
        (any_word or named)
        and re.fullmatch(r"(?=[\W\d]*[A-Za-z])\w[\w.+-]{1,80}", said)
        and said.casefold() not in _no_names
    ):
        return said
    return ""


def paths_mentioned(said: str) -> tuple[str, ...]:
    """The paths that a sentence sets off with backquotes or in bold, where they are plainly files."""
    if len(said) > 2000:
        return ()
    found = (code or bold for code, bold in _QUOTED.findall(said))
    return _distinct(tuple(path for path in (f.strip().rstrip(":") for f in found) if _names_a_source(path)))


def path_on_fence(info: str) -> str:
    """The path beside an opening fence (`python src/app.py`, `ts title="src/app.ts"`), or an empty text."""
    if not info or len(info) > 500:
        return ""
    found = _INFO_PATH.search(info)
    path = found[1].rpartition(":")[2] if found else ""
    return path if _is_path(path) and (path != info or "/" in path or _names_a_source(path)) else ""


def _headed(source: Source, nearest: int, floor: int) -> tuple[str, ...]:
    """The path of the closest heading, bold line or `File:` line above."""
    for line in range(nearest, max(floor, nearest - _FAR) - 1, -1):
        said = source.lines[line].strip()
        decorated = said[:1] in _DECORATIONS or _NAMED.match(said)
        if decorated and not (_COMMENT.match(said)):
            path = path_alone(said)
            if path:
                return (path,)
    return ()


def _is_path(said: str) -> bool:
    if not said or len(said) > 400 or _IMPOSSIBLE.search(said):
        return False
    if said.casefold() in _bare_names:
        return True
    slashed = "/" in said or "\\" in said
    if any(c.isspace() for c in said):
        return slashed and _EXTENSION.search(said) is not None and len(said.split()) <= 6
    return slashed or _EXTENSION.search(said) is not None


def _names_a_source(path: str) -> bool:
    if not _is_path(path):
        return False
    if path.casefold() in _bare_names:
        return path[:1].isupper()
    return path.rpartition(".")[2].casefold() in _source_extensions and "." in path


def _distinct(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Each path once, and without those that another one says in full (`app.py` beside `src/app.py`)."""
    told = dict.fromkeys(path for path in paths if path)
    return tuple(path for path in told if not any(full.endswith(f"/{path}") for full in told))
