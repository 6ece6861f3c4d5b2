/** What a person does with checkpoints: take, compare, restore, undo, delete. */

import { sep } from "node:path";
import * as vscode from "vscode";
import {
    currentText,
    otherSide,
    type ShownDocuments,
    shownText,
    textOnDisk,
} from "../differences/documents.ts";
import { type Sides, showSides, sidesOf } from "../differences/sides.ts";
import { t } from "../language.ts";
import { reason, refusalCode } from "../server/errors.ts";
import type { Checkpoint, FileChange, RestoreCheckpoint, RestoreResult } from "../server/protocol.ts";
import type { Server } from "../server/server.ts";
import { mayChange } from "../trust.ts";
import { ago, count, restoreFacts, restorePlan, title } from "../wording.ts";
import type { ChangeNode, CheckpointNode, CheckpointsView } from "./view.ts";

/** The codes of refusals that a person may overrule. */
const OVERRULED_BY_FORCE = new Set(["branch-changed", "history-changed"]);

export class CheckpointActions {
    private readonly server: Server;
    private readonly view: CheckpointsView;
    private readonly shown: ShownDocuments;
    private readonly announce: (line: string, undo?: boolean) => void;
    private readonly followed: () => Promise<unknown>;

    /** The working tree that was restored last, if the restore named it: undo is about that, wherever the cursor is. */
    private restored: string | undefined;

    /** `followed` returns a promise that resolves once the open editors have followed the last restore. */
    constructor(
        server: Server,
        view: CheckpointsView,
        shown: ShownDocuments,
        announce: (line: string, undo?: boolean) => void,
        followed: () => Promise<unknown>,
    ) {
        this.server = server;
        this.view = view;
        this.shown = shown;
        this.announce = announce;
        this.followed = followed;
    }

    async take(): Promise<void> {
        const root = await pickFolder();
        if (root === undefined || !(await mayChange())) {
            return;
        }
        const label = await vscode.window.showInputBox({
            title: t("Take a checkpoint"),
            prompt: t("A label to find it by"),
            placeHolder: t("before the refactoring"),
        });
        if (label === undefined) {
            return;
        }
        const given = { root: root.toString(), ...(label === "" ? {} : { label }) };
        const taken = await this.server.call("patchpoint.takeCheckpoint", given, t("Taking a checkpoint"));
        if (taken === null) {
            return;
        }
        const said = t("Checkpoint “{0}” of {1}", title(taken), count(taken.files, "file"));
        const left = taken.skipped.length;
        this.announce(left > 0 ? `${said}, ${t("{0} left out", count(left, "file"))}` : said);
        await this.view.refresh();
    }

    /** Show all files that have changed since the checkpoint. */
    async compare(node?: CheckpointNode): Promise<void> {
        const checkpoint =
            node?.checkpoint ?? (await this.pick(t("Compare the working tree with which checkpoint?")));
        if (checkpoint === undefined) {
            return;
        }
        const { files } = await this.server.call(
            "patchpoint.diffCheckpoint",
            { checkpoint: checkpoint.id, root: checkpoint.root },
            t("Comparing with the checkpoint"),
        );
        if (files.length === 0) {
            this.announce(t("Nothing has changed since “{0}”", title(checkpoint)));
            return;
        }
        await this.openChanges(files, t("Since “{0}”", title(checkpoint)));
    }

    /** Show what has changed between two checkpoints, whatever the files are now. */
    async compareTwo(node?: CheckpointNode): Promise<void> {
        const one = node?.checkpoint ?? (await this.pick(t("Compare which checkpoint?")));
        const isOther = ({ id, root }: Checkpoint) => id !== one?.id && root === one?.root;
        const other = one && (await this.pick(t("Compare “{0}” with which other one?", title(one)), isOther));
        if (one === undefined || other === undefined) {
            return;
        }
        const [older, newer] = one.createdAt < other.createdAt ? [one, other] : [other, one];
        const given = { checkpoint: older.id, against: newer.id, root: older.root };
        const { files } = await this.server.call(
            "patchpoint.diffCheckpoint",
            given,
            t("Comparing checkpoints"),
        );
        if (files.length === 0) {
            this.announce(t("Nothing differs between “{0}” and “{1}”", title(older), title(newer)));
            return;
        }
        this.shown.begin();
        const sides = await Promise.all(files.map((change) => this.recordedSides(change)));
        await vscode.commands.executeCommand(
            "vscode.changes",
            `“${title(older)}” ↔ “${title(newer)}”`,
            sides,
        );
    }

    /** Show what has changed in a file or folder since a checkpoint that the person picks. */
    async comparePath(uri = vscode.window.activeTextEditor?.document.uri): Promise<void> {
        const name = uri && vscode.workspace.asRelativePath(uri, false);
        const checkpoint =
            uri && (await this.pick(t("Compare {0} with which checkpoint?", name ?? ""), holds(uri)));
        if (uri === undefined || checkpoint === undefined) {
            return;
        }
        const given = { checkpoint: checkpoint.id, root: checkpoint.root, uri: uri.toString() };
        const { files } = await this.server.call("patchpoint.diffCheckpoint", given, t("Comparing"));
        const [only] = files;
        if (only === undefined) {
            this.announce(t("Nothing has changed in {0} since “{1}”", name ?? "", title(checkpoint)));
        } else if (files.length === 1) {
            await this.openChange({ kind: "change", checkpoint, change: only });
        } else {
            await this.openChanges(files, t("{0} since “{1}”", name ?? "", title(checkpoint)));
        }
    }

