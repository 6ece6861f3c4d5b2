/** What is kept of a preview: which of its hunks, and what each file would be with them alone. */

import { offsetsIn } from "../differences/positions.ts";
import type { PlannedHunk, PreviewedEdit, PreviewResult } from "../server/protocol.ts";

/** Return the hunks that are to be applied: neither they nor all of their edits were dropped. */
export function keptHunks({ edits, files }: PreviewResult): Set<string> {
    const left = new Set(edits.filter(({ decision }) => decision !== "keep").map(({ id }) => id));
    const isKept = (hunk: PlannedHunk) =>
        hunk.decision === "keep" && !(hunk.edits.length > 0 && hunk.edits.every((edit) => left.has(edit)));
    return new Set(files.flatMap(({ hunks }) => hunks.filter(isKept).map(({ id }) => id)));
}

/** Return the edits that the preview cannot apply, because they have no place. */
export function withoutPlace({ edits }: PreviewResult): PreviewedEdit[] {
    return edits.filter(({ status }) => !["matched", "held", "alreadyApplied"].includes(status));
}

/** Return a file's text with the hunks `kept` of those that turn `before` into `after`. */
export function withKept(before: string, after: string, hunks: PlannedHunk[], kept: Set<string>): string {
    const [old, now] = [offsetsIn(before), offsetsIn(after)];
    let text = after;
    // From the last to the first, so that the offsets of those that are left stay true.
    for (const { id, range, newRange } of [...hunks].reverse()) {
        if (kept.has(id)) {
            continue;
        }
        if (range === null || newRange === null) {
            return before;
        }
        const was = before.slice(old(range.start), old(range.end));
        text = text.slice(0, now(newRange.start)) + was + text.slice(now(newRange.end));
    }
    return text;
}
