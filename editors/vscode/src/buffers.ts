/** Bring open editors up to date after a restore. */

import * as vscode from "vscode";
import { textOnDisk } from "./documents.ts";
import type { RestoreResult } from "./protocol.ts";

/**
 * Make the open documents show the restored state, whether the restore wrote files or only reverted unsaved changes.
 *
 * A dirty document whose text equals its file is reverted, so that it is no longer marked as unsaved; one that differs
 * has the text that was unsaved when the checkpoint was taken, and stays unsaved. Editors of files that the restore
 * deleted are closed.
 */
export async function followRestore({ deleted }: RestoreResult): Promise<void> {
    const before = vscode.window.activeTextEditor;
    let moved = false;
    const unsaved = vscode.workspace.textDocuments.filter(
        ({ isDirty, uri }) => isDirty && uri.scheme === "file",
    );
    for (const document of unsaved) {
        if (sameText(document.getText(), await textOnDisk(document.uri))) {
            await vscode.window.showTextDocument(document, { preview: false, ...columnOf(document.uri) });
            await vscode.commands.executeCommand("workbench.action.files.revert");
            moved = true;
        }
    }
    const gone = new Set(deleted.map((text) => vscode.Uri.parse(text).toString()));
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(
        tabs.filter(
            ({ input, isDirty }) =>
                !isDirty && input instanceof vscode.TabInputText && gone.has(input.uri.toString()),
        ),
    );
    if (moved && before !== undefined && !before.document.isClosed) {
        const { document, viewColumn } = before;
        await vscode.window.showTextDocument(document, { preview: false, ...(viewColumn && { viewColumn }) });
    }
}

function columnOf(uri: vscode.Uri): { viewColumn?: vscode.ViewColumn } {
    for (const { tabs, viewColumn } of vscode.window.tabGroups.all) {
        const holds = tabs.some(
            ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
        );
        if (holds) {
            return { viewColumn };
        }
    }
    return {};
}

/** Whether the texts are equal apart from line endings and a byte-order mark, which buffers do not keep. */
function sameText(buffer: string, file: string | undefined): boolean {
    return file !== undefined && plain(buffer) === plain(file);
}

function plain(text: string): string {
    return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}
