/** What edits would change, in the editor's difference view, until the person applies or discards them. */

import * as vscode from "vscode";
import { currentText, otherSide, type ShownDocuments } from "../differences/documents.ts";
import { atLine, type Changes, type Sides, showSides, sidesOf } from "../differences/sides.ts";
import { t } from "../language.ts";
import { startOf } from "../review/places.ts";
import { ChangesTree } from "../review/tree.ts";
import { reason } from "../server/errors.ts";
import type { ReviewedFile, ReviewResult } from "../server/protocol.ts";
import type { Server } from "../server/server.ts";
import { count, isOpen, previewTitle, tally } from "../wording.ts";
import { type Choice, choicesOf, type PreviewRow, previewRow } from "./previewView.ts";

export type Decision = "apply" | "discard";

/** The context key that shows the Apply and Discard buttons in the title of the preview, and the view. */
const CONTEXT = "patchpoint.previewing";

const VIEW = "patchpoint.preview";

/** The context key that shows *Put It Here* in the title of the preview and of files. */
const PLACEABLE = "patchpoint.comparing";

/** A pending edit that a person may put where they point to. */
export type Placeable = { id: string; uri: string };

/** A file that is shown: its text before, unless a sentence is in place of it, what changes in it, and both sides. */
interface ShownFile {
    before: string | undefined;
    diff: string;
    sides: Sides;
}

function changesOf({ uri, oldUri, operation, diff }: ReviewedFile): Changes {
    return { uri: oldUri ?? uri, newUri: oldUri === null ? null : uri, operation, diff: diff ?? "" };
}

/** The preview that waits for a decision; there is at most one. */
export class Preview implements vscode.Disposable {
    private readonly server: Server;
    private readonly shown: ShownDocuments;
    private readonly button: vscode.StatusBarItem;
    private readonly tree: ChangesTree<PreviewRow>;
    private decide: ((decision: Decision) => void) | undefined;
    private asked: Promise<unknown> = Promise.resolve();
    private ended: Promise<unknown> = Promise.resolve();
    private placeable: Placeable | undefined;
    private preview: ReviewResult | undefined;
    /** What the label of its tab begins with. */
    private title = "";
    /** The files of the preview, by their URIs. */
    private files = new Map<string, ShownFile>();
    /** What the person chooses is sent in that order. */
    private choosing: Promise<void> = Promise.resolve();

    constructor(server: Server, shown: ShownDocuments) {
        this.server = server;
        this.shown = shown;
        const numberOf = (edit: string) => 1 + (this.preview?.edits.findIndex(({ id }) => id === edit) ?? -1);
        this.tree = new ChangesTree(VIEW, (row) => previewRow(row, numberOf));
        this.tree.view.onDidChangeCheckboxState(({ items }) => this.choose(items.flatMap(choicesOf)));
        this.button = vscode.window.createStatusBarItem(
            "patchpoint.preview",
            vscode.StatusBarAlignment.Left,
            0,
        );
        this.button.name = t("Patchpoint: Preview");
        this.button.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    }

    /** Show how the files would change. */
    async show(changes: Changes[], purpose: string): Promise<void> {
        this.shown.begin();
        const files = await Promise.all(changes.map((change) => this.file(change)));
        this.files = new Map(
            changes.map(({ uri, newUri }, index) => [newUri ?? uri, files[index] as ShownFile]),
        );
        const [only, ...others] = files;
        this.title = purpose;
        if (only === undefined) {
            await this.showChoices();
        } else if (others.length > 0) {
            const sides = files.map((file) => file.sides);
            await vscode.commands.executeCommand("vscode.changes", purpose, sides);
            // Else the next file that is opened takes its place, and closing it discards the edits.
            await vscode.commands.executeCommand("workbench.action.keepEditor");
        } else {
            this.title = `${vscode.workspace.asRelativePath(only.sides[0])}: ${purpose}`;
            await showSides(only.sides, this.title, { preview: false });
        }
    }

    /** Show how the files would change once an edit has a place, instead of what was shown before. */
    private async showAgain(preview: ReviewResult): Promise<void> {
        const before = this.tabs();
        await this.show(preview.files.map(changesOf), previewTitle(tally(preview.edits), preview.files));
        await vscode.window.tabGroups.close(before);
    }

    private tabs(): vscode.Tab[] {
        const files = [...this.files.values()];
        return vscode.window.tabGroups.all
            .flatMap((group) => group.tabs)
            .filter((tab) => tab.label.startsWith(this.title) || showsOne(files, tab));
    }

    /**
     * Show how the files would change, and wait for a decision: by the buttons in the title or the status bar, by
     * closing the preview, or by asking for another one. Meanwhile the person chooses in the view what is applied; an
     * `edit` that waits may be put elsewhere.
     */
    async ask(preview: ReviewResult, purpose: string, edit?: Placeable): Promise<Decision> {
        this.decideNow("discard");
        // What the one before has shown is closed first.
        const asking = this.ended.then(() => this.askNow(preview, purpose, edit));
        this.ended = asking.catch(() => undefined);
        return await asking;
    }

