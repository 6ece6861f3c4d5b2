// A review by the keyboard, after an agent changed twelve places in five files, deleted one, created two and renamed one:
// what was removed is seen before it is decided about, and no decision takes more than two keys.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder);

const GUARD = "    if line == 20:\n        raise ValueError(line)\n";
/** Forty lines, of which those are changed, and one is another text. */
const lines = (changed = [], at = -1, other = "") =>
    Array.from({ length: 40 }, (_, line) =>
        line === at ? other : changed.includes(line) ? "    changed()\n" : `    step(${line})\n`,
    ).join("");
const FILES = {
    "a.py": [`def a():\n${lines()}`, `def a():\n${lines([5, 20, 35])}`],
    "b.py": [`def b(line):\n${lines([], 20, GUARD)}`, `def b(line):\n${lines([5, 35], 20)}`],
    "c.py": [`def c():\n${lines()}`, `def c():\n${lines([1, 31])}`],
    "d.py": [`def d():\n${lines()}`, `def d():\n${lines([1, 31])}`],
    "e.py": [`def e():\n${lines()}`, `def e():\n${lines([1, 31])}`],
};
for (const [name, [text]] of Object.entries(FILES)) {
    project.write(name, text);
}
project.write("gone.py", "def gone():\n    return 0\n");
project.write("old_name.py", "def named():\n    return 1\n");
project.git("add", ".");
project.git("commit", "-q", "-m", "More files");

function theAgentWrites() {
    for (const [name, [, text]] of Object.entries(FILES)) {
        project.write(name, text);
    }
    rmSync(join(folder, "gone.py"));
    renameSync(join(folder, "old_name.py"), join(folder, "new_name.py"));
    project.write("fresh.py", "FRESH = 1\n");
    project.write("other.py", "OTHER = 1\n");
}

let editor;
let keys = 0;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder);
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);
const side = (name, text) => editor.page.locator(`.monaco-diff-editor .${name} .view-line`, { hasText: text }).first();
const shows = (name) => editor.page.locator(".tab.active", { hasText: `${name} (since “before the agent”)` }).waitFor();
const chosen = (text) => editor.page.locator(".part.sidebar .monaco-list-row.selected", { hasText: text }).waitFor();

const left = (number) =>
    editor
        .status("patchpoint.review")
        .filter({ hasText: number === 0 ? "Finish the review" : `${number} to review` })
        .waitFor();

async function press(key) {
    keys += 1;
    await editor.press(key);
}

/** Revert what is shown, without a reason. */
async function revert(key) {
    await press(key);
    await editor.page.locator(".quick-input-widget", { hasText: "Why revert it?" }).waitFor();
    await press("Enter");
}

step("a review begins with what is lost most easily: the file that is gone, with what it was", async () => {
    await editor.openFile("a.py");
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer("before the agent");
    await until("the checkpoint is taken", () => project.checkpoints() === 1);
    theAgentWrites();
    await editor.command("Patchpoint: Review Changes…");
    await editor.entry("Since the newest checkpoint").waitFor();
    await editor.choose("before the agent");
    await left(16);
    await shows("gone.py");
    await side("original", "def gone").waitFor();
    await chosen("gone.py");
});

step("single keys in the tree decide and go on; the lines that an agent removed are seen before", async () => {
    await revert("r");
    await until("it is there again", () => project.read("gone.py") === "def gone():\n    return 0\n");
    await shows("b.py");
    await chosen("7: changed()");
    await press("a");
    await left(14);
    await chosen("− if line == 20:");
    await side("original", "raise ValueError").waitFor();
    assert.equal(await side("modified", "raise ValueError").count(), 0, "it is gone from the file");
    await revert("r");
    await side("modified", "raise ValueError").waitFor();
    await left(13);
    await chosen("38: changed()");
    await press("y");
    await left(12);
    await shows("a.py");
    await chosen("7: changed()");
});

step("j and k look at other changes, and e goes on writing at one", async () => {
    await editor.press("j");
    await chosen("22: changed()");
    await editor.press("k");
    await chosen("7: changed()");
    await editor.press("e");
    await editor.page.locator(".tab.active", { hasText: /^a\.py$/ }).waitFor();
    await until("the cursor is there", async () => (await editor.position()).startsWith("Ln 7,"));
});

