// Files and folders of the Explorer and checkpoints: one file compared, one folder restored, two checkpoints compared, keys.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "work");
mkdirSync(folder);
const project = new Project(folder);
const original = project.everything().files;

let editor;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder);
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);

async function takeCheckpoint(label, number) {
    await editor.press("Control+Alt+p");
    await editor.press("c");
    await editor.page.locator(".quick-input-widget", { hasText: "A label to find it by" }).waitFor();
    await editor.answer(label);
    await until("it is taken", () => project.checkpoints() === number);
}

step("keys take a checkpoint", async () => {
    await editor.openFile("cart.py");
    const status = editor.page.locator('[id="status.languageStatus"]');
    await until("the server runs", async () => /Patchpoint \d/.test(await status.getAttribute("aria-label")));
    await takeCheckpoint("as it was", 1);
    project.write("README.md", "# Shop\n\nRewritten.\n");
    project.write("shop/cart.py", "def total(items):\n    return 42\n");
    project.write("shop/added.py", "RATE = 1\n");
    await takeCheckpoint("as it became", 2);
});

step("what changed between two checkpoints is shown, whatever the files are now", async () => {
    project.write("shop/cart.py", "# something else\n");
    const before = project.everything();
    await editor.chooseFrom(() => editor.command("Patchpoint: Compare Two Checkpoints"), "as it became");
    await editor.choose("as it was");
    const shown = editor.page.locator(".multiDiffEntry");
    await shown.filter({ hasText: "return 42" }).first().waitFor();
    await editor.page.locator(".tab.active", { hasText: "“as it was” ↔ “as it became”" }).waitFor();
    await until("all that differ are there", async () => (await shown.count()) === 3);
    assert.equal(await shown.filter({ hasText: "something else" }).count(), 0);
    assert.deepEqual(project.everything(), before);
    await editor.command("View: Close Editor");
});

step("a file of the Explorer is compared with a checkpoint", async () => {
    await editor.command("View: Show Explorer");
    await editor.chooseFrom(() => editor.rowMenu("README.md", "Compare with Checkpoint"), "as it was");
    await editor.page.locator(".monaco-diff-editor .original .view-line", { hasText: "A shop for cloth." }).waitFor();
    await editor.page.locator(".monaco-diff-editor .modified .view-line", { hasText: "Rewritten." }).waitFor();
});

step("a folder of the Explorer is restored, and nothing outside of it", async () => {
    await editor.chooseFrom(() => editor.rowMenu("shop", "Restore from Checkpoint"), "as it was");
    await editor.dialog().filter({ hasText: "Restore shop as it was at “as it was”?" }).waitFor();
    await editor.dialogButton("Restore");
    await until("what was added is gone", () => project.everything().files["shop/added.py"] === undefined);
    await editor.status().filter({ hasText: "Restored" }).waitFor();
    const { files } = project.everything();
    assert.equal(files["README.md"], "644 # Shop\n\nRewritten.\n");
    assert.deepEqual({ ...files, "README.md": "" }, { ...original, "README.md": "" });
});
