/** Compare a pending edit with its file, as a preview of it, and put it where the person says. */

import * as vscode from "vscode";
import type { Applying } from "../applying/applying.ts";
import type { Preview } from "../applying/preview.ts";
import { t } from "../language.ts";
import { refusalCode } from "../server/errors.ts";
import type { ResolveEdit } from "../server/protocol.ts";
import type { Server } from "../server/server.ts";
import { mayChange } from "../trust.ts";

export class Comparing {
    private readonly server: Server;
    private readonly applying: Applying;
    private readonly preview: Preview;
    private readonly announce: (line: string) => void;

    constructor(server: Server, applying: Applying, preview: Preview, announce: (line: string) => void) {
        this.server = server;
        this.applying = applying;
        this.preview = preview;
        this.announce = announce;
    }

    /**
     * Preview an edit at the candidate with this number or, without one, as it is proposed or else at the place that
     * resembles its text most. Where nothing does, show what it wants next to its file, for the person to point there.
     */
    async show(edit: string, number?: number): Promise<void> {
        const { outcome } = await this.server.call("patchpoint.compareEdit", { edit, show: false });
        const { candidates, proposal, uri } = outcome;
        if (proposal !== null && number === undefined) {
            await this.applying.accept({ proposal: proposal.id });
            return;
        }
        const similarities = candidates.map(({ similarity }) => similarity);
        const candidate = number ?? similarities.indexOf(Math.max(...similarities)) + 1;
        const range = candidates[candidate - 1]?.range;
        if (range !== undefined) {
            await this.resolve({ edit, candidate, range, dryRun: true });
            return;
        }
        await this.server.call("patchpoint.compareEdit", { edit });
        await vscode.window.showTextDocument(vscode.Uri.parse(uri), { viewColumn: vscode.ViewColumn.Two });
        await this.preview.letPlace({ id: edit, uri });
    }

    /** Merge the edit into the lines of a candidate or, where that cannot be done, have them replaced whole. */
    private async resolve(given: ResolveEdit): Promise<void> {
        try {
            await this.applying.resolve(given);
        } catch (error) {
            if (refusalCode(error) !== "not-merged") {
                throw error;
            }
            await this.applying.resolve({ ...given, whole: true });
        }
    }

    /** Preview the compared edit in place of the lines of the selection, or above the line of the cursor. */
    async putHere(): Promise<void> {
        const [editor, edit] = [vscode.window.activeTextEditor, this.preview.edit];
        const uri = vscode.Uri.parse(edit?.uri ?? "");
        const shown = editor && (this.preview.fileBefore(editor.document.uri) ?? editor.document.uri);
        if (editor === undefined || edit === undefined || shown?.toString() !== uri.toString()) {
            this.announce(
                edit === undefined
                    ? t("Compare an edit first, then put the cursor where it goes in the file")
                    : t("Put the cursor where the edit goes, in the file or on the left of its preview"),
            );
            return;
        }
        if (!(await mayChange())) {
            return;
        }
        const { start, end } = editor.selection;
        // The server knows the lines of documents that are open.
        await vscode.workspace.openTextDocument(uri);
        const { applied } = await this.applying.place({ edit: edit.id, range: { start, end } });
        if (applied && this.preview.edit?.id === edit.id) {
            await this.preview.letPlace(undefined);
        }
    }
}
