/** The rows of a review, with what has been decided about each change. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import type { Hunk } from "../server/protocol.ts";
import { tallyOf } from "../wording.ts";
import { numberOfOpen } from "./merged.ts";
import { startOf } from "./places.ts";
import { fileRow, hunkRow } from "./rows.ts";
import type { ChangeRow } from "./tree.ts";

const DECISIONS = { open: "circle-large-outline", keep: "check", takeBack: "discard" };

/** Return a row as it is seen in the view. */
export function reviewRow(row: ChangeRow): vscode.TreeItem {
    const { file } = row;
    const hunks = row.kind === "file" ? file.hunks : [row.hunk];
    let item: vscode.TreeItem;
    if (row.kind === "file") {
        item = fileRow(file, numberOfOpen([file]) === hunks.length ? [] : [tallyOf(hunks)]);
    } else {
        item = hunkRow(file, row.hunk, startOf(row.hunk.range), [], [tallyOf(hunks)]);
        item.iconPath ??= new vscode.ThemeIcon(DECISIONS[row.hunk.decision]);
    }
    item.contextValue = contextOf(hunks);
    item.command = {
        command: "patchpoint.vscode.openReviewed",
        title: t("Open Difference"),
        arguments: [row],
    };
    return item;
}

/** Whether a row, or a file in source control, has something to decide about. */
export function contextOf(hunks: Hunk[]): string {
    return hunks.some(({ decision }) => decision === "open") ? "reviewOpen" : "reviewDecided";
}
