// Less common set-ups: several folders, an installed server, and a folder that is not trusted.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe } from "node:test";
import { Editor, until } from "./editor.mjs";
import { Project, TWO_FILES } from "./project.mjs";
import { steps } from "./steps.mjs";

const VSIX = process.env.PATCHPOINT_VSIX;

function newProject(name = "shop") {
    const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "patchpoint-"))), name);
    mkdirSync(folder);
    return new Project(folder);
}

describe("with two folders and the server of the environment", () => {
    const [shop, other] = [newProject("shop"), newProject("other")];
    const workspace = join(shop.folder, "..", "both.code-workspace");
    const program = join(shop.folder, "..", "patchpoint");
    let editor;
    const step = steps(() => editor);
    after(async () => {
        await editor?.close();
        rmSync(join(shop.folder, ".."), { recursive: true, force: true });
        rmSync(join(other.folder, ".."), { recursive: true, force: true });
    });

    step("a program that is not there is named, with what to do", async () => {
        const folders = [{ path: shop.folder }, { path: other.folder }];
        writeFileSync(workspace, JSON.stringify({ folders }));
        const settings = {
            "git.enabled": false,
            "patchpoint.server.source": "environment",
            "patchpoint.server.path": program,
        };
        editor = await Editor.open(VSIX, workspace, { settings });
        await editor.notification(`${program}\` cannot be run`).waitFor();
        await until("the status bar shows it", async () =>
            (await editor.status().getAttribute("aria-label")).includes("cannot be run"),
        );
    });

    step("the message and the view offer what may help, and no checkpoints are said to be missing", async () => {
        const offered = editor.notification("cannot be run").locator(".monaco-button");
        for (const label of ["Open Settings", "Restart Server", "Show Log"]) {
            await offered.filter({ hasText: label }).waitFor();
        }
        await editor.command("Patchpoint: Show Checkpoints");
        const welcome = editor.page.locator(".part.sidebar .welcome-view-content");
        await welcome.filter({ hasText: "The server is not running" }).waitFor();
        for (const label of ["Restart Server", "Choose Python", "Open Settings", "Show Log"]) {
            await welcome.locator(".monaco-button", { hasText: label }).waitFor();
        }
        assert.equal(await welcome.filter({ hasText: "no checkpoints yet" }).filter({ visible: true }).count(), 0);
    });

    step("the interpreters that can run the bundled server are offered", async () => {
        await editor.command("Patchpoint: Choose Python for the Server");
        const rows = editor.page.locator(".quick-input-list .monaco-list-row");
        await rows
            .filter({ hasText: /Python 3\.1\d/ })
            .first()
            .waitFor();
        await rows.filter({ hasText: "Browse" }).waitFor();
        await editor.press("Escape");
    });

    step("once it is there, a restart is all it takes", async () => {
        const start = join(editor.extension, "bundled", "start.py");
        writeFileSync(program, `#!/bin/sh\nexec python3 -I "${start}" "$@"\n`);
        chmodSync(program, 0o755);
        await editor.command("Patchpoint: Restart Server");
        const status = editor.page.locator('[id="status.languageStatus"]');
        await editor.openFile("prices.py");
        await until("it runs", async () => (await status.getAttribute("aria-label")).includes("environment"));
    });

    step(
        "an answer for two files, of which none is open, is previewed in one view, written to disk, and reverted",
        async () => {
            await editor.command("View: Close All Editors");
            await editor.copy(TWO_FILES.replaceAll("shop/", "other/shop/").replaceAll("README", "other/README"));
            const before = other.everything();
            await editor.command("Patchpoint: Preview Edits from Clipboard");
            await editor.page.locator(".multi-diff-root-floating-menu, .multiDiffEntry").first().waitFor();
            const shown = editor.page.locator(".multiDiffEntry");
            await until("both files are in it", async () => (await shown.count()) === 2);
            assert.deepEqual(other.everything(), before);
            await editor.page.locator('.editor-actions .action-label[aria-label^="Apply Previewed Edits"]').click();
            await until("one file is written", () => other.read("README.md").includes("fine cloth"));
            await until("the other is written", () => other.read("shop/prices.py").includes("round(amount, 3)"));
            assert.equal(shop.checkpoints(), 0);
            assert.equal(other.checkpoints(), 1);
            await editor.chooseFrom(() => editor.command("Patchpoint: Revert Applied Edits"), "answer of");
            await editor.status().filter({ hasText: "Reverted 2 edits" }).waitFor();
            assert.deepEqual(other.everything(), before);
        },
    );

    step("each folder has its checkpoints, side by side in the view", async () => {
        await editor.command("View: Close All Editors");
        await editor.command("Patchpoint: Take Checkpoint");
        await editor.answer("shop");
        await editor.answer("only in shop");
        await until("it is there", () => shop.checkpoints() === 1);
        await editor.command("Patchpoint: Show Checkpoints");
        await editor.row("only in shop").waitFor();
        await editor.row("Before 2 edits").waitFor();
    });

    step("a checkpoint that takes long shows its progress, and can be cancelled", async () => {
        for (let folder = 0; folder < 300; folder += 1) {
            for (let file = 0; file < 200; file += 1) {
                shop.write(`many/${folder}/${file}.txt`, `${folder} ${file}\n`.repeat(30));
            }
        }
        await editor.command("Patchpoint: Take Checkpoint");
        await editor.answer("shop");
        await editor.answer("of very many files");
        const progress = editor.notification("Taking a checkpoint");
        await progress.locator(".monaco-button", { hasText: "Cancel" }).click();
        await editor.status().filter({ hasText: "Cancelled" }).waitFor();
        await progress.waitFor({ state: "detached" });
        assert.equal(shop.checkpoints(), 1);
    });
});

describe("in a folder that is not trusted", () => {
    const project = newProject();
    let editor;
    const step = steps(() => editor);
    after(async () => {
        await editor?.close();
        rmSync(join(project.folder, ".."), { recursive: true, force: true });
    });

    step("edits are shown, and nothing can be applied", async () => {
        editor = await Editor.open(VSIX, project.folder, { trusted: false });
        await editor.page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
        await editor.openFile("prices.py");
        const status = editor.page.locator('[id="status.languageStatus"]');
        await until("the server runs", async () => /Patchpoint \d/.test(await status.getAttribute("aria-label")));
        const before = project.everything();
        await editor.copy(TWO_FILES);
        await editor.command("Patchpoint: Apply Edits from Clipboard");
        await editor.notification("a folder that you do not trust").waitFor();
        await until("both files are shown", async () => (await editor.page.locator(".multiDiffEntry").count()) === 2);
        assert.equal(await editor.page.locator('.action-label[aria-label^="Apply Previewed Edits"]').count(), 0);
        assert.deepEqual(project.everything(), before);
        assert.equal(project.checkpoints(), 0);
    });
});
