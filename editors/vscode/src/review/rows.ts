/** The rows of a review and of a preview: a file, and one of its changes. */

import { posix } from "node:path";
import * as vscode from "vscode";
import { size } from "../differences/unifiedDiff.ts";
import { counted, t } from "../language.ts";
import type { Hunk, ReviewedFile } from "../server/protocol.ts";
import { firstChangedLine, tallyOf } from "../wording.ts";

/** What a file is called where there is room: its path, what became of it, and how far its changes are decided. */
export function fileTooltip(file: ReviewedFile): string {
    const path = vscode.workspace.asRelativePath(vscode.Uri.parse(file.uri), false);
    const became = OPERATIONS[file.operation](file);
    return [path, ...became, ...brokenBy(file), tallyOf(file.hunks)].join(", ");
}

function brokenBy({ risk }: ReviewedFile): string[] {
    return risk === "unparsable" ? [t("no longer parses")] : [];
}

/** What became of a file, where that is more than a change of its lines. */
const OPERATIONS: Record<ReviewedFile["operation"], (file: ReviewedFile) => string[]> = {
    create: () => [t("created")],
    update: ({ whole }) => (whole ? [t("the file as a whole")] : []),
    delete: () => [t("deleted")],
    rename: ({ oldUri }) => [
        t("renamed from {0}", vscode.workspace.asRelativePath(vscode.Uri.parse(oldUri ?? ""), false)),
    ],
};

/** Return the row of a file, with the icon of its kind; `more` is said of it after what became of it. */
export function fileRow(file: ReviewedFile, more: string[]): vscode.TreeItem {
    const uri = vscode.Uri.parse(file.uri);
    const { None, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(uri, file.whole ? None : Expanded);
    item.id = file.uri;
    item.iconPath = vscode.ThemeIcon.File;
    const folder = posix.dirname(vscode.workspace.asRelativePath(uri, false));
    item.description = [
        ...(folder === "." ? [] : [folder]),
        ...OPERATIONS[file.operation](file),
        ...brokenBy(file),
        ...more,
    ].join(" · ");
    item.tooltip = fileTooltip(file);
    return item;
}

/** Return the row of a change at a line, from 0; `more` is shown after its size, and `said` by a screen reader. */
export function hunkRow(
    file: ReviewedFile,
    hunk: Hunk,
    line: number,
    more: string[],
    said = more,
): vscode.TreeItem {
    const text = firstChangedLine(hunk.diff);
    const item = new vscode.TreeItem(`${line + 1}: ${text}`);
    item.id = `${file.uri} ${hunk.id}`;
    const breaks = hunk.risk === "unparsable" ? [t("no longer parses")] : [];
    if (breaks.length > 0 && hunk.decision === "open") {
        item.iconPath = new vscode.ThemeIcon("warning");
    }
    const { added, removed } = size(hunk.diff);
    item.description = [`+${added} −${removed}`, ...breaks, ...more].join(" · ");
    item.tooltip = hunk.diff;
    item.accessibilityInformation = {
        label: [
            t("line {0}", line + 1),
            text,
            counted(added, "{0} line added", "{0} lines added"),
            counted(removed, "{0} line removed", "{0} lines removed"),
            ...breaks,
            ...said,
        ].join(", "),
    };
    return item;
}
