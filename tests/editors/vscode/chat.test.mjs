// A chat that is kept as a document: a part of it is applied and all of it, what fits twice is placed from a list, and
// the files and the chat go back to one of its messages.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { CHAT, FIRST_EDIT, LATER, PARCEL_AFTER, Project, TIDY } from "./project.mjs";
import { steps } from "./steps.mjs";

const NOWHERE = [
    "shop/shipping.py",
    "<<<<<<< SEARCH",
    "    return WEIGHTS[zone](*surcharges)",
    "=======",
    "    return 0",
    ">>>>>>> REPLACE",
    "",
].join("\n");

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder);
project.write("chat.md", CHAT);
const untouched = project.everything();

let editor;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder);
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);

step("the edits of a selection are shown when that is asked for, and closing the preview discards them", async () => {
    await editor.openFile("chat.md");
    await editor.lens("Ambiguous: 2 places").waitFor();
    await editor.selectLines(...FIRST_EDIT);
    await editor.command("Patchpoint: Preview Edits from Selection");
    await editor.page.locator(".tab.active", { hasText: "prices.py: Patchpoint preview" }).waitFor();
    await editor.status("patchpoint.preview").waitFor();
    await editor.command("View: Close Editor");
    await editor.status("patchpoint.preview").waitFor({ state: "detached" });
    assert.deepEqual(project.everything(), untouched);
    assert.equal(project.checkpoints(), 0);
});

step("applying a selection applies its edits and no other, after a checkpoint", async () => {
    await editor.openFile("chat.md");
    await editor.selectLines(...FIRST_EDIT);
    await editor.command("Patchpoint: Apply Edits from Selection");
    await editor.lens("Applied").waitFor();
    const { files } = project.everything();
    assert.equal(project.read("shop/prices.py"), "def rounded(amount):\n    return round(amount, 3)\n");
    assert.deepEqual({ ...files, "shop/prices.py": "" }, { ...untouched.files, "shop/prices.py": "" });
    assert.equal(project.checkpoints(), 1);
});

step("applying all of the document says what is left, and the feedback for the model is copied", async () => {
    const before = project.everything();
    await editor.copy("");
    await editor.command("Patchpoint: Apply Edits from This Document");
    const notification = editor.notification("Nothing was changed: 1 already there, 1 ambiguous, 1 not found");
    await notification.locator(".monaco-button", { hasText: "Copy Feedback for the Model" }).click();
    const feedback = await until("the feedback is copied", async () => {
        const copied = await editor.paste();
        return copied !== "" && copied;
    });
    assert.match(feedback, /occurs 2 times in shop\/shipping\.py \(lines 5, 11\)[\s\S]*is not in shop\/shipping\.py/);
    assert.deepEqual(project.everything(), before);
    assert.equal(project.checkpoints(), 1);
});

step("pending edits are listed in a view of their own, each with the places where it could go", async () => {
    const before = project.everything();
    await editor.command("Patchpoint: Show Checkpoints");
    await editor.row("1 not found").waitFor();
    await editor.row("shipping.py:5").filter({ hasText: "1 ambiguous" }).waitFor();
    await editor.row("Line 11").click();
    await editor.page.locator(".tab.active", { hasText: "shipping.py" }).waitFor();
    await until("the place is shown", async () => /^Ln 1[12],/.test(await editor.position()));
    await editor.copy("");
    await editor.rowMenu("1 not found", "Copy Feedback for the Model");
    const feedback = await until("the feedback is copied", () => editor.paste());
    assert.match(feedback, /is not in shop\/shipping\.py/);
    assert.doesNotMatch(feedback, /occurs 2 times/);
    assert.deepEqual(project.everything(), before);
    await editor.openFile("shipping.py");
});

step("an edit that fits twice is placed from a list, and the editor shows each place that has the focus", async () => {
    const before = project.everything();
    await editor.chooseFrom(() => editor.command("Patchpoint: Choose Where a Pending Edit Goes"), "1 ambiguous");
    await editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "Line 5" }).waitFor();
    await editor.press("ArrowDown");
    await editor.page.locator(".tab.active", { hasText: "shipping.py" }).waitFor();
    await until("the second place is shown", async () => /^Ln 1[12],/.test(await editor.position()));
    assert.deepEqual(project.everything(), before);
    await editor.press("Enter");
    await until("it is in the buffer", async () => (await editor.text()).trimEnd() === PARCEL_AFTER.trimEnd());
    await editor.press("Control+s");
    await until("it is on disk", () => project.read("shop/shipping.py") === PARCEL_AFTER);
    await editor.command("Notifications: Clear All Notifications");
});

