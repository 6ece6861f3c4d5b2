/** What is kept of a preview. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { keptHunks, withKept, withoutPlace } from "../src/applying/chosen.ts";
import type { Hunk, ReviewResult } from "../src/server/protocol.ts";

function lines(start: number, end: number): NonNullable<Hunk["range"]> {
    return { start: { line: start, character: 0 }, end: { line: end, character: 0 } };
}

function hunk(id: string, more: Partial<Hunk> = {}): Hunk {
    const rest = { range: null, oldRange: null, diff: "", where: "", risk: null, edits: [] };
    return { id, ...rest, decision: "keep", ...more };
}

function preview(hunks: Hunk[], edits: ReviewResult["edits"] = []): ReviewResult {
    const file = {
        uri: "file:///a",
        operation: "update" as const,
        oldUri: null,
        originalUri: null,
        whole: false,
        risk: null,
        hunks,
        diff: "",
    };
    const numbers = { kept: 0, takenBack: 0, open: 0 };
    return { review: "p", since: "p", finished: false, ...numbers, edits, files: [file] };
}

test("a hunk is kept unless it was left open or discarded", () => {
    const shown = preview([
        hunk("a"),
        hunk("b", { decision: "open" }),
        hunk("c", { edits: ["1", "2"] }),
        hunk("d", { decision: "takeBack" }),
    ]);
    assert.deepEqual([...keptHunks(shown)], ["a", "c"]);
});

test("an edit that would not be applied has no place", () => {
    const edits = (["matched", "notFound", "alreadyApplied", "ambiguous", "held"] as const).map((status) => ({
        id: status,
        uri: "file:///a",
        status,
        message: "",
        decision: "keep" as const,
        candidates: [],
        proposal: null,
    }));
    assert.deepEqual(
        withoutPlace(preview([], edits)).map(({ id }) => id),
        ["notFound", "ambiguous"],
    );
});

const BEFORE = "a\r\nb\r\nc\r\nd\r\ne";
const AFTER = "A\r\nA\r\nb\r\nd\r\nE";
const HUNKS = [
    hunk("first", { oldRange: lines(0, 1), range: lines(0, 2) }),
    hunk("gone", { oldRange: lines(2, 3), range: lines(3, 3) }),
    hunk("last", {
        oldRange: { start: { line: 4, character: 0 }, end: { line: 4, character: 1 } },
        range: { start: { line: 4, character: 0 }, end: { line: 4, character: 1 } },
    }),
];

test("a file is shown with the hunks that are kept, and with the lines as they are of those that are not", () => {
    const shown = (...kept: string[]) => withKept(BEFORE, AFTER, HUNKS, new Set(kept));
    assert.equal(shown("first", "gone", "last"), AFTER);
    assert.equal(shown(), BEFORE);
    assert.equal(shown("gone"), "a\r\nb\r\nd\r\ne");
    assert.equal(shown("first", "last"), "A\r\nA\r\nb\r\nc\r\nd\r\nE");
});

test("a file that is changed as a whole is as it was without that", () => {
    assert.equal(withKept("old", "new", [hunk("all")], new Set()), "old");
    assert.equal(withKept("old", "new", [hunk("all")], new Set(["all"])), "new");
});
