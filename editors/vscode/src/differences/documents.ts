/** Read-only documents for one side of a difference view: a file as it was, or as it would be. */

import * as vscode from "vscode";
import type { FileChange } from "../server/protocol.ts";
import { ShownTexts } from "./shownTexts.ts";
import { across, type Direction } from "./unifiedDiff.ts";

export const SCHEME = "patchpoint-shown";

export class ShownDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly texts = new ShownTexts();
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();

    readonly onDidChange = this.changed.event;

    /** Begin a view: what is shown until the next one begins belongs to it, and is kept as long as it. */
    begin(): void {
        this.texts.begin();
    }

    /** Return the URI of a document with `text`, named and highlighted like `like`. */
    show(like: vscode.Uri, text: string): vscode.Uri {
        return vscode.Uri.from({ scheme: SCHEME, path: like.path, query: String(this.texts.keep(text)) });
    }

    /** Show another text in a document that is shown. */
    change(uri: vscode.Uri, text: string): void {
        if (this.texts.find(Number(uri.query)) !== text) {
            this.texts.replace(Number(uri.query), text);
            this.changed.fire(uri);
        }
    }

    dispose(): void {
        this.changed.dispose();
    }

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.texts.find(Number(uri.query));
    }
}

/** The scheme of the documents that the server shows. */
const SERVER_SCHEME = "patchpoint";

/** Do `work`, in which the server shows what it asks about, and close what it has shown. */
export async function closingShown<T>(work: () => Promise<T>): Promise<T> {
    const before = new Set(shownByServer());
    try {
        return await work();
    } finally {
        await vscode.window.tabGroups.close(shownByServer().filter((tab) => !before.has(tab)));
    }
}

function shownByServer(): vscode.Tab[] {
    return vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === SERVER_SCHEME);
}

/** Return a file's text: its buffer if it is open, else its content; undefined if there is no file. */
export async function currentText(uri: vscode.Uri): Promise<string | undefined> {
    const open = openDocument(uri);
    return open === undefined ? textOnDisk(uri) : open.getText();
}

export async function textOnDisk(uri: vscode.Uri): Promise<string | undefined> {
    try {
        return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    } catch {
        return undefined;
    }
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
    const wanted = uri.toString();
    return vscode.workspace.textDocuments.find(
        (document) => !document.isClosed && document.uri.toString() === wanted,
    );
}

/**
 * Return the text on the other side of `change`, given that of this side; the diff itself if it does not match the
 * text (another encoding, a binary file).
 */
export function otherSide(change: FileChange, text: string, direction: Direction): string {
    try {
        return across(change.diff, text, direction);
    } catch {
        return change.diff;
    }
}
