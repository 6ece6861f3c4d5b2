// The example: an extension that uses what Patchpoint offers to others.

import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const EXTENSION = fileURLToPath(new URL("../../../editors/vscode", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("example", import.meta.url));

/** Package the example as an extension below a folder, and return the path of the .vsix. */
export function packaged(above) {
    const [source, vsix] = [join(above, "example"), join(above, "example.vsix")];
    cpSync(join(EXAMPLE, "package.json"), join(source, "package.json"));
    const esbuild = createRequire(join(EXTENSION, "package.json"))("esbuild");
    esbuild.buildSync({
        entryPoints: [join(EXAMPLE, "extension.ts")],
        outfile: join(source, "extension.cjs"),
        bundle: true,
        platform: "node",
        format: "cjs",
        external: ["vscode"],
    });
    const words = ["package", "--skip-license", "--allow-missing-repository", "--no-dependencies", "--out", vsix];
    const vsce = join(EXTENSION, "node_modules", ".bin", "vsce");
    execFileSync(vsce, words, { cwd: source, stdio: "pipe", env: { ...process.env, CI: "1" } });
    return vsix;
}
