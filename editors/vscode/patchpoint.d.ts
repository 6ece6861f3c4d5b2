/**
 * What the Patchpoint extension for VS Code offers to other extensions.
 *
 *     const extension = vscode.extensions.getExtension<Patchpoint>("patchpoint.patchpoint");
 *     const patchpoint = await extension?.activate();
 *
 * Copy this file into your extension, and name `patchpoint.patchpoint` in your `extensionDependencies` or look for it at
 * run time. Nothing here asks the person anything or shows anything, but for the editor's own question before an edit of
 * a file that starts programs. A promise is rejected with an error whose `code` says why, where the server has one
 * (docs/protocol.md lists them), `untrusted` in a workspace that is not trusted, and `not-running` without a server.
 */

import type { Event } from "vscode";

/** The exports of the extension. */
export interface Patchpoint {
    /** The version of this interface: another number when something that is here goes, or means something else. */
    readonly version: 1;
    /** The version of the server; undefined while none runs. */
    readonly serverVersion: string | undefined;

    /** Resolve when the server runs; rejected when it cannot be started. */
    ready(): Promise<void>;

    /** Apply the edits in what a model wrote. Open documents are changed in the editor, other files on the disk. */
    applyEdits(request: EditsRequest & ApplyOptions): Promise<EditsAnswer>;
    /** Return what `applyEdits` would do, and change nothing. */
    previewEdits(request: EditsRequest): Promise<EditsAnswer>;
    /** Return the edits that were not applied and wait, of one document or of all. */
    pendingEdits(uri?: string): Promise<EditOutcome[]>;
    /** Apply a pending edit at one of its candidates, counted from 1. */
    resolveEdit(edit: string, candidate: number): Promise<EditsAnswer>;
    /** Discard a pending edit, or all of them; return the ids of those that were. */
    discardEdits(edit?: string): Promise<string[]>;

    /** Return what was applied and can be reverted, newest first. */
    applications(options?: { limit?: number; session?: string }): Promise<AppliedRequest[]>;
    /** Revert what one request changed, although its files may have changed since. */
    revert(application: string): Promise<EditsAnswer>;

    /** Take a checkpoint of the working tree, unsaved text and all. */
    takeCheckpoint(options?: CheckpointOptions): Promise<RecordedCheckpoint>;
    /** Return the checkpoints, newest first. */
    checkpoints(options?: { session?: string; limit?: number; root?: string }): Promise<RecordedCheckpoint[]>;
    /** Return what has changed since a checkpoint, or from it to another one. */
    changesSince(checkpoint: string, options?: { against?: string; root?: string }): Promise<ChangedFile[]>;
    /** Restore a checkpoint. A safety checkpoint is taken first. */
    restoreCheckpoint(request: RestoreRequest): Promise<RestoreAnswer>;
    /** Undo the last restore. */
    undoRestore(options?: { root?: string }): Promise<RestoreAnswer>;

    /** Begin to review what changed since a checkpoint or the last turn of a session, or go on with the review. */
    review(options?: { since?: string; session?: string; uris?: string[] }): Promise<Review>;
    /** Keep or revert a change, or all changes of a file. */
    decide(request: DecisionRequest): Promise<ReviewedChanges>;
    /** Finish a review; its summary is for the model. */
    finishReview(review: string): Promise<FinishedReview>;

    /** Return instructions that tell a model how to write its edits. */
    modelInstructions(format?: InstructionFormat): Promise<string>;

    readonly onDidApplyEdits: Event<EditsAnswer>;
    readonly onDidChangePendingEdits: Event<void>;
    readonly onDidTakeCheckpoint: Event<RecordedCheckpoint>;
    readonly onDidRestore: Event<RestoreAnswer>;
    readonly onDidChangeReview: Event<Review>;
}

/** An error of the server, or of the extension. */
export interface PatchpointError extends Error {
    readonly code: string | undefined;
}

/** Where edits come from: a model's answer, one in a document, or data. Give one of the three. */
export interface EditsRequest {
    text?: string;
    document?: { uri: string; range?: TextRange };
    edits?: EditData[];
    /** The folder that relative paths are resolved against first. */
    baseUri?: string;
    /** The path of the file that code and edits which name none are for. */
    file?: string;
    /** What is held back when an edit does not match; `edit` for that one alone. */
    atomic?: "all" | "file" | "edit";
    minSimilarity?: number;
    minMargin?: number;
    /** The SHA-256 of files as you read them, by path or URI: edits of another file are refused. */
    expected?: Record<string, string>;
}

export interface ApplyOptions {
    /** Take a checkpoint first; the user's setting where it is left out. */
    checkpoint?: boolean;
    /** The chat, and the message in it, that the edits are from. */
    session?: string;
    message?: string;
    /**
     * The person has seen what will be changed: the editor does not ask about edits whose place was found by
     * similarity.
     */
    approved?: boolean;
}

