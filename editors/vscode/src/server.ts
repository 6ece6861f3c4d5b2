/** The server's life: found, started, asked, stopped and started again. */

import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import * as vscode from "vscode";
import {
    CloseAction,
    ErrorAction,
    type ErrorHandler,
    ExecuteCommandRequest,
    LanguageClient,
    type LanguageClientOptions,
    LSPErrorCodes,
    type Middleware,
    ResponseError,
    RevealOutputChannelOn,
    State,
    Trace,
    WorkDoneProgress,
    WorkDoneProgressCancelNotification,
} from "vscode-languageclient/node";
import { CannotLaunch, type Launch, type LaunchSettings, launch, type Source } from "./launch.ts";
import { withLateProgress } from "./progress.ts";
import { type CommandName, type Commands, type EditsAnswer, type RestoreAnswer, reason } from "./protocol.ts";

export const SECTION = "patchpoint";

/** The settings that are this extension's own; the server is not told of them. */
const OWN_SETTINGS = ["server", "preview"];

/** A server that ends of itself is started again, unless it does so this often in this many milliseconds. */
const ENDS = 3;
const IN_A_ROW = 180_000;

/** How long a program may take to say its version, in milliseconds. */
const PROBE_TIMEOUT = 10_000;

export type ServerState =
    | { kind: "stopped" }
    | { kind: "starting" }
    | { kind: "running"; version: string; launched: string }
    | { kind: "failed"; message: string };

export class Server implements vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<ServerState>();
    private readonly edits = new vscode.EventEmitter<EditsAnswer>();
    private readonly pending = new vscode.EventEmitter<void>();
    private readonly taken = new vscode.EventEmitter<void>();
    private readonly restored = new vscode.EventEmitter<RestoreAnswer>();
    private readonly bundle: string;
    private readonly log: vscode.LogOutputChannel;
    private readonly middleware: Middleware;
    private client: LanguageClient | undefined;
    private current: ServerState = { kind: "stopped" };
    private tokens = 0;

    readonly onDidChangeState = this.changed.event;
    readonly onDidApplyEdits = this.edits.event;
    readonly onDidChangePendingEdits = this.pending.event;
    readonly onDidTakeCheckpoint = this.taken.event;
    readonly onDidRestore = this.restored.event;

    constructor(bundle: string, log: vscode.LogOutputChannel, middleware: Middleware) {
        this.bundle = bundle;
        this.log = log;
        this.middleware = middleware;
    }

    get state(): ServerState {
        return this.current;
    }

    /** Start the server. What hinders it becomes the state; it does not throw. */
    async start(): Promise<void> {
        this.become({ kind: "starting" });
        try {
            const launched = await this.choose();
            this.log.info(`Starting ${[launched.command, ...launched.args].join(" ")}`);
            const client = this.connect(launched);
            this.client = client;
            await client.start();
            await client.setTrace(traceSetting());
        } catch (error) {
            this.log.error(reason(error));
            const message =
                error instanceof CannotLaunch ? reason(error) : "The server could not be started.";
            this.become({ kind: "failed", message });
        }
    }

    /** Stop the server and start it again, with the settings as they are now. */
    async restart(): Promise<void> {
        await this.stop();
        await this.start();
    }

    async stop(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        try {
            await client?.dispose();
        } catch (error) {
            this.log.warn(`The server did not stop in order: ${reason(error)}`);
        }
        this.become({ kind: "stopped" });
    }

    /** Follow the trace setting. */
    async followTrace(): Promise<void> {
        await this.client?.setTrace(traceSetting());
    }

    /**
     * Ask the server to carry out a command. What takes long shows its progress under the title, and can be cancelled
     * there; what the person did not ask for has no title.
     *
     * Throws what the server answered as an error.
     */
    async call<Name extends CommandName>(
        name: Name,
        given: Commands[Name][0],
        title?: string,
    ): Promise<Commands[Name][1]> {
        return (await this.execute(name, [given], title)) as Commands[Name][1];
    }

    /** The same for a command whose arguments come from elsewhere: a lens or a code action. */
    async execute(name: string, given: unknown[], title?: string): Promise<unknown> {
        const client = this.client;
        if (client === undefined || !client.isRunning()) {
            throw new Error("The server is not running. See its log, or restart it.");
        }
        return withLateProgress(title, async (report, cancellation) => {
            this.tokens += 1;
            const workDoneToken = `patchpoint.vscode:${this.tokens}`;
            const listening = client.onProgress(WorkDoneProgress.type, workDoneToken, (step) => {
                if (step.kind !== "end") {
                    report(step.message ?? "", step.percentage);
                }
            });
            const cancelling = cancellation.onCancellationRequested(() =>
                client.sendNotification(WorkDoneProgressCancelNotification.type, { token: workDoneToken }),
            );
            try {
                const request = { command: name, arguments: given, workDoneToken };
                return await client.sendRequest(ExecuteCommandRequest.type, request, cancellation);
            } finally {
                listening.dispose();
                cancelling.dispose();
            }
        });
    }

    dispose(): void {
        for (const emitter of [this.changed, this.edits, this.pending, this.taken, this.restored]) {
            emitter.dispose();
        }
    }

    private become(state: ServerState): void {
        this.current = state;
        this.changed.fire(state);
    }

    private async choose(): Promise<Launch> {
        const settings = vscode.workspace.getConfiguration(SECTION);
        const chosen: LaunchSettings = {
            source: settings.get<Source>("server.source", "bundled"),
            interpreter: settings.get("server.interpreter", ""),
            path: settings.get("server.path", ""),
        };
        return launch(chosen, this.bundle, await carriedVersions(this.bundle), run, process.platform);
    }

    private connect(launched: Launch): LanguageClient {
        const options: LanguageClientOptions = {
            documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
            outputChannel: this.log,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            diagnosticCollectionName: SECTION,
            // The answers of commands, of lenses and actions too, are shown by the extension.
            initializationOptions: { showsResults: true },
            initializationFailedHandler: () => false,
            errorHandler: this.errorHandler(),
            middleware: {
                ...this.middleware,
                workspace: { ...this.middleware.workspace, configuration: withoutOwnSettings },
            },
        };
        // It runs in the extension's folder, never in one of the workspace.
        const { command, args } = launched;
        const cwd = dirname(this.bundle);
        const client = new LanguageClient(
            SECTION,
            "Patchpoint",
            { command, args, options: { cwd } },
            options,
        );
        client.onNotification("patchpoint/didApplyEdits", (answer: EditsAnswer) => this.edits.fire(answer));
        client.onNotification("patchpoint/didChangePendingEdits", () => this.pending.fire());
        client.onNotification("patchpoint/didTakeCheckpoint", () => this.taken.fire());
        client.onNotification("patchpoint/didRestoreCheckpoint", (answer: RestoreAnswer) =>
            this.restored.fire(answer),
        );
        client.onDidChangeState(({ newState }) => {
            if (newState === State.Running && this.client === client) {
                this.become({ kind: "running", version: versionOf(client), launched: launched.description });
            }
        });
        return client;
    }

    /** What becomes of a server that ends of itself; the state says it, so the library need not. */
    private errorHandler(): ErrorHandler {
        const ends: number[] = [];
        return {
            error: () => ({ action: ErrorAction.Continue, handled: true }),
            closed: () => {
                ends.push(Date.now());
                const often = ends.filter((end) => Date.now() - end < IN_A_ROW).length >= ENDS;
                if (this.current.kind === "running" && !often) {
                    this.log.warn("The server has ended; it is started again.");
                    this.become({ kind: "starting" });
                    return { action: CloseAction.Restart, handled: true };
                }
                this.become({ kind: "failed", message: "The server has ended unexpectedly." });
                return { action: CloseAction.DoNotRestart, handled: true };
            },
        };
    }
}

