/** Seeing checkpoints that come from outside the editor: from a hook of an agent, or the command line. */

import * as vscode from "vscode";
import { refsFolder } from "./refs.ts";

export class RefWatchers implements vscode.Disposable {
    private readonly happened: () => void;
    private watchers: vscode.Disposable[] = [];

    /** `happened` is called whenever a checkpoint is recorded or deleted. */
    constructor(happened: () => void) {
        this.happened = happened;
    }

    /** Watch the repositories of the folders that are open now. */
    async watch(): Promise<void> {
        const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
        const found = await Promise.all(folders.map(({ uri }) => refsFolder(uri.fsPath)));
        this.dispose();
        for (const refs of new Set(found.filter((folder) => folder !== undefined))) {
            const pattern = new vscode.RelativePattern(vscode.Uri.file(refs), "patchpoint/**");
            const watcher = vscode.workspace.createFileSystemWatcher(pattern);
            watcher.onDidCreate(this.happened);
            watcher.onDidChange(this.happened);
            watcher.onDidDelete(this.happened);
            this.watchers.push(watcher);
        }
    }

    dispose(): void {
        for (const watcher of this.watchers) {
            watcher.dispose();
        }
        this.watchers = [];
    }
}
