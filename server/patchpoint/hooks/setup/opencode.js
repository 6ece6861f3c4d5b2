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
  event: async ({ event }) => {
    if (event?.type === "session.idle") {
      const sessionID = event.properties?.sessionID;
      await hook({ event: "session.idle", sessionID, messageID: messages.get(sessionID), directory });
      end();
    }
  },
});
