/** The entry point: creates the parts of the extension and connects them. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import type { Patchpoint } from "../patchpoint.d.ts";
import { Applying } from "./applying/applying.ts";
import { ConflictMarkers } from "./applying/conflictMarkers.ts";
import { Preview } from "./applying/preview.ts";
import type { PreviewRow } from "./applying/previewView.ts";
import { CheckpointActions } from "./checkpoints/actions.ts";
import { followRestore } from "./checkpoints/buffers.ts";
import { ChangedFiles } from "./checkpoints/changedFiles.ts";
import { OperationActions } from "./checkpoints/operations.ts";
import { type ChangeNode, type CheckpointNode, CheckpointsView, VIEW } from "./checkpoints/view.ts";
import { RefWatchers } from "./checkpoints/watchers.ts";
import { SCHEME, ShownDocuments } from "./differences/documents.ts";
import { exportsOf } from "./exports.ts";
import { speak, t } from "./language.ts";
import { registerMcpServer } from "./models/mcp.ts";
import { registerTools } from "./models/tools.ts";
import { Comparing } from "./pending/compare.ts";
import { atEveryPlace } from "./pending/diagnostics.ts";
import { type PendingEdit, type PendingRow, PendingView } from "./pending/view.ts";
import { Reviewing } from "./review/actions.ts";
import type { Given } from "./review/given.ts";
import type { ChangeRow } from "./review/tree.ts";
import { Sample } from "./sample.ts";
import { reason } from "./server/errors.ts";
import { chooseInterpreter } from "./server/interpreters.ts";
import type {
    AcceptProposal,
    ApplyEdits,
    CompareEdit,
    PlaceEdit,
    ResolveEdit,
    RestoreCheckpoint,
    ReviewHunk,
} from "./server/protocol.ts";
import { isCancellation, SECTION, Server, type ServerState } from "./server/server.ts";
import { Failures } from "./status/failures.ts";
import { showMenu } from "./status/menu.ts";
import { Status } from "./status/status.ts";
import { mayChange, mayRun } from "./trust.ts";
import { isWaiting } from "./wording.ts";

let running: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Patchpoint> {
    speak(vscode.l10n.t);
    const log = vscode.window.createOutputChannel("Patchpoint", { log: true });
    const status = new Status();
    const shown = new ShownDocuments();
    const announce = (line: string, undo?: boolean) => {
        log.info(line);
        status.announce(line, undo);
    };
    const failures = new Failures();
    const sample = new Sample(context);
    const conflictMarkers = new ConflictMarkers(context.workspaceState);
    const bundle = vscode.Uri.joinPath(context.extensionUri, "bundled").fsPath;
    const server = new Server(bundle, log, middleware());
    running = server;
    const view = new CheckpointsView(server);
    const preview = new Preview(server, shown);
    const applying = new Applying(server, preview, announce);
    const comparing = new Comparing(server, applying, preview, announce);
    const pending = new PendingView();
    const reviewing = new Reviewing(server, announce, (id) =>
        view.checkpoints.find((checkpoint) => checkpoint.id === id),
    );
    let following: Promise<unknown> = Promise.resolve();
    const actions = new CheckpointActions(server, view, shown, announce, () => following);
    const operations = new OperationActions(server, announce, () => following);

    /** The middleware that runs the server's commands for lenses and code actions. */
    function middleware(): Middleware {
        return {
            executeCommand: async (command, args) => {
                if (!mayRun(command)) {
                    await mayChange();
                    return undefined;
                }
                const [given] = args;
                switch (command) {
                    case "patchpoint.applyEdits":
                    case "patchpoint.previewEdits":
                        if ((given as ApplyEdits).dryRun === true) {
                            return guarded(() => server.execute(command, args, t("Locating the edits")));
                        }
                        return guarded(() =>
                            applying.apply(
                                given as ApplyEdits,
                                t("No edits found."),
                                command === "patchpoint.previewEdits",
                            ),
                        );
                    case "patchpoint.resolveEdit":
                        return guarded(() => applying.resolve(given as ResolveEdit));
                    case "patchpoint.placeEdit":
                        return guarded(() => applying.place(given as PlaceEdit));
                    case "patchpoint.acceptProposal":
                        return guarded(() => applying.accept(given as AcceptProposal));
                    case "patchpoint.compareEdit":
                        return guarded(() => comparing.show((given as CompareEdit).edit));
                    case "patchpoint.reviewHunk":
                        return guarded(() => reviewing.decideAsAsked(given as ReviewHunk));
                    case "patchpoint.restoreCheckpoint":
                        return guarded(() => actions.restoreAsAsked(given as RestoreCheckpoint));
                    default:
                        return guarded(() => server.execute(command, args, "Patchpoint"));
                }
            },
            provideCodeLenses: async (document, token, next) => {
                const lenses = await next(document, token);
                if (lenses && lenses.length > 0) {
                    void conflictMarkers.notice(document);
                }
                return lenses;
            },
            handleDiagnostics: (uri, diagnostics, next) =>
                next(
                    uri,
                    diagnostics.flatMap((diagnostic) => atEveryPlace(uri, diagnostic)),
                ),
            workspace: {
                handleApplyEdit: (params, next) =>
                    vscode.workspace.isTrusted
                        ? next(applying.asApproved(params), new vscode.CancellationTokenSource().token)
                        : { applied: false, failureReason: t("The workspace is not trusted.") },
            },
        };
    }

    /** Run what the person asked for; an error is logged and shown once. */
    async function guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
        try {
            return await work();
        } catch (error) {
            if (isCancellation(error)) {
                announce(t("Cancelled"));
            } else {
                log.error(reason(error));
                void failures.show(reason(error));
            }
            return undefined;
        }
    }

    async function refreshPending(): Promise<void> {
        if (server.state.kind === "running") {
            const listed = await server.call("patchpoint.listPendingEdits", {}).catch(() => undefined);
            status.setPending(listed?.edits ?? []);
            pending.follow((listed?.edits ?? []).filter(isWaiting));
        }
    }

    function follow(state: ServerState): void {
        status.setServer(state);
        void failures.follow(state);
        if (state.kind === "running" || state.kind === "failed") {
            void view.refresh();
            void refreshPending();
        }
    }

    const commands: Record<string, (...given: never[]) => unknown> = {
        applyFromClipboard: () => applying.fromClipboard(),
        applyFromSelection: () => applying.fromSelection(),
        applyFromDocument: () => applying.fromDocument(),
        previewFromClipboard: () => applying.fromClipboard(true),
        previewFromSelection: () => applying.fromSelection(true),
        previewFromDocument: () => applying.fromDocument(true),
        applyPreview: () => preview.decideNow("apply"),
        discardPreview: () => preview.decideNow("discard"),
        chooseChanges: () => preview.showChoices(),
        openPreviewed: (node?: PreviewRow) => node && preview.open(node),
        discardOrKeep: (node?: PreviewRow) => node && preview.discardOrKeep(node),
        choosePlace: () => applying.choose(),
        takeBackEdits: () => applying.takeBack(),
        discardPending: () => applying.discardAll(),
        resolveHere: (node?: PendingRow) => node && applying.resolveAt(node),
        discardEdit: (node?: PendingEdit) => node && applying.discard(node),
        compareEdit: (node?: PendingRow) =>
            node && comparing.show(node.edit.id, node.kind === "place" ? node.number : undefined),
        putHere: () => comparing.putHere(),
        copyFeedback: (node?: PendingEdit) => applying.copyFeedback(node),
        copyInstructions: () => applying.copyInstructions(),
        reviewChanges: (since?: unknown) => reviewing.begin(since),
        nextChange: () => reviewing.next(),
        openReviewed: (node?: ChangeRow) => node && reviewing.open(node),
        openReview: () => reviewing.openAll(),
        stepInReview: (by?: number) => reviewing.step(by ?? 1),
        keepChange: (...given: Given) => reviewing.decide("keep", ...given),
        takeBackChange: (...given: Given) => reviewing.decide("takeBack", ...given),
        reopenChange: (...given: Given) => reviewing.decide("open", ...given),
        editChange: (...given: Given) => reviewing.edit(...given),
        finishReview: () => reviewing.finish(),
        openSample: () => sample.open(),
        takeCheckpoint: () => actions.take(),
        compareCheckpoint: (node?: CheckpointNode) => actions.compare(node),
        compareCheckpoints: (node?: CheckpointNode) => actions.compareTwo(node),
        comparePath: (uri?: vscode.Uri) => actions.comparePath(uri),
        restorePath: (uri?: vscode.Uri) => actions.restorePath(uri),
        restoreCheckpoint: (node?: CheckpointNode) => actions.restore(node),
        renameCheckpoint: (node?: CheckpointNode) => actions.rename(node),
        pinCheckpoint: (node?: CheckpointNode) => actions.pin(node),
        deleteCheckpoint: (node?: CheckpointNode) => actions.delete(node),
        openChange: (node?: ChangeNode) => node && actions.openChange(node),
        restoreFile: (node?: ChangeNode) => node && actions.restoreFile(node),
        undoRestore: () => actions.undo(),
        undo: () => operations.carryOut("undo"),
        redo: () => operations.carryOut("redo"),
        operations: () => operations.pick(),
        refresh: () => view.refresh(),
        restart: () => server.restart(),
        chooseInterpreter: () => chooseInterpreter(bundle),
        showLog: () => log.show(),
        showCheckpoints: () => vscode.commands.executeCommand(`${VIEW}.focus`),
        showMenu: () => showMenu({ ...status.numbers, reviewing: reviewing.isUnderWay }),
    };
    for (const [name, work] of Object.entries(commands)) {
        context.subscriptions.push(
            vscode.commands.registerCommand(`patchpoint.vscode.${name}`, (...given: never[]) =>
                guarded(async () => work(...given)),
            ),
        );
    }

    const watchers = new RefWatchers(() => view.refreshSoon());
    context.subscriptions.push(
        log,
        status,
        preview,
        shown,
        server,
        view,
        reviewing,
        pending,
        watchers,
        view.show(),
        new ChangedFiles(() => view.filesChanged()),
        vscode.workspace.registerTextDocumentContentProvider(SCHEME, shown),
        registerTools(server, applying, preview),
        registerMcpServer(server, bundle, context.extension),
        server.onDidChangeState(follow),
        server.onDidApplyEdits(() => void refreshPending()),
        server.onDidChangePendingEdits(() => void refreshPending()),
        server.onDidTakeCheckpoint(() => view.refreshSoon()),
        server.onDidChangeReview((review) => void reviewing.follow(review)),
        server.onDidFindFirstChange(({ review, original }) => {
            shown.know(review.files[0]?.originalUri, original);
            void guarded(() => reviewing.first(review));
        }),
        server.onDidRestore((answer) => {
            view.refreshSoon();
            following = guarded(() => followRestore(answer));
        }),
        view.onDidCount((number) => {
            status.setCheckpoints(number);
            void guarded(() => reviewing.turnMayHaveEnded(view.checkpoints));
        }),
        vscode.window.onDidChangeWindowState(({ focused }) => focused && void view.refresh()),
        vscode.workspace.onDidChangeWorkspaceFolders(() => {
            void watchers.watch();
            view.refreshSoon();
        }),
        // The server learns only when it starts whether the workspace is trusted.
        vscode.workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration(`${SECTION}.server`)) {
                void server.restart();
            } else if (change.affectsConfiguration(`${SECTION}.trace`)) {
                void server.followTrace();
            }
        }),
    );
    await Promise.all([server.start(), watchers.watch()]);
    void guarded(() => sample.follow());
    return exportsOf(server, applying, () => following);
}

export async function deactivate(): Promise<void> {
    await running?.stop();
}
