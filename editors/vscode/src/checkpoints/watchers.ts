/** Notice checkpoints that come from outside the editor: from an agent's hook, or the command line. */

import * as vscode from "vscode";
import { FolderWatch } from "./folderWatch.ts";
import { refsFolder } from "./refs.ts";

export class RefWatchers implements vscode.Disposable {
    private readonly happened: () => void;
    private watches: FolderWatch[] = [];

    /** `happened` is called whenever a checkpoint is recorded or deleted. */
    constructor(happened: () => void) {
        this.happened = happened;
    }

    /** Watch the repositories of the folders that are open now. */
    async watch(): Promise<void> {
        const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
        const found = await Promise.all(folders.map(({ uri }) => refsFolder(uri.fsPath)));
        this.dispose();
        const refs = new Set(found.filter((folder) => folder !== undefined));
        this.watches = [...refs].map((folder) => new FolderWatch(folder, "patchpoint", this.happened));
    }

    dispose(): void {
        for (const watch of this.watches) {
            watch.dispose();
        }
        this.watches = [];
    }
}
