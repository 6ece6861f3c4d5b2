/** A server that cannot run: what is offered to the person, in a message and in the views. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import { SECTION, type ServerState } from "../server/server.ts";

/** The context key with the kind of the server's state, for the views that have nothing to list. */
const CONTEXT = "patchpoint.server";

/** What can be offered: a button's command, and what it is given. */
const COMMANDS = {
    restart: ["patchpoint.vscode.restart"],
    interpreter: ["patchpoint.vscode.chooseInterpreter"],
    settings: ["workbench.action.openSettings", `${SECTION}.server`],
    log: ["patchpoint.vscode.showLog"],
} satisfies Record<string, [command: string, ...given: unknown[]]>;

type Offer = keyof typeof COMMANDS;

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
            const cure = source === "bundled" ? "interpreter" : "settings";
            await offer(`Patchpoint: ${state.message}`, [cure, "restart", "log"]);
        }
    }

    /** Show an error of something that the person asked for. */
    async show(message: string): Promise<void> {
        await offer(`Patchpoint: ${message}`, ["log"]);
    }
}

async function offer(message: string, offered: Offer[]): Promise<void> {
    const labels: Record<Offer, string> = {
        restart: t("Restart Server"),
        interpreter: t("Choose Python…"),
        settings: t("Open Settings"),
        log: t("Show Log"),
    };
    const buttons = offered.map((offer) => ({ title: labels[offer], offer }));
    const chosen = await vscode.window.showErrorMessage(message, ...buttons);
    if (chosen !== undefined) {
        const [command, ...given] = COMMANDS[chosen.offer];
        await vscode.commands.executeCommand(command, ...given);
    }
}
