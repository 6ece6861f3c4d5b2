/** A review that is followed by notifications of the files that have changed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { merged } from "../src/review/merged.ts";
import type { Decision, ReviewedFile, ReviewResult } from "../src/server/protocol.ts";

function file(uri: string, ...decisions: Decision[]): ReviewedFile {
    const hunks = decisions.map((decision, number) => ({
        id: `${uri}${number}`,
        range: null,
        oldRange: null,
        diff: "",
        where: "",
        risk: null,
        decision,
        edits: [],
    }));
    const rest = { oldUri: null, originalUri: null, whole: false, risk: null, diff: null };
    return { uri, operation: "update", ...rest, hunks };
}

function review(open: number, ...files: ReviewedFile[]): ReviewResult {
    return { review: "r", since: "c", finished: false, kept: 0, takenBack: 0, open, files, edits: [] };
}

const shown = ({ files }: ReviewResult) =>
    files.map(({ uri, hunks }) => `${uri} ${hunks.map(({ decision }) => decision).join(" ")}`);

test("files that a notification does not mention stay as they were", () => {
    const before = review(3, file("a", "open"), file("b", "open", "open"));
    const after = merged(before, review(2, file("b", "keep", "open")));
    assert.deepEqual(shown(after), ["a open", "b keep open"]);
    assert.equal(after.open, 2);
});

test("a file without a change that is left goes", () => {
    const before = review(2, file("a", "open"), file("b", "open"));
    assert.deepEqual(shown(merged(before, review(1, file("a")))), ["b open"]);
});

test("a file that is no longer mentioned where all that is open is goes, and one that is decided about stays", () => {
    const before = review(2, file("a", "open"), file("b", "keep"), file("c", "open"));
    assert.deepEqual(shown(merged(before, review(1, file("c", "open")))), ["b keep", "c open"]);
});

test("another review begins with nothing", () => {
    const before = review(1, file("a", "open"));
    const other = { ...review(1, file("b", "open")), review: "s" };
    assert.deepEqual(shown(merged(before, other)), ["b open"]);
    assert.deepEqual(shown(merged(undefined, other)), ["b open"]);
});

test("the riskiest files come first, and a file stays where it was shown", () => {
    const losing: ReviewedFile = { ...file("z", "open"), risk: "removed" };
    const gone: ReviewedFile = { ...file("y", "open"), operation: "delete", risk: "deleted" };
    const broken: ReviewedFile = { ...file("x", "open"), risk: "unparsable" };
    const all = merged(undefined, review(4, file("a", "open"), losing, gone, broken));
    assert.deepEqual(shown(all), ["x open", "y open", "z open", "a open"]);
    const later = merged(all, review(5, { ...losing, risk: null }, file("b", "open")));
    assert.deepEqual(shown(later), ["x open", "y open", "z open", "a open", "b open"]);
});
