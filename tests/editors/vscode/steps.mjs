// Tests that are steps of one journey: if one fails, the later ones, which build on it, are not run.

import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";

/** A function that adds a step; a step that fails leaves a picture of the editor behind, and its log. */
export function steps(theEditor) {
    let healthy = true;
    return (name, walk) =>
        test(name, async (context) => {
            if (!healthy) {
                context.skip("an earlier step failed");
                return;
            }
            try {
                await walk();
            } catch (error) {
                healthy = false;
                const journey = basename(process.argv[1], ".test.mjs");
                const picture = join(tmpdir(), `patchpoint-vscode-failure-${journey}.png`);
                await theEditor().picture(picture);
                console.error(`See ${picture}. The log:\n${theEditor().log().slice(-3000)}`);
                throw error;
            }
        });
}
