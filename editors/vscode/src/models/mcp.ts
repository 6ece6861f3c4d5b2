/**
 * `patchpoint mcp`, offered to the agents that VS Code runs. It needs a package that the server of the extension is
 * without, for it would double the size of the extension: then nothing is offered.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Source } from "../server/launch.ts";
import { SECTION, type Server } from "../server/server.ts";
import { mcpApi } from "./api.ts";

/** As the manifest names it. */
const PROVIDER = "patchpoint.mcp";

/** Register the server, where VS Code has such. It is started as the language server was, which `bundle` may have. */
export function registerMcpServer(
    server: Server,
    bundle: string,
    { extensionUri, packageJSON }: vscode.Extension<unknown>,
): vscode.Disposable {
    const api = mcpApi();
    if (api === undefined) {
        return new vscode.Disposable(() => undefined);
    }
    const changed = new vscode.EventEmitter<void>();
    const provider = {
        onDidChangeMcpServerDefinitions: changed.event,
        provideMcpServerDefinitions: async () => {
            const folders = (vscode.workspace.workspaceFolders ?? []).filter(
                ({ uri }) => uri.scheme === "file",
            );
            const { launched } = server;
            const isThere = isInstalled() || existsSync(join(bundle, "libraries", "mcp"));
            if (launched === undefined || !isThere || !vscode.workspace.isTrusted || folders.length === 0) {
                return [];
            }
            const given = [...launched.args.slice(0, -1), "mcp", ...folders.map(({ uri }) => uri.fsPath)];
            // In the extension's folder: a program is never looked for in one of the workspace.
            return [api.server("Patchpoint", launched.command, given, packageJSON.version, extensionUri)];
        },
    };
    return vscode.Disposable.from(
        changed,
        api.registerProvider(PROVIDER, provider),
        server.onDidChangeState(({ kind }) => kind === "running" && changed.fire()),
        vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    );
}

/** Whether the server is one that the user has installed, who can add the package. */
function isInstalled(): boolean {
    return (
        vscode.workspace.getConfiguration(SECTION).get<Source>("server.source", "bundled") === "environment"
    );
}
