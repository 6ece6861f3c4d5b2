// A project that was copied, and one that was moved: their checkpoints restore what is open, and nothing else.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const CART = "shop/cart.py";
const BY_THE_AGENT = "def total(items):\n    return 42\n";
const MY_OWN = "# what is mine, in the project that is not open\n";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-")));
const workspace = join(folder, "both.code-workspace");

/** A project with a checkpoint of that name, and what an agent has written since. */
function changed(name, label) {
    mkdirSync(join(folder, name));
    const project = new Project(join(folder, name));
    const env = { ...process.env, XDG_STATE_HOME: join(folder, "state") };
    const options = { cwd: project.folder, env, stdio: "pipe" };
    execFileSync(process.env.PATCHPOINT_PYTHON, ["-m", "patchpoint", "checkpoint", label], options);
    project.original = project.read(CART);
    project.write(CART, BY_THE_AGENT);
    return project;
}

const next = changed("next", "of the original");
cpSync(next.folder, join(folder, "front"), { recursive: true, verbatimSymlinks: true });
next.write(CART, MY_OWN);
const untouched = next.everything();
const was = changed("was", "before it was moved");
renameSync(was.folder, join(folder, "is"));

const [front, is] = ["front", "is"].map((name) =>
    Object.assign(Object.create(Project.prototype), { folder: join(folder, name) }),
);

let editor;

before(async () => {
    writeFileSync(workspace, JSON.stringify({ folders: [{ path: front.folder }, { path: is.folder }] }));
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, workspace, { settings: { "git.enabled": false } });
});

after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true, force: true });
});

const step = steps(() => editor);

async function restore(label, project) {
    await editor.chooseFrom(() => editor.command("Patchpoint: Restore Checkpoint"), label);
    await editor
        .dialog()
        .filter({ hasText: `Restore “${label}”?` })
        .waitFor();
    assert.doesNotMatch(await editor.dialog().innerText(), /\/(next|was)\//, "what is not open is not in the plan");
    await editor.dialogButton("Restore");
    await until("it is restored", () => project.read(CART) === next.original);
    await editor.status().filter({ hasText: "Restored" }).waitFor();
}

step("the checkpoints are listed under the folders that are open", async () => {
    await editor.openFile("cart.py");
    await editor.command("Patchpoint: Show Checkpoints");
    await editor.expand("front", "of the original");
    await editor.expand("is", "before it was moved");
    assert.equal(await editor.page.locator(".part.sidebar .monaco-list-row", { hasText: /^(next|was)$/ }).count(), 0);
});

step("Restore in the copy rewrites the copy, and the original is as it was; so is undo", async () => {
    await restore("of the original", front);
    assert.deepEqual(next.everything(), untouched);
    await editor.status().filter({ hasText: "Undo" }).click();
    await until("it is undone", () => front.read(CART) === BY_THE_AGENT);
    assert.deepEqual(next.everything(), untouched);
});

step("Restore in the project that was moved restores it where it is", async () => {
    await restore("before it was moved", is);
    assert.deepEqual(next.everything(), untouched);
});
