/** What the extension offers to others: `patchpoint.d.ts` describes it, and the type checker compares the two. */

import type * as vscode from "vscode";
import type { Patchpoint, PatchpointError } from "../patchpoint.d.ts";
import type { Applying } from "./applying/applying.ts";
import { reason, refusalCode } from "./server/errors.ts";
import type { CommandName, Commands, RestoreResult } from "./server/protocol.ts";
import type { Server } from "./server/server.ts";
import { mayRun } from "./trust.ts";

/**
 * Return the exports; what they do is shown by `applying` to nobody. `followed` returns a promise that resolves once the
 * open editors have followed the last restore.
 */
export function exportsOf(server: Server, applying: Applying, followed: () => Promise<unknown>): Patchpoint {
    /** Return what a restore did, once the open editors show it. */
    async function followedBy(restore: Promise<RestoreResult>): Promise<RestoreResult> {
        const done = await restore;
        await followed();
        return done;
    }

    async function call<Name extends CommandName>(
        name: Name,
        given: Commands[Name][0],
    ): Promise<Commands[Name][1]> {
        if (!mayRun(name) && !("dryRun" in given && given.dryRun === true)) {
            throw failure("The workspace is not trusted, so nothing is changed in it.", "untrusted");
        }
        if (server.state.kind !== "running") {
            throw failure("The server is not running.", "not-running");
        }
        try {
            return await server.call(name, given);
        } catch (error) {
            throw failure(reason(error), refusalCode(error));
        }
    }

    return {
        version: 1,
        get serverVersion() {
            return server.state.kind === "running" ? server.state.version : undefined;
        },
        ready: () => ready(server),

        applyEdits: ({ approved, ...request }) =>
            applying.approving(
                () => approved === true,
                () => call("patchpoint.applyEdits", request),
            ),
        previewEdits: (request) => call("patchpoint.applyEdits", { ...request, dryRun: true }),
        pendingEdits: async (uri) =>
            (await call("patchpoint.listPendingEdits", uri === undefined ? {} : { uri })).edits,
        resolveEdit: (edit, candidate) =>
            applying.approving(
                () => true,
                () => call("patchpoint.resolveEdit", { edit, candidate }),
            ),
        discardEdits: async (edit) =>
            (await call("patchpoint.discardEdit", edit === undefined ? { all: true } : { edit })).discarded,

        applications: async (options = {}) =>
            (await call("patchpoint.listApplications", options)).applications,
        revert: (application) =>
            applying.approving(
                () => true,
                () => call("patchpoint.revertEdits", { application }),
            ),

        takeCheckpoint: async (options = {}) => {
            const taken = await call("patchpoint.takeCheckpoint", options);
            if (taken === null) {
                throw failure("No checkpoint was taken.", undefined);
            }
            return taken;
        },
        checkpoints: async (options = {}) => (await call("patchpoint.listCheckpoints", options)).checkpoints,
        changesSince: async (checkpoint, options = {}) =>
            (await call("patchpoint.diffCheckpoint", { checkpoint, ...options })).files,
        restoreCheckpoint: (request) => followedBy(call("patchpoint.restoreCheckpoint", request)),
        undoRestore: (options = {}) => followedBy(call("patchpoint.undoRestore", options)),

        review: (options = {}) => call("patchpoint.reviewChanges", options),
        decide: (request) => call("patchpoint.reviewHunk", request),
        finishReview: (review) => call("patchpoint.finishReview", { review }),

        modelInstructions: async (format) =>
            (await call("patchpoint.modelInstructions", format === undefined ? {} : { format })).text,

        onDidApplyEdits: server.onDidApplyEdits,
        onDidChangePendingEdits: server.onDidChangePendingEdits,
        onDidTakeCheckpoint: server.onDidTakeCheckpoint,
        onDidRestore: server.onDidRestore,
        onDidChangeReview: server.onDidChangeReview,
    };
}

/** Resolve when the server runs; rejected when it has failed, or is stopped. */
function ready(server: Server): Promise<void> {
    return new Promise((resolve, reject) => {
        let following: vscode.Disposable | undefined;
        const look = () => {
            const { state } = server;
            if (state.kind === "starting") {
                return false;
            }
            if (state.kind === "running") {
                resolve();
            } else {
                const why = state.kind === "failed" ? state.message : "The server is stopped.";
                reject(failure(why, "not-running"));
            }
            following?.dispose();
            return true;
        };
        if (!look()) {
            following = server.onDidChangeState(look);
        }
    });
}

function failure(message: string, code: string | undefined): PatchpointError {
    return Object.assign(new Error(message), { code });
}
