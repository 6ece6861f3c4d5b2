"""`patchpoint completion`: what a shell needs to complete commands, options and their values, with labels."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from enum import Enum

from patchpoint.cli.terminal import DONE, Terminal
from patchpoint.dataclass import dataclass
from patchpoint.edit import TEXT_FORMATS
from patchpoint.hooks.firings import AGENTS


class Values(Enum):
    """What an option or an argument can be completed with."""

    NOTHING = "nothing"
    FILES = "files"
    FOLDERS = "folders"
    CHECKPOINTS = "checkpoints"
    APPLICATIONS = "applications"
    OPERATIONS = "operations"
    SESSIONS = "sessions"
    REMOTES = "remotes"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Completed:
    """One option, or one argument without a name, of a command."""

    names: tuple[str, ...]
    label: str
    """What its value is, in a word."""
    help: str
    takes_value: bool
    is_repeated: bool
    values: Values
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CompletedCommand:
    """One command, its options and its arguments."""

    name: str
    help: str
    options: tuple[Completed, ...]
    arguments: tuple[Completed, ...]


def completion(options: argparse.Namespace, terminal: Terminal) -> int:
    """Print the script of a shell."""
    from patchpoint.cli.arguments import command_table

    commands = [completed_command(one.name, one.help, one.add_options) for one in command_table()]
    terminal.verbatim(SHELLS[options.shell](commands))
    return DONE


def bash(commands: list[CompletedCommand]) -> str:
    """Return the script for bash."""
    names = " ".join(one.name for one in commands)
    values = [
        f"        {one.name}/{name}) {_bash_values(option)}; return ;;"
        for one in commands
        for option in one.options
        if option.takes_value
        for name in option.names
    ]
    options = [f"            {one.name}) words='{' '.join(_names(one))}' ;;" for one in commands]
    arguments = [f"        {one.name}) {_bash_arguments(one)} ;;" for one in commands]
    lines = (
        "# Completion of patchpoint for bash: source <(patchpoint completion bash)",
        "_patchpoint() {",
        "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
        "    local command= word words= IFS=$' \\t\\n'",
        '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
        f"        case $word in {names.replace(' ', '|')}) command=$word; break ;; esac",
        "    done",
        "    COMPREPLY=()",
        "    case $command/$before in",
        *values,
        "    esac",
        "    if [[ $current == -* ]]; then",
        "        case $command in",
        *options,
        "            *) words='--help --version' ;;",
        "        esac",
        '        COMPREPLY+=($(compgen -W "$words" -- "$current"))',
        "        return",
        "    fi",
        "    case $command in",
        *arguments,
        f"        *) COMPREPLY=($(compgen -W '{names}' -- \"$current\")) ;;",
        "    esac",
        "}",
        *(f"_patchpoint_{kind.value}() {{ {lines} | cut -f 1; }}" for kind, lines in LISTED.items()),
        "complete -o filenames -F _patchpoint patchpoint",
    )
    return "\n".join(lines) + "\n"


def zsh(commands: list[CompletedCommand]) -> str:
    """Return the script for zsh."""
    described = [f"        {_quoted(f'{_zsh(one.name)}:{_zsh(one.help)}')}" for one in commands]
    cases = [
        line
        for one in commands
        for line in (
            f"        {one.name})",
            "            _arguments -s \\",
            *(f"                {_quoted(spec)} \\" for spec in _zsh_specs(one)),
            "                && return ;;",
        )
    ]
    lines = (
        "#compdef patchpoint",
        "# Completion of patchpoint for zsh: patchpoint completion zsh > a folder of $fpath/_patchpoint",
        *(_zsh_list(kind, lines) for kind, lines in LISTED.items()),
        "_patchpoint() {",
        "    local -a commands; commands=(",
        *described,
        "    )",
        "    if (( CURRENT == 2 )); then _describe command commands; return; fi",
        "    local command=$words[2]; shift words; (( CURRENT-- ))",
        "    case $command in",
        *cases,
        "    esac",
        "}",
        "# Loaded from $fpath, it is the function itself; sourced, it has to be made known.",
        "if [[ $funcstack[1] = _patchpoint ]]",
        'then _patchpoint "$@"',
        "else compdef _patchpoint patchpoint",
        "fi",
    )
    return "\n".join(lines) + "\n"


def fish(commands: list[CompletedCommand]) -> str:
    """Return the script for fish."""
    lines = [
        "# Completion of patchpoint for fish: patchpoint completion fish | source",
        *(f"function __patchpoint_{kind.value}; {lines}; end" for kind, lines in LISTED.items()),
        "complete -c patchpoint -f",
    ]
    for one in commands:
        lines.append(
            f"complete -c patchpoint -n __fish_use_subcommand -a {one.name} -d {_fish_quoted(one.help)}"
        )
        seen = f"complete -c patchpoint -n '__fish_seen_subcommand_from {one.name}'"
        for option in one.options:
            flags = " ".join(
                f"-{'l' if name[:2] == '--' else 's'} {name.lstrip('-')}" for name in option.names
            )
            takes = _FISH[option.values](option) if option.takes_value else ""
            lines.append(f"{seen} {flags}{takes} -d {_fish_quoted(option.help)}")
        lines += [f"{seen}{_FISH[argument.values](argument)}" for argument in one.arguments]
    return "\n".join(lines) + "\n"


SHELLS: dict[str, Callable[[list[CompletedCommand]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}

_IDS = """awk '$1 ~ /^[0-9a-z]+$/ && length($1) > 11 { id = $1; $1 = ""; print id "\\t" substr($0, 2) }'"""
"""Keeps the lines of a list that begin with an id: that, a tab, and the rest as its label."""
_NAMES = (
    "awk '$1 !~ /[A-Z]/ && $2 ~ /^[0-9][0-9:-]+$/ "
    """{ name = $1; $1 = ""; print name "\\t" substr($0, 2) }'"""
)
"""As `_IDS`, of lines that begin with the name of a checkpoint and its time."""
LISTED = {
    Values.CHECKPOINTS: "{ printf 'last\\tthe newest\\n'; patchpoint list 2>/dev/null | " + _NAMES + "; }",
    Values.APPLICATIONS: "patchpoint applications --limit 20 2>/dev/null | " + _IDS,
    Values.OPERATIONS: "patchpoint operations --limit 20 2>/dev/null | " + _IDS,
    Values.SESSIONS: (
        "patchpoint list --limit 100 --json 2>/dev/null | "
        "awk -F '\"' '$2 == \"session\" && NF == 5 && !known[$4]++ { print $4 }'"
    ),
    Values.REMOTES: "git remote 2>/dev/null",
}
"""Programs of a shell that print what there is, a line each, some with a tab and a label."""

