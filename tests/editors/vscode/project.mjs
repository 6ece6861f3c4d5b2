// The project that a person has open, what a model says about it, and an agent that damages it.

import { execFileSync } from "node:child_process";
import {
    chmodSync,
    lstatSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const FILES = {
    "shop/cart.py": `"""The shopping cart."""

from shop.prices import rounded


def total(items):
    """The sum of all items, with tax."""
    amount = 0
    for item in items:
        # quantities may be fractions: cloth is sold by the metre
        amount += item.price * item.quantity
    return rounded(amount * 1.19)
`,
    "shop/shipping.py": `"""What sending costs."""


def letter(weight):
    if weight <= 0:
        raise ValueError("weight")
    return 1.10


def parcel(weight):
    if weight <= 0:
        raise ValueError("weight")
    return 4.50 + 0.8 * weight
`,
    "shop/prices.py": `def rounded(amount):
    return round(amount, 2)
`,
    "README.md": "# Shop\n\nA shop for cloth.\n",
    ".gitignore": "build/\n",
};

/** The model has lost a comment and a comma, so what it quotes occurs nowhere as it is quoted. */
export const DRIFTED = `Tax depends on the country, so it should be passed in:

shop/cart.py
\`\`\`python
<<<<<<< SEARCH
def total(items):
    """The sum of all items with tax."""
    amount = 0
    for item in items:
        amount += item.price * item.quantity
    return rounded(amount * 1.19)
=======
def total(items, tax):
    """The sum of all items with tax."""
    amount = 0
    for item in items:
        amount += item.price * item.quantity
    return rounded(amount * (1 + tax))
>>>>>>> REPLACE
\`\`\`
`;

/** The file after that was applied: the comment and the comma that the model lost are still there. */
export const CART_AFTER = FILES["shop/cart.py"]
    .replace("def total(items):", "def total(items, tax):")
    .replace("rounded(amount * 1.19)", "rounded(amount * (1 + tax))");

/** An edit with one place, one with several, and one with none. */
const EXACT_EDIT = `shop/prices.py
\`\`\`python
<<<<<<< SEARCH
    return round(amount, 2)
=======
    return round(amount, 3)
>>>>>>> REPLACE
\`\`\`
`;
const AMBIGUOUS_EDIT = `shop/shipping.py
\`\`\`python
<<<<<<< SEARCH
    if weight <= 0:
=======
    if weight < 0:
>>>>>>> REPLACE
\`\`\`
`;
const ABSENT_EDIT = `shop/shipping.py
\`\`\`python
<<<<<<< SEARCH
class Insurance:
    covers = ("loss", "theft")
=======
class Insurance:
    covers = ("loss", "theft", "rain")
>>>>>>> REPLACE
\`\`\`
`;

/** Edits of two files, each quoted exactly. */
export const TWO_FILES = `README.md
\`\`\`
<<<<<<< SEARCH
A shop for cloth.
=======
A shop for fine cloth.
>>>>>>> REPLACE
\`\`\`

${EXACT_EDIT}`;

/** The text that the model quotes occurs twice in the file. */
export const AMBIGUOUS = `Say what is wrong with the weight:

shop/shipping.py
\`\`\`python
<<<<<<< SEARCH
    if weight <= 0:
        raise ValueError("weight")
=======
    if weight <= 0:
        raise ValueError(f"a weight must be positive, not {weight}")
>>>>>>> REPLACE
\`\`\`
`;

const CHECK = '        raise ValueError("weight")\n    return 4.50';
export const SHIPPING_AFTER = FILES["shop/shipping.py"].replace(
    CHECK,
    '        raise ValueError(f"a weight must be positive, not {weight}")\n    return 4.50',
);

/** An answer with an edit of every kind, to be opened as a document. */
export const ANSWER = `# Three suggestions

Prices should be exact to a tenth of a cent:

${EXACT_EDIT}
A weight of nothing is no error:

${AMBIGUOUS_EDIT}
Parcels that are lost should be refunded:

${ABSENT_EDIT}`;

/** A chat that is kept as a document: a question, and an answer with an edit of every kind. */
export const CHAT = `# Person

Prices to a tenth of a cent, please. Is a weight of nothing an error?

# Model

${EXACT_EDIT}
${AMBIGUOUS_EDIT}
${ABSENT_EDIT}`;

/** The first and the last line of its first edit. */
export const FIRST_EDIT = [7, 14];

/** What is said in it later. */
export const LATER = "\n# Person\n\nNow simplify all of it.\n";

/** An answer about what the agent has written. */
export const TIDY = `# Model

README.md
\`\`\`
<<<<<<< SEARCH
Rewritten by the agent.
=======
Tidied up.
>>>>>>> REPLACE
\`\`\`
`;

/** What the file is once a parcel may weigh nothing. */
export const PARCEL_AFTER = FILES["shop/shipping.py"].replace(
    "def parcel(weight):\n    if weight <= 0:",
    "def parcel(weight):\n    if weight < 0:",
);

const DEMO = join(import.meta.dirname, "..", "..", "demo", "review");

/** The files of the recordings of a review, by their names: as they are `before` an agent changes them, or `after`. */
export function reviewed(state) {
    const folder = join(DEMO, state);
    const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".txt"));
    return Object.fromEntries(
        names.map((name) => [name.slice(0, -".txt".length), readFileSync(join(folder, name), "utf8")]),
    );
}

