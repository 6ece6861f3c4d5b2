/** Apply edits that a model wrote: from the clipboard, a selection or a document. */

import * as vscode from "vscode";
import type { ApplyWorkspaceEditParams, TextDocumentEdit, TextEdit } from "vscode-languageclient";
import { t } from "../language.ts";
import type { PendingEdit, PendingRow } from "../pending/view.ts";
import { reason, refusalCode } from "../server/errors.ts";
import type {
    AcceptProposal,
    ApplyEdits,
    DocumentPart,
    EditsResult,
    Outcome,
    PlaceEdit,
    ResolveEdit,
} from "../server/protocol.ts";
import { SECTION, type Server } from "../server/server.ts";
import { mayChange } from "../trust.ts";
import {
    ago,
    applicationName,
    applied,
    count,
    feedback,
    foresight,
    hasPlaces,
    isInexact,
    isOpen,
    isQuotedAt,
    isRevertible,
    isWaiting,
    openOf,
    pendingName,
    placeWords,
    previewTitle,
    tally,
} from "../wording.ts";
import type { Placeable, Preview } from "./preview.ts";

/** Where the edits come from: a model's answer as text, or the blocks in a document. */
type EditSource = { text: string; baseUri?: string } | { document: DocumentPart };

type WhenToPreview = "inexact" | "always" | "never";

export class Applying {
    private readonly server: Server;
    private readonly preview: Preview;
    private readonly announce: (line: string) => void;
    /** For each request under way, whether the person has approved its change of the file with this URI. */
    private readonly approvals = new Set<(uri: string) => boolean>();

    constructor(server: Server, preview: Preview, announce: (line: string) => void) {
        this.server = server;
        this.preview = preview;
        this.announce = announce;
    }

    async fromClipboard(previewOnly = false): Promise<void> {
        const text = await vscode.env.clipboard.readText();
        if (text.trim() === "") {
            this.announce(t("The clipboard is empty"));
            return;
        }
        await this.apply(withBase({ text }), t("No edits found in the clipboard."), previewOnly);
    }

