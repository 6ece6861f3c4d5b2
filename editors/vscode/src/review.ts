/** The review of what was written since a checkpoint: begun, gone through, and ended with a summary for the model. */

import * as vscode from "vscode";
import type { Checkpoint, ReviewResult } from "./protocol.ts";
import type { Server } from "./server.ts";
import { ago, count, reviewTally, title } from "./wording.ts";

/** Checkpoints that are offered to review the changes since. */
const OFFERED = 20;

type Choice = vscode.QuickPickItem & { since: string | null };

export class Reviewing implements vscode.Disposable {
    private readonly server: Server;
    private readonly announce: (line: string) => void;
    private readonly item: vscode.StatusBarItem;
    /** The review that is shown, by its id, with its numbers. */
    private shown: ReviewResult | undefined;

    constructor(server: Server, announce: (line: string) => void) {
        this.server = server;
        this.announce = announce;
        this.item = vscode.window.createStatusBarItem("patchpoint.review", vscode.StatusBarAlignment.Left, 1);
        this.item.name = "Patchpoint Review";
        this.item.command = "patchpoint.vscode.nextChange";
    }

    /** Ask since when, list the changes as problems, and show the first. */
    async begin(): Promise<void> {
        const listed = await this.server.call("patchpoint.listCheckpoints", { limit: OFFERED });
        if (listed.checkpoints.length === 0) {
            this.announce("There are no checkpoints yet");
            return;
        }
        const first: Choice = {
            label: this.shown ? "$(checklist) Go on with the review" : "$(checklist) Since the newest turn",
            since: null,
        };
        const others = listed.checkpoints.map((checkpoint) => choice(checkpoint));
        const chosen = await vscode.window.showQuickPick([first, ...others], {
            title: "Review the changes since which checkpoint?",
        });
        if (chosen === undefined) {
            return;
        }
        const given = chosen.since === null ? {} : { since: chosen.since };
        const review = await this.server.call("patchpoint.reviewChanges", given, "Looking at the changes");
        this.follow(review);
        if (review.open === 0) {
            this.announce(`Nothing is left to review: ${reviewTally(review)}`);
            return;
        }
        this.announce(`${count(review.open, "change")} to review in ${count(review.files.length, "file")}`);
        await this.next({});
    }

    /** Show the next change that is open, after the cursor. */
    async next(place = here()): Promise<void> {
        const found = await this.server.call("patchpoint.nextChange", place);
        if (found.uri === null) {
            this.announce("No change is left to decide about");
        }
    }

    /** End the review, and copy the summary. */
    async finish(): Promise<void> {
        if (this.shown === undefined) {
            this.announce("There is no review to finish");
            return;
        }
        const ended = await this.server.call("patchpoint.finishReview", { review: this.shown.review });
        await vscode.env.clipboard.writeText(ended.summary);
        this.announce(`Reviewed: ${reviewTally(ended)}; the summary for the model is copied`);
    }

    /** Show what has become of a review. */
    follow(review: ReviewResult): void {
        this.shown = review.finished ? undefined : review;
        void vscode.commands.executeCommand("setContext", "patchpoint.reviewing", !review.finished);
        this.item.text = `$(checklist) ${review.open} to review`;
        this.item.tooltip = `Patchpoint: ${reviewTally(review)}. Click for the next change.`;
        if (review.finished) {
            this.item.hide();
        } else {
            this.item.show();
        }
    }

    dispose(): void {
        this.item.dispose();
    }
}

function choice(checkpoint: Checkpoint): Choice {
    const label = `$(bookmark) ${title(checkpoint)}`;
    return { label, description: ago(Date.parse(checkpoint.createdAt), Date.now()), since: checkpoint.id };
}

/** The place of the cursor. */
function here(): { uri?: string; line?: number } {
    const editor = vscode.window.activeTextEditor;
    return editor === undefined
        ? {}
        : { uri: editor.document.uri.toString(), line: editor.selection.active.line };
}