    /** Restore a file or folder as it was at a checkpoint that the person picks. */
    async restorePath(uri = vscode.window.activeTextEditor?.document.uri): Promise<void> {
        const name = uri && vscode.workspace.asRelativePath(uri, false);
        const checkpoint =
            uri && (await this.pick(t("Restore {0} from which checkpoint?", name ?? ""), holds(uri)));
        if (uri !== undefined && checkpoint !== undefined) {
            await this.confirmAndRestore(
                { checkpoint: checkpoint.id, root: checkpoint.root, uris: [uri.toString()] },
                t("Restore {0} as it was at “{1}”?", name ?? "", title(checkpoint)),
            );
        }
    }

    /** Show what has changed in one file since the checkpoint. */
    async openChange({ checkpoint, change }: ChangeNode): Promise<void> {
        this.shown.begin();
        const sides = await this.sidesNow(change);
        const name = vscode.workspace.asRelativePath(sides[0], false);
        await showSides(sides, t("{0} (since “{1}”)", name, title(checkpoint)));
    }

    /** Give a checkpoint another name. */
    async rename(node?: CheckpointNode): Promise<void> {
        const checkpoint = node?.checkpoint ?? (await this.pick(t("Rename which checkpoint?")));
        if (checkpoint === undefined || !(await mayChange())) {
            return;
        }
        const label = await vscode.window.showInputBox({
            title: t("Rename the checkpoint"),
            value: checkpoint.label || title(checkpoint),
        });
        if (label !== undefined) {
            const { id, root } = checkpoint;
            await this.server.call("patchpoint.renameCheckpoint", { checkpoint: id, root, label });
            await this.view.refresh();
        }
    }

    /** Keep a checkpoint until somebody deletes it, or no longer. */
    async pin(node?: CheckpointNode): Promise<void> {
        const checkpoint = node?.checkpoint ?? (await this.pick(t("Pin or unpin which checkpoint?")));
        if (checkpoint === undefined || !(await mayChange())) {
            return;
        }
        const { id, root, pinned } = checkpoint;
        await this.server.call("patchpoint.renameCheckpoint", { checkpoint: id, root, pinned: !pinned });
        this.announce(pinned ? t("No longer pinned") : t("Pinned: kept until it is deleted"));
        await this.view.refresh();
    }

    async restore(node?: CheckpointNode): Promise<void> {
        const checkpoint = node?.checkpoint ?? (await this.pick(t("Restore which checkpoint?")));
        if (checkpoint !== undefined) {
            const given = { checkpoint: checkpoint.id, root: checkpoint.root };
            await this.confirmAndRestore(given, t("Restore “{0}”?", title(checkpoint)));
        }
    }

    async restoreFile({ checkpoint, change }: ChangeNode): Promise<void> {
        const uris = change.newUri ? [change.uri, change.newUri] : [change.uri];
        const name = vscode.workspace.asRelativePath(vscode.Uri.parse(change.uri), false);
        await this.confirmAndRestore(
            { checkpoint: checkpoint.id, root: checkpoint.root, uris },
            t("Restore {0} as it was at “{1}”?", name ?? "", title(checkpoint)),
        );
    }

    /** Restore on behalf of a lens or a code action. */
    async restoreAsAsked(given: RestoreCheckpoint): Promise<RestoreResult | undefined> {
        return this.confirmAndRestore(given, t("Restore the files as they were before this message?"));
    }

    async undo(): Promise<void> {
        const root = this.restored ?? (await pickFolder())?.toString();
        if (root === undefined || !(await mayChange())) {
            return;
        }
        const answer = await this.server.call("patchpoint.undoRestore", { root }, t("Undoing the restore"));
        await this.followed();
        this.announce(
            t("Undid the restore: {0}", restoreFacts(answer).join(", ") || t("nothing had changed")),
        );
        await this.view.refresh();
    }

