/** A file's text as it would be with the lines of an edit at a place. */

import type { Range } from "../server/protocol.ts";

/** Return `text` with `wanted` in place of the range, which counts lines and UTF-16 units. */
export function inPlaceOf(text: string, range: Range, wanted: string): string {
    const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((ending) => ending.index + ending[0].length)];
    const offset = ({ line, character }: Range["start"]) =>
        Math.min((starts[line] ?? text.length) + character, text.length);
    const rest = text.slice(offset(range.end));
    // The search text may have ended with its last line, and the lines that replace it without.
    const joint =
        wanted !== "" && !/[\r\n]$/.test(wanted) && range.end.character === 0 && rest !== "" ? "\n" : "";
    return text.slice(0, offset(range.start)) + wanted + joint + rest;
}
