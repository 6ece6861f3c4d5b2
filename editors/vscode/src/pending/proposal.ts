/** A file's text as it would be with the lines of an edit at a place. */

import { offsetsIn } from "../differences/positions.ts";
import type { Range } from "../server/protocol.ts";

/** Return `text` with `wanted` in place of the range, which counts lines and UTF-16 units. */
export function inPlaceOf(text: string, range: Range, wanted: string): string {
    const offset = offsetsIn(text);
    const rest = text.slice(offset(range.end));
    // The search text may have ended with its last line, and the lines that replace it without.
    const joint =
        wanted !== "" && !/[\r\n]$/.test(wanted) && range.end.character === 0 && rest !== "" ? "\n" : "";
    return text.slice(0, offset(range.start)) + wanted + joint + rest;
}
