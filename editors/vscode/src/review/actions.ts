/** The review of what was written since a checkpoint: begun, gone through, and ended with a summary for the model. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import type { Checkpoint, Decision, ReviewedFile, ReviewHunk, ReviewResult } from "../server/protocol.ts";
import { SECTION, type Server } from "../server/server.ts";
import { ago, count, reviewTally, title } from "../wording.ts";
import { ReviewBadges } from "./badges.ts";
import { ReviewControl } from "./control.ts";
import { showChange, shownIn, WholeReview } from "./differences.ts";
import { endedTurn } from "./endedTurn.ts";
import { type Given, isOfGoneRow, isRow } from "./given.ts";
import { merged } from "./merged.ts";
import { type Change, changesOf, changesWithin, nextOpen, startOf } from "./places.ts";
import { mayRevert, maySaveFirst } from "./questions.ts";
import { type ChangeRow, ChangesTree } from "./tree.ts";
import { reviewRow } from "./view.ts";

/** Checkpoints that are offered to review the changes since. */
const OFFERED = 20;

type Choice = vscode.QuickPickItem & { since: string | null };

export class Reviewing implements vscode.Disposable {
    private readonly server: Server;
    private readonly announce: (line: string) => void;
    private readonly find: (checkpoint: string) => Checkpoint | undefined;
    private readonly item: vscode.StatusBarItem;
    private readonly tree = new ChangesTree("patchpoint.review", reviewRow);
    private readonly control = new ReviewControl();
    private readonly badges = new ReviewBadges();
    private readonly whole = new WholeReview();
    private readonly cursor: vscode.Disposable;
    /** The checkpoint at which the newest turn ended, or nothing while it goes on; undefined before the first look. */
    private ended: string | undefined;
    private turn = Promise.resolve<void>(undefined);
    /** The change that was gone to from a file of the difference of all, by its id, until the cursor is moved. */
    private at: { hunk: string; from: vscode.TextDocument | undefined } | undefined;
    /** The review that is shown, by its id, with its numbers. */
    private shown: ReviewResult | undefined;
    /** The answer to the request that begins a review, until it has come. */
    private beginning: Promise<ReviewResult> | undefined;
    /** Of the review that was begun last, by the answer, if its first change was shown before that had come. */
    private shownBefore: Promise<ReviewResult> | undefined;
    private isShowingFirst = false;

