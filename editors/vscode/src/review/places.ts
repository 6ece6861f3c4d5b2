/** Where the changes of a review are: at a line, after it, or in the lines that the editor compares. */

import type { Hunk, Range, ReviewedFile } from "../server/protocol.ts";

/** One change of a review, in its file. */
export interface Change {
    file: ReviewedFile;
    hunk: Hunk;
}

/** Lines that the editor's own comparison found, numbered from 1; a side without lines ends at 0. */
export interface LineChange {
    originalStartLineNumber: number;
    originalEndLineNumber: number;
    modifiedStartLineNumber: number;
    modifiedEndLineNumber: number;
}

/** Return all changes, in the order in which they are gone through. */
export function changesOf(files: ReviewedFile[]): Change[] {
    return files.flatMap((file) => file.hunks.map((hunk) => ({ file, hunk })));
}

/** Return the first change nobody has decided about, after a line of the file `uri`, and from the top again. */
export function nextOpen(files: ReviewedFile[], uri?: string, line = -1): Change | undefined {
    const at = files.findIndex((file) => file.uri === uri);
    const open = changesOf(files).filter(({ hunk }) => hunk.decision === "open");
    const isAfter = ({ file, hunk }: Change) => {
        const place = files.indexOf(file);
        return place > at || (place === at && startOf(hunk.range) > line);
    };
    return open.find(isAfter) ?? open[0];
}

/** Return the change of a file that a line is in, of the file as it is or, with `isOld`, as it was. */
export function changeAt(file: ReviewedFile, line: number, isOld: boolean): Hunk | undefined {
    return file.hunks.find(({ range, oldRange }) => isAt(isOld ? oldRange : range, line));
}

/** Return the changes of a file that have lines of the editor's own comparison, on either side. */
export function changesWithin(file: ReviewedFile, lines: LineChange): Hunk[] {
    const was = linesOf(lines.originalStartLineNumber, lines.originalEndLineNumber);
    const is = linesOf(lines.modifiedStartLineNumber, lines.modifiedEndLineNumber);
    return file.hunks.filter(
        ({ range, oldRange }) =>
            range === null || oldRange === null || meet(rows(range), is) || meet(rows(oldRange), was),
    );
}

/** The line that a change begins at, from 0. */
export function startOf(range: Range | null): number {
    return range?.start.line ?? 0;
}

/** Whether a line is in `range`; every line is in a file that is one change as a whole. */
function isAt(range: Range | null, line: number): boolean {
    const [start, end] = range === null ? [0, Number.POSITIVE_INFINITY] : rows(range);
    return start <= line && line < Math.max(end, start + 1);
}

type Rows = [start: number, end: number];

function rows({ start, end }: Range): Rows {
    return [start.line, end.character === 0 ? end.line : end.line + 1];
}

/** Of a side without lines, the editor gives the line after which they would be. */
function linesOf(start: number, end: number): Rows {
    return end === 0 ? [start, start] : [start - 1, end];
}

function meet([start, end]: Rows, [otherStart, otherEnd]: Rows): boolean {
    return start < otherEnd && otherStart < end;
}
