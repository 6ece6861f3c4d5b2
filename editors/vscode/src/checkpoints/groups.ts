/** Checkpoints grouped for the view: by repository (if there are several), by session, by time. */

import type { Checkpoint } from "../server/protocol.ts";

/** The checkpoints of one session, or those that belong to none, newest first. */
export interface SessionGroup {
    root: string;
    session: string | null;
    checkpoints: Checkpoint[];
}

/** The groups of one repository, the one with the newest checkpoint first. */
export interface RootGroup {
    root: string;
    sessions: SessionGroup[];
}

/** Group the listed checkpoints. One may be listed twice, because two folders may be in one repository. */
export function grouped(listed: Checkpoint[]): RootGroup[] {
    const unique = [
        ...new Map(listed.map((checkpoint) => [`${checkpoint.root}\0${checkpoint.id}`, checkpoint])).values(),
    ];
    const newestFirst = unique.sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt));
    const roots = new Map<string, Map<string | null, Checkpoint[]>>();
    for (const checkpoint of newestFirst) {
        const sessions = entry(roots, checkpoint.root, () => new Map<string | null, Checkpoint[]>());
        entry(sessions, checkpoint.session, () => []).push(checkpoint);
    }
    return [...roots].map(([root, sessions]) => ({
        root,
        sessions: [...sessions].map(([session, checkpoints]) => ({ root, session, checkpoints })),
    }));
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
    const there = map.get(key);
    if (there !== undefined) {
        return there;
    }
    const made = make();
    map.set(key, made);
    return made;
}
