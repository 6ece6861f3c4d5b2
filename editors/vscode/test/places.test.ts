/** Where the changes of a review are. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { changeAt, changesWithin, type LineChange, nextOpen } from "../src/review/places.ts";
import type { Decision, Hunk, Range, ReviewedFile } from "../src/server/protocol.ts";

type Lines = [start: number, end: number];

const range = ([start, end]: Lines): Range => ({
    start: { line: start, character: 0 },
    end: { line: end, character: 0 },
});

/** A change that replaces lines by others; each side is given by its first line, and the one after the last. */
function hunk(id: string, was: Lines, is: Lines, decision: Decision = "open"): Hunk {
    return {
        id,
        oldRange: range(was),
        range: range(is),
        diff: "",
        where: "",
        risk: null,
        decision,
        edits: [],
    };
}

function file(uri: string, ...hunks: Hunk[]): ReviewedFile {
    const rest = { oldUri: null, originalUri: null, whole: false, risk: null, diff: null };
    return { uri, operation: "update", ...rest, hunks };
}

const whole: ReviewedFile = {
    ...file("gone", {
        id: "g",
        oldRange: null,
        range: null,
        diff: "",
        where: "",
        risk: null,
        decision: "open",
        edits: [],
    }),
    operation: "delete",
    whole: true,
};

const lines = (was: Lines, is: Lines): LineChange => ({
    originalStartLineNumber: was[0],
    originalEndLineNumber: was[1],
    modifiedStartLineNumber: is[0],
    modifiedEndLineNumber: is[1],
});

const ids = (hunks: Hunk[]) => hunks.map(({ id }) => id).join(" ");

test("the next change comes after the cursor, in the order of the files, and from the top again", () => {
    const files = [
        whole,
        file("b", hunk("b1", [3, 4], [3, 4]), hunk("b2", [9, 9], [9, 12])),
        file("a", hunk("a1", [0, 1], [0, 0])),
    ];
    const next = (uri?: string, line?: number) => nextOpen(files, uri, line)?.hunk.id;
    assert.equal(next(), "g");
    assert.equal(next("gone", 0), "b1");
    assert.equal(next("b"), "b1");
    assert.equal(next("b", 3), "b2");
    assert.equal(next("b", 9), "a1");
    assert.equal(next("a", 0), "g");
    assert.equal(next("elsewhere", 5), "g");
});

test("what is decided is passed over, and where all is decided there is no next change", () => {
    const files = [file("a", hunk("a1", [0, 1], [0, 1], "keep"), hunk("a2", [5, 6], [5, 6]))];
    assert.equal(nextOpen(files, "a", 5)?.hunk.id, "a2");
    assert.equal(nextOpen([file("a", hunk("a1", [0, 1], [0, 1], "keep"))]), undefined);
});

test("a change has the lines of either side, one that only removed lines the one that follows them", () => {
    const changed = file("a", hunk("removed", [4, 6], [4, 4]), hunk("added", [9, 9], [7, 9]));
    const at = (line: number, isOld = false) => changeAt(changed, line, isOld)?.id;
    assert.deepEqual(
        [3, 4, 5].map((line) => at(line)),
        [undefined, "removed", undefined],
    );
    assert.deepEqual(
        [3, 4, 5, 6].map((line) => at(line, true)),
        [undefined, "removed", "removed", undefined],
    );
    assert.deepEqual(
        [6, 7, 8, 9].map((line) => at(line)),
        [undefined, "added", "added", undefined],
    );
    assert.equal(changeAt(whole, 17, true)?.id, "g");
});

test("the lines of the editor's own comparison are those of the changes that have any of them", () => {
    const changed = file(
        "a",
        hunk("removed", [4, 6], [4, 4]),
        hunk("added", [9, 9], [7, 9]),
        hunk("other", [12, 13], [12, 13]),
    );
    // Lines are numbered from 1 there; a side without lines ends at 0, and begins at the line before.
    assert.equal(ids(changesWithin(changed, lines([5, 6], [4, 0]))), "removed");
    assert.equal(ids(changesWithin(changed, lines([9, 0], [8, 9]))), "added");
    assert.equal(ids(changesWithin(changed, lines([13, 13], [13, 13]))), "other");
    assert.equal(ids(changesWithin(changed, lines([5, 13], [5, 13]))), "removed added other");
    assert.equal(ids(changesWithin(changed, lines([1, 2], [1, 2]))), "");
});
