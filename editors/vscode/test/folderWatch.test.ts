import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { FolderWatch } from "../src/checkpoints/folderWatch.ts";

/** A watch of `refs/patchpoint`, and a promise of the next thing that happens. */
function watching(refs: string) {
    let wake = () => {};
    const watch = new FolderWatch(refs, "patchpoint", () => wake());
    // Without a timer of its own, the test would end when nothing but the watch is left.
    const next = () =>
        new Promise<void>((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error("Nothing was seen.")), 20_000);
            wake = () => {
                clearTimeout(timer);
                resolve();
            };
        });
    return { watch, next };
}

test("the first checkpoint of a repository is seen, though its folders are made with it", async () => {
    for (let round = 0; round < 20; round += 1) {
        const refs = mkdtempSync(join(tmpdir(), "refs-"));
        const { watch, next } = watching(refs);
        const first = next();
        mkdirSync(join(refs, "patchpoint", "checkpoints"), { recursive: true });
        writeFileSync(join(refs, "patchpoint", "checkpoints", "one"), "");
        await first;
        // whatever was announced together with the first is let by
        await new Promise((resolve) => setImmediate(resolve));
        const second = next();
        writeFileSync(join(refs, "patchpoint", "checkpoints", "two"), "");
        await second;
        watch.dispose();
    }
});

test("folders that are cleared away and made again are watched again", async () => {
    const refs = mkdtempSync(join(tmpdir(), "refs-"));
    const folder = join(refs, "patchpoint", "checkpoints");
    mkdirSync(folder, { recursive: true });
    const { watch, next } = watching(refs);
    const gone = next();
    rmSync(join(refs, "patchpoint"), { recursive: true });
    await gone;
    const again = next();
    mkdirSync(folder, { recursive: true });
    await again;
    await new Promise((resolve) => setImmediate(resolve));
    const seen = next();
    writeFileSync(join(folder, "one"), "");
    await seen;
    watch.dispose();
});

test("nothing is called after the watch was disposed of", async () => {
    const refs = mkdtempSync(join(tmpdir(), "refs-"));
    mkdirSync(join(refs, "patchpoint"));
    let calls = 0;
    const watch = new FolderWatch(refs, "patchpoint", () => {
        calls += 1;
    });
    watch.dispose();
    const other = watching(refs);
    const seen = other.next();
    writeFileSync(join(refs, "patchpoint", "one"), "");
    await seen;
    other.watch.dispose();
    assert.equal(calls, 0);
});
