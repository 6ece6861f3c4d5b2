// A review without the mouse, after an agent changed twelve places in five files, deleted one, created two and renamed one:
// every line that it removed is seen, in red and on the screen, before it is decided about; ten changes are kept, six are
// reverted, one of those that are kept is edited before, and no decision takes more than two keys.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { AFTER, BEFORE, GUARD, prepare, theAgentWrites } from "./changes.mjs";
import { Editor, until } from "./editor.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), "shop");
mkdirSync(folder);
const project = new Project(folder);
prepare(project);

/** The changes in the order in which they come: the row, what was removed, and what the person does. */
const IN_THE_TREE = [
    ["gone.py", ["def gone():", "return 0"], "revert"],
    ["7: changed()", ["step(5)"], "keep"],
    ["− if line == 20:", ["if line == 20:", "raise ValueError(line)"], "revert"],
    ["38: changed()", ["step(35)"], "keep"],
    ["7: changed()", ["step(5)"], "keep"],
    ["22: changed()", ["step(20)"], "revert"],
    ["37: changed()", ["step(35)"], "keep"],
    ["3: changed()", ["step(1)"], "keep"],
    ["33: changed()", ["step(31)"], "revert"],
    ["3: changed()", ["step(1)"], "edit"],
];
/** Here also where it is: the tab, the line that the cursor is put at, and a text there. */
const IN_THE_EDITOR = [
    ["33: changed()", ["step(31)"], "keep", "d.py", 33, "step(30)"],
    ["3: changed()", ["step(1)"], "keep", "e.py", 3, "def e():"],
    ["33: changed()", ["step(31)"], "revert", "e.py", 33, "step(30)"],
    ["fresh.py", [], "keep", "fresh.py", 1, "FRESH = 1"],
    ["new_name.py", [], "keep", "old_name.py → new_name.py", 1, "def named():"],
    ["other.py", [], "revert", "other.py", 1, "OTHER = 1"],
];
const EVERY = [...IN_THE_TREE, ...IN_THE_EDITOR];
const REASON = "line 20 is never sold";

let editor;
let atFirst;
let keys = 0;
let open = EVERY.length;
let frames = 0;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder);
});

after(async () => {
    await editor?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
});

const step = steps(() => editor);

/** Press a key of a decision. */
async function press(key) {
    keys += 1;
    await editor.press(key);
}

/** Run a command from the palette without the mouse. */
async function command(title) {
    await editor.lookFor("F1", `>${title}`);
    await editor.page.locator(".quick-input-list .monaco-list-row.focused", { hasText: title }).waitFor();
    await editor.press("Enter");
}

/** Whether a line of what was there is on the screen, uncovered, and marked as removed. */
function isSeen(text) {
    return editor.page.evaluate((wanted) => {
        const editors = [...document.querySelectorAll(".editor-group-container.active .monaco-diff-editor .original")];
        const overlaps = (mark, middle) => {
            const { top, bottom, height } = mark.getBoundingClientRect();
            return height > 0 && top <= middle && middle <= bottom;
        };
        return editors.some((original) =>
            [...original.querySelectorAll(".view-line")].some((line) => {
                const shown = line.querySelector("span");
                if (!line.textContent.replaceAll("\u00a0", " ").includes(wanted) || shown === null) {
                    return false;
                }
                const { left, top, height } = shown.getBoundingClientRect();
                const middle = top + height / 2;
                const isUncovered = line.contains(document.elementFromPoint(left + 60, middle));
                const marks = [
                    ...original.querySelectorAll(".view-overlays .line-delete, .view-overlays .char-delete"),
                ];
                return isUncovered && marks.some((mark) => overlaps(mark, middle));
            }),
        );
    }, text);
}

/** Look at a change: its row is chosen, and what was removed is seen. */
async function look([row, removed]) {
    const chosen = editor.page.locator(".part.sidebar .monaco-list-row.selected", { hasText: row });
    await chosen.waitFor();
    for (const text of removed) {
        await until(`${text} is seen at ${row}`, () => isSeen(text));
    }
    frames += 1;
    await editor.illustrate(`keyboard/${String(frames).padStart(2, "0")}`);
}

/** The question for a reason is answered with one, or with nothing. */
async function because(reason) {
    await editor.page.locator(".quick-input-widget", { hasText: "Why revert it?" }).waitFor();
    await editor.page.keyboard.type(reason);
    await press("Enter");
}

async function decided() {
    open -= 1;
    const words = open === 0 ? "Finish the review" : `${open} to review`;
    await editor.status("patchpoint.review").filter({ hasText: words }).waitFor();
}

