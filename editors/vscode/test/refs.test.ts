import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { refsFolder } from "../src/checkpoints/refs.ts";

const NOBODY = {
    GIT_AUTHOR_NAME: "n",
    GIT_AUTHOR_EMAIL: "e",
    GIT_COMMITTER_NAME: "n",
    GIT_COMMITTER_EMAIL: "e",
};

function git(folder: string, ...args: string[]): void {
    execFileSync("git", ["-C", folder, ...args], { env: { ...process.env, ...NOBODY } });
}

function repository(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-")));
    git(folder, "init", "-q", ".");
    writeFileSync(join(folder, "file"), "one\n");
    git(folder, "add", ".");
    git(folder, "commit", "-q", "-m", "one");
    return folder;
}

test("a folder below the top of a repository has the repository's refs", async () => {
    const folder = repository();
    mkdirSync(join(folder, "a", "b"), { recursive: true });
    assert.equal(await refsFolder(join(folder, "a", "b")), join(folder, ".git", "refs"));
});

test("a linked worktree has the refs of the repository it belongs to", async () => {
    const folder = repository();
    const linked = join(folder, "..", `linked-${process.pid}-${Date.now()}`);
    git(folder, "worktree", "add", "-q", linked);
    assert.equal(realpathSync((await refsFolder(linked)) ?? ""), join(folder, ".git", "refs"));
});

test("a folder that is no repository has none", async () => {
    assert.equal(await refsFolder(mkdtempSync(join(tmpdir(), "plain-"))), undefined);
});
