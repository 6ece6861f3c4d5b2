/** Compare a pending edit with its file in the difference editor, and put it where the person says. */

import * as vscode from "vscode";
import { currentText, type ShownDocuments } from "../differences/documents.ts";
import { t } from "../language.ts";
import type { Candidate, ComparedEditResult, EditsResult, PlaceEdit } from "../server/protocol.ts";
import type { Server } from "../server/server.ts";
import { mayChange } from "../trust.ts";
import { percent } from "../wording.ts";
import { inPlaceOf } from "./proposal.ts";

/** The context key that shows *Put It Here* in the title of the comparison. */
const CONTEXT = "patchpoint.comparing";

export class Comparing {
    private readonly server: Server;
    private readonly shown: ShownDocuments;
    private readonly announce: (line: string) => void;
    private readonly place: (given: PlaceEdit) => Promise<EditsResult>;
    /** The edit that was compared last, until it is put somewhere. */
    private compared: ComparedEditResult | undefined;

    constructor(
        server: Server,
        shown: ShownDocuments,
        announce: (line: string) => void,
        place: (given: PlaceEdit) => Promise<EditsResult>,
    ) {
        this.server = server;
        this.shown = shown;
        this.announce = announce;
        this.place = place;
    }

    /**
     * Show the file on the right, to be changed, and on the left what it would be with the edit at the place that
     * resembles its text most; where nothing does, the lines of the edit alone. Without the file, the server shows the
     * parts of the edit.
     */
    async show(edit: string): Promise<void> {
        const compared = await this.server.call("patchpoint.compareEdit", { edit, show: false });
        const uri = vscode.Uri.parse(compared.outcome.uri);
        const text = await currentText(uri);
        if (text === undefined) {
            await this.server.call("patchpoint.compareEdit", { edit });
            return;
        }
        const [nearest] = [...compared.outcome.candidates].sort(
            (one, other) => other.similarity - one.similarity,
        );
        const proposal =
            nearest === undefined ? compared.wanted : inPlaceOf(text, nearest.range, compared.wanted);
        this.shown.begin();
        const left = this.shown.show(uri, proposal);
        const name = vscode.workspace.asRelativePath(uri, false);
        const selection = selectionOf(nearest);
        const title = t("{0}: what the model wants ({1}) ↔ the file", name, likeness(nearest));
        await vscode.commands.executeCommand("vscode.diff", left, uri, title, {
            preview: false,
            ...(selection && { selection }),
        });
        this.follow(compared);
    }

    /**
     * Have the compared edit put in place of the lines of the selection, or above the line of the cursor. The server
     * shows what that changes, and asks.
     */
    async putHere(): Promise<void> {
        const [editor, compared] = [vscode.window.activeTextEditor, this.compared];
        if (
            editor === undefined ||
            compared === undefined ||
            editor.document.uri.toString() !== vscode.Uri.parse(compared.outcome.uri).toString()
        ) {
            this.announce(t("Compare an edit first, then put the cursor where it goes in the file"));
            return;
        }
        if (!(await mayChange())) {
            return;
        }
        const { document, selection, viewColumn } = editor;
        const { start, end } = selection;
        const answer = await this.place({ edit: compared.outcome.id, range: { start, end } });
        if (answer.applied) {
            this.follow(undefined);
            const [range] = answer.edits.map(({ newRange }) => newRange);
            await vscode.window.showTextDocument(document, {
                preview: false,
                ...(viewColumn && { viewColumn }),
                ...(range && { selection: new vscode.Range(range.start.line, 0, range.start.line, 0) }),
            });
        }
    }

    private follow(compared: ComparedEditResult | undefined): void {
        this.compared = compared;
        void vscode.commands.executeCommand("setContext", CONTEXT, compared !== undefined);
    }
}

function likeness(candidate: Candidate | undefined): string {
    return candidate === undefined ? t("no similar place") : t("{0} similar", percent(candidate.similarity));
}

function selectionOf(candidate: Candidate | undefined): vscode.Range | undefined {
    const start = candidate?.range.start;
    return start && new vscode.Range(start.line, start.character, start.line, start.character);
}
