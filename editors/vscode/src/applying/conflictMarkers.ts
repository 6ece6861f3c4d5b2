/**
 * Blocks of an answer that VS Code takes for merge conflicts: its *Accept Incoming Change* over each of them would write
 * into the answer, not into the file that is meant.
 */

import * as vscode from "vscode";
import { t } from "../language.ts";

const MERGE_CONFLICT = "merge-conflict";
const SETTINGS = ["codeLens.enabled", "decorators.enabled"];

/** The first line of a search/replace block; that of a conflict names a branch or a commit. */
const FIRST_LINE = /^<{7} ?SEARCH\b/m;

/** Where it is kept that the person has answered. */
const ANSWERED = "conflictMarkers.answered";

export class ConflictMarkers {
    private readonly memory: vscode.Memento;
    private isAsking = false;

    constructor(memory: vscode.Memento) {
        this.memory = memory;
    }

    /** Ask once whether conflicts are still to be shown, when `document` is an answer whose blocks look like some. */
    async notice(document: vscode.TextDocument): Promise<void> {
        if (this.isAsking || this.memory.get(ANSWERED, false) || !FIRST_LINE.test(document.getText())) {
            return;
        }
        const settings = vscode.workspace.getConfiguration(MERGE_CONFLICT);
        const shown = SETTINGS.filter((name) => settings.get(name) === true);
        if (shown.length === 0) {
            return;
        }
        this.isAsking = true;
        const [here, everywhere, leave] = [
            t("Turn Off in This Workspace"),
            t("Turn Off Everywhere"),
            t("Leave It"),
        ];
        const chosen = await vscode.window.showInformationMessage(
            t(
                "VS Code treats the blocks of this answer as merge conflicts. Its “Accept Incoming Change” changes the answer, not the target file; “Apply” does that. Turn off its merge conflicts?",
            ),
            ...(vscode.workspace.workspaceFolders === undefined ? [] : [here]),
            everywhere,
            leave,
        );
        this.isAsking = false;
        if (chosen === undefined) {
            return;
        }
        await this.memory.update(ANSWERED, true);
        if (chosen !== leave) {
            const target =
                chosen === here ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
            for (const name of shown) {
                await settings.update(name, false, target);
            }
        }
    }
}
