/** The tree of pending edits: those that were not applied, each with the places where it could go. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import type { Candidate, Outcome, Range } from "../server/protocol.ts";
import { isOpen, isQuotedAt, pendingName, placeWords, tally } from "../wording.ts";

export const PENDING_VIEW = "patchpoint.pending";

/** The context key that shows the view while there is something in it. */
const CONTEXT = "patchpoint.pending";

export type PendingNode =
    | { kind: "edit"; edit: Outcome }
    | { kind: "place"; edit: Outcome; candidate: Candidate; number: number };

export type EditNode = Extract<PendingNode, { kind: "edit" }>;
export type PlaceNode = Extract<PendingNode, { kind: "place" }>;

export class PendingView implements vscode.TreeDataProvider<PendingNode>, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<undefined>();
    private readonly tree: vscode.TreeView<PendingNode>;
    private edits: Outcome[] = [];

    readonly onDidChangeTreeData = this.changed.event;

    constructor() {
        this.tree = vscode.window.createTreeView<PendingNode>(PENDING_VIEW, { treeDataProvider: this });
    }

    /** Show these edits. */
    follow(edits: Outcome[]): void {
        this.edits = edits;
        this.tree.message = tally(edits.filter(isOpen));
        void vscode.commands.executeCommand("setContext", CONTEXT, edits.length > 0);
        this.changed.fire(undefined);
    }

    getChildren(node?: PendingNode): PendingNode[] {
        if (node === undefined) {
            return this.edits.map((edit) => ({ kind: "edit", edit }));
        }
        return node.kind === "edit"
            ? node.edit.candidates.map((candidate, index) => ({
                  kind: "place",
                  edit: node.edit,
                  candidate,
                  number: index + 1,
              }))
            : [];
    }

    getTreeItem(node: PendingNode): vscode.TreeItem {
        if (node.kind === "edit") {
            return editItem(node.edit);
        }
        const { edit, candidate } = node;
        const item = placeRow(edit, candidate, node.number);
        item.contextValue = isQuotedAt(edit, candidate) ? "pendingPlace" : "pendingSimilarPlace";
        return item;
    }

    dispose(): void {
        this.tree.dispose();
        this.changed.dispose();
    }
}

const NOWHERE = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function editItem(edit: Outcome): vscode.TreeItem {
    const path = vscode.workspace.asRelativePath(vscode.Uri.parse(edit.uri));
    const item = new vscode.TreeItem(
        pendingName(edit, path),
        edit.candidates.length > 0
            ? vscode.TreeItemCollapsibleState.Expanded
            : vscode.TreeItemCollapsibleState.None,
    );
    item.id = edit.id;
    item.iconPath = new vscode.ThemeIcon("warning");
    const fits = edit.status === "matched";
    item.description = fits ? t("fits here") : tally([edit]);
    item.tooltip = edit.message;
    item.contextValue = fits ? "pendingFits" : "pendingEdit";
    item.command = opening(edit.uri, edit.range ?? edit.candidates[0]?.range ?? NOWHERE);
    return item;
}

/** Return the row of a place where an edit may go, which a click shows in the file. */
export function placeRow(
    edit: { id: string; uri: string },
    candidate: Candidate,
    number: number,
): vscode.TreeItem {
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
