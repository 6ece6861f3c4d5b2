/** The tree of checkpoints. */

import * as vscode from "vscode";
import { reason } from "../errors.ts";
import type { Checkpoint, FileChange } from "../protocol.ts";
import type { Server } from "../server.ts";
import { size } from "../unifiedDiff.ts";
import { ago, count, mark, title } from "../wording.ts";
import { grouped, type RootGroup, type SessionGroup } from "./groups.ts";

export const VIEW = "patchpoint.checkpoints";

export type Node =
    | { kind: "root"; group: RootGroup }
    | { kind: "session"; group: SessionGroup }
    | { kind: "checkpoint"; checkpoint: Checkpoint }
    | { kind: "change"; checkpoint: Checkpoint; change: FileChange }
    | { kind: "note"; text: string };

export type CheckpointNode = Extract<Node, { kind: "checkpoint" }>;
export type ChangeNode = Extract<Node, { kind: "change" }>;

/** Milliseconds without a change before the view lists again: a checkpoint writes several files under `.git`. */
const DEBOUNCE_MS = 150;

export class CheckpointsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
    private readonly server: Server;
    private readonly changed = new vscode.EventEmitter<undefined>();
    private readonly counted = new vscode.EventEmitter<number>();
    private listed: Checkpoint[] = [];
    private timer: NodeJS.Timeout | undefined;
    private round = 0;
    /** Whether everything has to be drawn again, even if the same checkpoints are listed. */
    private due = false;

    readonly onDidChangeTreeData = this.changed.event;
    /** Fires with the number of checkpoints. */
    readonly onDidCount = this.counted.event;

    constructor(server: Server) {
        this.server = server;
    }

    /** All checkpoints, newest first. */
    get checkpoints(): Checkpoint[] {
        return this.listed;
    }

    /** List again once nothing has changed for `DEBOUNCE_MS`; draw only if the list differs. */
    refreshSoon(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.list(false), DEBOUNCE_MS);
    }

    /** List again and draw everything again, with the changes since each checkpoint. */
    async refresh(): Promise<void> {
        clearTimeout(this.timer);
        await this.list(true);
    }

    private async list(always: boolean): Promise<void> {
        this.due ||= always;
        this.round += 1;
        const round = this.round;
        const groups = grouped(await this.ask());
        const listed = groups.flatMap(({ sessions }) => sessions.flatMap(({ checkpoints }) => checkpoints));
        const differs = JSON.stringify(listed) !== JSON.stringify(this.listed);
        if (round === this.round && (this.due || differs)) {
            this.due = false;
            this.listed = listed;
            this.changed.fire(undefined);
            this.counted.fire(listed.length);
        }
    }

    async getChildren(node?: Node): Promise<Node[]> {
        switch (node?.kind) {
            case undefined:
                return this.top();
            case "root":
                return sessionsOf(node.group);
            case "session":
                return node.group.checkpoints.map((checkpoint) => ({ kind: "checkpoint", checkpoint }));
            case "checkpoint":
                return this.changesSince(node.checkpoint);
            default:
                return [];
        }
    }

    getTreeItem(node: Node): vscode.TreeItem {
        switch (node.kind) {
            case "root":
                return rootItem(node.group);
            case "session":
                return sessionItem(node.group);
            case "checkpoint":
                return checkpointItem(node.checkpoint);
            case "change":
                return changeItem(node);
            case "note":
                return new vscode.TreeItem(node.text);
        }
    }

    dispose(): void {
        clearTimeout(this.timer);
        this.changed.dispose();
        this.counted.dispose();
    }

    private async ask(): Promise<Checkpoint[]> {
        if (this.server.state.kind !== "running") {
            return [];
        }
        const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
        const answers = await Promise.allSettled(
            folders.map(({ uri }) =>
                this.server.call("patchpoint.listCheckpoints", { root: uri.toString() }),
            ),
        );
        return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value.checkpoints : []));
    }

    private top(): Node[] {
        const roots = grouped(this.listed);
        const [only] = roots;
        if (roots.length === 1 && only !== undefined) {
            return sessionsOf(only);
        }
        return roots.map((group) => ({ kind: "root", group }));
    }

    private async changesSince(checkpoint: Checkpoint): Promise<Node[]> {
        try {
            const { files } = await this.server.call("patchpoint.diffCheckpoint", {
                checkpoint: checkpoint.id,
                root: checkpoint.root,
            });
            return files.length === 0
                ? [{ kind: "note", text: "Nothing has changed since" }]
                : files.map((change) => ({ kind: "change", checkpoint, change }));
        } catch (error) {
            return [{ kind: "note", text: reason(error) }];
        }
    }
}

