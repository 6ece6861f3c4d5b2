// The whole way of a person through the extension, in a real VS Code: the contents of disk and buffers are asserted at
// every step, and pictures are taken for the documentation.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { AMBIGUOUS, ANSWER, CART_AFTER, DRIFTED, Project, SHIPPING_AFTER } from "./project.mjs";
import { steps } from "./steps.mjs";

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder);
project.write("answer.md", ANSWER);

let editor;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder);
});

after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true, force: true });
});

const step = steps(() => editor);
const picture = (name, height) => editor.illustrate(name, { size: { width: 960, height } });

step("the server starts, and says its version", async () => {
    await editor.openFile("cart.py");
    const status = editor.page.locator('[id="status.languageStatus"]');
    await until("the server runs", async () =>
        /Patchpoint \d+\.\d+\.\d+/.test(await status.getAttribute("aria-label")),
    );
});

step("a drifted answer on the clipboard is previewed, and nothing has changed yet", async () => {
    const untouched = project.everything();
    await editor.copy(DRIFTED);
    await editor.command("Patchpoint: Apply Edits from Clipboard");
    await editor.page.locator(".tab.active", { hasText: "Patchpoint preview" }).waitFor();
    const inserted = editor.page.locator(".monaco-diff-editor .modified .view-line", {
        hasText: "def total(items, tax):",
    });
    await inserted.waitFor();
    await until("the question is in the status bar", () => editor.status("patchpoint.preview").isVisible());
    await picture("preview", 460);
    assert.deepEqual(project.everything(), untouched);
});

step(
    "applying it changes the open buffer in one step, keeps what the model forgot, and takes a checkpoint",
    async () => {
        const before = project.read("shop/cart.py");
        await editor.page.locator('.editor-actions .action-label[aria-label^="Apply Previewed Edits"]').click();
        await editor.page.locator(".tab", { hasText: "Patchpoint preview" }).waitFor({ state: "detached" });
        await until("the edit is in the buffer", async () => (await editor.text()).includes("def total(items, tax):"));
        assert.equal((await editor.text()).trimEnd(), CART_AFTER.trimEnd());
        assert.equal(project.read("shop/cart.py"), before, "an open file is for the person to save");
        assert.equal(project.checkpoints(), 1);
        await editor.page.locator(".editor-group-container.active .view-line").first().click();
        await editor.press("Control+z");
        await until("one undo takes it back", async () => (await editor.text()).trimEnd() === before.trimEnd());
        await editor.press("Control+y");
        await until("redo brings it again", async () => (await editor.text()).trimEnd() === CART_AFTER.trimEnd());
        await editor.press("Control+s");
        await until("it is on disk", () => project.read("shop/cart.py") === CART_AFTER);
        await until("it is saved", async () => !(await editor.isDirty("cart.py")));
    },
);

step("an ambiguous edit changes nothing and is underlined at both places", async () => {
    await editor.openFile("shipping.py");
    const before = await editor.text();
    await editor.copy(AMBIGUOUS);
    await editor.command("Patchpoint: Apply Edits from Clipboard");
    const squiggles = editor.page.locator(".editor-group-container.active .squiggly-warning");
    await until("both places are underlined, two lines each", async () => (await squiggles.count()) === 4);
    await editor.notification("1 ambiguous").waitFor();
    assert.equal(await editor.text(), before);
});

step("the light bulb offers both places, and the second one is chosen", async () => {
    await editor.page.locator(".editor-group-container.active .view-line", { hasText: "raise" }).last().click();
    await editor.page
        .locator('.lightBulbWidget, [class*="gutter-lightbulb"]')
        .filter({ visible: true })
        .first()
        .waitFor();
    const look = async (menu) => {
        assert.equal(await menu.filter({ hasText: "Apply the edit at candidate" }).count(), 2);
        await editor.illustrate("ambiguous", { clip: { x: 350, y: 0, width: 860, height: 420 } });
    };
    const isDone = async () => (await editor.text()).trimEnd() === SHIPPING_AFTER.trimEnd();
    await editor.quickFix("candidate 2", isDone, look);
    assert.doesNotMatch(editor.log(), /\[error\]|in conflict/);
    const squiggles = editor.page.locator(".editor-group-container.active .squiggly-warning");
    await until("nothing is underlined any more", async () => (await squiggles.count()) === 0);
    await editor.press("Control+s");
    await until("it is on disk", () => project.read("shop/shipping.py") === SHIPPING_AFTER);
    await editor.command("Notifications: Clear All Notifications");
});

