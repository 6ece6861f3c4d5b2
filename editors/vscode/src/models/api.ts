/**
 * What VS Code has for language models that is newer than the oldest VS Code this extension runs in: tools since 1.95,
 * servers of the Model Context Protocol since 1.101.
 */

import * as vscode from "vscode";

export interface ToolDefinition {
    prepareInvocation?(): { invocationMessage: string };
    invoke(options: { input: object }, cancellation: vscode.CancellationToken): Promise<unknown>;
}

export interface ToolsApi {
    registerTool(name: string, tool: ToolDefinition): vscode.Disposable;
    /** The answer of a tool, as text for the model. */
    answer(text: string): unknown;
}

export interface McpProvider {
    onDidChangeMcpServerDefinitions: vscode.Event<void>;
    provideMcpServerDefinitions(): Promise<unknown[]>;
}

export interface McpApi {
    registerProvider(id: string, provider: McpProvider): vscode.Disposable;
    /** A server that is started by a command, in the folder `cwd`. */
    server(label: string, command: string, args: string[], version: string, cwd: vscode.Uri): unknown;
}

/** What may be there, by the names of the newer versions. */
interface Newer {
    lm?: {
        registerTool?(name: string, tool: ToolDefinition): vscode.Disposable;
        registerMcpServerDefinitionProvider?(id: string, provider: McpProvider): vscode.Disposable;
    };
    LanguageModelToolResult?: new (parts: unknown[]) => unknown;
    LanguageModelTextPart?: new (text: string) => unknown;
    McpStdioServerDefinition?: new (
        label: string,
        command: string,
        args: string[],
        env: Record<string, string>,
        version: string,
    ) => { cwd?: vscode.Uri };
}

const newer = vscode as unknown as Newer;

/** Return what registers tools; undefined where VS Code has none. */
export function toolsApi(): ToolsApi | undefined {
    const { lm, LanguageModelToolResult: Result, LanguageModelTextPart: Part } = newer;
    if (lm?.registerTool === undefined || Result === undefined || Part === undefined) {
        return undefined;
    }
    return {
        registerTool: (name, tool) => lm.registerTool?.(name, tool) as vscode.Disposable,
        answer: (text) => new Result([new Part(text)]),
    };
}

/** Return what registers servers of the Model Context Protocol; undefined where VS Code has none. */
export function mcpApi(): McpApi | undefined {
    const { lm, McpStdioServerDefinition: Definition } = newer;
    if (lm?.registerMcpServerDefinitionProvider === undefined || Definition === undefined) {
        return undefined;
    }
    return {
        registerProvider: (id, provider) =>
            lm.registerMcpServerDefinitionProvider?.(id, provider) as vscode.Disposable,
        server: (label, command, args, version, cwd) =>
            Object.assign(new Definition(label, command, args, {}, version), { cwd }),
    };
}
