"""The commands of the command line: their names, options and handlers.

See docs/decisions/argparse.md.
"""

from __future__ import annotations

import argparse
from functools import cache

from patchpoint.cli.parsing.command import CliCommand, CommandGroup
from patchpoint.cli.parsing.command_parser import CommandParser, LaterParser
from patchpoint.cli.parsing.server_options import add_server_options

DESCRIPTION = "Apply the edits that a language model wrote, or refuse them; keep checkpoints to roll back to."
EPILOG = (
    "`patchpoint COMMAND --help` says more about a command. Exit status: 0 done, 1 refused, 2 wrong usage, "
    "3 the environment failed, 128 and the number of a signal that ended it."
)


@cache
def command_table() -> tuple[CliCommand, ...]:
    """Return the table of all commands, in the order of the help."""
    return (
        CliCommand(
            "apply",
            CommandGroup.EDITS,
            "apply the edits in a model's answer",
            "apply.apply",
            "edit_options.add_apply_options",
            "Find where each edit of an answer belongs, take a checkpoint, and write all edits or none. An "
            "edit that could go in two places, or has no certain one, is refused, with what to do about it.",
            (
                "patchpoint apply answer.md",
                "patchpoint apply --clipboard --check",
                "patchpoint apply answer.md --choose 2:1",
            ),
        ),
        CliCommand(
            "explain",
            CommandGroup.EDITS,
            "say what decides about each edit of an answer",
            "answers.explain.explain",
            "edit_options.add_explain_options",
            "Show how the place of each edit is found, each guard that speaks against it, and what would be "
            "written without them. Each edit is looked at by itself, and nothing is written.",
            ("patchpoint explain answer.md", "patchpoint explain answer.md --edit 2 --json"),
        ),
        CliCommand(
            "demo",
            CommandGroup.EDITS,
            "show all of it once, in a folder of its own",
            "demo.demo.demo",
            "",
            "Apply an answer that misquotes a small shop, look at it, and bring everything back, in a folder "
            "that is deleted at the end. Nothing of yours is touched.",
            ("patchpoint demo",),
        ),
        CliCommand(
            "review",
            CommandGroup.EDITS,
            "keep or revert what changed",
            "restoring.review.review",
            "review_options.add_review_options",
            "Go through what an agent changed, change by change, and keep or revert each. Without "
            "options you are asked about each change; files change only when you revert one.",
            ("patchpoint review", "patchpoint review --since last~2", "patchpoint review --finish"),
        ),
        CliCommand(
            "revert",
            CommandGroup.EDITS,
            "revert applied edits, or what a session changed",
            "reverting.revert",
            "edit_options.add_revert_options",
            "Take applied edits out again, even if their files have changed since: only the lines that they"
            " wrote change. It is refused where others have changed the same lines.",
            ("patchpoint revert", "patchpoint revert --session SESSION --check"),
        ),
        CliCommand(
            "applications",
            CommandGroup.EDITS,
            "list what was applied and can be reverted",
            "reverting.applications",
            "edit_options.add_applications_options",
            "List what was applied, newest first, with the ids that `patchpoint revert` takes.",
            ("patchpoint applications --limit 5",),
        ),
        CliCommand(
            "apply-patch",
            CommandGroup.EDITS,
            "apply a patch as agents do with `apply_patch`",
            "apply.apply_patch",
            "edit_options.add_apply_patch_options",
            "Apply a patch as the `apply_patch` of agents does, with the same output and exit status.",
            ("patchpoint apply-patch < change.patch",),
        ),
        CliCommand(
            "instructions",
            CommandGroup.EDITS,
            "print what to tell a model about how to write edits",
            "answers.instructions.instructions",
            "edit_options.add_instructions_options",
            "Print a text for your prompt, so that the model writes edits that can be applied.",
            ("patchpoint instructions --clipboard", "patchpoint instructions --format unifiedDiff"),
        ),
        CliCommand(
            "checkpoint",
            CommandGroup.CHECKPOINTS,
            "record the working tree",
            "checkpoints.take_checkpoint",
            "checkpoint_options.add_checkpoint_options",
            "Record all tracked and untracked files and the staged state, without touching any of them.",
            ('patchpoint checkpoint "before the rewrite"', "patchpoint checkpoint --pin"),
        ),
        CliCommand(
            "list",
            CommandGroup.CHECKPOINTS,
            "list the checkpoints, newest first",
            "listing.turns.list_checkpoints",
            "checkpoint_options.add_list_options",
            "List the checkpoints, newest first, one line a turn: the agent and the number of its prompt, "
            "when, what was asked, the files that it changed, and by how many lines. `patchpoint log` names "
            "all files.",
            ("patchpoint list", "patchpoint list --agent codex --since 12:00", "patchpoint list --json"),
        ),
        CliCommand(
            "log",
            CommandGroup.CHECKPOINTS,
            "list the checkpoints, with the files that changed",
            "listing.turns.log",
            "checkpoint_options.add_log_options",
            "List the checkpoints as `patchpoint list` does, each with the files that changed in its turn. "
            "With FILE:LINE, say which prompt wrote the line.",
            (
                "patchpoint log --limit 5",
                "patchpoint log --file src/app.py",
                "patchpoint log src/app.py:12",
                "patchpoint log --agent-trace -o .agent-trace/traces.jsonl",
            ),
        ),
        CliCommand(
            "show",
            CommandGroup.CHECKPOINTS,
            "show a checkpoint, or a file as it was",
            "checkpoints.show",
            "checkpoint_options.add_show_options",
            "Show when, why and on which branch a checkpoint was taken, or print one of its files.",
            ("patchpoint show last", "patchpoint show last~2 src/app.py"),
        ),
        CliCommand(
            "diff",
            CommandGroup.CHECKPOINTS,
            "compare a checkpoint with the working tree",
            "checkpoints.diff",
            "checkpoint_options.add_diff_options",
            "Print what changed since a checkpoint as a unified diff, which `git apply -R` reads.",
            ("patchpoint diff", "patchpoint diff last~3 src/", "patchpoint diff last~2 --against last"),
        ),
        CliCommand(
            "restore",
            CommandGroup.CHECKPOINTS,
            "bring the working tree back to a checkpoint",
            "restoring.restore.restore",
            "checkpoint_options.add_restore_options",
            "Bring files, branch and staged state back to a checkpoint; with paths, only these files. The "
            "state before that is recorded first, so that `patchpoint undo` undoes it.",
            (
                "patchpoint restore last --check",
                "patchpoint restore last src/app.py",
                "patchpoint restore --session SESSION --message MESSAGE",
            ),
        ),
        CliCommand(
            "rewind",
            CommandGroup.CHECKPOINTS,
            "pick a turn of an agent, and go back to before it",
            "restoring.rewind.rewind",
            "checkpoint_options.add_rewind_options",
            "Show the turns by agent and prompt, with what each changed at the side, and restore the state "
            "before the one that you pick. What is restored is shown first, and `patchpoint undo` undoes it. "
            "Without a terminal, the turns are only listed.",
            (
                "patchpoint rewind",
                "patchpoint rewind --agent codex --since noon",
                "patchpoint rewind --conversation",
                "patchpoint rewind --plain",
            ),
        ),
        CliCommand(
            "undo",
            CommandGroup.CHECKPOINTS,
            "undo the last thing that Patchpoint did",
            "restoring.undo.undo",
            "checkpoint_options.add_undo_options",
            "Take back the last thing that Patchpoint did here, and say what it was: applied edits, a revert,"
            " a review, a restore, deleted checkpoints. Again, it goes further back. It is refused where "
            "files have changed since, and passes over what a session did, unless you ask for it.",
            ("patchpoint undo", "patchpoint undo --check", "patchpoint undo --session SESSION"),
        ),
        CliCommand(
            "redo",
            CommandGroup.CHECKPOINTS,
            "redo what was undone",
            "restoring.undo.redo",
            "checkpoint_options.add_undo_options",
            "Bring back what was undone last, as long as nothing was done since.",
            ("patchpoint redo",),
        ),
        CliCommand(
            "operations",
            CommandGroup.CHECKPOINTS,
            "list what Patchpoint did and can be undone",
            "restoring.undo.operations",
            "checkpoint_options.add_operations_options",
            "List what Patchpoint did here, newest first, with the ids that `patchpoint undo` takes.",
            ("patchpoint operations", "patchpoint operations --session SESSION --json"),
        ),
        CliCommand(
            "fork",
            CommandGroup.CHECKPOINTS,
            "check a checkpoint out in a new worktree",
            "restoring.fork.fork",
            "checkpoint_options.add_fork_options",
            "Make a linked working tree, as `git worktree add` does, with the files of a checkpoint.",
            ("patchpoint fork last ../second-try --branch second-try",),
        ),
        CliCommand(
            "rename",
            CommandGroup.CHECKPOINTS,
            "rename a checkpoint, or pin it",
            "checkpoints.rename_checkpoint",
            "checkpoint_options.add_rename_options",
            "Give a checkpoint another label; pinned, it is kept until you delete it.",
            ('patchpoint rename last "it worked here" --pin',),
        ),
        CliCommand(
            "delete",
            CommandGroup.CHECKPOINTS,
            "delete one checkpoint",
            "checkpoints.delete",
            "checkpoint_options.add_delete_options",
            "Delete a checkpoint. At a terminal you are asked first. `patchpoint undo` brings it back, as "
            "long as its objects are in the repository or the mirror.",
            ("patchpoint delete last~5 --check",),
        ),
        CliCommand(
            "prune",
            CommandGroup.CHECKPOINTS,
            "delete checkpoints that are no longer needed",
            "checkpoints.prune",
            "checkpoint_options.add_prune_options",
            "Delete old checkpoints, by the settings or by these options. Pinned ones stay. At a terminal "
            "you are asked first. `patchpoint undo` brings them back, as long as their objects are there.",
            ("patchpoint prune --check", "patchpoint prune --older-than-days 30"),
        ),
        CliCommand(
            "push",
            CommandGroup.CHECKPOINTS,
            "send checkpoints to a remote",
            "transfer.push",
            "checkpoint_options.add_push_options",
            "Send checkpoints to a remote of the repository, so that they can be fetched elsewhere.",
            ("patchpoint push", "patchpoint push origin last"),
        ),
        CliCommand(
            "fetch",
            CommandGroup.CHECKPOINTS,
            "fetch the checkpoints of a remote",
            "transfer.fetch",
            "checkpoint_options.add_fetch_options",
            "Fetch the checkpoints that were pushed to a remote; your own stay as they are.",
            ("patchpoint fetch",),
        ),
        CliCommand(
            "setup",
            CommandGroup.AGENTS,
            "install the hook in your agents (`--remove` uninstalls it)",
            "agents.setup.setup",
            "agent_options.add_setup_options",
            "Have agents call the hook before they change files, so that there is always a checkpoint to go "
            "back to. The changes to their configuration are shown first.",
            ("patchpoint setup claude", "patchpoint setup --all --check", "patchpoint setup claude --remove"),
        ),
        CliCommand(
            "hook",
            CommandGroup.AGENTS,
            "called by agents: take a checkpoint",
            "agents.hook.hook",
            "agent_options.add_hook_options",
            "Take a checkpoint before what an agent announces, as JSON on standard input. It always exits "
            "with status 0, so that it never stops an agent.",
            ("patchpoint hook claude < event.json",),
        ),
        CliCommand(
            "mcp",
            CommandGroup.AGENTS,
            "serve an agent, by the Model Context Protocol",
            "mcp.mcp",
            "server_options.add_mcp_options",
            "Offer Patchpoint's tools to an agent, on standard input and output.",
            ("patchpoint mcp", "patchpoint mcp --read-only ~/project"),
        ),
        CliCommand(
            "serve",
            CommandGroup.INSTALLATION,
            "serve an editor (the default)",
            "serve.serve",
            "server_options.add_serve_options",
            "Serve an editor by the Language Server Protocol, on standard input and output unless you say "
            "otherwise. It is what `patchpoint` without a command does.",
            ("patchpoint serve", "patchpoint serve --tcp --port 2087 --token"),
        ),
        CliCommand(
            "doctor",
            CommandGroup.INSTALLATION,
            "check the installation and a folder",
            "doctor.doctor",
            "agent_options.add_doctor_options",
            "Check the installation, the repository and its checkpoints, and say what to do about problems.",
            ("patchpoint doctor", "patchpoint doctor --repair", "patchpoint doctor --prove"),
        ),
        CliCommand(
            "bench",
            CommandGroup.INSTALLATION,
            "compare engines on edits that models misquote (in a clone)",
            "demo.bench.bench",
            "agent_options.add_bench_options",
            "Have Patchpoint and other engines apply the same misquoted edits, and print where Patchpoint "
            "loses, then what each got right and wrong, and how long it took. The cases and the adapters are "
            "in a clone, not in the package: docs/benchmark.md there says how they are made.",
            ("patchpoint bench", "patchpoint bench --only patchpoint --runs 1"),
        ),
        CliCommand(
            "completion",
            CommandGroup.INSTALLATION,
            "print the completions of a shell",
            "parsing.completion.completion",
            "agent_options.add_completion_options",
            "Print a script that has your shell complete commands, options, checkpoints and ids.",
            (
                "source <(patchpoint completion bash)",
                "source <(patchpoint completion zsh)",
                "patchpoint completion fish | source",
            ),
        ),
    )


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; `command` is the name of the command, or `None`.

    The options of a command are added once it is the one to be read.
    """
    table = command_table()
    top = CommandParser(
        prog="patchpoint",
        usage="patchpoint [COMMAND] [OPTION ...]",
        description=f"{DESCRIPTION}\n\n{_listed(table)}",
        epilog=EPILOG,
    )
    top.add_argument("--version", action="store_true", help="print the version")
    add_server_options(top)
    # Named here, the program's name need not be worked out from the options before, which takes a while.
    commands = top.add_subparsers(
        dest="command",
        metavar="COMMAND",
        help=argparse.SUPPRESS,
        prog="patchpoint",
        parser_class=LaterParser,  # type: ignore[type-var]
    )
    for command in table:
        commands.add_parser(
            command.name,
            add_options=command.add_options,
            description=command.description,
            epilog=command.examples_text,
        )
    return top


def command_named(name: str | None) -> CliCommand:
    """Return the command called `name`, or `serve` for `None`."""
    return next(command for command in command_table() if command.name == (name or "serve"))


def _listed(table: tuple[CliCommand, ...]) -> str:
    """Return the commands in their groups, as the help lists them."""
    width = max(len(command.name) for command in table)
    groups = dict.fromkeys(command.group for command in table)
    return "\n\n".join(
        "\n".join(
            (
                f"{group.value}:",
                *(f"  {one.name:<{width}}  {one.help}" for one in table if one.group == group),
            )
        )
        for group in groups
    )
