/** What a command of a review is about. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfGoneRow } from "../src/review/given.ts";

test("the button of a row that is being drawn again is about nothing, not about the change at the cursor", () => {
    assert.equal(isOfGoneRow([undefined, undefined]), true);
    assert.equal(isOfGoneRow([undefined, [undefined]]), true);
});

test("a key, the palette, the title of an editor and a row that is there are about what they were", () => {
    assert.equal(isOfGoneRow([]), false);
    assert.equal(isOfGoneRow([undefined]), false);
    assert.equal(isOfGoneRow([undefined, { groupId: 0 }]), false);
    assert.equal(isOfGoneRow([{ kind: "file" }, undefined]), false);
});
