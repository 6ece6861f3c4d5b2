/** The review of what was written since a checkpoint: begun, gone through, and ended with a summary for the model. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import type {
    Checkpoint,
    Decision,
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
    private readonly item: vscode.StatusBarItem;
    private readonly view = new ReviewView();
    /** The review that is shown, by its id, with its numbers. */
    private shown: ReviewResult | undefined;

    constructor(server: Server, announce: (line: string) => void) {
        this.server = server;
        this.announce = announce;
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
            this.announce(t("There are no checkpoints yet"));
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
        const review = await this.server.call("patchpoint.reviewChanges", given, t("Looking at the changes"));
        this.follow(review);
        if (review.open === 0) {
            this.announce(t("Nothing is left to review: {0}", reviewTally(review)));
            return;
        }
        this.announce(
            t("{0} to review in {1}", count(review.open, "change"), count(review.files.length, "file")),
        );
        await this.next({});
    }

    /** Show the next change that is open, after the cursor. */
    async next(place = here()): Promise<void> {
        const found = await this.server.call("patchpoint.nextChange", place);
        if (found.uri === null) {
            this.announce(t("No change is left to decide about"));
        }
    }

    /**
     * Keep a change or a file, or take it back; without a node, the change at the cursor. A button in the title of an
     * editor gives the URI of its file.
     */
    async decide(decision: Decision, node?: ReviewNode | vscode.Uri): Promise<void> {
        const meant = node !== undefined && "kind" in node ? given(node) : this.atCursor();
        if (meant === undefined) {
            this.announce(t("There is no change to decide about here"));
            return;
        }
        await this.decideAsAsked({ ...meant, decision });
    }

    /** Decide on behalf of a lens or a code action; for what is taken back without a reason, ask for one. */
    async decideAsAsked(given: ReviewHunk): Promise<ReviewedFile | undefined> {
        if (given.decision !== "takeBack") {
            return this.server.call("patchpoint.reviewHunk", given, t("Deciding"));
        }
        if (!(await mayChange())) {
            return undefined;
        }
        const reason = given.reason ?? (await askWhy());
        return reason === undefined
            ? undefined
            : this.server.call("patchpoint.reviewHunk", { ...given, reason: reason || null }, t("Deciding"));
    }

    /** Return the change of the review at the cursor. */
    private atCursor(): { review: string; hunk: string } | undefined {
        const place = here();
        const file = this.shown?.files.find(({ uri }) => uri === place.uri);
        const hunk = file?.hunks.find(({ range }) => range === null || touches(range, place.line ?? 0));
        return this.shown && hunk && { review: this.shown.review, hunk: hunk.id };
    }

    /** End the review, and copy the summary. */
    async finish(): Promise<void> {
        if (this.shown === undefined) {
            this.announce(t("There is no review to finish"));
            return;
        }
        const ended = await this.server.call("patchpoint.finishReview", { review: this.shown.review });
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

/** Return why something is taken back, or nothing; undefined if the person would rather not take it back. */
async function askWhy(): Promise<string | undefined> {
    const reason = await vscode.window.showInputBox({
        title: t("Why is it taken back?"),
        prompt: t("For the summary that the model is given; may be left empty"),
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

/** Whether a line is among those of `range`, or next to it where it is empty. */
function touches({ start, end }: Range, line: number): boolean {
    const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
    return start.line <= line && line <= last;
}

/** The place of the cursor. */
function here(): { uri?: string; line?: number } {
    const editor = vscode.window.activeTextEditor;
    return editor === undefined
        ? {}
        : { uri: editor.document.uri.toString(), line: editor.selection.active.line };
}
