/** How many changes of a file are to be reviewed, next to its name in the Explorer and on its tab. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import type { ReviewedFile } from "../server/protocol.ts";
import { numberOfOpen } from "./merged.ts";

/** The badge of a file has two characters. */
const MOST = 99;

export class ReviewBadges implements vscode.FileDecorationProvider, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
    private readonly registration: vscode.Disposable;
    private open = new Map<string, number>();

    readonly onDidChangeFileDecorations = this.changed.event;

    constructor() {
        this.registration = vscode.window.registerFileDecorationProvider(this);
    }

    /** Show the badges of these files, and of no others. */
    follow(files: ReviewedFile[]): void {
        const before = this.open;
        const counted = files.map((file) => [vscode.Uri.parse(file.uri).toString(), numberOfOpen([file])]);
        this.open = new Map(counted as [string, number][]);
        const uris = new Set([...before.keys(), ...this.open.keys()]);
        const others = [...uris].filter((uri) => before.get(uri) !== this.open.get(uri));
        this.changed.fire(others.map((uri) => vscode.Uri.parse(uri)));
    }

    provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
        const number = this.open.get(uri.toString()) ?? 0;
        return number === 0
            ? undefined
            : { badge: String(Math.min(number, MOST)), tooltip: t("{0} to review", number), propagate: true };
    }

    dispose(): void {
        this.registration.dispose();
        this.changed.dispose();
    }
}
