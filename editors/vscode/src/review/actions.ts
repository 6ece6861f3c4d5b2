/** The review of what was written since a checkpoint: begun, gone through, and ended with a summary for the model. */

import * as vscode from "vscode";
import { SCHEME } from "../differences/documents.ts";
import { t } from "../language.ts";
import type {
    Checkpoint,
    Decision,
    Hunk,
    Range,
    ReviewedFile,
    ReviewHunk,
    ReviewResult,
} from "../server/protocol.ts";
import type { Server } from "../server/server.ts";
import { mayChange } from "../trust.ts";
import { ago, count, reviewTally, title } from "../wording.ts";
import { merged } from "./merged.ts";
import { type ReviewNode, ReviewView } from "./view.ts";

/** Checkpoints that are offered to review the changes since. */
const OFFERED = 20;

type Choice = vscode.QuickPickItem & { since: string | null };

export class Reviewing implements vscode.Disposable {
    private readonly server: Server;
    private readonly announce: (line: string) => void;
    private readonly openSince: (checkpoint: string, uri: string, line: number) => Promise<void>;
    private readonly item: vscode.StatusBarItem;
    private readonly view = new ReviewView();
    /** The review that is shown, by its id, with its numbers. */
    private shown: ReviewResult | undefined;

    /** `openSince` shows what has changed in a file since a checkpoint, from a line on. */
    constructor(
        server: Server,
        announce: (line: string) => void,
        openSince: (checkpoint: string, uri: string, line: number) => Promise<void>,
    ) {
        this.server = server;
        this.announce = announce;
        this.openSince = openSince;
        this.item = vscode.window.createStatusBarItem("patchpoint.review", vscode.StatusBarAlignment.Left, 1);
        this.item.name = t("Patchpoint Review");
        this.item.command = "patchpoint.vscode.nextChange";
    }

    get isUnderWay(): boolean {
        return this.shown !== undefined;
    }

    /** Ask since when, list the changes as problems, and show the first. */
    async begin(): Promise<void> {
        const listed = await this.server.call("patchpoint.listCheckpoints", { limit: OFFERED });
        if (listed.checkpoints.length === 0) {
            this.announce(t("No checkpoints yet"));
            return;
        }
        const first: Choice = {
            label: `$(checklist) ${this.shown ? t("Go on with the review") : t("Since the newest turn")}`,
            since: null,
        };
        const others = listed.checkpoints.map((checkpoint) => choice(checkpoint));
        const chosen = await vscode.window.showQuickPick([first, ...others], {
            title: t("Review the changes since which checkpoint?"),
        });
        if (chosen === undefined) {
            return;
        }
        const given = chosen.since === null ? {} : { since: chosen.since };
        const review = await this.server.call("patchpoint.reviewChanges", given, t("Reading the changes"));
        this.follow(review);
        if (review.open === 0) {
            this.announce(t("Nothing left to review: {0}", reviewTally(review)));
            return;
        }
        this.announce(
            t("{0} to review in {1}", count(review.open, "change"), count(review.files.length, "file")),
        );
        await this.next({});
    }

