/** The tree of a review: its files and their changes, with what has been decided about each. */

import * as vscode from "vscode";
import { size } from "../differences/unifiedDiff.ts";
import { t } from "../language.ts";
import type { Hunk, ReviewedFile, ReviewResult } from "../server/protocol.ts";
import { withoutMessage } from "../treeMessage.ts";
import { firstChangedLine, reviewTally, tallyOf } from "../wording.ts";

export const REVIEW_VIEW = "patchpoint.review";

export type ReviewNode =
    | { kind: "file"; review: string; since: string; file: ReviewedFile }
    | { kind: "hunk"; review: string; since: string; file: ReviewedFile; hunk: Hunk };

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

    /** Show a review; nothing where there is none. */
    follow(review: ReviewResult | undefined): void {
        this.review = review;
        if (review === undefined) {
            withoutMessage(this.tree);
            this.tree.badge = undefined;
        } else {
            this.tree.message = reviewTally(review);
            this.tree.badge = { value: review.open, tooltip: t("{0} to review", review.open) };
        }
        this.changed.fire(undefined);
    }

    getChildren(node?: ReviewNode): ReviewNode[] {
        const review = this.review;
        if (review === undefined) {
            return [];
        }
        const common = { review: review.review, since: review.since };
        if (node === undefined) {
            return review.files.map((file) => ({ kind: "file", ...common, file }));
        }
        return node.kind === "file" && !node.file.whole
            ? node.file.hunks.map((hunk) => ({ kind: "hunk", ...common, file: node.file, hunk }))
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

const OPERATIONS = {
    create: "diff-added",
    update: "diff-modified",
    delete: "diff-removed",
    rename: "diff-renamed",
};

function fileItem(file: ReviewedFile): vscode.TreeItem {
    const uri = vscode.Uri.parse(file.uri);
    const path = vscode.workspace.asRelativePath(uri, false);
    const item = new vscode.TreeItem(
        path,
        file.whole ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Expanded,
    );
    item.id = file.uri;
    item.iconPath = new vscode.ThemeIcon(OPERATIONS[file.operation]);
    item.description = tallyOf(file.hunks);
    item.tooltip = file.whole
        ? t("{0}: the file as a whole, {1}", path, item.description)
        : `${path}: ${item.description}`;
    const isOpen = file.hunks.some(({ decision }) => decision === "open");
    item.contextValue = isOpen ? "reviewOpen" : "reviewDecided";
    return item;
}

const DECISIONS = { open: "circle-large-outline", keep: "check", takeBack: "discard" };

function hunkItem(file: ReviewedFile, hunk: Hunk): vscode.TreeItem {
    const line = (hunk.range?.start.line ?? 0) + 1;
    const item = new vscode.TreeItem(`${line}: ${firstChangedLine(hunk.diff)}`);
    item.id = `${file.uri} ${hunk.id}`;
    item.iconPath = new vscode.ThemeIcon(DECISIONS[hunk.decision]);
    const { added, removed } = size(hunk.diff);
    item.description = `+${added} −${removed}`;
    item.tooltip = hunk.diff;
    item.contextValue = hunk.decision === "open" ? "reviewOpen" : "reviewDecided";
    return item;
}
