/** The tree of a preview: its files and their changes, each with a box that is checked while it is to be applied. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import { placeRow } from "../pending/view.ts";
import { startOf } from "../review/places.ts";
import { fileRow, fileTooltip, hunkRow } from "../review/rows.ts";
import type {
    Candidate,
    Decision,
    Hunk,
    ReviewedEdit,
    ReviewedFile,
    ReviewResult,
} from "../server/protocol.ts";
import { withoutMessage } from "../treeMessage.ts";
import { isOpen, tally } from "../wording.ts";

export const PREVIEW_VIEW = "patchpoint.preview";

export type PreviewNode =
    | { kind: "file"; file: ReviewedFile }
    | { kind: "hunk"; file: ReviewedFile; hunk: Hunk }
    | { kind: "edit"; edit: ReviewedEdit }
    | { kind: "place"; edit: ReviewedEdit; candidate: Candidate; number: number };

/** A hunk or an edit, by its id, and what was decided about it: to keep an edit at a candidate. */
export type Choice = { decision: Decision } & ({ hunk: string } | { edit: string; candidate?: number });

export class PreviewView implements vscode.TreeDataProvider<PreviewNode>, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<undefined>();
    private readonly tree: vscode.TreeView<PreviewNode>;
    private shown: ReviewResult | undefined;
    private numbers = new Map<string, number>();

    readonly onDidChangeTreeData = this.changed.event;

    /** `choose` is called with what a person decides. */
    constructor(choose: (choices: Choice[]) => void) {
        this.tree = vscode.window.createTreeView<PreviewNode>(PREVIEW_VIEW, {
            treeDataProvider: this,
            // A file's box is that of all its changes, which the server decides about one by one.
            manageCheckboxStateManually: true,
            showCollapseAll: true,
        });
        this.tree.onDidChangeCheckboxState(({ items }) => choose(items.flatMap(choicesOf)));
    }

    /** Show a preview; nothing where there is none. */
    follow(preview: ReviewResult | undefined): void {
        this.shown = preview;
        this.numbers = new Map(preview?.edits.map(({ id }, index) => [id, index + 1]));
        if (preview === undefined) {
            withoutMessage(this.tree);
        } else {
            this.tree.message = t(
                "{0} to be applied, {1} dropped",
                preview.kept,
                preview.open + preview.takenBack,
            );
        }
        this.changed.fire(undefined);
    }

    getChildren(node?: PreviewNode): PreviewNode[] {
        if (node === undefined) {
            const preview = this.shown;
            return preview === undefined
                ? []
                : [
                      ...preview.files.map((file) => ({ kind: "file" as const, file })),
                      ...preview.edits.filter(isOpen).map((edit) => ({ kind: "edit" as const, edit })),
                  ];
        }
        if (node.kind === "edit") {
            const { edit } = node;
            return edit.candidates.map((candidate, at) => ({
                kind: "place",
                edit,
                candidate,
                number: at + 1,
            }));
        }
        return node.kind === "file" && !node.file.whole
            ? node.file.hunks.map((hunk) => ({ kind: "hunk", file: node.file, hunk }))
            : [];
    }

    getTreeItem(node: PreviewNode): vscode.TreeItem {
        if (node.kind === "edit") {
            return editItem(node.edit);
        }
        if (node.kind === "place") {
            const item = placeRow(node.edit, node.candidate, node.number);
            item.contextValue = "previewPlace";
            item.checkboxState = box(false, `${item.label}, ${item.description}`);
            return item;
        }
        const item = node.kind === "file" ? fileItem(node.file) : this.hunkItem(node);
        item.command = {
            command: "patchpoint.vscode.openPreviewed",
            title: t("Open Difference"),
            arguments: [node],
        };
        return item;
    }

    dispose(): void {
        this.tree.dispose();
        this.changed.dispose();
    }

    private hunkItem({ file, hunk }: PreviewNode & { kind: "hunk" }): vscode.TreeItem {
        const isKept = hunk.decision === "keep";
        const numbers = hunk.edits.map((edit) => this.numbers.get(edit) ?? 0);
        const item = hunkRow(file, hunk, startOf(hunk.oldRange), [
            ...(isKept ? [] : [t("dropped")]),
            ...(numbers.length === 0 ? [] : [t("edit {0}", numbers.join(", "))]),
        ]);
        item.checkboxState = box(isKept, item.accessibilityInformation?.label ?? "");
        return item;
    }
}

function fileItem(file: ReviewedFile): vscode.TreeItem {
    const kept = file.hunks.filter(({ decision }) => decision === "keep").length;
    const dropped =
        kept === 0
            ? [t("dropped")]
            : kept < file.hunks.length
              ? [t("{0} of {1}", kept, file.hunks.length)]
              : [];
    const item = fileRow(file, dropped);
    item.checkboxState = box(kept > 0, fileTooltip(file));
    return item;
}

/** A box, which a screen reader calls as its row is called. */
function box(isKept: boolean, label: string) {
    const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
    return { state: isKept ? Checked : Unchecked, accessibilityInformation: { label } };
}

function choicesOf([node, state]: [PreviewNode, vscode.TreeItemCheckboxState]): Choice[] {
    const decision = state === vscode.TreeItemCheckboxState.Checked ? "keep" : "open";
    switch (node.kind) {
        case "file":
            return node.file.hunks.map(({ id }) => ({ hunk: id, decision }));
        case "hunk":
            return [{ hunk: node.hunk.id, decision }];
        case "edit":
            return [{ edit: node.edit.id, decision }];
        case "place":
            return [{ edit: node.edit.id, candidate: node.number, decision: "keep" }];
    }
}

function editItem(edit: ReviewedEdit): vscode.TreeItem {
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    const path = vscode.workspace.asRelativePath(vscode.Uri.parse(edit.uri));
    const item = new vscode.TreeItem(path, edit.candidates.length > 0 ? Expanded : None);
    item.id = edit.id;
    if (edit.proposal !== null) {
        item.checkboxState = box(false, path);
    }
    item.iconPath = new vscode.ThemeIcon("warning");
    item.description = edit.decision === "takeBack" ? t("discarded") : t("{0}, stays pending", tally([edit]));
    item.tooltip = edit.message;
    item.contextValue = "previewUnplaced";
    return item;
}
