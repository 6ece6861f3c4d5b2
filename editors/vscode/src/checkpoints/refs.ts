/** Where checkpoints are recorded, so that those taken outside the editor are seen at once. */

import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** The folder that holds the refs of the repository that `folder` lies in; nothing outside of repositories. */
export async function refsFolder(folder: string): Promise<string | undefined> {
    for (let at = resolve(folder); ; at = dirname(at)) {
        const gitFolder = await gitFolderOf(join(at, ".git"));
        if (gitFolder !== undefined) {
            return join(await commonFolder(gitFolder), "refs");
        }
        if (dirname(at) === at) {
            return undefined;
        }
    }
}

/** `.git` is a folder, or in linked worktrees and submodules a file that names one. */
async function gitFolderOf(dotGit: string): Promise<string | undefined> {
    const found = await stat(dotGit).catch(() => undefined);
    if (found === undefined || found.isDirectory()) {
        return found && dotGit;
    }
    const named = /^gitdir: (.+)$/m.exec(await readFile(dotGit, "utf8"))?.[1];
    return named && from(dirname(dotGit), named.trim());
}

/** Linked worktrees have their refs in the repository's own folder. */
async function commonFolder(gitFolder: string): Promise<string> {
    const named = await readFile(join(gitFolder, "commondir"), "utf8").catch(() => undefined);
    return named === undefined ? gitFolder : from(gitFolder, named.trim());
}

function from(folder: string, path: string): string {
    return isAbsolute(path) ? path : join(folder, path);
}
