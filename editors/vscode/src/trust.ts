/** What an untrusted workspace allows: looking at what edits would do, and changing nothing. */

import * as vscode from "vscode";

const LOOKING = new Set([
    "patchpoint.previewEdits",
    "patchpoint.compareEdit",
    "patchpoint.listPendingEdits",
    "patchpoint.listCheckpoints",
    "patchpoint.diffCheckpoint",
]);

/** Whether the server's command may run here: any in a trusted workspace, else those that only look. */
export function mayRun(command: string): boolean {
    return vscode.workspace.isTrusted || LOOKING.has(command);
}

/** Whether files may be changed here; if not, the person is told why, and how to allow it. */
export async function mayChange(): Promise<boolean> {
    if (vscode.workspace.isTrusted) {
        return true;
    }
    const manage = "Manage Workspace Trust";
    const told =
        "Patchpoint changes nothing in a folder that you do not trust; it only shows what edits would do.";
    if ((await vscode.window.showWarningMessage(told, manage)) === manage) {
        await vscode.commands.executeCommand("workbench.trust.manage");
    }
    return vscode.workspace.isTrusted;
}