_FISH: dict[Values, Callable[[Completed], str]] = {
    Values.NOTHING: lambda _: " -x",
    Values.FILES: lambda _: " -r -F",
    Values.FOLDERS: lambda _: " -x -a '(__fish_complete_directories)'",
    **{kind: lambda one: f" -x -a '(__patchpoint_{one.values.value})'" for kind in LISTED},
    Values.WORDS: lambda one: f" -x -a '{' '.join(one.words)}'",
}

_BASH = {
    Values.NOTHING: ":",
    Values.FILES: "IFS=$'\\n'; COMPREPLY+=($(compgen -f -- \"$current\"))",
    Values.FOLDERS: "IFS=$'\\n'; COMPREPLY+=($(compgen -d -- \"$current\"))",
    **{kind: f'COMPREPLY+=($(compgen -W "$(_patchpoint_{kind.value})" -- "$current"))' for kind in LISTED},
}

_ZSH = {
    Values.NOTHING: " ",
    Values.FILES: "_files",
    Values.FOLDERS: "_files -/",
    **{kind: f"_patchpoint_{kind.value}" for kind in LISTED},
}

_KINDS = {
    **dict.fromkeys(("checkpoint", "checkpoints", "against", "since"), Values.CHECKPOINTS),
    **dict.fromkeys(("application", "named"), Values.APPLICATIONS),
    "operation": Values.OPERATIONS,
    **dict.fromkeys(("root", "folder", "folders"), Values.FOLDERS),
    **dict.fromkeys(
        ("answer", "imported", "output", "paths", "path", "file", "log_file", "place"), Values.FILES
    ),
    "session": Values.SESSIONS,
    "remote": Values.REMOTES,
}
"""What the values of an option or an argument are, by the attribute that holds them."""
_WORDS: dict[str, tuple[str, ...]] = {
    "agent": AGENTS,
    "agents": AGENTS,
    "format": TEXT_FORMATS,
    "accept": ("all",),
}


