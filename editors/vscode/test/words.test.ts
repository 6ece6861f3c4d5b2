/** What a language model reads of the results of its tools. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { changesInWords, checkpointsInWords, editsInWords, pendingInWords } from "../src/models/words.ts";
import type { Checkpoint, EditsResult, FileChange, Outcome } from "../src/server/protocol.ts";

const CHANGE: FileChange = {
    uri: "file:///shop/a.py",
    operation: "update",
    newUri: null,
    diff: "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+2\n",
    oldSha256: null,
    newSha256: null,
    originalUri: null,
    hunks: [],
};

function outcome(more: Partial<Outcome>): Outcome {
    return {
        id: "e",
        index: 0,
        uri: CHANGE.uri,
        status: "applied",
        code: null,
        rung: "exact",
        similarity: null,
        range: { start: { line: 4, character: 0 }, end: { line: 5, character: 0 } },
        newRange: null,
        candidates: [],
        proposal: null,
        decision: null,
        message: "",
        feedback: "",
        changes: "",
        ...more,
    };
}

function answer(edits: Outcome[], more: Partial<EditsResult> = {}): EditsResult {
    return {
        applied: false,
        application: null,
        edits,
        files: [CHANGE],
        checkpoint: null,
        unplaced: [],
        turn: 1,
        turns: 1,
        remark: "",
        preview: null,
        dropped: [],
        summary: "",
        feedback: "",
        ...more,
    };
}

const CHECKPOINT: Checkpoint = {
    id: "06ak0r7m2bpbkf",
    commit: "",
    tree: "",
    label: "Before 1 edit: a.py",
    session: null,
    message: null,
    turn: null,
    prompt: null,
    agent: null,
    number: null,
    createdAt: "2026-01-02T03:04:05.000Z",
    branch: null,
    head: null,
    root: "",
    files: 1,
    skipped: [],
    unchanged: false,
    pinned: false,
    companions: [],
    kind: "manual",
};

const name = (uri: string) => uri.replace("file:///shop/", "");

test("what was applied says how it is reverted, and which checkpoint is before it", () => {
    const applied = answer([outcome({}), outcome({ index: 1, rung: "similarity", similarity: 0.875 })], {
        applied: true,
        application: "a1",
        checkpoint: CHECKPOINT,
    });
    assert.equal(
        editsInWords(applied, name),
        [
            "Edit 1, a.py:5: applied",
            "Edit 2, a.py:5: applied (found by similarity, 87 %)",
            "revert_edits with application a1 reverts this.",
            "Checkpoint 06ak0r7m2bpbkf has the files as they were before.",
        ].join("\n"),
    );
});

test("a preview has the difference", () => {
    const foreseen = answer([outcome({ status: "matched" })]);
    assert.equal(editsInWords(foreseen, name), `Edit 1, a.py:5: would be applied\n${CHANGE.diff.trimEnd()}`);
});

test("what was refused has what to send in its place", () => {
    const refused = answer([outcome({ status: "notFound", range: null, feedback: "Quote line 5." })], {
        files: [],
    });
    assert.equal(editsInWords(refused, name), "Edit 1, a.py: not found\nQuote line 5.\nNo file was changed.");
    assert.equal(pendingInWords(refused.edits, name), "Edit 1, a.py: not found\nQuote line 5.");
    assert.equal(pendingInWords([], name), "No pending edits.");
});

test("what the user dropped is in the summary", () => {
    const dropped = answer([outcome({})], { applied: true, summary: "Rejected: - 1\n" });
    assert.match(editsInWords(dropped, name), /applied\nRejected: - 1$/);
});

test("a text without edits says what was not taken for one", () => {
    const nothing = answer([], {
        files: [],
        unplaced: [{ line: 3, message: "The code of line 3 names no file.", code: null, name: "" }],
    });
    assert.equal(
        editsInWords(nothing, name),
        "No edits found in this text.\nNot read as an edit: The code of line 3 names no file.\nNo file was changed.",
    );
});

test("checkpoints have a line each, and changes their differences", () => {
    const line = "06ak0r7m2bpbkf 2026-01-02T03:04:05.000Z 1 file Before 1 edit: a.py";
    assert.equal(checkpointsInWords([CHECKPOINT]), line);
    assert.equal(
        checkpointsInWords([{ ...CHECKPOINT, label: "", files: 2, prompt: "Tidy up" }]).split("Z ")[1],
        "2 files Tidy up",
    );
    assert.equal(checkpointsInWords([]), "No checkpoints.");
    assert.equal(changesInWords([CHANGE, CHANGE]), CHANGE.diff + CHANGE.diff);
    assert.equal(changesInWords([]), "No differences.");
});
