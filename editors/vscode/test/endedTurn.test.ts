/** Whether an agent's turn has just ended. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { endedTurn } from "../src/review/endedTurn.ts";
import type { Checkpoint } from "../src/server/protocol.ts";

const checkpoint = (id: string, given: Partial<Checkpoint>): Checkpoint =>
    ({
        id,
        session: "s",
        turn: "1",
        root: "/shop",
        tree: id,
        createdAt: `2026-01-01T00:00:0${id}.000Z`,
        ...given,
    }) as Checkpoint;

const turn = (checkpoints: Checkpoint[]) => {
    const found = endedTurn(checkpoints);
    return found && `${found.begin.id} to ${found.end.id}`;
};

const begin = checkpoint("1", { kind: "run" });
const step = checkpoint("2", { kind: "step" });
const end = checkpoint("3", { kind: "afterRun" });

test("a turn has ended when the newest checkpoint of a session is the one after it", () => {
    assert.equal(turn([end, step, begin]), "1 to 3");
    assert.equal(turn([checkpoint("4", { kind: "manual", session: null }), end, step, begin]), "1 to 3");
});

test("it goes on while there is none, or the next has begun", () => {
    assert.equal(turn([step, begin]), undefined);
    assert.equal(turn([checkpoint("4", { kind: "run", turn: "2" }), end, step, begin]), undefined);
    assert.equal(turn([]), undefined);
});

test("a turn that changed nothing, or whose beginning is not known, is none to review", () => {
    assert.equal(turn([end, { ...begin, tree: "3" }]), undefined);
    assert.equal(turn([end, step]), undefined);
    assert.equal(turn([end, { ...begin, session: "other" }]), undefined);
});
