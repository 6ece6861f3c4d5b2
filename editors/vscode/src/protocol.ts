/** The shapes that the server's commands take and answer, as the protocol page has them. */

export interface Position {
    line: number;
    character: number;
}

export interface Range {
    start: Position;
    end: Position;
}

export type Status =
    | "applied"
    | "matched"
    | "alreadyApplied"
    | "ambiguous"
    | "notFound"
    | "conflict"
    | "rejected"
    | "malformed"
    | "held";

export interface Candidate {
    range: Range;
    similarity: number;
    preview: string;
}

/** What became of one edit. */
export interface Outcome {
    id: string;
    index: number;
    uri: string;
    status: Status;
    rung: string | null;
    similarity: number | null;
    range: Range | null;
    newRange: Range | null;
    candidates: Candidate[];
    message: string;
    feedback: string;
}

/** What became, or would become, of one file. */
export interface FileChange {
    uri: string;
    operation: "create" | "update" | "delete" | "rename";
    newUri?: string | null;
    diff: string;
}

export type CheckpointKind = "manual" | "beforeApply" | "run" | "safety";

export interface Checkpoint {
    id: string;
    label: string | null;
    session: string | null;
    message: string | null;
    createdAt: string;
    branch: string | null;
    head: string | null;
    root: string;
    files: number;
    skipped: { path: string; reason: string }[];
    unchanged: boolean;
    kind: CheckpointKind;
}

export interface EditsAnswer {
    applied: boolean;
    application: string | null;
    edits: Outcome[];
    files: FileChange[];
    checkpoint: Checkpoint | null;
}

export interface RestoreAnswer {
    checkpoint: string;
    safety: string | null;
    written: string[];
    deleted: string[];
    head: { from: string | null; to: string | null } | null;
    dropped: string[];
    transcript: { session: string; trimmedAfter: string; messagesRemoved: number } | null;
}

/** Where the edits come from: a model's answer as text, or the blocks in a document. */
export type EditSource = { text: string; baseUri?: string } | { document: { uri: string; range?: Range } };

export type ApplyArguments = EditSource & {
    dryRun?: boolean;
    atomic?: "all" | "file" | "edit";
};

/** Each command by its name: what it takes and what it answers. */
export interface Commands {
    "patchpoint.applyEdits": [ApplyArguments, EditsAnswer];
    "patchpoint.listPendingEdits": [{ uri?: string }, { edits: Outcome[] }];
    "patchpoint.resolveEdit": [{ edit: string; candidate: number; range?: Range }, EditsAnswer];
    "patchpoint.discardEdit": [{ edit: string } | { all: true }, { discarded: string[] }];
    "patchpoint.revertEdits": [{ application: string }, EditsAnswer];
    "patchpoint.takeCheckpoint": [{ label?: string; root?: string }, Checkpoint];
    "patchpoint.listCheckpoints": [{ root?: string; limit?: number }, { checkpoints: Checkpoint[] }];
    "patchpoint.diffCheckpoint": [
        { checkpoint: string; root?: string; uri?: string },
        { files: FileChange[] },
    ];
    "patchpoint.restoreCheckpoint": [
        {
            checkpoint?: string;
            session?: string;
            message?: string;
            uris?: string[];
            dryRun?: boolean;
            force?: boolean;
            root?: string;
        },
        RestoreAnswer,
    ];
    "patchpoint.undoRestore": [{ root?: string }, RestoreAnswer];
    "patchpoint.deleteCheckpoint": [{ checkpoint: string; root?: string }, { deleted: string[] }];
}

export type CommandName = keyof Commands;

/** The stable code that the server gives with a refusal, where `error` is one. */
export function refusalCode(error: unknown): string | undefined {
    const data = (error as { data?: unknown } | null)?.data;
    const code = (data as { code?: unknown } | null)?.code;
    return typeof code === "string" ? code : undefined;
}

/** What to tell a person about `error`. */
export function reason(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
