/** What is kept of a preview: which of its hunks, and what each file would be with them alone. */

import { offsetsIn } from "../differences/positions.ts";
import type { Hunk, ReviewedEdit, ReviewResult } from "../server/protocol.ts";

/** Return the hunks that are to be applied. */
export function keptHunks({ files }: ReviewResult): Set<string> {
    return new Set(
        files.flatMap(({ hunks }) => hunks.filter(({ decision }) => decision === "keep").map(({ id }) => id)),
    );
}

/** Return the edits that the preview cannot apply, because they have no place. */
export function withoutPlace({ edits }: ReviewResult): ReviewedEdit[] {
    return edits.filter(({ status }) => !["matched", "held", "alreadyApplied"].includes(status));
}

/** Return a file's text with the hunks `kept` of those that turn `before` into `after`. */
export function withKept(before: string, after: string, hunks: Hunk[], kept: Set<string>): string {
    const [old, now] = [offsetsIn(before), offsetsIn(after)];
    let text = after;
    // From the last to the first, so that the offsets of those that are left stay true.
    for (const { id, oldRange, range } of [...hunks].reverse()) {
        if (kept.has(id)) {
            continue;
        }
        if (oldRange === null || range === null) {
            return before;
        }
        const was = before.slice(old(oldRange.start), old(oldRange.end));
        text = text.slice(0, now(range.start)) + was + text.slice(now(range.end));
    }
    return text;
}