const NOBODY = {
    GIT_AUTHOR_NAME: "Nobody",
    GIT_AUTHOR_EMAIL: "nobody@example.com",
    GIT_COMMITTER_NAME: "Nobody",
    GIT_COMMITTER_EMAIL: "nobody@example.com",
};

export class Project {
    constructor(folder, files = FILES) {
        this.folder = folder;
        for (const [name, text] of Object.entries(files)) {
            this.write(name, text);
        }
        this.git("init", "-q", "-b", "main");
        this.git("add", ".");
        this.git("commit", "-q", "-m", "A shop");
        if (files === FILES) {
            this.write("notes.txt", "untracked, and dear to me\n");
            this.write("build/cart.o", "ignored\n");
        }
    }

    git(...args) {
        const env = { ...process.env, ...NOBODY };
        return execFileSync("git", ["-C", this.folder, ...args], { env, encoding: "utf8" }).trim();
    }

    read(name) {
        return readFileSync(join(this.folder, name), "utf8");
    }

    write(name, text) {
        const path = join(this.folder, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
    }

    /** Every file with its bytes and permissions, what is staged, and where HEAD is: all that a restore brings back. */
    everything() {
        const found = {};
        // What git and the server write meanwhile comes and goes.
        const own = readdirSync(this.folder, { recursive: true }).filter((each) => !/^\.git($|[\\/])/.test(each));
        for (const entry of own.sort()) {
            const path = join(this.folder, entry);
            const stat = lstatSync(path);
            if (stat.isFile()) {
                found[entry] = `${(stat.mode & 0o777).toString(8)} ${readFileSync(path).toString("latin1")}`;
            } else if (stat.isSymbolicLink()) {
                found[entry] = "link";
            }
        }
        return {
            files: found,
            staged: this.git("ls-files", "--stage"),
            head: this.git("rev-parse", "HEAD"),
            branch: this.git("symbolic-ref", "HEAD"),
        };
    }

    /** How many checkpoints git sees. */
    checkpoints() {
        const refs = this.git("for-each-ref", "--format=%(refname)", "refs/patchpoint/checkpoints");
        return refs === "" ? 0 : refs.split("\n").length;
    }

    /** What an agent does that has gone astray: it rewrites, deletes, adds, stages and commits, all past the editor. */
    sufferAnAgent() {
        this.write("shop/cart.py", "def total(items):\n    return 42\n");
        rmSync(join(this.folder, "shop/prices.py"));
        rmSync(join(this.folder, "notes.txt"));
        this.write("shop/discount.py", "RATE = 0.5\n");
        chmodSync(join(this.folder, "shop/shipping.py"), 0o755);
        symlinkSync("cart.py", join(this.folder, "shop/link.py"));
        this.git("add", "-A");
        this.git("commit", "-q", "-m", "Simplify");
        this.write("README.md", "# Shop\n\nRewritten by the agent.\n");
    }
}