    async fromSelection(previewOnly = false): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined || editor.selection.isEmpty) {
            this.announce(t("Nothing is selected"));
            return;
        }
        const { start, end } = editor.selection;
        const part = { uri: editor.document.uri.toString(), range: { start, end } };
        await this.apply({ document: part }, t("No edits found in the selection."), previewOnly);
    }

    async fromDocument(previewOnly = false): Promise<void> {
        const document = vscode.window.activeTextEditor?.document;
        if (document === undefined) {
            this.announce(t("No document is open"));
            return;
        }
        await this.apply(
            { document: { uri: document.uri.toString() } },
            t("No edits found in this document."),
            previewOnly,
        );
    }

    /**
     * Apply the edits of `source`, with a preview first if a place is inexact or the settings ask for one; where there
     * are no edits in it, show `noEdits`.
     */
    async apply(source: ApplyEdits, noEdits: string, previewOnly: boolean): Promise<EditsResult | undefined> {
        const foreseen = await this.server.call(
            "patchpoint.applyEdits",
            { ...source, dryRun: true, previewed: true, atomic: source.atomic ?? "edit" },
            t("Locating the edits"),
        );
        if (foreseen.edits.length === 0) {
            void this.notifyNone(noEdits, foreseen.feedback);
            return foreseen;
        }
        const matched = foreseen.edits.filter((edit) => edit.status === "matched");
        if (!vscode.workspace.isTrusted) {
            if (foreseen.files.length > 0) {
                await this.preview.show(foreseen.files, purposeOf(foreseen));
            }
            await mayChange();
            return foreseen;
        }
        const { preview } = foreseen;
        const isDecidable = matched.length > 0 || (previewOnly && foreseen.edits.some(hasPlaces));
        if (isDecidable && preview !== null && (previewOnly || this.wantsPreview(foreseen))) {
            return (await this.applyPreviewed(preview, purposeOf(foreseen))) ?? foreseen;
        }
        return await this.applyNow(source, () => false);
    }

    /** Show a preview and apply what the person keeps of it; return nothing if they discard it. */
    private async applyPreviewed(
        preview: string,
        purpose: string,
        edit?: Placeable,
    ): Promise<EditsResult | undefined> {
        const chosen = await this.server.call("patchpoint.reviewChanges", { review: preview });
        if ((await this.preview.ask(chosen, purpose, edit)) === "discard") {
            return undefined;
        }
        const seen = new Set(this.preview.shownFiles.map(canonical));
        try {
            const { result } = await this.approving(
                (uri) => seen.has(uri),
                () => this.server.call("patchpoint.finishReview", { review: preview }, t("Applying edits")),
            );
            if (result !== null) {
                await this.reportOutcome(result);
            }
            return result ?? undefined;
        } catch (error) {
            if (refusalCode(error) !== "preview-outdated") {
                throw error;
            }
            this.announce(t("A file has changed since the preview was shown; check the new preview"));
            return await this.applyPreviewed(preview, purpose, edit);
        }
    }

    /** Apply a pending edit at the place that the person chose: after a preview, unless it is what the edit quotes. */
    async resolve(given: ResolveEdit): Promise<EditsResult> {
        const asked = { dryRun: whenToPreview() === "always", ...given, previewed: true };
        const answer = await this.approving(
            () => true,
            () => this.server.call("patchpoint.resolveEdit", asked, t("Applying the edit")),
        );
        return await this.decided(answer, given.edit);
    }

    /** Preview a pending edit at a place that the person points to, and apply it if they agree. */
    async place(given: PlaceEdit): Promise<EditsResult> {
        return await this.decided(
            await this.server.call("patchpoint.placeEdit", { ...given, previewed: true }),
            given.edit,
        );
    }

    /** Preview a pending edit as it is proposed, and apply it if the person agrees. */
    async accept(given: AcceptProposal): Promise<EditsResult> {
        return await this.decided(
            await this.server.call("patchpoint.acceptProposal", { ...given, previewed: true }),
        );
    }

    /** Report what became of a pending edit; where that is a preview, show it, and apply what the person keeps. */
    private async decided(answer: EditsResult, id = answer.edits[0]?.id ?? ""): Promise<EditsResult> {
        if (answer.preview !== null) {
            const edit = { id, uri: answer.edits[0]?.uri ?? "" };
            return (await this.applyPreviewed(answer.preview, purposeOf(answer), edit)) ?? answer;
        }
        await this.reportOutcome(answer);
        return answer;
    }

    /** Let the person choose the place of a pending edit. */
    async choose(): Promise<void> {
        const { edits } = await this.server.call(
            "patchpoint.listPendingEdits",
            {},
            t("Listing pending edits"),
        );
        const open = edits.filter(isWaiting);
        if (open.length === 0) {
            this.announce(t("No pending edits"));
            return;
        }
        const edit = open.length === 1 ? open[0] : await pickEdit(open);
        if (edit === undefined) {
            return;
        }
        if (edit.status === "matched") {
            await this.resolveAt({ kind: "edit", edit });
            return;
        }
        if (edit.candidates.length === 0) {
            await this.notifyOpen([edit], edit.message);
            return;
        }
        const candidate = await pickCandidate(edit);
        if (candidate === undefined || !(await mayChange())) {
            return;
        }
        const range = edit.candidates[candidate - 1]?.range;
        await this.resolve({ edit: edit.id, candidate, ...(range && { range }) });
    }

    /** Let the person revert what was applied, in this session or an earlier one. */
    async takeBack(): Promise<void> {
        const listed = await this.server.call("patchpoint.listApplications", {});
        const left = listed.applications.filter(isRevertible);
        if (left.length === 0) {
            this.announce(t("Nothing left to revert"));
            return;
        }
        const items = left.map((application) => ({
            label: `$(discard) ${applicationName(application, new Date())}`,
            description: ago(Date.parse(application.createdAt), Date.now()),
            detail: application.files
                .map((uri) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri)))
                .join(", "),
            application: application.id,
        }));
        const options = { title: t("Revert"), placeHolder: t("Which answer?"), matchOnDetail: true };
        const chosen = await vscode.window.showQuickPick(items, options);
        if (chosen !== undefined) {
            await this.revert(chosen.application);
        }
    }

    /** Revert an application, even if its files have changed since. */
    private async revert(application: string): Promise<void> {
        if (!(await mayChange())) {
            return;
        }
        const answer = await this.approving(
            () => true,
            () => this.server.call("patchpoint.revertEdits", { application }, t("Reverting edits")),
        );
        const open = answer.edits.filter(isOpen);
        if (open.length > 0) {
            await this.notifyOpen(open, t("Not all edits were reverted: {0}", tally(answer.edits)));
        } else {
            this.announce(t("Reverted {0}", count(answer.edits.length, "edit")));
        }
    }

    /** Apply a pending edit at a place that the person chose in a list, or where it fits. */
    async resolveAt(node: PendingRow): Promise<void> {
        if (await mayChange()) {
            const edit = node.edit.id;
            await this.resolve(
                node.kind === "edit"
                    ? { edit, candidate: 1 }
                    : { edit, candidate: node.number, range: node.candidate.range },
            );
        }
    }

    async discard({ edit }: PendingEdit): Promise<void> {
        await this.server.call("patchpoint.discardEdit", { edit: edit.id });
    }

    /** Copy what to say to the model about an edit, or about all that are pending. */
    async copyFeedback(node?: PendingEdit): Promise<void> {
        const text =
            node === undefined
                ? (await this.server.call("patchpoint.listPendingEdits", {})).feedback
                : feedback([node.edit]);
        if (text === "") {
            this.announce(t("No pending edits"));
            return;
        }
        await vscode.env.clipboard.writeText(text);
        this.announce(t("Feedback for the model copied; paste it into the chat"));
    }

    async discardAll(): Promise<void> {
        const { discarded } = await this.server.call(
            "patchpoint.discardEdit",
            { all: true },
            t("Discarding pending edits"),
        );
        this.announce(t("Discarded {0}", count(discarded.length, "pending edit")));
    }

    /** Return `params` without the request for confirmation, if the person has just approved the changes. */
    asApproved(params: ApplyWorkspaceEditParams): ApplyWorkspaceEditParams {
        const { changeAnnotations, documentChanges, ...edit } = params.edit;
        if (changeAnnotations === undefined || documentChanges === undefined) {
            return params;
        }
        const plain = documentChanges.filter(
            (change): change is TextDocumentEdit => "textDocument" in change,
        );
        const seen = plain.every(({ textDocument }) => {
            const uri = canonical(textDocument.uri);
            return [...this.approvals].some((isApproved) => isApproved(uri));
        });
        if (plain.length !== documentChanges.length || !seen) {
            return params;
        }
        const changes = plain.map(({ textDocument, edits }) => ({
            textDocument,
            edits: (edits as TextEdit[]).map(({ range, newText }) => ({ range, newText })),
        }));
        return { ...params, edit: { ...edit, documentChanges: changes } };
    }

    private wantsPreview(foreseen: EditsResult): boolean {
        const when = whenToPreview();
        return (
            when === "always" ||
            (when === "inexact" && foreseen.edits.some((edit) => isInexact(edit) || isOpen(edit)))
        );
    }

    private async applyNow(request: ApplyEdits, isApproved: (uri: string) => boolean): Promise<EditsResult> {
        const answer = await this.approving(isApproved, () =>
            this.server.call("patchpoint.applyEdits", request, t("Applying edits")),
        );
        await this.reportOutcome(answer);
        return answer;
    }

    private async reportOutcome(answer: EditsResult): Promise<void> {
        const open = openOf(answer);
        if (open.length > 0) {
            // The answer to a command does not wait for the person.
            void this.notifyOpen(open, applied(answer), answer.application, answer.feedback);
            return;
        }
        this.announce(applied(answer));
        if (answer.application !== null) {
            void this.offerTakingBack(applied(answer), answer.application, answer.summary);
        }
    }

    /** Offer to revert what was applied and, where something was dropped, what to say to the model about that. */
    private async offerTakingBack(line: string, application: string, summary: string): Promise<void> {
        const [copy, takeBack] = [t("Copy Summary for the Model"), t("Revert")];
        const offered = [...(summary === "" ? [] : [copy]), takeBack];
        const chosen = await vscode.window.showInformationMessage(`Patchpoint: ${line}.`, ...offered);
        if (chosen === takeBack) {
            await this.revert(application).catch((error) => vscode.window.showErrorMessage(reason(error)));
        } else if (chosen === copy) {
            await vscode.env.clipboard.writeText(summary);
        }
    }

    /** Do `work`, whose changes of the files for which `isApproved` holds the editor does not ask about. */
    async approving<T>(isApproved: (uri: string) => boolean, work: () => Promise<T>): Promise<T> {
        this.approvals.add(isApproved);
        try {
            return await work();
        } finally {
            this.approvals.delete(isApproved);
        }
    }

    /** Copy what to say to a model so that its edits can be applied. */
    async copyInstructions(): Promise<void> {
        const { text } = await this.server.call("patchpoint.modelInstructions", {});
        await vscode.env.clipboard.writeText(text);
        this.announce(t("Instructions for the model copied; paste them into the chat"));
    }

    /** Notify the person that a text has no edits, and offer what to send back to the model about it. */
    private async notifyNone(line: string, toModel: string): Promise<void> {
        const copy = t("Copy Feedback for the Model");
        const chosen = await vscode.window.showInformationMessage(line, ...(toModel === "" ? [] : [copy]));
        if (chosen === copy) {
            await vscode.env.clipboard.writeText(toModel);
        }
    }

    /** Notify the person of edits that wait for a decision, and offer what can be done about them. */
    private async notifyOpen(
        open: Outcome[],
        line: string,
        application?: string | null,
        toModel = "",
    ): Promise<void> {
        const [choose, copy, takeBack] = [t("Choose Place"), t("Copy Feedback for the Model"), t("Revert")];
        const offered = [
            ...(open.some((edit) => edit.candidates.length > 0) ? [choose] : []),
            copy,
            ...(application ? [takeBack] : []),
        ];
        const chosen = await vscode.window.showWarningMessage(`Patchpoint: ${line}.`, ...offered);
        if (chosen === copy) {
            await vscode.env.clipboard.writeText(toModel || feedback(open));
        } else if (chosen === choose) {
            await this.choose().catch((error) => vscode.window.showErrorMessage(reason(error)));
        } else if (chosen === takeBack && application) {
            await this.revert(application).catch((error) => vscode.window.showErrorMessage(reason(error)));
        }
    }
}

