/** The menu of the status bar item. */

import * as vscode from "vscode";

const ENTRIES: [label: string, command: string][] = [
    ["$(clippy) Apply edits from the clipboard", "applyFromClipboard"],
    ["$(copy) Copy instructions for the model", "copyInstructions"],
    ["$(reply) Take back applied edits", "takeBackEdits"],
    ["$(checklist) Review changes…", "reviewChanges"],
    ["$(bookmark) Take a checkpoint…", "takeCheckpoint"],
    ["$(history) Show checkpoints", "showCheckpoints"],
    ["$(discard) Undo the last restore", "undoRestore"],
    ["$(location) Choose where a pending edit goes…", "choosePlace"],
    ["$(close-all) Discard all pending edits", "discardPending"],
    ["$(debug-restart) Restart the server", "restart"],
    ["$(output) Show the log", "showLog"],
];

export async function showMenu(): Promise<void> {
    const items = ENTRIES.map(([label, command]) => ({ label, command }));
    const chosen = await vscode.window.showQuickPick(items, { title: "Patchpoint" });
    if (chosen !== undefined) {
        await vscode.commands.executeCommand(`patchpoint.vscode.${chosen.command}`);
    }
}
