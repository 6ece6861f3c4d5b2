"""The table of files that start programs although nobody asks for it, and of those that agents obey.

What an editor, a shell, git or an agent reads of itself when a folder is opened or entered, a tool is
started, a person logs in or a commit is made, and what can name a program in it. An edit of such a file is a
way to have a program run later, so it needs a confirmation of its own. The folders that tools keep in a
project are in the table as a whole: what lies there is the tool's, and next year's file is not known today.

Not in the table are the sources and build files of a project, and what runs only when a person starts it:
`Makefile`, `package.json`, `conftest.py`. Nor are files that mean nothing without configuration elsewhere
(`.gitattributes`, whose drivers are in `.git/config`; `.gitmodules`, whose commands git ignores) or that hold
values alone (`.env`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """Files that one kind of program reads of itself."""

    reader: str
    """Who reads them, and when; the end of a sentence that begins with the file."""
    patterns: tuple[str, ...]
    """The ends of paths, `*` being any part of a name; one that ends in `/` is for all files below."""
    sources: tuple[str, ...]
    """The pages of the tools' documentation that say so."""


EXECUTING_FILES: tuple[NamedFiles, ...] = (
    NamedFiles(
        "direnv, when a shell enters the folder",
        (".envrc", ".direnvrc"),
        ("https://direnv.net/man/direnv.1.html",),
    ),
    NamedFiles(
        "mise or asdf, when a shell enters the folder",
        (
            *("mise.toml", "mise.*.toml", ".mise.toml", ".mise.*.toml", "mise/config.toml"),
            *("mise/config.*.toml", ".mise/config.toml", ".mise/config.*.toml", "mise/conf.d/*.toml"),
            *(".rtx.toml", ".tool-versions"),
        ),
        ("https://mise.jdx.dev/configuration.html",),
    ),
    NamedFiles(
        "autoenv, when a shell enters the folder",
        (".autoenv", ".autoenv.zsh"),
        ("https://github.com/hyperupcall/autoenv",),
    ),
    NamedFiles(
        "devenv or devbox, when a shell enters the folder",
        ("devenv.nix", "devenv.yaml", "devbox.json"),
        (
            "https://devenv.sh/automatic-shell-activation/",
            "https://www.jetify.com/docs/devbox/ide_configuration/direnv/",
        ),
    ),
    NamedFiles(
        "VS Code, when the folder is opened",
        (".vscode/", "*.code-workspace"),
        ("https://code.visualstudio.com/docs/editor/workspace-trust",),
    ),
    NamedFiles(
        "the editor, when the folder is opened in a container or in the cloud",
        (".devcontainer/", ".devcontainer.json", "devfile.yaml", ".gitpod.yml", ".idx/", ".replit"),
        (
            "https://containers.dev/implementors/json_reference/",
            "https://devfile.io/docs/2.3.0/adding-event-bindings",
            "https://www.gitpod.io/docs/classic/user/configure/workspaces/tasks",
            "https://docs.replit.com/replit-app/configuration",
        ),
    ),
    NamedFiles(
        "JetBrains' editors, when the folder is opened",
        (".idea/", ".run/*.run.xml", ".fleet/"),
        ("https://www.jetbrains.com/help/idea/project-security.html",),
    ),
    NamedFiles(
        "Visual Studio or Eclipse, when the folder is opened",
        (".vs/", ".externaltoolbuilders/"),
        ("https://learn.microsoft.com/visualstudio/ide/customize-build-and-debug-tasks-in-visual-studio",),
    ),
    NamedFiles(
        "Vim or Neovim, when started in the folder",
        (".exrc", "_exrc", ".vimrc", "_vimrc", ".gvimrc", ".nvimrc", ".nvim.lua", ".lvimrc"),
        ("https://neovim.io/doc/user/options.html#'exrc'",),
    ),
    NamedFiles(
        "a language client of Vim, when a file is opened",
        (".vim/",),
        ("https://github.com/neoclide/coc.nvim/blob/master/doc/coc.txt",),
    ),
    NamedFiles(
        "Emacs, when a file is opened",
        (".dir-locals.el", ".dir-locals-2.el", ".emacs", ".emacs.d/"),
        ("https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html",),
    ),
    NamedFiles(
        "Helix, when a file is opened", (".helix/",), ("https://docs.helix-editor.com/configuration.html",)
    ),
    NamedFiles("Zed, when the folder is opened", (".zed/",), ("https://zed.dev/docs/configuring-zed",)),
    NamedFiles(
        "Sublime Text, when the project is opened",
        ("*.sublime-project",),
        ("https://www.sublimetext.com/docs/projects.html",),
    ),
    NamedFiles(
        "a language server, when a file is opened",
        (
            *(".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-analyzer.toml"),
            *(
                ".bsp/*.json",
                "buildserver.json",
                "hie.yaml",
                ".luarc.json",
                ".phpactor.json",
                ".lsp/config.edn",
            ),
        ),
        (
            "https://doc.rust-lang.org/cargo/reference/config.html",
            "https://rust-lang.github.io/rustup/overrides.html",
            "https://build-server-protocol.github.io/docs/overview/server-discovery",
        ),
    ),
    NamedFiles(
        "an agent, when it is started in the folder",
        (
            *(".mcp.json", ".claude/", ".claude-plugin/", ".codex/", ".gemini/", ".qwen/", ".cursor/"),
            *(".opencode/", "opencode.json", "opencode.jsonc", ".crush.json", "crush.json", ".copilot/"),
            *(".github/hooks/", ".windsurf/", ".kiro/", ".amazonq/", ".roo/", ".kilocode/", ".continue/"),
            *(".junie/", ".clinerules/", ".factory/", ".amp/", ".augment/", ".aider.conf.yml"),
        ),
        (
            "https://code.claude.com/docs/en/hooks",
            "https://developers.openai.com/codex/hooks",
            "https://geminicli.com/docs/hooks/",
            "https://cursor.com/docs/agent/hooks",
            "https://opencode.ai/docs/plugins/",
            "https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference",
            "https://docs.windsurf.com/windsurf/cascade/hooks",
            "https://kiro.dev/docs/hooks/",
            "https://docs.cline.bot/features/hooks",
        ),
    ),
    NamedFiles(
        "a package manager, whenever it is called",
        (".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn/", ".pnpmfile.cjs", "bunfig.toml", ".bundle/"),
        (
            "https://docs.npmjs.com/cli/configuring-npm/npmrc",
            "https://yarnpkg.com/configuration/yarnrc#yarnPath",
            "https://pnpm.io/pnpmfile",
            "https://bun.com/docs/runtime/bunfig",
        ),
    ),
    NamedFiles(
        "a build tool, whenever it is called",
        (".mvn/", "gradle-wrapper.properties", ".bazelrc", "tools/bazel"),
        (
            "https://maven.apache.org/configure.html",
            "https://docs.gradle.org/current/userguide/gradle_wrapper.html",
            "https://bazel.build/run/bazelrc",
        ),
    ),
    NamedFiles(
        "an interpreter, when it is started in the folder",
        (
            ".rprofile",
            ".ghci",
            ".iex.exs",
            ".irbrc",
            ".pryrc",
            ".pdbrc",
            ".gdbinit",
            ".lldbinit",
            ".ocamlinit",
        ),
        (
            "https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html",
            "https://downloads.haskell.org/ghc/latest/docs/users_guide/ghci.html",
            "https://docs.python.org/3/library/pdb.html",
            "https://sourceware.org/gdb/current/onlinedocs/gdb.html/Init-File-in-the-Current-Directory.html",
        ),
    ),
    NamedFiles(
        "Python, whenever it is started in the environment or the folder",
        ("sitecustomize.py", "usercustomize.py", "*.pth", ".venv/", "pyvenv.cfg"),
        ("https://docs.python.org/3/library/site.html",),
    ),
    NamedFiles(
        "git, at a commit and at other times",
        (
            *(".husky/", ".githooks/", ".git-hooks/", ".lefthook/", ".lefthook-local/"),
            *(".pre-commit-config.yaml", ".pre-commit-config.yml", ".overcommit.yml"),
            *("lefthook.*", ".lefthook.*", "lefthook-local.*", ".lefthook-local.*"),
            *("captainhook.json", "grumphp.yml", ".lintstagedrc*", "lint-staged.config.*", ".cargo-husky/"),
            *(".simple-git-hooks.*", "simple-git-hooks.*", ".gitconfig", ".config/git/"),
        ),
        (
            "https://git-scm.com/docs/githooks",
            "https://typicode.github.io/husky/",
            "https://lefthook.dev/configuration/",
            "https://pre-commit.com/",
            "https://github.com/lint-staged/lint-staged#configuration",
        ),
    ),
    NamedFiles(
        "continuous integration, at a push",
        (
            *(".github/workflows/", ".github/actions/", ".gitlab-ci.yml", ".circleci/", ".buildkite/"),
            *("azure-pipelines.yml", "bitbucket-pipelines.yml", ".travis.yml", "jenkinsfile", ".drone.yml"),
            *(".woodpecker/", ".woodpecker.yml", ".forgejo/workflows/", ".gitea/workflows/"),
        ),
        (
            "https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax",
            "https://docs.gitlab.com/ci/yaml/",
            "https://circleci.com/docs/configuration-reference/",
        ),
    ),
    NamedFiles(
        "a shell, when it starts or ends",
        (
            *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"),
            *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".bashrc.d/"),
            *(".cshrc", ".tcshrc", ".login", ".logout", ".config/fish/", ".config/nushell/"),
            *("profile.ps1", "microsoft.*_profile.ps1", ".oh-my-zsh/custom/"),
        ),
        ("https://www.gnu.org/software/bash/manual/html_node/Bash-Startup-Files.html",),
    ),
    NamedFiles(
        "the system, at a login",
        (
            *(".xprofile", ".xsession", ".xsessionrc", ".xinitrc", ".pam_environment"),
            *(".config/autostart/", ".config/systemd/", ".config/environment.d/"),
            *(".config/hypr/", ".config/i3/", ".config/sway/", "library/launchagents/"),
        ),
        ("https://specifications.freedesktop.org/autostart-spec/latest/",),
    ),
    NamedFiles(
        "ssh or a client of the cloud, at a connection",
        (
            *(".ssh/config", ".ssh/rc", ".ssh/authorized_keys", ".aws/config", ".kube/config"),
            ".docker/config.json",
        ),
        (
            "https://man.openbsd.org/ssh_config",
            "https://docs.aws.amazon.com/cli/latest/topic/config-vars.html",
            "https://kubernetes.io/docs/reference/access-authn-authz/authentication/",
        ),
    ),
    NamedFiles(
        "a terminal program, when it is started",
        (
            *(
                ".tmux.conf",
                ".config/tmux/",
                ".screenrc",
                ".config/nvim/",
                ".config/wezterm/",
                ".wezterm.lua",
            ),
            ".ripgreprc",
        ),
        ("https://man.openbsd.org/tmux", "https://wezterm.org/config/files.html"),
    ),
)

OBEYED_FILES: tuple[NamedFiles, ...] = (
    NamedFiles(
        "agents, as orders to follow",
        (
            *("claude.md", "claude.local.md", "agents.md", "agent.md", "agents.override.md", "gemini.md"),
            *("qwen.md", "crush.md", "warp.md", ".cursorrules", ".windsurfrules", ".clinerules", ".roorules"),
            *(".rules", ".goosehints", ".github/copilot-instructions.md", ".github/instructions/"),
            *(".github/prompts/", ".github/agents/", ".agents/"),
        ),
        (
            "https://code.claude.com/docs/en/memory",
            "https://agents.md/",
            "https://geminicli.com/docs/cli/gemini-md/",
            "https://cursor.com/docs/context/rules",
            "https://docs.github.com/en/copilot/how-tos/configure-custom-instructions/add-repository-instructions",
        ),
    ),
)
