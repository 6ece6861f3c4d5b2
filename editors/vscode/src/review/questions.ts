/** What a person is asked about a review: why something is reverted, and whether files are saved before it ends. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import { mayChange } from "../trust.ts";
import { count } from "../wording.ts";

/** Return why what has this name is reverted, or nothing; undefined if the person would rather not, or may not. */
export async function mayRevert(name: string): Promise<string | undefined> {
    if (!(await mayChange())) {
        return undefined;
    }
    const reason = await vscode.window.showInputBox({
        title: t("Why revert it?"),
        prompt: t("{0}, for the summary for the model (optional)", name),
    });
    return reason?.trim();
}

/**
 * Ask whether files that are not saved are saved before the review is finished, and save them then. Return false if the
 * person would rather not finish it, or a file cannot be saved.
 */
export async function maySaveFirst(unsaved: string[]): Promise<boolean> {
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
