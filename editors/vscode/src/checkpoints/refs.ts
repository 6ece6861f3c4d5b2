/** Find the directory that holds a repository's refs, to notice checkpoints that other programs take. */

import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Return the directory of the refs of the repository that `folder` is in; undefined outside a repository. */
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

/** Return the git directory: `.git` itself or, in linked worktrees and submodules, the one that file names. */
async function gitFolderOf(dotGit: string): Promise<string | undefined> {
    const found = await stat(dotGit).catch(() => undefined);
    if (found === undefined || found.isDirectory()) {
        return found && dotGit;
    }
    const named = /^gitdir: (.+)$/m.exec(await readFile(dotGit, "utf8"))?.[1];
    return named && from(dirname(dotGit), named.trim());
}

/** Return the git directory that has the refs: for a linked worktree, that of the main repository. */
async function commonFolder(gitFolder: string): Promise<string> {
    const named = await readFile(join(gitFolder, "commondir"), "utf8").catch(() => undefined);
    return named === undefined ? gitFolder : from(gitFolder, named.trim());
}

function from(folder: string, path: string): string {
    return isAbsolute(path) ? path : join(folder, path);
}
