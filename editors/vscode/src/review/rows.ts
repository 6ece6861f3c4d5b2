/** The rows of a review, of a preview and of the edits that wait: a file, a change, an edit, a place. */

import { posix } from "node:path";
import * as vscode from "vscode";
import { size } from "../differences/unifiedDiff.ts";
import { counted, t } from "../language.ts";
import type { Candidate, Hunk, Outcome, Range, ReviewedFile } from "../server/protocol.ts";
import { firstChangedLine, pendingName, placeWords, tallyOf } from "../wording.ts";

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

/** An edit without a place of its own. */
export type WaitingEdit = Pick<
    Outcome,
    "id" | "index" | "uri" | "status" | "message" | "range" | "candidates" | "proposal"
>;

const NOWHERE = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Return the row of an edit, which a click shows in its file; `what` is said of it. */
export function editRow(edit: WaitingEdit, what: string): vscode.TreeItem {
    const path = vscode.workspace.asRelativePath(vscode.Uri.parse(edit.uri));
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(pendingName(edit, path), edit.candidates.length > 0 ? Expanded : None);
    item.id = edit.id;
    item.iconPath = new vscode.ThemeIcon("warning");
    item.description = what;
    item.tooltip = edit.message;
    item.command = opening(edit.uri, edit.range ?? edit.candidates[0]?.range ?? NOWHERE);
    return item;
}

/** Return the row of a place where an edit may go, which a click shows in the file. */
export function placeRow(edit: WaitingEdit, candidate: Candidate, number: number): vscode.TreeItem {
    const item = new vscode.TreeItem(t("Line {0}", candidate.range.start.line + 1));
    item.id = `${edit.id} ${number}`;
    item.iconPath = new vscode.ThemeIcon("location");
    item.description = placeWords(candidate);
    item.tooltip = candidate.preview;
    item.command = opening(edit.uri, candidate.range);
    return item;
}

function opening(uri: string, { start, end }: Range): vscode.Command {
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    const options = { selection, preserveFocus: true };
    return { command: "vscode.open", title: t("Open File"), arguments: [vscode.Uri.parse(uri), options] };
}
