/** What the commands of a review are given by the editor: rows of a list, lines of a file, or nothing. */

import type * as vscode from "vscode";
import type { LineChange } from "./places.ts";
import type { ChangeRow } from "./tree.ts";

/**
 * What a command of the review is about: rows of the tree or files of source control, a group of these, a file and the
 * lines that its gutter shows, or what is chosen in the tree; with nothing, or a file alone, the change at the cursor.
 */
export type Given = [
    (ChangeRow | vscode.SourceControlResourceGroup | vscode.Uri | { inTree: true })?,
    ...(ChangeRow | LineChange[] | number)[],
];

/**
 * Whether a command comes from the button of a row that the editor does not know while it draws the tree again.
 *
 * It gives nothing for that row, and then what else is chosen. By a key or from the palette it gives nothing more, and
 * from the title of an editor the group of that.
 */
export function isOfGoneRow(given: readonly unknown[]): boolean {
    const [row, chosen] = given;
    return given.length > 1 && row === undefined && (chosen === undefined || Array.isArray(chosen));
}

export function isRow(given: unknown): given is ChangeRow {
    return typeof given === "object" && given !== null && "kind" in given;
}
