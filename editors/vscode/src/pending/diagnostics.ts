/** Show an ambiguous edit at each of its candidates, not only at the first. */

import * as vscode from "vscode";
import { t } from "../language.ts";

/** Return the diagnostic, and a copy at every other place in the same document that it names. */
export function atEveryPlace(uri: vscode.Uri, diagnostic: vscode.Diagnostic): vscode.Diagnostic[] {
    if (diagnostic.code !== "ambiguous-edit") {
        return [diagnostic];
    }
    const others = (diagnostic.relatedInformation ?? []).filter(
        ({ location }) =>
            location.uri.toString() === uri.toString() && !location.range.isEqual(diagnostic.range),
    );
    return [
        diagnostic,
        ...others.map(({ location, message }) => {
            const line = diagnostic.range.start.line + 1;
            const text = t("The ambiguous edit of line {0} could also go here ({1}).", line, message);
            const other = new vscode.Diagnostic(location.range, text, diagnostic.severity);
            other.code = "ambiguous-edit";
            other.source = diagnostic.source ?? "";
            return other;
        }),
    ];
}
