/**
 * Read unified diffs, and apply one to a text in either direction.
 *
 * Nothing here writes diffs. The server sends changes as diffs only, and the editor's difference view needs the whole
 * text of both sides: the other side is computed from the buffer, which the editor has anyway.
 */

export type Direction = "forward" | "backward";

/** The diff does not match the text that it is applied to, or has no lines (a binary file). */
export class DiffMismatch extends Error {}

interface Hunk {
    /** The first line on each side, counted from zero; if a side is empty, the line before which it is. */
    oldStart: number;
    newStart: number;
    oldLines: string[];
    newLines: string[];
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Return the text on the other side of `diff`: forward from the old side to the new one, or backward.
 *
 * Lines keep their own endings. Throws `DiffMismatch` if the lines of the text are not those of the diff.
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
            throw new DiffMismatch(`The diff changes line ${start + 1}, which the text does not have.`);
        }
        written.push(lines.slice(at, start).join(""));
        for (const [offset, line] of from.entries()) {
            if (lines[start + offset] !== line) {
                throw new DiffMismatch(`Line ${start + offset + 1} is not the one in the diff.`);
            }
        }
        written.push(to.join(""));
        at = start + from.length;
    }
    written.push(lines.slice(at).join(""));
    return written.join("");
}

/** Return how many lines `diff` adds and removes. */
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
            throw new DiffMismatch("The diff ends in the middle of a hunk.");
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
            throw new DiffMismatch(`A line of the diff begins with ${JSON.stringify(line[0])}.`);
    }
}

/** The lines with their endings. Only a line feed ends a line of a diff; a lone carriage return does not. */
function splitLines(text: string): string[] {
    return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
