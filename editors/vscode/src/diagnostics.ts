/** An ambiguous edit is shown at each of the places where it could go, not only at the first. */

import * as vscode from "vscode";

/** The diagnostic, and one like it at every other place in the same document that it names. */
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
            const told = `The ambiguous edit of line ${line} could go here as well (${message}).`;
            const other = new vscode.Diagnostic(location.range, told, diagnostic.severity);
            other.code = "ambiguous-edit";
            other.source = diagnostic.source ?? "";
            return other;
        }),
    ];
}
