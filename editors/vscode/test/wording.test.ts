import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { speak } from "../src/language.ts";
import type {
    Application,
    Checkpoint,
    EditsResult,
    FileChange,
    Outcome,
    Status,
} from "../src/server/protocol.ts";
import {
    ago,
    applicationName,
    applied,
    feedback,
    firstChangedLine,
    foresight,
    isInexact,
    isQuotedAt,
    isRevertible,
    openOf,
    pendingName,
    percent,
    placeWords,
    previewTitle,
    restoreFacts,
    restorePlan,
    reviewTally,
    tally,
    tallyOf,
    title,
} from "../src/wording.ts";

function outcome(status: Status, more: Partial<Outcome> = {}): Outcome {
    return {
        id: "e1",
        index: 0,
        uri: "file:///a",
        status,
        code: null,
        rung: null,
        similarity: null,
        range: null,
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

function answer(edits: Outcome[], files = 1): EditsResult {
    const change: FileChange = {
        uri: "file:///a",
        operation: "update",
        newUri: null,
        diff: "",
        oldSha256: null,
        newSha256: null,
        originalUri: null,
        hunks: [],
    };
    return {
        applied: true,
        application: "a1",
        edits,
        files: Array(files).fill(change),
        checkpoint: null,
        unplaced: [],
        turn: 1,
        turns: 1,
        remark: "",
        preview: null,
        dropped: [],
        summary: "",
        feedback: "",
    };
}

const CHECKPOINT: Checkpoint = {
    id: "c1",
    commit: "",
    tree: "",
    label: null,
    session: null,
    message: null,
    createdAt: "2026-01-01T00:00:00Z",
    branch: "main",
    head: null,
    root: "/p",
    files: 1,
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

test("outcomes are counted in the order of good to bad", () => {
    assert.equal(
        tally([outcome("ambiguous"), outcome("matched"), outcome("matched")]),
        "2 would be applied, 1 ambiguous",
    );
    assert.equal(tally([outcome("notFound"), outcome("proposed")]), "1 proposed, 1 not found");
});

test("what applying did is one line", () => {
    assert.equal(applied(answer([outcome("applied"), outcome("applied")], 2)), "Applied 2 edits in 2 files");
    assert.equal(
        applied(answer([outcome("applied"), outcome("notFound")])),
        "Applied 1 edit in 1 file; 1 not found",
    );
    assert.equal(applied(answer([outcome("alreadyApplied")])), "Everything was already applied");
    assert.equal(applied(answer([outcome("ambiguous")])), "Nothing was changed: 1 ambiguous");
    const unsaved = { ...outcome("conflict"), message: "a.ipynb has changes that are not saved; save it." };
    assert.equal(
        applied(answer([unsaved, outcome("held"), unsaved])),
        "Nothing was changed: a.ipynb has changes that are not saved; save it",
    );
    const other = { ...outcome("rejected"), message: "b.py is outside of the folder." };
    assert.equal(applied(answer([unsaved, other])), "Nothing was changed: 1 in conflict, 1 rejected");
});

test("an edit is inexact when more than white space differed", () => {
    assert.equal(isInexact(outcome("matched", { rung: "similarity" })), true);
    assert.equal(isInexact(outcome("matched", { rung: "whitespace" })), false);
    assert.equal(isInexact(outcome("ambiguous", { rung: "similarity" })), false);
});

test("a single inexact edit is shown with how its place was found", () => {
    const found = outcome("matched", { rung: "similarity", similarity: 0.919 });
    assert.equal(foresight([found]), "found by similarity, 91 % similar");
    assert.equal(foresight([found, outcome("ambiguous")]), "1 would be applied, 1 ambiguous");
    assert.equal(foresight([outcome("matched", { rung: "exact", similarity: 1 })]), "1 would be applied");
});

test("the title of a preview says what becomes of its edits, and what no longer parses", () => {
    const file = (risk: "unparsable" | "removed" | null) => ({ hunks: [{ risk: null }, { risk }] });
    const fine = previewTitle("1 would be applied", [file(null), file("removed")]);
    assert.equal(fine, "Patchpoint preview (1 would be applied)");
    const broken = previewTitle("1 would be applied", [file("unparsable")]);
    assert.equal(broken, "Patchpoint preview (1 would be applied, no longer parses)");
});

test("only identical texts are 100 % similar", () => {
    assert.deepEqual([0.29, 0.9999, 1].map(percent), ["29 %", "99 %", "100 %"]);
});

test("feedback for the model is only about edits that were not applied", () => {
    const edits = [
        outcome("applied", { feedback: "fine" }),
        outcome("notFound", { feedback: "Look at line 3." }),
        outcome("held", { message: "Held back." }),
    ];
    assert.equal(feedback(edits), "Look at line 3.\n\nHeld back.");
});

test("a checkpoint is called by its label, or by what it precedes", () => {
    assert.equal(title({ ...CHECKPOINT, label: "green" }), "green");
    assert.equal(title({ ...CHECKPOINT, kind: "run", message: "m3" }), "Before message m3");
    assert.equal(title({ ...CHECKPOINT, kind: "afterRun", message: "m3" }), "After message m3");
    assert.equal(title({ ...CHECKPOINT, kind: "afterStep" }), "After a step of a run");
    assert.equal(title({ ...CHECKPOINT, kind: "safety" }), "Before a restore");
    assert.equal(title({ ...CHECKPOINT, kind: "beforeApply" }), "Before edits were applied");
});

test("a checkpoint before a prompt is called by the number of that, too", () => {
    const asked = { ...CHECKPOINT, label: "Write tests", agent: "claude", number: 12 };
    assert.equal(title({ ...asked, kind: "run" }), "claude#12 · Write tests");
    assert.equal(title({ ...asked, kind: "step" }), "Write tests");
});

test("what the server names by itself is in the language of the display, and what a person named stays", () => {
    const german = JSON.parse(readFileSync(new URL("../l10n/bundle.l10n.de.json", import.meta.url), "utf8"));
    speak((message, ...fillers) =>
        fillers.reduce<string>((said, filler, at) => said.replace(`{${at}}`, `${filler}`), german[message]),
    );
    try {
        const named = (kind: Checkpoint["kind"], label: string) => title({ ...CHECKPOINT, kind, label });
        assert.equal(named("beforeApply", "Before 3 edits: a.py, +1"), "Vor 3 Bearbeitungen: a.py, +1");
        assert.equal(named("beforeApply", "Before 1 edit: a.py"), "Vor 1 Bearbeitung: a.py");
        assert.equal(named("safety", "Before restoring 2026"), "Vor dem Wiederherstellen von 2026");
        assert.equal(named("beforeApply", "Mine"), "Mine");
        assert.equal(named("manual", "Before restoring 2026"), "Before restoring 2026");
        const range = { start: { line: 9, character: 0 }, end: { line: 9, character: 5 } };
        const place = { range, similarity: 1, preview: "close()", where: "below close" };
        assert.equal(placeWords(place), "unter close");
    } finally {
        speak((message, ...fillers) => message.replace(/\{(\d+)\}/g, (_, at) => `${fillers[Number(at)]}`));
    }
});

test("ages have one unit, and the future is now", () => {
    const now = Date.UTC(2026, 0, 3);
    assert.equal(ago(now - 59_000, now), "just now");
    assert.equal(ago(now - 61_000, now), "1 minute ago");
    assert.equal(ago(now - 7_300_000, now), "2 hours ago");
    assert.equal(ago(now - 90_000_000, now), "1 day ago");
    assert.equal(ago(now + 5_000, now), "just now");
});

test("a restore is described by what it changes, and by nothing else", () => {
    const head = { from: "1".repeat(40), to: "2".repeat(40) };
    assert.deepEqual(
        restoreFacts({
            checkpoint: "c",
            safety: "s",
            written: ["a", "b"],
            deleted: ["c"],
            created: ["b"],
            kept: [],
            head,
            dropped: [],
            transcript: null,
            sessionReset: false,
            remark: "",
            unsaved: [],
        }),
        ["1 file created", "1 file rewritten", "1 file deleted", "HEAD back to 222222222"],
    );
    const still = { from: head.to, to: head.to };
    assert.deepEqual(
        restoreFacts({
            checkpoint: "c",
            safety: null,
            written: [],
            deleted: [],
            created: [],
            kept: [],
            head: still,
            dropped: [],
            transcript: null,
            sessionReset: false,
            remark: "",
            unsaved: [],
        }),
        [],
    );
});

test("before a restore every file is named, and where there are many the rest are counted", () => {
    const written = Array.from({ length: 14 }, (_, index) => `file:///${String.fromCharCode(97 + index)}`);
    const plan = {
        checkpoint: "c",
        safety: null,
        written,
        deleted: ["file:///z"],
        created: ["file:///a"],
        kept: [{ path: "y.log", reason: "it is ignored" }],
        head: { from: null, to: null },
        dropped: [],
        transcript: null,
        sessionReset: false,
        remark: "",
        unsaved: [],
    };
    assert.equal(
        restorePlan(plan, ["file:///b"], (uri) => uri.slice("file:///".length)),
        "Created: a.\nRewritten: b, c, d, e, f, g, h, i, j, k, l, m, and 1 more.\nDeleted: z.\n" +
            "Left as they are: y.log (it is ignored).\n" +
            "Unsaved now, and kept in the safety checkpoint: b.\n" +
            "A safety checkpoint is taken first, so this can be undone.",
    );
    const chat = (messagesRemoved: number) =>
        restorePlan(
            { ...plan, written: [], transcript: { session: "chat", trimmedAfter: "m", messagesRemoved } },
            [],
            () => "z",
        );
    assert.match(chat(2), /^The chat loses 2 messages\.$/m);
    assert.doesNotMatch(chat(0), /chat/);
});

test("a change is named by the first line that it adds, or else removes", () => {
    assert.equal(firstChangedLine("@@ -1,3 +1,3 @@\n a\n-b\n+  B\n c\n"), "B");
    assert.equal(firstChangedLine("@@ -1,2 +1,1 @@\n a\n---x\n"), "− --x");
    assert.equal(firstChangedLine("--- a/one.txt\n+++ b/one.txt\n@@ -1,1 +1,2 @@\n a\n+new\n"), "new");
    assert.equal(firstChangedLine(""), "");
});

test("the numbers of a file of a review leave out what there is none of", () => {
    const decided = [{ decision: "open" }, { decision: "keep" }, { decision: "open" }] as const;
    assert.equal(tallyOf([...decided]), "1 kept, 2 open");
    assert.equal(tallyOf([{ decision: "takeBack" }]), "1 reverted");
});

test("the numbers of a review", () => {
    assert.equal(reviewTally({ kept: 7, takenBack: 5, open: 0 }), "7 kept, 5 reverted");
    assert.equal(reviewTally({ kept: 0, takenBack: 1, open: 2 }), "0 kept, 1 reverted, 2 open");
});

test("a pending edit is called by its file, its line and its text, not by its number alone", () => {
    const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 5 } });
    const place = { range: range(9), similarity: 1, preview: "    return tax\n}", where: "" };
    const ambiguous = outcome("ambiguous", { candidates: [place, { ...place, range: range(15) }] });
    assert.equal(pendingName(ambiguous, "till/tax.py"), "till/tax.py:10 “return tax”");
    assert.equal(pendingName(outcome("rejected", { index: 1 }), "tax.py"), "tax.py (edit 2)");
    assert.equal(pendingName(outcome("notFound", { range: range(3) }), "tax.py"), "tax.py:4 (edit 1)");
});

