/** The line above the rows of a view. */

/**
 * Remove the message of a view.
 *
 * It is an accessor of the object itself: `delete` would remove that, and no later message would be shown. The types of
 * the editor do not say that undefined may be set.
 */
export function withoutMessage(tree: { message?: string }): void {
    (tree as { message: string | undefined }).message = undefined;
}
