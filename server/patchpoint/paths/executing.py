"""The table of files that start programs although nobody asks for it.

What an editor, a shell, git or an agent reads of itself when a folder is opened or entered, a person logs in
or a commit is made, and what can name a program in it. An edit of such a file is a way to have a program run
later, so it needs a confirmation of its own. Not in the table are the sources and build files of a project,
and what runs only when a person starts it: `Makefile`, `package.json`, `.vscode/launch.json`. Nor are files
that mean nothing without configuration elsewhere (`.gitattributes`, whose drivers are in `.git/config`;
`.gitmodules`, whose commands git ignores) or that hold values alone (`.env`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from patchpoint.paths.rules import folded_name


@dataclass(frozen=True, slots=True)
class ExecutingFiles:
    """Files that one program reads of itself."""

    reader: str
    """Who runs what they say, and when; the end of a sentence that begins with the file."""
    patterns: tuple[str, ...]
    """The ends of paths, `*` being any part of a name; one that ends in `/` is for all files below."""


EXECUTING_FILES: tuple[ExecutingFiles, ...] = (
    ExecutingFiles("direnv, when a shell enters the folder", (".envrc", ".direnvrc")),
    ExecutingFiles(
        "mise or asdf, when a shell enters the folder",
        (
            *("mise.toml", "mise.*.toml", ".mise.toml", ".mise.*.toml", "mise/config.toml"),
            *("mise/config.*.toml", ".mise/config.toml", ".mise/config.*.toml", "mise/conf.d/*.toml"),
            *(".rtx.toml", ".tool-versions"),
        ),
    ),
    ExecutingFiles("autoenv, when a shell enters the folder", (".autoenv", ".autoenv.zsh")),
    ExecutingFiles(
        "VS Code, when the folder is opened",
        (".vscode/tasks.json", ".vscode/settings.json", "*.code-workspace"),
    ),
    ExecutingFiles(
        "the editor, when the folder is opened in a container", (".devcontainer/", ".devcontainer.json")
    ),
    ExecutingFiles("JetBrains' editors, when the folder is opened", (".idea/", ".run/*.run.xml")),
    ExecutingFiles(
        "Vim or Neovim, when started in the folder",
        (".exrc", "_exrc", ".vimrc", "_vimrc", ".gvimrc", ".nvimrc", ".nvim.lua", ".lvimrc"),
    ),
    ExecutingFiles("Emacs, when a file is opened", (".dir-locals.el", ".dir-locals-2.el", ".emacs")),
    ExecutingFiles("Helix, when a file is opened", (".helix/config.toml", ".helix/languages.toml")),
    ExecutingFiles("Zed, when the folder is opened", (".zed/settings.json", ".zed/tasks.json")),
    ExecutingFiles("Sublime Text, when the project is opened", ("*.sublime-project",)),
    ExecutingFiles(
        "an agent, when it is started in the folder",
        (
            *(".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".cursor/hooks.json"),
            *(".claude/settings.json", ".claude/settings.local.json", ".gemini/settings.json"),
            *(".codex/config.toml",),
        ),
    ),
    ExecutingFiles(
        "git, at a commit and at other times",
        (
            *(".husky/", ".githooks/", ".git-hooks/", ".lefthook/", ".lefthook-local/"),
            *(".pre-commit-config.yaml", ".pre-commit-config.yml", ".overcommit.yml"),
            *("lefthook.*", ".lefthook.*", "lefthook-local.*", ".lefthook-local.*"),
            *(".gitconfig", ".config/git/config"),
        ),
    ),
    ExecutingFiles(
        "a shell, when it starts or ends",
        (
            *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"),
            *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc"),
            *(".cshrc", ".tcshrc", ".login", ".logout", ".config/fish/"),
            *("profile.ps1", "microsoft.*_profile.ps1"),
        ),
    ),
    ExecutingFiles(
        "the system, at a login",
        (
            *(".xprofile", ".xsession", ".xsessionrc", ".xinitrc", ".pam_environment"),
            *(".config/autostart/", ".config/systemd/", ".config/environment.d/"),
            *("library/launchagents/",),
        ),
    ),
    ExecutingFiles("ssh, at a connection", (".ssh/config", ".ssh/rc", ".ssh/authorized_keys")),
    ExecutingFiles("tmux or screen, when started", (".tmux.conf", ".config/tmux/", ".screenrc")),
)


def executed_by(names: Sequence[str]) -> str | None:
    """Return who runs the file at a path, given by its names, without being asked; `None` if nobody does.

    As in `folded_name`, spellings make no difference that some file system takes for the same.
    """
    folded = tuple(map(folded_name, names))
    return next(
        (row.reader for row in EXECUTING_FILES if any(_fits(folded, one) for one in row.patterns)), None
    )


def _fits(names: Sequence[str], pattern: str) -> bool:
    is_folder, wanted = _names_of(pattern)
    size = len(wanted)
    if len(names) < size + is_folder:
        return False
    for end in range(size, len(names)) if is_folder else (len(names),):
        if end >= size and all(map(_is_like, names[end - size : end], wanted)):
            return True
    return False


@cache
def _names_of(pattern: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether a pattern is for a folder, and its names."""
    return pattern.endswith("/"), tuple(pattern.rstrip("/").split("/"))


def _is_like(name: str, wanted: str) -> bool:
    return name == wanted or ("*" in wanted and fnmatchcase(name, wanted))
