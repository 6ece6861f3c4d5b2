/** The documents that show the changes of a review: a file as it was, next to the file as it is. */

import * as vscode from "vscode";
import { openAsRead, pastUri, SCHEME } from "../differences/documents.ts";
import { atLine, type Sides, showSides } from "../differences/sides.ts";
import { t } from "../language.ts";
import type { Hunk, ReviewedFile } from "../server/protocol.ts";
import { type Change, changeAt, startOf } from "./places.ts";

/** How long the editor may take to say where its cursor is; it need not, such as where another tab was chosen. */
const CURSOR_MS = 1_000;

/** Show the difference of one file since a checkpoint of that name, at one of its changes. */
export async function showChange(
    { file, hunk }: Change,
    since: string,
    preserveFocus: boolean,
): Promise<void> {
    const sides = sidesOf(file);
    const [like, was, is] = sides;
    if (isWithoutText(file)) {
        await vscode.commands.executeCommand("vscode.open", is ?? was, { preserveFocus });
        return;
    }
    if (is !== undefined) {
        await openAsRead(is);
    }
    const names = [...(file.oldUri === null ? [] : [vscode.Uri.parse(file.oldUri)]), like];
    const name = names.map((uri) => vscode.workspace.asRelativePath(uri, false)).join(" → ");
    const title = t("{0} (since “{1}”)", name, since);
    await showSides(sides, title, { ...atLine(startOf(hunk.range)), preserveFocus });
    if (!preserveFocus) {
        await cursorAt(file, startOf(hunk.range));
    }
}

/**
 * Wait until the editor says that its cursor is at a line of a file, which it does a moment after it has drawn that.
 *
 * A key is about where the cursor was said to be last: until then, about the change before, which was decided about.
 */
function cursorAt(file: ReviewedFile, line: number): Promise<void> {
    return new Promise((resolve) => {
        const look = () => {
            const editor = vscode.window.activeTextEditor;
            const last = (editor?.document.lineCount ?? 1) - 1;
            if (shownIn(editor, [file])?.line === Math.min(line, last)) {
                end();
            }
        };
        const end = () => {
            clearTimeout(patience);
            listening.dispose();
            resolve();
        };
        const patience = setTimeout(end, CURSOR_MS);
        const listening = vscode.Disposable.from(
            vscode.window.onDidChangeActiveTextEditor(look),
            vscode.window.onDidChangeTextEditorSelection(look),
        );
        look();
    });
}

/** All files of a review as one difference. */
export class WholeReview {
    private sides: Sides[] = [];
    private opened = 0;

    /** Whether the active tab shows it, with a file in it. */
    isActive({ uri, operation }: ReviewedFile): boolean {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        const hasSeveral = typeof input === "object" && input !== null && "textDiffs" in input;
        const isThere = ([like]: Sides) => like.toString() === vscode.Uri.parse(uri).toString();
        // The editor goes to a file by what it is, and what was deleted is not.
        return hasSeveral && operation !== "delete" && this.sides.some(isThere);
    }

    /** Open the files as they are in the review by now. */
    async open(files: ReviewedFile[], since: string): Promise<void> {
        this.sides = files.filter((file) => !isWithoutText(file)).map(sidesOf);
        await Promise.all(this.sides.map(([, , is]) => is && openAsRead(is)));
        this.opened += 1;
        await this.show(since);
    }

    /** Go to a change of one of the files that are shown; the focus stays in the file that has it. */
    async goTo({ file, hunk }: Change, since: string): Promise<void> {
        const line = startOf(hunk.range);
        // The editor looks for the line on the side of what was.
        const old = startOf(hunk.oldRange) + 1;
        const range = { startLineNumber: old, startColumn: 1, endLineNumber: old, endColumn: 1 };
        await this.show(since, { modifiedUri: vscode.Uri.parse(file.uri), range });
        const editor = vscode.window.visibleTextEditors.find(({ document }) => isFile(document, file));
        if (editor !== undefined) {
            editor.selection = new vscode.Selection(line, 0, line, 0);
        }
    }

    /** `vscode.changes` would open another one each time, and cannot go anywhere in it. */
    private async show(since: string, reveal?: object): Promise<void> {
        await vscode.commands.executeCommand("_workbench.openMultiDiffEditor", {
            title: t("Since “{0}”", since),
            multiDiffSourceUri: vscode.Uri.from({ scheme: "patchpoint-review", path: `/${this.opened}` }),
            resources: this.sides.map(([, originalUri, modifiedUri]) => ({ originalUri, modifiedUri })),
            reveal,
        });
    }
}

/** Return the file of a review that an editor shows, on either side, and the change at its cursor. */
export function shownIn(
    editor: vscode.TextEditor | undefined,
    files: ReviewedFile[],
): { file: ReviewedFile; hunk: Hunk | undefined; line: number } | undefined {
    const { document, selection } = editor ?? {};
    const line = selection?.active.line ?? 0;
    const isOld = document?.uri.scheme === SCHEME;
    const file = files.find(({ uri, oldUri, originalUri }) =>
        isOld
            ? vscode.Uri.parse(oldUri ?? uri).path === document.uri.path &&
              ["", originalUri].includes(document.uri.query)
            : document !== undefined && isFile(document, { uri }),
    );
    return file && { file, hunk: changeAt(file, line, isOld), line };
}

function isFile(document: vscode.TextDocument, { uri }: { uri: string }): boolean {
    return vscode.Uri.parse(uri).toString() === document.uri.toString();
}

function sidesOf(file: ReviewedFile): Sides {
    const uri = vscode.Uri.parse(file.uri);
    const was = file.originalUri === null ? undefined : originalOf(file);
    return [uri, was, file.operation === "delete" ? undefined : uri];
}

/** The document with the file as it was, under the name that it had then. */
export function originalOf({ uri, oldUri, originalUri }: ReviewedFile): vscode.Uri {
    return pastUri(vscode.Uri.parse(oldUri ?? uri), originalUri);
}

/** Whether the file is one change as a whole, and no text that could be compared. */
function isWithoutText({ whole, hunks }: ReviewedFile): boolean {
    return whole && hunks.every(({ diff }) => /^Files .* differ$/m.test(diff) && !/^@@ /m.test(diff));
}