function whenToPreview(): WhenToPreview {
    return vscode.workspace.getConfiguration(SECTION).get<WhenToPreview>("preview.beforeApply", "inexact");
}

function purposeOf({ edits, files }: EditsResult): string {
    return previewTitle(foresight(edits), files);
}

function canonical(uri: string): string {
    return vscode.Uri.parse(uri).toString();
}

/** Resolve the paths in the text relative to the workspace folder of the active file. */
function withBase(source: { text: string }): EditSource {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
    return folder === undefined ? source : { ...source, baseUri: folder.uri.toString() };
}

async function pickEdit(edits: Outcome[]): Promise<Outcome | undefined> {
    const items = edits.map((edit) => ({
        label: `$(edit) ${pendingName(edit, vscode.workspace.asRelativePath(vscode.Uri.parse(edit.uri)))}`,
        description: tally([edit]),
        detail: edit.message,
        edit,
    }));
    const options = { title: t("Pending edits"), placeHolder: t("Which edit?"), matchOnDetail: true };
    return (await vscode.window.showQuickPick(items, options))?.edit;
}

/** Return the number of the candidate that the person picks, from 1; each is revealed as it gets the focus. */
async function pickCandidate(edit: Outcome): Promise<number | undefined> {
    const uri = vscode.Uri.parse(edit.uri);
    const isQuoted = edit.candidates.every((candidate) => isQuotedAt(edit, candidate));
    const items = edit.candidates.map((candidate, index) => ({
        label: `$(location) ${t("Line {0}", candidate.range.start.line + 1)}`,
        description: placeWords(candidate),
        detail: candidate.preview.trim().split("\n")[0] ?? "",
        number: index + 1,
        range: candidate.range,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
        title: t("Where does {0} go?", pendingName(edit, vscode.workspace.asRelativePath(uri))),
        placeHolder: isQuoted
            ? t("Its search text fits in several places")
            : t("The file does not contain its search text; these places are similar"),
        onDidSelectItem: (item) => void reveal(uri, (item as (typeof items)[number]).range),
    });
    return chosen?.number;
}

async function reveal(uri: vscode.Uri, range: Outcome["range"]): Promise<void> {
    if (range !== null) {
        const { start, end } = range;
        const selection = new vscode.Range(start.line, start.character, end.line, end.character);
        await vscode.window.showTextDocument(uri, { preserveFocus: true, preview: true, selection });
    }
}
