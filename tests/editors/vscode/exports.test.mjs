// What the extension exports, used by another extension in a real VS Code: nobody is asked, and nothing waits for a person.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { EXTENSION, packaged } from "./example.mjs";
import { Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const above = realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-")));
const folder = join(above, "shop");
mkdirSync(folder);
const project = new Project(folder);

let editor;
let got;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder, { others: [packaged(above)] });
});

after(async () => {
    await editor?.close();
    rmSync(above, { recursive: true, force: true });
});

const step = steps(() => editor);
const statuses = ({ edits }) => edits.map(({ status }) => status);

step("an extension applies, previews, reviews, reverts and restores without a question to anybody", async () => {
    const before = project.everything();
    await editor.openFile("prices.py");
    await editor.command("Example: Use Patchpoint");
    await editor.notification("The example is done.").waitFor();
    got = JSON.parse(readFileSync(join(folder, "build", "example.json"), "utf8"));
    assert.equal(got.failed, undefined);
    assert.equal(await editor.page.locator(".tab", { hasText: "Patchpoint preview" }).count(), 0);
    assert.equal(await editor.dialog().count(), 0);
    assert.deepEqual(project.everything().head, before.head);
});

step("it gets what its declarations promise", async () => {
    assert.equal(got.version, 1);
    assert.match(got.serverVersion, /^\d+\.\d+\.\d+/);
    assert.match(got.instructions, /SEARCH/);
    assert.deepEqual(statuses(got.preview), ["matched"]);
    assert.equal(got.preview.applied, false);
    assert.match(got.preview.files[0].diff, /def total\(items, tax\)/);
    assert.equal(got.taken.label, "the example's");
    assert.deepEqual(statuses(got.dry), ["matched"], "the command itself answers, and waits for nobody");
    assert.deepEqual([got.dry.applied, got.dry.files[0].diff], [false, got.preview.files[0].diff]);
    assert.deepEqual(statuses(got.applied), ["applied"]);
    assert.deepEqual(statuses(got.ambiguous), ["ambiguous"]);
    assert.equal(got.pending.length, 1);
    assert.equal(got.pending[0].candidates.length, 2);
    assert.deepEqual(statuses(got.resolved), ["applied"]);
    assert.deepEqual(got.changes.map(({ uri }) => uri.split("/").at(-1)).sort(), ["prices.py", "shipping.py"]);
    assert.equal(got.review.open, 2);
    assert.deepEqual([got.finished.kept, got.finished.takenBack, got.finished.open], [1, 1, 0]);
    assert.match(got.finished.summary, /as an example/);
    assert.ok(got.applications.some(({ id }) => id === got.resolved.application));
    assert.deepEqual(statuses(got.reverted), ["reverted"]);
    assert.deepEqual(statuses(got.drifted), ["applied"]);
    assert.ok(got.checkpoints.includes("the example's"));
});

step("what went wrong has a code, and everything that happened was an event", async () => {
    assert.equal(got.refused.isError, true);
    assert.equal(got.refused.code, "checkpoint-not-found");
    for (const event of ["applied true", "pending", "checkpoint the example's", "review 2"]) {
        assert.ok(got.events.includes(event), `${event} is not among ${got.events}`);
    }
    assert.ok(got.events.some((event) => event.startsWith("restored ")));
});

step("the declarations come with the extension", async () => {
    const [shipped, source] = [editor.extension, EXTENSION].map((at) =>
        readFileSync(join(at, "patchpoint.d.ts"), "utf8"),
    );
    assert.equal(shipped, source);
});

step("the files are as the calls left them", async () => {
    assert.match(project.read("shop/cart.py"), /def total\(items, tax\)/);
    assert.match(project.read("shop/shipping.py"), /if weight <= 0:[\s\S]*if weight <= 0:/);
    await editor.openFile("prices.py");
    await until("what was taken back is back", async () => (await editor.text()).includes("round(amount, 2)"));
});