step("a review begins with the file that is gone, and the keyboard is in the tree", async () => {
    await editor.openFile("a.py");
    await editor.command("Patchpoint: Take Checkpoint");
    await editor.answer("before the agent");
    await until("the checkpoint is taken", () => project.checkpoints() === 1);
    atFirst = project.everything();
    theAgentWrites(project);
    // What an editor has open is reviewed as it is there.
    await until("a.py is read again", async () => (await editor.text()).includes("changed()"));
    await editor.page.evaluate(() => {
        window.pressed = 0;
        window.addEventListener("mousedown", () => (window.pressed += 1), true);
    });
    await command("Patchpoint: Review Changes…");
    await editor.entry("before the agent").waitFor();
    await editor.page.keyboard.type("before the agent");
    await editor.page.locator(".quick-input-list .focused", { hasText: "before the agent" }).waitFor();
    await editor.press("Enter");
    await editor.status("patchpoint.review").filter({ hasText: "16 to review" }).waitFor();
});

step("in the tree, what was removed is seen before each change, and a or r decides and goes on", async () => {
    for (const change of IN_THE_TREE) {
        await look(change);
        const [row, , what] = change;
        if (what === "edit") {
            break;
        }
        await press(what === "keep" ? "a" : "r");
        if (what === "revert") {
            await because(row.includes("if line") ? REASON : "");
        }
        await decided();
    }
});

step("e goes on writing at a change, which is kept as it was edited", async () => {
    await press("e");
    await editor.page.locator(".tab.active", { hasText: /^d\.py$/ }).waitFor();
    await until("the cursor is there", async () => (await editor.position()).startsWith("Ln 3,"));
    await until("the keyboard is there", () =>
        editor.page.evaluate(() => Boolean(document.activeElement?.closest(".editor-instance"))),
    );
    await editor.press("End");
    await editor.page.keyboard.type("  # by hand");
    await editor.press("Control+s");
    await until("it is saved", () => project.read("d.py").includes("# by hand"));
    await editor.row("3: changed() # by hand").waitFor();
    await press("Alt+k");
    await decided();
});

step("in the editor the same is done by a key or two, to the last file", async () => {
    for (const change of IN_THE_EDITOR) {
        await look(change);
        const [, , what, tab, line, text] = change;
        // While another difference is opened, the keyboard is in none, and a key would be for nobody.
        await editor.page.locator(".tab.active", { hasText: `${tab} (since` }).waitFor();
        await until(`the cursor is in ${tab}`, async () => (await editor.position()).startsWith(`Ln ${line},`));
        await until(`${text} is shown`, async () => (await editor.text()).includes(text));
        await editor.page.waitForFunction(() => document.activeElement.closest(".monaco-diff-editor .modified"));
        await press(what === "keep" ? "Alt+k" : "Alt+Shift+k");
        if (what === "revert") {
            await because("");
        }
        await decided();
    }
});

step("the summary is sent, and every file is as it was decided, to the byte", async () => {
    await editor.copy("");
    await command("Patchpoint: Finish the Review");
    await editor.dialog().waitFor();
    await editor.press("Enter");
    const summary = await until("the summary is copied", async () => (await editor.paste()) || false);
    assert.match(summary, /kept 10, reverted 6/);
    assert.ok(summary.includes(REASON));
    await editor.press("Control+Alt+n");
    await editor.page.locator(".tab.active", { hasText: "Untitled-1" }).waitFor();
    await editor.press("Control+v");
    await until("it is pasted", async () => (await editor.text()).includes("kept 10, reverted 6"));
    await editor.illustrate("keyboard/17");

    const { "other.py": reverted, ...kept } = AFTER;
    const expected = {
        ...kept,
        "gone.py": BEFORE["gone.py"],
        "a.py": AFTER["a.py"].replace("    step(19)\n    changed()\n", "    step(19)\n    step(20)\n"),
        "b.py": AFTER["b.py"].replace("    step(19)\n", `    step(19)\n${GUARD}`),
        "c.py": AFTER["c.py"].replace("    step(30)\n    changed()\n", "    step(30)\n    step(31)\n"),
        "d.py": AFTER["d.py"].replace("changed()\n", "changed()  # by hand\n"),
        "e.py": AFTER["e.py"].replace("    step(30)\n    changed()\n", "    step(30)\n    step(31)\n"),
    };
    const { "old_name.py": renamed, ...files } = atFirst.files;
    const written = Object.entries(expected).map(([name, text]) => [name, `644 ${text}`]);
    assert.deepEqual(project.everything(), { ...atFirst, files: { ...files, ...Object.fromEntries(written) } });
    assert.equal(await editor.page.evaluate(() => window.pressed), 0, "the mouse was not used");
    assert.ok(keys <= 2 * EVERY.length, `${keys} keys for ${EVERY.length} changes`);
    console.log(`${keys} keys for ${EVERY.length} changes, and none of them by the mouse`);
});
