/** The code and the message of a failed request. */

/** Return the code of a refusal by the server; undefined for any other error. */
export function refusalCode(error: unknown): string | undefined {
    const data = (error as { data?: unknown } | null)?.data;
    const code = (data as { code?: unknown } | null)?.code;
    return typeof code === "string" ? code : undefined;
}

/** Return the message of `error` for people. */
export function reason(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
