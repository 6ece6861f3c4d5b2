/** Where the lines of an edit go in a file that is compared with it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { inPlaceOf } from "../src/pending/proposal.ts";

const range = (startLine: number, startCharacter: number, endLine: number, endCharacter: number) => ({
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: endCharacter },
});

test("the lines of an edit are in place of those that resemble what it quotes", () => {
    assert.equal(inPlaceOf("a\nb\nc\n", range(1, 0, 2, 0), "B\nBB\n"), "a\nB\nBB\nc\n");
    assert.equal(inPlaceOf("a\r\nb\r\nc", range(1, 0, 1, 1), "B"), "a\r\nB\r\nc");
    assert.equal(inPlaceOf("a\nb\n", range(0, 0, 1, 0), "A"), "A\nb\n", "no line is joined to the next");
    assert.equal(inPlaceOf("a\nb\n", range(0, 0, 1, 0), ""), "b\n");
    assert.equal(inPlaceOf("a", range(5, 0, 9, 9), "b"), "ab", "a place after the end is the end");
});
