// What an agent does to a project that is reviewed: it changes twelve places in five files, deletes one, creates two and
// renames one.

import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";

export const GUARD = "    if line == 20:\n        raise ValueError(line)\n";

/** Forty lines, of which those are changed, and one is another text. */
const lines = (changed = [], at = -1, other = "") =>
    Array.from({ length: 40 }, (_, line) =>
        line === at ? other : changed.includes(line) ? "    changed()\n" : `    step(${line})\n`,
    ).join("");

const CHANGED = {
    "a.py": [`def a():\n${lines()}`, `def a():\n${lines([5, 20, 35])}`],
    "b.py": [`def b(line):\n${lines([], 20, GUARD)}`, `def b(line):\n${lines([5, 35], 20)}`],
    "c.py": [`def c():\n${lines()}`, `def c():\n${lines([1, 31])}`],
    "d.py": [`def d():\n${lines()}`, `def d():\n${lines([1, 31])}`],
    "e.py": [`def e():\n${lines()}`, `def e():\n${lines([1, 31])}`],
};
const GONE = "def gone():\n    return 0\n";
const NAMED = "def named():\n    return 1\n";

const texts = (side) => Object.fromEntries(Object.entries(CHANGED).map(([name, both]) => [name, both[side]]));

/** The files by their names, as they are before the agent and after it. */
export const BEFORE = { ...texts(0), "gone.py": GONE, "old_name.py": NAMED };
export const AFTER = { ...texts(1), "new_name.py": NAMED, "fresh.py": "FRESH = 1\n", "other.py": "OTHER = 1\n" };

/** Write the files as they are before the agent, and commit them. */
export function prepare(project) {
    for (const [name, text] of Object.entries(BEFORE)) {
        project.write(name, text);
    }
    project.git("add", ".");
    project.git("commit", "-q", "-m", "More files");
}

export function theAgentWrites(project) {
    rmSync(join(project.folder, "gone.py"));
    renameSync(join(project.folder, "old_name.py"), join(project.folder, "new_name.py"));
    for (const [name, text] of Object.entries(AFTER)) {
        if (name !== "new_name.py") {
            project.write(name, text);
        }
    }
}
