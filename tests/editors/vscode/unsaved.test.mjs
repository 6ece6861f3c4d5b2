// Unsaved text over files that a restore, or its undo, writes: it stays unsaved, and can be saved.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const AT_THE_CHECKPOINT = "# Shop\n\nA shop for cloth.\nNot saved at the checkpoint.";
const BY_THE_AGENT = "# Shop\n\nRewritten by the agent, at some length.\n";

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder);

let editor;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder);
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);

async function type(name, text) {
    await editor.openFile(name);
    await editor.press("Control+End");
    await editor.page.keyboard.type(text);
    await until(`${name} is unsaved`, () => editor.isDirty(name));
}

async function save(name, text, path = "") {
    await editor.openFile(name);
    await until(`${name} is unsaved`, () => editor.isDirty(name));
    await editor.press("Control+s");
    await until("it is saved", async () => {
        assert.equal(await editor.notification("Failed to save").count(), 0, "no conflict");
        return !(await editor.isDirty(name));
    });
    // While it is replaced, it may be missing.
    await until("it is on disk", () => project.read(join(path, name)) === text);
}

async function restore(name, text) {
    await editor.chooseFrom(() => editor.command("Patchpoint: Restore Checkpoint"), "with unsaved text");
    await editor.dialog().waitFor();
    await editor.dialogButton("Restore");
    await until("the buffer follows", async () => (await editor.text()).includes(text));
    await editor.status().filter({ hasText: "Restored" }).waitFor();
    await editor.page.locator(".tab.active", { hasText: name }).waitFor();
}

step("text that was unsaved at the checkpoint is unsaved again after a restore, and can be saved", async () => {
    await type("README.md", "Not saved at the checkpoint.");
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer("with unsaved text");
    await until("the checkpoint is taken", () => project.checkpoints() === 1);
    await editor.openFile("README.md");
    await editor.press("Control+s");
    await until("it is saved", async () => !(await editor.isDirty("README.md")));
    project.write("README.md", BY_THE_AGENT);
    await until("the editor follows", async () => (await editor.text()).includes("Rewritten by the agent"));
    await restore("README.md", "Not saved at the checkpoint.");
    assert.equal(project.read("README.md"), "# Shop\n\nA shop for cloth.\n");
    await save("README.md", AT_THE_CHECKPOINT);
});

step("text that is unsaved when the restore begins is unsaved again after its undo, and can be saved", async () => {
    project.write("shop/prices.py", "# the agent's\n");
    await editor.openFile("prices.py");
    await until("the editor follows", async () => (await editor.text()).includes("# the agent's"));
    await type("prices.py", "# and mine, not saved");
    await restore("prices.py", "def rounded");
    assert.match(project.read("shop/prices.py"), /def rounded/);
    await until("it is saved", async () => !(await editor.isDirty("prices.py")));
    await editor.status().filter({ hasText: "Undo" }).click();
    await editor.status().filter({ hasText: "Undid the restore" }).waitFor();
    assert.equal(project.read("shop/prices.py"), "# the agent's\n");
    await save("prices.py", "# the agent's\n# and mine, not saved", "shop");
});

step("what was unsaved can be taken back by undo in the editor, as far as the file and no further", async () => {
    await editor.press("Control+z");
    await until("the last words are gone", async () => !(await editor.text()).includes("not saved"));
});

step("unsaved text that the restore writes, too, is unsaved again after its undo, and can be saved", async () => {
    const taken = project.checkpoints();
    await editor.openFile("prices.py");
    await editor.press("Control+s");
    await until("prices.py is saved", async () => !(await editor.isDirty("prices.py")));
    const kept = project.read("shop/prices.py");
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer("with the same text");
    await until("the checkpoint is taken", () => project.checkpoints() === taken + 1);
    await editor.press("Control+End");
    await editor.page.keyboard.type("!");
    await until("prices.py is unsaved", () => editor.isDirty("prices.py"));
    project.write("shop/prices.py", "# the agent's again\n");
    await editor.press("Backspace");
    await editor.chooseFrom(() => editor.command("Patchpoint: Restore Checkpoint"), "with the same text");
    await editor.dialog().waitFor();
    await editor.dialogButton("Restore");
    await until("the file is restored", () => project.read("shop/prices.py") === kept);
    await until("it is shown as saved", async () => !(await editor.isDirty("prices.py")));
    await editor.status().filter({ hasText: "Undo" }).click();
    await editor.status().filter({ hasText: "Undid the restore" }).waitFor();
    assert.equal(project.read("shop/prices.py"), "# the agent's again\n");
    await save("prices.py", kept, "shop");
});

const cell = (source) => ({ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: [source] });
const notebook = (...sources) =>
    JSON.stringify({ cells: sources.map(cell), metadata: {}, nbformat: 4, nbformat_minor: 4 }, null, 1);
const ANSWER = [
    "analysis.ipynb",
    "```python",
    "<<<<<<< SEARCH",
    "rate = 5",
    "=======",
    "rate = 7",
    ">>>>>>> REPLACE",
    "```",
    "",
].join("\n");

step("a notebook with an unsaved cell is not written, and is once it is saved", async () => {
    project.write("analysis.ipynb", notebook("rate = 5", "print(1)"));
    const sources = () => JSON.parse(project.read("analysis.ipynb")).cells.map((one) => one.source.join(""));
    await editor.chooseFrom(() => editor.lookFor("Control+p", "analysis.ipynb"), "analysis.ipynb");
    const lines = editor.page.locator(".notebookOverlay .cell .view-line");
    await lines.filter({ hasText: "print(1)" }).click();
    await editor.press("End");
    await editor.page.keyboard.type(" # mine");
    await until("it is unsaved", () => editor.isDirty("analysis.ipynb"));
    await editor.copy(ANSWER);
    await editor.command("Patchpoint: Apply Edits from Clipboard");
    await editor.notification("analysis.ipynb has unsaved changes; save it").waitFor();
    assert.deepEqual(sources(), ["rate = 5", "print(1)"]);
    await editor.command("Notifications: Clear All Notifications");
    await editor.command("File: Save");
    await until("it is saved", () => sources()[1] === "print(1) # mine");
    await editor.command("Patchpoint: Apply Edits from Clipboard");
    await until("it is written", () => sources()[0] === "rate = 7");
    await lines.filter({ hasText: "rate = 7" }).waitFor();
    assert.deepEqual(sources(), ["rate = 7", "print(1) # mine"]);
});
