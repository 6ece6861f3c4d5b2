// Where else changes are decided about, after an agent changed twelve places in five files, deleted one, created two and
// renamed one: in the peek of the gutter, in the difference of all files, and in source control.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { BEFORE, prepare, theAgentWrites } from "./changes.mjs";
import { Editor, until } from "./editor.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder);

prepare(project);

let editor;

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

/** Revert what is shown, without a reason. */
async function revert(key) {
    await editor.press(key);
    await editor.page.locator(".quick-input-widget", { hasText: "Why revert it?" }).waitFor();
    await editor.press("Enter");
}

step("a review begins with what is lost most easily: the file that is gone, with what it was", async () => {
    await editor.openFile("a.py");
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer("before the agent");
    await until("the checkpoint is taken", () => project.checkpoints() === 1);
    theAgentWrites(project);
    await until("a.py is read again", async () => (await editor.text()).includes("changed()"));
    await editor.command("Patchpoint: Review Changes…");
    await editor.entry("Since the newest checkpoint").waitFor();
    await editor.choose("before the agent");
    await left(16);
    await shows("gone.py");
    await side("original", "def gone").waitFor();
    await chosen("gone.py");
});

step("j and k look at other changes", async () => {
    await editor.press("j");
    await shows("b.py");
    await chosen("7: changed()");
    await editor.press("k");
    await shows("gone.py");
    await chosen("gone.py");
});

step("the gutter shows the lines as they were, and its peek keeps and reverts", async () => {
    await editor.page.locator(".tab", { hasText: /^a\.py/ }).click();
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
    await left(15);
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
    await editor.press("Alt+k");
    await left(14);
    await chosen("37: changed()");
    await revert("Alt+Shift+k");
    await left(13);
    // The next change is in another file, and the focus stays where it is.
    await chosen("3: changed()");
    for (let open = 12; open >= 7; open -= 1) {
        await editor.press("Alt+k");
        await left(open);
    }
    // Until its row is chosen, the list of the review may come back in front of whatever is opened.
    await chosen("fresh.py");
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

/** Wait until the group of the review is drawn without what is decided: its rows move up then. */
async function listed(count) {
    await left(count);
    await editor
        .row("To Review")
        .locator(".monaco-count-badge", { hasText: `${count}` })
        .waitFor();
}

step("a file as a whole is decided about in source control, where it has its group", async () => {
    // Git's changes are above.
    await editor.resize({ width: 1360, height: 1200 });
    const group = editor.row("To Review");
    await until("source control is in front", async () => {
        // The list of the review may come back in front while its last row is being chosen.
        await editor.press("Control+Shift+g");
        await group.waitFor({ timeout: 5_000 });
        return true;
    });
    await group.locator(".monaco-count-badge", { hasText: "5" }).waitFor();
    await button("b.py", "Keep Change");
    await listed(4);
    await button("fresh.py", "Keep Change");
    await listed(3);
    await editor.row("Kept").waitFor();
    await button("other.py", "Revert Change");
    await editor.page.locator(".quick-input-widget", { hasText: "other.py, for the summary" }).waitFor();
    await editor.answer("");
    await listed(2);
    await until("it is gone", () => !project.everything().files["other.py"]);
    await button("gone.py", "Revert Change");
    await editor.page.locator(".quick-input-widget", { hasText: "gone.py, for the summary" }).waitFor();
    await editor.answer("");
    await left(1);
    await until("it is there again", () => project.read("gone.py") === BEFORE["gone.py"]);
    await editor.command("Patchpoint: Next Change to Review");
    await side("modified", "def named").click();
    await editor.press("Alt+k");
    await left(0);
});

step("the status bar ends the review", async () => {
    await editor.copy("");
    await editor.status("patchpoint.review").click();
    await editor.dialog().waitFor();
    await editor.dialogButton("Save and Finish");
    const summary = await until("the summary is copied", async () => (await editor.paste()) || false);
    assert.match(summary, /kept 13, reverted 3/);
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
