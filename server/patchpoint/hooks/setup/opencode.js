const promptOf = (parts) =>
  (parts ?? [])
    .filter((part) => part?.type === "text" && !part.synthetic)
    .map((part) => part.text)
    .join("\n");

// Tools that change no file.
const READERS = new Set([
  "codesearch",
  "glob",
  "grep",
  "list",
  "lsp",
  "question",
  "read",
  "skill",
  "task",
  "todoread",
  "todowrite",
  "webfetch",
  "websearch",
]);

// The message that each session works on; only what announces it names it.
const messages = new Map();

async function step(event, input, args, directory) {
  if (READERS.has(input?.tool)) return;
  await hook({
    event,
    sessionID: input?.sessionID,
    messageID: messages.get(input?.sessionID),
    callID: input?.callID,
    directory,
    tool: input?.tool,
    args,
  });
}

export const Patchpoint = async ({ directory }) => ({
  "chat.message": async (input, output) => {
    const messageID = input?.messageID ?? output?.message?.id;
    messages.set(input?.sessionID, messageID);
    await hook({
      event: "chat.message",
      sessionID: input?.sessionID,
      messageID,
      directory,
      prompt: promptOf(output?.parts),
    });
  },
  "tool.execute.before": async (input, output) => step("tool.execute.before", input, output?.args, directory),
  "tool.execute.after": async (input) => step("tool.execute.after", input, input?.args, directory),
  // opencode has both events of an idle session, Kilo one of them.
  event: async ({ event }) => {
    const { sessionID, status } = event?.properties ?? {};
    const isIdle = event?.type === "session.idle" || (event?.type === "session.status" && status?.type === "idle");
    if (isIdle && messages.has(sessionID)) {
      const messageID = messages.get(sessionID);
      messages.delete(sessionID);
      await hook({ event: "session.idle", sessionID, messageID, directory });
      end();
    }
  },
});
