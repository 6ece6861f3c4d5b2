"""The forms in which a text writes a path: bare, in quotes, as a link, with a line number behind it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile

from patchpoint.formats.spelling import set_of_words
from patchpoint.text.regex import regex

_EXTENSION = regex(r"[^\s/\\.]\.[A-Za-z][A-Za-z0-9_+-]{0,11}\Z|(?:\A|[/\\])\.[A-Za-z][\w.-]*\Z")
_IMPOSSIBLE = regex(
    r"[\x00-\x1f<>|*?\"{};!&^`…]|://|\.\.\.|, |：|:\s|[/\\.:\s]\Z|\A[-/\\]?\Z"
    r"|\A[^/\\]*[()\[\]=,$]|\A[^/\\.]{2,}:|\A[\w.+-]+@[\w-]+\.[\w.-]+\Z"
)
_INFO_NAMED = regex(
    r"""(?:\A|[\s{,:])(?:file(?:name|path)?|path|title|src)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s"'`{}=,]+))""",
    re.IGNORECASE,
)
_INFO_LAST = regex(r"""(?:\A|[\s{,:"'])([^\s"'`{}=]+)["']?\}?\Z""")
_LINK = regex(r"\[([^\[\]\n]{1,300})\]\(<?([^()<>\s]{1,600})>?(?: \"[^\"\n]*\")?\)")
_QUOTED = regex(r"`+([^`\n]{1,400}?)`+|\*\*([^*`\n]{1,400}?)\*\*")
_IN_BACKQUOTES = regex(r"`+[^`\n]{1,400}?`+")
_BARE = regex(
    r"(?<![\w/.@$:<(\[\\-])(?:\.{0,2}/)?(?:[\w@+-][\w.@+-]{0,80}/){0,20}[\w@+-][\w.@+-]{0,80}\.[A-Za-z]\w{0,11}"
    r"(?::\d+(?:[:-]\d+)*|#L\d+(?:-L?\d+)?)?(?![\w/(\[=])"
)
_LINE = regex(
    r"(?::(?:L|line )?|#L|,? \(?(?:(?:at|on|near|around) )?lines? |,?\(lines? )(?P<line>\d{1,7})(?:C\d+)?"
    r"(?: ?(?:[-–:]|to|and) ?L?\d{1,7})*\)?\Z"
)

_BARE_NAMES = set_of_words("""
makefile dockerfile containerfile jenkinsfile vagrantfile procfile gemfile rakefile justfile brewfile
pipfile license licence readme changelog authors notice codeowners build workspace copying install news
todo
""")
_SOURCE_EXTENSIONS = set_of_words("""
ada adb adoc arb asm astro awk babelrc bash bat bats bazel bib bzl c cabal cc cfg cjs clj cljs cmake cmd
coffee conf cpp cr cs csproj css csv cts cu cxx d dart diff dockerignore editorconfig edn el elm entitlements
env erb erl eslintrc ex exs f90 fish fs fsproj fsx gd gemspec gitattributes gitignore gleam glsl go gql gradle
graphql groovy h haml hbs hcl heex hpp hrl hs htm html hxx idl ini ipynb j2 java jinja jinja2 jl js json json5
jsonc jsx kdl kt kts less lisp lock lua m make md mdx mjs mk ml mli mm mod mts mustache nim nix npmrc nu nvmrc
org pas pbxproj php pkl pl plist pm po podspec prettierrc prisma properties proto ps1 pug py pyi pyw pyx qml r
rake rb re rego res resx rkt rmd ronn rs rst sass sbt scala scm scss sh sln sol sql storyboard styl sum sv
svelte svg swift tcl template tex tf tfvars thrift tmpl toml tpl ts tsv tsx twig txt v vb vbproj vhd vim vue
wat webmanifest wgsl xaml xib xml xsd xsl yaml yml zig zon zsh
""")
_NOT_FILES_UNQUOTED = set_of_words("""
env conf lock template properties org mod sum make diff d m r v re res ex cr el
""")
_PRODUCTS = set_of_words("""
node next nuxt vue react express three d3 asp vb ember backbone angular alpine chart moment discord socket p5
paper babylon solid koa nest meteor knockout handlebars mustache require deno bun ml web
""")
"""Names of products that look like those of files: with one of these endings."""
_SENTENCE_WORDS = set_of_words("""
the a an is are was of for in to with and or here here's here’s this that these your new updated full whole
complete final file version code change changes update create add now then see use replace edit fix
""")
"""Words of a sentence that has a path, rather than of a path that has spaces."""


