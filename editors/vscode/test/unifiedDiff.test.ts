import assert from "node:assert/strict";
import { test } from "node:test";
import { across, DiffMismatch, size } from "../src/differences/unifiedDiff.ts";

const BEFORE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";
const AFTER = "one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
const DIFF = `--- a/numbers
+++ b/numbers
@@ -1,5 +1,5 @@
 one
-two
+TWO
 three
 four
 five
@@ -7,3 +7,4 @@
 seven
 eight
 nine
+ten
`;

test("a diff carries the old text to the new one and back", () => {
    assert.equal(across(DIFF, BEFORE, "forward"), AFTER);
    assert.equal(across(DIFF, AFTER, "backward"), BEFORE);
});

test("a file may have more lines than a function may have arguments", () => {
    const lines = Array.from({ length: 300_000 }, (_, number) => `line ${number}\n`);
    const before = lines.join("");
    const after = `${lines.slice(0, -1).join("")}LAST\n`;
    const diff = "@@ -300000 +300000 @@\n-line 299999\n+LAST\n";
    assert.equal(across(diff, before, "forward"), after);
    assert.equal(across(diff, after, "backward"), before);
});

test("a created file comes from nothing and goes back to it", () => {
    const diff = "--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+one\n+two\n";
    assert.equal(across(diff, "", "forward"), "one\ntwo\n");
    assert.equal(across(diff, "one\ntwo\n", "backward"), "");
});

test("a line inserted before the first one is first", () => {
    const diff = "@@ -0,0 +1 @@\n+zero\n";
    assert.equal(across(diff, "one\n", "forward"), "zero\none\n");
});

test("a missing newline at the end is missing on its own side only", () => {
    const diff = "@@ -1,2 +1,2 @@\n one\n-two\n+two\n\\ No newline at end of file\n";
    assert.equal(across(diff, "one\ntwo\n", "forward"), "one\ntwo");
    assert.equal(across(diff, "one\ntwo", "backward"), "one\ntwo\n");
});

test("a missing newline of a common line is missing on both sides", () => {
    const diff = "@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n\\ No newline at end of file\n";
    assert.equal(across(diff, "one\ntwo", "forward"), "ONE\ntwo");
});

test("carriage returns belong to their lines", () => {
    const diff = "@@ -1,2 +1,2 @@\n one\r\n-two\r\n+TWO\r\n";
    assert.equal(across(diff, "one\r\ntwo\r\n", "forward"), "one\r\nTWO\r\n");
});

test("a removed line that begins with dashes is no header", () => {
    const diff = "@@ -1,2 +1 @@\n one\n--- two\n";
    assert.equal(across(diff, "one\n-- two\n", "forward"), "one\n");
});

test("a text that is not the diff's is refused", () => {
    assert.throws(() => across(DIFF, AFTER, "forward"), DiffMismatch);
    assert.throws(() => across(DIFF, "one\n", "forward"), DiffMismatch);
});

test("a diff that is cut short is refused", () => {
    assert.throws(() => across("@@ -1,3 +1,3 @@\n one\n", "one\ntwo\nthree\n", "forward"), DiffMismatch);
});

test("a binary file is refused", () => {
    assert.throws(() => across("Binary files a/x and b/x differ\n", "x", "forward"), DiffMismatch);
});

test("an empty diff changes nothing", () => {
    assert.equal(across("", "one\n", "forward"), "one\n");
});

test("the size of a diff is its added and removed lines", () => {
    assert.deepEqual(size(DIFF), { added: 2, removed: 1 });
});
