import assert from "node:assert/strict";
import { test } from "node:test";
import {
    CannotLaunch,
    foundInterpreters,
    type LaunchSettings,
    launch,
    parseVersion,
    type Run,
} from "../src/server/launch.ts";

const BUNDLED: LaunchSettings = { source: "bundled", interpreter: "", path: "" };
const CARRIED = ["3.10", "3.11", "3.12", "3.13", "3.14"];

/** A machine on which these programs exist, and say this. */
function machine(programs: Record<string, string>): Run {
    return async (command, args) => programs[[command, ...args.filter((arg) => /^-\d/.test(arg))].join(" ")];
}

test("the bundled server runs under the first interpreter that is new enough, isolated from the folder it runs in", async () => {
    const run = machine({ python3: "CPython 3.9.2", "python3.12": "CPython 3.12.4" });
    const found = await launch(BUNDLED, "/extension/bundled", CARRIED, run, "linux");
    assert.equal(found.command, "python3.12");
    assert.deepEqual(found.args, ["-I", "/extension/bundled/start.py", "serve"]);
});

test("on Windows the launcher of Python is asked first", async () => {
    const run = machine({ "py -3": "CPython 3.9.0", "py -3.11": "CPython 3.11.7" });
    const found = await launch(BUNDLED, "C:\\bundled", CARRIED, run, "win32");
    assert.deepEqual([found.command, found.args[0]], ["py", "-3.11"]);
});

test("the interpreter that the settings name is the only one tried", async () => {
    const run = machine({ python3: "CPython 3.12.4", "/opt/python": "CPython 3.11.1" });
    const found = await launch({ ...BUNDLED, interpreter: "/opt/python" }, "/b", CARRIED, run, "linux");
    assert.equal(found.command, "/opt/python");
    await assert.rejects(
        launch({ ...BUNDLED, interpreter: "/missing" }, "/b", CARRIED, run, "linux"),
        /`\/missing`, which `patchpoint.server.interpreter` names, is not CPython 3.10/,
    );
});

test("a Python for which nothing compiled is carried is named in the refusal", async () => {
    const run = machine({ python3: "CPython 3.19.0" });
    await assert.rejects(launch(BUNDLED, "/b", CARRIED, run, "linux"), (error) => {
        assert.ok(error instanceof CannotLaunch);
        assert.match(error.message, /python3 is Python 3\.19\.0/);
        return true;
    });
});

test("the environment's program is used when the settings say so", async () => {
    const run = machine({ patchpoint: "patchpoint 0.1.0", "/opt/patchpoint": "patchpoint 0.1.0" });
    const settings: LaunchSettings = { ...BUNDLED, source: "environment" };
    assert.equal((await launch(settings, "/b", CARRIED, run, "linux")).command, "patchpoint");
    const named = await launch({ ...settings, path: "/opt/patchpoint" }, "/b", CARRIED, run, "linux");
    assert.deepEqual([named.command, named.args], ["/opt/patchpoint", ["serve"]]);
});

test("a missing program of the environment is refused with what to do", async () => {
    const settings: LaunchSettings = { ...BUNDLED, source: "environment" };
    await assert.rejects(launch(settings, "/b", CARRIED, machine({}), "linux"), /pipx install patchpoint/);
});

test("a build without a server says so", async () => {
    await assert.rejects(launch(BUNDLED, "/b", [], machine({}), "linux"), /has no bundled server/);
});

test("only CPython from 3.10 on counts", () => {
    assert.equal(parseVersion("CPython 3.13.0rc1\n")?.text, "3.13.0rc1");
    for (const said of ["CPython 3.9.18", "CPython 2.7.18", "PyPy 3.11.11", "", undefined]) {
        assert.equal(parseVersion(said), undefined);
    }
});

test("the interpreters to choose from are those that can run the server, each once", async () => {
    const run = machine({
        python3: "CPython 3.12.4\n/usr/bin/python3.12",
        python: "PyPy 3.11.11\n/usr/bin/pypy",
        "python3.12": "CPython 3.12.4\n/usr/bin/python3.12",
        "python3.11": "CPython 3.11.1\r\n/opt/my python/python3.11\r\n",
        "python3.10": "CPython 3.10.2",
    });
    assert.deepEqual(await foundInterpreters(["3.11", "3.12"], run, "linux"), [
        { path: "/usr/bin/python3.12", version: "3.12.4" },
        { path: "/opt/my python/python3.11", version: "3.11.1" },
    ]);
    assert.deepEqual(await foundInterpreters(["3.10", "3.13"], run, "linux"), []);
});
