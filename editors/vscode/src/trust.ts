/** Workspace trust: in an untrusted workspace edits can be previewed, and nothing is changed. */

import * as vscode from "vscode";
import { t } from "./language.ts";

const READ_ONLY = new Set([
    "patchpoint.previewEdits",
    "patchpoint.compareEdit",
    "patchpoint.listPendingEdits",
    "patchpoint.listCheckpoints",
    "patchpoint.diffCheckpoint",
    "patchpoint.modelInstructions",
    "patchpoint.reviewChanges",
    "patchpoint.nextChange",
]);

/** Whether a command of the server may run here: any in a trusted workspace, else those that change nothing. */
export function mayRun(command: string): boolean {
    return vscode.workspace.isTrusted || READ_ONLY.has(command);
}

/** Whether files may be changed here; if not, a notification says why, and offers to manage trust. */
export async function mayChange(): Promise<boolean> {
    if (vscode.workspace.isTrusted) {
        return true;
    }
    const manage = t("Manage Workspace Trust");
    const message = t(
        "Patchpoint changes nothing in a folder that you do not trust; it only shows what edits would do.",
    );
    if ((await vscode.window.showWarningMessage(message, manage)) === manage) {
        await vscode.commands.executeCommand("workbench.trust.manage");
    }
    return vscode.workspace.isTrusted;
}
