// What somebody sees who has just installed the extension: its page, the walkthrough, the sample to try, the empty view.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder);
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

/** Wait until there are so many pictures in a part of the window, and all of them are drawn. */
async function drawn(pictures, number) {
    await until(`${number} pictures are drawn`, async () => {
        const widths = await pictures.evaluateAll((found) => found.map(({ naturalWidth }) => naturalWidth));
        return widths.length === number && widths.every((width) => width > 0);
    });
}

step("the extension's own page, which can show no pictures, says where they are", async () => {
    await editor.press("Control+Shift+x");
    await editor.page.locator(".extensions-viewlet .extension-list-item", { hasText: "Patchpoint" }).first().click();
    await editor.page.locator(".tab.active", { hasText: "Extension: Patchpoint" }).waitFor();
    const page = editor.page.frameLocator("iframe.webview").frameLocator("iframe#active-frame");
    await page.getByText("even if the model misquoted the file").waitFor();
    await page.getByText("Pictures are in the walkthrough").waitFor();
    assert.equal(await page.locator("img").count(), 0);
});

step("the walkthrough has a picture for each step, and opens the sample in a window of its own", async () => {
    await editor.chooseFrom(async () => {
        await editor.command("Welcome: Open Walkthrough...");
    }, "Get started with Patchpoint");
    const steps = editor.page.locator(".gettingStartedContainer .getting-started-step");
    await steps.first().waitFor();
    for (const each of await steps.all()) {
        await each.click();
        await drawn(editor.page.locator(".gettingStartedContainer .getting-started-media img"), 1);
    }
    await steps.first().click();
    const opening = editor.page.context().waitForEvent("page");
    await editor.page.getByRole("button", { name: "Open the Sample" }).click();
    const window = await opening;
    await window.locator(".tab.active", { hasText: "answer.md" }).waitFor();
    await window.locator(".codelens-decoration a", { hasText: /^Apply \(/ }).waitFor();
    await window.locator(".codelens-decoration a", { hasText: /^Apply$/ }).waitFor();
    await window.close();
    assert.deepEqual(project.everything(), untouched, "the sample is not in the person's folder");
});

step("the view without checkpoints says what they are for, and how to take one", async () => {
    await editor.command("Patchpoint: Show Checkpoints");
    const view = editor.page.locator(".part.sidebar");
    await view.getByText("No checkpoints yet").waitFor();
    await view.getByRole("button", { name: "Take Checkpoint" }).first().waitFor();
});

step("the menu of the status bar offers what can be done now, and no more", async () => {
    const offered = editor.page.locator(".quick-input-list .monaco-list-row");
    await editor.status().click();
    await offered.filter({ hasText: "Open a sample to try" }).waitFor();
    for (const pointless of ["Discard all pending edits", "Undo the last restore", "Finish the review"]) {
        assert.equal(await offered.filter({ hasText: pointless }).count(), 0, pointless);
    }
    await editor.press("Escape");
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer("first");
    await editor.row("first").waitFor();
    await editor.status().click();
    await offered.filter({ hasText: "Undo the last restore" }).waitFor();
    assert.equal(await offered.filter({ hasText: "Open a sample to try" }).count(), 0);
    await editor.press("Escape");
});
