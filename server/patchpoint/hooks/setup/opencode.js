// Written by `patchpoint setup opencode`; `patchpoint setup opencode --remove` deletes this file.
// It calls `patchpoint hook`, which takes a checkpoint, and waits for it; it decides nothing and never throws.
import { spawn } from "node:child_process";

const COMMAND = ["patchpoint"];

function hook(data) {
  return new Promise((resolve) => {
    try {
      const child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", "opencode"], {
        stdio: ["pipe", "ignore", "ignore"],
        windowsHide: true,
      });
      child.on("error", () => resolve());
      child.on("close", () => resolve());
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(data));
    } catch {
      resolve();
    }
  });
}

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

const step = (event, input, args, directory) =>
  READERS.has(input?.tool)
    ? undefined
    : hook({
        event,
        sessionID: input?.sessionID,
        messageID: messages.get(input?.sessionID),
        callID: input?.callID,
        directory,
        tool: input?.tool,
        args,
      });

export const Patchpoint = async ({ directory }) => ({
  "chat.message": (input, output) => {
    const messageID = input?.messageID ?? output?.message?.id;
    messages.set(input?.sessionID, messageID);
    return hook({
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
    }
  },
});
