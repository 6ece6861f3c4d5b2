/** Applying what a model wrote: from the clipboard, from a selection, from a document. */

import * as vscode from "vscode";
import type { ApplyWorkspaceEditParams, TextDocumentEdit, TextEdit } from "vscode-languageclient";
import type { Preview } from "./preview.ts";
import {
    type ApplyArguments,
    type Commands,
    type EditSource,
    type EditsAnswer,
    type Outcome,
    reason,
} from "./protocol.ts";
import { SECTION, type Server } from "./server.ts";
import { mayChange } from "./trust.ts";
import { applied, count, feedback, foresight, isInexact, isOpen, tally } from "./wording.ts";

type WhenToPreview = "inexact" | "always" | "never";

export class Applying {
    private readonly server: Server;
    private readonly preview: Preview;
    private readonly tell: (line: string) => void;
    /** Whether the person has just looked at a change of that file, or chosen it, and so approved it. */
    private isApproved: (uri: string) => boolean = () => false;
    /** The application that could be taken back. */
    private latest: string | undefined;

    constructor(server: Server, preview: Preview, tell: (line: string) => void) {
        this.server = server;
        this.preview = preview;
        this.tell = tell;
    }

    async fromClipboard(previewOnly = false): Promise<void> {
        const text = await vscode.env.clipboard.readText();
        if (text.trim() === "") {
            this.tell("The clipboard is empty");
            return;
        }
        await this.apply(withBase({ text }), "the clipboard", previewOnly);
    }

    async fromSelection(previewOnly = false): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined || editor.selection.isEmpty) {
            this.tell("Nothing is selected");
            return;
        }
        const { start, end } = editor.selection;
        const part = { uri: editor.document.uri.toString(), range: { start, end } };
        await this.apply({ document: part }, "the selection", previewOnly);
    }

    async fromDocument(previewOnly = false): Promise<void> {
        const document = vscode.window.activeTextEditor?.document;
        if (document === undefined) {
            this.tell("No document is open");
            return;
        }
        await this.apply({ document: { uri: document.uri.toString() } }, "this document", previewOnly);
    }

    /** Apply the edits of `source`, letting the person see first what does not land exactly. */
    async apply(source: ApplyArguments, origin: string, previewOnly: boolean): Promise<void> {
        const foreseen = await this.server.call(
            "patchpoint.applyEdits",
            { ...source, dryRun: true, atomic: "edit" },
            "Looking for the places of the edits",
        );
        if (foreseen.edits.length === 0) {
            void vscode.window.showInformationMessage(`There are no edits in ${origin}.`);
            return;
        }
        const landing = foreseen.edits.filter((edit) => edit.status === "matched");
        if (!vscode.workspace.isTrusted) {
            if (foreseen.files.length > 0) {
                await this.preview.show(foreseen.files, purposeOf(foreseen));
            }
            await mayChange();
            return;
        }
        if (landing.length > 0 && (previewOnly || this.wantsLook(foreseen))) {
            const question = `Apply ${count(landing.length, "edit")}`;
            const decision = await this.preview.ask(foreseen.files, purposeOf(foreseen), question);
            if (decision === "discard") {
                return;
            }
            const seen = new Set(foreseen.files.map(({ uri }) => canonical(uri)));
            await this.carryOut({ ...source, atomic: "edit" }, (uri) => seen.has(uri));
        } else {
            await this.carryOut(source, () => false);
        }
    }

    /** Put a pending edit where the person has chosen to. */
    async resolve(given: Commands["patchpoint.resolveEdit"][0]): Promise<void> {
        const answer = await this.approving(
            () => true,
            () => this.server.call("patchpoint.resolveEdit", given, "Applying the edit"),
        );
        this.latest = answer.application ?? this.latest;
        await this.tellOutcome(answer);
    }

    /** Let the person choose where the edits go that could go to several places. */
    async choose(): Promise<void> {
        const { edits } = await this.server.call("patchpoint.listPendingEdits", {}, "Listing pending edits");
        const open = edits.filter(isOpen);
        if (open.length === 0) {
            this.tell("No edit is pending");
            return;
        }
        const edit = open.length === 1 ? open[0] : await pickEdit(open);
        if (edit === undefined) {
            return;
        }
        if (edit.candidates.length === 0) {
            await this.tellOpen([edit], edit.message);
            return;
        }
        const candidate = await pickCandidate(edit);
        if (candidate === undefined || !(await mayChange())) {
            return;
        }
        const range = edit.candidates[candidate - 1]?.range;
        await this.resolve({ edit: edit.id, candidate, ...(range && { range }) });
    }

    /** Take back the edits that were applied last, though the files may have moved on. */
    async takeBack(): Promise<void> {
        if (this.latest === undefined) {
            this.tell("Nothing has been applied since the editor was opened");
        } else if (await mayChange()) {
            const given = { application: this.latest };
            this.latest = undefined;
            const answer = await this.approving(
                () => true,
                () => this.server.call("patchpoint.revertEdits", given, "Taking edits back"),
            );
            const open = answer.edits.filter(isOpen);
            if (open.length > 0) {
                await this.tellOpen(open, `Not everything was taken back: ${tally(answer.edits)}`);
            } else {
                this.tell(`Took back ${count(answer.edits.length, "edit")}`);
            }
        }
    }

    async discardAll(): Promise<void> {
        const { discarded } = await this.server.call(
            "patchpoint.discardEdit",
            { all: true },
            "Discarding pending edits",
        );
        this.tell(`Discarded ${count(discarded.length, "pending edit")}`);
    }

    /** Without the question whether to apply it, where the person has just answered that question. */
    asApproved(params: ApplyWorkspaceEditParams): ApplyWorkspaceEditParams {
        const { changeAnnotations, documentChanges, ...edit } = params.edit;
        if (changeAnnotations === undefined || documentChanges === undefined) {
            return params;
        }
        const plain = documentChanges.filter(
            (change): change is TextDocumentEdit => "textDocument" in change,
        );
        const seen = plain.every(({ textDocument }) => this.isApproved(canonical(textDocument.uri)));
        if (plain.length !== documentChanges.length || !seen) {
            return params;
        }
        const changes = plain.map(({ textDocument, edits }) => ({
            textDocument,
            edits: (edits as TextEdit[]).map(({ range, newText }) => ({ range, newText })),
        }));
        return { ...params, edit: { ...edit, documentChanges: changes } };
    }

    private wantsLook(foreseen: EditsAnswer): boolean {
        const when = vscode.workspace
            .getConfiguration(SECTION)
            .get<WhenToPreview>("preview.beforeApply", "inexact");
        return (
            when === "always" ||
            (when === "inexact" && foreseen.edits.some((edit) => isInexact(edit) || isOpen(edit)))
        );
    }

    private async carryOut(request: ApplyArguments, isApproved: (uri: string) => boolean): Promise<void> {
        const answer = await this.approving(isApproved, () =>
            this.server.call("patchpoint.applyEdits", request, "Applying edits"),
        );
        this.latest = answer.application ?? this.latest;
        await this.tellOutcome(answer);
    }

    private async tellOutcome(answer: EditsAnswer): Promise<void> {
        const open = answer.edits.filter(isOpen);
        if (open.length > 0) {
            await this.tellOpen(open, applied(answer));
        } else {
            this.tell(applied(answer));
        }
    }

    private async approving<T>(isApproved: (uri: string) => boolean, work: () => Promise<T>): Promise<T> {
        this.isApproved = isApproved;
        try {
            return await work();
        } finally {
            this.isApproved = () => false;
        }
    }

    /** Some edits wait for the person, who is told so, and what can be done about it. */
    private async tellOpen(open: Outcome[], line: string): Promise<void> {
        const choose = "Choose Place";
        const copy = "Copy Feedback for the Model";
        const offered = [...(open.some((edit) => edit.candidates.length > 0) ? [choose] : []), copy];
        const chosen = await vscode.window.showWarningMessage(`Patchpoint: ${line}.`, ...offered);
        if (chosen === copy) {
            await vscode.env.clipboard.writeText(feedback(open));
        } else if (chosen === choose) {
            await this.choose().catch((error) => vscode.window.showErrorMessage(reason(error)));
        }
    }
}

