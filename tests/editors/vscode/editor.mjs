// A real VS Code (code-server, in headless Chromium) with the packaged extension in it, and what a person does there.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const TOOLS = process.env.PATCHPOINT_VSCODE;
const CODE_SERVER = join(TOOLS, "node_modules", ".bin", "code-server");
const { chromium } = createRequire(join(TOOLS, "x.js"))("playwright-core");

/** The folder of extensions into which the packaged one is installed already; without it each editor installs it. */
const INSTALLED = process.env.PATCHPOINT_EXTENSIONS;

const PATIENCE = 120_000;

/** Of pictures in WebP, from 0 to 1: letters have no halos yet. */
const QUALITY = 0.85;

/** What is not in a picture: it is gone after a moment, or only says where the window is scrolled to. */
const FLEETING = ".scrollbar, .diffOverview .diffViewport, .notifications-toasts";

/** What moves is drawn up to sixty times a second, which without a graphics card is up to a fifth of a journey. */
const STILL = `*, ::before, ::after {
    animation-duration: 1ms !important;
    animation-iteration-count: 1 !important;
    transition: none !important;
}`;

/** Where the pictures of the documentation go; without it there are none. */
const PICTURES = process.env.PATCHPOINT_PICTURES;

const SETTINGS = {
    "chat.disableAIFeatures": true,
    "editor.minimap.enabled": false,
    "extensions.ignoreRecommendations": true,
    "files.autoSave": "off",
    "merge-conflict.codeLens.enabled": false,
    "merge-conflict.decorators.enabled": false,
    "telemetry.telemetryLevel": "off",
    "window.commandCenter": false,
    "workbench.layoutControl.enabled": false,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "workbench.welcomePage.walkthroughs.openOnInstall": false,
};