/** Whether `error` only says that the person did not want to wait. */
export function isCancellation(error: unknown): boolean {
    return (
        error instanceof vscode.CancellationError ||
        (error instanceof ResponseError &&
            (error.code === LSPErrorCodes.RequestCancelled || error.code === LSPErrorCodes.ServerCancelled))
    );
}

function versionOf(client: LanguageClient): string {
    return client.initializeResult?.serverInfo?.version ?? "";
}

function traceSetting(): Trace {
    return Trace.fromString(vscode.workspace.getConfiguration(SECTION).get("trace", "off"));
}

const withoutOwnSettings: NonNullable<NonNullable<Middleware["workspace"]>["configuration"]> = async (
    params,
    token,
    next,
) => {
    const answers = await next(params, token);
    if (!Array.isArray(answers)) {
        return answers;
    }
    return answers.map((answer) =>
        typeof answer === "object" && answer !== null
            ? Object.fromEntries(Object.entries(answer).filter(([name]) => !OWN_SETTINGS.includes(name)))
            : answer,
    );
};

/** The Python versions for which the bundle has compiled parts, oldest first; none where there is no bundle. */
async function carriedVersions(bundle: string): Promise<string[]> {
    const names = await readdir(bundle).catch(() => []);
    return names
        .map((name) => /^python(\d+\.\d+)$/.exec(name)?.[1])
        .filter((version) => version !== undefined)
        .sort((one, other) => Number(one.split(".")[1]) - Number(other.split(".")[1]));
}

function run(command: string, args: string[]): Promise<string | undefined> {
    return new Promise((resolve) => {
        execFile(command, args, { timeout: PROBE_TIMEOUT, windowsHide: true }, (error, output) =>
            resolve(error === null ? output : undefined),
        );
    });
}
