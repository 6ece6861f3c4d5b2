/** Notice that files of the workspace have changed, whoever changed them. */

import * as vscode from "vscode";

/** Milliseconds without a change before it is passed on: an agent, or a restore, writes many files at once. */
const DEBOUNCE_MS = 400;

export class ChangedFiles implements vscode.Disposable {
    private readonly watcher: vscode.FileSystemWatcher;
    private timer: NodeJS.Timeout | undefined;

    constructor(happened: () => void) {
        this.watcher = vscode.workspace.createFileSystemWatcher("**/*");
        const notice = ({ path }: vscode.Uri) => {
            if (!/\/\.git(\/|$)/.test(path)) {
                clearTimeout(this.timer);
                this.timer = setTimeout(happened, DEBOUNCE_MS);
            }
        };
        this.watcher.onDidCreate(notice);
        this.watcher.onDidChange(notice);
        this.watcher.onDidDelete(notice);
    }

    dispose(): void {
        clearTimeout(this.timer);
        this.watcher.dispose();
    }
}
