/** The tree of a review, of a preview and of the edits that wait: files with their changes, edits with their places. */

import * as vscode from "vscode";
import type { Candidate, ReviewedFile } from "../server/protocol.ts";
import type { Change } from "./places.ts";
import type { WaitingEdit } from "./rows.ts";

export type ChangeRow =
    | { kind: "file"; review: string; file: ReviewedFile }
    | ({ kind: "hunk"; review: string } & Change);

export type EditRow<Edit> =
    | { kind: "edit"; edit: Edit }
    | { kind: "place"; edit: Edit; candidate: Candidate; number: number };

export type Row<Edit> = ChangeRow | EditRow<Edit>;

/** What is in a tree: the files of a review, by its id, and edits that have no place. */
interface Shown<Edit> {
    review: string;
    files: ReviewedFile[];
    edits: Edit[];
}

/** Files whose changes are seen at once; where there are more, those of a file are when somebody goes to it. */
const MOST_EXPANDED = 50;

const NOTHING = { review: "", files: [], edits: [] };

/** The tree whose rows are `Rows`, of changes, of edits, or of both. */
export class ChangesTree<Rows extends Row<WaitingEdit>> implements vscode.TreeDataProvider<Rows> {
    private readonly changed = new vscode.EventEmitter<undefined>();
    private shown: Shown<WaitingEdit> = NOTHING;
    readonly view: vscode.TreeView<Rows>;
    readonly getTreeItem: (row: Rows) => vscode.TreeItem;
    readonly onDidChangeTreeData = this.changed.event;

    /** `draw` returns a row as it is seen. */
    constructor(id: string, draw: (row: Rows) => vscode.TreeItem) {
        const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
        this.getTreeItem = (row) => {
            const item = draw(row);
            if (item.collapsibleState === Expanded && this.shown.files.length > MOST_EXPANDED) {
                item.collapsibleState = Collapsed;
            }
            return item;
        };
        this.view = vscode.window.createTreeView<Rows>(id, {
            treeDataProvider: this,
            // A file's box is that of all its changes, which the server decides about one by one.
            manageCheckboxStateManually: true,
            showCollapseAll: true,
        });
    }

    /** Show changes and edits below a `message`; nothing where there are none. */
    follow(shown: Shown<Extract<Rows, { kind: "edit" }>["edit"]> = NOTHING, message?: string): void {
        this.shown = shown;
        // It may be undefined, which the types do not say; `delete` would remove what shows it.
        (this.view as { message: string | undefined }).message = message;
        this.changed.fire(undefined);
    }

    /** Choose the row of a change, and with `focus` go there; a view that is not visible is left so without it. */
    async reveal({ file, hunk }: Change, focus: boolean): Promise<void> {
        const { review } = this.shown;
        if (review !== "" && (focus || this.view.visible)) {
            const row: ChangeRow = file.whole
                ? { kind: "file", review, file }
                : { kind: "hunk", review, file, hunk };
            await this.view.reveal(row as Rows, { select: true, focus });
        }
    }

    getParent(row: Rows): Rows | undefined {
        const { kind, review, file } = row as ChangeRow;
        return kind === "hunk" ? ({ kind: "file", review, file } as Rows) : undefined;
    }

    getChildren(row?: Row<WaitingEdit>): Rows[] {
        if (row === undefined) {
            const { review, files, edits } = this.shown;
            return [
                ...files.map((file) => ({ kind: "file" as const, review, file })),
                ...edits.map((edit) => ({ kind: "edit" as const, edit })),
            ] as Rows[];
        }
        if (row.kind === "edit") {
            const { edit } = row;
            return edit.candidates.map((candidate, at) => ({
                kind: "place",
                edit,
                candidate,
                number: at + 1,
            })) as Rows[];
        }
        return row.kind === "file" && !row.file.whole
            ? (row.file.hunks.map((hunk) => ({ ...row, kind: "hunk", hunk })) as Rows[])
            : [];
    }

    dispose(): void {
        this.view.dispose();
        this.changed.dispose();
    }
}
