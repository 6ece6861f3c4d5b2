// The extension in a VS Code whose display is in German: its own words are, those of the editor are left in English here.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Editor, until } from "./editor.mjs";
import { AMBIGUOUS, Project } from "./project.mjs";
import { steps } from "./steps.mjs";

const above = realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-")));
const folder = join(above, "shop");
mkdirSync(folder);
const project = new Project(folder);

let editor;

before(async () => {
    editor = await Editor.open(process.env.PATCHPOINT_VSIX, folder, { language: "de" });
});

after(async () => {
    await editor?.close();
    rmSync(above, { recursive: true, force: true });
});

const step = steps(() => editor);

step("commands, views and what an empty one says are in German", async () => {
    await editor.openFile("shipping.py");
    await editor.command("Patchpoint: Prüfpunkte anzeigen");
    const view = editor.page.locator(".part.sidebar");
    await view.getByText("Es gibt noch keine Prüfpunkte").waitFor();
    await view.getByText("Patchpoint: Prüfpunkte").first().waitFor();
});

step("what the extension asks and says is in German, with the numbers in their place", async () => {
    await editor.command("Patchpoint: Prüfpunkt erstellen");
    await editor.page.locator(".quick-input-widget", { hasText: "unter der er zu finden ist" }).waitFor();
    await editor.answer("vor dem Agenten");
    await until("the checkpoint is taken", () => project.checkpoints() === 1);
    await editor.status().filter({ hasText: "Prüfpunkt „vor dem Agenten“ mit 6 Dateien" }).waitFor();
    await editor.row("vor dem Agenten").filter({ hasText: "gerade eben" }).waitFor();
    await editor.copy(AMBIGUOUS);
    await editor.command("Patchpoint: Bearbeitungen aus der Zwischenablage anwenden");
    const message = editor.notification("Es wurde nichts geändert: 1 mehrdeutig");
    await message.locator(".monaco-button", { hasText: "Stelle auswählen" }).waitFor();
    await editor.row("shipping.py:5").filter({ hasText: "1 mehrdeutig" }).waitFor();
    await editor.row("Zeile 11").waitFor();
    assert.equal(project.checkpoints(), 1);
});