test("a place is named by where it is, and by how similar it is unless it is what is quoted", () => {
    const range = { start: { line: 9, character: 0 }, end: { line: 9, character: 5 } };
    const place = { range, similarity: 1, preview: "return tax", where: "in standard" };
    assert.equal(placeWords(place), "in standard");
    assert.equal(placeWords({ ...place, similarity: 0.6 }), "in standard, 60 % similar");
    assert.equal(placeWords({ ...place, where: "" }), "100 % similar");
});

test("an edit is applied at once where its text is quoted; what only resembles it is compared first", () => {
    const range = { start: { line: 9, character: 0 }, end: { line: 9, character: 5 } };
    const place = { range, similarity: 0.9, preview: "return tax", where: "" };
    assert.equal(isQuotedAt(outcome("ambiguous"), place), true);
    assert.equal(isQuotedAt(outcome("notFound"), place), false);
    assert.equal(isQuotedAt(outcome("notFound"), { ...place, similarity: 1 }), true);
});

test("an application is called by its answer, or its time and size, and is reverted once", () => {
    const moment = new Date(2026, 2, 4, 8, 5);
    const application: Application = {
        id: "a1",
        createdAt: moment.toISOString(),
        source: null,
        session: null,
        message: null,
        title: "",
        isRest: false,
        edits: ["e1", "e2"],
        files: ["file:///a"],
        revertedAt: null,
        reverts: null,
    };
    assert.equal(applicationName(application, moment), "answer of 08:05, 2 edits in 1 file");
    assert.equal(
        applicationName(application, new Date(2026, 2, 5)),
        "answer of 2026-03-04 08:05, 2 edits in 1 file",
    );
    const named = { ...application, title: "The tax was wrong" };
    assert.equal(applicationName(named, moment), "“The tax was wrong”, 2 edits in 1 file");
    assert.equal(
        applicationName({ ...named, isRest: true }, moment),
        "rest of “The tax was wrong”, 2 edits in 1 file",
    );
    assert.equal(isRevertible(application), true);
    assert.equal(isRevertible({ ...application, revertedAt: moment.toISOString() }), false);
    assert.equal(isRevertible({ ...application, reverts: "a0" }), false);
});

test("what the user dropped is counted apart, and is nothing to be dealt with", () => {
    const edits = [
        outcome("applied"),
        outcome("held", { id: "e2" }),
        outcome("notFound", { id: "e3" }),
        outcome("ambiguous", { id: "e4" }),
    ];
    const one = { uri: "file:///a", diff: "", pending: null };
    const dropped = {
        ...answer(edits),
        dropped: [
            { id: "h1", ...one },
            { id: "e3", ...one },
        ],
    };
    assert.equal(applied(dropped), "Applied 1 edit in 1 file; 1 ambiguous, 2 changes dropped");
    assert.deepEqual(
        openOf(dropped).map(({ id }) => id),
        ["e4"],
    );
    assert.deepEqual(
        openOf(answer(edits)).map(({ id }) => id),
        ["e2", "e3", "e4"],
    );
    assert.equal(
        applied({ ...answer([outcome("held")]), dropped: [{ id: "h1", ...one }] }),
        "Nothing was changed: 1 change dropped",
    );
});
