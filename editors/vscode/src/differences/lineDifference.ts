/** The lines in which two texts differ. */

/** The offsets of what is replaced, and what replaces it. */
export interface Replacement {
    start: number;
    end: number;
    text: string;
}

/**
 * Return the one replacement of whole lines that makes `to` of `from`: the lines that both begin with and those that
 * both end with are left alone.
 */
export function lineDifference(from: string, to: string): Replacement {
    const [old, wanted] = [linesOf(from), linesOf(to)];
    const shorter = Math.min(old.length, wanted.length);
    let first = 0;
    while (first < shorter && old[first] === wanted[first]) {
        first += 1;
    }
    let last = 0;
    while (last < shorter - first && old.at(-1 - last) === wanted.at(-1 - last)) {
        last += 1;
    }
    const start = old.slice(0, first).join("").length;
    const end = from.length - old.slice(old.length - last).join("").length;
    return { start, end, text: wanted.slice(first, wanted.length - last).join("") };
}

function linesOf(text: string): string[] {
    return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
