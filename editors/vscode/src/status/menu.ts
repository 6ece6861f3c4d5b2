/** The menu of the status bar item. */

import * as vscode from "vscode";
import { t } from "../language.ts";

const entries = (): [label: string, command: string][] => [
    [`$(clippy) ${t("Apply edits from the clipboard")}`, "applyFromClipboard"],
    [`$(copy) ${t("Copy instructions for the model")}`, "copyInstructions"],
    [`$(reply) ${t("Take back applied edits")}`, "takeBackEdits"],
    [`$(checklist) ${t("Review changes…")}`, "reviewChanges"],
    [`$(bookmark) ${t("Take a checkpoint…")}`, "takeCheckpoint"],
    [`$(history) ${t("Show checkpoints")}`, "showCheckpoints"],
    [`$(discard) ${t("Undo the last restore")}`, "undoRestore"],
    [`$(location) ${t("Choose where a pending edit goes…")}`, "choosePlace"],
    [`$(close-all) ${t("Discard all pending edits")}`, "discardPending"],
    [`$(debug-restart) ${t("Restart the server")}`, "restart"],
    [`$(output) ${t("Show the log")}`, "showLog"],
];

export async function showMenu(): Promise<void> {
    const items = entries().map(([label, command]) => ({ label, command }));
    const chosen = await vscode.window.showQuickPick(items, { title: "Patchpoint" });
    if (chosen !== undefined) {
        await vscode.commands.executeCommand(`patchpoint.vscode.${chosen.command}`);
    }
}
