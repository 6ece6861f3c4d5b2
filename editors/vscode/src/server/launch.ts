/** Choose the server program: the bundled one, run by the user's Python, or an installed one. */

import { t } from "../language.ts";

export type Source = "bundled" | "environment";

export interface LaunchSettings {
    source: Source;
    /** The interpreter for the bundled server; if empty, the first on the path that is new enough. */
    interpreter: string;
    /** The `patchpoint` program of the environment. */
    path: string;
}

export interface Launch {
    command: string;
    args: string[];
    /** A description for people. */
    description: string;
}

/** Runs a program to its end; returns its output, or undefined if it cannot be run or fails. */
export type Run = (command: string, args: string[]) => Promise<string | undefined>;

/** There is nothing to launch; the message says what to do. */
export class CannotLaunch extends Error {}

interface Version {
    major: number;
    minor: number;
    text: string;
}

const OLDEST = { major: 3, minor: 10 };
const PRINT_VERSION = "import platform; print(platform.python_implementation(), platform.python_version())";
const PRINT_PATH = "import sys; print(sys.executable)";

/**
 * Return how to start the server.
 *
 * `bundle` is the folder of the bundled server, and `carried` the Python versions (such as `3.12`) that it has compiled
 * packages for. Throws `CannotLaunch` if no program can be used.
 */
export async function launch(
    settings: LaunchSettings,
    bundle: string,
    carried: string[],
    run: Run,
    platform: NodeJS.Platform,
): Promise<Launch> {
    if (settings.source === "environment") {
        return fromEnvironment(settings.path, run);
    }
    if (carried.length === 0) {
        throw new CannotLaunch(
            t(
                "This build of the extension has no bundled server. Install patchpoint (`pipx install patchpoint`) and set `patchpoint.server.source` to `environment`.",
            ),
        );
    }
    const seen: string[] = [];
    for (const [command, ...first] of interpreters(settings.interpreter, platform)) {
        if (command === undefined) {
            continue;
        }
        const version = parseVersion(await run(command, [...first, "-I", "-c", PRINT_VERSION]));
        if (version === undefined) {
            continue;
        }
        if (carried.includes(`${version.major}.${version.minor}`)) {
            return {
                command,
                args: [...first, "-I", joined(bundle, "start.py"), "serve"],
                description: t("bundled, Python {0} ({1})", version.text, [command, ...first].join(" ")),
            };
        }
        seen.push(t("{0} is Python {1}", [command, ...first].join(" "), version.text));
    }
    throw new CannotLaunch(noInterpreter(settings.interpreter, carried, seen));
}

/** Parse the output of `PRINT_VERSION`: CPython only, because the packages are compiled for it. */
export function parseVersion(said: string | undefined): Version | undefined {
    const match = /^CPython (\d+)\.(\d+)\S*$/m.exec(said?.trim() ?? "");
    if (match === null) {
        return undefined;
    }
    const [major, minor] = [Number(match[1]), Number(match[2])];
    const tooOld = major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor);
    return tooOld ? undefined : { major, minor, text: match[0].slice("CPython ".length) };
}

/** An interpreter that can run the bundled server. */
export interface FoundInterpreter {
    path: string;
    version: string;
}

/** Return the interpreters on the path that can run a server with packages for the versions `carried`, each once. */
export async function foundInterpreters(
    carried: string[],
    run: Run,
    platform: NodeJS.Platform,
): Promise<FoundInterpreter[]> {
    const found = await Promise.all(
        interpreters("", platform).map((command) => probed(command, carried, run)),
    );
    const usable = found.filter((interpreter) => interpreter !== undefined);
    return [...new Map(usable.map((interpreter) => [interpreter.path, interpreter])).values()];
}

/** Return what `command` starts, if it can run a server with packages for the versions `carried`. */
export async function probed(
    command: string[],
    carried: string[],
    run: Run,
): Promise<FoundInterpreter | undefined> {
    const [program, ...first] = command;
    const said = program && (await run(program, [...first, "-I", "-c", `${PRINT_VERSION}; ${PRINT_PATH}`]));
    const version = parseVersion(said || undefined);
    const path = said?.trim().split(/\r?\n/)[1];
    return version !== undefined && path && carried.includes(`${version.major}.${version.minor}`)
        ? { path, version: version.text }
        : undefined;
}

async function fromEnvironment(path: string, run: Run): Promise<Launch> {
    const command = path === "" ? "patchpoint" : path;
    const version = (await run(command, ["--version"]))?.trim();
    if (version === undefined) {
        throw new CannotLaunch(
            t(
                "`{0}` cannot be run. Install it (`pipx install patchpoint`), name it in `patchpoint.server.path`, or set `patchpoint.server.source` to `bundled`.",
                command,
            ),
        );
    }
    return { command, args: ["serve"], description: t("environment, {0}", command) };
}

function interpreters(chosen: string, platform: NodeJS.Platform): string[][] {
    if (chosen !== "") {
        return [[chosen]];
    }
    const versions = ["3.14", "3.13", "3.12", "3.11", "3.10"];
    return platform === "win32"
        ? [["py", "-3"], ["python"], ...versions.map((version) => ["py", `-${version}`])]
        : [["python3"], ["python"], ...versions.map((version) => [`python${version}`])];
}

function noInterpreter(chosen: string, carried: string[], seen: string[]): string {
    const wanted = `CPython ${carried.join(", ")}`;
    const found = seen.length > 0 ? ` (${[...new Set(seen)].join("; ")})` : "";
    if (chosen !== "") {
        return t("`{0}`, which `patchpoint.server.interpreter` names, is not {1}{2}.", chosen, wanted, found);
    }
    return t(
        "The server needs {0}, and none was found{1}. Install one, name its interpreter in `patchpoint.server.interpreter`, or set `patchpoint.server.source` to `environment`.",
        wanted,
        found,
    );
}

function joined(folder: string, name: string): string {
    return `${folder.replace(/[\\/]$/, "")}/${name}`;
}
