/** What is kept of a preview. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { keptHunks, withKept, withoutPlace } from "../src/applying/chosen.ts";
import type { PlannedHunk, PreviewResult } from "../src/server/protocol.ts";

function lines(start: number, end: number): NonNullable<PlannedHunk["range"]> {
    return { start: { line: start, character: 0 }, end: { line: end, character: 0 } };
}

function hunk(id: string, more: Partial<PlannedHunk> = {}): PlannedHunk {
    const rest = { range: null, newRange: null, diff: "", where: "", risk: null, edits: [] };
    return { id, ...rest, decision: "keep", ...more };
}

function preview(hunks: PlannedHunk[], edits: PreviewResult["edits"] = []): PreviewResult {
    const file = {
        uri: "file:///a",
        operation: "update" as const,
        newUri: null,
        diff: "",
        oldSha256: null,
        newSha256: null,
        originalUri: null,
        hunks,
    };
    return { preview: "p", uri: "", kept: 0, dropped: 0, edits, files: [file] };
}

test("a hunk is kept unless it was dropped, or all of its edits were", () => {
    const edit = (id: string, decision: "keep" | "drop" | "discard") => ({
        id,
        uri: "file:///a",
        status: "matched" as const,
        message: "",
        decision,
    });
    const shown = preview(
        [
            hunk("a"),
            hunk("b", { decision: "drop" }),
            hunk("c", { edits: ["1", "2"] }),
            hunk("d", { edits: ["2"] }),
            hunk("e", { decision: "discard", edits: ["1"] }),
        ],
        [edit("1", "keep"), edit("2", "drop")],
    );
    assert.deepEqual([...keptHunks(shown)], ["a", "c"]);
});

test("an edit that would not be applied has no place", () => {
    const edits = (["matched", "notFound", "alreadyApplied", "ambiguous", "held"] as const).map((status) => ({
        id: status,
        uri: "file:///a",
        status,
        message: "",
        decision: "keep" as const,
    }));
    assert.deepEqual(
        withoutPlace(preview([], edits)).map(({ id }) => id),
        ["notFound", "ambiguous"],
    );
});

const BEFORE = "a\r\nb\r\nc\r\nd\r\ne";
const AFTER = "A\r\nA\r\nb\r\nd\r\nE";
const HUNKS = [
    hunk("first", { range: lines(0, 1), newRange: lines(0, 2) }),
    hunk("gone", { range: lines(2, 3), newRange: lines(3, 3) }),
    hunk("last", {
        range: { start: { line: 4, character: 0 }, end: { line: 4, character: 1 } },
        newRange: { start: { line: 4, character: 0 }, end: { line: 4, character: 1 } },
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
