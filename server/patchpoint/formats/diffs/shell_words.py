"""What commands of a shell say, as far as nothing but their words does: which files they edit, and how."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence

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
_BARE = regex(r"[$`*?\[{!()]|\A~[^/]")
_SETS = regex(r"\w+=")
_FIRST = words_of("sudo command env time then do else")
"""What may be before the name of a command."""
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
_IN_PLACE = regex(r"-\w*i.*|--in-place(?:=.*)?")
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
    inputs: tuple[str, ...] = ()
    """The signs of what it reads: `<` of a file, `<<` of a here-document, `|` of another command."""
    outputs: tuple[tuple[str, str], ...] = ()
    """Signs and files: `>` or `>>`."""
    joint: str = ""
    """What is between it and the next one."""

    @property
    def named(self) -> tuple[str, ...]:
        """Its words from its name on, without what may be before that (`sudo`, `NAME=value`)."""
        at = 0
        while at < len(self.words) - 1 and (self.words[at] in _FIRST or _SETS.match(self.words[at])):
            at += 1
        return self.words[at:]


def commands_in(text: str) -> list[ShellCommand]:
    """Return the commands of a line, in order."""
    found: list[ShellCommand] = []
    group: list[re.Match[str]] = []
    reached, fed = 0, ""
    for token in _TOKEN.finditer(text):
        if token.start() != reached or (token["word"] or "").startswith("#"):
            break
        reached = token.end()
        if token["joint"]:
            found += _command(group, fed, token["joint"])
            fed, group = "|" if token["joint"] == "|" else "", []
        elif not token["space"]:
            group.append(token)
    is_read = reached == len(text) or text.startswith("#", reached)
    last = _command(group, fed, "")
    return [*found, *(each if is_read else replace(each, is_plain=False) for each in last)]


def _command(tokens: Sequence[re.Match[str]], fed: str, joint: str) -> list[ShellCommand]:
    """Return the command of some tokens, if it has words."""
    words: list[str] = []
    inputs: list[str] = [fed] if fed else []
    outputs: list[tuple[str, str]] = []
    is_plain, sign = True, ""
    for token in tokens:
        if token["sign"]:
            sign = token["sign"]
            inputs += [sign] if sign.startswith("<") else []
            continue
        word, is_as_it_is = word_in(token["word"])
        is_plain = is_plain and is_as_it_is
        if not sign:
            words.append(word)
        elif not sign.startswith("<") and "&" not in sign[1:] and word != "/dev/null":
            outputs.append((sign, word))
        sign = ""
    return [ShellCommand(tuple(words), is_plain, tuple(inputs), tuple(outputs), joint)] if words else []


def edits_of(command: ShellCommand, within: Callable[[str], str], made: Container[str]) -> list[Edit] | None:
    """Return the edits that a command is, all in doubt; `None` where it changes files in a way not read.

    `within` returns its paths as they are outside of its folder. The files that were `made` by commands
    before it may be removed by it: they were for these alone.
    """
    name, *rest = command.named
    name = name.rpartition("/")[2]
    if name == "git" and rest:
        name, rest = f"git {rest[0]}", rest[1:]
    if name in ("sed", "perl", "gsed"):
        return _in_place(name, rest, command, within)
    if not all(_GENERATED.search(path) for _, path in command.outputs):
        return None
    if name in ("rm", "git rm"):
        paths = [word for word in rest if not word.startswith("-") and not _GENERATED.search(word)]
        is_change = bool(paths) and all(names_a_source(path) and within(path) not in made for path in paths)
        return None if is_change and command.is_plain else []
    is_change = name.removeprefix("git ") in (_GIT_CHANGES if name.startswith("git ") else _CHANGES)
    if name in ("yq", "gawk", "awk"):
        is_change = not {"-i", "inplace"}.isdisjoint(rest[:2])
    if name in ("xargs", "find"):
        is_change = not {"sed", "perl", "-delete", "mv", "rm", "cp"}.isdisjoint(rest)
    return None if is_change and not (rest and _GENERATED.search(rest[-1])) else []


def word_in(text: str) -> tuple[str, bool]:
    """Return a word as a shell takes it, and whether that is all of it."""
    found, is_plain = "", True
    for single, double, escaped, bare in _PART.findall(text):
        is_plain = is_plain and not (_EXPANDED.search(double) or _BARE.search(bare))
        found += single + _IN_QUOTES.sub(r"\1", double) + escaped + bare
    return found, is_plain


def _in_place(
    name: str, rest: Sequence[str], command: ShellCommand, within: Callable[[str], str]
) -> list[Edit] | None:
    """Return the edits of a command that edits files in place, one for each; none where it only prints."""
    if not any(_IN_PLACE.fullmatch(word) for word in rest):
        return None if command.outputs else []
    options = _options(name, rest) if command.is_plain and not (command.inputs or command.outputs) else None
    if options is None:
        return None
    scripts, files, kind = options
    if not scripts or not files or not all(map(is_path, files)):
        return None
    target = Target(TargetKind.COMMAND, "\n".join(scripts), last=kind)
    shown = " ".join(command.words)
    doubt = _SAID.format(shown if len(shown) < 80 else f"{shown[:77]}...")
    plain = Edit(path="", operation=Operation.PLACE, target=target, format=Format.WHOLE_FILE, doubt=doubt)
    return [replace(plain, path=within(path)) for path in files]


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
