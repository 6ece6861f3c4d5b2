/**
 * Sentences for people, made from the server's results.
 *
 * Ages and percentages are written here, although the server's `wording.py` and `outcome.py` have them, too: the
 * results have times and numbers, and a view is drawn again without a request. They follow the server's rules.
 */

import { counted, t } from "./language.ts";
import type {
    Application,
    Candidate,
    Checkpoint,
    Decision,
    EditsResult,
    FileChange,
    Outcome,
    RestoreResult,
    Risk,
    Status,
} from "./server/protocol.ts";

const OPEN: ReadonlySet<Status> = new Set([
    "proposed",
    "ambiguous",
    "notFound",
    "conflict",
    "rejected",
    "malformed",
    "held",
]);

/** Whether the edit still has to be dealt with. */
export function isOpen(outcome: { status: Status }): boolean {
    return OPEN.has(outcome.status);
}

/** Whether a pending edit waits for its user: it was not applied, or was dropped from a preview and has its place. */
export function isWaiting(outcome: { status: Status }): boolean {
    return isOpen(outcome) || outcome.status === "matched";
}

/** Whether an edit without a place may go somewhere, or is proposed. */
export function hasPlaces({ candidates, proposal }: Outcome): boolean {
    return candidates.length > 0 || proposal !== null;
}

/** The edits of an answer that have to be dealt with; those that its user dropped do not. */
export function openOf(answer: EditsResult): Outcome[] {
    return answer.edits.filter((edit) => isOpen(edit) && !isDropped(edit, answer));
}

/** Whether the user dropped the edit, or all of its hunks. */
function isDropped({ id, status }: Outcome, { dropped }: EditsResult): boolean {
    return dropped.length > 0 && (status === "held" || dropped.some((one) => one.id === id));
}

/** Whether the edit is, or would be, applied where the model's quotation differs by more than white space. */
export function isInexact(outcome: Outcome): boolean {
    return (
        !isOpen(outcome) &&
        outcome.status !== "alreadyApplied" &&
        outcome.rung !== null &&
        !["exact", "whitespace"].includes(outcome.rung)
    );
}

/** `1 edit`, `2 edits`. */
export function count(number: number, noun: Noun): string {
    return NOUNS[noun](number);
}

type Noun = keyof typeof NOUNS;

const NOUNS = {
    change: (number: number) => counted(number, "{0} change", "{0} changes"),
    checkpoint: (number: number) => counted(number, "{0} checkpoint", "{0} checkpoints"),
    edit: (number: number) => counted(number, "{0} edit", "{0} edits"),
    file: (number: number) => counted(number, "{0} file", "{0} files"),
    "pending edit": (number: number) => counted(number, "{0} pending edit", "{0} pending edits"),
};

/** `2 kept, 1 reverted`; what is open comes last. */
export function reviewTally(numbers: { kept: number; takenBack: number; open: number }): string {
    const said = [DECIDED.keep(numbers.kept), DECIDED.takeBack(numbers.takenBack)];
    return [...said, ...(numbers.open > 0 ? [DECIDED.open(numbers.open)] : [])].join(", ");
}

/** The same of the changes of one file, without what there is none of. */
export function tallyOf(hunks: { decision: Decision }[]): string {
    const number = (decision: Decision) => hunks.filter((hunk) => hunk.decision === decision).length;
    return (["keep", "takeBack", "open"] as const)
        .filter((decision) => number(decision) > 0)
        .map((decision) => DECIDED[decision](number(decision)))
        .join(", ");
}

const DECIDED: Record<Decision, (number: number) => string> = {
    keep: (number) => t("{0} kept", number),
    takeBack: (number) => t("{0} reverted", number),
    open: (number) => t("{0} open", number),
};

/** The first line that a hunk adds, or else removes, to name it by. */
export function firstChangedLine(diff: string): string {
    const lines = diff.split("\n").filter((line) => !/^(\+\+\+|---) /.test(line));
    const [line] = [
        ...lines.filter((each) => each.startsWith("+")),
        ...lines.filter((each) => each.startsWith("-")),
    ];
    return line === undefined ? "" : `${line[0] === "-" ? "− " : ""}${line.slice(1).trim()}`;
}

