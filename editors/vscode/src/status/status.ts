/** The status bar item: checkpoints, pending edits, the last action, and the state of the server. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import type { Outcome } from "../server/protocol.ts";
import type { ServerState } from "../server/server.ts";
import { count, isWaiting } from "../wording.ts";

/** Milliseconds for which the last action stays in the status bar; longer if it can be undone. */
const SHOW_MS = 8_000;
const SHOW_UNDO_MS = 45_000;

export class Status implements vscode.Disposable {
    private readonly item: vscode.StatusBarItem;
    private readonly language: vscode.LanguageStatusItem;
    private checkpoints = 0;
    private pending: Outcome[] = [];
    private news: { line: string; undo: boolean } | undefined;
    private timer: NodeJS.Timeout | undefined;
    private server: ServerState = { kind: "stopped" };

    constructor() {
        this.item = vscode.window.createStatusBarItem("patchpoint", vscode.StatusBarAlignment.Left, 1);
        this.item.name = "Patchpoint";
        this.language = vscode.languages.createLanguageStatusItem("patchpoint.server", [
            { scheme: "file" },
            { scheme: "untitled" },
        ]);
        this.language.name = "Patchpoint";
        this.draw();
        this.item.show();
    }

    /** Show for a while what was done; with `undo`, a click undoes it. */
    announce(line: string, undo = false): void {
        clearTimeout(this.timer);
        this.news = { line, undo };
        this.timer = setTimeout(
            () => {
                this.news = undefined;
                this.draw();
            },
            undo ? SHOW_UNDO_MS : SHOW_MS,
        );
        this.draw();
    }

    /** How many checkpoints and pending edits there are. */
    get numbers(): { checkpoints: number; pending: number } {
        return { checkpoints: this.checkpoints, pending: this.pending.length };
    }

    setCheckpoints(number: number): void {
        this.checkpoints = number;
        this.draw();
    }

    setPending(edits: Outcome[]): void {
        this.pending = edits.filter(isWaiting);
        this.draw();
    }

    setServer(state: ServerState): void {
        this.server = state;
        this.draw();
    }

    dispose(): void {
        clearTimeout(this.timer);
        this.item.dispose();
        this.language.dispose();
    }

    private draw(): void {
        this.drawItem();
        this.drawLanguage();
    }

    private drawItem(): void {
        const failed = this.server.kind === "failed";
        const waiting = this.pending.length;
        this.item.backgroundColor = failed
            ? new vscode.ThemeColor("statusBarItem.errorBackground")
            : undefined;
        this.item.command = "patchpoint.vscode.showMenu";
        if (failed) {
            this.item.text = "$(error) Patchpoint";
            this.item.tooltip = this.server.kind === "failed" ? this.server.message : "";
        } else if (this.news !== undefined) {
            this.item.text = `$(history) ${this.news.line}${this.news.undo ? ` $(discard) ${t("Undo")}` : ""}`;
            this.item.tooltip = this.news.undo ? t("Undo the restore") : this.news.line;
            this.item.command = this.news.undo
                ? "patchpoint.vscode.undoRestore"
                : "patchpoint.vscode.showMenu";
        } else {
            this.item.text = `$(history) ${this.checkpoints}${waiting > 0 ? ` $(warning) ${waiting}` : ""}`;
            this.item.tooltip = `Patchpoint: ${count(this.checkpoints, "checkpoint")}, ${count(waiting, "pending edit")}`;
        }
        this.item.accessibilityInformation = { label: `Patchpoint: ${this.item.tooltip}` };
    }

    private drawLanguage(): void {
        const state = this.server;
        this.language.busy = state.kind === "starting";
        this.language.severity =
            state.kind === "failed"
                ? vscode.LanguageStatusSeverity.Error
                : vscode.LanguageStatusSeverity.Information;
        this.language.text =
            state.kind === "running" ? `Patchpoint ${state.version}` : `Patchpoint: ${stateName(state.kind)}`;
        this.language.detail = detailOf(state);
        this.language.command =
            state.kind === "failed" || state.kind === "stopped"
                ? { command: "patchpoint.vscode.restart", title: t("Restart") }
                : { command: "patchpoint.vscode.showLog", title: t("Show Log") };
    }
}

function stateName(kind: Exclude<ServerState["kind"], "running">): string {
    return { stopped: t("stopped"), starting: t("starting"), failed: t("failed") }[kind];
}

function detailOf(state: ServerState): string {
    switch (state.kind) {
        case "running":
            return state.launched;
        case "failed":
            return state.message;
        default:
            return "";
    }
}