function purposeOf(foreseen: EditsAnswer): string {
    return `Patchpoint preview (${foresight(foreseen.edits)})`;
}

function canonical(uri: string): string {
    return vscode.Uri.parse(uri).toString();
}

/** Paths in the text are relative to the folder of the file that is being looked at, where there are several. */
function withBase(source: { text: string }): EditSource {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
    return folder === undefined ? source : { ...source, baseUri: folder.uri.toString() };
}

async function pickEdit(edits: Outcome[]): Promise<Outcome | undefined> {
    const items = edits.map((edit) => ({
        label: `$(edit) Edit ${edit.index + 1} in ${vscode.workspace.asRelativePath(vscode.Uri.parse(edit.uri))}`,
        description: tally([edit]),
        detail: edit.message,
        edit,
    }));
    const options = { title: "Pending edits", placeHolder: "Which edit?", matchOnDetail: true };
    return (await vscode.window.showQuickPick(items, options))?.edit;
}

/** The candidate that the person picks, from 1; the editor shows each as it is gone over. */
async function pickCandidate(edit: Outcome): Promise<number | undefined> {
    const uri = vscode.Uri.parse(edit.uri);
    const items = edit.candidates.map((candidate, index) => ({
        label: `$(location) Line ${candidate.range.start.line + 1}`,
        description: `${Math.floor(candidate.similarity * 100)} % similar`,
        detail: candidate.preview.trim().split("\n")[0] ?? "",
        number: index + 1,
        range: candidate.range,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
        title: `Where does edit ${edit.index + 1} go in ${vscode.workspace.asRelativePath(uri)}?`,
        placeHolder: "Its search text stands in several places",
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
