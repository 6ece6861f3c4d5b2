/** The texts of difference views that are open or may be returned to, within a limit. */

import { t } from "../language.ts";

/** The most characters that are kept of all views but the last one. */
const KEPT_CHARACTERS = 64 * 1024 * 1024;

/** What is shown of a text that is no longer kept. */
export const noLongerKept = () =>
    `${t("This text is no longer available. Open the difference again to see it.")}\n`;

interface View {
    texts: Map<number, string>;
    characters: number;
}

export class ShownTexts {
    private readonly limit: number;
    private views: View[] = [];
    private made = 0;

    constructor(limit = KEPT_CHARACTERS) {
        this.limit = limit;
    }

    /**
     * Begin a view, whose texts are kept or forgotten together. The last one is kept whatever its size; of those before
     * it, the oldest are forgotten where there is more than the limit.
     */
    begin(): void {
        this.views.push({ texts: new Map(), characters: 0 });
        let characters = 0;
        const first = this.views.findLastIndex((view) => {
            characters += view.characters;
            return characters > this.limit;
        });
        this.views = this.views.slice(first + 1);
    }

    /** Keep a text of the last view; return its number. */
    keep(text: string): number {
        if (this.views.length === 0) {
            this.begin();
        }
        this.made += 1;
        const view = this.views.at(-1);
        view?.texts.set(this.made, text);
        if (view !== undefined) {
            view.characters += text.length;
        }
        return this.made;
    }

    /** Keep another text under that number, in its view; nothing where it is no longer kept. */
    replace(number: number, text: string): void {
        const view = this.views.find(({ texts }) => texts.has(number));
        if (view !== undefined) {
            view.characters += text.length - this.find(number).length;
            view.texts.set(number, text);
        }
    }

    /** Return the text of that number, or a sentence that says that it is no longer kept. */
    find(number: number): string {
        return this.views.find(({ texts }) => texts.has(number))?.texts.get(number) ?? noLongerKept();
    }
}
