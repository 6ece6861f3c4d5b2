/** The agent's turn that has just ended, by the checkpoints that its hooks took. */

import type { Checkpoint } from "../server/protocol.ts";

/**
 * Return the checkpoints at which the newest turn began and ended; undefined while it goes on, and where it has changed
 * nothing. `checkpoints` are of all working trees, newest first within each.
 */
export function endedTurn(checkpoints: Checkpoint[]): { begin: Checkpoint; end: Checkpoint } | undefined {
    const newestFirst = [...checkpoints].sort(
        (one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt),
    );
    const [end, ...earlier] = newestFirst.filter(({ session }) => session !== null);
    if (end?.kind !== "afterRun") {
        return undefined;
    }
    const begin = earlier.find(
        ({ kind, session, root, turn }) =>
            kind === "run" && session === end.session && root === end.root && turn === end.turn,
    );
    return begin === undefined || begin.tree === end.tree ? undefined : { begin, end };
}
