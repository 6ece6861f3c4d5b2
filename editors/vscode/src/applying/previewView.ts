/** The rows of a preview, each with a box that is checked while it is to be applied. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import { startOf } from "../review/places.ts";
import { editRow, fileRow, fileTooltip, hunkRow, placeRow } from "../review/rows.ts";
import type { Row } from "../review/tree.ts";
import type { Decision, Outcome, ReviewHunk } from "../server/protocol.ts";
import { tally } from "../wording.ts";

export type PreviewRow = Row<Outcome>;

/** What is decided, about a change or an edit. */
export type Choice = Omit<ReviewHunk, "review">;

/** Return a row as it is seen in the view; `numberOf` returns the number of an edit by its id. */
export function previewRow(row: PreviewRow, numberOf: (edit: string) => number): vscode.TreeItem {
    switch (row.kind) {
        case "file": {
            const { hunks } = row.file;
            const kept = hunks.filter(({ decision }) => decision === "keep").length;
            const isWhole = kept === hunks.length;
            const said = kept === 0 ? t("dropped") : t("{0} of {1}", kept, hunks.length);
            const item = fileRow(row.file, isWhole ? [] : [said]);
            return opened(boxed(item, kept > 0, fileTooltip(row.file)), row);
        }
        case "hunk": {
            const { file, hunk } = row;
            const isKept = hunk.decision === "keep";
            const numbers = hunk.edits.map(numberOf).join(", ");
            const item = hunkRow(file, hunk, startOf(hunk.oldRange), [
                ...(isKept ? [] : [t("dropped")]),
                ...(numbers === "" ? [] : [t("edit {0}", numbers)]),
            ]);
            return opened(boxed(item, isKept, item.accessibilityInformation?.label), row);
        }
        case "edit": {
            const { edit } = row;
            const isDiscarded = edit.decision === "takeBack";
            const item = editRow(edit, isDiscarded ? t("discarded") : t("{0}, stays pending", tally([edit])));
            item.contextValue = "previewUnplaced";
            return edit.proposal === null ? item : boxed(item, false);
        }
        case "place": {
            const item = placeRow(row.edit, row.candidate, row.number);
            item.contextValue = "previewPlace";
            return boxed(item, false, `${item.label}, ${item.description}`);
        }
    }
}

/** What is decided by the box of a row. */
export function choicesOf([row, state]: [PreviewRow, vscode.TreeItemCheckboxState]): Choice[] {
    const decision: Decision = state === vscode.TreeItemCheckboxState.Checked ? "keep" : "open";
    switch (row.kind) {
        case "file":
            return row.file.hunks.map(({ id }) => ({ hunk: id, decision }));
        case "hunk":
            return [{ hunk: row.hunk.id, decision }];
        case "edit":
            return [{ edit: row.edit.id, decision }];
        case "place":
            return [{ edit: row.edit.id, candidate: row.number, decision: "keep" }];
    }
}

/** Give a row a box, which a screen reader calls as the row is called. */
function boxed(item: vscode.TreeItem, isKept: boolean, label = String(item.label)): vscode.TreeItem {
    const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
    item.checkboxState = {
        state: isKept ? Checked : Unchecked,
        accessibilityInformation: { label },
    };
    return item;
}

function opened(item: vscode.TreeItem, row: PreviewRow): vscode.TreeItem {
    const command = "patchpoint.vscode.openPreviewed";
    item.command = { command, title: t("Open Difference"), arguments: [row] };
    return item;
}
