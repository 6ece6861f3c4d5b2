import assert from "node:assert/strict";
import { test } from "node:test";
import { decoded, isSingleByte } from "../src/differences/encoding.ts";

const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding);

test("bytes are UTF-8, and Latin-1 or Windows-1252 where they are not", () => {
    assert.equal(decoded(bytes("größe\r\n", "utf8")), "größe\r\n");
    assert.equal(decoded(bytes("größe\r\n", "latin1")), "größe\r\n");
    assert.equal(decoded(Uint8Array.of(0x93, 0x61, 0x94)), "“a”");
    assert.equal(decoded(new Uint8Array()), "");
});

test("a byte-order mark decides, and is not of the text", () => {
    assert.equal(decoded(bytes("\uFEFFgröße", "utf8")), "größe");
    assert.equal(decoded(bytes("\uFEFFgröße", "utf16le")), "größe");
    assert.equal(decoded(bytes("\uFEFFgröße", "utf16le").swap16()), "größe");
});

test("what is not text is refused", () => {
    assert.throws(() => decoded(Uint8Array.of(0x89, 0x50, 0x00)), TypeError);
    assert.throws(() => decoded(Uint8Array.of(0xef, 0xbb, 0xbf, 0xff)), TypeError);
});

test("an editor that takes every file for UTF-8 misreads single bytes, and nothing else", () => {
    assert.equal(isSingleByte(bytes("größe", "latin1")), true);
    assert.equal(isSingleByte(bytes("größe", "utf8")), false);
    assert.equal(isSingleByte(bytes("\uFFFD", "utf8")), false);
    assert.equal(isSingleByte(bytes("\uFEFFgröße", "utf16le")), false);
    assert.equal(isSingleByte(Uint8Array.of(0x89, 0x50, 0x00)), false);
});