    async delete(node?: CheckpointNode): Promise<void> {
        const checkpoint = node?.checkpoint ?? (await this.pick(t("Delete which checkpoint?")));
        if (checkpoint === undefined || !(await mayChange())) {
            return;
        }
        const question = t("Delete the checkpoint “{0}”?", title(checkpoint));
        const detail = t("The files of the working tree are not touched. This cannot be undone.");
        const erase = t("Delete");
        if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, erase)) !== erase) {
            return;
        }
        const given = { checkpoint: checkpoint.id, root: checkpoint.root };
        await this.server.call("patchpoint.deleteCheckpoint", given, t("Deleting the checkpoint"));
        await this.view.refresh();
    }

    private async openChanges(files: FileChange[], name: string): Promise<void> {
        this.shown.begin();
        const sides = await Promise.all(files.map((change) => this.sidesNow(change)));
        await vscode.commands.executeCommand("vscode.changes", name, sides);
    }

    /** Return the documents of a file at two checkpoints. */
    private async recordedSides(change: FileChange): Promise<Sides> {
        const before = change.originalUri === null ? "" : await shownText(change.originalUri);
        return sidesOf(this.shown, change, before).sides;
    }

    private async confirmAndRestore(
        given: RestoreCheckpoint,
        question: string,
    ): Promise<RestoreResult | undefined> {
        if (!(await mayChange())) {
            return undefined;
        }
        const foreseen = await this.foresee(given);
        if (foreseen === undefined) {
            return undefined;
        }
        const [wanted, plan] = foreseen;
        const unsaved = vscode.workspace.textDocuments.filter(
            ({ isDirty, uri }) => isDirty && uri.scheme === "file" && uri.fsPath.startsWith(given.root ?? ""),
        );
        const messages = plan.transcript?.messagesRemoved ?? 0;
        if (restoreFacts(plan).length === 0 && messages === 0 && unsaved.length === 0) {
            this.announce(t("Nothing has changed since that checkpoint"));
            return plan;
        }
        const name = (uri: string) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri), false);
        const detail = restorePlan(
            plan,
            unsaved.map(({ uri }) => uri.toString()),
            name,
        );
        const restore = t("Restore");
        const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, restore);
        if (answer !== restore) {
            return undefined;
        }
        const done = await this.server.call(
            "patchpoint.restoreCheckpoint",
            wanted,
            t("Restoring the checkpoint"),
        );
        this.restored = given.root ?? undefined;
        await this.followed();
        this.announce(t("Restored: {0}", restoreFacts(done).join(", ") || t("no file had changed")), true);
        await this.view.refresh();
        return done;
    }

    /** Return what the restore would do; if the server refuses it, the person may overrule that. */
    private async foresee(given: RestoreCheckpoint): Promise<[RestoreCheckpoint, RestoreResult] | undefined> {
        const looking = t("Checking what the restore would change");
        try {
            return [
                given,
                await this.server.call("patchpoint.restoreCheckpoint", { ...given, dryRun: true }, looking),
            ];
        } catch (error) {
            if (!OVERRULED_BY_FORCE.has(refusalCode(error) ?? "")) {
                throw error;
            }
            const anyway = t("Restore Anyway");
            const options = { modal: true, detail: reason(error) };
            const message = t("The restore was refused.");
            if ((await vscode.window.showWarningMessage(message, options, anyway)) !== anyway) {
                return undefined;
            }
            const forced = { ...given, force: true };
            return [
                forced,
                await this.server.call("patchpoint.restoreCheckpoint", { ...forced, dryRun: true }, looking),
            ];
        }
    }

    /** Return the documents of a file as it was and as it is now. */
    private async sidesNow(change: FileChange): Promise<Sides> {
        const was = vscode.Uri.parse(change.uri);
        const is = change.newUri ? vscode.Uri.parse(change.newUri) : was;
        switch (change.operation) {
            case "create":
                return [is, undefined, is];
            case "delete": {
                const { text, problem } = otherSide(change, "", "backward");
                const left = this.shown.show(was, text ?? problem);
                return [was, left, problem === undefined ? undefined : left];
            }
            default: {
                const now = (await textOnDisk(is)) ?? (await currentText(is));
                const { text, problem } = otherSide(change, now, "backward");
                const left = this.shown.show(was, text ?? problem);
                return [is, left, problem === undefined ? is : left];
            }
        }
    }

    private async pick(
        placeHolder: string,
        isMeant: (checkpoint: Checkpoint) => boolean = () => true,
    ): Promise<Checkpoint | undefined> {
        const items = this.view.checkpoints.filter(isMeant).map((checkpoint) => ({
            label: `$(bookmark) ${title(checkpoint)}`,
            description: ago(Date.parse(checkpoint.createdAt), Date.now()),
            detail: checkpoint.session === null ? "" : t("Session {0}", checkpoint.session),
            checkpoint,
        }));
        if (items.length === 0) {
            this.announce(t("No checkpoints yet"));
            return undefined;
        }
        return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true }))?.checkpoint;
    }
}

/** Whether a checkpoint's working tree is the one that a file or folder is in. */
function holds({ fsPath }: vscode.Uri): (checkpoint: Checkpoint) => boolean {
    return ({ root }) => fsPath === root || fsPath.startsWith(`${root.replace(/[\\/]$/, "")}${sep}`);
}

/** Return the folder that the user means: the only one, that of the active editor, or the one that is picked. */
export async function pickFolder(): Promise<vscode.Uri | undefined> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    if (folders.length === 0) {
        void vscode.window.showInformationMessage(
            t("Open a folder first: a checkpoint records the files of a folder."),
        );
        return undefined;
    }
    const active = vscode.window.activeTextEditor?.document.uri;
    const current = active && vscode.workspace.getWorkspaceFolder(active);
    if (folders.length === 1 || current === undefined) {
        return folders.length === 1 ? folders[0]?.uri : (await vscode.window.showWorkspaceFolderPick())?.uri;
    }
    return current.uri;
}
