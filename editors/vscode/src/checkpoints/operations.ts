/** Undo and redo of what Patchpoint did, whatever it was, by the log that the command line and agents share. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import type { Operation } from "../server/protocol.ts";
import type { Server } from "../server/server.ts";
import { mayChange } from "../trust.ts";
import { ago, count } from "../wording.ts";
import { pickFolder } from "./actions.ts";

const LISTED = 50;

export class OperationActions {
    private readonly server: Server;
    private readonly announce: (line: string, undo?: boolean) => void;
    private readonly followed: () => Promise<unknown>;

    /** `followed` returns a promise that resolves once the open editors have followed the files. */
    constructor(
        server: Server,
        announce: (line: string, undo?: boolean) => void,
        followed: () => Promise<unknown>,
    ) {
        this.server = server;
        this.announce = announce;
        this.followed = followed;
    }

    /** Undo, or redo, the last operation of the user or the one that is named, once they have seen which it is. */
    async carryOut(way: "undo" | "redo", operation: string | null = null, at?: string): Promise<void> {
        const root = at ?? (await pickFolder())?.toString();
        if (root === undefined || !(await mayChange())) {
            return;
        }
        const wanted = { operation, session: null, anySession: false, root };
        const planned = await this.server.call(`patchpoint.${way}`, { ...wanted, dryRun: true });
        const files = planned.files.map(
            ({ uri, change }) =>
                `${change}  ${vscode.workspace.asRelativePath(vscode.Uri.parse(uri), false)}`,
        );
        const name = titleOf(planned.operation);
        const question = way === "undo" ? t("Undo “{0}”?", name) : t("Redo “{0}”?", name);
        const yes = way === "undo" ? t("Undo") : t("Redo");
        const detail = [...files.slice(0, LISTED), ...(files.length > LISTED ? ["…"] : [])].join("\n");
        if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) {
            return;
        }
        const done = await this.server.call(`patchpoint.${way}`, { ...wanted, dryRun: false });
        await this.followed();
        this.announce(`${yes}: ${titleOf(done.operation)} (${count(done.files.length, "file")})`);
    }

    /** Let the user pick one of the newest operations, and undo it, or redo it where it is undone. */
    async pick(): Promise<void> {
        const root = (await pickFolder())?.toString();
        if (root === undefined) {
            return;
        }
        const wanted = { limit: LISTED, session: null, root };
        const { operations } = await this.server.call("patchpoint.listOperations", wanted);
        // An undo or a redo is undone by its target.
        const own = operations.filter(({ target }) => target === null);
        const items = own.map((operation) => ({
            label: `$(${operation.state === "undone" ? "redo" : "discard"}) ${titleOf(operation)}`,
            description: `${ago(Date.parse(operation.at), Date.now())}  ${count(operation.files.length, "file")}`,
            operation,
        }));
        if (items.length === 0) {
            void vscode.window.showInformationMessage(t("Nothing was done here that could be undone."));
            return;
        }
        const title = t("Undo or redo which operation?");
        const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
        if (chosen !== undefined) {
            const way = chosen.operation.state === "undone" ? "redo" : "undo";
            await this.carryOut(way, chosen.operation.id, root);
        }
    }
}

function titleOf({ kind, label, session }: Operation): string {
    return [label || kind, session].filter(Boolean).join(", ");
}
