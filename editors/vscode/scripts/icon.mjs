// Draws media/icon.png from media/icon.svg with a browser: node scripts/icon.mjs FOLDER_WITH_PLAYWRIGHT
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const { chromium } = createRequire(join(resolve(process.argv[2]), "x.js"))("playwright-core");
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
const svg = readFileSync(new URL("../media/icon.svg", import.meta.url), "utf8");
await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
await page.screenshot({ path: new URL("../media/icon.png", import.meta.url).pathname, omitBackground: true });
await browser.close();
