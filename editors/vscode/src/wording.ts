/** Sentences for people, made of what the server answered. */

import type { Checkpoint, EditsAnswer, FileChange, Outcome, RestoreAnswer, Status } from "./protocol.ts";

const NOT_LANDED: ReadonlySet<Status> = new Set([
    "ambiguous",
    "notFound",
    "conflict",
    "rejected",
    "malformed",
    "held",
]);

/** Whether the edit is still to be dealt with. */
export function isOpen(outcome: Outcome): boolean {
    return NOT_LANDED.has(outcome.status);
}

/** Whether the edit would land, or landed, where the model's quotation differs by more than white space. */
export function isInexact(outcome: Outcome): boolean {
    return (
        !isOpen(outcome) &&
        outcome.status !== "alreadyApplied" &&
        outcome.rung !== null &&
        !["exact", "whitespace"].includes(outcome.rung)
    );
}

/** `1 edit`, `2 edits`. */
export function count(number: number, noun: string): string {
    return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

const OUTCOMES: [Status, string][] = [
    ["applied", "applied"],
    ["matched", "would land"],
    ["alreadyApplied", "already there"],
    ["ambiguous", "ambiguous"],
    ["notFound", "not found"],
    ["conflict", "in conflict"],
    ["rejected", "rejected"],
    ["malformed", "malformed"],
    ["held", "held back"],
];

/** What became of all edits of a request, by outcome: `2 would land, 1 ambiguous`. */
export function tally(edits: Outcome[]): string {
    return OUTCOMES.map(([status, words]): [number, string] => [
        edits.filter((edit) => edit.status === status).length,
        words,
    ])
        .filter(([number]) => number > 0)
        .map(([number, words]) => `${number} ${words}`)
        .join(", ");
}

/** What would become of the edits of a request; of a single one, also how it was found. */
export function foresight(edits: Outcome[]): string {
    const [only] = edits;
    if (edits.length !== 1 || only === undefined || !isInexact(only)) {
        return tally(edits);
    }
    const similar = only.similarity === null ? "" : `, ${Math.floor(only.similarity * 100)} % similar`;
    return `found by ${only.rung}${similar}`;
}

/** The one line that says what applying did. */
export function applied(answer: EditsAnswer): string {
    const landed = answer.edits.filter((edit) => edit.status === "applied").length;
    if (landed === 0) {
        return answer.edits.every((edit) => edit.status === "alreadyApplied")
            ? "Everything was already there"
            : `Nothing was changed: ${tally(answer.edits)}`;
    }
    const rest = answer.edits.length - landed;
    const files = count(answer.files.length, "file");
    return `Applied ${count(landed, "edit")} in ${files}${rest > 0 ? `; ${tally(answer.edits.filter((edit) => edit.status !== "applied"))}` : ""}`;
}

/** What the model should be told about the edits that did not land. */
export function feedback(edits: Outcome[]): string {
    return edits
        .filter(isOpen)
        .map((edit) => edit.feedback || edit.message)
        .filter((text) => text !== "")
        .join("\n\n");
}

/** What a checkpoint is called where it stands in a list. */
export function title(checkpoint: Checkpoint): string {
    if (checkpoint.label) {
        return checkpoint.label;
    }
    switch (checkpoint.kind) {
        case "beforeApply":
            return "Before edits were applied";
        case "safety":
            return "Before a restore";
        case "run":
            return checkpoint.message ? `Before message ${checkpoint.message}` : "Before a run";
        case "manual":
            return checkpoint.message ? `Before message ${checkpoint.message}` : "Checkpoint";
    }
}

const UNITS: [number, string][] = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
];

/** How long ago a moment was, coarsely. Both are milliseconds since the epoch. */
export function ago(moment: number, now: number): string {
    const seconds = Math.max(0, Math.round((now - moment) / 1000));
    for (const [unit, noun] of UNITS) {
        if (seconds >= unit) {
            return `${count(Math.floor(seconds / unit), noun)} ago`;
        }
    }
    return "just now";
}

/** What a restore is about to do, or did, as a list of facts. */
export function restoreFacts(answer: RestoreAnswer): string[] {
    const facts = [];
    if (answer.written.length > 0) {
        facts.push(`${count(answer.written.length, "file")} rewritten`);
    }
    if (answer.deleted.length > 0) {
        facts.push(`${count(answer.deleted.length, "file")} deleted`);
    }
    const { from, to } = answer.head ?? { from: null, to: null };
    if (from !== to && to !== null) {
        facts.push(`HEAD back to ${to.slice(0, 9)}`);
    }
    if (answer.dropped.length > 0) {
        facts.push(`${count(answer.dropped.length, "later checkpoint")} dropped`);
    }
    return facts;
}

/** How many files are named before the rest are only counted. */
const NAMED = 12;

/**
 * What a restore is about to do, file by file; `name` says what a person calls the file of a URI, and `unsaved` are
 * the files whose buffers are not saved now.
 */
export function restorePlan(plan: RestoreAnswer, unsaved: string[], name: (uri: string) => string): string {
    const { from, to } = plan.head ?? { from: null, to: null };
    const messages = plan.transcript?.messagesRemoved ?? 0;
    return [
        listed("Rewritten", plan.written.map(name)),
        listed("Deleted", plan.deleted.map(name)),
        from !== to && to !== null ? `HEAD goes back to ${to.slice(0, 9)}.` : "",
        plan.dropped.length > 0 ? `${count(plan.dropped.length, "later checkpoint")} dropped.` : "",
        listed("Not saved now, and kept in the safety checkpoint", unsaved.map(name)),
        messages > 0 ? `The chat loses ${count(messages, "message")}.` : "",
        "A safety checkpoint is taken first, so this can be undone.",
    ]
        .filter((line) => line !== "")
        .join("\n");
}

function listed(what: string, names: string[]): string {
    const rest = names.length - NAMED;
    const shown = names.sort().slice(0, NAMED).join(", ");
    return names.length === 0 ? "" : `${what}: ${shown}${rest > 0 ? `, and ${rest} more` : ""}.`;
}

/** `M`, `A`, `D` or `R`, as source control marks it: what happened since the checkpoint. */
export function mark(change: FileChange): string {
    return { create: "A", update: "M", delete: "D", rename: "R" }[change.operation];
}