/** One edit as data. Paths are relative to a workspace folder, or absolute. */
export interface EditData {
    uri?: string;
    path?: string;
    operation?: "replace" | "create" | "write" | "delete" | "rename";
    search?: string;
    replace?: string;
    replaceAll?: boolean;
    /** Which occurrence of the search text is meant, from 1. */
    occurrence?: number;
    /** A line, from 1, near the search text. */
    line?: number;
    newPath?: string;
    content?: string;
}

/** Lines and UTF-16 units, from 0; the end is exclusive. */
export interface TextRange {
    start: { line: number; character: number };
    end: { line: number; character: number };
}

export interface EditsAnswer {
    applied: boolean;
    /** Names what was applied, for `revert`. */
    application: string | null;
    edits: EditOutcome[];
    files: ChangedFile[];
    /** Taken before the edits were applied. */
    checkpoint: RecordedCheckpoint | null;
}

export interface EditOutcome {
    id: string;
    /** Position of the edit in its request, from 0. */
    index: number;
    uri: string;
    status:
        | "applied"
        | "reverted"
        | "matched"
        | "alreadyApplied"
        | "proposed"
        | "ambiguous"
        | "notFound"
        | "conflict"
        | "rejected"
        | "malformed"
        | "held";
    /** Why, where the status alone does not say it. */
    code: string | null;
    /** 0 to 1. */
    similarity: number | null;
    /** The place in the text before, and in the text after. */
    range: TextRange | null;
    newRange: TextRange | null;
    candidates: { range: TextRange; similarity: number; preview: string; where: string }[];
    /** For a person. */
    message: string;
    /** Plain text for a model. */
    feedback: string;
}

export interface ChangedFile {
    uri: string;
    operation: "create" | "update" | "delete" | "rename";
    newUri: string | null;
    /** Unified, with three lines of context. */
    diff: string;
    /** Of the bytes after, for `expected` of the next request; null of a file that is deleted. */
    newSha256: string | null;
}

export interface AppliedRequest {
    id: string;
    /** ISO 8601 in UTC. */
    createdAt: string;
    source: string | null;
    session: string | null;
    message: string | null;
    edits: string[];
    files: string[];
    revertedAt: string | null;
    /** The application that this one reverted. */
    reverts: string | null;
}

export interface CheckpointOptions {
    label?: string;
    /** The chat that the checkpoint belongs to, and the message in it that the checkpoint precedes. */
    session?: string;
    message?: string;
    /** The URI or path of the folder; needed where several are open. */
    root?: string;
}

export interface RecordedCheckpoint {
    id: string;
    commit: string;
    label: string | null;
    session: string | null;
    message: string | null;
    /** ISO 8601 in UTC. */
    createdAt: string;
    /** Absolute path of the working tree. */
    root: string;
    files: number;
    pinned: boolean;
    kind: "manual" | "beforeApply" | "run" | "afterRun" | "step" | "afterStep" | "safety";
}

export interface RestoreRequest {
    /** The id of the checkpoint; or the chat and the message that it precedes. */
    checkpoint?: string;
    session?: string;
    message?: string;
    /** Restore these files and folders alone. */
    uris?: string[];
    /** Change nothing; return what would be done. */
    dryRun?: boolean;
    /** Restore although another branch is checked out, or the branch was rewritten. */
    force?: boolean;
    root?: string;
}

export interface RestoreAnswer {
    checkpoint: string;
    /** The checkpoint of the state before. */
    safety: string | null;
    written: string[];
    deleted: string[];
    /** Ids of later checkpoints of the session, which the restore removed. */
    dropped: string[];
    /** The open documents that are unsaved after it, with their texts. */
    unsaved: { uri: string; text: string }[];
}

export interface Review {
    review: string;
    /** The id of the checkpoint. */
    since: string;
    finished: boolean;
    kept: number;
    takenBack: number;
    open: number;
    files: ReviewedChanges[];
}

export interface ReviewedChanges {
    uri: string;
    operation: "create" | "update" | "delete" | "rename";
    oldUri: string | null;
    /** Whether the file can only be kept or taken back as a whole: then it has one change. */
    whole: boolean;
    hunks: ReviewedHunk[];
}

export interface ReviewedHunk {
    id: string;
    /** The lines now, and those at the checkpoint; null for a file as a whole. */
    range: TextRange | null;
    oldRange: TextRange | null;
    diff: string;
    decision: "keep" | "takeBack" | "open";
}

/** What becomes of a change, or of all changes of the file with that URI. */
export interface DecisionRequest {
    review: string;
    hunk?: string;
    uri?: string;
    decision: "keep" | "takeBack" | "open";
    /** Why, for the summary. */
    reason?: string;
}

export interface FinishedReview {
    kept: number;
    takenBack: number;
    open: number;
    /** Plain text for the model that wrote the changes. */
    summary: string;
}

export type InstructionFormat =
    | "searchReplace"
    | "envelope"
    | "unifiedDiff"
    | "toolCall"
    | "wholeFile"
    | "lazy";