step("an edit that resembles nothing is shown next to its file, and previewed where a person points", async () => {
    const before = project.everything();
    await editor.press("Control+Home");
    const parts = editor.page.locator(".tab", { hasText: "three-sides.md" });
    await editor.quickFix("Compare what the model quoted", () => parts.isVisible());
    await editor.page.locator(".view-line", { hasText: '"theft", "rain")' }).first().waitFor();
    const there = editor.page.locator(".editor-group-container.active");
    await there.locator(".tab.active", { hasText: "shipping.py" }).waitFor();
    await there.locator(".view-line", { hasText: "def parcel" }).click();
    const putHere = there.locator('.editor-actions .action-label[aria-label^="Put It Here"]');
    const preview = there.locator(".tab.active", { hasText: "shipping.py: Patchpoint preview" });
    await putHere.click();
    await preview.waitFor();
    await there.locator(".modified-in-monaco-diff-editor .view-line", { hasText: '"theft", "rain")' }).waitFor();
    assert.equal(await editor.page.locator(".notifications-toasts .monaco-button").count(), 0);
    await there.locator('.editor-actions .action-label[aria-label^="Discard"]').click();
    await preview.waitFor({ state: "detached" });
    assert.deepEqual(project.everything(), before);
    await putHere.click();
    await preview.waitFor();
    await there.locator('.editor-actions .action-label[aria-label^="Apply Previewed Edits"]').click();
    await there.locator(".tab.active.dirty", { hasText: "shipping.py" }).waitFor();
    await editor.press("Control+s");
    const put = `class Insurance:\n    covers = ("loss", "theft", "rain")\n`;
    await until("it is above that line", () => project.read("shop/shipping.py").includes(`${put}def parcel`));
    assert.equal(project.read("shop/shipping.py").replace(put, ""), PARCEL_AFTER);
    await until("it no longer waits", async () => (await editor.row("1 not found").count()) === 0);
    assert.equal(project.checkpoints(), 3);
    await editor.press("Control+z");
    await until("the editor's undo takes it out", async () => !(await editor.text()).includes("Insurance"));
    await editor.press("Control+s");
    await until("it is on disk", () => project.read("shop/shipping.py") === PARCEL_AFTER);
});

step("what is left is discarded from the menu of the status bar", async () => {
    await editor.copy(NOWHERE);
    await editor.command("Patchpoint: Apply Edits from Clipboard");
    await editor.row("1 not found").waitFor();
    await editor.chooseFrom(() => editor.command("Patchpoint: Show Menu"), "Discard all pending edits");
    await editor.status().filter({ hasText: "Discarded" }).waitFor();
    await until("the view is gone", async () => (await editor.row("1 not found").count()) === 0);
    await editor.command("Patchpoint: Choose Where a Pending Edit Goes");
    await editor.status().filter({ hasText: "No pending edits" }).waitFor();
});

let damaged;

step(
    "a lens above a message whose edits were applied goes back: files and chat are as they were before it",
    async () => {
        await editor.openFile("chat.md");
        await editor.press("Control+End");
        await editor.page.keyboard.insertText(LATER);
        await until("what was said later is not saved", () => editor.isDirty("chat.md"));
        project.sufferAnAgent();
        damaged = project.everything();
        await editor.press("Control+Home");
        await editor.lens("Restore to here").click();
        await editor.dialog().waitFor();
        assert.match(await editor.dialog().innerText(), /as they were before this message\?/);
        assert.deepEqual(project.everything(), damaged);
        await editor.dialogButton("Restore");
        await editor.status().filter({ hasText: "Restored" }).waitFor();
        assert.deepEqual(project.everything(), untouched);
        assert.equal(await editor.wholeText(), CHAT);
        await until("the chat is saved", async () => !(await editor.isDirty("chat.md")));
    },
);

step("undoing that brings back what the agent did, and what was said later", async () => {
    await editor.command("Patchpoint: Undo Last Restore");
    await editor.status().filter({ hasText: "Undid the restore" }).waitFor();
    assert.deepEqual(project.everything(), damaged);
    assert.equal(await editor.wholeText(), CHAT + LATER);
    await until("it is not saved, as it was", () => editor.isDirty("chat.md"));
});

step("a chat that was only pasted goes back to a message by losing those after it", async () => {
    await editor.command("File: New Untitled Text File");
    await editor.page.locator(".tab.active", { hasText: "Untitled-1" }).waitFor();
    await editor.page.keyboard.insertText(TIDY);
    await editor.lens(/^Apply$/).click();
    await editor.lens("Applied").waitFor();
    assert.equal(project.read("README.md"), "# Shop\n\nTidied up.\n");
    await editor.press("Control+End");
    await editor.page.keyboard.insertText(LATER);
    await editor.lens("Restore to here").click();
    await editor.dialogButton("Restore");
    await editor.status().filter({ hasText: "Restored" }).waitFor();
    assert.deepEqual(project.everything(), damaged);
    assert.equal((await editor.wholeText()).trimEnd(), TIDY.trimEnd());
});
