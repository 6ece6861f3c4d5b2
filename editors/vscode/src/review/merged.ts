/** What is known of a review after a notification, which has only the files that have changed. */

import type { ReviewedFile, ReviewResult } from "../server/protocol.ts";

/**
 * Return the review `now` with the files of `before` that it does not mention, and without those that are as they were.
 * What is lost most easily comes first; where a file is does not change.
 */
export function merged(before: ReviewResult | undefined, now: ReviewResult): ReviewResult {
    const mentioned = new Set(
        now.files.flatMap(({ uri, oldUri }) => (oldUri === null ? [uri] : [uri, oldUri])),
    );
    const rest = before?.review === now.review ? before.files.filter(({ uri }) => !mentioned.has(uri)) : [];
    // Where the files that it mentions have all that is open, others in which something was open are gone.
    const isAll = numberOfOpen(now.files) === now.open;
    const left = rest.filter((file) => !isAll || numberOfOpen([file]) === 0);
    const files = [...left, ...now.files].filter(({ hunks }) => hunks.length > 0);
    const places = new Map(before?.review === now.review ? before.files.map(({ uri }, at) => [uri, at]) : []);
    const place = ({ uri }: ReviewedFile) => places.get(uri) ?? places.size;
    const risk = (file: ReviewedFile) => RISKS.indexOf(file.risk);
    files.sort(
        (one, other) =>
            place(one) - place(other) || risk(one) - risk(other) || (one.uri < other.uri ? -1 : 1),
    );
    return { ...now, files };
}

/** How many changes of these files nobody has decided about. */
export function numberOfOpen(files: ReviewedFile[]): number {
    return files.flatMap(({ hunks }) => hunks.filter(({ decision }) => decision === "open")).length;
}

/** The worst first, and what is without a risk last. */
const RISKS: ReviewedFile["risk"][] = ["unparsable", "deleted", "removed", null];
