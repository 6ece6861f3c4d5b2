/** The text of a file's bytes by the rule of the server, whose differences are to match it. */

/**
 * Return the text: a byte-order mark decides; without one it is UTF-8, and failing that a single-byte encoding.
 *
 * The rule is that of `text/encoding.py`. Throws `TypeError` where the bytes are not text.
 */
export function decoded(bytes: Uint8Array): string {
    const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
    if (marked !== undefined) {
        return new TextDecoder(marked.encoding, { fatal: true }).decode(bytes);
    }
    if (bytes.includes(0)) {
        throw new TypeError("The file is binary.");
    }
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
        return new TextDecoder("windows-1252", { fatal: true }).decode(bytes);
    }
}

/** Whether the bytes are text by that rule, and an editor that takes every file for UTF-8 would misread them. */
export function isSingleByte(bytes: Uint8Array): boolean {
    try {
        const isMarked = MARKS.some(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
        const [read, is] = [new TextDecoder().decode(bytes), decoded(bytes)];
        return !isMarked && read.includes("\uFFFD") && !is.includes("\uFFFD");
    } catch {
        return false;
    }
}

const MARKS = [
    { mark: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
    { mark: [0xff, 0xfe], encoding: "utf-16le" },
    { mark: [0xfe, 0xff], encoding: "utf-16be" },
];