step("the gutter shows the lines as they were, and its peek keeps and reverts", async () => {
    await editor.page.locator(".editor-group-container.active .dirty-diff-modified").first().waitFor();
    const peek = editor.page.locator(".peekview-widget");
    await until("the peek is open", async () => {
        await editor.press("Alt+F3");
        await peek.waitFor({ timeout: 5_000 });
        return true;
    });
    await peek.locator(".head", { hasText: "Patchpoint Review" }).waitFor();
    await peek.locator(".view-line", { hasText: "step(5)" }).first().waitFor();
    await peek.locator('.action-label[aria-label^="Keep Change"]').click();
    await left(11);
    await until("the row says so", async () => (await editor.row("a.py").innerText()).includes("1 kept"));
    await editor.press("Escape");
});

step("two keys in the editor do the same, in the difference of all files, too", async () => {
    await editor.command("Patchpoint: Open All Changes of the Review");
    await editor.page.locator(".tab.active", { hasText: "Since “before the agent”" }).waitFor();
    await side("modified", "changed()").waitFor();
    const second = editor.page.locator(".monaco-diff-editor .modified .view-line", { hasText: "changed()" }).nth(3);
    await second.click();
    await chosen("22: changed()");
    await press("Alt+k");
    await left(10);
    await chosen("37: changed()");
    await revert("Alt+Shift+k");
    await left(9);
    // The next change is in another file, and the focus stays where it is.
    await chosen("3: changed()");
    for (let open = 8; open >= 3; open -= 1) {
        await press("Alt+k");
        await left(open);
    }
});

/** Press a button of a file in the group of the review, which is below those of git. */
async function button(name, label) {
    const row = editor.page.locator(".part.sidebar .monaco-list-row", { hasText: name }).last();
    await until(`${label} of ${name} is pressed`, async () => {
        await row.hover();
        await row.locator(`.action-label[aria-label^="${label}"]`).click({ timeout: 3_000 });
        return true;
    });
}

step("a file as a whole is decided about in source control, where it has its group", async () => {
    // Git's changes are above.
    await editor.resize({ width: 1360, height: 1200 });
    await editor.press("Control+Shift+g");
    const group = editor.row("To Review");
    await group.waitFor();
    await group.locator(".monaco-count-badge", { hasText: "3" }).waitFor();
    await button("fresh.py", "Keep Change");
    await left(2);
    await editor.row("Kept").waitFor();
    await button("other.py", "Revert Change");
    await editor.page.locator(".quick-input-widget", { hasText: "other.py, for the summary" }).waitFor();
    await editor.answer("");
    await left(1);
    await until("it is gone", () => !project.everything().files["other.py"]);
    await editor.command("Patchpoint: Next Change to Review");
    await side("modified", "def named").click();
    await press("Alt+k");
    await left(0);
});

step("the status bar ends the review, and no decision took more than two keys", async () => {
    await editor.copy("");
    await editor.status("patchpoint.review").click();
    await editor.dialog().waitFor();
    await editor.dialogButton("Save and Finish");
    const summary = await until("the summary is copied", async () => (await editor.paste()) || false);
    assert.match(summary, /kept 12, reverted 4/);
    assert.equal(project.read("b.py").includes(GUARD), true);
    assert.ok(keys <= 2 * 13, `${keys} keys for 13 changes`);
    console.log(`${keys} keys for 13 of 16 changes, which were decided by keys`);
    assert.equal(await editor.row("To Review").count(), 0, "source control has it no longer");
});

function hook(event) {
    const input = JSON.stringify({ hook_event_name: event, session_id: "one", prompt: "Say hello", cwd: folder });
    const start = join(editor.extension, "bundled", "start.py");
    execFileSync("python3", ["-I", start, "hook", "claude"], { cwd: folder, input });
}

step("when an agent's turn ends, the status bar offers to review it, by its prompt", async () => {
    hook("UserPromptSubmit");
    project.write("hello.py", "print('hello')\n");
    await editor.command("Patchpoint: Show Checkpoints");
    await editor.row("Say hello").waitFor();
    assert.equal(await editor.status("patchpoint.review").isVisible(), false, "while the turn goes on");
    hook("Stop");
    await editor.status("patchpoint.review").filter({ hasText: "Review the Turn" }).click();
    await left(1);
    await editor.page.locator(".tab.active", { hasText: "Say hello" }).waitFor();
    await side("modified", "hello").waitFor();
});
