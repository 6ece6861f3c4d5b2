/** The texts of difference views: all of the last view, and of earlier ones what fits. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { noLongerKept, ShownTexts } from "../src/differences/shownTexts.ts";

test("all texts of a view are kept, however many files it has", () => {
    const texts = new ShownTexts();
    texts.begin();
    const numbers = Array.from({ length: 5000 }, (_, file) => texts.keep(`text ${file}`));
    for (const [file, number] of numbers.entries()) {
        assert.equal(texts.find(number), `text ${file}`);
    }
});

test("the last view is kept even if it alone is larger than the limit", () => {
    const texts = new ShownTexts(10);
    texts.begin();
    const [one, two] = [texts.keep("more than ten characters"), texts.keep("and more")];
    assert.equal(texts.find(one), "more than ten characters");
    assert.equal(texts.find(two), "and more");
});

test("earlier views are forgotten whole, the oldest first, and say so instead of being blank", () => {
    const texts = new ShownTexts(10);
    texts.begin();
    const oldest = [texts.keep("aaa"), texts.keep("bbb")];
    texts.begin();
    const older = texts.keep("cccccc");
    texts.begin();
    const newest = texts.keep("d");
    assert.deepEqual(
        oldest.map((number) => texts.find(number)),
        [noLongerKept(), noLongerKept()],
    );
    assert.equal(texts.find(older), "cccccc");
    assert.equal(texts.find(newest), "d");
    assert.equal(texts.find(1000), noLongerKept());
});

test("a text that is kept can become another one, and counts as that", () => {
    const texts = new ShownTexts(10);
    texts.begin();
    const one = texts.keep("short");
    texts.replace(one, "more than ten characters");
    assert.equal(texts.find(one), "more than ten characters");
    texts.replace(99, "of no view");
    assert.equal(texts.find(99), noLongerKept());
    texts.begin();
    texts.begin();
    assert.equal(texts.find(one), noLongerKept());
});