/** Wait until `check` returns something true, and return that. It may throw while things are not ready. */
export async function until(what, check, patience = PATIENCE) {
    let problem = "";
    for (const end = Date.now() + patience; Date.now() < end; ) {
        try {
            const answer = await check();
            if (answer) {
                return answer;
            }
            problem = "";
        } catch (error) {
            problem = `: ${error.message}`;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`Waited in vain until ${what}${problem}`);
}

/** Called in a page before it is read: add a style sheet to it. */
function addStyles(rules) {
    document.addEventListener("DOMContentLoaded", () => {
        const sheet = document.createElement("style");
        sheet.textContent = rules;
        document.head.append(sheet);
    });
}

/** Write what VS Code notes of an installed language pack: here one without a single translation. */
function pretendLanguagePack(data, language) {
    const texts = join(data, "main.i18n.json");
    writeFileSync(texts, JSON.stringify({ version: "1.0.0", contents: {} }));
    const extensions = [{ extensionIdentifier: { id: `tests.${language}` }, version: "1.0.0" }];
    const pack = { hash: "0", label: language, extensions, translations: { vscode: texts } };
    writeFileSync(join(data, "languagepacks.json"), JSON.stringify({ [language]: pack }));
}

/** Copy the extensions that are installed already into another folder, which they then say that they are in. */
function copyInstalled(extensions) {
    cpSync(INSTALLED, extensions, { recursive: true, preserveTimestamps: true });
    const listed = join(extensions, "extensions.json");
    writeFileSync(listed, readFileSync(listed, "utf8").replaceAll(INSTALLED, extensions));
}

export class Editor {
    /**
     * Install `vsix`, and `others`, into a fresh VS Code, and open `folder` in it: a folder, or a file that names several.
     * With `language`, such as `de`, that is the language of the display, for which VS Code itself has no words but English.
     */
    static async open(vsix, folder, { trusted = true, settings = {}, others = [], language } = {}) {
        const home = mkdtempSync(join(tmpdir(), "patchpoint-vscode-"));
        const [data, extensions] = [join(home, "data"), join(home, "extensions")];
        mkdirSync(join(data, "User"), { recursive: true });
        const chosen = { ...SETTINGS, ...settings };
        writeFileSync(join(data, "User", "settings.json"), JSON.stringify(chosen));
        if (language !== undefined) {
            pretendLanguagePack(data, language);
        }
        const folders = ["--user-data-dir", data, "--extensions-dir", extensions];
        const env = {
            ...process.env,
            HOME: home,
            XDG_STATE_HOME: join(home, "state"),
            XDG_DATA_HOME: join(home, "share"),
        };
        if (INSTALLED !== undefined) {
            copyInstalled(extensions);
        }
        for (const extension of INSTALLED === undefined ? [vsix, ...others] : others) {
            execFileSync(CODE_SERVER, [...folders, "--install-extension", extension], { env, stdio: "pipe" });
        }

        const quiet = ["--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry", "--disable-update-check"];
        const trust = trusted ? ["--disable-workspace-trust"] : [];
        const display = language === undefined ? [] : ["--locale", language];
        const options = [...quiet, ...trust, ...display, "--disable-getting-started-override"];
        const server = spawn(CODE_SERVER, [...folders, ...options, folder], { env });
        const editor = new Editor(home, extensions, server);
        const address = await until("code-server listens", () => /http:\/\/127\.0\.0\.1:\d+/.exec(editor.output)?.[0]);
        editor.browser = await chromium.launch({
            executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
            args: [
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        });
        const context = await editor.browser.newContext({
            viewport: { width: 1360, height: 760 },
            deviceScaleFactor: PICTURES === undefined ? 1 : 2,
            reducedMotion: "reduce",
            // Compressing the workbench here and unpacking it there is a tenth of a start.
            extraHTTPHeaders: { "Accept-Encoding": "identity" },
        });
        await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: address });
        editor.page = await context.newPage();
        await editor.page.addInitScript(addStyles, STILL);
        editor.page.setDefaultTimeout(PATIENCE);
        const kind = folder.endsWith(".code-workspace") ? "workspace" : "folder";
        await editor.page.goto(`${address}/?${kind}=${encodeURIComponent(folder)}`);
        await editor.page.waitForSelector(".monaco-workbench");
        return editor;
    }

    constructor(home, extensions, server) {
        this.home = home;
        this.extensions = extensions;
        this.server = server;
        this.output = "";
        for (const stream of [server.stdout, server.stderr]) {
            stream.on("data", (text) => {
                this.output += text;
            });
        }
    }

    async close() {
        await this.browser?.close();
        const ended = new Promise((resolve) => this.server.once("exit", resolve));
        this.server.kill();
        await ended;
        rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
    }

    /** The folder of the installed extension. */
    get extension() {
        const name = readdirSync(this.extensions).find((entry) => entry.startsWith("patchpoint."));
        return join(this.extensions, name);
    }

    /** What the extension and its server have logged. */
    log() {
        const logs = join(this.home, "data", "logs");
        const names = readdirSync(logs, { recursive: true }).filter((name) => name.endsWith("Patchpoint.log"));
        return names.map((name) => readFileSync(join(logs, name), "utf8")).join("");
    }

    /** The processes of the extension's server. */
    servers() {
        const start = join(this.extension, "bundled", "start.py");
        return readdirSync("/proc")
            .filter((entry) => /^\d+$/.test(entry))
            .filter((entry) => {
                try {
                    return readFileSync(join("/proc", entry, "cmdline"), "utf8").includes(`${start}\0serve`);
                } catch {
                    return false;
                }
            })
            .map(Number);
    }

    /** Write a picture of the whole window to a file. */
    async picture(path) {
        await this.page.mouse.move(700, 5);
        await this.page.screenshot({ path, animations: "disabled", caret: "hide" });
    }

    /**
     * Write a picture for the documentation, if $PATCHPOINT_PICTURES says where to.
     *
     * With `size`, the window is made that large for it, so that its text can be read where the picture is shown; with
     * `clip`, only that part of the window is in it. Both are in CSS pixels.
     */
    async illustrate(name, { size, clip } = {}) {
        if (PICTURES === undefined) {
            return;
        }
        const before = this.page.viewportSize();
        await this.resize(size ?? before);
        await this.page.mouse.move((size ?? before).width - 20, 5);
        const drawn = await this.page.screenshot({
            animations: "disabled",
            caret: "hide",
            style: `${FLEETING} { visibility: hidden !important }`,
            ...(clip && { clip }),
        });
        await this.resize(before);
        const path = join(PICTURES, `${name}.webp`);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, await this.asWebp(drawn));
    }

    /** Give the window another size, and wait until it is drawn in it. */
    async resize(size) {
        await this.page.setViewportSize(size);
        await this.page.waitForFunction(
            ({ width }) => document.querySelector(".monaco-workbench").clientWidth === width,
            size,
        );
        await this.page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestAnimationFrame(done))));
    }

    /** Return a picture in PNG as one in WebP, made by the browser. */
    async asWebp(png) {
        const page = await this.browser.newPage();
        const encoded = await page.evaluate(
            async ({ source, quality }) => {
                const image = new Image();
                image.src = source;
                await image.decode();
                const canvas = document.createElement("canvas");
                [canvas.width, canvas.height] = [image.width, image.height];
                canvas.getContext("2d").drawImage(image, 0, 0);
                return canvas.toDataURL("image/webp", quality);
            },
            { source: `data:image/png;base64,${png.toString("base64")}`, quality: QUALITY },
        );
        await page.close();
        return Buffer.from(encoded.slice(encoded.indexOf(",") + 1), "base64");
    }

    // Keyboard, clipboard and commands ----------------------------------------------------------------------------

    async copy(text) {
        await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    }

    paste() {
        return this.page.evaluate(() => navigator.clipboard.readText());
    }

    press(keys) {
        return this.page.keyboard.press(keys);
    }

    /** Run a command from the palette by its title. */
    command(title) {
        return this.chooseFrom(() => this.lookFor("F1", `>${title}`), title);
    }

    /** Choose the entry of the open list that has this text. */
    async choose(text) {
        await this.entry(text).click();
    }

    /**
     * Open a list by `open`, and choose its entry that has this text.
     *
     * What the window draws at that moment may close a list, and one that is opened while extensions start lacks their
     * entries for as long as it is open: a person would open it again.
     */
    async chooseFrom(open, text) {
        await until(`${text} is chosen`, async () => {
            await open();
            await this.entry(text).click({ timeout: 5_000 });
            return true;
        });
    }

    entry(text) {
        return this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
    }

    /** Open the list of commands or files by its keys, and write into its box. */
    async lookFor(keys, text) {
        const input = this.page.locator(".quick-input-widget input.input");
        await until(`${text} is looked for`, async () => {
            if (await input.isVisible()) {
                // In the open list the keys would choose the next entry, and the same text would not be looked for again.
                await this.press("Escape");
                await input.waitFor({ state: "hidden", timeout: 5_000 });
            }
            await this.press(keys);
            await input.fill(text, { timeout: 5_000 });
            return (await input.inputValue()) === text;
        });
    }

    /**
     * Choose an entry of the menu that the light bulb opens at the cursor, until `isDone`; `look` at the menu before.
     *
     * Anything that the window draws at that moment closes the menu: a person would open it again. While it is open,
     * the same keys accept the focused entry, so it is closed first.
     */
    async quickFix(text, isDone, look = async () => {}) {
        const menu = this.page.locator(".action-widget .monaco-list-row");
        const entry = menu.filter({ hasText: text });
        await until(`${text} is chosen`, async () => {
            await this.press("Escape");
            await this.press("Control+.");
            await entry.waitFor({ timeout: 5_000 });
            await look(menu);
            await entry.click({ timeout: 3_000 });
            return until("it is done", isDone, 10_000);
        });
    }

    /** Answer the open question for a line of text. */
    async answer(text) {
        const input = this.page.locator(".quick-input-widget input.input");
        await input.fill(text);
        await input.press("Enter");
    }

    /** Open a file by its name. */
    async openFile(name) {
        await this.showFile(name);
        await this.page.locator(".editor-group-container.active .view-line").first().waitFor();
    }

    /** Show a file in the active group of editors; it may be empty. */
    async showFile(name) {
        await until(`${name} is shown`, async () => {
            // A busy VS Code may lose what was chosen: the list stays open.
            await this.chooseFrom(() => this.lookFor("Control+p", name), name);
            await this.page.locator(".tab.active", { hasText: name }).waitFor({ timeout: 5_000 });
            return true;
        });
    }

    /** Select whole lines of the active editor, numbered from 1; none of them may be wrapped. */
    async selectLines(first, last) {
        await this.press("Control+g");
        await this.answer(`:${first}`);
        await until(`line ${first} is reached`, async () => (await this.position()).startsWith(`Ln ${first}, Col 1`));
        for (let line = first; line <= last; line += 1) {
            await this.press("Shift+ArrowDown");
        }
        await until("they are selected", async () => (await this.position()).startsWith(`Ln ${last + 1}, Col 1 (`));
    }

    // What is seen ------------------------------------------------------------------------------------------------

    /** The visible text of the active editor. */
    async text() {
        const lines = this.page.locator(".editor-group-container.active .editor-instance .view-lines").last();
        const drawn = await lines.locator(".view-line").evaluateAll((nodes) =>
            nodes
                .map((node) => [Number.parseFloat(node.style.top), node.textContent])
                .sort(([one], [other]) => one - other)
                .map(([, text]) => text),
        );
        return drawn.join("\n").replaceAll("\u00a0", " ");
    }

    /** All text of the focused editor, visible or not. */
    async wholeText() {
        await this.copy("");
        await this.press("Control+a");
        await this.press("Control+c");
        return until("it is copied", () => this.paste());
    }

    /** The position of the cursor, as the status bar shows it. */
    async position() {
        return (await this.page.locator('[id="status.editor.selection"]').innerText()).trim();
    }

    /** The lenses of the active editor with this text. */
    lens(text) {
        return this.page.locator(".editor-group-container.active .codelens-decoration a", { hasText: text });
    }

    /** Whether the tab of that file is marked as unsaved. */
    async isDirty(name) {
        const classes = await this.page.locator(".tab", { hasText: name }).first().getAttribute("class");
        return classes.split(" ").includes("dirty");
    }

    /** The extension's item in the status bar, or that of its preview. */
    status(name = "patchpoint") {
        return this.page.locator(`[id="patchpoint.patchpoint.${name}"]`);
    }

    /** A row of the view of checkpoints. */
    row(text) {
        return this.page.locator(".part.sidebar .monaco-list-row", { hasText: text }).first();
    }

    /** Expand a row until the row `below` is visible, however often the view is drawn again meanwhile. */
    async expand(text, below) {
        await until(`${below} is below ${text}`, async () => {
            if ((await this.row(text).getAttribute("aria-expanded")) !== "true") {
                await this.row(text).click();
            }
            return this.row(below).isVisible();
        });
    }

    /**
     * Press a button of a row, which appears under the mouse only, until `isDone`.
     *
     * While a view is drawn again, VS Code does not know which row a button is in: a person would press it again.
     */
    async rowButton(text, label, isDone) {
        await until(`${label} of ${text} is done`, async () => {
            if (!(await isDone())) {
                await this.row(text).hover();
                await this.row(text).locator(`.action-label[aria-label^="${label}"]`).click({ timeout: 3_000 });
                await until("it is done", isDone, 5_000);
            }
            return true;
        });
    }

    /** Choose an entry of the context menu of a row. */
    async rowMenu(text, label) {
        const entry = this.page.locator(".context-view .action-menu-item", { hasText: label });
        await until(`${label} of ${text} is chosen`, async () => {
            await this.press("Escape");
            await this.row(text).click({ button: "right" });
            await entry.waitFor({ timeout: 3_000 });
            // An entry of a menu that has just opened ignores the mouse for its first 100 ms, and stays open.
            for (const end = Date.now() + 5_000; (await entry.isVisible()) && Date.now() < end; ) {
                await entry.click({ timeout: 1_000 }).catch(() => {});
                await entry.waitFor({ state: "hidden", timeout: 500 }).catch(() => {});
            }
            return !(await entry.isVisible());
        });
    }

    dialog() {
        return this.page.locator(".monaco-dialog-box");
    }

    async dialogButton(label) {
        await this.dialog().locator(".monaco-button", { hasText: label }).click();
        await this.dialog().waitFor({ state: "detached" });
    }

    notification(text) {
        return this.page.locator(".notifications-toasts .notification-toast", { hasText: text });
    }
}
