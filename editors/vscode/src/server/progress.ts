/** Progress that is shown only for work that takes a while. */

import * as vscode from "vscode";

export type Report = (message: string, percentage?: number) => void;

/** Milliseconds after which the progress of unfinished work is shown. */
const SHOW_AFTER_MS = 700;

/**
 * Run `work`; if it is not done after `SHOW_AFTER_MS`, show what it reports, with a button to cancel it.
 *
 * Work without a title is never shown, because nobody asked for it.
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
    }, SHOW_AFTER_MS);
    try {
        return await result;
    } finally {
        clearTimeout(timer);
        source.dispose();
    }
}