const OUTCOMES: [Status, (number: number) => string][] = [
    ["applied", (number) => t("{0} applied", number)],
    ["reverted", (number) => t("{0} reverted", number)],
    ["matched", (number) => t("{0} would be applied", number)],
    ["alreadyApplied", (number) => t("{0} already there", number)],
    ["proposed", (number) => t("{0} proposed", number)],
    ["ambiguous", (number) => t("{0} ambiguous", number)],
    ["notFound", (number) => t("{0} not found", number)],
    ["conflict", (number) => t("{0} in conflict", number)],
    ["rejected", (number) => t("{0} rejected", number)],
    ["malformed", (number) => t("{0} malformed", number)],
    ["held", (number) => t("{0} held back", number)],
];

/** What a pending edit is called: its file, and the line or the text that it is about. */
export function pendingName(edit: Pick<Outcome, "index" | "range" | "candidates">, path: string): string {
    const [first] = edit.candidates;
    const line = first?.range.start.line ?? edit.range?.start.line;
    const where = line === undefined ? path : `${path}:${line + 1}`;
    const text = first?.preview.trim().split("\n")[0] ?? "";
    return text === ""
        ? t("{0} (edit {1})", where, edit.index + 1)
        : t("{0} “{1}”", where, text.slice(0, 60));
}

/** What tells a place from the others: where it is, and how similar, unless it is what the edit quotes. */
export function placeWords({ where, similarity }: Candidate): string {
    const similar = t("{0} similar", percent(similarity));
    const place = inLanguage(where);
    return where === "" ? similar : similarity >= 1 ? place : `${place}, ${similar}`;
}

/** What the server names in English, and how it is said in the person's language. */
const BY_ITSELF: [RegExp, (...names: string[]) => string][] = [
    [/^in (.+)$/, (names) => t("in {0}", names)],
    [/^below (.+)$/, (name) => t("below {0}", name)],
    [
        /^Before (\d+) edits?: (.+)$/,
        (number, files) => t("Before {0}: {1}", count(Number(number), "edit"), files),
    ],
    [/^Before reverting: (.+)$/, (files) => t("Before reverting: {0}", files)],
    [/^Before restoring (.+)$/, (id) => t("Before restoring {0}", id)],
    [/^Before changes were reverted$/, () => t("Before changes were reverted")],
];

function inLanguage(name: string): string {
    for (const [pattern, said] of BY_ITSELF) {
        const found = pattern.exec(name);
        if (found !== null) {
            return said(...found.slice(1));
        }
    }
    return name;
}

/** Whether an edit may be applied at a place at once; any other place is to be compared first. */
export function isQuotedAt(edit: Outcome, { similarity }: Candidate): boolean {
    return !["notFound", "proposed"].includes(edit.status) || similarity >= 1;
}

/** Whether an application can be reverted: it is not reverted yet, and not itself a revert. */
export function isRevertible(application: Application): boolean {
    return application.revertedAt === null && application.reverts === null;
}

