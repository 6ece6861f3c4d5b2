/** Offsets in a text, in UTF-16 units. */

import type { Range } from "../server/protocol.ts";

/** Return what gives the offset of a position in `text`; a place after the end is the end. */
export function offsetsIn(text: string): (position: Range["start"]) => number {
    const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((ending) => ending.index + ending[0].length)];
    return ({ line, character }) => Math.min((starts[line] ?? text.length) + character, text.length);
}
