/** The tree of a review: its files and their changes, with what has been decided about each. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import type { Hunk, ReviewedFile, ReviewResult } from "../server/protocol.ts";
import { withoutMessage } from "../treeMessage.ts";
import { reviewTally, tallyOf } from "../wording.ts";
import { numberOfOpen } from "./merged.ts";
import { type Change, startOf } from "./places.ts";
import { fileRow, hunkRow } from "./rows.ts";

export const REVIEW_VIEW = "patchpoint.review";

export type ReviewNode =
    | { kind: "file"; review: string; file: ReviewedFile }
    | ({ kind: "hunk"; review: string } & Change);

export class ReviewView implements vscode.TreeDataProvider<ReviewNode>, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<undefined>();
    private readonly tree: vscode.TreeView<ReviewNode>;
    private review: ReviewResult | undefined;

    readonly onDidChangeTreeData = this.changed.event;

    constructor() {
        this.tree = vscode.window.createTreeView<ReviewNode>(REVIEW_VIEW, {
            treeDataProvider: this,
            showCollapseAll: true,
        });
    }

    /** The rows that are chosen. */
    get selection(): readonly ReviewNode[] {
        return this.tree.selection;
    }

    /** Show a review since the checkpoint of that name; nothing where there is none. */
    follow(review: ReviewResult | undefined, since: string): void {
        this.review = review;
        if (review === undefined) {
            withoutMessage(this.tree);
            this.tree.badge = undefined;
        } else {
            this.tree.description = t("Since “{0}”", since);
            this.tree.message = reviewTally(review);
            this.tree.badge = { value: review.open, tooltip: t("{0} to review", review.open) };
        }
        this.changed.fire(undefined);
    }

    /** Choose the row of a change, and with `focus` go there; a view that is not visible is left so without it. */
    async reveal({ file, hunk }: Change, focus: boolean): Promise<void> {
        if (this.review !== undefined && (focus || this.tree.visible)) {
            const common = { review: this.review.review, file };
            const node: ReviewNode = file.whole
                ? { kind: "file", ...common }
                : { kind: "hunk", ...common, hunk };
            await this.tree.reveal(node, { select: true, focus });
        }
    }

    getParent(node: ReviewNode): ReviewNode | undefined {
        return node.kind === "hunk" ? { kind: "file", review: node.review, file: node.file } : undefined;
    }

    getChildren(node?: ReviewNode): ReviewNode[] {
        const { review, files } = this.review ?? { review: "", files: [] };
        if (node === undefined) {
            return files.map((file) => ({ kind: "file", review, file }));
        }
        return node.kind === "file" && !node.file.whole
            ? node.file.hunks.map((hunk) => ({ kind: "hunk", review, file: node.file, hunk }))
            : [];
    }

    getTreeItem(node: ReviewNode): vscode.TreeItem {
        const item = node.kind === "file" ? fileItem(node.file) : hunkItem(node.file, node.hunk);
        item.command = {
            command: "patchpoint.vscode.openReviewed",
            title: t("Open Difference"),
            arguments: [node],
        };
        return item;
    }

    dispose(): void {
        this.tree.dispose();
        this.changed.dispose();
    }
}

/** Whether a row, or a file in source control, has something to decide about. */
export function contextOf(hunks: Hunk[]): string {
    return hunks.some(({ decision }) => decision === "open") ? "reviewOpen" : "reviewDecided";
}

function fileItem(file: ReviewedFile): vscode.TreeItem {
    const isUndecided = numberOfOpen([file]) === file.hunks.length;
    const item = fileRow(file, isUndecided ? [] : [tallyOf(file.hunks)]);
    item.contextValue = contextOf(file.hunks);
    return item;
}

const DECISIONS = { open: "circle-large-outline", keep: "check", takeBack: "discard" };

function hunkItem(file: ReviewedFile, hunk: Hunk): vscode.TreeItem {
    const item = hunkRow(file, hunk, startOf(hunk.range), [], [tallyOf([hunk])]);
    item.iconPath ??= new vscode.ThemeIcon(DECISIONS[hunk.decision]);
    item.contextValue = contextOf([hunk]);
    return item;
}
