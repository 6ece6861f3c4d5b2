"""What commands of a shell say, as far as nothing but their words does: which files they edit, and how."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format, Operation, Target, TargetKind
from patchpoint.formats.path_forms import is_path, names_a_source
from patchpoint.formats.spelling import words_of
from patchpoint.text.regex import regex

_TOKEN = regex(
    r"""(?P<space>[ \t]+|\\\r?\n)|(?P<joint>&&|\|\||[;|\n&](?![>&]))|(?P<sign>&>>?|\d?>>?(?:&\d)?|<{1,3}-?)
    |(?P<word>(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\;|&<>])+)""",
    re.DOTALL | re.VERBOSE,
)
_PART = regex(r"""'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)""", re.DOTALL)
_IN_QUOTES = regex(r"\\([\\\"$`\n])")
_EXPANDED = regex(r"(?<!\\)(?:\$[\w({'\"@*#?!-]|`)")
_BARE = regex(r"[$`*?\[{!]|\A~[^/]")
_SETS = regex(r"\w+=")
_FIRST = words_of("sudo command env time then do else")
_CHANGES = words_of("""
mv cp patch tee truncate install ln dd rsync ed ex sponge rename unlink shred split unzip tar codemod
""")
_GIT_CHANGES = words_of("apply am mv rm revert cherry-pick merge pull")
_GENERATED = regex(
    r"(?:\A|/)(?:node_modules|dist|build|out|target|coverage|__pycache__|\.?venv|tmp|bin|obj|vendor"
    r"|\.(?:next|nuxt|cache|pytest_cache|mypy_cache|parcel-cache|turbo|vite|tox|gradle))(?:/|\Z)"
    r"|\.(?:bak|orig|rej|tmp|log|pyc|db|sqlite3?)\Z|~\Z|\A/tmp/|lock(?:\.json|\.yaml|b)?\Z"
)
"""What is made again, or is no file of a project."""
_IN_PLACE = regex(r"-[nErsuz]*i.*|--in-place(?:=.*)?")
_OPTION = {
    False: regex(
        r"-i(?:\.\w+)?|--in-place(?:=\.\w+)?|-s|--|(?P<extended>-(?:E|r|Ei|iE|ri|ir)|--regexp-extended)"
        r"|(?P<script>-e|--expression)"
    ),
    True: regex(
        r"-(?:p|w|p?i(?:\.\w+)?)(?P<extended>(?!))?|(?P<script>-(?:e|pe|pie|p?i(?:\.\w+)?e|wpie|wpe))"
    ),
}
"""The options of `sed`, and of `perl`."""
_SAID = "Only a command says so: {}."


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """One command: its words, as far as they are plain, and the files that its output goes to."""

    words: tuple[str, ...]
    is_plain: bool
    """Whether a shell would take all words as they are."""
    outputs: tuple[tuple[str, str], ...] = ()
    """Signs and files: `>` or `>>`."""
    is_fed: bool = False
    """Whether what another command writes, or a file, is what it reads."""


def commands_in(text: str) -> list[ShellCommand]:
    """Return the commands of a line, in order, without what is before them (`sudo`, `NAME=value`)."""
    found: list[ShellCommand] = []
    reached, is_fed, begin = 0, False, len(text)
    tokens = list[re.Match[str]]()
    for token in _TOKEN.finditer(text):
        is_plain = token.start() == reached
        reached = token.end()
        if not is_plain or (token["word"] or "").startswith("#"):
            begin = token.start()
            break
        if not token["space"]:
            tokens.append(token)
    groups: list[list[re.Match[str]]] = [[]]
    for token in tokens:
        if token["joint"]:
            found += _command(groups[-1], is_fed=is_fed)
            is_fed = token["joint"] == "|"
            groups.append([])
        else:
            groups[-1].append(token)
    is_read = begin == len(text) or text.startswith("#", begin)
    last = _command(groups[-1], is_fed=is_fed)
    return [*found, *(each if is_read else replace(each, is_plain=False) for each in last)]


def _command(tokens: Sequence[re.Match[str]], *, is_fed: bool) -> list[ShellCommand]:
    """Return the command of some tokens, if it has words."""
    words: list[str] = []
    outputs: list[tuple[str, str]] = []
    is_plain, sign = True, ""
    for token in tokens:
        if token["sign"]:
            sign = token["sign"]
            is_fed = is_fed or sign.startswith("<")
            continue
        word, is_as_it_is = _word(token["word"])
        is_plain = is_plain and is_as_it_is
        if sign and not sign.startswith("<") and "&" not in sign[1:] and word != "/dev/null":
            outputs.append((sign.lstrip("12&"), word))
        elif not sign:
            words.append(word)
        sign = ""
    return [ShellCommand(tuple(_named(words)), is_plain, tuple(outputs), is_fed)] if words else []


def edits_of(command: ShellCommand, within: Callable[[str], str], made: Container[str]) -> list[Edit] | None:
    """Return the edits that a command is, all in doubt; `None` where it changes files in a way not read.

    `within` returns its paths as they are outside of its folder. The files that were `made` by commands
    before it are not removed by it: they were for these alone.
    """
    edits = _edits_of(command, lambda path: within(path) in made)
    if edits is None:
        return None
    return [
        replace(edit, path=within(edit.path), new_path=within(edit.new_path) if edit.new_path else None)
        for edit in edits
    ]


