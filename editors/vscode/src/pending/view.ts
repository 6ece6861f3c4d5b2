/** The rows of the edits that wait, each with the places where it could go. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import { editRow, placeRow } from "../review/rows.ts";
import { ChangesTree, type EditRow } from "../review/tree.ts";
import type { Outcome } from "../server/protocol.ts";
import { isOpen, isQuotedAt, tally } from "../wording.ts";

/** The context key that shows the view while there is something in it. */
const CONTEXT = "patchpoint.pending";

export type PendingRow = EditRow<Outcome>;
export type PendingEdit = Extract<PendingRow, { kind: "edit" }>;

export class PendingView implements vscode.Disposable {
    private readonly tree = new ChangesTree("patchpoint.pending", pendingRow);

    /** Show these edits. */
    follow(edits: Outcome[]): void {
        this.tree.follow({ review: "", files: [], edits }, tally(edits.filter(isOpen)));
        void vscode.commands.executeCommand("setContext", CONTEXT, edits.length > 0);
    }

    dispose(): void {
        this.tree.dispose();
    }
}

function pendingRow(row: PendingRow): vscode.TreeItem {
    if (row.kind === "place") {
        const item = placeRow(row.edit, row.candidate, row.number);
        item.contextValue = isQuotedAt(row.edit, row.candidate) ? "pendingPlace" : "pendingSimilarPlace";
        return item;
    }
    const fits = row.edit.status === "matched";
    const item = editRow(row.edit, fits ? t("fits here") : tally([row.edit]));
    item.contextValue = fits ? "pendingFits" : "pendingEdit";
    return item;
}
