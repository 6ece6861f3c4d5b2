// A preview of several edits, of which a person keeps some and drops others before anything is written.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { CART_AFTER, DRIFTED, Project, TWO_FILES } from "./project.mjs";
import { steps } from "./steps.mjs";

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder);
const untouched = project.everything();

/** What the file does not have, so that the edit has no place. */
const NOWHERE = `shop/prices.py
\`\`\`python
<<<<<<< SEARCH
CURRENCIES = ("EUR", "CHF", "SEK")
=======
CURRENCIES = ("EUR", "CHF", "SEK", "NOK")
>>>>>>> REPLACE
\`\`\`
`;

let editor;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder);
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);
const shown = (text) => editor.page.locator(".modified-in-monaco-diff-editor .view-line", { hasText: text });

/** Click the box of a row until what it is the box of is kept, or is dropped: the row says so once that is decided. */
async function check(text, isChecked) {
    const box = editor.row(text).locator(".custom-view-tree-node-item-checkbox");
    const isDone = async () => (await editor.row(text).innerText()).includes("dropped") !== isChecked;
    await until(`${text} is ${isChecked ? "kept" : "dropped"}`, async () => {
        if (await isDone()) {
            return true;
        }
        await box.click({ timeout: 2_000 });
        return until("it is drawn again", isDone, 10_000);
    });
}

step("what would be changed is listed file by file and change by change, and all of it is kept at first", async () => {
    await editor.openFile("shipping.py");
    await editor.copy(`${TWO_FILES}\n${DRIFTED}\n${NOWHERE}`);
    await editor.command("Patchpoint: Preview Edits from Clipboard");
    await editor.page
        .locator(".tab.active", { hasText: "Patchpoint preview (3 would be applied, 1 not found)" })
        .waitFor();
    await editor.page.locator('.editor-actions .action-label[aria-label^="Choose What to Apply"]').click();
    for (const change of ["3: A shop for fine cloth.", "2: return round(amount, 3)", "6: def total(items, tax):"]) {
        await editor.row(change).waitFor();
    }
    await editor.row("12: return rounded").waitFor();
    await editor.row("1 not found, stays pending").waitFor();
    assert.equal(await editor.page.locator('.part.sidebar [role="checkbox"][aria-checked="true"]').count(), 7);
    await editor.status("patchpoint.preview").filter({ hasText: "Apply 3 edits" }).waitFor();
    assert.deepEqual(project.everything(), untouched);
});

step("what is dropped is shown as dropped, and is no longer in the difference", async () => {
    await shown("fine cloth").waitFor();
    await check("3: A shop for fine cloth.", false);
    await editor.row("3: A shop for fine cloth.").filter({ hasText: "dropped" }).waitFor();
    await shown("fine cloth").waitFor({ state: "detached" });
    await check("6: def total(items, tax):", false);
    await editor.row("cart.py").filter({ hasText: "1 of 2" }).waitFor();
    await editor.status("patchpoint.preview").filter({ hasText: "Apply 2 of 4 changes" }).waitFor();
    assert.deepEqual(project.everything(), untouched);
});

step("a file's box drops and keeps all of its changes", async () => {
    await check("prices.py", false);
    await editor.status("patchpoint.preview").filter({ hasText: "Apply 1 of 4 changes" }).waitFor();
    await check("prices.py", true);
    await editor.status("patchpoint.preview").filter({ hasText: "Apply 2 of 4 changes" }).waitFor();
});

step("a change that is clicked is shown in its file's difference, as it would be applied", async () => {
    await editor.row("12: return rounded").click();
    await editor.page.locator(".tab.active", { hasText: "cart.py: Patchpoint preview of this file" }).waitFor();
    await shown("(1 + tax)").waitFor();
    assert.equal(await shown("def total(items, tax)").count(), 0);
    await editor.status("patchpoint.preview").waitFor();
});

step("an edit that has no place need not stay pending", async () => {
    await editor.rowButton("1 not found", "Discard or Keep Edit", () => editor.row("discarded").isVisible());
});

const CART = project.read("shop/cart.py").replace("rounded(amount * 1.19)", "rounded(amount * (1 + tax))");

step("what is kept is applied and nothing else, after a checkpoint", async () => {
    await editor.status("patchpoint.preview").click();
    const applied = editor.notification("Applied 2 edits in 2 files");
    await applied.waitFor();
    assert.match(await applied.innerText(), /3 changes dropped/);
    const { files, ...rest } = project.everything();
    assert.deepEqual(rest, { staged: untouched.staged, head: untouched.head, branch: untouched.branch });
    assert.equal(project.read("shop/cart.py"), CART);
    assert.notEqual(CART, CART_AFTER);
    assert.equal(project.read("shop/prices.py"), "def rounded(amount):\n    return round(amount, 3)\n");
    const changed = { "shop/cart.py": "", "shop/prices.py": "" };
    assert.deepEqual({ ...files, ...changed }, { ...untouched.files, ...changed });
    assert.equal(project.checkpoints(), 1);
    await until("its tabs are closed", async () => (await editor.page.locator(".tab").count()) === 1);
});

step("what was dropped is in the summary for the model, and waits; what was discarded does not", async () => {
    await editor.copy("");
    await editor.notification("3 changes dropped").locator(".monaco-button", { hasText: "Copy Summary" }).click();
    const summary = await until("the summary is copied", () => editor.paste());
    assert.match(summary, /2 of 4 edits applied[\s\S]*fine cloth/);
    await editor.row("README.md:3").filter({ hasText: "fits here" }).waitFor();
    await editor.row("cart.py").filter({ hasText: "fits here" }).waitFor();
    assert.equal(await editor.row("not found").count(), 0);
    const isOnDisk = () => project.read("README.md") === "# Shop\n\nA shop for fine cloth.\n";
    await editor.rowButton("README.md:3", "Apply at This Place", isOnDisk);
    await editor.command("Patchpoint: Choose Where a Pending Edit Goes");
    await until("the other is on disk, too", () => project.read("shop/cart.py") === CART_AFTER);
});