def _edits_of(command: ShellCommand, is_made: Callable[[str], bool]) -> list[Edit] | None:
    name, rest = (command.words[0].rpartition("/")[2], command.words[1:]) if command.words else ("", ())
    if name == "git" and rest:
        name, rest = f"git {rest[0]}", rest[1:]
    if name in ("sed", "perl", "gsed"):
        return _in_place(name, rest, command)
    if command.outputs and not all(_GENERATED.search(path) for _, path in command.outputs):
        return _written(name, rest, command)
    if name in ("rm", "git rm"):
        return _removed(rest, command, is_made)
    if name in ("mv", "git mv"):
        return _moved(rest, command)
    is_git = name.startswith("git ")
    is_change = name.removeprefix("git ") in (_GIT_CHANGES if is_git else _CHANGES)
    is_change = is_change or any(
        word in ("-i", "inplace") for word in rest[:2] if name in ("yq", "gawk", "awk")
    )
    if name == "xargs" or name == "find":
        is_change = any(word in ("sed", "perl", "-delete", "mv", "rm", "cp") for word in rest)
    return None if is_change and not (rest and _GENERATED.search(rest[-1])) else []


def _named(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a command from its name on."""
    at = 0
    while at < len(words) - 1 and (words[at] in _FIRST or _SETS.match(words[at])):
        at += 1
    yield from words[at:]


def _word(text: str) -> tuple[str, bool]:
    """Return a word as a shell takes it, and whether that is all of it."""
    found, is_plain = "", True
    for single, double, escaped, bare in _PART.findall(text):
        is_plain = is_plain and not (_EXPANDED.search(double) or _BARE.search(bare))
        found += single + _IN_QUOTES.sub(r"\1", double) + escaped + bare
    return found, is_plain


def _in_place(name: str, rest: Sequence[str], command: ShellCommand) -> list[Edit] | None:
    """Return the edits of a command that edits files in place, one for each; none where it only prints."""
    if not any(_IN_PLACE.fullmatch(word) or re.fullmatch(r"-\w*i\S*", word) for word in rest):
        return None if command.outputs else []
    if not command.is_plain or command.is_fed or command.outputs:
        return None
    options = _options(name, rest)
    if options is None:
        return None
    scripts, files, kind = options
    if not scripts or not files or not all(map(is_path, files)):
        return None
    target = Target(TargetKind.COMMAND, "\n".join(scripts), last=kind)
    return [_edit(path, command, operation=Operation.PLACE, target=target) for path in files]


def _options(name: str, rest: Sequence[str]) -> tuple[list[str], list[str], str] | None:
    """Return the scripts, the files and how patterns are written; `None` where an option is not known."""
    is_perl = name == "perl"
    scripts: list[str] = []
    others: list[str] = []
    kind = "perl" if is_perl else ""
    words = iter(rest)
    for word in words:
        is_option = _OPTION[is_perl].fullmatch(word)
        if word.startswith("--expression="):
            scripts.append(word.partition("=")[2])
        elif is_option is None and word.startswith("-"):
            return None
        elif is_option is None:
            # macOS has the suffix of a copy as a word of its own: none
            others += [word] if word else []
        if is_option is not None and (is_option["script"] or word == "--expression"):
            scripts.append(next(words, ""))
        if is_option is not None and is_option["extended"]:
            kind = "E"
    if not scripts and not is_perl:
        scripts, others = others[:1], others[1:]
    return scripts, others, kind


def _written(name: str, rest: Sequence[str], command: ShellCommand) -> list[Edit] | None:
    """Return the line that `echo` or `printf` adds to a file."""
    is_known = command.is_plain and not command.is_fed and len(command.outputs) == 1
    if not is_known or command.outputs[0][0] != ">>" or "".join(rest[:1]).startswith("-"):
        return None
    text = " ".join(rest)
    if name == "printf" and len(rest) == 2 and rest[0] == "%s\\n":
        text = rest[1]
    elif name == "printf" and len(rest) == 1 and text.endswith("\\n") and "%" not in text:
        text = text.removesuffix("\\n")
    elif name != "echo":
        return None
    if "\\" in text:
        return None
    return [_edit(command.outputs[0][1], command, operation=Operation.INSERT, new=f"{text}\n", at_end=True)]


def _removed(rest: Sequence[str], command: ShellCommand, is_made: Callable[[str], bool]) -> list[Edit]:
    """Return the files that are removed; what is generated, or made by the script itself, is none of them."""
    paths = [word for word in rest if not word.startswith("-") and not _GENERATED.search(word)]
    if not command.is_plain or any(map(is_made, paths)) or not all(map(names_a_source, paths)):
        return []
    return [_edit(path, command, operation=Operation.DELETE) for path in paths]


def _moved(rest: Sequence[str], command: ShellCommand) -> list[Edit] | None:
    """Return the file that is moved, if both paths are those of files."""
    paths = [word for word in rest if not word.startswith("-")]
    if not command.is_plain or len(paths) != 2 or not all(map(names_a_source, paths)):
        return None
    return [_edit(paths[0], command, operation=Operation.RENAME, new_path=paths[1])]


def _edit(
    path: str,
    command: ShellCommand,
    *,
    operation: Operation,
    new: str = "",
    target: Target | None = None,
    new_path: str | None = None,
    at_end: bool = False,
) -> Edit:
    shown = " ".join(command.words)
    return Edit(
        path=path,
        operation=operation,
        replace=new,
        target=target,
        new_path=new_path,
        at_end=at_end,
        format=Format.WHOLE_FILE,
        doubt=_SAID.format(shown if len(shown) < 80 else f"{shown[:77]}..."),
    )
