/** A sample to try the extension with: a small project and a model's answer, in a folder of the extension's own. */

import * as vscode from "vscode";

const ANSWER = "answer.md";

/** The files of the sample end so in the extension, so that no tool takes them for its code. */
const SUFFIX = ".txt";

export class Sample {
    private readonly source: vscode.Uri;
    private readonly folder: vscode.Uri;

    constructor({ extensionUri, globalStorageUri }: vscode.ExtensionContext) {
        this.source = vscode.Uri.joinPath(extensionUri, "sample");
        this.folder = vscode.Uri.joinPath(globalStorageUri, "sample");
    }

    /** Write the sample as it is in the beginning, and open it in a window of its own. */
    async open(): Promise<void> {
        if (this.isOpenHere()) {
            await this.write();
            await this.showAnswer();
            return;
        }
        await vscode.workspace.fs.delete(this.folder, { recursive: true }).then(undefined, () => {
            // There is none yet.
        });
        await this.write();
        await vscode.commands.executeCommand("vscode.openFolder", this.folder, { forceNewWindow: true });
    }

    /** Show the answer, if this is the window of the sample and nothing else is shown in it. */
    async follow(): Promise<void> {
        if (this.isOpenHere() && vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0)) {
            await this.showAnswer();
        }
    }

    private isOpenHere(): boolean {
        const folders = vscode.workspace.workspaceFolders ?? [];
        return folders.some(({ uri }) => uri.path === this.folder.path);
    }

    private async showAnswer(): Promise<void> {
        await vscode.window.showTextDocument(vscode.Uri.joinPath(this.folder, ANSWER), { preview: false });
    }

    private async write(folder = ""): Promise<void> {
        const files = vscode.workspace.fs;
        for (const [name, kind] of await files.readDirectory(vscode.Uri.joinPath(this.source, folder))) {
            const path = folder === "" ? name : `${folder}/${name}`;
            if (kind === vscode.FileType.Directory) {
                await this.write(path);
            } else if (name.endsWith(SUFFIX)) {
                const target = vscode.Uri.joinPath(this.folder, path.slice(0, -SUFFIX.length));
                await files.copy(vscode.Uri.joinPath(this.source, path), target, { overwrite: true });
            }
        }
    }
}
