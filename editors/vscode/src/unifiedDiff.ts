/** Reading a unified diff, and carrying a text across it in either direction. */

export type Direction = "forward" | "backward";

/** The diff does not belong to the text it was to be carried onto, or says nothing about lines (a binary file). */
export class DiffMismatch extends Error {}

interface Hunk {
    /** The first line on each side, counted from zero; where a side is empty, the line before which it stands. */
    oldStart: number;
    newStart: number;
    oldLines: string[];
    newLines: string[];
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * The text on the other side of `diff`: forward from its old side to its new one, or backward.
 *
 * Lines keep their own endings. Throws `DiffMismatch` when the lines of the text are not those of the diff.
 */
export function across(diff: string, text: string, direction: Direction): string {
    const lines = splitLines(text);
    const written: string[] = [];
    let at = 0;
    for (const hunk of hunks(diff)) {
        const [start, from, to] =
            direction === "forward"
                ? [hunk.oldStart, hunk.oldLines, hunk.newLines]
                : [hunk.newStart, hunk.newLines, hunk.oldLines];
        if (start < at || start > lines.length) {
            throw new DiffMismatch(`The difference speaks of line ${start + 1}, which is not there.`);
        }
        written.push(...lines.slice(at, start));
        for (const [offset, line] of from.entries()) {
            if (lines[start + offset] !== line) {
                throw new DiffMismatch(`Line ${start + offset + 1} is not the one that the difference has.`);
            }
        }
        written.push(...to);
        at = start + from.length;
    }
    written.push(...lines.slice(at));
    return written.join("");
}

/** How many lines `diff` adds and removes. */
export function size(diff: string): { added: number; removed: number } {
    let added = 0;
    let removed = 0;
    for (const hunk of hunks(diff)) {
        const common = hunk.context;
        added += hunk.newLines.length - common;
        removed += hunk.oldLines.length - common;
    }
    return { added, removed };
}

function* hunks(diff: string): Generator<Hunk & { context: number }> {
    const lines = splitLines(diff);
    let at = 0;
    let found = false;
    while (at < lines.length) {
        const header = HEADER.exec(lines[at] ?? "");
        at += 1;
        if (header === null) {
            continue;
        }
        found = true;
        const [oldCount, newCount] = [Number(header[2] ?? 1), Number(header[4] ?? 1)];
        const hunk = {
            oldStart: startOf(header[1], oldCount),
            newStart: startOf(header[3], newCount),
            oldLines: [] as string[],
            newLines: [] as string[],
            context: 0,
        };
        let last: string[][] = [];
        while (at < lines.length) {
            const line = lines[at] ?? "";
            if (line.startsWith("\\")) {
                for (const side of last) {
                    side.push((side.pop() ?? "").replace(/\r?\n$/, ""));
                }
                at += 1;
                continue;
            }
            if (hunk.oldLines.length === oldCount && hunk.newLines.length === newCount) {
                break;
            }
            last = sidesOf(line, hunk);
            hunk.context += last.length === 2 ? 1 : 0;
            for (const side of last) {
                side.push(line.slice(1));
            }
            at += 1;
        }
        if (hunk.oldLines.length !== oldCount || hunk.newLines.length !== newCount) {
            throw new DiffMismatch("The difference ends in the middle of a hunk.");
        }
        yield hunk;
    }
    if (!found && /^(Binary files|GIT binary patch)/m.test(diff)) {
        throw new DiffMismatch("The file is binary.");
    }
}

function startOf(line: string | undefined, count: number): number {
    return Number(line) - (count === 0 ? 0 : 1);
}

function sidesOf(line: string, hunk: Hunk): string[][] {
    switch (line[0]) {
        case "+":
            return [hunk.newLines];
        case "-":
            return [hunk.oldLines];
        case " ":
            return [hunk.oldLines, hunk.newLines];
        default:
            throw new DiffMismatch(`A line of the difference begins with ${JSON.stringify(line[0])}.`);
    }
}

/** The lines with their endings. A lone carriage return ends no line here: diffs know only line feeds. */
function splitLines(text: string): string[] {
    return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
