"""The table of files that start programs although nobody asks for it, and of those that agents obey.

What an editor, a shell, git or an agent reads of itself when a folder is opened or entered, a tool is
started, a person logs in or a commit is made, and what can name a program in it. An edit of such a file is a
way to have a program run later, so it needs a confirmation of its own. The folders that tools keep in a
project are in the table as a whole: what lies there is the tool's, and next year's file is not known today.

Not in the table are the sources and build files of a project, and what runs only when a person starts it:
`Makefile`, `package.json`, `conftest.py`. Nor are files that mean nothing without configuration elsewhere
(`.gitattributes`, whose drivers are in `.git/config`; `.gitmodules`, whose commands git ignores;
`.ripgreprc`, which a variable has to name) or that hold values for all tools but one (`.env`, which autoenv
runs).
"""

from __future__ import annotations

from patchpoint.dataclass import dataclass


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
        "mise, when a shell enters the folder",
        (
            *("mise.toml", "mise.*.toml", ".mise.toml", ".mise.*.toml", "mise/config.toml"),
            *("mise/config.*.toml", ".mise/config.toml", ".mise/config.*.toml", "mise/conf.d/*.toml"),
            ".rtx.toml",
        ),
        ("https://mise.jdx.dev/configuration.html", "https://mise.jdx.dev/hooks.html"),
    ),
    NamedFiles(
        "asdf or mise, whenever one of their tools is called",
        (".tool-versions",),
        ("https://asdf-vm.com/manage/configuration.html", "https://mise.jdx.dev/configuration.html"),
    ),
    NamedFiles(
        "autoenv, zsh-autoenv or ps-autoenv, when a shell enters or leaves the folder",
        (".autoenv", ".autoenv.leave", ".autoenv.zsh", ".autoenv_leave.zsh", ".env.leave"),
        (
            "https://github.com/hyperupcall/autoenv",
            "https://github.com/Tarrasch/zsh-autoenv",
            "https://www.powershellgallery.com/packages/ps-autoenv",
        ),
    ),
    NamedFiles(
        "RVM, when a shell enters the folder",
        (".rvmrc",),
        ("https://rvm.io/workflow/rvmrc",),
    ),
    NamedFiles(
        "devenv or devbox, when a shell enters the folder",
        ("devenv.nix", "devenv.local.nix", "devenv.yaml", "devbox.json"),
        (
            "https://devenv.sh/auto-activation/",
            "https://www.jetify.com/docs/devbox/ide_configuration/direnv/",
        ),
    ),
    NamedFiles(
        "VS Code, when the folder is opened",
        (".vscode/", "*.code-workspace"),
        ("https://code.visualstudio.com/docs/editing/workspaces/workspace-trust",),
    ),
    NamedFiles(
        "the editor, when the folder is opened in a container or in the cloud",
        (
            *(".devcontainer/", ".devcontainer.json", "devfile.yaml", ".gitpod.yml", ".idx/"),
            *(".replit", "replit.nix"),
        ),
        (
            "https://containers.dev/implementors/json_reference/",
            "https://devfile.io/docs/2.3.0/adding-event-bindings",
            "https://www.gitpod.io/docs/classic/user/configure/workspaces/tasks",
            "https://firebase.google.com/docs/studio/customize-workspace",
            "https://docs.replit.com/features/project-setup/configuration",
        ),
    ),
    NamedFiles(
        "JetBrains' editors, when the folder is opened",
        (".idea/", ".run/*.run.xml", ".fleet/"),
        ("https://www.jetbrains.com/help/idea/project-security.html",),
    ),
    NamedFiles(
        "Visual Studio, when the folder is opened",
        (".vs/",),
        ("https://learn.microsoft.com/visualstudio/ide/reference/trust-settings",),
    ),
    NamedFiles(
        "Eclipse, when it builds the project, as it does after a change",
        (".project", ".externaltoolbuilders/"),
        (
            "https://help.eclipse.org/latest/topic/org.eclipse.platform.doc.user/gettingStarted/qs-94_run_pj.htm",
        ),
    ),
    NamedFiles(
        "Vim or Neovim, when started in the folder",
        (".exrc", "_exrc", ".vimrc", "_vimrc", ".gvimrc", ".nvimrc", ".nvim.lua", ".lvimrc"),
        (
            "https://vimhelp.org/options.txt.html",
            "https://neovim.io/doc/user/options.html",
            "https://github.com/embear/vim-localvimrc",
        ),
    ),
    NamedFiles(
        "a language client of Vim, when a file is opened",
        (".vim/",),
        ("https://github.com/neoclide/coc.nvim/blob/master/doc/coc.txt",),
    ),
    NamedFiles(
        "Emacs, when it is started or a file is opened",
        (".dir-locals.el", ".dir-locals-2.el", ".emacs", ".emacs.d/", ".config/emacs/"),
        (
            "https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html",
            "https://www.gnu.org/software/emacs/manual/html_node/emacs/Init-File.html",
        ),
    ),
    NamedFiles(
        "Helix, when a file is opened",
        (".helix/", ".config/helix/"),
        ("https://docs.helix-editor.com/configuration.html", "https://docs.helix-editor.com/languages.html"),
    ),
    NamedFiles(
        "Zed, when the folder is opened",
        (".zed/", ".config/zed/"),
        ("https://zed.dev/docs/worktree-trust",),
    ),
    NamedFiles(
        "Sublime Text's package LSP, when the project is opened",
        ("*.sublime-project",),
        (
            "https://www.sublimetext.com/docs/projects.html",
            "https://sublimelsp.github.io/LSP/client_configuration/",
        ),
    ),
    NamedFiles(
        "cargo or rust-analyzer, when a file is opened",
        (
            *(".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"),
            *("rust-analyzer.toml",),
        ),
        (
            "https://doc.rust-lang.org/cargo/reference/config.html",
            "https://rust-lang.github.io/rustup/overrides.html",
            "https://rust-analyzer.github.io/book/configuration",
        ),
    ),
    NamedFiles(
        "a language server, when a file is opened",
        (
            *(".bsp/*.json", "buildserver.json", "hie.yaml", ".luarc.json", ".luarc.jsonc"),
            *(".phpactor.json", ".phpactor.yml", ".lsp/config.edn"),
        ),
        (
            "https://build-server-protocol.github.io/docs/overview/server-discovery",
            "https://github.com/SolaWing/xcode-build-server",
            "https://hackage.haskell.org/package/hie-bios",
            "https://luals.github.io/wiki/configuration/",
            "https://phpactor.readthedocs.io/en/master/usage/configuration.html",
            "https://clojure-lsp.io/settings/",
        ),
    ),
    NamedFiles(
        "an agent, when it is started in the folder",
        (
            *(".mcp.json", ".claude/", ".claude-plugin/", ".codex/", ".gemini/", ".qwen/"),
            *(".opencode/", ".config/opencode/", "opencode.json", "opencode.jsonc", ".crushrc"),
            *("crushrc", ".config/crush/", ".crush.json", "crush.json", ".copilot/"),
            *(".github/copilot/", ".github/hooks/", ".amazonq/", ".aws/amazonq/", ".factory/", ".amp/"),
            *(".config/amp/", ".augment/", ".aider.conf.yml", ".warp/", ".pi/"),
        ),
        (
            "https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/extensions.md",
            "https://code.claude.com/docs/en/hooks",
            "https://developers.openai.com/codex/hooks",
            "https://geminicli.com/docs/hooks/",
            "https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/",
            "https://opencode.ai/docs/config/",
            "https://opencode.ai/docs/plugins/",
            "https://github.com/charmbracelet/crush/blob/main/docs/config/README.md",
            "https://docs.github.com/en/copilot/reference/hooks-reference",
            "https://github.com/aws/amazon-q-developer-cli/blob/main/docs/agent-file-locations.md",
            "https://docs.factory.ai/harness/hooks",
            "https://ampcode.com/manual",
            "https://docs.augmentcode.com/cli/hooks",
            "https://aider.chat/docs/config/aider_conf.html",
            "https://docs.warp.dev/agents/capabilities/mcp",
        ),
    ),
    NamedFiles(
        "an agent of an editor, when the folder is opened",
        (
            *(".cursor/", ".windsurf/", ".kiro/", ".roo/", ".kilo/", ".kilocode/", ".config/kilo/"),
            *("kilo.json", "kilo.jsonc", ".continue/", ".junie/", ".clinerules/"),
        ),
        (
            "https://cursor.com/docs/hooks",
            "https://docs.windsurf.com/windsurf/cascade/hooks",
            "https://kiro.dev/docs/hooks/",
            "https://kiro.dev/docs/mcp/configuration/",
            "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
            "https://kilo.ai/docs/automate/mcp/using-in-kilo-code",
            "https://kilo.ai/docs/automate/extending/plugins",
            "https://docs.continue.dev/customize/deep-dives/mcp",
            "https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
            "https://docs.cline.bot/customization/hooks",
        ),
    ),
    NamedFiles(
        "a package manager, whenever it is called",
        (
            *(".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn/", ".pnpmfile.cjs", ".pnpmfile.mjs"),
            *("pnpm-workspace.yaml", "bunfig.toml", ".bunfig.toml", ".bundle/"),
        ),
        (
            "https://docs.npmjs.com/cli/configuring-npm/npmrc",
            "https://classic.yarnpkg.com/en/docs/yarnrc",
            "https://yarnpkg.com/configuration/yarnrc#yarnPath",
            "https://pnpm.io/pnpmfile",
            "https://pnpm.io/settings",
            "https://bun.com/docs/runtime/bunfig",
            "https://bundler.io/man/bundle-config.1.html",
        ),
    ),
    NamedFiles(
        "a build tool, whenever it is called",
        (".mvn/", "gradle-wrapper.properties", ".bazelrc", "tools/bazel", "tools/bazel.*"),
        (
            "https://maven.apache.org/configure.html",
            "https://docs.gradle.org/current/userguide/gradle_wrapper.html",
            "https://bazel.build/run/bazelrc",
            "https://github.com/bazelbuild/bazelisk",
        ),
    ),
    NamedFiles(
        "an interpreter or a debugger, when it is started in the folder",
        (
            *(".rprofile", ".ghci", ".iex.exs", ".irbrc", "_irbrc", ".pryrc", ".pdbrc", ".gdbinit"),
            *(".lldbinit", ".ocamlinit"),
        ),
        (
            "https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html",
            "https://downloads.haskell.org/ghc/latest/docs/users_guide/ghci.html",
            "https://hexdocs.pm/iex/IEx.html#module-the-iex-exs-file",
            "https://ruby.github.io/irb/Configurations_md.html",
            "https://github.com/pry/pry/wiki/Pry-rc",
            "https://docs.python.org/3/library/pdb.html",
            "https://sourceware.org/gdb/current/onlinedocs/gdb.html/Init-File-in-the-Current-Directory.html",
            "https://lldb.llvm.org/man/lldb.html",
            "https://ocaml.org/manual/toplevel.html",
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
            *(".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml", ".overcommit.yml"),
            *("lefthook.*", ".lefthook.*", "lefthook-local.*", ".lefthook-local.*", "captainhook.json"),
            *("grumphp.yml", ".lintstagedrc*", "lint-staged.config.*", ".cargo-husky/"),
            *(".simple-git-hooks.*", "simple-git-hooks.*", ".gitconfig", ".config/git/"),
        ),
        (
            "https://git-scm.com/docs/githooks",
            "https://git-scm.com/docs/git-config",
            "https://typicode.github.io/husky/",
            "https://github.com/gabyx/Githooks",
            "https://lefthook.dev/configuration",
            "https://pre-commit.com/",
            "https://prek.j178.dev/configuration/",
            "https://github.com/sds/overcommit",
            "https://github.com/captainhook-git/captainhook",
            "https://github.com/phpro/grumphp",
            "https://github.com/lint-staged/lint-staged#configuration",
            "https://github.com/rhysd/cargo-husky",
            "https://github.com/toplenboren/simple-git-hooks",
        ),
    ),
    NamedFiles(
        "continuous integration, at a push",
        (
            *(".github/workflows/", ".github/actions/", ".gitlab-ci.yml", ".circleci/", ".buildkite/"),
            *("azure-pipelines.yml", "bitbucket-pipelines.yml", ".travis.yml", "jenkinsfile"),
            *(".drone.yml", ".woodpecker/", ".woodpecker.yml", ".woodpecker.yaml"),
            *(".forgejo/workflows/", ".gitea/workflows/"),
        ),
        (
            "https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax",
            "https://docs.gitlab.com/ci/yaml/",
            "https://circleci.com/docs/configuration-reference/",
            "https://buildkite.com/docs/pipelines/configure/defining-steps",
            "https://learn.microsoft.com/azure/devops/pipelines/yaml-schema",
            "https://support.atlassian.com/bitbucket-cloud/docs/configure-bitbucket-pipelinesyml/",
            "https://docs.travis-ci.com/user/tutorial/",
            "https://www.jenkins.io/doc/book/pipeline/jenkinsfile/",
            "https://docs.drone.io/pipeline/overview/",
            "https://woodpecker-ci.org/docs/intro",
            "https://forgejo.org/docs/latest/user/actions/",
            "https://docs.gitea.com/usage/actions/overview",
        ),
    ),
    NamedFiles(
        "a shell, when it starts or ends",
        (
            *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"),
            *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc"),
            *(".bashrc.d/", ".cshrc", ".tcshrc", ".login", ".logout", ".config/fish/"),
            *(".config/nushell/", "profile.ps1", "microsoft.*_profile.ps1", ".oh-my-zsh/custom/"),
        ),
        (
            "https://www.gnu.org/software/bash/manual/html_node/Bash-Startup-Files.html",
            "https://zsh.sourceforge.io/Doc/Release/Files.html",
            "https://fishshell.com/docs/current/language.html#configuration-files",
            "https://www.nushell.sh/book/configuration.html",
            "https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_profiles",
        ),
    ),
    NamedFiles(
        "the system, at a login",
        (
            *(".xprofile", ".xsession", ".xsessionrc", ".xinitrc", ".pam_environment"),
            *(".config/autostart/", ".config/systemd/", ".config/environment.d/", ".config/hypr/"),
            *(".config/i3/", ".config/sway/", "library/launchagents/"),
        ),
        (
            "https://specifications.freedesktop.org/autostart-spec/latest/",
            "https://man7.org/linux/man-pages/man8/pam_env.8.html",
            "https://www.freedesktop.org/software/systemd/man/latest/environment.d.html",
            "https://wiki.hypr.land/Configuring/Keywords/",
            "https://i3wm.org/docs/userguide.html",
        ),
    ),
    NamedFiles(
        "ssh or a client of the cloud, at a connection",
        (
            *(".ssh/config", ".ssh/rc", ".ssh/authorized_keys", ".aws/config", ".aws/credentials"),
            *(".kube/config", ".docker/config.json"),
        ),
        (
            "https://man.openbsd.org/ssh_config",
            "https://man.openbsd.org/sshd",
            "https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-sourcing-external.html",
            "https://kubernetes.io/docs/reference/access-authn-authz/authentication/",
            "https://docs.docker.com/reference/cli/docker/login/",
        ),
    ),
    NamedFiles(
        "a terminal program, when it is started",
        (
            *(".tmux.conf", ".config/tmux/", ".screenrc", ".config/nvim/", ".config/wezterm/"),
            *(".wezterm.lua",),
        ),
        ("https://man.openbsd.org/tmux", "https://wezterm.org/config/files.html"),
    ),
)

OBEYED_FILES: tuple[NamedFiles, ...] = (
    NamedFiles(
        "agents, as orders to follow",
        (
            *("claude.md", "claude.local.md", "agents.md", "agent.md", "agents.override.md"),
            *("gemini.md", "qwen.md", "crush.md", "warp.md", ".cursorrules", ".windsurfrules"),
            *(".clinerules", ".roorules", ".rules", ".goosehints", ".github/copilot-instructions.md"),
            *(".github/instructions/", ".github/prompts/", ".github/agents/", ".agents/"),
        ),
        (
            "https://code.claude.com/docs/en/memory",
            "https://agents.md/",
            "https://geminicli.com/docs/cli/gemini-md/",
            "https://cursor.com/docs/rules",
            "https://docs.github.com/en/copilot/how-tos/configure-custom-instructions/add-repository-instructions",
            "https://docs.warp.dev/agents/capabilities/rules",
            "https://zed.dev/docs/ai/rules",
            "https://github.com/aaif-goose/goose/blob/main/documentation/docs/guides/context-engineering/using-goosehints.md",
        ),
    ),
)
