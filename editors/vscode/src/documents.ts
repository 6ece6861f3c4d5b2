/** Read-only documents for one side of a difference view: a file as it was, or as it would be. */

import * as vscode from "vscode";
import type { FileChange } from "./protocol.ts";
import { across, type Direction } from "./unifiedDiff.ts";

export const SCHEME = "patchpoint-shown";

/** The most texts that are kept for editors that may still show them. */
const KEPT = 500;

export class ShownDocuments implements vscode.TextDocumentContentProvider {
    private readonly texts = new Map<string, string>();
    private made = 0;

    /** Return the URI of a document with `text`, named and highlighted like `like`. */
    show(like: vscode.Uri, text: string): vscode.Uri {
        this.made += 1;
        const uri = vscode.Uri.from({ scheme: SCHEME, path: like.path, query: String(this.made) });
        this.texts.set(uri.toString(), text);
        for (const oldest of this.texts.keys()) {
            if (this.texts.size <= KEPT) {
                break;
            }
            this.texts.delete(oldest);
        }
        return uri;
    }

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.texts.get(uri.toString()) ?? "";
    }
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