step(
    "in a document that holds an answer, every edit block has its outcome above it, and is applied there",
    async () => {
        await editor.openFile("answer.md");
        await editor.lens(/^Apply$/).waitFor();
        await editor.lens("Ambiguous: 2 places").waitFor();
        await editor.lens("Not found").waitFor();
        await picture("lenses", 700);
        const before = project.read("shop/shipping.py");
        await editor.lens(/^Apply$/).click();
        await until("it is on disk", () => project.read("shop/prices.py").includes("round(amount, 3)"));
        await editor.lens("Applied").waitFor();
        assert.equal(project.read("shop/shipping.py"), before);
    },
);

step("a checkpoint is taken with a label, unsaved work and all", async () => {
    await editor.openFile("README.md");
    await editor.press("Control+End");
    await editor.page.keyboard.type("Not saved yet.");
    await until("the buffer is dirty", () => editor.isDirty("README.md"));
    const [before, untouched] = [project.checkpoints(), project.everything()];
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer("before the agent");
    await until("git sees it", () => project.checkpoints() === before + 1);
    assert.deepEqual(project.everything(), untouched);
    await editor.command("Patchpoint: Show Checkpoints");
    await editor.row("before the agent").waitFor();
});

step("a checkpoint that an agent's hook takes is seen at once", async () => {
    const started = Date.now();
    const words = ["checkpoint", "--session", "tax refactoring", "--message", "3", "Make tax a parameter"];
    execFileSync("python3", ["-I", join(editor.extension, "bundled", "start.py"), ...words], { cwd: folder });
    await editor.row("Make tax a parameter").waitFor();
    await editor.row("tax refactoring").waitFor();
    console.log(`seen ${Date.now() - started} ms after the hook began`);
});

let damaged;

step("the agent's changes are listed below the checkpoint, and each file's difference can be opened", async () => {
    project.sufferAnAgent();
    await editor.openFile("shipping.py");
    await editor.press("Control+End");
    await editor.page.keyboard.type("# mine, and not saved");
    await until("that buffer is dirty", () => editor.isDirty("shipping.py"));
    await editor.expand("before the agent", "shop/prices.py");
    await editor.row("shop/discount.py").waitFor();
    await editor.row("shop/cart.py").click();
    await editor.page
        .locator(".monaco-diff-editor .original .view-line", { hasText: "def total(items, tax):" })
        .waitFor();
    await editor.page.locator(".monaco-diff-editor .modified .view-line", { hasText: "return 42" }).waitFor();
    await picture("checkpoints", 500);
});

step("restoring from the view says first what it will do, then does exactly that", async () => {
    damaged = project.everything();
    await editor.rowButton("before the agent", "Restore Checkpoint", () => editor.dialog().isVisible());
    const question = await editor.dialog().innerText();
    assert.match(question, /Restore “before the agent”\?/);
    assert.match(question, /safety checkpoint/);
    await picture("restore", 500);
    assert.deepEqual(project.everything(), damaged);
    await editor.dialogButton("Restore");
    await until("the files are back", () => project.read("shop/cart.py") === CART_AFTER);
    await editor.status().filter({ hasText: "Restored" }).waitFor();
    const now = project.everything();
    assert.equal(now.files["notes.txt"], "644 untracked, and dear to me\n");
    assert.equal(now.files["shop/discount.py"], undefined);
    assert.equal(now.files["shop/link.py"], undefined);
    assert.match(now.files["shop/shipping.py"], /^644 /);
    assert.match(now.files["build/cart.o"], /ignored/);
    assert.equal(now.branch, "refs/heads/main");
    assert.notEqual(now.head, damaged.head);
});

step("the open editors show what was restored, and what was unsaved at the checkpoint is unsaved again", async () => {
    await editor.openFile("shipping.py");
    await until("the buffer follows", async () => (await editor.text()).trimEnd() === SHIPPING_AFTER.trimEnd());
    await until("it is saved", async () => !(await editor.isDirty("shipping.py")));
    await editor.openFile("README.md");
    await until("the buffer follows", async () => (await editor.text()).includes("A shop for cloth."));
    await until("it has the unsaved words", async () => (await editor.text()).includes("Not saved yet."));
    await until("they are unsaved", () => editor.isDirty("README.md"));
    assert.equal(project.read("README.md"), "# Shop\n\nA shop for cloth.\n");
});

step("undoing the restore brings back everything the agent had done, byte for byte", async () => {
    await editor.status().filter({ hasText: "Undo" }).click();
    await until("the damage is back", () => project.read("shop/cart.py") === "def total(items):\n    return 42\n");
    await editor.status().filter({ hasText: "Undid the restore" }).waitFor();
    assert.deepEqual(project.everything(), damaged);
    await editor.openFile("shipping.py");
    await until("what was not saved is back", async () => (await editor.text()).includes("# mine, and not saved"));
    await until("and still not saved", () => editor.isDirty("shipping.py"));
});

