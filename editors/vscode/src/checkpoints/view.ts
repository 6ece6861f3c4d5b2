/** The tree of checkpoints. */

import * as vscode from "vscode";
import { size } from "../differences/unifiedDiff.ts";
import { t } from "../language.ts";
import { reason } from "../server/errors.ts";
import type { Checkpoint, FileChange } from "../server/protocol.ts";
import type { Server } from "../server/server.ts";
import { ago, count, mark, title } from "../wording.ts";
import { grouped, type RootGroup, type SessionGroup } from "./groups.ts";

export const VIEW = "patchpoint.checkpoints";

export type Node =
    | { kind: "root"; group: RootGroup }
    | { kind: "session"; group: SessionGroup }
    | { kind: "checkpoint"; checkpoint: Checkpoint; age: string }
    | { kind: "change"; checkpoint: Checkpoint; change: FileChange }
    | { kind: "note"; text: string };

export type CheckpointNode = Extract<Node, { kind: "checkpoint" }>;
export type ChangeNode = Extract<Node, { kind: "change" }>;

/** Milliseconds without a change before the view lists again: a checkpoint writes several files under `.git`. */
const DEBOUNCE_MS = 150;

/** Milliseconds after which the ages are looked at again: the smallest unit is the minute. */
const AGES_MS = 20_000;

export class CheckpointsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
    private readonly server: Server;
    private readonly changed = new vscode.EventEmitter<Node | undefined>();
    private readonly counted = new vscode.EventEmitter<number>();
    private readonly nodes = new Map<string, CheckpointNode>();
    /** The checkpoints whose changes are shown. */
    private readonly expanded = new Set<CheckpointNode>();
    /** The checkpoints whose changes are out of date, and not visible. */
    private isStale = false;
    private tree: vscode.TreeView<Node> | undefined;
    private ages: NodeJS.Timeout | undefined;
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

    /** Show the view; what is returned removes it. */
    show(): vscode.Disposable {
        const tree = vscode.window.createTreeView<Node>(VIEW, {
            treeDataProvider: this,
            showCollapseAll: true,
        });
        this.tree = tree;
        this.ages = setInterval(() => this.agesChanged(), AGES_MS);
        return vscode.Disposable.from(
            tree,
            tree.onDidExpandElement(({ element }) => {
                if (element.kind === "checkpoint") {
                    this.expanded.add(element);
                }
            }),
            tree.onDidCollapseElement(({ element }) => {
                if (element.kind === "checkpoint") {
                    this.expanded.delete(element);
                }
            }),
            tree.onDidChangeVisibility(({ visible }) => {
                if (visible) {
                    this.agesChanged();
                    if (this.isStale) {
                        this.filesChanged();
                    }
                }
            }),
        );
    }

    /** Draw the changes since the checkpoints that are expanded again; those of a hidden view when it is shown. */
    filesChanged(): void {
        this.isStale = this.tree?.visible !== true;
        if (!this.isStale) {
            for (const node of this.expanded) {
                this.changed.fire(node);
            }
        }
    }

    /** Draw the checkpoints again whose ages read otherwise by now. */
    private agesChanged(): void {
        if (this.tree?.visible === true) {
            for (const node of this.nodes.values()) {
                if (node.age !== ageOf(node.checkpoint)) {
                    this.changed.fire(node);
                }
            }
        }
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
            this.forgetOthers();
            this.changed.fire(undefined);
            this.counted.fire(listed.length);
        }
    }

    async getChildren(node?: Node): Promise<Node[]> {
        switch (node?.kind) {
            case undefined:
                return this.top();
            case "root":
                return this.sessionsOf(node.group);
            case "session":
                return node.group.checkpoints.map((checkpoint) => this.nodeOf(checkpoint));
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
                node.age = ageOf(node.checkpoint);
                return checkpointItem(node);
            case "change":
                return changeItem(node);
            case "note":
                return new vscode.TreeItem(node.text);
        }
    }

    dispose(): void {
        clearTimeout(this.timer);
        clearInterval(this.ages);
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
            return this.sessionsOf(only);
        }
        return roots.map((group) => ({ kind: "root", group }));
    }

    /** Checkpoints that belong to no session, which are the person's own, need no heading. */
    private sessionsOf({ sessions }: RootGroup): Node[] {
        return sessions.flatMap((group): Node[] =>
            group.session === null
                ? group.checkpoints.map((checkpoint) => this.nodeOf(checkpoint))
                : [{ kind: "session", group }],
        );
    }

    /** Return the node of a checkpoint: always the same one, so that it can be drawn again alone. */
    private nodeOf(checkpoint: Checkpoint): CheckpointNode {
        const key = keyOf(checkpoint);
        const node = this.nodes.get(key) ?? { kind: "checkpoint", checkpoint, age: "" };
        node.checkpoint = checkpoint;
        this.nodes.set(key, node);
        return node;
    }

    private forgetOthers(): void {
        const keys = new Set(this.listed.map(keyOf));
        for (const [key, node] of this.nodes) {
            if (!keys.has(key)) {
                this.nodes.delete(key);
                this.expanded.delete(node);
            }
        }
    }

    private async changesSince(checkpoint: Checkpoint): Promise<Node[]> {
        try {
            const { files } = await this.server.call("patchpoint.diffCheckpoint", {
                checkpoint: checkpoint.id,
                root: checkpoint.root,
            });
            return files.length === 0
                ? [{ kind: "note", text: t("Nothing has changed since") }]
                : files.map((change) => ({ kind: "change", checkpoint, change }));
        } catch (error) {
            return [{ kind: "note", text: reason(error) }];
        }
    }
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
    item.tooltip = t("Session {0}", sessionName(session));
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
    afterStep: "debug-step-out",
    safety: "shield",
};

function keyOf({ root, id }: Checkpoint): string {
    return `checkpoint ${root} ${id}`;
}

function ageOf({ createdAt }: Checkpoint): string {
    return ago(Date.parse(createdAt), Date.now());
}

function checkpointItem({ checkpoint, age }: CheckpointNode): vscode.TreeItem {
    const item = new vscode.TreeItem(title(checkpoint), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = keyOf(checkpoint);
    item.iconPath = new vscode.ThemeIcon(
        checkpoint.pinned ? "pinned" : (ICONS[checkpoint.kind] ?? "bookmark"),
    );
    item.description = age;
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
        const { branch, head } = checkpoint;
        const where = head === null ? t("On {0}", branch) : t("On {0} at {1}", branch, head.slice(0, 9));
        text.appendText(`${where}\n`);
    }
    for (const { path, reason: why } of checkpoint.skipped) {
        text.appendText(`${t("Left out: {0} ({1})", path, why)}\n`);
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
    item.tooltip = t("{0}: what has changed since “{1}”", path, title(checkpoint));
    item.contextValue = "change";
    item.command = {
        command: "patchpoint.vscode.openChange",
        title: t("Open Difference"),
        arguments: [node],
    };
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
    return mode === undefined ? "" : mode === "100755" ? t("executable") : t("not executable");
}

function asUri(root: string): vscode.Uri {
    return /^[a-z][a-z0-9+.-]+:\/\//i.test(root) ? vscode.Uri.parse(root) : vscode.Uri.file(root);
}
