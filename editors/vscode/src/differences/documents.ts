/** Read-only documents for one side of a difference view: a file as it was, or as it would be. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import { reason } from "../server/errors.ts";
import type { FileChange } from "../server/protocol.ts";
import { decoded, isSingleByte } from "./encoding.ts";
import { ShownTexts } from "./shownTexts.ts";
import { across, type Direction } from "./unifiedDiff.ts";

export const SCHEME = "patchpoint-shown";

export class ShownDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly texts = new ShownTexts();
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    /** A document of the server's whose text came with its URI: what was at a checkpoint never changes. */
    private known: { uri: string; text: string } | undefined;

    readonly onDidChange = this.changed.event;

    /** Begin a view: what is shown until the next one begins belongs to it, and is kept as long as it. */
    begin(): void {
        this.texts.begin();
    }

    /** Return the URI of a document with `text`, named and highlighted like `like`. */
    show(like: vscode.Uri, text: string): vscode.Uri {
        return vscode.Uri.from({ scheme: SCHEME, path: like.path, query: String(this.texts.keep(text)) });
    }

    /** Take the text of a document of the server's, so that it is not asked for. */
    know(uri: string | null | undefined, text: string | null): void {
        this.known = uri && text !== null ? { uri, text } : undefined;
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

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        if (uri.query === "") {
            return "";
        }
        if (uri.query === this.known?.uri) {
            return this.known.text;
        }
        return /^\d+$/.test(uri.query) ? this.texts.find(Number(uri.query)) : shownText(uri.query);
    }
}

/** Return the URI of a document named like `like`, with what `original` shows: a URI of the server's; null is empty. */
export function pastUri(like: vscode.Uri, original: string | null): vscode.Uri {
    return vscode.Uri.from({ scheme: SCHEME, path: like.path, query: original ?? "" });
}

/** Return the text of a document that the server shows. */
export async function shownText(uri: string): Promise<string> {
    return (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).getText();
}

/** Return a file's text: its buffer if it is open, else its content; undefined if there is no file. */
export async function currentText(uri: vscode.Uri): Promise<string | undefined> {
    const open = openDocument(uri);
    return open === undefined ? textOnDisk(uri) : open.getText();
}

/** Return the text of a file as the server reads it; undefined if there is no file, or no text in it. */
export async function textOnDisk(uri: vscode.Uri): Promise<string | undefined> {
    try {
        return decoded(await vscode.workspace.fs.readFile(uri));
    } catch {
        return undefined;
    }
}

/** Have the editor read a saved file of a single-byte encoding as the server does, where it can (from 1.100 on). */
export async function openAsRead(uri: vscode.Uri): Promise<void> {
    try {
        if (!openDocument(uri)?.isDirty && isSingleByte(await vscode.workspace.fs.readFile(uri))) {
            const open: (uri: vscode.Uri, options?: unknown) => Thenable<unknown> =
                vscode.workspace.openTextDocument;
            await open(uri, { encoding: "windows1252" });
        }
    } catch {
        // It is shown as the editor reads it.
    }
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
    const wanted = uri.toString();
    return vscode.workspace.textDocuments.find(
        (document) => !document.isClosed && document.uri.toString() === wanted,
    );
}

/** Return the text on the other side of `change`, given that of this side, or why it cannot be shown. */
export function otherSide(change: Named, text: string | undefined, direction: Direction): OtherSide {
    if (text === undefined) {
        return { problem: inWords(change, t("its text cannot be read")) };
    }
    try {
        return { text: change.diff === "" ? text : across(change.diff, text, direction) };
    } catch (error) {
        return { problem: inWords(change, reason(error)) };
    }
}

type Named = Pick<FileChange, "uri" | "newUri" | "diff">;

export type OtherSide = { text: string; problem?: never } | { text?: never; problem: string };

/** What is shown, on both sides, in place of a change that cannot be. */
function inWords(change: Named, why: string): string {
    const name = vscode.workspace.asRelativePath(vscode.Uri.parse(change.newUri ?? change.uri));
    return `${t("Patchpoint cannot show what changes in {0}: {1}", name, why)}\n`;
}