    private async askNow(preview: ReviewResult, purpose: string, edit?: Placeable): Promise<Decision> {
        const placeable = this.placeable;
        const decided = new Promise<Decision>((resolve) => {
            this.decide = resolve;
        });
        this.asked = decided;
        // Many files take a moment, in which the tab is there and shows nothing.
        this.button.command = undefined;
        this.button.text = `$(loading~spin) ${t("Patchpoint: Preview")}`;
        this.button.show();
        // Without files, all that there is to be seen is the view.
        await vscode.commands.executeCommand("setContext", CONTEXT, true);
        await this.letPlace(edit);
        this.follow(preview);
        await this.show(preview.files.map(changesOf), purpose).catch((error: unknown) => {
            this.button.hide();
            throw error;
        });
        const closing = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
            const isPreview = ({ label }: vscode.Tab) => label.startsWith(this.title);
            if (closed.some(isPreview) && !this.tabs().some(isPreview)) {
                this.decideNow("discard");
            }
        });
        this.button.tooltip = t("Apply the previewed edits");
        this.follow(preview);
        try {
            const decision = await decided;
            await this.choosing;
            return decision;
        } finally {
            closing.dispose();
            this.button.hide();
            this.follow(undefined);
            await vscode.commands.executeCommand("setContext", CONTEXT, false);
            await this.letPlace(placeable);
            await vscode.window.tabGroups.close(this.tabs());
        }
    }

    /** The pending edit that the person may put somewhere: the one that is previewed, or that is shown next to its file. */
    get edit(): Placeable | undefined {
        return this.placeable;
    }

    /** Let the person put an edit, and no other, where they point to. */
    async letPlace(edit: Placeable | undefined): Promise<void> {
        this.placeable = edit;
        await vscode.commands.executeCommand("setContext", PLACEABLE, edit !== undefined);
    }

    /** Decide about the preview; does nothing if none waits. */
    decideNow(decision: Decision): void {
        this.decide?.(decision);
        this.decide = undefined;
    }

    /** Resolve when no preview waits for a decision. */
    async decided(): Promise<void> {
        while (this.decide !== undefined) {
            await this.asked;
        }
    }

    /** Show the view in which the person chooses. */
    async showChoices(): Promise<void> {
        await vscode.commands.executeCommand(`${VIEW}.focus`);
    }

    /** Show what would change in a file, and where. */
    async open(node: PreviewRow): Promise<void> {
        const file = "file" in node ? this.files.get(node.file.uri) : undefined;
        if (file !== undefined) {
            const title = t(
                "{0}: Patchpoint preview of this file",
                vscode.workspace.asRelativePath(file.sides[0]),
            );
            const where = node.kind === "hunk" ? atLine(startOf(node.hunk.range)) : {};
            await showSides(file.sides, title, { preview: false, ...where });
        }
    }

    /** The URIs of the files that are, or were last, shown. */
    get shownFiles(): string[] {
        return [...this.files.keys()];
    }

    /** Return the file of which this is the document with its text before, if it is one of the preview. */
    fileBefore(uri: vscode.Uri): vscode.Uri | undefined {
        const files = [...this.files.values()];
        return files.find(({ sides: [, was] }) => was?.toString() === uri.toString())?.sides[0];
    }

    /** Let an edit without a place stay pending no longer, or again. */
    discardOrKeep(node: PreviewRow): void {
        if (node.kind === "edit") {
            const decision = node.edit.decision === "takeBack" ? "open" : "takeBack";
            this.choose([{ edit: node.edit.id, decision }]);
        }
    }

    dispose(): void {
        this.decideNow("discard");
        this.button.dispose();
        this.tree.dispose();
    }

    private choose(choices: Choice[]): void {
        this.choosing = this.choosing.then(async () => {
            const review = this.preview?.review;
            if (review === undefined) {
                return;
            }
            try {
                for (const choice of choices) {
                    await this.server.call("patchpoint.reviewHunk", { review, ...choice });
                }
                const preview = await this.server.call("patchpoint.reviewChanges", { review });
                if (choices.some((choice) => "edit" in choice && choice.decision === "keep")) {
                    await this.showAgain(preview);
                }
                this.follow(preview);
            } catch (error) {
                this.follow(this.preview);
                void vscode.window.showErrorMessage(`Patchpoint: ${reason(error)}`);
            }
        });
    }

    /** Show what is kept of the preview: in its documents, in the view and on the button. */
    private follow(preview: ReviewResult | undefined): void {
        this.preview = preview;
        if (preview === undefined) {
            this.tree.follow();
            return;
        }
        const dropped = preview.open + preview.takenBack;
        this.tree.follow(
            { ...preview, edits: preview.edits.filter(isOpen) },
            t("{0} to be applied, {1} dropped", preview.kept, dropped),
        );
        for (const change of preview.files.map(changesOf)) {
            const file = this.files.get(change.newUri ?? change.uri);
            const right = file?.sides[2];
            if (right !== undefined && file?.before !== undefined && file.diff !== change.diff) {
                file.diff = change.diff;
                const there = otherSide(change, file.before, "forward");
                this.shown.change(right, there.text ?? there.problem);
            }
        }
        const edits = preview.edits.filter(({ status }) => status === "matched").length;
        const what =
            dropped === 0
                ? count(edits, "edit")
                : t("{0} of {1}", preview.kept, count(preview.kept + dropped, "change"));
        this.button.text = `$(check) ${t("Apply {0}", what)}`;
        this.button.command = "patchpoint.vscode.applyPreview";
    }

    private async file(change: Changes): Promise<ShownFile> {
        const now = change.operation === "create" ? "" : await currentText(vscode.Uri.parse(change.uri));
        const { sides, problem } = sidesOf(this.shown, change, now);
        return { before: problem === undefined ? now : undefined, diff: change.diff, sides };
    }
}

/** Whether a tab shows the difference of one of these files. */
function showsOne(files: ShownFile[], { input }: vscode.Tab): boolean {
    return (
        input instanceof vscode.TabInputTextDiff &&
        files.some(
            ({ sides: [, was, is] }) =>
                was?.toString() === input.original.toString() || is?.toString() === input.modified.toString(),
        )
    );
}
