// What has to be right the second time, too, and where it is not plain text: previews and reviews, one after the other in
// one window, a file that was deleted, files in Latin-1 and of many lines, what is not saved, and a window that is reloaded.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project, TWO_FILES } from "./project.mjs";
import { steps } from "./steps.mjs";

const LINES = 131_000;

const block = (path, search, replace) =>
    [path, "```", "<<<<<<< SEARCH", search, "=======", replace, ">>>>>>> REPLACE", "```", ""].join("\n");

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder);
const lines = Array.from({ length: LINES }, (_, number) => `line ${number}`);
project.write("big.txt", `${lines.join("\n")}\n`);
writeFileSync(join(folder, "legacy.php"), Buffer.from("<?php\n// größe\n$a = 1;\n// für\n", "latin1"));
project.git("add", ".");
project.git("commit", "-q", "-m", "More files");

let editor;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder);
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);
const view = (text) => editor.page.locator(".part.sidebar .pane", { hasText: text }).first();
const side = (name, text) => editor.page.locator(`.monaco-diff-editor .${name} .view-line`, { hasText: text }).first();

async function preview(answer, title) {
    await editor.copy(answer);
    await editor.command("Patchpoint: Preview Edits from Clipboard");
    await editor.page.locator(".tab.active", { hasText: title }).waitFor();
    await editor.status("patchpoint.preview").waitFor();
}

async function button(label) {
    await editor.page.locator(`.editor-actions .action-label[aria-label^="${label}"]`).click();
}

async function discard() {
    await button("Discard Previewed Edits");
    await editor.page.locator(".tab", { hasText: "Patchpoint preview" }).waitFor({ state: "detached" });
}

step("each preview of a window has its own numbers", async () => {
    await editor.openFile("README.md");
    await preview(TWO_FILES, "Patchpoint preview");
    await button("Choose What to Apply");
    await view("2 to be applied, 0 dropped").waitFor();
    await discard();
    await preview(block("README.md", "A shop for cloth.", "A shop."), "Patchpoint preview");
    await button("Choose What to Apply");
    await view("1 to be applied, 0 dropped").waitFor();
    await discard();
});

step("a preview of a file in Latin-1 shows its text on both sides", async () => {
    await preview(block("legacy.php", "$a = 1;", "$a = 2;"), "legacy.php");
    await side("original", "größe").waitFor();
    await side("modified", /a.=.2;/).waitFor();
    await side("modified", "größe").waitFor();
    assert.equal(await side("modified", "diff --git").count(), 0);
    await button("Apply Previewed Edits");
    const written = Buffer.from("<?php\n// größe\n$a = 2;\n// für\n", "latin1").toString("latin1");
    await until("it is written", () => project.everything().files["legacy.php"] === `644 ${written}`);
});

step("so does one of a file of more than a hundred thousand lines", async () => {
    await preview(block("big.txt", `line ${LINES - 1}`, "the last line"), "big.txt");
    await side("modified", "the last line").waitFor();
    assert.equal(await side("modified", "diff --git").count(), 0);
    await discard();
});

/** Take a checkpoint, have an agent write, and begin the review. */
async function review(label, write, open) {
    const before = project.checkpoints();
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer(label);
    await until("the checkpoint is taken", () => project.checkpoints() === before + 1);
    write();
    await editor.command("Patchpoint: Review Changes…");
    await editor.choose(label);
    await left(open);
}

const toReview = (number) => editor.status("patchpoint.review").filter({ hasText: `${number} to review` });
const left = (number) => toReview(number).waitFor();

/** Every change is decided. */
const over = () => editor.status("patchpoint.review").filter({ hasText: "Finish the review" }).waitFor();

async function summary(finish) {
    await editor.copy("");
    await editor.command("Patchpoint: Finish the Review");
    await finish();
    return until("the summary is copied", async () => (await editor.paste()) || false);
}

step("the next change is the deleted file, too, which keys and buttons decide about", async () => {
    await review(
        "before the deletion",
        () => {
            rmSync(join(folder, "shop/prices.py"));
            project.write("README.md", "# Shop\n\nRewritten by the agent.\n");
        },
        2,
    );
    await editor.page.locator(".tab.active", { hasText: "prices.py (since “before the deletion”)" }).waitFor();
    await side("original", "def rounded").waitFor();
    await button("Keep Change");
    await left(1);
    await editor.page.locator(".tab.active", { hasText: "README.md (since “before the deletion”)" }).waitFor();
    await until("the next change has the cursor", async () => (await editor.position()).startsWith("Ln 3,"));
    await side("modified", "Rewritten").click();
    await editor.press("Alt+k");
    await over();
    await editor.status().filter({ hasText: "Nothing left to review: 2 kept, 0 reverted" }).waitFor();
    await editor.rowButton("prices.py", "Decide Again", () => toReview(1).isVisible());
    await editor.command("Patchpoint: Next Change to Review");
    await side("original", "def rounded").click();
    await editor.press("Alt+k");
    await over();
    await view("2 kept, 0 reverted").waitFor();
    assert.match(await summary(async () => {}), /kept 2, reverted 0/);
    await editor.command("View: Close All Editors");
});

step("the second review of a window has its own tally, and what is taken back is saved at the end", async () => {
    await review("before the second", () => project.write("README.md", "# Shop\n\nAgain.\nAnd again.\n"), 1);
    await view("0 kept, 0 reverted, 1 open").waitFor();
    await editor.page.locator(".tab.active", { hasText: "README.md" }).waitFor();
    await until("the reason is asked for", async () => {
        // The list of a review that has just begun gets the focus when its first change is shown.
        await side("modified", "Again").click();
        await editor.press("Alt+Shift+k");
        await editor.page.locator(".quick-input-widget", { hasText: "Why revert it?" }).waitFor({ timeout: 5_000 });
        return true;
    });
    await editor.answer("once is enough");
    await over();
    await until("it is not saved", () => editor.isDirty("README.md"));
    const said = await summary(async () => {
        await editor.dialog().filter({ hasText: "1 file not saved yet" }).filter({ hasText: "README.md" }).waitFor();
        await editor.dialogButton("Save and Finish");
    });
    assert.match(said, /kept 0, reverted 1/);
    assert.doesNotMatch(said, /not saved/i);
    assert.equal(project.read("README.md"), "# Shop\n\nRewritten by the agent.\n");
    assert.equal(await editor.isDirty("README.md"), false);
});

step("an edit that waits is in the view after the window is reloaded", async () => {
    await editor.command("Patchpoint: Show Checkpoints");
    await editor.copy(block("shop/cart.py", "class Insurance:", "class Assurance:"));
    await editor.command("Patchpoint: Apply Edits from Clipboard");
    await view("Pending Edits").locator(".monaco-list-row", { hasText: "cart.py" }).first().waitFor();
    await editor.page.reload();
    await editor.page.waitForSelector(".monaco-workbench");
    await view("Pending Edits").locator(".monaco-list-row", { hasText: "cart.py" }).first().waitFor();
});
