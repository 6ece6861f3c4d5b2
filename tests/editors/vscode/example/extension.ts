/** An extension that uses what Patchpoint exports, and writes down what it got. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Patchpoint, PatchpointError } from "../../../../editors/vscode/patchpoint.d.ts";

const PATIENCE = 60_000;

const EXACT = `shop/prices.py
<<<<<<< SEARCH
    return round(amount, 2)
=======
    return round(amount, 3)
>>>>>>> REPLACE
`;

/** What is quoted occurs twice. */
const AMBIGUOUS = `shop/shipping.py
<<<<<<< SEARCH
    if weight <= 0:
=======
    if weight < 0:
>>>>>>> REPLACE
`;

/** What is quoted is misquoted: a person would see a preview first. */
const DRIFTED = `shop/cart.py
<<<<<<< SEARCH
def total(items):
    """The sum of all items with tax."""
    amount = 0
    for item in items:
        amount += item.price * item.quantity
=======
def total(items, tax):
    """The sum of all items with tax."""
    amount = 0
    for item in items:
        amount += item.price * item.quantity
>>>>>>> REPLACE
`;

/** What is misquoted again, once the other is there. */
const DRIFTED_AGAIN = `shop/cart.py
<<<<<<< SEARCH
def total(items, tax):
    """The sum of all items with tax."""
    amount = 0
    for item in items:
        amount += item.price * item.quantity
=======
def total(items, tax, rebate):
    """The sum of all items with tax."""
    amount = 0
    for item in items:
        amount += item.price * item.quantity
>>>>>>> REPLACE
`;

export function activate(context: vscode.ExtensionContext): void {
    context.subscriptions.push(
        vscode.commands.registerCommand("example.run", () => written("example.json", use)),
        vscode.commands.registerCommand("example.tools", () => written("tools.json", useTools)),
    );
}

/** Write down in a file of the folder what comes of `work`. */
async function written(name: string, work: (folder: string) => Promise<object>): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    const result = await work(folder).catch((error) => ({ failed: String(error?.stack ?? error) }));
    mkdirSync(join(folder, "build"), { recursive: true });
    writeFileSync(join(folder, "build", name), JSON.stringify(result, undefined, 2));
    await vscode.window.showInformationMessage("The example is done.");
}

/** What this VS Code has for language models; the types of the oldest one that the example runs in do not have it. */
interface Models {
    tools: { name: string; description: string; inputSchema?: { properties?: object } }[];
    invokeTool(
        name: string,
        options: { input: object; toolInvocationToken: undefined },
    ): Promise<{ content: { value?: string }[] }>;
}

/** Use the tools as an agent does. */
async function useTools(): Promise<object> {
    const models = vscode.lm as unknown as Models;
    const call = async (name: string, input: object = {}) => {
        try {
            const answer = await models.invokeTool(`patchpoint_${name}`, {
                input,
                toolInvocationToken: undefined,
            });
            return answer.content.map(({ value }) => value ?? "").join("");
        } catch (error) {
            return `failed: ${error instanceof Error ? error.message : error}`;
        }
    };
    const tools = models.tools.filter(({ name }) => name.startsWith("patchpoint_"));
    let others: Models["tools"] = [];
    for (const end = Date.now() + PATIENCE; others.length === 0 && Date.now() < end; ) {
        // The server for agents has been started, and tells of its tools in its own time.
        await new Promise((resolve) => setTimeout(resolve, 50));
        others = models.tools.filter(({ name }) => /^mcp_patchpoint/i.test(name));
    }
    return {
        tools: tools.map(({ name, description, inputSchema }) => ({
            name,
            description,
            parameters: Object.keys(inputSchema?.properties ?? {}),
        })),
        others: others.map(({ name }) => name),
        taken: await call("take_checkpoint", { label: "the tools'" }),
        previewed: await call("preview_edits", { text: EXACT }),
        applied: await call("apply_edits", { text: EXACT }),
        ambiguous: await call("apply_edits", { text: AMBIGUOUS }),
        pending: await call("list_pending_edits"),
        checkpoints: await call("list_checkpoints", { limit: 5 }),
        changed: await call("diff_checkpoint", { checkpoint: "last~1", path: "shop" }),
        misspelt: await call("apply_edits", { txt: EXACT }),
        reviewed: await call("apply_edits", { text: DRIFTED }),
        declined: await call("apply_edits", { text: DRIFTED_AGAIN }),
    };
}

async function use(folder: string): Promise<object> {
    const patchpoint = await vscode.extensions.getExtension<Patchpoint>("patchpoint.patchpoint")?.activate();
    if (patchpoint === undefined) {
        throw new Error("Patchpoint is not installed.");
    }
    await patchpoint.ready();
    const events: string[] = [];
    const listening = vscode.Disposable.from(
        patchpoint.onDidApplyEdits(({ application }) => events.push(`applied ${application !== null}`)),
        patchpoint.onDidChangePendingEdits(() => events.push("pending")),
        patchpoint.onDidTakeCheckpoint(({ label }) => events.push(`checkpoint ${label}`)),
        patchpoint.onDidRestore(({ written }) => events.push(`restored ${written.length}`)),
        patchpoint.onDidChangeReview(({ open }) => events.push(`review ${open}`)),
    );

    const preview = await patchpoint.previewEdits({ text: DRIFTED });
    const dry = await vscode.commands.executeCommand("patchpoint.applyEdits", { text: DRIFTED, dryRun: true });
    const taken = await patchpoint.takeCheckpoint({ label: "the example's" });
    const applied = await patchpoint.applyEdits({ text: EXACT, checkpoint: false });
    const ambiguous = await patchpoint.applyEdits({ text: AMBIGUOUS, checkpoint: false });
    const pending = await patchpoint.pendingEdits();
    const resolved = await patchpoint.resolveEdit(pending[0]?.id ?? "", 2);
    await vscode.workspace.saveAll();
    const changes = await patchpoint.changesSince(taken.id);

    const review = await patchpoint.review({ since: taken.id });
    const decided = [];
    for (const { uri, hunks } of review.files) {
        const decision = uri.endsWith("prices.py") ? "takeBack" : "keep";
        for (const { id } of hunks) {
            decided.push(
                await patchpoint.decide({ review: review.review, hunk: id, decision, reason: "as an example" }),
            );
        }
    }
    const finished = await patchpoint.finishReview(review.review);

    const applications = await patchpoint.applications();
    const reverted = await patchpoint.revert(resolved.application ?? "");
    const foreseen = await patchpoint.restoreCheckpoint({ checkpoint: taken.id, dryRun: true });
    const drifted = await patchpoint.applyEdits({ text: DRIFTED, approved: true });
    await vscode.workspace.saveAll();
    const restored = await patchpoint.restoreCheckpoint({ checkpoint: taken.id });
    const undone = await patchpoint.undoRestore();
    const refused = await patchpoint
        .restoreCheckpoint({ checkpoint: "f".repeat(12) })
        .catch((error: PatchpointError) => ({
            isError: error instanceof Error,
            code: error.code,
            message: error.message,
        }));
    listening.dispose();
    return {
        version: patchpoint.version,
        serverVersion: patchpoint.serverVersion,
        instructions: await patchpoint.modelInstructions("searchReplace"),
        checkpoints: (await patchpoint.checkpoints()).map(({ label }) => label),
        taken,
        dry,
        preview,
        applied,
        ambiguous,
        pending,
        resolved,
        changes,
        review,
        decided,
        finished,
        applications,
        reverted,
        foreseen,
        drifted,
        restored,
        undone,
        refused,
        events,
        folder,
    };
}