/** What an application is called: `answer of 08:35, 3 edits in 3 files`, with the date if it is another day. */
export function applicationName(application: Application, now: Date): string {
    const { createdAt, title, isRest, edits, files } = application;
    const size = [count(edits.length, "edit"), count(files.length, "file")] as const;
    if (title !== "") {
        return isRest
            ? t("rest of “{0}”, {1} in {2}", title, ...size)
            : t("“{0}”, {1} in {2}", title, ...size);
    }
    const moment = new Date(createdAt);
    const two = (number: number) => String(number).padStart(2, "0");
    const time = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
    const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} `;
    const date = moment.toDateString() === now.toDateString() ? "" : day;
    return t("answer of {0}, {1} in {2}", `${date}${time}`, ...size);
}

/** How many edits of a request have each outcome: `2 would be applied, 1 ambiguous`. */
export function tally(edits: { status: Status }[]): string {
    return OUTCOMES.map(([status, said]) => ({
        number: edits.filter((edit) => edit.status === status).length,
        said,
    }))
        .filter(({ number }) => number > 0)
        .map(({ number, said }) => said(number))
        .join(", ");
}

/** The outcomes of a dry run; for a single inexact edit, how its place was found. */
export function foresight(edits: Outcome[]): string {
    const [only] = edits;
    if (edits.length !== 1 || only === undefined || !isInexact(only)) {
        return tally(edits);
    }
    const how = t("found by {0}", only.rung ?? "");
    return only.similarity === null ? how : `${how}, ${t("{0} similar", percent(only.similarity))}`;
}

/** What a preview is called: what becomes of its edits, and whether a file no longer parses then. */
export function previewTitle(outcomes: string, files: { hunks: { risk: Risk | null }[] }[]): string {
    const breaks = files.some(({ hunks }) => hunks.some(({ risk }) => risk === "unparsable"));
    return t("Patchpoint preview ({0})", [outcomes, ...(breaks ? [t("no longer parses")] : [])].join(", "));
}

/** A similarity from 0 to 1 in whole percent, rounded down: only identical texts show as 100 %. */
export function percent(similarity: number): string {
    // Without the addition, 0.29 would be 28 %, because its binary fraction is slightly less.
    return `${similarity >= 1 ? 100 : Math.min(99, Math.floor(similarity * 100 + 1e-9))} %`;
}

/** One line with the result of applying edits. */
export function applied(answer: EditsResult): string {
    const number = answer.edits.filter((edit) => edit.status === "applied").length;
    const dropped = answer.dropped.length;
    const rest = answer.edits.filter((edit) => edit.status !== "applied" && !isDropped(edit, answer));
    const others = [
        ...(rest.length > 0 ? [tally(rest)] : []),
        ...(dropped > 0 ? [t("{0} dropped", count(dropped, "change"))] : []),
    ].join(", ");
    if (number === 0) {
        return answer.edits.every((edit) => edit.status === "alreadyApplied")
            ? t("Everything was already applied")
            : t("Nothing was changed: {0}", obstacle(rest) || others);
    }
    const said = t("Applied {0} in {1}", count(number, "edit"), count(answer.files.length, "file"));
    return [said, others, answer.remark].filter((part) => part !== "").join("; ");
}

/** Why edits were not made that have a place, without the full stop, if it is one reason for all. */
function obstacle(edits: Outcome[]): string {
    const reasons = edits.filter((edit) => edit.status === "conflict" || edit.status === "rejected");
    const [one, ...others] = new Set(reasons.map((edit) => edit.message));
    return one !== undefined && others.length === 0 ? one.replace(/\.$/, "") : "";
}

/** Feedback for the model about the edits that were not applied. */
export function feedback(edits: Outcome[]): string {
    return edits
        .filter(isOpen)
        .map((edit) => edit.feedback || edit.message)
        .filter((text) => text !== "")
        .join("\n\n");
}

/** The title of a checkpoint in lists. */
export function title(checkpoint: Checkpoint): string {
    if (checkpoint.label && ["beforeApply", "safety"].includes(checkpoint.kind)) {
        return inLanguage(checkpoint.label);
    }
    if (checkpoint.label) {
        const isPrompt = checkpoint.kind === "run" && checkpoint.agent !== null && checkpoint.number !== null;
        return isPrompt ? `${checkpoint.agent}#${checkpoint.number} · ${checkpoint.label}` : checkpoint.label;
    }
    switch (checkpoint.kind) {
        case "beforeApply":
            return t("Before edits were applied");
        case "safety":
            return t("Before a restore");
        case "run":
            return checkpoint.message ? t("Before message {0}", checkpoint.message) : t("Before a run");
        case "afterRun":
            return checkpoint.message ? t("After message {0}", checkpoint.message) : t("After a run");
        case "step":
            return t("Before a step of a run");
        case "afterStep":
            return t("After a step of a run");
        case "manual":
            return checkpoint.message ? t("Before message {0}", checkpoint.message) : t("Checkpoint");
    }
}