def is_path(text: str) -> bool:
    """Return whether a text is plainly a path: by a separator, an extension, or a usual name of a file."""
    return 0 < len(text) <= 400 and _is_short_path(text)


@lru_cache(maxsize=1024)
def _is_short_path(text: str) -> bool:
    # the same words are above many edits, and are asked about by several formats
    if _IMPOSSIBLE.search(text):
        return False
    if text.casefold() in _BARE_NAMES:
        return True
    slashed = "/" in text or "\\" in text
    words = text.casefold().split()
    if len(words) > 1 or words[0] != text.casefold():
        is_sentence = not _SENTENCE_WORDS.isdisjoint(words)
        return slashed and _EXTENSION.search(text) is not None and len(words) <= 6 and not is_sentence
    return slashed or _EXTENSION.search(text) is not None


def names_a_source(path: str) -> bool:
    """Return whether a text is the path of a file that an answer may well edit, by its extension or name.

    The name of a product, such as `Node.js`, is none.
    """
    if not is_path(path) or is_product(path):
        return False
    name = path.replace("\\", "/").rpartition("/")[2]
    if name.casefold() in _BARE_NAMES:
        return name[:1].isupper()
    endings = name.casefold().split(".")[1:]
    # `.env.example` is another `.env`
    return not _SOURCE_EXTENSIONS.isdisjoint(endings if name.startswith(".") else endings[-1:])


def is_product(text: str) -> bool:
    """Return whether a text is the name of a product, such as `Node.js`."""
    name, _, ending = text.casefold().partition(".")
    return name in _PRODUCTS and ending in ("js", "ts", "net", "io", "py")


def without_line(path: str) -> str:
    """Return a path without the line number behind it (`a.py:66`, `a.py#L66`, `a.py, line 66`)."""
    found = _line_of(path)
    return path[: found.start()] if found else path


def line_behind(text: str) -> int | None:
    """Return the number of the line that is written behind a path."""
    found = _line_of(text)
    return int(found["line"]) or None if found else None


def _line_of(text: str) -> re.Match[str] | None:
    found = _LINE.search(text) if text and (text[-1].isdigit() or text[-1] == ")") else None
    return found if found and is_path(text[: found.start()].strip("*`\"' ")) else None


def without_links(text: str) -> str:
    """Return a text with the path that each Markdown link is to, in backquotes in its place."""
    return _LINK.sub(_linked, text) if "](" in text else text


def paths_quoted(text: str) -> tuple[str, ...]:
    """Return the paths that a sentence has in backquotes or in bold, where they are plainly files."""
    paths = (without_line((code or bold).strip().rstrip(":")) for code, bold in _QUOTED.findall(text))
    return tuple(filter(names_a_source, paths))


def paths_unquoted(text: str) -> tuple[str, ...]:
    """Return the paths that a sentence has without any quotes, where they are plainly files."""
    found = []
    for each in _BARE.finditer(_IN_BACKQUOTES.sub(" ", text)):
        path = without_line(each[0])
        extension = path.rpartition(".")[2].casefold()
        is_file = "/" in path or path == "go.mod" or extension not in _NOT_FILES_UNQUOTED
        found += [path] if is_file and names_a_source(path) else []
    return tuple(found)


def path_on_fence(info: str) -> str:
    """Return the path in the info string of a fence (`ts title="src/app.ts"`), or an empty text."""
    if not info or len(info) > 500:
        return ""
    named = _INFO_NAMED.search(info)
    if named:
        path = without_line((named[1] or named[2] or named[3]).strip())
        path = path if is_path(path) else path.partition(" (")[0]
        if is_path(path):
            return path
    info = without_line(info)
    found = _INFO_LAST.search(info)
    path = found[1].rpartition(":")[2] if found else ""
    return path if is_path(path) and (path != info or "/" in path or names_a_source(path)) else ""


def _linked(link: re.Match[str]) -> str:
    """Return the path of a link: its target if that is one, or what it shows."""
    name, target = link[1].strip("*`\"' "), link[2]
    bare, _, anchor = target.partition("#")
    line = "".join(takewhile(str.isdigit, anchor.removeprefix("L")))
    behind = f":{line}" if line and not line_behind(name) else ""
    bare = bare.removeprefix("./")
    if is_path(bare) and names_a_source(bare) and not target.startswith("/"):
        return f"`{bare}{behind}`"
    return f"`{name}{behind}`" if is_path(without_line(name)) else link[0]


def are_of_one_file(path: str, other: str) -> bool:
    """Return whether two paths may be of one file: one of them may leave out folders of the other."""
    return path == other or path.endswith(f"/{other}") or other.endswith(f"/{path}")
