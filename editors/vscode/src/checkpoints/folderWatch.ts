/**
 * Watch a directory that may not exist yet, and all directories below it.
 *
 * The editor's own watchers miss directories that are created with content: of two nested directories, the inner one
 * is not watched if it is created too soon after the outer one, and the first checkpoint of a repository is missed.
 */

import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";

interface Watched {
    watcher: FSWatcher;
    /** The inode number, which differs for a directory that was deleted and created again. */
    inode: number;
}

/** Calls `happened` whenever something changes in or below `name`, a directory in `parent`, until it is disposed. */
export class FolderWatch {
    private readonly parent: string;
    private readonly name: string;
    private readonly happened: () => void;
    private readonly watched = new Map<string, Watched>();

    constructor(parent: string, name: string, happened: () => void) {
        this.parent = parent;
        this.name = name;
        this.happened = happened;
        this.look();
    }

    dispose(): void {
        for (const folder of [...this.watched.keys()]) {
            this.forget(folder);
        }
    }

    private look(): void {
        this.keep(this.parent);
        this.visit(join(this.parent, this.name));
        for (const folder of [...this.watched.keys()]) {
            if (inodeOf(folder) === undefined) {
                this.forget(folder);
            }
        }
    }

    /** Watch first and list afterwards, so that a directory created in between is noticed by one of the two. */
    private visit(folder: string): void {
        if (this.keep(folder)) {
            for (const inner of foldersIn(folder)) {
                this.visit(join(folder, inner));
            }
        }
    }

    private keep(folder: string): boolean {
        const inode = inodeOf(folder);
        if (inode === undefined) {
            return false;
        }
        if (this.watched.get(folder)?.inode === inode) {
            return true;
        }
        this.forget(folder);
        try {
            const watcher = watch(folder, { persistent: false }, () => {
                this.look();
                this.happened();
            });
            watcher.on("error", () => this.forget(folder));
            this.watched.set(folder, { watcher, inode });
            return true;
        } catch {
            return false;
        }
    }

    private forget(folder: string): void {
        this.watched.get(folder)?.watcher.close();
        this.watched.delete(folder);
    }
}

function inodeOf(folder: string): number | undefined {
    const found = statSync(folder, { throwIfNoEntry: false });
    return found?.isDirectory() ? found.ino : undefined;
}

function foldersIn(folder: string): string[] {
    try {
        const entries = readdirSync(folder, { withFileTypes: true });
        return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    } catch {
        return [];
    }
}