/** Checkpoints that belong to no session, which are the person's own, need no heading. */
function sessionsOf({ sessions }: RootGroup): Node[] {
    return sessions.flatMap((group): Node[] =>
        group.session === null
            ? group.checkpoints.map((checkpoint) => ({ kind: "checkpoint", checkpoint }))
            : [{ kind: "session", group }],
    );
}

function rootItem({ root, sessions }: RootGroup): vscode.TreeItem {
    const uri = asUri(root);
    const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Expanded);
    item.id = `root ${root}`;
    item.iconPath = new vscode.ThemeIcon("repo");
    item.description = count(sessions.flatMap(({ checkpoints }) => checkpoints).length, "checkpoint");
    return item;
}

function sessionItem({ root, session, checkpoints }: SessionGroup): vscode.TreeItem {
    const item = new vscode.TreeItem(sessionName(session), vscode.TreeItemCollapsibleState.Expanded);
    item.id = `session ${root} ${session}`;
    item.iconPath = new vscode.ThemeIcon("comment-discussion");
    item.description = count(checkpoints.length, "checkpoint");
    item.tooltip = `Session ${session}`;
    item.contextValue = "session";
    return item;
}

/** The name of a session: for a chat that is kept as a document, the path of the document. */
function sessionName(session: string | null): string {
    const isDocument = session !== null && /^(file|untitled):/.test(session);
    return isDocument ? vscode.workspace.asRelativePath(vscode.Uri.parse(session), false) : (session ?? "");
}

const ICONS = {
    manual: "bookmark",
    beforeApply: "edit",
    run: "robot",
    afterRun: "robot",
    step: "debug-step-over",
    safety: "shield",
};

function checkpointItem(checkpoint: Checkpoint): vscode.TreeItem {
    const item = new vscode.TreeItem(title(checkpoint), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `checkpoint ${checkpoint.root} ${checkpoint.id}`;
    item.iconPath = new vscode.ThemeIcon(
        checkpoint.pinned ? "pinned" : (ICONS[checkpoint.kind] ?? "bookmark"),
    );
    item.description = ago(Date.parse(checkpoint.createdAt), Date.now());
    item.tooltip = tooltip(checkpoint);
    item.contextValue = "checkpoint";
    return item;
}

function tooltip(checkpoint: Checkpoint): vscode.MarkdownString {
    const text = new vscode.MarkdownString();
    text.appendText(`${title(checkpoint)}\n`);
    text.appendText(
        `${new Date(checkpoint.createdAt).toLocaleString()}, ${count(checkpoint.files, "file")}\n`,
    );
    if (checkpoint.branch !== null) {
        text.appendText(
            `On ${checkpoint.branch}${checkpoint.head === null ? "" : ` at ${checkpoint.head.slice(0, 9)}`}\n`,
        );
    }
    for (const { path, reason: why } of checkpoint.skipped) {
        text.appendText(`Left out: ${path} (${why})\n`);
    }
    return text;
}

const CHANGE_ICONS = {
    create: "diff-added",
    update: "diff-modified",
    delete: "diff-removed",
    rename: "diff-renamed",
};

function changeItem(node: ChangeNode): vscode.TreeItem {
    const { change, checkpoint } = node;
    const uri = vscode.Uri.parse(change.newUri ?? change.uri);
    const path = vscode.workspace.asRelativePath(uri, false);
    const item = new vscode.TreeItem(path);
    item.id = `change ${checkpoint.root} ${checkpoint.id} ${change.uri}`;
    item.iconPath = new vscode.ThemeIcon(CHANGE_ICONS[change.operation]);
    item.description = `${mark(change)} ${lines(change)}`.trim();
    item.tooltip = `${path}: what has changed since “${title(checkpoint)}”`;
    item.contextValue = "change";
    item.command = { command: "patchpoint.vscode.openChange", title: "Open Difference", arguments: [node] };
    return item;
}

function lines({ diff }: FileChange): string {
    try {
        const { added, removed } = size(diff);
        return added + removed > 0 ? `+${added} −${removed}` : modeOf(diff);
    } catch {
        return "";
    }
}

function modeOf(diff: string): string {
    const mode = /^new mode (\d+)$/m.exec(diff)?.[1];
    return mode === undefined ? "" : mode === "100755" ? "executable" : "not executable";
}

function asUri(root: string): vscode.Uri {
    return /^[a-z][a-z0-9+.-]+:\/\//i.test(root) ? vscode.Uri.parse(root) : vscode.Uri.file(root);
}