def completed_command(
    name: str, help_: str, add_options: Callable[[argparse.ArgumentParser], None]
) -> CompletedCommand:
    """Return what there is to complete of a command."""
    parser = argparse.ArgumentParser(prog="patchpoint")
    add_options(parser)
    every = [_completed(parser, one) for one in parser._actions]
    return CompletedCommand(
        name, help_, tuple(one for one in every if one.names), tuple(one for one in every if not one.names)
    )


def _completed(parser: argparse.ArgumentParser, action: argparse.Action) -> Completed:
    said = parser._get_formatter()._expand_help(action) if action.help else ""
    takes_value = action.nargs != 0
    words = tuple(map(str, action.choices or ())) or _WORDS.get(action.dest, ())
    return Completed(
        names=tuple(action.option_strings),
        label=str(action.metavar or action.dest).lower(),
        help=" ".join(said.split()),
        takes_value=takes_value,
        is_repeated=action.nargs in ("*", "+"),
        values=Values.WORDS if words else _KINDS.get(action.dest, Values.NOTHING),
        words=words,
    )


def _names(command: CompletedCommand) -> Iterator[str]:
    for option in command.options:
        yield from option.names


def _bash_values(completed: Completed) -> str:
    if completed.values is Values.WORDS:
        return f"COMPREPLY+=($(compgen -W '{' '.join(completed.words)}' -- \"$current\"))"
    return _BASH[completed.values]


def _bash_arguments(command: CompletedCommand) -> str:
    """Return what completes the arguments of a command, whichever of them it is; files come last."""
    by_kind = {one.values: _bash_values(one) for one in command.arguments if one.values is not Values.NOTHING}
    on_disk = (Values.FILES, Values.FOLDERS)  # they set `IFS`
    return "; ".join(by_kind[kind] for kind in sorted(by_kind, key=on_disk.__contains__)) or ":"


def _zsh_specs(command: CompletedCommand) -> Iterator[str]:
    for option in command.options:
        value = f":{_zsh(option.label)}:{_zsh_values(option)}" if option.takes_value else ""
        for name in option.names:
            yield f"*{name}[{_zsh(option.help)}]{value}"
    for place, argument in enumerate(command.arguments, 1):
        said = _zsh(f"{argument.label}, {argument.help}" if argument.help else argument.label)
        yield f"{'*' if argument.is_repeated else place}:{said}:{_zsh_values(argument)}"


def _zsh_list(kind: Values, lines: str) -> str:
    """Return a function that offers the lines which a program prints, each with its label."""
    described = f"{lines} | sed 's/:/\\\\:/g' | tr '\\t' :"
    return (
        f"_patchpoint_{kind.value}() {{ local -a found; "
        f'found=(${{(f)"$({described})"}}); _describe {kind.value} found; }}'
    )


def _zsh_values(completed: Completed) -> str:
    if completed.values is Values.WORDS:
        return f"({' '.join(completed.words)})"
    return _ZSH[completed.values]


def _zsh(text: str) -> str:
    return "".join(f"\\{one}" if one in ":[]\\" else one for one in text)


def _quoted(text: str) -> str:
    """Return `text` as one word of a POSIX shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def _fish_flag(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
