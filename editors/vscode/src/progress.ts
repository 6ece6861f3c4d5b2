/** Progress that a person sees only when there is something to wait for. */

import * as vscode from "vscode";

export type Report = (message: string, percentage?: number) => void;

/** How long work may take before it is shown, in milliseconds. */
const PATIENCE = 700;

/**
 * Do `work`; if it is not done in a moment, show what it reports, with a button to cancel it.
 *
 * Without a title nothing is shown: nobody asked for that work, so nobody waits for it.
 */
export async function withLateProgress<T>(
    title: string | undefined,
    work: (report: Report, cancellation: vscode.CancellationToken) => Promise<T>,
): Promise<T> {
    const source = new vscode.CancellationTokenSource();
    let latest: [string, number | undefined] = ["", undefined];
    let show: Report = () => {};
    const result = work((message, percentage) => {
        latest = [message, percentage];
        show(message, percentage);
    }, source.token);

    const timer = setTimeout(() => {
        if (title === undefined) {
            return;
        }
        void vscode.window.withProgress(
            { location: vscode.ProgressLocation.Notification, title, cancellable: true },
            async (progress, cancelled) => {
                cancelled.onCancellationRequested(() => source.cancel());
                let reached = 0;
                show = (message, percentage = reached) => {
                    progress.report({ message, increment: Math.max(0, percentage - reached) });
                    reached = Math.max(reached, percentage);
                };
                show(...latest);
                await result.catch(() => undefined);
            },
        );
    }, PATIENCE);
    try {
        return await result;
    } finally {
        clearTimeout(timer);
        source.dispose();
    }
}
