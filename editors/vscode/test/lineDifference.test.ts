/** The lines in which two texts differ: replacing them makes one of the other. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { lineDifference } from "../src/differences/lineDifference.ts";

test("only the lines that differ are replaced", () => {
    assert.deepEqual(lineDifference("a\nb\nc\n", "a\nB\nc\n"), { start: 2, end: 4, text: "B\n" });
    assert.deepEqual(lineDifference("a\nb\n", "a\nb\nc"), { start: 4, end: 4, text: "c" });
    assert.deepEqual(lineDifference("a\na\na\n", "a\na\n"), { start: 4, end: 6, text: "" });
    assert.deepEqual(lineDifference("same", "same"), { start: 4, end: 4, text: "" });
});

test("the replacement makes the second text of the first, whatever they are", () => {
    const pieces = ["", "a", "a\n", "b\n", "\n", "\r\n", "\u{1f600}\n", "\u{1f601}"];
    for (const one of pieces) {
        for (const two of pieces) {
            for (const three of pieces) {
                for (const [from, to] of [
                    [one + two + three, three + one],
                    [two + two, one + two + three],
                    [three + two, two + three],
                ] as const) {
                    const { start, end, text } = lineDifference(from, to);
                    assert.equal(from.slice(0, start) + text + from.slice(end), to);
                    assert.ok(start <= end);
                }
            }
        }
    }
});
