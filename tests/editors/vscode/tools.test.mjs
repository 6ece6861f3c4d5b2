// The tools that language models have: called by another extension as an agent calls them, in a real VS Code.

import assert from "node:assert/strict";
import {
    chmodSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    realpathSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { Editor, until } from "./editor.mjs";
import { packaged } from "./example.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const above = realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-")));
const folder = join(above, "shop");
mkdirSync(folder);
const project = new Project(folder);

/** An installed server, with what `patchpoint mcp` needs. */
const ROOT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const PYTHON = process.env.PATCHPOINT_PYTHON ?? join(ROOT, ".venv", "bin", "python");
const program = join(above, "patchpoint");

let editor;
let got;

before(async () => {
    writeFileSync(program, `#!/bin/sh\nPYTHONPATH="${ROOT}/server" exec "${PYTHON}" -m patchpoint "$@"\n`);
    chmodSync(program, 0o755);
    const settings = {
        "chat.disableAIFeatures": false,
        "patchpoint.server.source": "environment",
        "patchpoint.server.path": program,
    };
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder, { others: [packaged(above)], settings });
});

after(async () => {
    await editor?.close();
    rmSync(above, { recursive: true, force: true });
});

const step = steps(() => editor);

/** The command lines of the processes that were started by the program. */
function running() {
    return readdirSync("/proc")
        .filter((entry) => /^\d+$/.test(entry))
        .map((entry) => {
            try {
                return readFileSync(join("/proc", entry, "cmdline"), "utf8");
            } catch {
                return "";
            }
        })
        .filter((line) => line.includes("\0patchpoint\0"))
        .join("\n");
}

step("the server for agents is offered to VS Code, which starts it in the folder", async () => {
    await editor.openFile("README.md");
    // The list that is open does not change: it lacks the server until that has answered.
    await until("it is listed", async () => {
        await editor.press("Escape");
        await editor.command("MCP: List Servers");
        const row = editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "Patchpoint" });
        await row.first().click({ timeout: 3_000 });
        return true;
    });
    await editor.choose("Start Server");
    await until("it runs", () => running().includes(`mcp\0${folder}\0`));
});

step("a model's edits that quote the file are applied at once; what is misquoted, its user sees first", async () => {
    await editor.openFile("README.md");
    await editor.command("Example: Use the Tools of Patchpoint");
    await editor.page.locator(".tab.active", { hasText: "cart.py: Patchpoint preview" }).waitFor();
    assert.equal(project.read("shop/prices.py"), "def rounded(amount):\n    return round(amount, 3)\n");
    assert.match(project.read("shop/cart.py"), /def total\(items\):/);
    await editor.status("patchpoint.preview").click();
    await until("it is applied", () => /def total\(items, tax\):/.test(project.read("shop/cart.py")));
    const wanted = editor.page.locator(".modified-in-monaco-diff-editor .view-line", { hasText: "rebate" });
    await wanted.first().waitFor();
    await editor.page.locator('.editor-actions .action-label[aria-label^="Discard Previewed Edits"]').click();
    await editor.notification("The example is done.").waitFor();
    got = JSON.parse(readFileSync(join(folder, "build", "tools.json"), "utf8"));
    assert.equal(got.failed, undefined);
});

step("the tools are those of the server for agents, with the same parameters", async () => {
    const { contributes } = JSON.parse(readFileSync(join(editor.extension, "package.json"), "utf8"));
    const declared = contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) => ({
        name,
        description: modelDescription,
        parameters: Object.keys(inputSchema.properties),
    }));
    const sorted = (tools) => tools.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    assert.deepEqual(sorted(got.tools), sorted(declared));
    assert.equal(declared.length, 8);
    assert.ok(
        got.others.some((name) => name.endsWith("apply_edits")),
        `${got.others}`,
    );
});

step("each answers in words that a model can go on with", async () => {
    assert.match(got.taken, /^[0-9a-z-]+ \d{4}-\S+ \d+ files the tools'$/);
    assert.match(
        got.previewed,
        /^Edit 1, shop\/prices\.py:2: would be applied\n[\s\S]*\+ {4}return round\(amount, 3\)/,
    );
    assert.match(got.applied, /^Edit 1, shop\/prices\.py:2: applied\nrevert_edits with application \S+ reverts this\./);
    assert.match(got.applied, /Checkpoint \S+ has the files as they were before\.$/);
    assert.match(got.ambiguous, /ambiguous\n[\s\S]*lines 5, 11[\s\S]*No file was changed\./);
    assert.match(got.pending, /shop\/shipping\.py.*: ambiguous\n/);
    assert.match(got.checkpoints, /Before 1 edit: prices\.py\n.*the tools'/);
    assert.match(got.changed, /^--- a\/shop\/prices\.py\n[\s\S]*\+ {4}return round\(amount, 3\)/m);
    assert.match(got.misspelt, /^failed: .*txt/);
    assert.match(got.reviewed, /shop\/cart\.py.*: applied \(found by similarity/);
    assert.match(got.declined, /^The user reviewed the edits and declined/);
});

step("nothing else was changed, and what was declined is not pending", async () => {
    assert.doesNotMatch(project.read("shop/cart.py"), /rebate/);
    assert.match(project.read("shop/shipping.py"), /if weight <= 0:[\s\S]*if weight <= 0:/);
    assert.equal(await editor.page.locator(".tab", { hasText: "Patchpoint preview" }).count(), 0);
});
