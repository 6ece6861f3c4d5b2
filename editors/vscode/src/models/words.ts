/**
 * Results in words, for a language model: what became of each edit, and what to do about those that were refused. They
 * are in English whatever the person reads, as is what the server says to models.
 */

import type { Checkpoint, EditsResult, FileChange, Outcome, Status } from "../server/protocol.ts";
import { isInexact, isOpen, percent } from "../wording.ts";

/** The path of a URI, as the model knows it. */
type Name = (uri: string) => string;

/** What the name of an outcome does not say by itself. */
const WORDS: Partial<Record<Status, string>> = {
    matched: "would be applied",
    alreadyApplied: "already there",
    notFound: "not found",
    held: "held back",
};

/** What became of each edit of a request, and what it changed. */
export function editsInWords(answer: EditsResult, name: Name): string {
    const isForeseen = !answer.applied && answer.edits.some(({ status }) => status === "matched");
    return [
        ...answer.edits.map((edit) => editInWords(edit, name)),
        ...(isForeseen ? answer.files.map(({ diff }) => diff.trimEnd()) : []),
        ...(answer.edits.length === 0 ? ["No edits found in this text."] : []),
        ...answer.unplaced.map(({ message }) => `Not read as an edit: ${message}`),
        ...(answer.applied || isForeseen ? [] : ["No file was changed."]),
        ...(answer.summary === "" ? [] : [answer.summary.trimEnd()]),
        ...(answer.application === null
            ? []
            : [`revert_edits with application ${answer.application} reverts this.`]),
        ...(answer.checkpoint === null
            ? []
            : [`Checkpoint ${answer.checkpoint.id} has the files as they were before.`]),
    ].join("\n");
}

/** The edits that wait, each with what to send in its place. */
export function pendingInWords(edits: Outcome[], name: Name): string {
    return edits.map((edit) => editInWords(edit, name)).join("\n") || "No pending edits.";
}

/** One line for each checkpoint. */
export function checkpointsInWords(checkpoints: Checkpoint[]): string {
    const lines = checkpoints.map(({ id, createdAt, files, label, prompt }) =>
        [id, createdAt, `${files} ${files === 1 ? "file" : "files"}`, label || prompt || ""]
            .join(" ")
            .trimEnd(),
    );
    return lines.join("\n") || "No checkpoints.";
}

/** What has changed, as one unified diff. */
export function changesInWords(files: FileChange[]): string {
    return files.map(({ diff }) => diff).join("") || "No differences.";
}

function editInWords(edit: Outcome, name: Name): string {
    const line = edit.range === null ? "" : `:${edit.range.start.line + 1}`;
    const path = edit.uri === "" ? "(no path)" : `${name(edit.uri)}${line}`;
    const similar =
        edit.rung === "similarity" && edit.similarity !== null ? `, ${percent(edit.similarity)}` : "";
    const how = isInexact(edit) ? ` (found by ${edit.rung}${similar})` : "";
    const first = `Edit ${edit.index + 1}, ${path}: ${WORDS[edit.status] ?? edit.status}${how}`;
    return isOpen(edit) ? `${first}\n${edit.feedback || edit.message}` : first;
}
