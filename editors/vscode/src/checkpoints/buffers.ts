/** Bring open editors up to date after a restore. */

import * as vscode from "vscode";
import { lineDifference } from "../differences/lineDifference.ts";
import { t } from "../language.ts";
import type { RestoreResult } from "../server/protocol.ts";

/** How often unsaved text is put back into a document that something else changes meanwhile. */
const ATTEMPTS = 5;

/**
 * Make the open documents show the restored state, whether the restore wrote files or only reverted unsaved changes.
 *
 * A dirty document whose text equals its file is reverted, so that it is no longer marked as unsaved. One that differs
 * has the text that was unsaved when the checkpoint was taken, and stays unsaved; if the restore wrote its file, the
 * editor is made to read that file first, for it would refuse to save over a file that is newer than the one it has
 * read. One whose unsaved text was also that of the file until now is not dirty, so that the editor reads the file and
 * loses the text: it gets the text again. Editors of files that the restore deleted are closed.
 */
export async function followRestore({ written, deleted, unsaved }: RestoreResult): Promise<void> {
    const before = vscode.window.activeTextEditor;
    let moved = false;
    const rewritten = new Set(written.map(canonical));
    const wanted = new Map(unsaved.map(({ uri, text }) => [canonical(uri), text]));
    for (const document of vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "file")) {
        if (!document.isDirty) {
            const text = wanted.get(document.uri.toString());
            if (text !== undefined && !sameText(text, await textOnDisk(document.uri))) {
                await readAgainBelow(document, text);
                moved = true;
            }
            continue;
        }
        const isSaved = sameText(document.getText(), await textOnDisk(document.uri));
        if (isSaved) {
            await readAgain(document);
            moved = true;
        } else if (rewritten.has(document.uri.toString())) {
            await readAgainBelow(document, document.getText());
            moved = true;
        }
    }
    const gone = new Set(deleted.map(canonical));
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

/** Have the editor read the file of a document, whose unsaved text is lost. */
async function readAgain(document: vscode.TextDocument): Promise<void> {
    await vscode.window.showTextDocument(document, { preview: false, ...columnOf(document.uri) });
    await vscode.commands.executeCommand("workbench.action.files.revert");
}

/** Have the editor read the file of a document, which then shows `text` and is unsaved. */
async function readAgainBelow(document: vscode.TextDocument, text: string): Promise<void> {
    const [ending, eol] = text.includes("\r\n")
        ? ["\r\n", vscode.EndOfLine.CRLF]
        : ["\n", vscode.EndOfLine.LF];
    const unsaved = text.replace(/\r\n?|\n/g, ending);
    await readAgain(document);
    for (let attempt = 0; attempt < ATTEMPTS && document.getText() !== unsaved; attempt += 1) {
        const { start, end, text: between } = lineDifference(document.getText(), unsaved);
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        const edit = new vscode.WorkspaceEdit();
        const endings = document.eol === eol ? [] : [vscode.TextEdit.setEndOfLine(eol)];
        edit.set(document.uri, [vscode.TextEdit.replace(range, between), ...endings]);
        await vscode.workspace.applyEdit(edit);
    }
    if (document.getText() !== unsaved) {
        const language = document.languageId;
        const copy = await vscode.workspace.openTextDocument({ content: unsaved, language });
        await vscode.window.showTextDocument(copy, { preview: false });
        const name = vscode.workspace.asRelativePath(document.uri);
        void vscode.window.showWarningMessage(
            t(
                "Patchpoint: the unsaved text of {0} could not be put back into it. It is in a new document.",
                name,
            ),
        );
    }
}

/** Return the text of a file as the editor reads it unless it is set to another encoding; undefined if there is none. */
async function textOnDisk(uri: vscode.Uri): Promise<string | undefined> {
    try {
        return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    } catch {
        return undefined;
    }
}

function canonical(uri: string): string {
    return vscode.Uri.parse(uri).toString();
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
