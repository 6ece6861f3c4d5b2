/** An extension that uses what Patchpoint exports, and writes down what it got. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Patchpoint, PatchpointError } from "../../../../editors/vscode/patchpoint.d.ts";

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

export function activate(context: vscode.ExtensionContext): void {
    context.subscriptions.push(vscode.commands.registerCommand("example.run", run));
}

async function run(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    const result = await use(folder).catch((error) => ({ failed: String(error?.stack ?? error) }));
    mkdirSync(join(folder, "build"), { recursive: true });
    writeFileSync(join(folder, "build", "example.json"), JSON.stringify(result, undefined, 2));
    await vscode.window.showInformationMessage("The example is done.");
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
