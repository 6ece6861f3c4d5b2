/** The two sides of a file in a difference view. */

import * as vscode from "vscode";
import type { FileChange } from "../server/protocol.ts";
import { otherSide, pastUri, type ShownDocuments } from "./documents.ts";

/** What the file is called, and the documents with both sides; undefined for a side without the file. */
export type Sides = [like: vscode.Uri, was: vscode.Uri | undefined, is: vscode.Uri | undefined];

/** How a file changes. */
export type Changes = Pick<FileChange, "uri" | "newUri" | "operation" | "diff">;

/**
 * Show a file with the text `before`, and with what a change makes of it; where that cannot be shown, or there is no
 * text, both sides say why, and `problem` is not undefined.
 */
export function sidesOf(
    shown: ShownDocuments,
    change: Changes,
    before: string | undefined,
): { sides: Sides; problem: string | undefined } {
    const was = vscode.Uri.parse(change.uri);
    const is = change.newUri ? vscode.Uri.parse(change.newUri) : was;
    const isGone = change.operation === "delete";
    const after = isGone && before !== undefined ? { text: "" } : otherSide(change, before, "forward");
    const left = after.problem ?? before ?? "";
    return {
        sides: [
            is,
            change.operation === "create" ? undefined : shown.show(was, left),
            isGone ? undefined : shown.show(is, after.problem ?? after.text),
        ],
        problem: after.problem,
    };
}

/** Open the difference of one file. */
export async function showSides(
    [like, was, is]: Sides,
    title: string,
    options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
    const nothing = pastUri(like, null);
    await vscode.commands.executeCommand("vscode.diff", was ?? nothing, is ?? nothing, title, options);
}

/** Return the options with which a difference is shown at a line, from 0. */
export function atLine(line: number): { selection: vscode.Range } {
    return { selection: new vscode.Range(line, 0, line, 0) };
}
