// A review: an agent changes twelve places in five files, a person keeps seven, takes back five, and copies the summary.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const LINES = Array.from({ length: 30 }, (_, number) => `line ${number + 1}\n`).join("");
const CHANGED = {
    "four.txt": LINES.replace("line 3\n", "3\n").replace("line 20\n", "20\n").replace("line 30\n", ""),
    "made.txt": "made\n",
    "one.txt": LINES.replace("line 2\n", "LINE 2\n").replace("line 12\n", "").replace("line 25\n", "25\n"),
    "three.txt": LINES.replace("line 1\n", "first\n").replace("line 10\n", "10\n"),
    "two.txt": `${LINES.replace("line 5\n", "line 5\nnew\n").replace("line 15\n", "15\n")}end\n`,
};

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder);
for (const name of Object.keys(CHANGED)) {
    if (name !== "made.txt") {
        project.write(name, LINES);
    }
}

let editor;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder);
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);
function left(number, timeout) {
    const item = editor.status("patchpoint.review").filter({ hasText: `${number} to review` });
    return item.waitFor({ timeout });
}

step("a review lists what an agent wrote since a checkpoint, and shows the first change", async () => {
    await editor.openFile("one.txt");
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer("before the agent");
    await until("the checkpoint is taken", () => project.checkpoints() === 1);
    for (const [name, text] of Object.entries(CHANGED)) {
        project.write(name, text);
    }
    await editor.chooseFrom(() => editor.command("Patchpoint: Review Changes…"), "before the agent");
    await left(12);
    await editor.page.locator(".tab.active", { hasText: "four.txt" }).waitFor();
    await until("the first change has the cursor", async () => (await editor.position()).startsWith("Ln 3, Col 1"));
});

step("a tree lists the files and their changes, with a tally, and opens the difference of each", async () => {
    await editor.command("Patchpoint: Show Checkpoints");
    const view = editor.page.locator(".part.sidebar .pane", { hasText: "0 kept, 0 taken back, 12 open" });
    await view.first().waitFor();
    await editor.row("one.txt").filter({ hasText: "3 open" }).waitFor();
    await editor.row("24: 25").filter({ hasText: "+1 −1" }).click();
    await editor.page.locator(".monaco-diff-editor .original .view-line", { hasText: /^line.25$/ }).waitFor();
    await editor.page.locator(".monaco-diff-editor .modified .view-line", { hasText: /^25$/ }).waitFor();
});

step("a change is taken back, decided again and kept from the tree", async () => {
    await editor.rowButton("20: 20", "Keep Change");
    await left(11);
    await editor.row("four.txt").filter({ hasText: "1 kept, 2 open" }).waitFor();
    await editor.rowButton("20: 20", "Decide Again");
    await left(12);
    await editor.row("four.txt").filter({ hasText: "3 open" }).waitFor();
    await editor.row("one.txt").filter({ hasText: "3 open" }).waitFor();
    await editor.openFile("four.txt");
});

step("lenses keep a change, or take it back in the buffer", async () => {
    await editor.lens("Keep").first().click();
    await left(11);
    await editor.openFile("one.txt");
    await editor.lens("Take back").first().click();
    await left(10);
    await until("the line is as it was", async () => (await editor.text()).includes("line 2\n"));
    assert.ok(await editor.isDirty("one.txt"), "the person saves it");
    await editor.press("Control+s");
    await until("it is saved", () => project.read("one.txt") === CHANGED["one.txt"].replace("LINE 2\n", "line 2\n"));
});

step("the light bulb takes back all changes of a file", async () => {
    await editor.openFile("three.txt");
    await editor.quickFix("Take back all changes of three.txt", async () => {
        await left(8, 5_000);
        return true;
    });
    await editor.press("Control+s");
    await until("it is saved", () => project.read("three.txt") === LINES);
});

step("a file that was made goes as a whole", async () => {
    await editor.openFile("made.txt");
    await editor.lens("Take back").click();
    await left(7);
    await until("it is gone", () => !project.everything().files["made.txt"]);
});

step("the next change is a command away, and the summary is copied in the end", async () => {
    await editor.openFile("two.txt");
    await editor.lens("Take back").last().click();
    await left(6);
    await editor.press("Control+s");
    for (let open = 6; open > 0; open -= 1) {
        await editor.command("Patchpoint: Next Change to Review");
        // Until it is drawn again, a lens may be that of the change before.
        await until("it is kept", async () => {
            await editor.lens("Keep").first().click({ timeout: 5_000 });
            await left(open - 1, 5_000);
            return true;
        });
    }
    await editor.copy("");
    await editor.command("Patchpoint: Finish the Review");
    const summary = await until("the summary is copied", async () => (await editor.paste()) || false);
    assert.match(summary, /^Your changes were reviewed: kept 7, taken back 5\.\n/);
    assert.match(summary, /- made\.txt, the file as a whole\.\n/);
    await editor.status("patchpoint.review").waitFor({ state: "hidden" });
    assert.equal(await editor.row("one.txt").count(), 0, "the tree is gone with the review");
});
