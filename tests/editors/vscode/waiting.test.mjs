// Edits that wait, in the order in which a person meets them: in the view, at the cursor, in the list of places. What
// nobody can know to be meant is previewed first, and nothing invites to apply it at once.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const DATA = join(import.meta.dirname, "..", "..", "data", "waiting");
const LEDGER = readFileSync(join(DATA, "ledger.txt"), "utf8");
/** Of its edits one fits, one fits twice, one resembles a place, and one resembles none. */
const ANSWER = readFileSync(join(DATA, "answer.md"), "utf8");

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "ledger");
mkdirSync(folder);
const project = new Project(folder, { "ledger.py": LEDGER });

let editor;

before(async () => {
    const settings = { "patchpoint.preview.beforeApply": "never", "patchpoint.apply.atomic": "edit" };
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder, { settings });
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);

/** The labels of the buttons of a row, which appear under the mouse. */
async function buttons(text) {
    const labels = editor.row(text).locator(".action-label");
    return until(`the buttons of ${text}`, async () => {
        await editor.row(text).hover();
        const found = await labels.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
        return found.length > 0 && found;
    });
}

/** The titles in the menu at a line, which is closed again. */
async function menuAt(line) {
    await editor.openFile("ledger.py");
    await editor.press("Control+g");
    await editor.answer(`:${line}`);
    const rows = editor.page.locator(".action-widget .monaco-list-row.action");
    return until(`the menu at line ${line}`, async () => {
        await editor.press("Escape");
        await editor.press("Control+.");
        await rows.first().waitFor({ timeout: 5_000 });
        const titles = await rows.allInnerTexts();
        await editor.press("Escape");
        return titles.some((title) => title.includes("candidate")) && titles;
    });
}

step("the view names the definitions of places, and has no button for one that is only similar", async () => {
    await editor.openFile("ledger.py");
    await editor.copy(ANSWER);
    await editor.command("Patchpoint: Apply Edits from Clipboard");
    await editor.notification("1 ambiguous, 2 not found").waitFor();
    await editor.command("Notifications: Clear All Notifications");
    await editor.command("Patchpoint: Show Checkpoints");
    await editor.row("Line 3").filter({ hasText: "in Cart > total" }).waitFor();
    await editor.row("Line 9").filter({ hasText: "in Order > total" }).waitFor();
    await editor.row("Line 13").filter({ hasText: "33 % similar" }).waitFor();
    // It is the fourth of the answer, and has no place that resembles it.
    await editor.row("ledger.py (edit 4)").waitFor();
    assert.equal(await editor.page.locator(".part.sidebar .monaco-list-row", { hasText: /^Line \d/ }).count(), 3);
    assert.deepEqual(await buttons("Line 9"), ["Apply at This Place"]);
    assert.deepEqual(await buttons("Line 13"), ["Compare with What the Model Wants"]);
});

step("at the cursor its own place comes first, and what is only similar is compared first", async () => {
    const [first] = await menuAt(3);
    assert.equal(first, "Apply the edit at candidate 1 (line 3, in Cart > total)");
    const [second] = await menuAt(9);
    assert.equal(second, "Apply the edit at candidate 2 (line 9, in Order > total)");
    const [compare, look] = await menuAt(13);
    assert.equal(compare, "Compare what the model quoted with what the file has and what the model wants");
    assert.equal(look, "Preview the edit at candidate 1 (line 13, 33 % similar)…");
});

/** The text of the file once it is saved, and is as it should be. */
async function saved(what, isThere) {
    await editor.openFile("ledger.py");
    await editor.press("Control+s");
    return until(`${what} is saved`, () => isThere(project.read("ledger.py")) && project.read("ledger.py"));
}

const removed = (text) =>
    editor.page.locator(".original-in-monaco-diff-editor .view-line, .view-zones .view-line, .inline-deleted-text", {
        hasText: text,
    });
const added = (text) => editor.page.locator(".modified-in-monaco-diff-editor .view-line", { hasText: text });
const preview = () => editor.page.locator(".tab.active", { hasText: "Patchpoint preview" });
const questions = () => editor.page.locator(".notifications-toasts .monaco-button").count();

