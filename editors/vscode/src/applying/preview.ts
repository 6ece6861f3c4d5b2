/** What edits would change, in the editor's difference view, until the person applies or discards them. */

import * as vscode from "vscode";
import { currentText, otherSide, type ShownDocuments } from "../differences/documents.ts";
import type { FileChange } from "../server/protocol.ts";

export type Decision = "apply" | "discard";

/** The context key that shows the Apply and Discard buttons in the title of the preview. */
const CONTEXT = "patchpoint.previewing";

type Sides = [like: vscode.Uri, before: vscode.Uri | undefined, after: vscode.Uri | undefined];

/** The preview that waits for a decision; there is at most one. */
export class Preview implements vscode.Disposable {
    private readonly shown: ShownDocuments;
    private readonly button: vscode.StatusBarItem;
    private decide: ((decision: Decision) => void) | undefined;

    constructor(shown: ShownDocuments) {
        this.shown = shown;
        this.button = vscode.window.createStatusBarItem(
            "patchpoint.preview",
            vscode.StatusBarAlignment.Left,
            0,
        );
        this.button.name = "Patchpoint: Preview";
        this.button.command = "patchpoint.vscode.applyPreview";
        this.button.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    }

    /** Show how the files would change; return the title of the view. */
    async show(changes: FileChange[], purpose: string): Promise<string> {
        this.shown.begin();
        const sides = await Promise.all(changes.map((change) => this.sides(change)));
        const [only] = sides;
        if (sides.length !== 1 || only === undefined) {
            await vscode.commands.executeCommand("vscode.changes", purpose, sides);
            // Else the next file that is opened takes its place, and closing it discards the edits.
            await vscode.commands.executeCommand("workbench.action.keepEditor");
            return purpose;
        }
        const [like, before, after] = only;
        const title = `${vscode.workspace.asRelativePath(like)}: ${purpose}`;
        const [left, right] = [before ?? this.shown.show(like, ""), after ?? this.shown.show(like, "")];
        await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview: false });
        return title;
    }

    /**
     * Show how the files would change, and wait for a decision: by the buttons in the title or the status bar, by
     * closing the preview, or by asking for another one.
     */
    async ask(changes: FileChange[], purpose: string, question: string): Promise<Decision> {
        this.decideNow("discard");
        const decided = new Promise<Decision>((resolve) => {
            this.decide = resolve;
        });
        const title = await this.show(changes, purpose);
        const isPreview = (tab: vscode.Tab) => tab.label.startsWith(title);
        const closing = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
            if (closed.some(isPreview)) {
                this.decideNow("discard");
            }
        });
        this.button.text = `$(check) ${question}`;
        this.button.tooltip = "Apply the previewed edits";
        this.button.show();
        await vscode.commands.executeCommand("setContext", CONTEXT, true);
        try {
            return await decided;
        } finally {
            closing.dispose();
            this.button.hide();
            await vscode.commands.executeCommand("setContext", CONTEXT, false);
            const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
            await vscode.window.tabGroups.close(tabs.filter(isPreview));
        }
    }

    /** Decide about the preview; does nothing if none waits. */
    decideNow(decision: Decision): void {
        this.decide?.(decision);
        this.decide = undefined;
    }

    dispose(): void {
        this.decideNow("discard");
        this.button.dispose();
    }

    private async sides(change: FileChange): Promise<Sides> {
        const from = vscode.Uri.parse(change.uri);
        const to = change.newUri ? vscode.Uri.parse(change.newUri) : from;
        if (change.operation === "create") {
            return [to, undefined, this.shown.show(to, otherSide(change, "", "forward"))];
        }
        const text = (await currentText(from)) ?? "";
        const before = this.shown.show(from, text);
        return change.operation === "delete"
            ? [from, before, undefined]
            : [to, before, this.shown.show(to, otherSide(change, text, "forward"))];
    }
}
