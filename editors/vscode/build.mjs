// Bundles the extension into one file: dist/extension.cjs.
import { build } from "esbuild";

await build({
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.cjs",
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    minify: true,
    sourcemap: false,
    legalComments: "none",
    logLevel: "warning",
});