const UNITS: [number, (number: number) => string][] = [
    [86_400, (number) => counted(number, "{0} day ago", "{0} days ago")],
    [3_600, (number) => counted(number, "{0} hour ago", "{0} hours ago")],
    [60, (number) => counted(number, "{0} minute ago", "{0} minutes ago")],
];

/** How long before `now` the moment was, in its largest unit. Both are milliseconds since the epoch. */
export function ago(moment: number, now: number): string {
    const seconds = Math.max(0, Math.round((now - moment) / 1000));
    for (const [unit, said] of UNITS) {
        if (seconds >= unit) {
            return said(Math.floor(seconds / unit));
        }
    }
    return t("just now");
}

/** What a restore is about to change, or has changed, as a list of phrases. */
export function restoreFacts(answer: RestoreResult): string[] {
    const facts = [];
    const rewritten = overwritten(answer);
    if (answer.created.length > 0) {
        facts.push(counted(answer.created.length, "{0} file created", "{0} files created"));
    }
    if (rewritten.length > 0) {
        facts.push(counted(rewritten.length, "{0} file rewritten", "{0} files rewritten"));
    }
    if (answer.deleted.length > 0) {
        facts.push(counted(answer.deleted.length, "{0} file deleted", "{0} files deleted"));
    }
    const { from, to } = answer.head;
    if (from !== to && to !== null) {
        facts.push(t("HEAD back to {0}", to.slice(0, 9)));
    }
    if (answer.dropped.length > 0) {
        facts.push(droppedCheckpoints(answer.dropped.length));
    }
    return facts;
}

/** The files that a restore writes and that are there already. */
function overwritten(answer: RestoreResult): string[] {
    const created = new Set(answer.created);
    return answer.written.filter((uri) => !created.has(uri));
}

/** The most files that are named; the rest are only counted. */
const NAMED = 12;

/**
 * What a restore is about to change, file by file; `name` gives the path of a URI as people know it, and `unsaved`
 * are the files that have unsaved changes now.
 */
export function restorePlan(plan: RestoreResult, unsaved: string[], name: (uri: string) => string): string {
    const { from, to } = plan.head;
    const messages = plan.transcript?.messagesRemoved ?? 0;
    return [
        plan.remark,
        listed(t("Created"), plan.created.map(name)),
        listed(t("Rewritten"), overwritten(plan).map(name)),
        listed(t("Deleted"), plan.deleted.map(name)),
        listed(
            t("Left as they are"),
            plan.kept.map(({ path, reason }) => `${path} (${reason})`),
        ),
        from !== to && to !== null ? t("HEAD goes back to {0}.", to.slice(0, 9)) : "",
        plan.dropped.length > 0 ? `${droppedCheckpoints(plan.dropped.length)}.` : "",
        listed(t("Unsaved now, and kept in the safety checkpoint"), unsaved.map(name)),
        messages > 0 ? counted(messages, "The chat loses {0} message.", "The chat loses {0} messages.") : "",
        t("A safety checkpoint is taken first, so this can be undone."),
    ]
        .filter((line) => line !== "")
        .join("\n");
}

function listed(what: string, names: string[]): string {
    const rest = names.length - NAMED;
    const shown = names.sort().slice(0, NAMED).join(", ");
    return names.length === 0 ? "" : `${what}: ${rest > 0 ? t("{0}, and {1} more", shown, rest) : shown}.`;
}

function droppedCheckpoints(number: number): string {
    return counted(number, "{0} later checkpoint dropped", "{0} later checkpoints dropped");
}

/** `M`, `A`, `D` or `R`, as source control marks it, for a change since the checkpoint. */
export function mark(change: FileChange): string {
    return { create: "A", update: "M", delete: "D", rename: "R" }[change.operation];
}