step("one file alone is restored", async () => {
    await editor.command("Patchpoint: Show Checkpoints");
    await editor.expand("before the agent", "shop/prices.py");
    await editor.rowButton("shop/prices.py", "Restore This File", () => editor.dialog().isVisible());
    await editor.dialogButton("Restore");
    await until("it is back", () => project.everything().files["shop/prices.py"] !== undefined);
    const { "shop/prices.py": back, ...others } = project.everything().files;
    assert.match(back, /def rounded/);
    assert.deepEqual(others, damaged.files);
});

step("all that has changed since a checkpoint is compared in one view, and comparing changes nothing", async () => {
    const before = project.everything();
    const compared = editor.page.locator(".tab.active", { hasText: "Since “before the agent”" });
    await editor.rowButton("before the agent", "Compare with Checkpoint", () => compared.isVisible());
    const shown = editor.page.locator(".multiDiffEntry");
    await shown.filter({ hasText: "return 42" }).first().waitFor();
    await picture("compare", 620);
    await editor.page.locator('.editor-actions .action-label[aria-label^="Collapse All Diffs"]').click();
    for (const name of ["README.md", "notes.txt", "cart.py", "discount.py", "link.py", "shipping.py"]) {
        await shown.filter({ hasText: name }).waitFor();
    }
    assert.equal(await shown.count(), 6, "what is as it was is not there");
    assert.deepEqual(project.everything(), before);
    await editor.command("View: Close Editor");
});

step("a checkpoint is deleted from the view once that is confirmed, and no file with it", async () => {
    const [before, untouched] = [project.checkpoints(), project.everything()];
    // A menu that opens while something else gives the focus back closes again.
    const askedToDelete = () =>
        until("the dialog is there", async () => {
            await editor.rowMenu("Make tax a parameter", "Delete Checkpoint");
            return editor
                .dialog()
                .waitFor({ timeout: 5000 })
                .then(
                    () => true,
                    () => false,
                );
        });
    await askedToDelete();
    await editor.dialogButton("Cancel");
    await editor.dialog().waitFor({ state: "detached" });
    assert.equal(project.checkpoints(), before);
    await askedToDelete();
    assert.match(await editor.dialog().innerText(), /Delete the checkpoint “Make tax a parameter”\?/);
    await editor.dialogButton("Delete");
    await editor.row("Make tax a parameter").waitFor({ state: "detached" });
    await editor.row("before the agent").waitFor();
    assert.equal(project.checkpoints(), before - 1);
    assert.deepEqual(project.everything(), untouched);
});

step(
    "where another branch is checked out, a restore is refused until the person insists, and the branch stays",
    async () => {
        project.git("switch", "-q", "-c", "elsewhere");
        const head = project.git("rev-parse", "HEAD");
        await editor.chooseFrom(() => editor.command("Patchpoint: Restore Checkpoint"), "before the agent");
        await editor.dialog().waitFor();
        assert.match(await editor.dialog().innerText(), /refused[\s\S]*main/);
        await editor.dialog().locator(".monaco-button", { hasText: "Restore Anyway" }).click();
        await editor.dialog().filter({ hasText: "Restore “before the agent”?" }).waitFor();
        await editor.dialogButton("Restore");
        await until("the files are back", () => project.read("shop/cart.py") === CART_AFTER);
        await editor.status().filter({ hasText: "2 files deleted" }).waitFor();
        assert.equal(project.everything().files["shop/discount.py"], undefined);
        assert.equal(project.git("symbolic-ref", "HEAD"), "refs/heads/elsewhere");
        assert.equal(project.git("rev-parse", "HEAD"), head);
    },
);

const status = () => editor.page.locator('[id="status.languageStatus"]').getAttribute("aria-label");
const isReady = async () => /Patchpoint \d+\.\d+\.\d+/.test(await status());

step("the server can be restarted, and shows the same checkpoints", async () => {
    const [old] = editor.servers();
    await editor.command("Patchpoint: Restart Server");
    await until("another one runs, alone", () => editor.servers().length === 1 && !editor.servers().includes(old));
    await until("it is ready", isReady);
    await editor.command("Patchpoint: Refresh Checkpoints");
    await editor.row("before the agent").waitFor();
    assert.equal(await editor.row("Make tax a parameter").count(), 0);
});

step("a server that dies is started again by itself, without a word to the person", async () => {
    const [dead] = editor.servers();
    process.kill(dead, "SIGKILL");
    const [next] = await until("another one runs", () => {
        const running = editor.servers().filter((id) => id !== dead);
        return running.length > 0 && running;
    });
    await until("it is ready", isReady);
    await editor.command("Patchpoint: Refresh Checkpoints");
    await editor.row("before the agent").waitFor();
    assert.deepEqual(editor.servers(), [next]);
    assert.equal(await editor.page.locator(".notifications-toasts .notification-toast").count(), 0);
});
