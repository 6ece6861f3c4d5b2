/** A server that cannot run: what is offered to the person, in a message and in the views. */

import * as vscode from "vscode";
import { SECTION, type ServerState } from "../server/server.ts";

/** The context key with the kind of the server's state, for the views that have nothing to list. */
const CONTEXT = "patchpoint.server";

const RESTART = "Restart Server";
const INTERPRETER = "Choose Python…";
const SETTINGS = "Open Settings";
const LOG = "Show Log";

const COMMANDS: Record<string, [command: string, ...given: unknown[]]> = {
    [RESTART]: ["patchpoint.vscode.restart"],
    [INTERPRETER]: ["patchpoint.vscode.chooseInterpreter"],
    [SETTINGS]: ["workbench.action.openSettings", `${SECTION}.server`],
    [LOG]: ["patchpoint.vscode.showLog"],
};

export class Failures {
    private readonly shown = new Set<string>();

    /** Show in the views what state the server is in; a failure also as a message, each once until it runs again. */
    async follow(state: ServerState): Promise<void> {
        void vscode.commands.executeCommand("setContext", CONTEXT, state.kind);
        if (state.kind === "running") {
            this.shown.clear();
        } else if (state.kind === "failed" && !this.shown.has(state.message)) {
            this.shown.add(state.message);
            const source = vscode.workspace.getConfiguration(SECTION).get("server.source", "bundled");
            const cure = source === "bundled" ? INTERPRETER : SETTINGS;
            await offer(`Patchpoint: ${state.message}`, [cure, RESTART, LOG]);
        }
    }

    /** Show an error of something that the person asked for. */
    async show(message: string): Promise<void> {
        await offer(`Patchpoint: ${message}`, [LOG]);
    }
}

async function offer(message: string, offered: string[]): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(message, ...offered);
    const [command, ...given] = (chosen && COMMANDS[chosen]) || [];
    if (command !== undefined) {
        await vscode.commands.executeCommand(command, ...given);
    }
}
