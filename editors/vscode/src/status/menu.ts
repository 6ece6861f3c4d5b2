/** The menu of the status bar item. */

import * as vscode from "vscode";
import { t } from "../language.ts";

/** What there is, which decides what is offered. */
export interface Situation {
    checkpoints: number;
    pending: number;
    reviewing: boolean;
}

type Entry = [label: string, command: string, isOffered?: boolean];

const entries = ({ checkpoints, pending, reviewing }: Situation): Entry[] => [
    [`$(clippy) ${t("Apply edits from the clipboard")}`, "applyFromClipboard"],
    [`$(location) ${t("Choose where a pending edit goes…")}`, "choosePlace", pending > 0],
    [`$(close-all) ${t("Discard all pending edits")}`, "discardPending", pending > 0],
    [`$(copy) ${t("Copy instructions for the model")}`, "copyInstructions"],
    [`$(reply) ${t("Revert applied edits")}`, "takeBackEdits", checkpoints > 0],
    [`$(checklist) ${t("Review changes…")}`, "reviewChanges", checkpoints > 0 && !reviewing],
    [`$(arrow-down) ${t("Next change to review")}`, "nextChange", reviewing],
    [`$(check-all) ${t("Finish the review")}`, "finishReview", reviewing],
    [`$(bookmark) ${t("Take a checkpoint…")}`, "takeCheckpoint"],
    [`$(history) ${t("Show checkpoints")}`, "showCheckpoints"],
    [`$(discard) ${t("Undo the last restore")}`, "undoRestore", checkpoints > 0],
    [`$(beaker) ${t("Open a sample to try")}`, "openSample", checkpoints === 0],
    [`$(debug-restart) ${t("Restart the server")}`, "restart"],
    [`$(output) ${t("Show the log")}`, "showLog"],
];

export async function showMenu(situation: Situation): Promise<void> {
    const items = entries(situation)
        .filter(([, , isOffered]) => isOffered ?? true)
        .map(([label, command]) => ({ label, command }));
    const chosen = await vscode.window.showQuickPick(items, { title: "Patchpoint" });
    if (chosen !== undefined) {
        await vscode.commands.executeCommand(`patchpoint.vscode.${chosen.command}`);
    }
}