    /** `find` returns the checkpoint with that id. */
    constructor(
        server: Server,
        announce: (line: string) => void,
        find: (checkpoint: string) => Checkpoint | undefined,
    ) {
        this.server = server;
        this.announce = announce;
        this.find = find;
        this.item = vscode.window.createStatusBarItem("patchpoint.review", vscode.StatusBarAlignment.Left, 1);
        this.item.name = t("Patchpoint Review");
        this.cursor = vscode.Disposable.from(
            vscode.window.onDidChangeActiveTextEditor((editor) => {
                if (editor !== undefined && editor.document !== this.at?.from) {
                    this.at = undefined;
                }
            }),
            vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
                const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
                this.at = kind === Keyboard || kind === Mouse ? undefined : this.at;
                const { file, hunk } = shownIn(textEditor, this.files) ?? {};
                if (file !== undefined && hunk !== undefined) {
                    void this.tree.reveal({ file, hunk }, false);
                }
            }),
        );
    }

    get isUnderWay(): boolean {
        return this.shown !== undefined;
    }

    /** Show the changes since a checkpoint, or ask since which, in a tree and in source control, and the first of them. */
    async begin(since?: unknown): Promise<void> {
        const given = typeof since === "string" ? { since } : await this.chooseSince();
        if (given === undefined) {
            return;
        }
        const answer = this.server.call("patchpoint.reviewChanges", given, t("Reading the changes"));
        this.beginning = answer;
        // The server has notified of it before it answers, so that it is shown already.
        const review = await answer.finally(() => {
            this.beginning = this.beginning === answer ? undefined : this.beginning;
        });
        if (review.open === 0) {
            this.announce(t("Nothing left to review: {0}", reviewTally(review)));
            return;
        }
        this.announce(
            t("{0} to review in {1}", count(review.open, "change"), count(review.files.length, "file")),
        );
        if (this.shownBefore !== answer) {
            await this.inTurn(() => this.show(nextOpen(this.files), true));
        }
    }

    /** Show the first change of a review that begins, while the server still compares the other files. */
    async first(review: ReviewResult): Promise<void> {
        const { beginning, shown } = this;
        if (beginning === undefined || shown?.review === review.review) {
            return;
        }
        this.shownBefore = beginning;
        // What is decided, or gone to, waits until all changes are known.
        await this.inTurn(async () => {
            const change = nextOpen(review.files);
            this.isShowingFirst = true;
            try {
                await (change && showChange(change, this.titleOf(review.since), true));
                void vscode.commands.executeCommand("setContext", "patchpoint.reviewing", true);
                this.drawTree(review, t("Reading the changes"));
                await (change && this.tree.reveal(change, true));
            } finally {
                this.isShowingFirst = false;
                // What came meanwhile is drawn also where the first change could not be shown.
                if (this.shown?.review === review.review) {
                    await this.draw();
                } else {
                    this.shown = review;
                }
            }
            try {
                await beginning;
            } catch {
                this.shown = shown;
                await this.draw();
                return;
            }
            const now = changesOf(this.files).find(({ hunk }) => hunk.id === change?.hunk.id);
            if (now !== undefined) {
                await this.tree.reveal(now, false);
            }
        });
    }

    /** An agent's turn may have ended: offer to review it in the status bar or begin, as `review.start` says. */
    async turnMayHaveEnded(checkpoints: Checkpoint[]): Promise<void> {
        const turn = endedTurn(checkpoints);
        const before = this.ended;
        this.ended = turn?.end.id ?? "";
        const start = vscode.workspace.getConfiguration(SECTION).get("review.start");
        // What was there when the window opened ended before.
        const isNew = before !== undefined && before !== this.ended;
        if (!isNew || this.shown !== undefined || start === "never") {
            return;
        }
        if (turn === undefined) {
            this.item.hide();
        } else if (start === "turnEnds") {
            await this.server.call("patchpoint.reviewChanges", { since: turn.begin.id });
        } else {
            this.item.text = `$(checklist) ${t("Review the Turn")}`;
            this.item.tooltip = t("Patchpoint: review what changed since “{0}”", title(turn.begin));
            this.item.command = {
                command: "patchpoint.vscode.reviewChanges",
                title: "",
                arguments: [turn.begin.id],
            };
            this.item.show();
        }
    }

    private async chooseSince(): Promise<{ since?: string } | undefined> {
        const listed = await this.server.call("patchpoint.listCheckpoints", { limit: OFFERED });
        if (listed.checkpoints.length === 0) {
            this.announce(t("No checkpoints yet"));
            return undefined;
        }
        const label = this.shown ? t("Go on with the review") : newest(listed.checkpoints);
        const first: Choice = { label: `$(checklist) ${label}`, since: null };
        const others = listed.checkpoints.map((checkpoint) => choice(checkpoint));
        const chosen = await vscode.window.showQuickPick([first, ...others], {
            title: t("Review the changes since which checkpoint?"),
        });
        return chosen && (chosen.since === null ? {} : { since: chosen.since });
    }

    /** Show the next change that is open, after the cursor. */
    next(): Promise<void> {
        return this.inTurn(() => {
            const { file, hunk, line } = shownIn(vscode.window.activeTextEditor, this.files) ?? {};
            return this.show(nextOpen(this.files, file?.uri, hunk ? startOf(hunk.range) : line));
        });
    }

    /** Go `by` changes on in the tree, and show the difference there. */
    step(by: number): Promise<void> {
        return this.inTurn(() => {
            const changes = changesOf(this.files);
            const [row] = this.tree.view.selection;
            const at = changes.findIndex(({ file, hunk }) =>
                row?.kind === "hunk" ? row.hunk.id === hunk.id : row?.file.uri === file.uri,
            );
            return this.show(changes[Math.max(0, at + by)] ?? changes.at(-1), true);
        });
    }

    /** Show the difference of what is given, at its first change. */
    async open(node: ChangeRow, preserveFocus = false): Promise<void> {
        const [first] = node.file.hunks;
        const hunk = node.kind === "hunk" ? node.hunk : first;
        if (hunk !== undefined) {
            await showChange({ file: node.file, hunk }, this.since, preserveFocus);
        }
    }

    /** Show all files of the review as one difference. */
    openAll(): Promise<void> {
        return this.inTurn(() => this.whole.open(this.files, this.since));
    }

    /** Open the file at the change that is chosen in the tree or at the cursor, to edit it. */
    edit(...given: Given): Promise<void> {
        return this.inTurn(() => this.editNow(given));
    }

    /** Keep or revert what is given; where that was done by a key or at the cursor, go on to the next change. */
    decide(decision: Decision, ...given: Given): Promise<void> {
        return this.inTurn(() => this.decideNow(decision, given));
    }

    /** Do something once all that was asked for before is done and shown. */
    private inTurn(work: () => Promise<void>): Promise<void> {
        const done = this.turn.then(work);
        this.turn = done.catch(() => undefined);
        return done;
    }

    private async editNow(given: Given): Promise<void> {
        const { file, hunk } = this.meant(given)[0] ?? {};
        if (file !== undefined) {
            const line = startOf(hunk?.range ?? null);
            const selection = new vscode.Range(line, 0, line, 0);
            await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(file.uri), { selection });
        }
    }

    private async decideNow(decision: Decision, given: Given): Promise<void> {
        const meant = this.meant(given);
        const [first] = meant;
        if (first === undefined || this.shown === undefined) {
            const why = isOfGoneRow(given)
                ? t("The list has just changed: choose the change again")
                : t("No change to review here");
            this.announce(why);
            return;
        }
        const reason = decision === "takeBack" ? await mayRevert(nameOf(meant)) : null;
        if (reason === undefined) {
            return;
        }
        const about = new Set(meant.flatMap(({ file, hunk }) => (hunk ? [hunk] : file.hunks)));
        const rest = this.files.map((file) => ({
            ...file,
            hunks: file.hunks.filter((hunk) => !about.has(hunk)),
        }));
        const line = startOf(first.hunk?.range ?? null);
        const following = nextOpen(rest, first.file.uri, line)?.hunk.id;
        for (const { file, hunk } of meant) {
            const which = hunk ? { hunk: hunk.id } : { uri: file.uri };
            await this.send({ review: this.shown.review, ...which, decision, reason });
        }
        const [place, lines] = given;
        const isInTree = place !== undefined && "inTree" in place;
        const isAtCursor = place === undefined || (place instanceof vscode.Uri && !Array.isArray(lines));
        if (decision !== "open" && (isInTree || isAtCursor)) {
            const next = changesOf(this.files).find(({ hunk }) => hunk.id === following);
            await this.show(next, isInTree);
        }
    }

    /** Decide on behalf of a lens or a code action; for what is reverted without a reason, ask for one. */
    async decideAsAsked(given: ReviewHunk): Promise<ReviewedFile | undefined> {
        const meant = changesOf(this.files).filter(({ file, hunk }) =>
            given.hunk ? hunk.id === given.hunk : file.uri === given.uri,
        );
        const reason =
            given.decision === "takeBack" ? (given.reason ?? (await mayRevert(nameOf(meant)))) : null;
        return reason === undefined ? undefined : this.send({ ...given, reason });
    }

    private send(given: ReviewHunk): Promise<ReviewedFile> {
        return this.server.call(
            "patchpoint.reviewHunk",
            { ...given, reason: given.reason || null },
            t("Saving the decision"),
        );
    }

    /** Show a change and its row; without one, say that none is left. */
    private async show(change: Change | undefined, isInTree = false): Promise<void> {
        if (change === undefined) {
            this.announce(
                this.shown
                    ? t("Nothing left to review: {0}", reviewTally(this.shown))
                    : t("No changes left to review"),
            );
            return;
        }
        const isInWhole = !isInTree && this.whole.isActive(change.file);
        if (isInWhole) {
            this.at = { hunk: change.hunk.id, from: vscode.window.activeTextEditor?.document };
        }
        // A large file takes a moment, in which its row is chosen already.
        await Promise.all([
            this.tree.reveal(change, isInTree),
            isInWhole ? this.whole.goTo(change, this.since) : showChange(change, this.since, isInTree),
        ]);
        if (this.tree.view.selection[0]?.file.uri === change.file.uri) {
            await this.tree.reveal(change, false); // of two changes at a line, the cursor chooses the first
        }
    }

    /** Return the files of what a command is given, and the change where it is about one. */
    private meant(given: Given): { file: ReviewedFile; hunk?: Change["hunk"] | undefined }[] {
        const [place, lines, at] = given;
        if (isOfGoneRow(given)) {
            return [];
        }
        if (place !== undefined && place instanceof vscode.Uri && Array.isArray(lines)) {
            const file = this.files.find(({ uri }) => vscode.Uri.parse(uri).toString() === place.toString());
            const changed = lines[Number(at)];
            return file && changed ? changesWithin(file, changed).map((hunk) => ({ file, hunk })) : [];
        }
        const rows: unknown[] =
            place === undefined || place instanceof vscode.Uri
                ? []
                : "inTree" in place
                  ? [...this.tree.view.selection]
                  : "resourceStates" in place
                    ? place.resourceStates
                    : given;
        if (rows.length > 0) {
            return rows
                .filter(isRow)
                .map((row) => ({ file: row.file, hunk: row.kind === "hunk" ? row.hunk : undefined }));
        }
        const goneTo = changesOf(this.files).find(({ hunk }) => hunk.id === this.at?.hunk);
        const { file, hunk } = goneTo ?? shownIn(vscode.window.activeTextEditor, this.files) ?? {};
        return file && hunk ? [{ file, hunk }] : [];
    }

    private get files(): ReviewedFile[] {
        return this.shown?.files ?? [];
    }

    private get since(): string {
        return this.titleOf(this.shown?.since ?? "");
    }

    private titleOf(id: string): string {
        const checkpoint = this.find(id);
        return checkpoint === undefined ? id : title(checkpoint);
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
    async follow(review: ReviewResult): Promise<void> {
        this.shown = review.finished ? undefined : merged(this.shown, review);
        // Hundreds of rows would have the first change, and the keys that are about it, wait.
        if (!this.isShowingFirst) {
            await this.draw();
        }
    }

    private async draw(): Promise<void> {
        const { shown } = this;
        this.drawTree(shown, shown && reviewTally(shown));
        this.tree.view.badge = shown && { value: shown.open, tooltip: t("{0} to review", shown.open) };
        this.control.follow(shown, this.find(shown?.since ?? "")?.root);
        this.badges.follow(this.files);
        if (shown === undefined) {
            this.item.hide();
        } else {
            const isOver = shown.open === 0;
            this.item.text = isOver
                ? `$(check-all) ${t("Finish the review")}`
                : `$(checklist) ${t("{0} to review", shown.open)}`;
            this.item.command = `patchpoint.vscode.${isOver ? "finishReview" : "nextChange"}`;
            this.item.tooltip = isOver
                ? t("Patchpoint: {0}. Click to copy the summary for the model.", reviewTally(shown))
                : t("Patchpoint: {0}. Click for the next change.", reviewTally(shown));
            this.item.accessibilityInformation = { label: this.item.tooltip };
            this.item.show();
        }
        await vscode.commands.executeCommand("setContext", "patchpoint.reviewing", this.isUnderWay);
    }

    /** Show a review in the tree, below a `message`. */
    private drawTree(shown: ReviewResult | undefined, message: string | undefined): void {
        const { tree } = this;
        tree.follow(shown && { ...shown, edits: [] }, message);
        tree.view.description = shown ? t("Since “{0}”", this.titleOf(shown.since)) : "";
    }

    dispose(): void {
        vscode.Disposable.from(this.item, this.tree, this.control, this.badges, this.cursor).dispose();
    }
}

/** What changes are called: `shop/cart.py:12`, or how many they are. */
function nameOf(meant: { file: ReviewedFile; hunk?: Change["hunk"] | undefined }[]): string {
    const names = meant.map(({ file, hunk }) => {
        const path = vscode.workspace.asRelativePath(vscode.Uri.parse(file.uri), false);
        return hunk?.range ? `${path}:${startOf(hunk.range) + 1}` : path;
    });
    return names.length > 3 ? count(names.length, "change") : names.join(", ");
}

/** What the newest turn is called, before which the changes begin that are reviewed unless somebody says otherwise. */
function newest(checkpoints: Checkpoint[]): string {
    const prompt = checkpoints.find((checkpoint) => checkpoint.prompt !== null)?.prompt;
    if (prompt) {
        return t("Since the newest turn: “{0}”", prompt);
    }
    const isOfAgent = checkpoints.some(({ session }) => session !== null);
    return isOfAgent ? t("Since the newest turn") : t("Since the newest checkpoint");
}

function choice(checkpoint: Checkpoint): Choice {
    const label = `$(bookmark) ${title(checkpoint)}`;
    return { label, description: ago(Date.parse(checkpoint.createdAt), Date.now()), since: checkpoint.id };
}
