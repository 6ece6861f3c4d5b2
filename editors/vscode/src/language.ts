/**
 * The words that a person reads, in the language of the editor's display.
 *
 * Each message is written in English where it is used, in one string, and translated in `l10n/bundle.l10n.*.json`; the
 * tests read the messages out of the sources. What the server says is in English.
 */

type Filler = string | number;
type Translate = (message: string, ...fillers: Filler[]) => string;

let translate: Translate = filled;

/** Have `translation` translate and fill in all messages from now on; until then they are in English. */
export function speak(translation: Translate): void {
    translate = translation;
}

/** Return `message` in the person's language, with the fillers in place of `{0}`, `{1}` and so on. */
export function t(message: string, ...fillers: Filler[]): string {
    return translate(message, ...fillers);
}

/** Return `one` for the number 1, `many` for any other, in the person's language, with the number in place of `{0}`. */
export function counted(number: number, one: string, many: string): string {
    return translate(number === 1 ? one : many, number);
}

function filled(message: string, ...fillers: Filler[]): string {
    return message.replace(/\{(\d+)\}/g, (whole, number) => String(fillers[Number(number)] ?? whole));
}
