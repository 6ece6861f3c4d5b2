/** Open editors after a restore: they show what is on disk, and no longer what was there before. */

import * as vscode from "vscode";
import { textOnDisk } from "./documents.ts";
import type { RestoreAnswer } from "./protocol.ts";

/**
 * Let the open documents follow a restore, whether it wrote their files or only took back what was not saved.
 *
 * A buffer that the server left equal to the file is saved work again, so its mark of unsaved changes goes; one that
 * the server made to differ is what had not been saved when the checkpoint was taken, and stays so. Editors of files
 * that the restore deleted are closed.
 */
export async function followRestore({ deleted }: RestoreAnswer): Promise<void> {
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

/** Buffers have one kind of line ending and no byte-order mark, whatever the file has. */
function sameText(buffer: string, file: string | undefined): boolean {
    return file !== undefined && plain(buffer) === plain(file);
}

function plain(text: string): string {
    return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}
