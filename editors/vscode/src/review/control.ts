/** The review as source control shows it: files by what is decided, and in the gutter what each of them was. */

import * as vscode from "vscode";
import { t } from "../language.ts";
import type { ReviewedFile, ReviewResult } from "../server/protocol.ts";
import { originalOf } from "./differences.ts";
import { numberOfOpen } from "./merged.ts";
import { fileTooltip } from "./rows.ts";
import type { ChangeRow } from "./tree.ts";
import { contextOf } from "./view.ts";

export class ReviewControl implements vscode.QuickDiffProvider, vscode.Disposable {
    private shown: { control: vscode.SourceControl; groups: vscode.SourceControlResourceGroup[] } | undefined;
    private originals = new Map<string, vscode.Uri>();

    /** Show a review of a working tree; nothing where there is none. */
    follow(review: ReviewResult | undefined, root: string | undefined): void {
        if (review === undefined) {
            this.dispose();
            return;
        }
        this.originals = new Map(
            review.files
                .filter(({ originalUri }) => originalUri !== null)
                .map((file) => [vscode.Uri.parse(file.uri).toString(), originalOf(file)]),
        );
        const { control, groups } = this.shown ?? this.begin(root);
        control.count = review.open;
        const isOpen = (file: ReviewedFile) => numberOfOpen([file]) > 0;
        for (const group of groups) {
            const files = review.files.filter((file) => isOpen(file) === (group.id === "open"));
            group.resourceStates = files.map((file) => state(review, file));
        }
    }

    provideOriginalResource(uri: vscode.Uri): vscode.Uri | undefined {
        return this.originals.get(uri.toString());
    }

    private begin(root: string | undefined) {
        // Below no folder, what git shows of the same lines would come before.
        const folder = root === undefined ? undefined : vscode.Uri.file(root);
        const control = vscode.scm.createSourceControl("patchpoint", t("Patchpoint Review"), folder);
        control.inputBox.visible = false;
        control.quickDiffProvider = this;
        const groups = [
            control.createResourceGroup("open", t("To Review")),
            control.createResourceGroup("decided", t("Kept")),
        ];
        for (const group of groups) {
            group.hideWhenEmpty = true;
        }
        this.shown = { control, groups };
        return this.shown;
    }

    dispose(): void {
        this.shown?.control.dispose();
        this.shown = undefined;
        this.originals.clear();
    }
}

function state(review: ReviewResult, file: ReviewedFile): vscode.SourceControlResourceState & ChangeRow {
    const node: ChangeRow = { kind: "file", review: review.review, file };
    return {
        ...node,
        resourceUri: vscode.Uri.parse(file.uri),
        contextValue: contextOf(file.hunks),
        decorations: {
            strikeThrough: file.operation === "delete",
            faded: numberOfOpen([file]) === 0,
            tooltip: fileTooltip(file),
        },
        command: {
            command: "patchpoint.vscode.openReviewed",
            title: t("Open Difference"),
            arguments: [node],
        },
    };
}
