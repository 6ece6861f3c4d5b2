/**
 * The tools that language models have in VS Code: those of `patchpoint mcp`, on the open documents and with the user's
 * settings, and the pending edits. Their names, descriptions and parameters are in the manifest.
 */

import { isAbsolute } from "node:path";
import * as vscode from "vscode";
import type { Applying } from "../applying/applying.ts";
import type { Preview } from "../applying/preview.ts";
import { t } from "../language.ts";
import { reason } from "../server/errors.ts";
import type {
    ApplyEdits,
    Atomic,
    DiffCheckpoint,
    EditsResult,
    ListCheckpoints,
    RevertEdits,
    TakeCheckpoint,
} from "../server/protocol.ts";
import { SECTION, type Server } from "../server/server.ts";
import { isWaiting } from "../wording.ts";
import { toolsApi } from "./api.ts";
import { changesInWords, checkpointsInWords, editsInWords, pendingInWords } from "./words.ts";

/** The names of tools are shared by all extensions. */
const PREFIX = "patchpoint_";

const DECLINED = "The user reviewed the edits and declined: nothing was changed.";
const UNTRUSTED = "The workspace is not trusted, so nothing is changed in it.";

type Invoke = (input: never, cancellation: vscode.CancellationToken) => Promise<string>;

/** Register the tools, where VS Code has any. */
export function registerTools(server: Server, applying: Applying, preview: Preview): vscode.Disposable {
    /** A model may call several at once; a person looks at one preview after the other. */
    let writing: Promise<unknown> = Promise.resolve();

    /** Do what changes files, after whatever does so already. */
    function inTurn(work: () => Promise<string>): Promise<string> {
        if (!vscode.workspace.isTrusted) {
            throw new Error(UNTRUSTED);
        }
        const done = writing.then(work);
        writing = done.catch(() => undefined);
        return done;
    }

    const reading: Record<string, Invoke> = {
        preview_edits: async (input: ApplyEdits) =>
            editsInWords(await server.call("patchpoint.applyEdits", { ...input, dryRun: true }), name),
        list_pending_edits: async () => {
            const { edits } = await server.call("patchpoint.listPendingEdits", {});
            return pendingInWords(edits.filter(isWaiting), name);
        },
        list_checkpoints: async (input: ListCheckpoints) => {
            const { checkpoints } = await server.call("patchpoint.listCheckpoints", input);
            return checkpointsInWords(checkpoints);
        },
        diff_checkpoint: async ({ path, ...input }: DiffCheckpoint & { path?: string }) => {
            const uri = path === undefined ? {} : { uri: fileAt(path, input.root).toString() };
            const { files } = await server.call("patchpoint.diffCheckpoint", { ...input, ...uri });
            return changesInWords(files);
        },
    };
    const changing: Record<string, Invoke> = {
        apply_edits: async (input: ApplyEdits, cancellation) => {
            await preview.decided();
            const listening = cancellation.onCancellationRequested(() => preview.decideNow("discard"));
            try {
                const atomic = input.atomic ?? setting();
                const answer = await applying.apply({ ...input, atomic }, t("No edits found."), false);
                return answer === undefined || isDeclined(answer) ? DECLINED : editsInWords(answer, name);
            } finally {
                listening.dispose();
            }
        },
        accept_proposals: async ({ ids }: { ids: string[] }) => {
            const said: string[] = [];
            for (const proposal of ids) {
                const answer = await applying.approving(
                    () => true,
                    () => server.call("patchpoint.acceptProposal", { proposal }),
                );
                said.push(editsInWords(answer, name));
            }
            return said.join("\n\n");
        },
        revert_edits: async (input: RevertEdits) =>
            editsInWords(
                await applying.approving(
                    () => true,
                    () => server.call("patchpoint.revertEdits", input),
                ),
                name,
            ),
        take_checkpoint: async (input: TakeCheckpoint) => {
            const taken = await server.call("patchpoint.takeCheckpoint", input);
            return checkpointsInWords(taken === null ? [] : [taken]);
        },
    };

    const api = toolsApi();
    if (api === undefined) {
        return new vscode.Disposable(() => undefined);
    }
    const register = (own: string, invoke: Invoke) =>
        api.registerTool(`${PREFIX}${own}`, {
            invoke: async ({ input }, cancellation) => {
                try {
                    return api.answer(await invoke(input as never, cancellation));
                } catch (error) {
                    // The model reads the message alone.
                    throw new Error(reason(error));
                }
            },
        });
    return vscode.Disposable.from(
        ...Object.entries(reading).map(([own, invoke]) => register(own, invoke)),
        ...Object.entries(changing).map(([own, invoke]) =>
            register(own, async (input, cancellation) => inTurn(() => invoke(input, cancellation))),
        ),
    );
}

/** Whether the user looked at what would be applied, and did not want any of it. */
function isDeclined(answer: EditsResult): boolean {
    return !answer.applied && answer.edits.some(({ status }) => status === "matched");
}

function setting(): Atomic {
    return vscode.workspace.getConfiguration(SECTION).get<Atomic>("apply.atomic", "all");
}

function name(uri: string): string {
    return vscode.workspace.asRelativePath(
        vscode.Uri.parse(uri),
        (vscode.workspace.workspaceFolders?.length ?? 0) > 1,
    );
}

/** Return the file or folder that a model calls `path`, in the folder `root` or the first one. */
function fileAt(path: string, root: string | null | undefined): vscode.Uri {
    const folder = root ? vscode.Uri.file(root) : vscode.workspace.workspaceFolders?.[0]?.uri;
    return folder === undefined || isAbsolute(path)
        ? vscode.Uri.file(path)
        : vscode.Uri.joinPath(folder, path);
}