step("what is only similar is previewed with a check mark: what goes on the left, and no question", async () => {
    await editor.rowButton("Line 13", "Compare with What the Model Wants", () => preview().isVisible());
    await removed("if weight <= 0:").first().waitFor();
    await added("if weight < 0:").first().waitFor();
    await editor.status("patchpoint.preview").filter({ hasText: "Apply 1 edit" }).waitFor();
    await editor.page.locator('.editor-actions .action-label[aria-label^="Put It Here"]').waitFor();
    assert.equal(await questions(), 0);
    await editor.page.locator('.editor-actions .action-label[aria-label^="Discard"]').click();
    await preview().waitFor({ state: "detached" });
    assert.equal(project.read("ledger.py"), LEDGER);
});

step("an edit in the list of places of one that was not found is previewed, too", async () => {
    await editor.chooseFrom(() => editor.command("Patchpoint: Choose Where a Pending Edit Goes"), "ledger.py:13");
    const rows = editor.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "Line 13" }).waitFor();
    assert.equal(await rows.count(), 1);
    await editor.press("Enter");
    await preview().waitFor();
    await added("if weight < 0:").first().waitFor();
});

step("the edit is put at another place from the left of its preview, and applied there by the check mark", async () => {
    const line = editor.page.locator(".original-in-monaco-diff-editor .view-line", { hasText: "class Order:" });
    await line.click();
    await editor.page.locator('.editor-actions .action-label[aria-label^="Put It Here"]').click();
    await until("the edit is above the class", async () => {
        const all = await editor.page.locator(".modified-in-monaco-diff-editor .view-line").allInnerTexts();
        const texts = all.map((text) => text.replaceAll("\u00a0", " "));
        const at = texts.indexOf("class Order:");
        return at > 0 && texts[at - 1] === "    send(cost)";
    });
    await editor.status("patchpoint.preview").click();
    await editor.notification("Applied 1 edit").waitFor();
    const text = await saved("class Order", (all) => / {4}send\(cost\)\nclass Order:/.test(all));
    assert.match(text, /if weight <= 0:/);
    await editor.command("Notifications: Clear All Notifications");
});

/** Check the box of a place in the view of the preview. */
async function choosePlace(text) {
    const box = editor.page.locator(".custom-view-tree-node-item-checkbox");
    await editor.row(text).filter({ has: box }).locator(box).click();
}

step("an edit that fits twice is decided about in the preview of its answer", async () => {
    const [, twice] = ANSWER.split("\n\n");
    const [first] = ANSWER.split("\n\n");
    await editor.copy(
        `${twice.replaceAll("fee", "toll")}\n\n${first.replaceAll("distance", "distance, zone").replace("zone, zone", "zone, tax")}`,
    );
    await editor.command("Patchpoint: Preview Edits from Clipboard");
    await preview().waitFor();
    await editor.page.locator('.editor-actions .action-label[aria-label^="Choose What to Apply"]').click();
    await choosePlace("in Order > total");
    await added("self.base + self.toll").first().waitFor();
    assert.equal((await removed("amount = self.base").count()) > 0, true);
    await editor.status("patchpoint.preview").click();
    await editor.notification("Applied").waitFor();
    await saved("the toll", (all) => /class Order:\n.*\n {8}amount = self.base \+ self.toll/.test(all));
});

step("so it is in the preview of an answer in which nothing else is to be seen", async () => {
    await editor.command("Notifications: Clear All Notifications");
    await editor.copy(
        ANSWER.split("\n\n")[1].replaceAll("fee", "levy").replaceAll("amount = self.base", "return amount * rate"),
    );
    await editor.command("Patchpoint: Preview Edits from Clipboard");
    await choosePlace("in Cart > total");
    await preview().waitFor();
    await added("return amount * rate + self.levy").first().waitFor();
    await editor.status("patchpoint.preview").click();
    await editor.notification("Applied").waitFor();
    await saved("the levy", (all) => /class Cart:\n.*\n.*\n {8}return amount \* rate \+ self.levy/.test(all));
});
