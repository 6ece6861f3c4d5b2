/** The server process and its client: start, stop, restart and call it. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
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
import { t } from "../language.ts";
import { reason } from "./errors.ts";
import { CannotLaunch, type Launch, type LaunchSettings, launch, type Source } from "./launch.ts";
import { withLateProgress } from "./progress.ts";
import type {
    Checkpoint,
    CommandName,
    Commands,
    EditsResult,
    RestoreResult,
    ReviewResult,
} from "./protocol.ts";

export const SECTION = "patchpoint";

/** The sections of settings that are the extension's own; they are not sent to the server. */
const OWN_SETTINGS = ["server", "preview", "review.start"];

/** A server that exits unexpectedly is started again, unless it does so this often in this many milliseconds. */
const MAX_EXITS = 3;
const EXITS_WITHIN_MS = 180_000;

/** Milliseconds that a program may take to print its version. */
const PROBE_TIMEOUT = 10_000;

export type ServerState =
    | { kind: "stopped" }
    | { kind: "starting" }
    | { kind: "running"; version: string; launched: string }
    | { kind: "failed"; message: string };

/** The first change of a review that begins, and what its file was; null where that has no text. */
export interface FirstChange {
    review: ReviewResult;
    original: string | null;
}

export class Server implements vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<ServerState>();
    private readonly edits = new vscode.EventEmitter<EditsResult>();
    private readonly pending = new vscode.EventEmitter<void>();
    private readonly taken = new vscode.EventEmitter<Checkpoint>();
    private readonly restored = new vscode.EventEmitter<RestoreResult>();
    private readonly reviewed = new vscode.EventEmitter<ReviewResult>();
    private readonly first = new vscode.EventEmitter<FirstChange>();
    private readonly bundle: string;
    private readonly log: vscode.LogOutputChannel;
    private readonly middleware: Middleware;
    private client: LanguageClient | undefined;
    private current: ServerState = { kind: "stopped" };
    private launch: Launch | undefined;
    private tokens = 0;

    readonly onDidChangeState = this.changed.event;
    readonly onDidApplyEdits = this.edits.event;
    readonly onDidChangePendingEdits = this.pending.event;
    readonly onDidTakeCheckpoint = this.taken.event;
    readonly onDidRestore = this.restored.event;
    readonly onDidChangeReview = this.reviewed.event;
    readonly onDidFindFirstChange = this.first.event;

    constructor(bundle: string, log: vscode.LogOutputChannel, middleware: Middleware) {
        this.bundle = bundle;
        this.log = log;
        this.middleware = middleware;
    }

    /** How the server was started last; undefined before that. */
    get launched(): Launch | undefined {
        return this.launch;
    }

    get state(): ServerState {
        return this.current;
    }

    /** Start the server. Does not throw: an error becomes the state. */
    async start(): Promise<void> {
        this.setState({ kind: "starting" });
        try {
            const launched = await this.choose();
            this.launch = launched;
            this.log.info(`Starting ${[launched.command, ...launched.args].join(" ")}`);
            const client = this.connect(launched);
            this.client = client;
            await client.start();
            await client.setTrace(traceSetting());
        } catch (error) {
            this.log.error(reason(error));
            const message =
                error instanceof CannotLaunch ? reason(error) : t("The server could not be started.");
            this.setState({ kind: "failed", message });
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
            this.log.warn(`The server did not stop properly: ${reason(error)}`);
        }
        this.setState({ kind: "stopped" });
    }

    /** Apply the trace setting. */
    async followTrace(): Promise<void> {
        await this.client?.setTrace(traceSetting());
    }

    /**
     * Run a command of the server. If it takes long, its progress is shown under `title`, and can be cancelled there;
     * a command that the person did not ask for has no title.
     *
     * Throws the error of the server's response.
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
            throw new Error(t("The server is not running. See its log, or restart it."));
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
        vscode.Disposable.from(
            this.changed,
            this.edits,
            this.pending,
            this.taken,
            this.restored,
            this.reviewed,
            this.first,
        ).dispose();
    }

    private setState(state: ServerState): void {
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
        return launch(chosen, this.bundle, await bundledVersions(this.bundle), run, process.platform);
    }

    private connect(launched: Launch): LanguageClient {
        const options: LanguageClientOptions = {
            documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
            outputChannel: this.log,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            diagnosticCollectionName: SECTION,
            // The extension shows the results of commands, including those of lenses and code actions. A function,
            // because a server that exited is started again with the same options.
            initializationOptions: () => ({ showsResults: true, trusted: vscode.workspace.isTrusted }),
            initializationFailedHandler: () => false,
            errorHandler: this.errorHandler(),
            middleware: {
                ...this.middleware,
                workspace: { ...this.middleware.workspace, configuration: chosenSettings },
            },
        };
        // The server runs in the extension's folder, never in a workspace folder.
        const { command, args } = launched;
        const cwd = dirname(this.bundle);
        const client = new LanguageClient(
            SECTION,
            "Patchpoint",
            { command, args, options: { cwd } },
            options,
        );
        client.onNotification("patchpoint/didApplyEdits", (answer: EditsResult) => this.edits.fire(answer));
        client.onNotification("patchpoint/didChangePendingEdits", () => this.pending.fire());
        client.onNotification("patchpoint/didTakeCheckpoint", (taken: Checkpoint) => this.taken.fire(taken));
        client.onNotification("patchpoint/didChangeReview", (review: ReviewResult) =>
            this.reviewed.fire(review),
        );
        client.onNotification("patchpoint/didFindFirstChange", (found: FirstChange) =>
            this.first.fire(found),
        );
        client.onNotification("patchpoint/didRestoreCheckpoint", (answer: RestoreResult) =>
            this.restored.fire(answer),
        );
        client.onDidChangeState(({ newState }) => {
            if (newState === State.Running && this.client === client) {
                this.setState({
                    kind: "running",
                    version: versionOf(client),
                    launched: launched.description,
                });
            }
        });
        return client;
    }

    /** Handle a server that exits unexpectedly. The state shows it, so the library must not. */
    private errorHandler(): ErrorHandler {
        const exits: number[] = [];
        return {
            error: () => ({ action: ErrorAction.Continue, handled: true }),
            closed: () => {
                exits.push(Date.now());
                const recent = exits.filter((exit) => Date.now() - exit < EXITS_WITHIN_MS);
                const often = recent.length >= MAX_EXITS;
                if (this.current.kind === "running" && !often) {
                    this.log.warn("The server exited and is being restarted.");
                    this.setState({ kind: "starting" });
                    return { action: CloseAction.Restart, handled: true };
                }
                this.setState({ kind: "failed", message: t("The server exited unexpectedly.") });
                return { action: CloseAction.DoNotRestart, handled: true };
            },
        };
    }
}

