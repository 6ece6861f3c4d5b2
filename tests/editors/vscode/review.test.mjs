// The recording of a review in docs/review.md: an agent changes twelve places in five files, a person keeps seven, takes
// back five, and copies the summary. The agent and the decisions are those of the recording at a terminal, so the summary
// has to be the one that the page shows; $PATCHPOINT_PICTURES says where the pictures go.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project, reviewed } from "./project.mjs";
import { steps } from "./steps.mjs";

const BEFORE = reviewed("before");
const AFTER = reviewed("after");
const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "..", "docs", "review.md"), "utf8");
const SUMMARY = /\$ patchpoint review --finish\n([\s\S]*?)\n```/.exec(PAGE)[1];

/** What the pictures are taken in: small enough for their text to be read on a page. */
const SIZE = { width: 1000, height: 560 };

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder, BEFORE);

let editor;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder);
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);
const picture = (number) => editor.illustrate(`review/${number}`, { size: SIZE });

const toReview = (number) => editor.status("patchpoint.review").filter({ hasText: `${number} to review` });
const left = (number, timeout) => toReview(number).waitFor({ timeout });

/** The name of a file in the tree, with the badge that says how many of its changes are to be reviewed. */
function badged(name, number) {
    return editor.row(name).locator(`.monaco-icon-label[aria-label$="${number} to review"]`);
}

/** The question for a reason. */
function why() {
    return editor.page.locator(".quick-input-widget", { hasText: "Why revert it?" });
}

/** Say why something is taken back, which is asked. */
async function because(reason, look = async () => {}) {
    await why().waitFor();
    await why().locator("input.input").fill(reason);
    await look();
    await editor.answer(reason);
    await why().waitFor({ state: "hidden" });
}

step("a review lists what an agent wrote since a checkpoint, and shows the first change", async () => {
    await editor.openFile("sessions.py");
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer("before the agent");
    await until("the checkpoint is taken", () => project.checkpoints() === 1);
    for (const [name, text] of Object.entries(AFTER)) {
        project.write(name, text);
    }
    await editor.command("Patchpoint: Review Changes…");
    await editor.choose("before the agent");
    await left(12);
    await editor.page.locator(".tab.active", { hasText: "README.md (since “before the agent”)" }).waitFor();
    await until("the first change has the cursor", async () => (await editor.position()).startsWith("Ln 7, Col 1"));
});

step("a tree lists the files and their changes, with a tally", async () => {
    const view = editor.page.locator(".part.sidebar .pane", { hasText: "0 kept, 0 reverted, 12 open" });
    await view.first().waitFor();
    await badged("sessions.py", 6).filter({ hasText: "shop" }).waitFor();
    await badged("notes.md", 1).filter({ hasText: "created" }).waitFor();
    await editor.row("5: TIMEOUT = 300").filter({ hasText: "+1 −1" }).waitFor();
    await picture(1);
});

step("a change is kept from the tree, and decided about again", async () => {
    await editor.rowButton("7: They end when", "Keep Change", () => toReview(11).isVisible());
    await editor.row("README.md").filter({ hasText: "1 kept" }).waitFor();
    await editor.rowButton("7: They end when", "Decide Again", () => toReview(12).isVisible());
    await badged("README.md", 1).waitFor();
});

step("a lens takes a change back in the buffer, and asks why; without an answer nothing is taken back", async () => {
    await editor.openFile("settings.py");
    await editor.lens("Revert").first().click();
    await why().waitFor();
    await editor.press("Escape");
    await why().waitFor({ state: "hidden" });
    await left(12);
    assert.equal((await editor.text()).trimEnd(), AFTER["shop/settings.py"].trimEnd());
    await editor.illustrate("review", { size: { width: 820, height: 480 } });
    await editor.lens("Revert").first().click();
    await because("debugging stays off", () => picture(2));
    await left(11);
    await until("the line is as it was", async () => (await editor.text()).includes("DEBUG = False\n"));
    assert.ok(await editor.isDirty("settings.py"), "the person saves it");
    await editor.press("Control+s");
    const expected = AFTER["shop/settings.py"].replace("DEBUG = True", "DEBUG = False");
    await until("it is saved", () => project.read("shop/settings.py") === expected);
});

step("the tree opens the difference of a change, where a button takes it back", async () => {
    await editor.row("5: TIMEOUT = 300").click();
    await editor.page.locator(".monaco-diff-editor .original .view-line", { hasText: "1800" }).waitFor();
    await editor.page.locator(".monaco-diff-editor .modified .view-line", { hasText: /^TIMEOUT.=.300$/ }).waitFor();
    await until("the change has the cursor", async () => (await editor.position()).startsWith("Ln 5,"));
    await picture(3);
    await editor.page.locator('.editor-actions .action-label[aria-label^="Revert Change"]').click();
    await because("half an hour is promised");
    await left(10);
    await editor.press("Control+s");
    const expected = AFTER["shop/sessions.py"].replace("TIMEOUT = 300", "TIMEOUT = 1800");
    await until("it is saved", () => project.read("shop/sessions.py") === expected);
});

step("the light bulb takes back all changes of a file", async () => {
    await editor.openFile("cart.py");
    await editor.quickFix(
        "Revert all changes of cart.py",
        async () => {
            await why().waitFor({ timeout: 5_000 });
            await because("the cart was not to be changed");
            await left(8, 5_000);
            return true;
        },
        () => editor.illustrate("review/4", { clip: { x: 0, y: 0, ...SIZE } }),
    );
    await editor.press("Control+s");
    await until("it is saved", () => project.read("shop/cart.py") === BEFORE["shop/cart.py"]);
});

step("a file that was made goes as a whole", async () => {
    await editor.openFile("notes.md");
    await editor.lens("Revert").click();
    await because("nobody reads it");
    await left(7);
    await until("it is gone", () => !project.everything().files["notes.md"]);
});

step("the next change is a command away, and each that is kept leads to the one after it", async () => {
    await editor.command("Patchpoint: Next Change to Review");
    for (let open = 7; open > 0; open -= 1) {
        if (open === 3) {
            await editor.row("sessions.py").filter({ hasText: "3 kept, 2 open" }).waitFor();
            await picture(5);
        }
        await editor.page.locator('.editor-actions .action-label[aria-label^="Keep Change"]').click();
        await (open > 1 ? left(open - 1) : editor.status("patchpoint.review").filter({ hasText: "Finish" }).waitFor());
    }
});

step("the summary that is copied in the end is the one of the page, and the files are as decided", async () => {
    await editor.copy("");
    await editor.command("Patchpoint: Finish the Review");
    const summary = await until("the summary is copied", async () => (await editor.paste()) || false);
    assert.equal(summary.trimEnd(), SUMMARY);
    await editor.status("patchpoint.review").waitFor({ state: "hidden" });
    assert.equal(await editor.row("sessions.py").count(), 0, "the tree is gone with the review");
    await editor.command("File: New Untitled Text File");
    await editor.page.locator(".tab.active", { hasText: "Untitled-1" }).waitFor();
    await editor.press("Control+v");
    await until("it is pasted", async () => (await editor.text()).includes("kept 7, reverted 5"));
    await picture(6);
    const { "shop/cart.py": cart, "README.md": readme, ...others } = project.everything().files;
    assert.equal(cart, `644 ${BEFORE["shop/cart.py"]}`);
    assert.equal(readme, `644 ${AFTER["README.md"]}`);
    assert.deepEqual(Object.keys(others), ["shop/sessions.py", "shop/settings.py"]);
});
