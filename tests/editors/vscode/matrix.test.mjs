// A row of a matrix: edits at the first line, at the last, where no line ends the file, in an empty file and with CRLF;
// each is applied, taken back, restored over, brought back by undo, and resolved, while its file is open. The buffer and
// the file are compared after each.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

/** What each file is at first, an edit of it, and which of the places is chosen that another edit fits at. */
const FILES = {
    "first.txt": { was: "one\nsame\nthree\nsame\n", edit: ["one", "ONE\nand more"], place: 1 },
    "last.txt": { was: "one\nsame\nthree\nsame\nlast\n", edit: ["last", "LAST\nand more"], place: 2 },
    "unended.txt": { was: "one\nsame\nsame\nthree\nsame", edit: ["three\nsame", "three\nsame\nand more"], place: 3 },
    "empty.txt": { was: "", edit: ["", "one\ntwo"] },
    "crlf.txt": { was: "one\r\nsame\r\nthree\r\nsame\r\n", edit: ["one", "ONE\nand more"], place: 2 },
};
const became = {
    "first.txt": "ONE\nand more\nsame\nthree\nsame\n",
    "last.txt": "one\nsame\nthree\nsame\nLAST\nand more\n",
    "unended.txt": "one\nsame\nsame\nthree\nsame\nand more",
    "empty.txt": "one\ntwo\n",
    "crlf.txt": "ONE\r\nand more\r\nsame\r\nthree\r\nsame\r\n",
};
const resolved = {
    "first.txt": "one\nother\nagain\nthree\nsame\n",
    "last.txt": "one\nsame\nthree\nother\nagain\nlast\n",
    "unended.txt": "one\nsame\nsame\nthree\nother\nagain",
    "crlf.txt": "one\r\nsame\r\nthree\r\nother\r\nagain\r\n",
};
const names = Object.keys(FILES);
const was = Object.fromEntries(names.map((name) => [name, FILES[name].was]));

const block = (path, search, replace) =>
    [path, "```", "<<<<<<< SEARCH", ...(search ? [search] : []), "=======", replace, ">>>>>>> REPLACE", "```", ""].join(
        "\n",
    );
const ANSWER = names.map((name) => block(name, ...FILES[name].edit)).join("\n");

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "matrix");
mkdirSync(folder);
const project = new Project(folder, was);

let editor;

before(async () => {
    // By default VS Code saves what an edit of several files has changed.
    const settings = { "git.enabled": false, "files.refactoring.autoSave": false };
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder, { settings });
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);

/** The text of the buffer of a file. */
async function buffer(name) {
    await editor.openFile(name);
    if ((await editor.text()).trim() === "") {
        return "";
    }
    return editor.wholeText();
}

async function buffersAre(texts) {
    for (const name of Object.keys(texts)) {
        await until(`the buffer of ${name} is as it should be`, async () => {
            assert.equal(await buffer(name), texts[name]);
            return true;
        });
        const ending = await editor.page.locator('[id="status.editor.eol"]').innerText();
        assert.equal(ending.trim(), name === "crlf.txt" ? "CRLF" : "LF");
    }
}

function filesAre(texts) {
    assert.deepEqual(Object.fromEntries(Object.keys(texts).map((name) => [name, project.read(name)])), texts);
}

async function apply(answer) {
    await editor.copy(answer);
    await editor.command("Patchpoint: Apply Edits from Clipboard");
}

step("an answer is applied to the buffers of open files, and none of it to the disk", async () => {
    for (const name of names) {
        await editor.showFile(name);
        await editor.press("Control+k");
        await editor.press("Enter");
    }
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer("as it was");
    await until("the checkpoint is taken", () => project.checkpoints() === 1);
    await apply(ANSWER);
    await editor.status().filter({ hasText: "Applied 5 edits" }).waitFor();
    await buffersAre(became);
    filesAre(was);
});

step("it is taken back", async () => {
    await editor.chooseFrom(() => editor.command("Patchpoint: Revert Applied Edits"), "answer of");
    await editor.status().filter({ hasText: "Reverted 5 edits" }).waitFor();
    await buffersAre(was);
    filesAre(was);
});

step("it is applied and saved, and on the disk as it is in the buffers", async () => {
    await apply(ANSWER);
    await editor.status().filter({ hasText: "Applied 5 edits" }).waitFor();
    await editor.command("File: Save All");
    await until("all are saved", async () => (await editor.page.locator(".tab.dirty").count()) === 0);
    await buffersAre(became);
    filesAre(became);
});

step("a restore brings every byte back, in the buffers, too", async () => {
    await editor.chooseFrom(() => editor.command("Patchpoint: Restore Checkpoint"), "as it was");
    await editor.dialog().waitFor();
    await editor.dialogButton("Restore");
    await editor.status().filter({ hasText: "Restored" }).waitFor();
    filesAre(was);
    await buffersAre(was);
});

step("its undo brings the edits back", async () => {
    await editor.command("Patchpoint: Undo Last Restore");
    await editor.status().filter({ hasText: "Undid the restore" }).waitFor();
    filesAre(became);
    await buffersAre(became);
});

/** Apply an edit that has to be resolved, resolve it by an action at a line of its file, and undo that in the editor. */
async function resolve(name, edit, status, line, action, text, answer = async () => {}) {
    await editor.command("Notifications: Clear All Notifications");
    await apply(block(name, ...edit));
    await editor.notification(`1 ${status}`).waitFor();
    await editor.openFile(name);
    await editor.press("Control+g");
    await editor.answer(`:${line}`);
    await editor.quickFix(action, answer);
    await editor.page.locator(".tab.active.dirty", { hasText: name }).waitFor();
    await buffersAre({ [name]: text });
    filesAre(was);
    await editor.press("Control+z");
    await buffersAre({ [name]: was[name] });
    filesAre(was);
}

step("an edit with several places is applied at the one that is chosen, and undone by the editor", async () => {
    await editor.command("Patchpoint: Undo Last Restore");
    await until("the files are as they were", () => names.every((name) => project.read(name) === was[name]));
    await buffersAre(was);
    for (const [name, text] of Object.entries(resolved)) {
        const chosen = `candidate ${FILES[name].place}`;
        await resolve(name, ["same", "other\nagain"], "ambiguous", 2, chosen, text, () => editor.isDirty(name));
    }
});

step("an edit without a place is put into an empty file, and undone by the editor", async () => {
    const check = editor.page.locator('.editor-actions .action-label[aria-label^="Apply Previewed Edits"]');
    await resolve("empty.txt", ["same", "other\nagain"], "not found", 1, "Put the edit", "other\nagain\n", async () => {
        await check.click();
        return true;
    });
});