/** Whether `error` means that the request was cancelled. */
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

const chosenSettings: NonNullable<NonNullable<Middleware["workspace"]>["configuration"]> = async (
    params,
    token,
    next,
) => {
    const answers = await next(params, token);
    if (!Array.isArray(answers)) {
        return answers;
    }
    return answers.map((answer, at) => {
        if (typeof answer !== "object" || answer === null) {
            return answer;
        }
        const item = params.items[at];
        const scope = item?.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri);
        const settings = vscode.workspace.getConfiguration(item?.section, scope);
        return chosenOf(settings, answer, "");
    });
};

/** Return those of `values` that the person set and that are the server's; a default would override git's configuration in the server. */
function chosenOf(settings: vscode.WorkspaceConfiguration, values: object, prefix: string): object {
    const chosen: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values)) {
        const key = `${prefix}${name}`;
        if (OWN_SETTINGS.includes(key)) {
            continue;
        }
        if (typeof value === "object" && value !== null && !Array.isArray(value)) {
            chosen[name] = chosenOf(settings, value, `${key}.`);
        } else if (isChosen(settings.inspect(key))) {
            chosen[name] = value;
        }
    }
    return chosen;
}

function isChosen(found: ReturnType<vscode.WorkspaceConfiguration["inspect"]>): boolean {
    return (
        found !== undefined &&
        Object.entries(found).some(
            ([name, value]) => name.endsWith("Value") && name !== "defaultValue" && value !== undefined,
        )
    );
}

/** Return the Python versions that the bundle has compiled packages for, oldest first; none without a bundle. */
export async function bundledVersions(bundle: string): Promise<string[]> {
    return readFile(`${bundle}/pythons.json`, "utf8").then(JSON.parse, () => []);
}

/** Run a program to its end; return its output, or undefined if it cannot be run or fails. */
export function run(command: string, args: string[]): Promise<string | undefined> {
    return new Promise((resolve) => {
        execFile(command, args, { timeout: PROBE_TIMEOUT, windowsHide: true }, (error, output) =>
            resolve(error === null ? output : undefined),
        );
    });
}