    /** Show the next change that is open, after the cursor; of a file that was deleted, what it was. */
    async next(place = this.here()): Promise<void> {
        const { uri, range } = await this.server.call("patchpoint.nextChange", { ...place, show: false });
        if (uri === null) {
            this.announce(t("No changes left to review"));
        } else if (range !== null) {
            const { line, character } = range.start;
            const selection = new vscode.Range(line, character, line, character);
            await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(uri), { selection });
        } else if (this.shown !== undefined) {
            await this.openSince(this.shown.since, uri, 0);
        }
    }

    /**
     * Keep or revert a change or a file; without a node, the change at the cursor. A button in the title of an
     * editor gives the URI of its file.
     */
    async decide(decision: Decision, node?: ReviewNode | vscode.Uri): Promise<void> {
        const meant = node !== undefined && "kind" in node ? given(node) : this.atCursor();
        if (meant === undefined) {
            this.announce(t("No change to review here"));
            return;
        }
        await this.decideAsAsked({ ...meant, decision });
    }

    /** Decide on behalf of a lens or a code action; for what is reverted without a reason, ask for one. */
    async decideAsAsked(given: ReviewHunk): Promise<ReviewedFile | undefined> {
        if (given.decision !== "takeBack") {
            return this.server.call("patchpoint.reviewHunk", given, t("Saving the decision"));
        }
        if (!(await mayChange())) {
            return undefined;
        }
        const reason = given.reason ?? (await askWhy());
        return reason === undefined
            ? undefined
            : this.server.call(
                  "patchpoint.reviewHunk",
                  { ...given, reason: reason || null },
                  t("Saving the decision"),
              );
    }

    /** Return the change of the review at the cursor. */
    private atCursor(): { review: string; hunk: string } | undefined {
        const { hunk } = this.whereabouts();
        return this.shown && hunk && { review: this.shown.review, hunk: hunk.id };
    }

    /** Return the place of the cursor, in the file as it is now. */
    private here(): { uri?: string; line?: number } {
        const { file, hunk, line } = this.whereabouts();
        const uri = file?.uri ?? vscode.window.activeTextEditor?.document.uri.toString();
        return uri === undefined ? {} : { uri, line: hunk?.range?.start.line ?? line };
    }

    /** Return the line of the cursor, and the reviewed file and its change there, on either side of a difference. */
    private whereabouts(): { file?: ReviewedFile | undefined; hunk?: Hunk | undefined; line: number } {
        const editor = vscode.window.activeTextEditor;
        const line = editor?.selection.active.line ?? 0;
        const document = editor?.document.uri;
        if (document?.scheme !== SCHEME) {
            const file = this.shown?.files.find(({ uri }) => uri === document?.toString());
            return { file, hunk: file?.hunks.find(({ range }) => isAt(range, line)), line };
        }
        // What it was has the name that the file had then.
        const { path } = document;
        const file = this.shown?.files.find(
            ({ uri, oldUri }) => vscode.Uri.parse(oldUri ?? uri).path === path,
        );
        return { file, hunk: file?.hunks.find(({ oldRange }) => isAt(oldRange, line)), line };
    }

    /** End the review, and copy the summary; what is not saved can be saved before. */
    async finish(): Promise<void> {
        if (this.shown === undefined) {
            this.announce(t("No review to finish"));
            return;
        }
        const { review } = this.shown;
        const { unsaved } = await this.server.call("patchpoint.finishReview", { review, dryRun: true });
        if (unsaved.length > 0 && !(await maySaveFirst(unsaved))) {
            return;
        }
        const ended = await this.server.call("patchpoint.finishReview", { review });
        await vscode.env.clipboard.writeText(ended.summary);
        this.announce(t("Summary for the model copied: {0}", reviewTally(ended)));
    }

    /** Show what has become of a review. */
    follow(review: ReviewResult): void {
        this.shown = review.finished ? undefined : merged(this.shown, review);
        this.view.follow(this.shown);
        void vscode.commands.executeCommand("setContext", "patchpoint.reviewing", !review.finished);
        this.item.text = `$(checklist) ${t("{0} to review", review.open)}`;
        this.item.tooltip = t("Patchpoint: {0}. Click for the next change.", reviewTally(review));
        if (review.finished) {
            this.item.hide();
        } else {
            this.item.show();
        }
    }

    dispose(): void {
        this.item.dispose();
        this.view.dispose();
    }
}

/** Return why something is reverted, or nothing; undefined if the person would rather not revert it. */
async function askWhy(): Promise<string | undefined> {
    const reason = await vscode.window.showInputBox({
        title: t("Why revert it?"),
        prompt: t("For the summary for the model (optional)"),
    });
    return reason?.trim();
}

function choice(checkpoint: Checkpoint): Choice {
    const label = `$(bookmark) ${title(checkpoint)}`;
    return { label, description: ago(Date.parse(checkpoint.createdAt), Date.now()), since: checkpoint.id };
}

/** What a node of the tree means: a change, or all that are open in a file. */
function given(node: ReviewNode): { review: string; hunk?: string; uri?: string } {
    const { review } = node;
    return node.kind === "hunk" ? { review, hunk: node.hunk.id } : { review, uri: node.file.uri };
}

/**
 * Ask whether files that are not saved are saved before the review is finished, and save them then. Return false if the
 * person would rather not finish it, or a file cannot be saved.
 */
async function maySaveFirst(unsaved: string[]): Promise<boolean> {
    const uris = new Set(unsaved.map((uri) => vscode.Uri.parse(uri).toString()));
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => uris.has(uri.toString()));
    const names = documents.map(({ uri }) => vscode.workspace.asRelativePath(uri, false));
    const save = t("Save and Finish");
    const finish = t("Finish Without Saving");
    const answer = await vscode.window.showWarningMessage(
        t("{0} not saved yet", count(unsaved.length, "file")),
        { modal: true, detail: t("An agent reads what is on the disk: {0}", names.join(", ")) },
        save,
        finish,
    );
    if (answer !== save) {
        return answer === finish;
    }
    const saved = await Promise.all(documents.map((document) => document.save()));
    return saved.every(Boolean);
}

/** Whether a line is in `range`; every line is in a file that is one change as a whole. */
function isAt(range: Range | null, line: number): boolean {
    return range === null || touches(range, line);
}

/** Whether a line is among those of `range`, or next to it where it is empty. */
function touches({ start, end }: Range, line: number): boolean {
    const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
    return start.line <= line && line <= last;
}
