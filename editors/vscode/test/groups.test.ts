import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped } from "../src/checkpoints/groups.ts";
import type { Checkpoint } from "../src/server/protocol.ts";

function checkpoint(id: string, minute: number, session: string | null = null, root = "/p"): Checkpoint {
    return {
        id,
        commit: "",
        tree: "",
        label: null,
        session,
        message: null,
        createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
        branch: null,
        head: null,
        root,
        files: 0,
        skipped: [],
        unchanged: false,
        pinned: false,
        companions: [],
        turn: null,
        prompt: null,
        agent: null,
        number: null,
        kind: "manual",
    };
}

function shape(listed: Checkpoint[]): unknown {
    return grouped(listed).map(({ root, sessions }) => [
        root,
        ...sessions.map(({ session, checkpoints }) => [session, ...checkpoints.map(({ id }) => id)]),
    ]);
}

test("checkpoints stand by session, the newest of each first, and the session that was last at work first", () => {
    const listed = [checkpoint("a", 1, "s1"), checkpoint("b", 2, "s2"), checkpoint("c", 3, "s1")];
    assert.deepEqual(shape(listed), [["/p", ["s1", "c", "a"], ["s2", "b"]]]);
});

test("a repository that two folders lie in is shown once", () => {
    const listed = [checkpoint("a", 1), checkpoint("a", 1)];
    assert.deepEqual(shape(listed), [["/p", [null, "a"]]]);
});

test("two repositories are kept apart even if their checkpoints have the same id", () => {
    const listed = [checkpoint("a", 1, null, "/p"), checkpoint("a", 2, null, "/q")];
    assert.deepEqual(shape(listed), [
        ["/q", [null, "a"]],
        ["/p", [null, "a"]],
    ]);
});
