/** Let the person choose the Python that runs the bundled server. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import { type FoundInterpreter, foundInterpreters, probed } from "./launch.ts";
import { bundledVersions, run, SECTION } from "./server.ts";

const SETTING = "server.interpreter";

/** The part of the Python extension's exports that is used here. */
interface PythonExtension {
    environments?: {
        getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
        resolveEnvironment(
            path: unknown,
        ): Promise<{ executable: { uri: vscode.Uri | undefined } } | undefined>;
    };
}

type Choice = vscode.QuickPickItem & { path?: string };

/** Offer those that can run the server of `bundle`, and keep the choice in the user's settings. */
export async function chooseInterpreter(bundle: string): Promise<void> {
    const carried = await bundledVersions(bundle);
    const [found, selected] = await Promise.all([
        foundInterpreters(carried, run, process.platform),
        selectedInPythonExtension(carried),
    ]);
    const choices: Choice[] = [
        { label: `$(wand) ${t("The first on the path that is new enough")}`, path: "" },
        ...(selected ? [choice(selected, t("selected in the Python extension"))] : []),
        ...found.map((interpreter) => choice(interpreter, "")),
        { label: `$(folder-opened) ${t("Browse…")}` },
    ];
    const chosen = await vscode.window.showQuickPick(choices, {
        title: t("The Python that runs the server: CPython {0}", carried.join(", ")),
        matchOnDetail: true,
    });
    if (chosen === undefined) {
        return;
    }
    const path = chosen.path ?? (await browse());
    if (path !== undefined) {
        const settings = vscode.workspace.getConfiguration(SECTION);
        if (settings.get(SETTING, "") === path) {
            await vscode.commands.executeCommand("patchpoint.vscode.restart");
        } else {
            // The server is restarted because the setting changes.
            await settings.update(SETTING, path, vscode.ConfigurationTarget.Global);
        }
    }
}

function choice({ path, version }: FoundInterpreter, description: string): Choice {
    return { label: `$(symbol-misc) Python ${version}`, description, detail: path, path };
}

async function browse(): Promise<string | undefined> {
    const chosen = await vscode.window.showOpenDialog({
        title: t("A Python interpreter"),
        openLabel: t("Choose"),
    });
    return chosen?.[0]?.fsPath;
}

/** Return the interpreter that is selected in the Python extension, if it is installed and can run the server. */
async function selectedInPythonExtension(carried: string[]): Promise<FoundInterpreter | undefined> {
    try {
        const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
        const environments = (await extension?.activate())?.environments;
        const active = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
        const executable = (await environments?.resolveEnvironment(active))?.executable.uri?.fsPath;
        return executable === undefined ? undefined : await probed([executable], carried, run);
    } catch {
        return undefined;
    }
}
